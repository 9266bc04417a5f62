package web

import (
	"fmt"
	"net/http"
	"net/netip"
	"testing"
	"time"

	"pubquiz/ratelimit"
)

// scan loads the join page and joins, and returns the first status that is no success.
func (l *live) scan(name string) int {
	b := l.browser()
	if r := b.get("/j/" + l.code); r.status != http.StatusOK {
		return r.status
	}
	return l.joins(b, name).status
}

// TestRoomScansAtOnce: at the venue the budget is the room's, so all of it gets in at once, past the table's 60 pages;
// and no more than the room.
func TestRoomScansAtOnce(t *testing.T) {
	needsLimits(t)
	s := newSite(t)
	l := s.open(s.host("host@quiz.example")) // its poll makes the address the venue
	for i := range 100 {
		if status := l.scan(fmt.Sprintf("Team %d", i)); status != http.StatusCreated {
			t.Fatalf("phone %d: %d", i, status)
		}
	}
	if status := l.scan("One too many"); status != http.StatusTooManyRequests {
		t.Errorf("the phone after the last seat: %d", status)
	}
}

// TestCapacityIsTheRoomsBudget: the host opens more places, and the room's budgets grow with them.
func TestCapacityIsTheRoomsBudget(t *testing.T) {
	s := newSite(t)
	l := s.open(s.host("host@quiz.example"))
	r := l.host.send("POST", l.path("commands"), map[string]any{"version": l.version, "command": "setCapacity", "capacity": 130})
	if r.status != http.StatusOK {
		t.Fatal(r.body)
	}
	for i := range 130 {
		if status := l.scan(fmt.Sprintf("Team %d", i)); status != http.StatusCreated {
			t.Fatalf("phone %d: %d", i, status)
		}
	}
	r = l.host.send("POST", l.path("commands"), map[string]any{"version": l.version + 1, "command": "setCapacity", "capacity": 2001})
	if r.status != http.StatusUnprocessableEntity || r.json(t)["field"] != "capacity" {
		t.Errorf("more than there may be: %d %s", r.status, r.body)
	}
}

// TestVenueIsOnlyTheHosts: without its host's sign, an address has the table's budget, and so does the page of another
// session.
func TestVenueIsOnlyTheHosts(t *testing.T) {
	needsLimits(t)
	s := newSite(t)
	l := s.open(s.host("host@quiz.example"))
	if _, err := s.pool.Exec(t.Context(), `UPDATE sessions SET venue = '192.0.2.7/32', venue_until = now() + interval '1 minute'`); err != nil {
		t.Fatal(err)
	}
	until(t, "the venue's move", func() bool {
		v, ok := s.sessions.VenueOf(l.code)
		return ok && v.Network.String() == "192.0.2.7/32"
	})
	b := s.browser()
	for i := range ratelimit.PlayerPageLoad.Budget + 1 {
		want := http.StatusOK
		if i == ratelimit.PlayerPageLoad.Budget {
			want = http.StatusTooManyRequests
		}
		if r := b.get("/j/" + l.code); r.status != want {
			t.Fatalf("page %d: %d, want %d", i+1, r.status, want)
		}
	}
	if _, err := s.pool.Exec(t.Context(), `UPDATE sessions SET venue = '127.0.0.1/32', venue_until = now() - interval '1 second'`); err != nil {
		t.Fatal(err)
	}
	until(t, "the venue's end", func() bool {
		_, ok := s.sessions.VenueOf(l.code)
		return !ok
	})
	if r := b.get("/j/" + l.code); r.status != http.StatusTooManyRequests {
		t.Errorf("after the venue has lapsed: %d", r.status)
	}
}

// TestStrangersAtTheVenue: whoever does not know the code uses up nothing of the room's, the phones' or the host's.
func TestStrangersAtTheVenue(t *testing.T) {
	needsLimits(t)
	s := newSite(t)
	l := s.open(s.host("host@quiz.example"))
	phone := l.phone("Seated")
	bot := s.browser()
	for i := range ratelimit.Global.Budget + 10 {
		switch i % 4 {
		case 0:
			bot.get("/")
		case 1:
			bot.send("POST", "/api/v1/join/BBBBBB", map[string]string{"name": "x", "attempt": "0123456789abcdef"})
		case 2:
			bot.get("/j/BBBBBB")
		case 3:
			bot.get(l.path("participant"), "Authorization", "Bearer invented")
		}
	}
	if r := bot.get("/signin"); r.status != http.StatusTooManyRequests {
		t.Fatalf("the strangers' budget is not used up: %d", r.status)
	}
	if status := l.scan("Late but welcome"); status != http.StatusCreated {
		t.Errorf("a phone that knows the code: %d", status)
	}
	code := l.host.send("POST", l.path("rejoin-codes"), map[string]string{}).json(t)["code"].(string)
	if r := bot.get("/j/" + code); r.status != http.StatusOK {
		t.Errorf("the page of a rejoin code: %d", r.status)
	}
	if r := bot.send("POST", "/api/v1/rejoin/"+code, map[string]string{"name": "Invited", "attempt": "0123456789abcdef"}); r.status != http.StatusCreated {
		t.Errorf("a phone with a rejoin code: %d %s", r.status, r.body)
	}
	if r := phone.get("/play/" + l.id); r.status != http.StatusOK {
		t.Errorf("a seated phone loads its page again: %d", r.status)
	}
	if r := phone.get(l.path("participant")); r.status != http.StatusOK {
		t.Errorf("a seated phone polls: %d", r.status)
	}
	l.command("next") // fails the test if it is refused
	if r := l.host.get("/host/sessions/" + l.id); r.status != http.StatusOK {
		t.Errorf("the host loads the console again: %d", r.status)
	}
}

