package ratelimit

import (
	"errors"
	"fmt"
	"net/netip"
	"strings"
	"testing"
	"time"
)

func TestOneAddressIsOneKey(t *testing.T) {
	same := [][]string{
		{"192.0.2.1", "::ffff:192.0.2.1", "64:ff9b::192.0.2.1"},
		{"2001:db8:0:1::1", "2001:db8:0:1:ffff:ffff:ffff:ffff", "2001:db8:0:1::%eth0"},
		{"fe80::1%eth0", "fe80::2%eth1"},
	}
	for _, group := range same {
		first := AddressKey(netip.MustParseAddr(group[0]))
		for _, other := range group[1:] {
			if AddressKey(netip.MustParseAddr(other)) != first {
				t.Errorf("%s and %s have different keys", group[0], other)
			}
		}
	}
}

func TestKeysOfDifferentThingsDiffer(t *testing.T) {
	v4, v6 := netip.MustParseAddr("192.0.2.1"), netip.MustParseAddr("2001:db8::1")
	keys := map[Key]string{}
	for _, key := range []Key{
		AddressKey(v4), SeatedKey(v4), VenueKey(v4), SignedInKey(v4), AddressKey(v4).blockKey(), SeatedKey(v4).blockKey(), VenueKey(v4).blockKey(),
		AddressKey(v6), SeatedKey(v6), VenueKey(v6), AddressKey(v6).blockKey(),
		AddressKey(netip.MustParseAddr("192.0.2.2")), AddressKey(netip.MustParseAddr("192.0.3.1")), AddressKey(netip.MustParseAddr("2001:db8:0:1::1")),
		InvitedKey(v4), InvitedKey(v6), AddressKey(netip.MustParseAddr("::")), AddressKey(netip.MustParseAddr("0.0.0.0")),
		PhoneKey(1, 0, 0), PhoneKey(2, 0, 0), PhoneKey(1, 0, 1), PhoneKey(1, 0, 2), PhoneKey(2, 0, 1), PhoneKey(1, 1, 0), PhoneKey(1, 1, 1), PhoneKey(1, 2, 0), HostKey(1, 1), HostKey(1, 2), HostKey(2, 1), ScreenKey(1, 0), ScreenKey(1, 1), ScreenKey(2, 0), UserKey(1), UserKey(2),
		AccountKey("a@example.org"), AccountKey("b@example.org"), DeviceKey("a@example.org", "x"), DeviceKey("a@example.org", "y"), AccountKey("a@example.org\x00x"), ResetKey("a@example.org"), ResetKey("b@example.org"),
	} {
		if other, ok := keys[key]; ok {
			t.Errorf("%v and %v have one key", key, other)
		}
		keys[key] = key.String()
	}
	names := map[string]bool{}
	for key, name := range keys {
		if key.kind != ByAccount && names[name] {
			t.Errorf("two keys are shown as %q", name)
		}
		names[name] = true
	}
}

