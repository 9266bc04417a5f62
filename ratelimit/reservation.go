package ratelimit

import "context"

// Reservation is the charges of one admitted request.
type Reservation struct {
	limiters *Limiters
	charges  [maxTogether]reserved
	n        int
}

type reserved struct {
	limiter *limiter
	key     Key
	at      stamp
}

func (r *Reservation) add(limiter *limiter, key Key, at stamp) {
	r.charges[r.n] = reserved{limiter, key, at}
	r.n++
}

// Refund gives back the reservation's own charge on one of its limits, and no other's. Giving back twice, or what has
// left the window, does nothing.
func (r *Reservation) Refund(ctx context.Context, limit Limit) {
	for i := range r.n {
		c := &r.charges[i]
		if c.limiter != nil && c.limiter.limit.Name == limit.Name {
			c.limiter.memory.refund(&c.key, c.at)
			c.limiter = nil
		}
	}
}
