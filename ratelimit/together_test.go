package ratelimit

import (
	"errors"
	"net/netip"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"
)

var (
	home    = Auth.For(AddressKey(netip.MustParseAddr("192.0.2.1")))
	account = AuthAccount.For(AccountKey("host@example.org"))
)

// used is what Peek says is used of a check's budget.
func used(t testing.TB, l *Limiters, check Check) int {
	t.Helper()
	d, err := l.Peek(t.Context(), check)
	if err != nil {
		t.Fatal(err)
	}
	return d.Limit - d.Remaining
}

func TestTogetherIsAllOrNothing(t *testing.T) {
	l := newLimiters(t, Table)
	for range 10 {
		if d := allow(t, l, home, account); !d.Allowed {
			t.Fatalf("%+v", d)
		}
	}
	// The address is spent, hence no other account is charged, nor even looked at.
	other := AuthAccount.For(AccountKey("other@example.org"))
	if d := allow(t, l, home, other); d.Allowed || d.Name != "auth" || used(t, l, other) != 0 {
		t.Errorf("%+v, %d charged to the account", d, used(t, l, other))
	}
	// The account is spent, hence no other address is charged.
	elsewhere := Auth.For(AddressKey(netip.MustParseAddr("192.0.2.2")))
	if d := allow(t, l, elsewhere, account); d.Allowed || d.Name != "authAccount" || used(t, l, elsewhere) != 0 {
		t.Errorf("%+v, %d charged to the address", d, used(t, l, elsewhere))
	}
	// Nobody has been told of places that were made in vain.
	if stats := l.Stats(); stats[5].Keys != 1 || stats[10].Keys != 1 {
		t.Errorf("%d addresses and %d accounts held, want one each", stats[5].Keys, stats[10].Keys)
	}
	// A device known to the account has an allowance of its own.
	if d := allow(t, l, elsewhere, AuthAccount.For(DeviceKey("host@example.org", "phone"))); !d.Allowed || d.Remaining != 9 {
		t.Errorf("%+v", d)
	}
}

func TestOnlyLimitsOfOneGroupGoTogether(t *testing.T) {
	l := newLimiters(t, Table)
	page := PlayerPageLoad.For(AddressKey(netip.MustParseAddr("192.0.2.1")))
	for _, checks := range [][]Check{{}, {account, home}, {home, home}, {home, page}, {page, page}, {home, account, account}, {home, account, account, account}} {
		if d, err := l.Allow(t.Context(), checks...); !errors.Is(err, ErrNotTogether) || d.Allowed {
			t.Errorf("%v: %+v, %v", checks, d, err)
		}
	}
}

func TestARefundGivesBackItsOwnChargeOnly(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := newLimiters(t, Table)
		ctx := t.Context()
		var mine Reservation
		for i := range 8 {
			r, d, err := l.Reserve(ctx, home, account)
			if err != nil || !d.Allowed {
				t.Fatal(d, err)
			}
			if i == 3 {
				mine = r
			}
			time.Sleep(time.Minute)
		}
		mine.Refund(ctx, AuthAccount)
		mine.Refund(ctx, AuthAccount)
		if a, h := used(t, l, account), used(t, l, home); a != 7 || h != 8 {
			t.Errorf("used: account %d, address %d; want 7 and 8", a, h)
		}
		// The fourth was given back, at minute 3: that the others leave at 15, 16, 17, 19, … shows.
		time.Sleep(7 * time.Minute)
		var left []int
		for range 5 {
			left = append(left, used(t, l, account))
			time.Sleep(time.Minute)
		}
		if want := []int{6, 5, 4, 4, 3}; !slices.Equal(left, want) {
			t.Errorf("used from minute 15 on: %v, want %v", left, want)
		}
		mine.Refund(ctx, Auth)
		if h := used(t, l, home); h != 2 {
			t.Errorf("a charge that has left the window was given back: %d used", h)
		}
	})
}

