package session

import (
	"errors"
	"net/netip"
	"testing"
)

func TestVenue(t *testing.T) {
	e := newEvening(t)
	other := newService(t, e.pool)
	pub, home := netip.MustParsePrefix("203.0.113.5/32"), netip.MustParsePrefix("2001:db8:1:2::/64")
	if _, ok := e.service.VenueOf(e.code); ok {
		t.Error("a venue before the host has done anything")
	}
	if err := e.service.DrivenFrom(t.Context(), e.join("Not the host"), pub, true); !errors.Is(err, ErrNotFound) {
		t.Errorf("a participant names the venue: %v", err)
	}
	if err := e.service.DrivenFrom(t.Context(), e.host, pub, false); err != nil {
		t.Fatal(err)
	}
	if v, ok := e.service.VenueOf(e.code); !ok || v.Network != pub || v.Capacity != 100 || e.service.VenueAt(pub).Capacity != 100 {
		t.Errorf("the venue is %+v, %v", v, ok)
	}
	until(t, "the other instance's learning of it", func() bool { return other.VenueAt(pub).Capacity == 100 })

	if err := e.service.DrivenFrom(t.Context(), e.host, home, false); err != nil { // a console is open elsewhere
		t.Fatal(err)
	}
	if e.service.VenueAt(pub).Capacity != 100 || e.service.VenueAt(home).Capacity != 0 {
		t.Errorf("with a second console: %d there, %d here", e.service.VenueAt(pub).Capacity, e.service.VenueAt(home).Capacity)
	}
	if err := e.service.DrivenFrom(t.Context(), e.host, home, true); err != nil { // the host goes on elsewhere
		t.Fatal(err)
	}
	if e.service.VenueAt(pub).Capacity != 0 || e.service.VenueAt(home).Capacity != 100 {
		t.Errorf("after the host has moved: %d there, %d here", e.service.VenueAt(pub).Capacity, e.service.VenueAt(home).Capacity)
	}

	helping := e.cohost(e.anotherHost("Ben"))
	if err := e.service.DrivenFrom(t.Context(), helping, pub, true); err != nil { // a co-host helps from elsewhere
		t.Fatal(err)
	}
	if e.service.VenueAt(pub).Capacity != 0 || e.service.VenueAt(home).Capacity != 100 {
		t.Errorf("after a co-host's command from elsewhere: %d there, %d here", e.service.VenueAt(pub).Capacity, e.service.VenueAt(home).Capacity)
	}

	// Two sessions at an address: the larger one counts, not their sum.
	second, err := e.service.Open(t.Context(), e.owner, 1, smallQuiz())
	if err != nil {
		t.Fatal(err)
	}
	host, err := e.service.AsHost(t.Context(), second, e.owner)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := e.service.Command(t.Context(), host, Command{Version: 1, Command: SetCapacity, Capacity: 250}); err != nil {
		t.Fatal(err)
	}
	if err := e.service.DrivenFrom(t.Context(), host, home, false); err != nil {
		t.Fatal(err)
	}
	if got := e.service.VenueAt(home).Capacity; got != 250 {
		t.Errorf("two sessions of 100 and 250 places give %d", got)
	}

	if _, err := e.pool.Exec(t.Context(), `UPDATE sessions SET venue_until = clock_timestamp()`); err != nil {
		t.Fatal(err)
	}
	until(t, "the venue's lapse", func() bool {
		_, ok := e.service.VenueOf(e.code)
		return !ok && e.service.VenueAt(home).Capacity == 0
	})
	if err := e.service.DrivenFrom(t.Context(), helping, pub, true); err != nil { // the co-host is in the pub, the owner is not
		t.Fatal(err)
	}
	if e.service.VenueAt(pub).Capacity != 100 {
		t.Error("a co-host alone makes no venue")
	}
	e.do(Finish)
	until(t, "the venue's end with its session", func() bool { return e.service.VenueAt(pub).Capacity == 0 })
	if err := e.service.DrivenFrom(t.Context(), e.host, pub, true); err != nil {
		t.Fatal(err)
	}
	if e.service.VenueAt(pub).Capacity != 0 {
		t.Error("a finished session has a venue")
	}
}
