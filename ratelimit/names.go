package ratelimit

// names finds limiters by name: a hash table, at most a quarter full. A map would take longer than all the rest of a decision but
// the clock and the lock.
type names []*limiter

func newNames(n int) names {
	size := 4
	for size < 4*n {
		size *= 2
	}
	return make(names, size)
}

// slot is where the limiter of that name is, or would be.
func (n names) slot(name Name) **limiter {
	at := uint(len(name))
	if at > 0 {
		at += 7*uint(name[0]) + 13*uint(name[len(name)-1])
	}
	for ; ; at++ {
		slot := &n[at&uint(len(n)-1)]
		if *slot == nil || (*slot).limit.Name == name {
			return slot
		}
	}
}
