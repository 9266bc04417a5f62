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

const lateShare = 0.2 // of the phones, where they trickle in

// arrivals returns when each of a venue's phones scans, in order.
func (d *dice) arrivals(p Plan) []time.Duration {
	at := make([]time.Duration, p.Phones)
	late := d.chosen(p.Phones, lateShare)
	for i := range at {
		switch {
		case p.Arrival == AtOnce:
		case p.Arrival == Trickle && late[i]:
			at[i] = p.Arrive + d.upTo(time.Duration(p.Questions*p.Seconds)*time.Second/2) // surely before the end
		default:
			at[i] = d.upTo(p.Arrive)
		}
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

// fates decides what happens to which of a venue's phones.
func (d *dice) fates(p Plan) []fate {
	cut, stalled, slow := d.chosen(p.Phones, p.CutSocket), d.chosen(p.Phones, p.Stalled), d.chosen(p.Phones, p.Slow)
	fates := make([]fate, p.Phones)
	for i := range fates {
		fates[i] = fate{cut: cut[i], stalled: stalled[i], slow: slow[i]}
	}
	return fates
}

const (
	leastThought = 600 * time.Millisecond // to read and to tap
	safeMargin   = 50 * time.Millisecond  // nobody taps after the countdown has ended
)

// thought is how long a person takes to answer with so much time remaining: log-normal, most by a third of the time,
// with a long tail that the countdown cuts short; and a share in the last second, by tables that argue until the end.
func (d *dice) thought(remaining time.Duration, lastSecond float64) time.Duration {
	latest := max(0, remaining-safeMargin)
	if d.unit() < lastSecond {
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
