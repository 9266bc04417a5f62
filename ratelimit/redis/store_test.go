package redis

import (
	"fmt"
	"net/netip"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"pubquiz/ratelimit"
)

func TestTheBudgetHoldsInAnyWindow(t *testing.T) {
	l := newLimiters(t, startServer(t).store(), perSecond(20))
	check := perSecond(20).For(ratelimit.UserKey(1))
	var admissions []time.Time
	for len(admissions) <= 60 { // more than three windows
		before := time.Now()
		d := allow(t, l, check)
		if d.Allowed {
			// The server admitted it between before and now. Two that bracket a window from outside are surely in it.
			admissions = append(admissions, before)
			if n := len(admissions); n > 20 && time.Since(admissions[n-21]) < time.Second {
				t.Fatalf("21 admitted within %v", time.Since(admissions[n-21]))
			}
			continue
		}
		if d.RetryAfter <= 0 || d.RetryAfter > time.Second || d.Remaining != 0 || d.Limit != 20 {
			t.Fatalf("%+v", d)
		}
		if again := allow(t, l, check); !again.Allowed && again.RetryAfter > d.RetryAfter {
			t.Fatalf("asking again prolonged the wait from %v to %v", d.RetryAfter, again.RetryAfter)
		}
		time.Sleep(d.RetryAfter)
		if again := allow(t, l, check); !again.Allowed {
			t.Fatalf("refused at the advertised moment: %+v", again)
		}
		admissions = append(admissions, before.Add(d.RetryAfter))
	}
}

func TestManyAtOnceAdmitExactlyTheBudget(t *testing.T) {
	s := startServer(t)
	check := ratelimit.JoinSession.For(ratelimit.AddressKey(netip.MustParseAddr("192.0.2.1")))
	var count atomic.Int64
	var wg sync.WaitGroup
	for range 4 {
		l := newLimiters(t, s.store(), ratelimit.JoinSession)
		for range 8 {
			wg.Go(func() { count.Add(int64(admitted(t, l, check, 30))) })
		}
	}
	wg.Wait()
	if count.Load() != 100 {
		t.Errorf("%d admitted, want 100", count.Load())
	}
}

func TestScriptsMayBeFlushed(t *testing.T) {
	s := startServer(t)
	store := s.store()
	l := newLimiters(t, store, ratelimit.JoinSession)
	check := ratelimit.JoinSession.For(ratelimit.AddressKey(netip.MustParseAddr("192.0.2.1")))
	if n := admitted(t, l, check, 60); n != 60 {
		t.Fatal(n)
	}
	if err := s.do(store, "SCRIPT", "FLUSH").Error(); err != nil {
		t.Fatal(err)
	}
	if n := admitted(t, l, check, 60); n != 40 {
		t.Errorf("%d more admitted, want 40", n)
	}
}

func TestEveryKeyExpires(t *testing.T) {
	s := startServer(t)
	store := s.store()
	l := newLimiters(t, store, ratelimit.Table...)
	v6 := ratelimit.AddressKey(netip.MustParseAddr("2001:db8::1"))
	for range 30 {
		allow(t, l, ratelimit.PlayerPageLoad.For(v6))
		allow(t, l, ratelimit.Auth.For(v6), ratelimit.AuthAccount.For(ratelimit.AccountKey("a")))
		allow(t, l, ratelimit.HostAction.For(ratelimit.UserKey(1)))
		keys, err := s.do(store, "KEYS", "*").AsStrSlice()
		if err != nil {
			t.Fatal(err)
		}
		for _, key := range keys {
			if !strings.HasPrefix(key, "test:") {
				t.Fatalf("key %q has not the prefix", key)
			}
			ttl, err := s.do(store, "PTTL", key).AsInt64()
			if err != nil || ttl < 0 || ttl > (15*time.Minute).Milliseconds() {
				t.Fatalf("key %q expires in %d ms: %v", key, ttl, err)
			}
		}
		if len(keys) != 6 {
			t.Fatalf("keys are %q, want a /64 and a /48 of two limits, an account and a user", keys)
		}
	}
}

// A key's stamps must not cost more than the specification allows.
func TestBytesOfAFullKey(t *testing.T) {
	s := startServer(t)
	store := s.store()
	for budget, most := range map[int]int64{10: 1300, 100: 1300, 1200: 13_000} {
		limit := perSecond(budget)
		limit.Window = time.Minute
		l := newLimiters(t, store, limit)
		admitted(t, l, limit.For(ratelimit.UserKey(1)), budget)
		keys, err := s.do(store, "KEYS", fmt.Sprintf("*test%d:*", budget)).AsStrSlice()
		if err != nil || len(keys) != 1 {
			t.Fatal(keys, err)
		}
		bytes, err := s.do(store, "MEMORY", "USAGE", keys[0], "SAMPLES", "0").AsInt64()
		if err != nil || bytes > most {
			t.Errorf("a key with %d stamps has %d bytes, at most %d: %v", budget, bytes, most, err)
		}
		t.Logf("%d stamps: %d bytes", budget, bytes)
	}
}

