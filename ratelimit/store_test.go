package ratelimit

import (
	"context"
	"errors"
	"log/slog"
	"net/netip"
	"strings"
	"testing"
	"testing/synctest"
	"time"
)

// fakeStore admits everything, or does not answer.
type fakeStore struct {
	down  bool
	slow  time.Duration
	calls int
	keys  []string
}

var errDown = errors.New("down")

func (s *fakeStore) answer(ctx context.Context) error {
	s.calls++
	if s.down {
		return errDown
	}
	select {
	case <-time.After(s.slow):
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

func (s *fakeStore) Take(ctx context.Context, charges []Charge, peek bool) ([]Count, int64, error) {
	s.keys = nil
	var counts []Count
	for _, c := range charges {
		s.keys = append(s.keys, c.Key)
		counts = append(counts, Count{Used: 1, Reset: c.Window})
	}
	return counts, 1, s.answer(ctx)
}

func (s *fakeStore) Refund(ctx context.Context, key string, at int64) error { return s.answer(ctx) }
func (s *fakeStore) Forget(ctx context.Context, key string) error           { return s.answer(ctx) }

func TestTheBreakerSparesAStoreThatDoesNotAnswer(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		store := &fakeStore{}
		l := newLimiters(t, Table, SharedIn(store))
		check := HostEdit.For(UserKey(1))
		expect := func(what string, place Place, calls int) {
			t.Helper()
			before := store.calls
			if d := allow(t, l, check); d.Place != place || !d.Allowed {
				t.Fatalf("%s: %+v", what, d)
			}
			if got := store.calls - before; got != calls {
				t.Fatalf("%s: %d calls, want %d", what, got, calls)
			}
		}
		expect("up", InStore, 1)
		store.down = true
		for range breakerFailures - 1 {
			expect("failing", InFallback, 1)
		}
		store.down = false
		expect("up again in time", InStore, 1)
		store.down = true
		for range breakerFailures {
			expect("failing again", InFallback, 1)
		}
		for range 100 {
			expect("given up", InFallback, 0)
		}
		for range 3 {
			time.Sleep(breakerPause)
			expect("one probe", InFallback, 1)
			expect("and no more", InFallback, 0)
		}
		if down, times := l.StoreDown(); !down || times != 1 {
			t.Errorf("down %v, %d times", down, times)
		}
		store.down = false
		expect("before the pause is over", InFallback, 0)
		time.Sleep(breakerPause)
		expect("back", InStore, 1)
		expect("back", InStore, 1)
		if down, times := l.StoreDown(); down || times != 1 {
			t.Errorf("down %v, %d times", down, times)
		}
	})
}

func TestASlowStoreIsNotWaitedFor(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		store := &fakeStore{slow: time.Hour}
		l := newLimiters(t, Table, SharedIn(store))
		start := time.Now()
		if d := allow(t, l, HostEdit.For(UserKey(1))); d.Place != InFallback {
			t.Errorf("%+v", d)
		}
		if waited := time.Since(start); waited != DefaultStoreTimeout {
			t.Errorf("waited %v", waited)
		}
	})
}

func TestARequestThatIsGoneSaysNothingOfTheStore(t *testing.T) {
	store := &fakeStore{}
	l := newLimiters(t, Table, SharedIn(store))
	gone, cancel := context.WithCancel(t.Context())
	cancel()
	if d, err := l.Allow(gone, HostEdit.For(UserKey(1))); err != nil || d.Place != InStore {
		t.Errorf("%+v, %v", d, err)
	}
}

func TestClosedLimitsRefuseWhileTheStoreIsDown(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := newLimiters(t, Table, SharedIn(&fakeStore{down: true}))
		home := AddressKey(netip.MustParseAddr("192.0.2.1"))
		for _, limit := range Table {
			key := map[KeyKind]Key{ByAddress: home, ByParticipant: PhoneKey(1, 0, 0), ByUser: UserKey(1), ByAccount: AccountKey("a")}[limit.Key]
			d := allow(t, l, limit.For(key))
			want := Decision{
				Allowed: true, Name: limit.Name, Limit: limit.Budget, Remaining: limit.Budget - 1, Reset: limit.Window, Place: InFallback,
			}
			switch {
			case limit.PerInstance:
				want.Place = InMemory
			case limit.StoreDown == Closed:
				want = Decision{Unavailable: true, Name: limit.Name, Limit: limit.Budget, RetryAfter: breakerPause, Reason: StoreDown, Place: InFallback}
			}
			if d != want {
				t.Errorf("%+v, want %+v", d, want)
			}
		}
		// A refund of what was counted in memory goes there.
		account := AuthAccount.For(AccountKey("b"))
		r, d, err := l.Reserve(t.Context(), Auth.For(home), account)
		if err != nil || !d.Allowed {
			t.Fatal(d, err)
		}
		r.Refund(t.Context(), AuthAccount)
		if n := used(t, l, account); n != 0 {
			t.Errorf("%d used", n)
		}
		stats := l.Stats()[6].Decisions
		if len(stats) != 1 || stats[0] != (Decisions{InFallback, StoreDown, 1}) {
			t.Errorf("%+v", stats)
		}
	})
}

func TestStoreKeys(t *testing.T) {
	store := &fakeStore{}
	l := newLimiters(t, Table, SharedIn(store), LogTo(slog.New(slog.DiscardHandler), nil))
	slot := func(key string) string {
		_, rest, _ := strings.Cut(key, "{")
		tag, _, ok := strings.Cut(rest, "}")
		if !ok || tag == "" {
			t.Errorf("key %q has no hash tag", key)
		}
		return tag
	}
	seen := map[string]bool{}
	v4, v6 := netip.MustParseAddr("192.0.2.1"), netip.MustParseAddr("2001:db8::1")
	for _, checks := range [][]Check{
		{PlayerPageLoad.For(AddressKey(v4))}, {JoinSession.For(AddressKey(v4))}, {JoinSession.For(VenueKey(v4))}, {JoinSession.For(AddressKey(v6))},
		{JoinSession.For(AddressKey(netip.MustParseAddr("2001:db9::1")))}, {Auth.For(AddressKey(v6)), AuthAccount.For(AccountKey("a"))},
		{SessionPoll.For(PhoneKey(1, 0, 0))}, {SessionPoll.For(HostKey(1, 1))}, {SessionPoll.For(ScreenKey(1, 0))}, {HostEdit.For(UserKey(1))},
	} {
		allow(t, l, checks...)
		for _, key := range store.keys {
			if seen[key] {
				t.Errorf("two keys are %q", key)
			}
			seen[key] = true
			if slot(key) != slot(store.keys[0]) {
				t.Errorf("%q hash to different slots", store.keys)
			}
		}
	}
	if len(seen) != 8+2+1+1+2 {
		t.Errorf("%d keys: %v", len(seen), seen)
	}
}