// TestHammeringPhoneStopsItselfOnly: a seated phone that polls without end is stopped by its own budget before it has
// used up the room's.
func TestHammeringPhoneStopsItselfOnly(t *testing.T) {
	needsLimits(t)
	s := newSite(t)
	l := s.open(s.host("host@quiz.example"))
	hammering, quiet := l.phone("Hammering"), l.phone("Quiet")
	for range 3 * ratelimit.Global.Budget {
		hammering.get(l.path("participant"))
	}
	if r := hammering.get(l.path("participant")); r.status != http.StatusTooManyRequests || r.json(t)["limiter"] != "sessionPoll" {
		t.Errorf("the hammering phone: %d %s", r.status, r.body)
	}
	if r := quiet.get(l.path("participant")); r.status != http.StatusOK {
		t.Errorf("the quiet phone: %d %s", r.status, r.body)
	}
}

// TestTheRemovedCannotUseUpTheRoomsBudget: those whom the host has removed may hammer on with their tokens.
func TestTheRemovedCannotUseUpTheRoomsBudget(t *testing.T) {
	needsLimits(t)
	s := newSite(t)
	l := s.open(s.host("host@quiz.example"))
	quiet := l.phone("Quiet")
	var removed []*browser
	var ids []string
	for i := range ratelimit.Global.Budget/ratelimit.SessionPoll.Budget + 1 {
		b := s.browser()
		ids = append(ids, l.joins(b, fmt.Sprintf("Bot %d", i)).json(t)["participant"].(string))
		removed = append(removed, b)
	}
	r := l.host.send("POST", l.path("commands"), map[string]any{"version": l.version, "command": "shutOut", "participants": ids})
	if r.status != http.StatusOK {
		t.Fatal(r.body)
	}
	for _, b := range removed {
		for range ratelimit.SessionPoll.Budget {
			b.get(l.path("participant"))
		}
	}
	if r := quiet.get(l.path("participant")); r.status != http.StatusOK {
		t.Errorf("a phone that is in: %d %s", r.status, r.body)
	}
}

// TestTheRemovedLoadNoPageOfTheSeated: a removed guest's token and one of a screen whose link was renewed are strangers' on pages, too, at their session's address and at
// one that was made up.
func TestTheRemovedLoadNoPageOfTheSeated(t *testing.T) {
	needsLimits(t)
	s := newSite(t)
	l := s.open(s.host("host@quiz.example"))
	quiet, other, removed, oldScreen := l.phone("Quiet"), l.phone("Other"), s.browser(), s.browser()
	id := l.joins(removed, "Removed").json(t)["participant"].(string)
	oldScreen.get(consoleBoot(t, l)["screenURL"].(string))
	if r := l.host.send("POST", l.path("commands"), map[string]any{"version": l.version, "command": "shutOut", "participants": []string{id}}); r.status != http.StatusOK {
		t.Fatal(r.body)
	}
	l.version = l.now()
	l.command("renewScreen")
	const madeUp = "zzzzzzzzzzzz"
	removed.cookie(participantCookie(madeUp), removed.value(participantCookie(l.id)))
	oldScreen.cookie(screenCookie(madeUp), oldScreen.value(screenCookie(l.id)))
	stranger := s.browser()
	for range ratelimit.PlayerPageLoad.Budget {
		stranger.get("/")
	}
	for name, r := range map[string]reply{
		"the removed": removed.get("/play/" + l.id), "the removed elsewhere": removed.get("/play/" + madeUp),
		"the old screen": oldScreen.get("/screen/" + l.id), "the old screen elsewhere": oldScreen.get("/screen/" + madeUp),
	} {
		if r.status != http.StatusTooManyRequests {
			t.Errorf("%s is no stranger: %d", name, r.status)
		}
	}
	if r := quiet.get("/play/" + l.id); r.status != http.StatusOK {
		t.Errorf("a phone that is in loads its page: %d", r.status)
	}

	// A seat of another session counts as what it is, and has nothing but its own.
	elsewhere := s.browser()
	elsewhere.cookie(participantCookie(madeUp), quiet.value(participantCookie(l.id)))
	for range ratelimit.SeatLoad.Budget + 1 {
		elsewhere.get("/play/" + madeUp)
	}
	if r := other.get("/play/" + l.id); r.status != http.StatusOK {
		t.Errorf("a phone beside one that loads pages of no session: %d", r.status)
	}
}