func TestTogetherIsAllOrNothing(t *testing.T) {
	s := startServer(t)
	store := s.store()
	l := newLimiters(t, store, ratelimit.Table...)
	home := ratelimit.Auth.For(ratelimit.AddressKey(netip.MustParseAddr("2001:db8::1")))
	account := ratelimit.AuthAccount.For(ratelimit.AccountKey("host@example.org"))
	for range 10 {
		if d := allow(t, l, home, account); !d.Allowed || d.Place != ratelimit.InStore {
			t.Fatalf("%+v", d)
		}
	}
	used := func(check ratelimit.Check) int {
		t.Helper()
		d, err := l.Peek(t.Context(), check)
		if err != nil || d.Place != ratelimit.InStore {
			t.Fatal(d, err)
		}
		return d.Limit - d.Remaining
	}
	other := ratelimit.AuthAccount.For(ratelimit.AccountKey("other@example.org"))
	if d := allow(t, l, home, other); d.Allowed || d.Name != "auth" || d.Reason != ratelimit.OverBudget || used(other) != 0 {
		t.Errorf("%+v, %d charged to the account", d, used(other))
	}
	elsewhere := ratelimit.Auth.For(ratelimit.AddressKey(netip.MustParseAddr("192.0.2.2")))
	if d := allow(t, l, elsewhere, account); d.Allowed || d.Name != "authAccount" || used(elsewhere) != 0 {
		t.Errorf("%+v, %d charged to the address", d, used(elsewhere))
	}
	for _, step := range []struct {
		check ratelimit.Check
		want  int
	}{{home, 10}, {account, 10}} {
		if n := used(step.check); n != step.want {
			t.Errorf("%d used of %+v", n, step.check)
		}
	}
	if err := l.Reset(t.Context(), account); err != nil || used(account) != 0 || used(home) != 10 {
		t.Error("reset forgot too little or too much:", err, used(account), used(home))
	}
}

func TestABlockHasEightBudgets(t *testing.T) {
	l := newLimiters(t, startServer(t).store(), ratelimit.HostAction, ratelimit.Pricing)
	count := 0
	var last ratelimit.Decision
	for i := range 10 {
		check := ratelimit.Pricing.For(ratelimit.AddressKey(netip.MustParseAddr(fmt.Sprintf("2001:db8:1:%x::1", i))))
		for range 25 {
			if last = allow(t, l, check); last.Allowed {
				count++
			}
		}
	}
	if count != 160 || last.Reason != ratelimit.BlockOverBudget || last.Limit != 160 {
		t.Errorf("%d admitted, want 160; then %+v", count, last)
	}
}

func TestARefundGivesBackItsOwnChargeOnly(t *testing.T) {
	s := startServer(t)
	store := s.store()
	l := newLimiters(t, store, ratelimit.Table...)
	home := ratelimit.Auth.For(ratelimit.AddressKey(netip.MustParseAddr("192.0.2.1")))
	account := ratelimit.AuthAccount.For(ratelimit.AccountKey("host@example.org"))
	var reservations []ratelimit.Reservation
	for range 10 {
		r, d, err := l.Reserve(t.Context(), home, account)
		if err != nil || !d.Allowed {
			t.Fatal(d, err)
		}
		reservations = append(reservations, r)
	}
	stamps := func() []string {
		t.Helper()
		keys, err := s.do(store, "KEYS", "*authAccount*").AsStrSlice()
		if err != nil || len(keys) != 1 {
			t.Fatal(keys, err)
		}
		stamps, err := s.do(store, "LRANGE", keys[0], "0", "-1").AsStrSlice()
		if err != nil {
			t.Fatal(err)
		}
		return stamps
	}
	before := stamps()
	reservations[4].Refund(t.Context(), ratelimit.AuthAccount)
	reservations[4].Refund(t.Context(), ratelimit.AuthAccount)
	after := stamps()
	if want := fmt.Sprint(append(before[:4:4], before[5:]...)); fmt.Sprint(after) != want {
		t.Errorf("left %v, want %v", after, want)
	}
	if d := allow(t, l, home, account); d.Allowed || d.Name != "auth" {
		t.Errorf("the address was given something back too: %+v", d)
	}
}

func TestShadowDoesNotStandInTheWay(t *testing.T) {
	table, err := ratelimit.Override(ratelimit.Table, "auth=3/1m+shadow")
	if err != nil {
		t.Fatal(err)
	}
	l := newLimiters(t, startServer(t).store(), table...)
	home := ratelimit.Auth.For(ratelimit.AddressKey(netip.MustParseAddr("192.0.2.1")))
	account := ratelimit.AuthAccount.For(ratelimit.AccountKey("host@example.org"))
	for n := range 10 {
		if d := allow(t, l, home, account); !d.Allowed || d.Shadow != (n >= 3) {
			t.Errorf("request %d: %+v", n, d)
		}
	}
	if d := allow(t, l, home, account); d.Allowed || d.Name != "authAccount" {
		t.Errorf("%+v", d)
	}
}

func TestTheServersClockMayStepBack(t *testing.T) {
	s := startServer(t)
	store := s.store()
	l := newLimiters(t, store, ratelimit.HostAction)
	check := ratelimit.HostAction.For(ratelimit.UserKey(1))
	allow(t, l, check)
	keys, err := s.do(store, "KEYS", "*").AsStrSlice()
	if err != nil || len(keys) != 1 {
		t.Fatal(keys, err)
	}
	// As if the budget had been used up an hour from now, before the clock was set back.
	s.do(store, "DEL", keys[0])
	for n := range 30 {
		s.do(store, "RPUSH", keys[0], strconv.FormatInt(time.Now().Add(time.Hour).UnixMicro()+int64(n), 10))
	}
	s.do(store, "PEXPIRE", keys[0], "3660000")
	d := allow(t, l, check)
	if d.Allowed || d.RetryAfter > time.Minute {
		t.Errorf("%+v", d)
	}
	if ttl, err := s.do(store, "PTTL", keys[0]).AsInt64(); err != nil || ttl > 60_000 {
		t.Errorf("locked for %d ms: %v", ttl, err)
	}
}

func TestOpenRefusesWhatIsNoURL(t *testing.T) {
	for _, url := range []string{"", "localhost:6379", "http://localhost", "redis://localhost/one"} {
		if _, err := Open(url, ""); err == nil {
			t.Errorf("%q was taken", url)
		}
	}
}
