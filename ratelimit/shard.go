package ratelimit

import (
	"sync"
	"time"
)

// shard holds the keys of one part of the hash space. All its methods want mu held.
type shard struct {
	mu      sync.Mutex
	now     int64   // nanoseconds; never steps back
	entries []entry // entries[0] is the ends of the list: its newer is the oldest entry, its older the newest
	slots   []slot  // where the entries are, by hash: open addressing, a power of two, at most three quarters full

	ms, rest int64 // now in milliseconds, rounded down, and the nanoseconds beyond them
	turnAt   int64 // milliseconds; when the next epoch of sketch and busiest begins
	counts   [places][reasons]uint64
	busiest  busiest
	sketch   sketch

	free                uint32 // the first unused entry; its newer is the next one
	held                int
	evicted, overflowed uint64
	_                   [64]byte // keeps two shards' locks out of one cache line
}

// entry is one key that is held, with its exact log.
type entry struct {
	key          Key
	last         int64  // milliseconds of the last admission
	older, newer uint32 // the neighbours in order of last admission, as indexes
	log          log
}

// slot is an entry's index, 0 for none, beside a part of its key's hash, so that few entries of other keys are ever looked at.
type slot struct{ hash, entry uint32 }

// tick moves the clock to a time in nanoseconds, unless it is there already.
func (s *shard) tick(now, window int64) {
	if now <= s.now {
		return
	}
	s.now = now
	s.ms = now / 1e6
	s.rest = now - s.ms*1e6
	if s.ms >= s.turnAt {
		next := s.ms < s.turnAt+window
		s.sketch.turn(next)
		s.busiest.turn(next)
		s.turnAt = (s.ms/window + 1) * window
	}
}

// stampTime is the millisecond of an admission now. It is rounded up, while the time of a check is rounded down, so that no window is
// a millisecond short.
func (s *shard) stampTime() int64 {
	if s.rest > 0 {
		return s.ms + 1
	}
	return s.ms
}

// after is a moment given in milliseconds from ms, as a wait from now.
func (s *shard) after(milliseconds int64) time.Duration {
	return max(0, time.Duration(milliseconds*1e6-s.rest))
}

// find is the entry of a key, 0 if it is not held.
func (s *shard) find(key *Key, hash uint64) uint32 {
	if len(s.slots) == 0 {
		return 0
	}
	for at := uint32(hash); ; at++ {
		slot := s.slots[at&uint32(len(s.slots)-1)]
		if slot.entry == 0 || slot.hash == uint32(hash) && s.entries[slot.entry].key == *key {
			return slot.entry
		}
	}
}

// insert starts to hold a key, as the newest, to be charged at last.
func (s *shard) insert(key *Key, hash uint64, last int64) uint32 {
	if 4*(s.held+1) > 3*len(s.slots) {
		s.grow()
	}
	at := s.free
	if at != 0 {
		s.free = s.entries[at].newer
	} else {
		at = uint32(len(s.entries))
		s.entries = append(s.entries, entry{})
	}
	e := &s.entries[at]
	e.key, e.last = *key, last
	s.place(slot{uint32(hash), at})
	s.held++
	s.link(at)
	return at
}

func (s *shard) place(new slot) {
	at := new.hash
	for s.slots[at&uint32(len(s.slots)-1)].entry != 0 {
		at++
	}
	s.slots[at&uint32(len(s.slots)-1)] = new
}

func (s *shard) grow() {
	old := s.slots
	if len(old) == 0 {
		s.entries = make([]entry, 1, 8)
	}
	s.slots = make([]slot, max(8, 2*len(old)))
	for _, slot := range old {
		if slot.entry != 0 {
			s.place(slot)
		}
	}
}

// drop ceases to hold an entry.
func (s *shard) drop(entryAt uint32, hash uint64) {
	mask := uint32(len(s.slots) - 1)
	gap := uint32(hash) & mask
	for s.slots[gap].entry != entryAt {
		gap = (gap + 1) & mask
	}
	// Those behind the gap move up, unless that would bring them before the place where they are looked for first.
	for at := (gap + 1) & mask; s.slots[at].entry != 0; at = (at + 1) & mask {
		if (at-s.slots[at].hash)&mask >= (at-gap)&mask {
			s.slots[gap] = s.slots[at]
			gap = at
		}
	}
	s.slots[gap] = slot{}
	s.unlink(entryAt)
	s.entries[entryAt] = entry{newer: s.free}
	s.free = entryAt
	s.held--
}

// oldest is the entry whose last admission is longest ago, 0 if none is held. Entries are in the order of their last
// admission, so that it is the next to leave the window and eviction need not search.
func (s *shard) oldest() uint32 {
	if s.held == 0 {
		return 0
	}
	return s.entries[0].newer
}

// touch makes an entry the newest.
func (s *shard) touch(at uint32) {
	if s.entries[0].older != at {
		s.unlink(at)
		s.link(at)
	}
}

func (s *shard) link(at uint32) {
	ends, e := &s.entries[0], &s.entries[at]
	e.older, e.newer = ends.older, 0
	s.entries[ends.older].newer = at
	ends.older = at
}

func (s *shard) unlink(at uint32) {
	e := &s.entries[at]
	s.entries[e.older].newer = e.newer
	s.entries[e.newer].older = e.older
}
