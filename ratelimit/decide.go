package ratelimit

import "context"

// maxTogether is how many checks one call may take together.
const maxTogether = 3

func (l *Limiters) decide(ctx context.Context, checks []Check, m mode, r *Reservation, d *Decision) error {
	var limiters [maxTogether]*limiter
	if err := l.find(checks, &limiters); err != nil {
		return err
	}
	if l.unlimited {
		limit := &limiters[0].limit
		*d = Decision{Allowed: true, Name: limit.Name, Limit: limit.Budget, Remaining: limit.Budget}
		return nil
	}
	if l.store == nil || !l.shared(limiters[:len(checks)]) {
		l.inMemory(limiters[:len(checks)], checks, m, InMemory, r, d)
	} else if !l.inStore(ctx, limiters[:len(checks)], checks, m, r, d) && !l.whileDown(limiters[:len(checks)], checks, m, d) {
		l.inMemory(limiters[:len(checks)], checks, m, InFallback, r, d)
	}
	if d.Reason != Admitted && m == take && l.refusals != nil {
		for i, limiter := range limiters[:len(checks)] {
			if limiter.limit.Name == d.Name && !limiter.limit.Share {
				l.refusals.note(ctx, limiter, &checks[i].key, d, l.clock())
			}
		}
	}
	return nil
}

// find finds the limiter of each check.
func (l *Limiters) find(checks []Check, limiters *[maxTogether]*limiter) error {
	if len(checks) == 0 || len(checks) > maxTogether {
		return ErrNotTogether
	}
	for i := range checks {
		limiter, err := l.limiter(&checks[i])
		if err != nil {
			return err
		}
		if i > 0 && (limiter.limit.Group == "" || limiter.limit.Group != limiters[0].limit.Group || limiter.index <= limiters[i-1].index) {
			return ErrNotTogether
		}
		limiters[i] = limiter
	}
	return nil
}

// inMemory decides in this process.
func (l *Limiters) inMemory(limiters []*limiter, checks []Check, m mode, place Place, r *Reservation, d *Decision) {
	if len(checks) == 1 {
		l.one(limiters[0], &checks[0], m, place, r, d)
		return
	}
	l.together(limiters, checks, m, place, r, d)
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
	if !done {
		l.tellFull(memory)
	}
	if r != nil && d.Reason == Admitted {
		r.add(reserved{limiter: limiter, key: check.key, inMemory: at})
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
		l.tellFull(limiters[i].memory)
		if r != nil && mode == take && one.Reason == Admitted {
			r.add(reserved{limiter: limiters[i], key: checks[i].key, inMemory: at})
		}
		if i == 0 {
			*d = one
		}
		*d = d.Tighter(one)
	}
}

// tellFull logs that a limiter's table has filled up, at most once a window.
func (l *Limiters) tellFull(m *memory) {
	if m.full.Load() && m.full.CompareAndSwap(true, false) {
		l.logger.Warn("a limiter's table of keys is full; newcomers are counted together or refused",
			"limiter", string(m.limit.Name), "keys", m.maxKeys, "newcomers", m.limit.Overflow.String())
	}
}

func (l *limiter) budget(check *Check) int { return max(l.limit.Budget, check.atLeast) }
