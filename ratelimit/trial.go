package ratelimit

import "math"

// trial is one check under way: what counts its key, and perhaps the key's block, in a shard whose lock is held.
type trial struct {
	memory *memory
	shard  *shard
	n      int // how many of counts are in use
	counts [2]count
}

// count is how much of a budget a key has used, and where that is counted.
type count struct {
	hash   uint64
	entry  uint32 // 0: in the sketch, or nowhere
	block  bool   // it is the key's block that is counted
	sketch bool
	fresh  bool // the entry was made for this trial
	full   bool // there is no place to count the key
	budget int
	used   int
	recent int // of used, those of this epoch, in the sketch
}

// mode is what becomes of a trial.
type mode uint8

const (
	peek  mode = iota // nothing is recorded
	yield             // another check refused: nothing is charged
	take              // charged, if the check admits
)

// begin reads what is used, in the locked shard of the key. To charge the key, it must be given a place.
func (t *trial) begin(m *memory, s *shard, block uint64, key *Key, budget int, place bool) {
	t.memory, t.shard, t.n = m, s, 1
	t.counts[0].budget = budget
	t.count(&t.counts[0], key, block, place)
	if key.hasBlock() && !t.counts[0].block {
		all := key.blockKey()
		t.counts[1].budget, t.counts[1].block = BlockFactor*budget, true
		t.count(&t.counts[1], &all, block, place)
		t.n = 2
	}
}

// count finds where a key is counted and how much it has used.
func (t *trial) count(c *count, key *Key, block uint64, place bool) {
	m, s := t.memory, t.shard
	c.hash = m.seed.whole(key, block)
	if c.entry = m.live(s, key, c.hash); c.entry == 0 {
		t.newcomer(c, key, block, place)
	}
	if c.entry != 0 {
		l := &s.entries[c.entry].log
		l.forget(s.ms, m.window)
		c.used = int(l.length)
	}
}

// newcomer finds a place for a key that is not held. As long as something is counted for it in the sketch it stays there: an
// exact log begun now would know nothing of that.
func (t *trial) newcomer(c *count, key *Key, block uint64, place bool) {
	m, s := t.memory, t.shard
	overflow, overflowKey := *c, *key
	if m.limit.Overflow == CountBlock && !c.block {
		overflowKey = key.blockKey()
		overflow.hash = m.seed.whole(&overflowKey, block)
		overflow.budget, overflow.block = BlockFactor*c.budget, true
	}
	current, previous := s.sketch.count(overflow.hash)
	if current+previous == 0 {
		if !place {
			c.full = m.limit.Overflow == Refuse && m.held.Load() >= m.maxKeys && s.ms < m.sweepAt.Load()
			return
		}
		if m.room(s) {
			c.entry, c.fresh = s.insert(key, c.hash, s.stampTime()), true
			return
		}
	}
	if place {
		m.overflow(s)
	}
	if m.limit.Overflow == Refuse {
		c.full = true
		return
	}
	overflow.entry = m.live(s, &overflowKey, overflow.hash)
	if overflow.entry == 0 {
		overflow.sketch, overflow.used, overflow.recent = true, current+previous, current
		overflow.budget = min(overflow.budget, math.MaxUint16)
	}
	*c = overflow
}

// tightest is the count that refuses or, if none does, the one with the least left.
func (t *trial) tightest() (*count, Reason) {
	tightest := &t.counts[0]
	for i := range t.counts[:t.n] {
		c := &t.counts[i]
		switch {
		case c.full:
			return c, TableFull
		case c.used >= c.budget && c.block:
			return c, BlockOverBudget
		case c.used >= c.budget:
			return c, OverBudget
		case c.budget-c.used < tightest.budget-tightest.used:
			tightest = c
		}
	}
	return tightest, Admitted
}

// end does what the mode says with the key that the trial began with, tells the decision, and returns when the charge was made.
func (t *trial) end(key *Key, m mode, place Place, d *Decision) stamp {
	var at stamp
	s := t.shard
	c, reason := t.tightest()
	if m == take && reason == Admitted {
		at = t.charge()
	} else {
		t.abandon()
	}
	t.decide(c, reason, d)
	d.Place = place
	if m == take {
		s.busiest.note(key, t.counts[0].hash, d)
		s.counts[place][reason]++
	}
	return at
}

// charge records the admission and returns when it was.
func (t *trial) charge() stamp {
	now := t.shard.stampTime()
	for i := range t.counts[:t.n] {
		c := &t.counts[i]
		c.used++
		if c.sketch {
			t.shard.sketch.add(c.hash, c.recent)
			c.recent++
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
	for i := range t.counts[:t.n] {
		if c := &t.counts[i]; c.fresh {
			t.memory.drop(t.shard, c.entry)
			c.entry = 0
		}
	}
}

// decide says what the counts mean, after charge or abandon.
func (t *trial) decide(c *count, reason Reason, d *Decision) {
	limit := &t.memory.limit
	d.Name, d.Limit, d.Remaining, d.Reason = limit.Name, c.budget, max(0, c.budget-c.used), reason
	reset, retry := t.waits(c)
	d.Reset = min(t.shard.after(reset), limit.Window)
	if reason == Admitted {
		d.Allowed = true
		return
	}
	d.Remaining = 0
	for i := range t.counts[:t.n] {
		if other := &t.counts[i]; other != c {
			_, wait := t.waits(other)
			retry = max(retry, wait)
		}
	}
	d.RetryAfter = t.shard.after(retry)
	d.Allowed, d.Shadow = limit.Shadow, limit.Shadow
}

// waits are the times in milliseconds, from the start of this one, until the oldest of the counted requests leaves the window
// and until so many have left that one more is admitted; 0 for now.
func (t *trial) waits(c *count) (reset, retry int64) {
	now, window := t.shard.ms, t.memory.window
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
		reset = t.shard.turnAt - now
		if c.used >= c.budget {
			retry = reset
		}
		if c.recent >= c.budget {
			retry += window
		}
	}
	return reset, retry
}