func TestKeysAreShown(t *testing.T) {
	v4, v6 := netip.MustParseAddr("192.0.2.1"), netip.MustParseAddr("2001:db8:1:2::1")
	for want, key := range map[string]Key{
		"192.0.2.1/32": AddressKey(v4), "192.0.2.0/24": AddressKey(v4).blockKey(), "192.0.2.1/32, with token": SeatedKey(v4),
		"2001:db8:1:2::/64": AddressKey(v6), "2001:db8:1::/48": AddressKey(v6).blockKey(), "2001:db8:1:2::/64, as a venue": VenueKey(v6),
		"participant 3": PhoneKey(3, 0, 0), "participant 3, phone 2": PhoneKey(3, 0, 2), "participant 3, move 1, phone 2": PhoneKey(3, 1, 2), "participant 3, move 2": PhoneKey(3, 2, 0), "session 4, host 5": HostKey(4, 5), "session 6, big screen": ScreenKey(6, 0), "session 6, big screen, link 1": ScreenKey(6, 1), "user 8": UserKey(8), "no key": {},
	} {
		if got := key.String(); got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
	if s := AccountKey("someone@example.org").String(); strings.Contains(s, "someone") {
		t.Errorf("an account is shown as %q", s)
	}
}

// Whatever a client puts in the path or the query, it is one key: keys are made of nothing that it can choose.
func TestAWrongKeyIsRefused(t *testing.T) {
	l := newLimiters(t, Table)
	for _, limit := range Table {
		for _, key := range []Key{{}, AddressKey(netip.Addr{}), AddressKey(netip.MustParseAddr("192.0.2.1")), PhoneKey(1, 0, 0), UserKey(1), AccountKey("a")} {
			d, err := l.Allow(t.Context(), limit.For(key))
			if right := key.kind == limit.Key; right != (err == nil) || right != d.Allowed {
				t.Errorf("%s with a key by %v: %+v, %v", limit.Name, key.kind, d, err)
			}
			if err != nil && !errors.Is(err, ErrWrongKey) {
				t.Errorf("%s: %v", limit.Name, err)
			}
		}
	}
	if _, err := l.Allow(t.Context(), Limit{Name: "none"}.For(UserKey(1))); !errors.Is(err, ErrUnknownLimit) {
		t.Error(err)
	}
}

func TestExhaustingOneLimitLeavesTheOthers(t *testing.T) {
	l := newLimiters(t, Table)
	addr := netip.MustParseAddr("192.0.2.1")
	admitted(t, l, JoinSession.For(AddressKey(addr)), 200)
	for _, check := range []Check{
		Global.For(AddressKey(addr)), PlayerPageLoad.For(AddressKey(addr)), JoinMiss.For(AddressKey(addr)),
		JoinSession.For(SeatedKey(addr)), JoinSession.For(VenueKey(addr)), JoinSession.For(AddressKey(addr.Next())),
	} {
		if d := allow(t, l, check); !d.Allowed || d.Remaining != d.Limit-1 {
			t.Errorf("%+v: %+v", check, d)
		}
	}
}

func TestAThousandAddressesOfOneNetworkAreOne(t *testing.T) {
	l := newLimiters(t, Table)
	count := 0
	for i := range 1000 {
		addr := netip.MustParseAddr(fmt.Sprintf("2001:db8:1:1::%x", i))
		if allow(t, l, PlayerPageLoad.For(AddressKey(addr))).Allowed {
			count++
		}
	}
	if count != PlayerPageLoad.Budget {
		t.Errorf("%d admitted from one /64, want %d", count, PlayerPageLoad.Budget)
	}
}

func TestABlockHasEightBudgets(t *testing.T) {
	l := newLimiters(t, Table)
	count := 0
	var last Decision
	for i := range 100 {
		for range 60 {
			last = allow(t, l, PlayerPageLoad.For(AddressKey(netip.MustParseAddr(fmt.Sprintf("2001:db8:1:%x::1", i)))))
			if last.Allowed {
				count++
			}
		}
	}
	if want := BlockFactor * PlayerPageLoad.Budget; count != want {
		t.Errorf("%d admitted from one /48, want %d", count, want)
	}
	if last.Reason != BlockOverBudget || last.Limit != BlockFactor*PlayerPageLoad.Budget || last.RetryAfter <= 0 {
		t.Errorf("refused with %+v", last)
	}
	if d := allow(t, l, PlayerPageLoad.For(AddressKey(netip.MustParseAddr("2001:db8:2::1")))); !d.Allowed {
		t.Errorf("the next /48 is refused too: %+v", d)
	}
	// Of the /64s that were refused for their block none was charged.
	if d, _ := l.Peek(t.Context(), PlayerPageLoad.For(AddressKey(netip.MustParseAddr("2001:db8:1:50::1")))); d.Reason != BlockOverBudget {
		t.Errorf("%+v", d)
	}
	if keys := l.Stats()[3].Keys; keys != 8+1+2 {
		t.Errorf("%d keys held, want eight /64s and their /48, and one of each beside", keys)
	}
}

func TestAtLeastRaisesTheBudgetOfAVenue(t *testing.T) {
	l := newLimiters(t, Table)
	check := JoinSession.For(VenueKey(netip.MustParseAddr("192.0.2.1")))
	if n := admitted(t, l, check.AtLeast(300), 500); n != 300 {
		t.Errorf("%d admitted, want 300", n)
	}
	if n := admitted(t, l, check.AtLeast(20), 10); n != 0 {
		t.Errorf("%d admitted of the table's budget, which was used", n)
	}
	d := allow(t, l, check)
	if d.RetryAfter <= 0 || d.RetryAfter > time.Minute+time.Millisecond || d.Limit != 100 {
		t.Errorf("after the allowance has lapsed: %+v", d)
	}
	if n := admitted(t, l, check.AtLeast(301), 10); n != 1 {
		t.Errorf("%d more admitted, want 1", n)
	}
}
