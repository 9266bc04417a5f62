package ratelimit

import (
	"context"
	"strconv"
	"time"
)

// Store counts for several instances together, so that they share one budget.
type Store interface {
	// Take looks at the charges in order, until one that is not Shadow has no room. If there is none such, it charges all
	// that have room; unless it is a peek. It returns one count for each charge it looked at, and the moment of the charges on the
	// store's own clock, as Refund takes it.
	Take(ctx context.Context, charges []Charge, peek bool) (counts []Count, at int64, err error)
	// Refund takes back one charge of that moment, if it is still in the window.
	Refund(ctx context.Context, key string, at int64) error
	// Forget forgets all charges of a key.
	Forget(ctx context.Context, key string) error
}

// Charge is one request on one budget.
type Charge struct {
	// Key names the limit and whom it is charged to. The part in braces is common to all charges of one call, as a cluster of
	// servers needs it.
	Key    string
	Budget int
	Window time.Duration
	// Shadow charges do not stand in the way of others.
	Shadow bool
}

// Count is what was found of a charge.
type Count struct {
	Used  int           // in the window, the charge included if it was made
	Reset time.Duration // until the oldest of them leaves the window
	Wait  time.Duration // until there is room; zero if there was
}

// bounded is a context for one call of the store. It outlives the request, as a client that goes away says nothing about the store.
func (l *Limiters) bounded(ctx context.Context) (context.Context, context.CancelFunc) {
	return context.WithTimeout(context.WithoutCancel(ctx), l.timeout)
}

// charges adds what a check charges.
func (l *limiter) charges(charges []Charge, check *Check) []Charge {
	budget := l.budget(check)
	for _, key := range l.storeKeys(&check.key) {
		charges = append(charges, Charge{key, budget, l.limit.Window, l.limit.Shadow})
		budget *= BlockFactor
	}
	return charges
}

// storeKeys is how the store knows a key under a limit and, if it has one, the key's block.
func (l *limiter) storeKeys(key *Key) []string {
	keys := []string{l.storeKey(key)}
	if key.hasBlock() {
		block := key.blockKey()
		keys = append(keys, l.storeKey(&block))
	}
	return keys
}

func (l *limiter) storeKey(key *Key) string {
	b := make([]byte, 0, 64)
	b = append(append(b, l.limit.Name...), ":{"...)
	b = append(append(b, l.limit.Group...), '.')
	if l.limit.Group == "" {
		b = append(strconv.AppendUint(b, key.a, 36), "}:"...)
	} else {
		b = strconv.AppendUint(append(b, "}:"...), key.a, 36)
	}
	b = append(strconv.AppendUint(append(b, '.'), key.b, 36), '.', '0'+byte(key.variant))
	if key.block {
		b = append(b, '*')
	}
	return string(b)
}

// shared says whether all of the limits are counted in the store.
func (l *Limiters) shared(limiters []*limiter) bool {
	for _, limiter := range limiters {
		if limiter.limit.PerInstance {
			return false
		}
	}
	return true
}

// inStore decides about checks in the store. It is not done if the store does not answer.
func (l *Limiters) inStore(ctx context.Context, limiters []*limiter, checks []Check, m mode, r *Reservation, d *Decision) (done bool) {
	if !l.breaker.pass(l.clock()) {
		return false
	}
	var charges []Charge
	for i := range checks {
		charges = limiters[i].charges(charges, &checks[i])
	}
	within, cancel := l.bounded(ctx)
	counts, at, err := l.store.Take(within, charges, m == peek)
	cancel()
	l.breaker.report(err, l.clock())
	if err != nil {
		return false
	}
	var (
		decisions [maxTogether]Decision
		looked    int
	)
	for i := range checks {
		n := 1
		if checks[i].key.hasBlock() {
			n = 2
		}
		n = min(n, len(counts))
		if n == 0 {
			break
		}
		limiters[i].tightest(charges, counts[:n], &decisions[i])
		if i == 0 {
			*d = decisions[0]
		}
		*d = d.Tighter(decisions[i])
		charges, counts = charges[n:], counts[n:]
		looked++
	}
	if m == peek {
		return true
	}
	for i := range looked {
		// Of several, one that admitted was not charged if another refused.
		one := &decisions[i]
		if one.Allowed == d.Allowed {
			limiters[i].memory.note(&checks[i].key, one)
		}
		if r != nil && d.Allowed && one.Reason == Admitted {
			r.add(reserved{limiter: limiters[i], key: checks[i].key, inStore: at})
		}
	}
	return true
}

// tightest is what the counts of one check mean.
func (l *limiter) tightest(charges []Charge, counts []Count, d *Decision) {
	for i, count := range counts {
		budget := charges[i].Budget
		one := Decision{
			Allowed: true, Name: l.limit.Name, Limit: budget, Remaining: max(0, budget-count.Used), Reset: count.Reset, Place: InStore,
		}
		if count.Wait > 0 {
			one.Allowed, one.Shadow, one.RetryAfter, one.Reason = l.limit.Shadow, l.limit.Shadow, count.Wait, OverBudget
			if i > 0 {
				one.Reason = BlockOverBudget
			}
		}
		if i == 0 {
			*d = one
		}
		*d = d.Tighter(one)
	}
}

// whileDown decides about checks that the store did not: it refuses if one of the limits is Closed, and says whether it did.
func (l *Limiters) whileDown(limiters []*limiter, checks []Check, m mode, d *Decision) (refused bool) {
	for i, limiter := range limiters {
		if limiter.limit.StoreDown != Closed {
			continue
		}
		*d = Decision{
			Unavailable: true, Name: limiter.limit.Name, Limit: limiter.budget(&checks[i]), RetryAfter: breakerPause, Reason: StoreDown, Place: InFallback,
		}
		if m == take {
			limiter.memory.note(&checks[i].key, d)
		}
		return true
	}
	return false
}

// note counts a decision that was made elsewhere.
func (m *memory) note(key *Key, d *Decision) {
	s, block := m.lock(key)
	s.busiest.note(key, m.seed.whole(key, block), d)
	s.counts[d.Place][d.Reason]++
	s.mu.Unlock()
}
