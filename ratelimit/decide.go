package ratelimit

import "context"

// maxTogether is how many checks one call may take together.
const maxTogether = 3

func (l *Limiters) decide(ctx context.Context, checks []Check, charge bool, r *Reservation) (Decision, error) {
	if len(checks) == 0 || len(checks) > maxTogether {
		return Decision{}, ErrNotTogether
	}
	var limiters [maxTogether]*limiter
	for i, check := range checks {
		limiter, err := l.limiter(check)
		if err != nil {
			return Decision{}, err
		}
		if i > 0 && (limiter.limit.Group == "" || limiter.limit.Group != limiters[0].limit.Group || limiter.index <= limiters[i-1].index) {
			return Decision{}, ErrNotTogether
		}
		limiters[i] = limiter
	}
	if l.unlimited {
		limit := limiters[0].limit
		return Decision{Allowed: true, Name: limit.Name, Limit: limit.Budget, Remaining: limit.Budget}, nil
	}
	m := peek
	if charge {
		m = take
	}
	if len(checks) == 1 {
		return l.one(limiters[0], checks[0], m, InMemory, r), nil
	}
	return l.together(limiters[:len(checks)], checks, m, InMemory, r), nil
}

// one decides about one check in memory.
func (l *Limiters) one(limiter *limiter, check Check, m mode, place Place, r *Reservation) Decision {
	var t trial
	t.begin(limiter.memory, check.key, limiter.budget(check), m == take)
	d, at := t.end(m, place)
	if r != nil && d.Reason == Admitted {
		r.add(limiter, check.key, at)
	}
	return d
}

// together decides about several checks in memory. Their shards stay locked until all have been looked at; as limits come in the order
// of the table, two calls never wait for each other.
func (l *Limiters) together(limiters []*limiter, checks []Check, m mode, place Place, r *Reservation) Decision {
	var trials [maxTogether]trial
	begun, refused := 0, -1
	for i, limiter := range limiters {
		t := &trials[i]
		t.begin(limiter.memory, checks[i].key, limiter.budget(checks[i]), m == take)
		begun++
		if _, reason := t.tightest(); reason != Admitted && !limiter.limit.Shadow {
			refused = i
			break
		}
	}
	var tightest Decision
	for i := range begun {
		mode := m
		if m == take && refused >= 0 && refused != i {
			mode = yield
		}
		d, at := trials[i].end(mode, place)
		if i == 0 {
			tightest = d
		}
		tightest = tightest.Tighter(d)
		if r != nil && mode == take && d.Reason == Admitted {
			r.add(limiters[i], checks[i].key, at)
		}
	}
	return tightest
}

func (l *limiter) budget(check Check) int { return max(l.limit.Budget, check.atLeast) }
