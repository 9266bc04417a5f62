package ratelimit

// busiest finds the keys with the most requests, in this window and the one before, in a fixed amount of memory (the
// space-saving algorithm): a key that made more than one in busySlots of a shard's requests is among them.
type busiest struct {
	epoch             int64
	current, previous [busySlots]busyKey
}

const busySlots = 8

// busyKey is one of the busiest keys of a shard. The requests it really made are at least calls − over.
type busyKey struct {
	hash        uint64
	key         Key
	calls, over uint32
	used, limit int32 // what the last decision said
}

// turn brings the two lists to the window in which now lies.
func (b *busiest) turn(now, window int64) {
	epoch := now / window
	if epoch == b.epoch {
		return
	}
	b.previous = [busySlots]busyKey{}
	if epoch == b.epoch+1 {
		b.previous = b.current
	}
	b.current = [busySlots]busyKey{}
	b.epoch = epoch
}

// note counts one request. A key that is not in the list takes the place of the one with the fewest calls, and its number.
func (b *busiest) note(key Key, hash uint64, d *Decision) {
	least := &b.current[0]
	for i := range b.current {
		k := &b.current[i]
		if k.hash == hash && k.key == key {
			k.calls++
			k.used, k.limit = int32(d.Limit-d.Remaining), int32(d.Limit)
			return
		}
		if k.calls < least.calls {
			least = k
		}
	}
	*least = busyKey{hash: hash, key: key, calls: least.calls + 1, over: least.calls, used: int32(d.Limit - d.Remaining), limit: int32(d.Limit)}
}

// appendTo adds the keys of both windows, each once.
func (b *busiest) appendTo(all []Busy) []Busy {
	start := len(all)
	for _, list := range [...]*[busySlots]busyKey{&b.current, &b.previous} {
	keys:
		for _, k := range list {
			if k.calls == 0 {
				continue
			}
			for i := start; i < len(all); i++ {
				if all[i].Key == k.key {
					all[i].Calls += int(k.calls)
					all[i].Over += int(k.over)
					continue keys
				}
			}
			all = append(all, Busy{k.key, int(k.calls), int(k.over), int(k.used), int(k.limit)})
		}
	}
	return all
}
