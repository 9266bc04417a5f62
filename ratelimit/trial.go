package ratelimit

import (
	"math"
	"time"
)

// trial is one check under way: what counts its key, and perhaps the key's block, in a shard whose lock is held.
type trial struct {
	memory *memory
	shard  *shard
	now    int64 // nanoseconds
	counts [2]count
	n      int
}

// count is how much of a budget a key has used, and where that is counted.
type count struct {
	key    Key
	hash   uint64
	entry  uint32 // 0: in the sketch, or nowhere
	sketch bool
	fresh  bool // the entry was made for this trial
	full   bool // there is no place to count the key
	budget int
	used   int
}

// begin locks the shard of the key and reads what is used. To charge the key, it must be given a place.
func (t *trial) begin(m *memory, key Key, budget int, place bool) {
	block := m.seed.block(key)
	s := m.shardOf(block)
	s.mu.Lock()
	// Under the lock, so that stamps are in order.
	s.now = max(s.now, int64(m.clock()))
	t.memory, t.shard, t.now, t.n = m, s, s.now, 1
	now := s.now / 1e6
	s.sketch.turn(now, m.window)

	t.counts[0] = m.count(s, key, block, budget, now, place)
	if key.hasBlock() && !t.counts[0].key.block {
		t.counts[1] = m.count(s, key.blockKey(), block, BlockFactor*budget, now, place)
		t.n = 2
	}
}

// count finds where a key is counted and how much it has used.
func (m *memory) count(s *shard, key Key, block uint64, budget int, now int64, place bool) count {
	c := count{key: key, hash: m.seed.whole(key, block), budget: budget}
	if c.entry = m.live(s, key, c.hash, now); c.entry == 0 {
		m.newcomer(s, &c, block, now, place)
	}
	switch {
	case c.entry != 0:
		l := &s.entries[c.entry].log
		l.forget(now, m.window)
		c.used = int(l.length)
	case c.sketch:
		current, previous := s.sketch.count(c.hash)
		c.used = current + previous
		c.budget = min(c.budget, math.MaxUint16)
	}
	return c
}

// newcomer finds a place for a key that is not held. As long as something is counted for it in the sketch it stays there: an
// exact log begun now would know nothing of that.
func (m *memory) newcomer(s *shard, c *count, block uint64, now int64, place bool) {
	overflow := *c
	if m.limit.Overflow == CountBlock && !c.key.block {
		overflow.key, overflow.budget = c.key.blockKey(), BlockFactor*c.budget
		overflow.hash = m.seed.whole(overflow.key, block)
	}
	if current, previous := s.sketch.count(overflow.hash); current+previous == 0 {
		if !place {
			c.full = m.limit.Overflow == Refuse && m.held.Load() >= m.maxKeys && now < m.sweepAt.Load()
			return
		}
		if m.room(s, now) {
			c.entry, c.fresh = s.insert(c.key, c.hash, &m.seed), true
			s.entries[c.entry].last = now + 1
			return
		}
	}
	if place {
		s.overflowed++
	}
	if m.limit.Overflow == Refuse {
		c.full = true
		return
	}
	overflow.entry = m.live(s, overflow.key, overflow.hash, now)
	overflow.sketch = overflow.entry == 0
	*c = overflow
}

// tightest is the count that refuses or, if none does, the one with the least left.
func (t *trial) tightest() (*count, Reason) {
	tightest := &t.counts[0]
	for i := range t.n {
		c := &t.counts[i]
		switch {
		case c.full:
			return c, TableFull
		case c.used >= c.budget && c.key.block:
			return c, BlockOverBudget
		case c.used >= c.budget:
			return c, OverBudget
		case c.budget-c.used < tightest.budget-tightest.used:
			tightest = c
		}
	}
	return tightest, Admitted
}

// charge records the admission and says when it was.
func (t *trial) charge() stamp {
	// Rounded up, while the time of a check is rounded down, so that no window has a millisecond too few.
	now := (t.now + 1e6 - 1) / 1e6
	for i := range t.n {
		c := &t.counts[i]
		c.used++
		if c.sketch {
			t.shard.sketch.add(c.hash, t.now/1e6, t.memory.window)
			continue
		}
		e := &t.shard.entries[c.entry]
		e.log.add(stamp(now), c.budget)
		e.last = now
		t.shard.touch(c.entry)
	}
	return stamp(now)
}

// abandon gives back the places that were made for keys that are not charged.
func (t *trial) abandon() {
	for i := range t.n {
		if c := &t.counts[i]; c.fresh {
			t.memory.drop(t.shard, c.entry)
			c.entry = 0
		}
	}
}

// mode is what becomes of a trial.
type mode uint8

const (
	peek  mode = iota // nothing is recorded
	yield             // another check refused: nothing is charged
	take              // charged, if the check admits
)

// end does what the mode says, unlocks the shard and tells the decision, and when the charge was made.
func (t *trial) end(m mode, place Place) (Decision, stamp) {
	var at stamp
	key, hash := t.counts[0].key, t.counts[0].hash
	c, reason := t.tightest()
	if m == take && reason == Admitted {
		at = t.charge()
	} else {
		t.abandon()
	}
	d := t.decision(c, reason)
	d.Place = place
	if m == take {
		t.shard.busiest.turn(t.now/1e6, t.memory.window)
		t.shard.busiest.note(key, hash, &d)
		t.shard.counts[place][reason]++
	}
	t.shard.mu.Unlock()
	return d, at
}

// decision says what the counts mean, after charge or abandon.
func (t *trial) decision(c *count, reason Reason) Decision {
	limit := &t.memory.limit
	d := Decision{
		Allowed: reason == Admitted || limit.Shadow, Shadow: reason != Admitted && limit.Shadow,
		Name: limit.Name, Limit: c.budget, Remaining: max(0, c.budget-c.used), Reason: reason,
	}
	reset, _ := t.waits(c)
	d.Reset = t.after(reset)
	if reason != Admitted {
		var longest int64
		for i := range t.n {
			_, retry := t.waits(&t.counts[i])
			longest = max(longest, retry)
		}
		d.RetryAfter = t.after(longest)
	}
	return d
}

// waits are the times in milliseconds, from the start of this one, until the oldest of the counted requests leaves the window
// and until so many have left that one more is admitted; 0 for now.
func (t *trial) waits(c *count) (reset, retry int64) {
	now, window := t.now/1e6, t.memory.window
	switch {
	case c.full:
		retry = min(max(1, t.memory.sweepAt.Load()-now), window)
	case c.entry != 0 && c.used > 0:
		l := &t.shard.entries[c.entry].log
		reset = window - l.at(0).age(now)
		if c.used >= c.budget {
			retry = window - l.at(c.used-c.budget).age(now)
		}
	case c.sketch:
		current, _ := t.shard.sketch.count(c.hash)
		reset = window - now%window
		if c.used >= c.budget {
			retry = reset
		}
		if current >= c.budget {
			retry += window
		}
	}
	return reset, retry
}

// after is a moment given in milliseconds from the start of this one, as a wait from now.
func (t *trial) after(milliseconds int64) time.Duration {
	return max(0, time.Duration(milliseconds*1e6-t.now%1e6))
}
