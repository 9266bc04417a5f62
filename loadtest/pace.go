package loadtest

import (
	"math"
	"math/rand/v2"
	"slices"
	"sync"
	"time"
)

// dice is chance that a seed repeats. It may be shared by goroutines.
type dice struct {
	mu sync.Mutex
	r  *rand.Rand
}

func newDice(seed, stream uint64) *dice { return &dice{r: rand.New(rand.NewPCG(seed, stream))} }

// upTo returns a duration in [0, most).
func (d *dice) upTo(most time.Duration) time.Duration { return time.Duration(d.unit() * float64(most)) }

func (d *dice) unit() float64 {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.r.Float64()
}

func (d *dice) normal() float64 {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.r.NormFloat64()
}

func (d *dice) below(n int) int {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.r.IntN(n)
}

// arrivals returns when each of n phones scans, in order.
func (d *dice) arrivals(n int, within time.Duration) []time.Duration {
	at := make([]time.Duration, n)
	for i := range at {
		at[i] = d.upTo(within)
	}
	slices.Sort(at)
	return at
}

// chosen marks a share of n, rounded, at random.
func (d *dice) chosen(n int, share float64) []bool {
	marked := make([]bool, n)
	for i := range int(math.Round(share * float64(n))) {
		marked[i] = true
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	d.r.Shuffle(n, func(i, j int) { marked[i], marked[j] = marked[j], marked[i] })
	return marked
}

const (
	lastSecondShare = 0.1                    // of the answers: some tables argue until the end
	leastThought    = 600 * time.Millisecond // to read and to tap
	safeMargin      = 50 * time.Millisecond  // nobody taps after the countdown has ended
)

// thought is how long a person takes to answer with so much time remaining: log-normal, most by a third of the time,
// with a long tail that the countdown cuts short; and a share in the last second.
func (d *dice) thought(remaining time.Duration) time.Duration {
	latest := max(0, remaining-safeMargin)
	if d.unit() < lastSecondShare {
		return max(0, latest-d.upTo(time.Second-safeMargin))
	}
	t := time.Duration(float64(remaining) * 0.3 * math.Exp(0.5*d.normal()))
	return min(max(t, leastThought), latest)
}

// The waits of the phone's page, see web/app/lib/schedule.ts.
const (
	longestBackoff = 30 * time.Second
	longestObeyed  = 15 * time.Minute // a longer Retry-After is taken for a mistake
	refusalJitter  = 5 * time.Second
)

// backoff is the wait before the n-th retry, counted from 0: full jitter, so that a room does not come back as one.
func (d *dice) backoff(n int) time.Duration {
	return d.upTo(min(longestBackoff, time.Second<<min(n, 10)))
}

// afterRefusal is the wait before the n-th retry, counted from 0, of what the server refused for retryAfter.
func (d *dice) afterRefusal(n int, retryAfter time.Duration) time.Duration {
	wait := min(max(retryAfter, time.Second), longestObeyed) + d.upTo(refusalJitter)
	if n > 0 {
		wait += d.backoff(n)
	}
	return wait
}
