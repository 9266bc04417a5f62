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

// note counts one request.
func (b *busiest) note(key Key, hash uint64, now, window int64, d *Decision) {
	if epoch := now / window; epoch != b.epoch {
		b.previous = [busySlots]busyKey{}
		if epoch == b.epoch+1 {
			b.previous = b.current
		}
		b.current = [busySlots]busyKey{}
		b.epoch = epoch
	}
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
	*least = busyKey{hash: hash, key: key, calls: least.calls + 1, over: least.calls,
		used: int32(d.Limit - d.Remaining), limit: int32(d.Limit)}
}
