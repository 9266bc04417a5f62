package ratelimit

import "context"

// maxTogether is how many checks one call may take together.
const maxTogether = 3

func (l *Limiters) decide(ctx context.Context, checks []Check, m mode, r *Reservation, d *Decision) error {
	if len(checks) == 1 {
		limiter, err := l.limiter(&checks[0])
		if err != nil {
			return err
		}
		if l.unlimited {
			limiter.admit(d)
			return nil
		}
		l.one(limiter, &checks[0], m, InMemory, r, d)
		return nil
	}
	var limiters [maxTogether]*limiter
	if len(checks) == 0 || len(checks) > maxTogether {
		return ErrNotTogether
	}
	for i := range checks {
		limiter, err := l.limiter(&checks[i])
		if err != nil {
			return err
		}
		if limiter.limit.Group == "" || i > 0 && (limiter.limit.Group != limiters[0].limit.Group || limiter.index <= limiters[i-1].index) {
			return ErrNotTogether
		}
		limiters[i] = limiter
	}
	if l.unlimited {
		limiters[0].admit(d)
		return nil
	}
	l.together(limiters[:len(checks)], checks, m, InMemory, r, d)
	return nil
}

// admit admits without counting.
func (l *limiter) admit(d *Decision) {
	*d = Decision{Allowed: true, Name: l.limit.Name, Limit: l.limit.Budget, Remaining: l.limit.Budget}
}

// one decides about one check in memory.
func (l *Limiters) one(limiter *limiter, check *Check, m mode, place Place, r *Reservation, d *Decision) {
	memory, key, budget := limiter.memory, &check.key, limiter.budget(check)
	s, block := memory.lock(key)
	at, done := memory.decideHeld(s, block, key, budget, m, place, d)
	if !done {
		var t trial
		t.begin(memory, s, block, key, budget, m == take)
		at = t.end(key, m, place, d)
	}
	s.mu.Unlock()
	if r != nil && d.Reason == Admitted {
		r.add(limiter, check.key, at)
	}
}

// together decides about several checks in memory. Their shards stay locked until all have been looked at; as limits come in the order
// of the table, two calls never wait for each other.
func (l *Limiters) together(limiters []*limiter, checks []Check, m mode, place Place, r *Reservation, d *Decision) {
	var trials [maxTogether]trial
	begun, refused := 0, -1
	for i, limiter := range limiters {
		t := &trials[i]
		s, block := limiter.memory.lock(&checks[i].key)
		t.begin(limiter.memory, s, block, &checks[i].key, limiter.budget(&checks[i]), m == take)
		begun++
		if _, reason := t.tightest(); reason != Admitted && !limiter.limit.Shadow {
			refused = i
			break
		}
	}
	for i := range begun {
		mode := m
		if m == take && refused >= 0 && refused != i {
			mode = yield
		}
		var one Decision
		at := trials[i].end(&checks[i].key, mode, place, &one)
		trials[i].shard.mu.Unlock()
		if r != nil && mode == take && one.Reason == Admitted {
			r.add(limiters[i], checks[i].key, at)
		}
		if i == 0 {
			*d = one
		}
		*d = d.Tighter(one)
	}
}

func (l *limiter) budget(check *Check) int { return max(l.limit.Budget, check.atLeast) }
