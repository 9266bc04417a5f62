package ratelimit

import (
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"log/slog"
	"sync"
	"time"
)

// refusals logs refusals: the first of each key in a window, and of the others a sample. Keys are written as a keyed hash, so that
// the log tells one client from another and nobody who they are. The number of lines is bounded, whoever floods.
type refusals struct {
	logger *slog.Logger
	secret []byte
	seed   seed

	mu      sync.Mutex
	recent  [1024]recentRefusal
	second  int64 // in which lines are counted
	lines   int
	omitted int // lines, since the last that was written
	calls   uint64
}

type recentRefusal struct {
	hash  uint64
	until time.Duration
}

const (
	linesPerSecond = 20
	sampled        = 1000 // one in so many of the refusals that are not a key's first
)

// note takes notice of a refusal. Durations are logged in seconds.
func (r *refusals) note(ctx context.Context, limiter *limiter, key *Key, d *Decision, now time.Duration) {
	hash := r.seed.whole(key, r.seed.block(key)) + uint64(limiter.index)
	r.mu.Lock()
	recent := &r.recent[hash%uint64(len(r.recent))]
	first := recent.hash != hash || now >= recent.until
	if first {
		*recent = recentRefusal{hash, now + limiter.limit.Window}
	}
	r.calls++
	write := first || r.calls%sampled == 0
	if second := int64(now / time.Second); second != r.second {
		r.second, r.lines = second, 0
	}
	if write && r.lines >= linesPerSecond {
		write = false
		r.omitted++
	}
	if !write {
		r.mu.Unlock()
		return
	}
	r.lines++
	omitted := r.omitted
	r.omitted = 0
	r.mu.Unlock()

	r.logger.WarnContext(ctx, "refused by a limiter", "limiter", string(limiter.limit.Name), "key", r.keyedHash(limiter, key), "limit", d.Limit,
		"window", limiter.limit.Window.Seconds(), "retryAfter", d.RetryAfter.Seconds(), "reason", d.Reason.String(), "store", d.Place.String(),
		"shadow", d.Shadow, "first", first, "omitted", omitted)
}

func (r *refusals) keyedHash(limiter *limiter, key *Key) string {
	mac := hmac.New(sha256.New, r.secret)
	mac.Write([]byte(limiter.limit.Name))
	var b [18]byte
	binary.BigEndian.PutUint64(b[:], key.a)
	binary.BigEndian.PutUint64(b[8:], key.b)
	b[16], b[17] = byte(key.kind), byte(key.variant)
	mac.Write(b[:])
	return hex.EncodeToString(mac.Sum(nil)[:8])
}