// TestAnOldTokenUsesUpNothingOfTheNew: a phone from which the seat was moved, and a big screen whose link was renewed, may hammer on. Whoever has the seat or the
// link now does not feel it.
func TestAnOldTokenUsesUpNothingOfTheNew(t *testing.T) {
	needsLimits(t)
	s := newSite(t)
	l := s.open(s.host("host@quiz.example"))
	old, phone := l.phone("Alice"), s.browser()
	id := l.poll(old, "participant")["personal"].(map[string]any)["participant"].(string)
	code := l.host.send("POST", l.path("rejoin-codes"), map[string]any{"participant": id}).json(t)["code"].(string)
	if r := phone.send("POST", "/api/v1/rejoin/"+code, map[string]string{"name": "", "attempt": "another-phone-of-Alice"}); r.status != http.StatusCreated {
		t.Fatalf("moving: %d %s", r.status, r.body)
	}
	oldScreen, screen := s.browser(), s.browser()
	oldScreen.get(consoleBoot(t, l)["screenURL"].(string))
	l.version = l.now()
	l.command("renewScreen")
	screen.get(consoleBoot(t, l)["screenURL"].(string))
	l.command("next")
	l.command("launch")
	answer := func(b *browser) reply {
		return b.send("POST", l.path("answers"), map[string]any{"id": "an-answer", "question": "1.1", "given": firstGiven()})
	}
	for range ratelimit.SubmitAnswer.Budget + 1 {
		answer(old)
	}
	for range ratelimit.SessionPoll.Budget + 1 {
		old.get(l.path("participant"))
		oldScreen.get(l.path("screen"))
	}
	for name, r := range map[string]reply{"the phone's answer": answer(phone), "its poll": phone.get(l.path("participant")), "the screen's poll": screen.get(l.path("screen"))} {
		if r.status != http.StatusOK {
			t.Errorf("%s: %d %s", name, r.status, r.body)
		}
	}

	stranger := s.browser()
	for range ratelimit.Global.Budget {
		stranger.get(l.path("screen"))
	}
	for name, r := range map[string]reply{"the old phone": old.get(l.path("participant")), "the old screen": oldScreen.get(l.path("screen"))} {
		if r.status != http.StatusTooManyRequests || r.json(t)["limiter"] != "global" {
			t.Errorf("%s is no stranger: %d %s", name, r.status, r.body)
		}
	}
	if r := screen.get(l.path("screen")); r.status != http.StatusOK {
		t.Errorf("the screen among strangers who hammer: %d %s", r.status, r.body)
	}
}

// TestManySeatsSilenceNobody: whoever has many seats, and asks with each for all that a seat may, uses up the room's
// budget but no phone's share of it.
func TestManySeatsSilenceNobody(t *testing.T) {
	needsLimits(t)
	s := newSite(t)
	l := s.open(s.host("host@quiz.example"))
	quiet, greedy := l.phone("Quiet"), l.phone("Greedy")
	began := time.Now()
	const enough = 70 // bots, whose polls beyond their shares use up the budget of the address
	for i := range enough {
		bot := l.phone(fmt.Sprintf("Bot %d", i))
		for range ratelimit.SessionPoll.Budget {
			bot.get(l.path("participant"))
		}
	}
	if took := time.Since(began); took > ratelimit.Global.Window*5/6 {
		t.Skipf("the bots took %v here, which is as long as the window that they were to fill", took)
	}
	for i := range ratelimit.SeatShare.Budget + 1 {
		if r := greedy.get(l.path("participant")); (r.status == http.StatusOK) != (i < ratelimit.SeatShare.Budget) {
			t.Errorf("poll %d of a phone: %d", i+1, r.status)
		}
	}
	if r := quiet.get(l.path("participant")); r.status != http.StatusOK {
		t.Errorf("a phone that has hardly polled: %d %s", r.status, r.body)
	}
}

// TestAGuestsAccountDoesNotSilenceTheHost: whoever has an account, and asks in the host's network for all that the signed in may, leaves the host a share.
func TestAGuestsAccountDoesNotSilenceTheHost(t *testing.T) {
	needsLimits(t)
	s := newSite(t)
	l := s.open(s.host("host@quiz.example"))
	guest := s.host("guest@quiz.example")
	everything := ratelimit.Global.For(ratelimit.SignedInKey(netip.MustParseAddr("127.0.0.1")))
	for range ratelimit.Global.Budget { // as by the guest's requests, which would take a part of the window
		if _, err := s.server.limiters.Allow(t.Context(), everything); err != nil {
			t.Fatal(err)
		}
	}
	for range ratelimit.SeatShare.Budget {
		guest.get("/account/two-step")
	}
	if r := guest.get("/account/two-step"); r.status != http.StatusTooManyRequests {
		t.Fatalf("the budget of the signed in is not used up: %d", r.status)
	}
	if r := l.host.get("/host/sessions/" + l.id); r.status != http.StatusOK {
		t.Errorf("the host loads the console: %d", r.status)
	}
	for _, name := range []string{"next", "launch", "close", "reveal"} {
		l.command(name) // fails the test if it is refused
	}
}
