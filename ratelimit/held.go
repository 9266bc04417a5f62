package ratelimit

// decideHeld decides about a key that is held and has no block, which is nearly every request. It does just what a trial would, in
// half the time. It is not done if the key is another.
func (m *memory) decideHeld(s *shard, block uint64, key *Key, budget int, mode mode, place Place, d *Decision) (at stamp, done bool) {
	if key.hasBlock() {
		return 0, false
	}
	hash := m.seed.whole(key, block)
	index := m.live(s, key, hash)
	if index == 0 {
		return 0, false
	}
	e := &s.entries[index]
	e.log.forget(s.ms, m.window)
	used := int(e.log.length)
	d.Name, d.Limit, d.Place = m.limit.Name, budget, place
	if used < budget {
		d.Allowed = true
		if mode == take {
			e.last = s.stampTime()
			at = stamp(e.last)
			e.log.add(at, budget)
			s.touch(index)
			used++
		}
	} else {
		d.Allowed, d.Shadow, d.Reason = m.limit.Shadow, m.limit.Shadow, OverBudget
		d.RetryAfter = s.after(m.window - e.log.at(used-budget).age(s.ms))
	}
	if used > 0 {
		d.Reset = min(s.after(m.window-e.log.oldest.age(s.ms)), m.limit.Window)
	}
	d.Remaining = max(0, budget-used)
	if mode == take {
		s.busiest.note(key, hash, d)
		s.counts[place][d.Reason]++
	}
	return at, true
}
