package ratelimit

import (
	"math"
	"sync/atomic"
	"time"
)

// shards is how many parts the keys of a limiter are spread over, each with a lock of its own.
const shards = 32

// memory counts one limit in this process, exactly for each key it holds.
//
// The keys of one block of addresses are in one shard, so that an address and its block are charged under one lock.
type memory struct {
	limit   Limit
	window  int64 // milliseconds
	maxKeys int64
	seed    seed
	clock   func() time.Duration // monotonic, since the limiters were made
	held    atomic.Int64
	// sweepAt is when the oldest key of any shard leaves the window, in milliseconds, as far as known: before that a full
	// table need not be searched for room.
	sweepAt atomic.Int64
	full    atomic.Bool  // newcomers have found no room, and nobody has been told yet
	fullAt  atomic.Int64 // milliseconds; not to be told again for a window from then
	shards  [shards]shard
}

func newMemory(limit Limit, maxKeys int, clock func() time.Duration) *memory {
	m := &memory{limit: limit, window: limit.Window.Milliseconds(), maxKeys: int64(maxKeys), seed: newSeed(), clock: clock}
	size := 1
	for size*shards*2*32 < maxKeys*sketchBytesPerKey {
		size *= 2
	}
	for i := range m.shards {
		m.shards[i].sketch.size, m.shards[i].turnAt = size, m.window
	}
	return m
}

// shardOf is the shard of a key, by the hash of its block.
func (m *memory) shardOf(block uint64) *shard { return &m.shards[block>>59] }

// lock locks the shard of a key, brings its clock up to now, and returns the hash of the key's block too. The clock is read under
// the lock, so that stamps are in order.
func (m *memory) lock(key *Key) (s *shard, block uint64) {
	block = m.seed.block(key)
	s = m.shardOf(block)
	s.mu.Lock()
	s.tick(int64(m.clock()), m.window)
	return s, block
}

// room makes room for one more key, which the caller then inserts: what has left the window goes first, and nothing else does.
func (m *memory) room(s *shard) bool {
	m.evict(s, s.ms, 2)
	if m.held.Add(1) <= m.maxKeys {
		return true
	}
	if s.ms >= m.sweepAt.Load() {
		m.sweep(s, s.ms)
		if m.held.Load() <= m.maxKeys {
			return true
		}
	}
	m.held.Add(-1)
	return false
}

// overflow takes notice of a newcomer for which there is no room.
func (m *memory) overflow(s *shard) {
	s.overflowed++
	if last := m.fullAt.Load(); (last == 0 || s.ms-last >= m.window) && m.fullAt.CompareAndSwap(last, max(1, s.ms)) {
		m.full.Store(true)
	}
}

// sweep evicts a few keys of every shard. The caller holds the lock of its own.
func (m *memory) sweep(own *shard, now int64) {
	next := int64(math.MaxInt64)
	for i := range m.shards {
		s := &m.shards[i]
		if s != own && !s.mu.TryLock() {
			next = now + 1
			continue
		}
		m.evict(s, now, 8)
		if oldest := s.oldest(); oldest != 0 {
			next = min(next, s.entries[oldest].last+m.window)
		}
		if s != own {
			s.mu.Unlock()
		}
	}
	m.sweepAt.Store(next)
}

// evict ceases to hold at most n keys that have left the window.
func (m *memory) evict(s *shard, now int64, n int) {
	for range n {
		at := s.oldest()
		if at == 0 || now-s.entries[at].last < m.window {
			return
		}
		m.drop(s, at)
		s.evicted++
	}
}

func (m *memory) drop(s *shard, at uint32) {
	key := &s.entries[at].key
	s.drop(at, m.seed.whole(key, m.seed.block(key)))
	m.held.Add(-1)
}

// live is the entry of a key that has admissions in the window, 0 if there is none.
func (m *memory) live(s *shard, key *Key, hash uint64) uint32 {
	at := s.find(key, hash)
	if at != 0 && s.ms-s.entries[at].last >= m.window {
		m.drop(s, at)
		return 0
	}
	return at
}

// forget ceases to hold a key and its block, whatever they have used.
func (m *memory) forget(key *Key) {
	block := m.seed.block(key)
	s := m.shardOf(block)
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, key := range []Key{*key, key.blockKey()} {
		if at := s.find(&key, m.seed.whole(&key, block)); at != 0 {
			m.drop(s, at)
		}
	}
}

// refund takes back one admission of that moment, if it is still in the window. What was counted in a sketch stays counted, as
// its cells may count for others too.
func (m *memory) refund(key *Key, charged stamp) {
	block := m.seed.block(key)
	s := m.shardOf(block)
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, key := range []Key{*key, key.blockKey()} {
		if at := s.find(&key, m.seed.whole(&key, block)); at != 0 {
			s.entries[at].log.remove(charged)
		}
	}
}
