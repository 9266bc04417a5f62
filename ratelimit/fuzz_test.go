package ratelimit

import (
	"context"
	"testing"
	"time"
)

// Each byte is a step: a pause, a request, a refund or a reset, of one of three keys in a table with room for two. Against plain
// lists of what was admitted, kept in nanoseconds.
func FuzzWindow(f *testing.F) {
	f.Add([]byte{0x80, 0x80, 0x80, 0x80, 0x3f, 0x80, 0x81, 0x82}, uint8(3), uint8(0))
	f.Add([]byte{0x80, 0x81, 0x82, 0x7f, 0x82, 0xc0, 0xe0, 0x80, 0x80}, uint8(1), uint8(1))
	f.Fuzz(func(t *testing.T, steps []byte, budget, overflow uint8) {
		limit := Limit{Name: "test", Budget: 1 + int(budget%20), Window: time.Second, Key: ByAddress, Overflow: Overflow(overflow % 3)}
		l := newLimiters(t, []Limit{limit}, MaxKeys(2))
		now := time.Duration(0)
		l.all[0].memory.clock = func() time.Duration { return now }
		ctx := context.Background()
		admissions := map[byte][]time.Duration{}
		reservations := map[byte]Reservation{}
		for _, step := range steps {
			who := step % 3
			check := limit.For(AddressKey(addressOf(uint32(who) << 8)))
			live := func() (n int) {
				for _, at := range admissions[who] {
					if now-at < limit.Window {
						n++
					}
				}
				return n
			}
			switch {
			case step < 0x80: // up to 1.2 s, mostly not whole milliseconds
				now += time.Duration(step) * time.Duration(step) * 73_313
			case step < 0xe0:
				r, d, err := l.Reserve(ctx, check)
				if err != nil {
					t.Fatal(err)
				}
				most := limit.Budget
				if limit.Overflow == CountBlock {
					most *= BlockFactor
				}
				if d.Allowed {
					if live() >= most {
						t.Fatalf("%d admitted in a window, budget %d", live()+1, most)
					}
					admissions[who] = append(admissions[who], now)
					reservations[who] = r
				} else if d.RetryAfter <= 0 || d.RetryAfter > 2*limit.Window || d.Remaining != 0 {
					t.Fatalf("%+v", d)
				}
			case step < 0xf0:
				if r, ok := reservations[who]; ok {
					before := used(t, l, check)
					r.Refund(ctx, limit)
					delete(reservations, who)
					after := used(t, l, check)
					if after > before || after < before-1 {
						t.Fatalf("a refund turned %d used into %d", before, after)
					}
					if after < before {
						admissions[who] = admissions[who][:len(admissions[who])-1]
					}
				}
			default:
				if err := l.Reset(ctx, check); err != nil {
					t.Fatal(err)
				}
				if limit.Overflow != CountBlock && used(t, l, check) == 0 {
					admissions[who] = nil
				}
			}
			if keys := l.Stats()[0].Keys; keys > 2 {
				t.Fatalf("%d keys held", keys)
			}
		}
	})
}

// Whatever an operator sets, the table is valid or refused.
func FuzzOverride(f *testing.F) {
	f.Add("joinSession=200/1m+shadow, auth=5")
	f.Fuzz(func(t *testing.T, settings string) {
		table, err := Override(Table, settings)
		if err != nil {
			return
		}
		if _, err := New(table); err != nil {
			t.Fatalf("%q was taken: %v", settings, err)
		}
	})
}
