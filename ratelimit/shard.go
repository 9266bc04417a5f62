package ratelimit

import "sync"

// entry is one key that is held, with its exact log.
type entry struct {
	key  Key
	last int64 // milliseconds of the last admission
	// Indexes of other entries: the neighbours in order of last admission, and the next one in the same bucket.
	older, newer, chain uint32
	log                 log
}

// shard holds the keys of one part of the hash space. All its methods want mu held.
type shard struct {
	mu      sync.Mutex
	now     int64    // nanoseconds; never steps back
	entries []entry  // entries[0] is the ends of the list: its newer is the oldest entry, its older the newest
	buckets []uint32 // a power of two of them; the first entry of each chain, 0 for none

	turnAt  int64 // milliseconds; when the next epoch of sketch and busiest begins
	counts  [places][reasons]uint64
	busiest busiest
	sketch  sketch

	free                uint32 // the first unused entry, chained
	held                int
	evicted, overflowed uint64
	_                   [64]byte // keeps two shards' locks out of one cache line
}

// turn begins the epoch in which now lies.
func (s *shard) turn(now, window int64) {
	next := now < s.turnAt+window
	s.sketch.turn(next)
	s.busiest.turn(next)
	s.turnAt = (now/window + 1) * window
}

// find is the entry of a key, 0 if it is not held.
func (s *shard) find(key *Key, hash uint64) uint32 {
	if len(s.buckets) == 0 {
		return 0
	}
	at := s.buckets[hash&uint64(len(s.buckets)-1)]
	for at != 0 && s.entries[at].key != *key {
		at = s.entries[at].chain
	}
	return at
}

// insert starts to hold a key, as the newest, to be charged at last.
func (s *shard) insert(key *Key, hash uint64, last int64, seed *seed) uint32 {
	if s.held+1 > len(s.buckets) {
		s.rehash(seed)
	}
	at := s.free
	if at != 0 {
		s.free = s.entries[at].chain
	} else {
		if len(s.entries) == 0 {
			s.entries = make([]entry, 1, 8)
		}
		at = uint32(len(s.entries))
		s.entries = append(s.entries, entry{})
	}
	bucket := &s.buckets[hash&uint64(len(s.buckets)-1)]
	e := &s.entries[at]
	e.key, e.last, e.chain = *key, last, *bucket
	*bucket = at
	s.held++
	s.link(at)
	return at
}

// drop ceases to hold an entry.
func (s *shard) drop(at uint32, hash uint64) {
	link := &s.buckets[hash&uint64(len(s.buckets)-1)]
	for *link != at {
		link = &s.entries[*link].chain
	}
	e := &s.entries[at]
	*link = e.chain
	s.unlink(at)
	*e = entry{chain: s.free}
	s.free = at
	s.held--
}

func (s *shard) rehash(seed *seed) {
	s.buckets = make([]uint32, max(8, 2*len(s.buckets)))
	for at := s.oldest(); at != 0; at = s.entries[at].newer {
		e := &s.entries[at]
		bucket := &s.buckets[seed.whole(&e.key, seed.block(&e.key))&uint64(len(s.buckets)-1)]
		e.chain, *bucket = *bucket, at
	}
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
