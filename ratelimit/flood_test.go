package ratelimit

import (
	"encoding/binary"
	"math/rand/v2"
	"net/netip"
	"runtime"
	"sync"
	"testing"
	"testing/synctest"
	"time"
)

func addressOf(n uint32) netip.Addr {
	var ip [4]byte
	binary.BigEndian.PutUint32(ip[:], n)
	return netip.AddrFrom4(ip)
}

// Five million addresses inside one window: memory stays bounded, what is spent stays spent, and a room gets in.
func TestSeenElsewhereInventedKeys(t *testing.T) {
	for _, limit := range []Limit{JoinSession, PlayerPageLoad, Global, Auth} {
		t.Run(string(limit.Name), func(t *testing.T) {
			flood := uint32(200_000)
			if limit.Name == "joinSession" && !raceDetector {
				flood = 5_000_000
			}
			var before, after runtime.MemStats
			runtime.GC()
			runtime.ReadMemStats(&before)
			l := newLimiters(t, []Limit{limit})
			l.all[0].memory.clock = func() time.Duration { return time.Minute }
			spent := limit.For(AddressKey(netip.MustParseAddr("192.0.2.1")))
			half := limit.For(AddressKey(netip.MustParseAddr("192.0.2.2")))
			admitted(t, l, spent, limit.Budget)
			admitted(t, l, half, limit.Budget/2)
			room := limit.For(AddressKey(netip.MustParseAddr("198.51.100.7")))
			roomIn, late := 0, limit.For(AddressKey(netip.MustParseAddr("198.51.100.8")))
			for n := range flood {
				// Scattered over all addresses.
				allow(t, l, limit.For(AddressKey(addressOf(n*2_654_435_761))))
				if n%(flood/uint32(limit.Budget)) == 0 && allow(t, l, room).Allowed {
					roomIn++
				}
				if n%10_000 == 0 && allow(t, l, spent).Allowed {
					t.Fatalf("the spent key was admitted after %d new ones", n)
				}
			}
			runtime.GC()
			runtime.ReadMemStats(&after)
			if grown := int64(after.HeapAlloc) - int64(before.HeapAlloc); grown > 32<<20 {
				t.Errorf("the heap grew by %d MB", grown>>20)
			}
			stats := l.Stats()[0]
			if stats.Keys > DefaultMaxKeys {
				t.Errorf("%d keys held", stats.Keys)
			}
			if stats.Overflowed == 0 || stats.Evicted != 0 {
				t.Errorf("%d overflowed, %d evicted", stats.Overflowed, stats.Evicted)
			}
			// Held since before the flood was at its height, hence exact.
			if roomIn != limit.Budget {
				t.Errorf("%d of a room of %d got in", roomIn, limit.Budget)
			}
			if n := admitted(t, l, half, limit.Budget); n != limit.Budget-limit.Budget/2 {
				t.Errorf("a half spent key had %d left, want %d", n, limit.Budget-limit.Budget/2)
			}
			// A room that comes when the table is full already.
			want := limit.Budget
			if limit.Overflow == Refuse {
				want = 0
			}
			if n := admitted(t, l, late, limit.Budget); limit.Overflow == Refuse && n != 0 || n < want*9/10 {
				t.Errorf("%d of a late room of %d got in", n, limit.Budget)
			}
			if d := allow(t, l, late); limit.Overflow == Refuse && (d.Reason != TableFull || d.RetryAfter <= 0 || d.RetryAfter > limit.Window) {
				t.Errorf("refused with %+v", d)
			}
			runtime.KeepAlive(l)
		})
	}
}

