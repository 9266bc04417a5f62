package ratelimit

// stamp is a moment in milliseconds since the limiter was made, modulo 2³². Stamps are compared by their difference,
// which stays far below 2³¹: no log is read that is older than two windows, and a window is at most a day.
type stamp uint32

// age is how many milliseconds before now the stamp is; −1 for one of this very millisecond.
func (t stamp) age(now int64) int64 { return int64(int32(uint32(now) - uint32(t))) }

// inline is how many stamps a log holds without memory of its own: as many as make an entry two cache lines, of which a refusal
// reads the first.
const inline = 11

// log is the admissions of one key that are still in the window, oldest first: a ring that starts inside the entry and grows
// as needed up to the budget.
type log struct {
	length uint32
	first  uint32
	oldest stamp // the first one again, so that a refusal need not fetch the ring
	few    [inline]stamp
	ring   []stamp // empty while few is enough
}

func (l *log) stamps() []stamp {
	if l.ring != nil {
		return l.ring
	}
	return l.few[:]
}

// at is the i-th oldest stamp.
func (l *log) at(i int) stamp {
	if i == 0 {
		return l.oldest
	}
	ring := l.stamps()
	if i += int(l.first); i >= len(ring) {
		i -= len(ring)
	}
	return ring[i]
}

// forget drops what has left the window.
func (l *log) forget(now, window int64) {
	if l.length == 0 || l.oldest.age(now) < window {
		return
	}
	ring := l.stamps()
	for l.length > 0 && l.oldest.age(now) >= window {
		l.length--
		if l.first++; int(l.first) == len(ring) {
			l.first = 0
		}
		l.oldest = ring[l.first]
	}
}

// add appends the newest stamp.
func (l *log) add(t stamp, budget int) {
	ring := l.stamps()
	if int(l.length) == len(ring) {
		ring = l.grow(budget)
	}
	i := int(l.first + l.length)
	if i >= len(ring) {
		i -= len(ring)
	}
	ring[i] = t
	if l.length == 0 {
		l.oldest = t
	}
	l.length++
}

func (l *log) grow(budget int) []stamp {
	old := l.stamps()
	size := 2 * len(old)
	if size > budget && len(old) < budget {
		size = budget
	}
	ring := make([]stamp, size)
	n := copy(ring, old[l.first:])
	copy(ring[n:], old[:l.first])
	l.ring, l.first = ring, 0
	return ring
}

// remove takes one stamp of that moment out, the newest such, and says whether there was one.
func (l *log) remove(t stamp) bool {
	ring := l.stamps()
	for i := int(l.length) - 1; i >= 0; i-- {
		if l.at(i) != t {
			continue
		}
		for ; i < int(l.length)-1; i++ {
			ring[(int(l.first)+i)%len(ring)] = l.at(i + 1)
		}
		l.length--
		l.oldest = ring[l.first]
		return true
	}
	return false
}