// Twenty wrong passwords at once: no more hashes than the budget. Right ones in between give back no more than their own.
func TestParallelLoginsNeverExceedTheBudget(t *testing.T) {
	l := newLimiters(t, Table)
	var hashes, successes atomic.Int64
	var wg sync.WaitGroup
	for n := range 40 {
		wg.Go(func() {
			from := Auth.For(AddressKey(addressOf(uint32(n) << 8)))
			r, d, err := l.Reserve(t.Context(), from, account)
			if err != nil {
				t.Error(err)
			}
			if !d.Allowed {
				return
			}
			if n%10 == 0 {
				successes.Add(1)
				r.Refund(t.Context(), AuthAccount)
				return
			}
			hashes.Add(1)
		})
	}
	wg.Wait()
	if n := hashes.Load(); n > 10 || n < 10-successes.Load() {
		t.Errorf("%d wrong passwords were hashed, budget 10", n)
	}
	if n := used(t, l, account); int64(n) != hashes.Load() {
		t.Errorf("%d charged for %d wrong passwords", n, hashes.Load())
	}
}

func TestAReservationLapsesWithTheWindow(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := newLimiters(t, Table)
		for n := range 10 {
			if _, d, err := l.Reserve(t.Context(), Auth.For(AddressKey(addressOf(uint32(n)))), account); err != nil || !d.Allowed {
				t.Fatal(d, err)
			}
		}
		d := allow(t, l, home, account)
		if d.Allowed || d.RetryAfter > AuthAccount.Window {
			t.Fatalf("%+v", d)
		}
		time.Sleep(d.RetryAfter)
		if d := allow(t, l, home, account); !d.Allowed {
			t.Errorf("%+v", d)
		}
	})
}

func TestPeekChargesNothing(t *testing.T) {
	l := newLimiters(t, Table)
	for range 50 {
		if d, err := l.Peek(t.Context(), home, account); err != nil || !d.Allowed || d.Remaining != 10 {
			t.Fatal(d, err)
		}
	}
	if s := l.Stats(); s[5].Keys != 0 || len(s[5].Decisions) != 0 {
		t.Errorf("%+v", s[5])
	}
	admitted(t, l, home, 10)
	if d, err := l.Peek(t.Context(), home, account); err != nil || d.Allowed || d.Name != "auth" || d.RetryAfter == 0 {
		t.Error(d, err)
	}
}

func TestResetForgets(t *testing.T) {
	l := newLimiters(t, Table)
	check := PlayerPageLoad.For(AddressKey(netip.MustParseAddr("2001:db8::1")))
	admitted(t, l, check, 60)
	if err := l.Reset(t.Context(), check); err != nil {
		t.Fatal(err)
	}
	if n := admitted(t, l, check, 100); n != 60 {
		t.Errorf("%d admitted, want 60", n)
	}
	if err := l.Reset(t.Context(), PlayerPageLoad.For(UserKey(1))); !errors.Is(err, ErrWrongKey) {
		t.Error(err)
	}
}

func TestShadowAdmitsAndCounts(t *testing.T) {
	table, err := Override(Table, "authAccount=3/1m+shadow, hostAction=shadow")
	if err != nil {
		t.Fatal(err)
	}
	l := newLimiters(t, table)
	check := HostAction.For(UserKey(1))
	admitted(t, l, check, 30)
	if d := allow(t, l, check); !d.Allowed || !d.Shadow || d.Reason != OverBudget || d.RetryAfter <= 0 {
		t.Errorf("%+v", d)
	}
	want := []Decisions{{InMemory, Admitted, 30}, {InMemory, OverBudget, 1}}
	if got := l.Stats()[7].Decisions; !slices.Equal(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
	// Together with one that is in force, it does not stand in the way, and the other is charged.
	for range 5 {
		if d := allow(t, l, home, account); !d.Allowed {
			t.Fatalf("%+v", d)
		}
	}
	if a, h := used(t, l, account), used(t, l, home); a != 3 || h != 5 {
		t.Errorf("used: account %d, address %d; want 3 and 5", a, h)
	}
}

func TestUnlimitedAdmitsEverything(t *testing.T) {
	l := newLimiters(t, Table, Unlimited())
	if n := admitted(t, l, home, 100); n != 100 {
		t.Errorf("%d of 100 admitted", n)
	}
	if d := allow(t, l, home, account); !d.Allowed || d.Limit != 10 || d.Remaining != 10 {
		t.Errorf("%+v", d)
	}
	if _, err := l.Allow(t.Context(), Auth.For(UserKey(1))); !errors.Is(err, ErrWrongKey) {
		t.Error("mistakes are mistakes all the same:", err)
	}
}