// While the table is full of live keys, no sequence of requests gives any key more than the limit allows it.
func TestOverflowNeverCountsTooFew(t *testing.T) {
	for _, overflow := range []Overflow{CountKey, CountBlock, Refuse} {
		t.Run(overflow.String(), func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				random := rand.New(rand.NewPCG(1, uint64(overflow)))
				limit := Limit{Name: "test", Budget: 3, Window: time.Second, Key: ByAddress, Overflow: overflow}
				l := newLimiters(t, []Limit{limit}, MaxKeys(20))
				keys := make([]Key, 120)
				for i := range keys {
					keys[i] = AddressKey(addressOf(uint32(i * 77)))
				}
				admissions := map[Key][]time.Time{}
				inWindow := func(key Key) (n int) {
					for _, at := range admissions[key] {
						if time.Since(at) < limit.Window {
							n++
						}
					}
					return n
				}
				for range 40_000 {
					if random.IntN(4) == 0 {
						time.Sleep(time.Duration(random.Int64N(int64(30 * time.Millisecond))))
					}
					key := keys[random.IntN(1+random.IntN(len(keys)))]
					most := limit.Budget
					if overflow == CountBlock {
						most *= BlockFactor
					}
					before := inWindow(key)
					d := allow(t, l, limit.For(key))
					if !d.Allowed {
						if d.RetryAfter <= 0 || d.RetryAfter > 2*limit.Window {
							t.Fatalf("%+v", d)
						}
						continue
					}
					if before >= most {
						t.Fatalf("%d admitted in one window, budget %d", before+1, most)
					}
					admissions[key] = append(admissions[key], time.Now())
				}
				if keys := l.Stats()[0].Keys; keys > 20 {
					t.Errorf("%d keys held, at most 20", keys)
				}
			})
		})
	}
}

// What has left the window makes room, in whatever shard it is, and nothing else does.
func TestOnlyWhatHasLeftTheWindowIsEvicted(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		const room = 500
		l := newLimiters(t, []Limit{perMinute}, MaxKeys(room))
		for user := range int64(room) {
			allow(t, l, perMinute.For(UserKey(user)))
			if user == room/2 {
				time.Sleep(30 * time.Second)
			}
		}
		if s := l.Stats()[0]; s.Keys != room || s.Evicted != 0 || s.Overflowed != 0 {
			t.Fatalf("%+v", s)
		}
		time.Sleep(30 * time.Second)
		for user := range int64(room / 2) {
			allow(t, l, perMinute.For(UserKey(1000+user)))
		}
		if s := l.Stats()[0]; s.Keys > room || s.Evicted < room/2 || s.Overflowed != 0 {
			t.Errorf("%d keys, %d evicted, %d overflowed", s.Keys, s.Evicted, s.Overflowed)
		}
		for user := int64(room/2 + 1); user < room; user++ {
			if d := allow(t, l, perMinute.For(UserKey(user))); d.Remaining != 98 {
				t.Fatalf("the second half was forgotten: %+v", d)
			}
		}
	})
}

func TestKeysMayComeAndGoFromManyGoroutines(t *testing.T) {
	limit := Limit{Name: "test", Budget: 2, Window: time.Second, Key: ByAddress, Overflow: CountBlock}
	l := newLimiters(t, []Limit{limit}, MaxKeys(300))
	var now struct {
		sync.Mutex
		time.Duration
	}
	l.all[0].memory.clock = func() time.Duration {
		now.Lock()
		defer now.Unlock()
		now.Duration += 50 * time.Microsecond
		return now.Duration
	}
	var wg sync.WaitGroup
	for g := range 8 {
		wg.Go(func() {
			random := rand.New(rand.NewPCG(uint64(g), 2))
			for range 20_000 {
				addr := addressOf(random.Uint32N(1000))
				if random.IntN(2) == 0 {
					var ip [16]byte
					ip[0], ip[5], ip[7] = 0x20, byte(random.IntN(30)), byte(random.IntN(30))
					addr = netip.AddrFrom16(ip)
				}
				allow(t, l, limit.For(AddressKey(addr)))
			}
		})
	}
	wg.Wait()
	stats := l.Stats()[0]
	if stats.Keys > 300 || stats.Evicted == 0 || stats.Overflowed == 0 {
		t.Errorf("%d keys, %d evicted, %d overflowed", stats.Keys, stats.Evicted, stats.Overflowed)
	}
	if held := l.all[0].memory.held.Load(); held != int64(stats.Keys) {
		t.Errorf("%d keys counted, %d held", held, stats.Keys)
	}
	var decisions uint64
	for _, d := range stats.Decisions {
		decisions += d.Count
	}
	if decisions != 160_000 {
		t.Errorf("%d decisions counted", decisions)
	}
}
