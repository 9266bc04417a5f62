package ratelimit

import (
	"cmp"
	"slices"
)

// Stats is what one limiter has done and holds.
type Stats struct {
	Limit   Limit
	Keys    int // held now, among them some whose window is over but whose place nobody has needed yet
	MaxKeys int
	Evicted uint64 // keys that left the window and made room for others
	// Overflowed is how many requests came from keys for which there was no room.
	Overflowed uint64
	Decisions  []Decisions // those that occurred
}

// Decisions is how many decisions were made in one place for one reason. In shadow mode all of them admitted.
type Decisions struct {
	Place  Place
	Reason Reason
	Count  uint64
}

// Busy is a key with many requests lately.
type Busy struct {
	Key Key
	// Calls is how many requests it made in this window and the one before, admitted or not, and Over by how much that may be
	// too many. When there are many requests, both are estimated from one in eight of them.
	Calls, Over int
	// Used is what it had used of its budget, Limit, when it was last decided about.
	Used, Limit int
}

// Stats is what each limiter has done since it was made, in the order of the table.
func (l *Limiters) Stats() []Stats {
	all := make([]Stats, len(l.all))
	for i, limiter := range l.all {
		all[i] = limiter.memory.stats()
	}
	return all
}

func (m *memory) stats() Stats {
	stats := Stats{Limit: m.limit, MaxKeys: int(m.maxKeys)}
	var counts [places][reasons]uint64
	for i := range m.shards {
		s := &m.shards[i]
		s.mu.Lock()
		stats.Keys += s.held
		stats.Evicted += s.evicted
		stats.Overflowed += s.overflowed
		for place := range counts {
			for reason := range counts[place] {
				counts[place][reason] += s.counts[place][reason]
			}
		}
		s.mu.Unlock()
	}
	for place := range counts {
		for reason, n := range counts[place] {
			if n > 0 {
				stats.Decisions = append(stats.Decisions, Decisions{Place(place), Reason(reason), n})
			}
		}
	}
	return stats
}

// Busiest is the n keys that asked a limiter most, in this window and the one before; none if there is no such limiter. Every
// key with more than an eighth of the requests of its thirty-second part of the keys is found.
func (l *Limiters) Busiest(name Name, n int) []Busy {
	limiter := *l.byName.slot(name)
	if limiter == nil {
		return nil
	}
	var all []Busy
	m := limiter.memory
	for i := range m.shards {
		s := &m.shards[i]
		s.mu.Lock()
		s.tick(int64(m.clock()), m.window)
		all = s.busiest.appendTo(all)
		s.mu.Unlock()
	}
	slices.SortFunc(all, func(a, b Busy) int { return cmp.Compare(b.Calls, a.Calls) })
	return all[:min(n, len(all))]
}
