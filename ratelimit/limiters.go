package ratelimit

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"time"
)

// Limiters is one limiter for each row of a table. It is safe for use by many goroutines.
type Limiters struct {
	all       []*limiter
	byName    names
	clock     func() time.Duration
	maxKeys   int
	unlimited bool
	store     Store // nil: every limit is counted in memory
	timeout   time.Duration
	breaker   breaker
	logger    *slog.Logger
	refusals  *refusals // nil: refusals are not logged
}

type limiter struct {
	limit  Limit
	index  int // its row
	memory *memory
}

// Option changes how limiters work.
type Option func(*Limiters)

// DefaultMaxKeys is how many keys each limiter holds at most, unless MaxKeys says otherwise: about 5 MB when they are in
// use by few requests each.
const DefaultMaxKeys = 50_000

// DefaultStoreTimeout is how long a decision waits for the store, unless StoreTimeout says otherwise.
const DefaultStoreTimeout = 50 * time.Millisecond

// MaxKeys sets how many keys each limiter holds at most.
func MaxKeys(n int) Option { return func(l *Limiters) { l.maxKeys = n } }

// SharedIn counts in a store what is not PerInstance, so that all instances that use the store share one budget.
func SharedIn(store Store) Option { return func(l *Limiters) { l.store = store } }

// StoreTimeout sets how long a decision waits for the store, which is otherwise DefaultStoreTimeout. Nothing is retried.
func StoreTimeout(d time.Duration) Option { return func(l *Limiters) { l.timeout = d } }

// LogTo logs refusals, full tables and the store's failures. The secret keys the hash that stands for a client in the log.
func LogTo(logger *slog.Logger, secret []byte) Option {
	return func(l *Limiters) {
		l.logger = logger
		l.refusals = &refusals{logger: logger, secret: secret, seed: newSeed()}
	}
}

// Unlimited admits everything and counts nothing. It is there for tests of what must be right without limiters.
func Unlimited() Option { return func(l *Limiters) { l.unlimited = true } }

// New makes the limiters of a table. It fails if a row is not valid or two have the same name.
func New(table []Limit, options ...Option) (*Limiters, error) {
	start := time.Now()
	l := &Limiters{
		byName: newNames(len(table)), maxKeys: DefaultMaxKeys,
		timeout: DefaultStoreTimeout,
		clock:   func() time.Duration { return time.Since(start) },
		logger:  slog.New(slog.DiscardHandler),
	}
	for _, option := range options {
		option(l)
	}
	l.breaker.logger = l.logger
	if l.maxKeys < 1 {
		return nil, fmt.Errorf("ratelimit: at most %d keys leave room for none", l.maxKeys)
	}
	for i, limit := range table {
		if err := limit.Validate(); err != nil {
			return nil, fmt.Errorf("ratelimit: %w", err)
		}
		slot := l.byName.slot(limit.Name)
		if *slot != nil {
			return nil, fmt.Errorf("ratelimit: two limits are named %q", limit.Name)
		}
		*slot = &limiter{limit: limit, index: i, memory: newMemory(limit, l.maxKeys, l.clock)}
		l.all = append(l.all, *slot)
	}
	return l, nil
}

// Mistakes of the caller. Requests that meet them are refused.
var (
	ErrUnknownLimit = errors.New("ratelimit: no such limit in the table")
	ErrWrongKey     = errors.New("ratelimit: the key is not of the limit's kind")
	ErrNotTogether  = errors.New("ratelimit: limits checked together must be of one group and in the order of the table")
)

// Table is the limits in force.
func (l *Limiters) Table() []Limit {
	table := make([]Limit, len(l.all))
	for i, limiter := range l.all {
		table[i] = limiter.limit
	}
	return table
}

// Allow decides about a request and charges it. Of several checks either all admit and all are charged, or one refuses
// and none is. They are looked at in order and only until one refuses, so that a key the client chooses should come
// after one that it cannot.
//
// The error is one of ErrUnknownLimit, ErrWrongKey and ErrNotTogether; it is a mistake in the program, and nothing is admitted
// then. A decision in memory takes well under a microsecond and allocates nothing, except when a key's log grows.
func (l *Limiters) Allow(ctx context.Context, checks ...Check) (d Decision, err error) {
	err = l.decide(ctx, checks, take, nil, &d)
	return d, err
}

// Peek says what Allow would, and charges nothing.
func (l *Limiters) Peek(ctx context.Context, checks ...Check) (d Decision, err error) {
	err = l.decide(ctx, checks, peek, nil, &d)
	return d, err
}

// Reserve is Allow for charges that may be given back, such as that of a login, which counts only if it fails. The
// reservation is empty if the request was refused. One that is never given back lapses with the window.
func (l *Limiters) Reserve(ctx context.Context, checks ...Check) (r Reservation, d Decision, err error) {
	r.limiters = l
	err = l.decide(ctx, checks, take, &r, &d)
	return r, d, err
}

// Reset forgets what a key has used of a limit, for operators and tests. It fails if the store does.
func (l *Limiters) Reset(ctx context.Context, check Check) error {
	limiter, err := l.limiter(&check)
	if err != nil {
		return err
	}
	limiter.memory.forget(&check.key)
	if l.store == nil || limiter.limit.PerInstance {
		return nil
	}
	for _, key := range limiter.storeKeys(&check.key) {
		within, cancel := l.bounded(ctx)
		err := l.store.Forget(within, key)
		cancel()
		if err != nil {
			return fmt.Errorf("ratelimit: reset %s: %w", check.name, err)
		}
	}
	return nil
}

// StoreDown says whether the shared store is given up for now, and how often it has been.
func (l *Limiters) StoreDown() (down bool, times uint64) { return l.breaker.state() }

func (l *Limiters) limiter(check *Check) (*limiter, error) {
	limiter := *l.byName.slot(check.name)
	switch {
	case limiter == nil:
		return nil, fmt.Errorf("%w: %q", ErrUnknownLimit, check.name)
	case limiter.limit.Key != check.key.kind:
		return nil, fmt.Errorf("%w: %q is by %v, the key is by %v", ErrWrongKey, check.name, limiter.limit.Key, check.key.kind)
	}
	return limiter, nil
}
