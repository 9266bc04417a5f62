package ratelimit

// busiest finds the keys with the most requests, in this window and the one before, in a fixed amount of memory (the
// space-saving algorithm): a key that made more than one in busySlots of a shard's requests is among them.
//
// In a window with many requests it looks at a sample of them only, each for several.
type busiest struct {
	seen              uint32 // requests in this window
	hashes            [busySlots]uint64
	calls             [busySlots]uint32
	current, previous [busySlots]Busy
}

const (
	busySlots  = 8
	busyExact  = 256 // of the requests of a window, so many are all looked at,
	busySample = 8   // and of the others one in so many
)

// turn begins a window, the one after the last or a later one.
func (b *busiest) turn(next bool) {
	b.previous = [busySlots]Busy{}
	if next {
		for i := range b.current {
			b.previous[i] = b.row(i)
		}
	}
	b.hashes, b.calls, b.seen = [busySlots]uint64{}, [busySlots]uint32{}, 0
}

// note counts one request. A key that is not in the list takes the place of the one with the fewest calls, and its number.
func (b *busiest) note(key *Key, hash uint64, d *Decision) {
	b.seen++
	switch {
	case b.seen <= busyExact:
		b.count(key, hash, 1, d)
	case b.seen%busySample == 0:
		b.count(key, hash, busySample, d)
	}
}

func (b *busiest) count(key *Key, hash uint64, calls uint32, d *Decision) {
	least := 0
	for i := range b.hashes {
		if b.hashes[i] == hash && b.calls[i] > 0 {
			b.calls[i] += calls
			b.current[i].Used, b.current[i].Limit = d.Limit-d.Remaining, d.Limit
			return
		}
		if b.calls[i] < b.calls[least] {
			least = i
		}
	}
	b.current[least] = Busy{Key: *key, Over: int(b.calls[least]), Used: d.Limit - d.Remaining, Limit: d.Limit}
	b.hashes[least] = hash
	b.calls[least] += calls
}

func (b *busiest) row(i int) Busy {
	row := b.current[i]
	row.Calls = int(b.calls[i])
	return row
}

// appendTo adds the keys of both windows, each once.
func (b *busiest) appendTo(all []Busy) []Busy {
	start := len(all)
	for i := range 2 * busySlots {
		var row Busy
		if i < busySlots {
			row = b.row(i)
		} else {
			row = b.previous[i-busySlots]
		}
		if row.Calls > 0 {
			all = mergeBusy(all, start, row)
		}
	}
	return all
}

// mergeBusy adds a row to those from start on, or to the one of its key.
func mergeBusy(all []Busy, start int, row Busy) []Busy {
	for i := start; i < len(all); i++ {
		if all[i].Key == row.Key {
			all[i].Calls += row.Calls
			all[i].Over += row.Over
			return all
		}
	}
	return append(all, row)
}
