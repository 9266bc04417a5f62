package ratelimit

import (
	"log/slog"
	"sync"
	"time"
)

// breaker keeps requests from waiting for a store that does not answer: after a few failures in a row none is sent there for
// a pause, and then one at a time, until one succeeds.
type breaker struct {
	mu       sync.Mutex
	failures int // in a row
	open     bool
	until    time.Duration // no call before then while open
	probing  bool          // one call is under way while open
	opened   uint64        // how often
	logger   *slog.Logger
}

const (
	breakerFailures = 3
	breakerPause    = time.Second
)

// pass says whether a call may be sent, whose outcome must then be reported.
func (b *breaker) pass(now time.Duration) bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	if !b.open {
		return true
	}
	if b.probing || now < b.until {
		return false
	}
	b.probing = true
	return true
}

// report tells the outcome of a call.
func (b *breaker) report(err error, now time.Duration) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.probing = false
	if err == nil {
		b.failures = 0
		if b.open {
			b.open = false
			b.logger.Info("the limiters' store answers again; budgets are shared again")
		}
		return
	}
	b.failures++
	if b.open || b.failures >= breakerFailures {
		b.until = now + breakerPause
	}
	if !b.open && b.failures >= breakerFailures {
		b.open = true
		b.opened++
		b.logger.Warn("the limiters' store does not answer; this instance counts for itself, and what must not go uncounted is refused", "err", err)
	}
}

// state says whether the store is given up for now, and how often it has been.
func (b *breaker) state() (open bool, opened uint64) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.open, b.opened
}
