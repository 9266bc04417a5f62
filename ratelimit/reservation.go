package ratelimit

import "context"

// Reservation is the charges of one admitted request.
type Reservation struct {
	limiters *Limiters
	charges  [maxTogether]reserved
	n        int
}

// reserved is one charge: in memory, unless its moment in the store is known.
type reserved struct {
	limiter  *limiter
	key      Key
	inMemory stamp
	inStore  int64
}

func (r *Reservation) add(c reserved) {
	r.charges[r.n] = c
	r.n++
}

// Refund gives back the reservation's own charge on one of its limits, and no other's. Giving back twice, or what has
// left the window, does nothing. If the store does not answer the charge stays, until it leaves the window.
func (r *Reservation) Refund(ctx context.Context, limit Limit) {
	for i := range r.n {
		c := &r.charges[i]
		switch {
		case c.limiter == nil || c.limiter.limit.Name != limit.Name:
			continue
		case c.inStore == 0:
			c.limiter.memory.refund(&c.key, c.inMemory)
		default:
			r.limiters.refundInStore(ctx, c)
		}
		c.limiter = nil
	}
}

func (l *Limiters) refundInStore(ctx context.Context, c *reserved) {
	within, cancel := l.bounded(ctx)
	defer cancel()
	for _, key := range c.limiter.storeKeys(&c.key) {
		if !l.breaker.pass(l.clock()) {
			return
		}
		l.breaker.report(l.store.Refund(within, key, c.inStore), l.clock())
	}
}
