package web

import (
	"net/http"
	"strings"
	"testing"
	"time"

	"pubquiz/internal/stripetest"
	"pubquiz/ratelimit"
)

// paid is a site whose host has paid, of which Stripe has not told yet, and an event that tells of it.
func paid(t *testing.T, limits ...ratelimit.Option) (s *site, host *browser, e stripetest.Event) {
	s = newSite(t, limits...)
	host = s.host("alice@example.org")
	if err := s.stripe.Pay(host.leads(host.choose("pub", "month"))); err != nil {
		t.Fatal(err)
	}
	for _, e := range s.stripe.Events() {
		if e.Type == "checkout.session.completed" {
			return s, host, e
		}
	}
	t.Fatal("Stripe tells of no checkout")
	return
}

// TestWhatIsNotSignedChangesNothing sends an event with every signature but the right one.
func TestWhatIsNotSignedChangesNothing(t *testing.T) {
	s, host, e := paid(t)
	right := stripetest.Sign(e.Body, time.Now())
	for what, header := range map[string][]string{
		"no signature":             nil,
		"an empty one":             {"Stripe-Signature", ""},
		"one of nothing":           {"Stripe-Signature", "t=,v1="},
		"another body's":           {"Stripe-Signature", stripetest.Sign([]byte("{}"), time.Now())},
		"one of ten minutes ago":   {"Stripe-Signature", stripetest.Sign(e.Body, time.Now().Add(-10*time.Minute))},
		"one of ten minutes hence": {"Stripe-Signature", stripetest.Sign(e.Body, time.Now().Add(10*time.Minute))},
		"in another header":        {"Signature", right},
		"of an older scheme":       {"Stripe-Signature", strings.Replace(right, "v1=", "v0=", 1)},
	} {
		r := s.browser().send("POST", "/webhooks/stripe", string(e.Body), header...)
		if r.status != http.StatusBadRequest || !strings.HasSuffix(r.json(t)["type"].(string), "/signature") {
			t.Errorf("%s: %d %s", what, r.status, r.body)
		}
	}
	if r := s.browser().send("POST", "/webhooks/stripe", string(e.Body)+" ", "Stripe-Signature", right); r.status != http.StatusBadRequest {
		t.Errorf("a body with a space more: %d", r.status)
	}
	if asked := s.stripe.Requests(); len(asked) > 4 { // to make customer, checkout and page; the webhook asks for subscriptions
		t.Errorf("Stripe was asked for %v", asked)
	}
	wantShows(t, host.get("/account/billing"), http.StatusOK, ">Free<")
	if r := s.tell(e); r.status != http.StatusOK || r.json(t)["received"] != true {
		t.Fatalf("signed: %d %s", r.status, r.body)
	}
	wantShows(t, host.get("/account/billing"), http.StatusOK, ">Pub<")
}

func TestEventsAreBounded(t *testing.T) {
	const longest = 64 << 10
	s := newSite(t)
	signed := func(size int) int {
		body := `{"id":"evt_1","type":"x","pad":"`
		body += strings.Repeat("x", size-len(body)-2) + `"}`
		return s.tell(stripetest.Event{Body: []byte(body)}).status
	}
	if status := signed(longest); status != http.StatusOK {
		t.Errorf("an event of 64 kB: %d", status)
	}
	if status := signed(longest + 1); status != http.StatusRequestEntityTooLarge {
		t.Errorf("a byte more: %d", status)
	}
}

// TestWhatCannotBeDoneIsSentAgain: while Stripe cannot be asked what an event is about, the event is answered as not taken, and taken later.
func TestWhatCannotBeDoneIsSentAgain(t *testing.T) {
	s, host, e := paid(t)
	s.stripe.SetDown(true)
	for range 2 {
		if r := s.tell(e); r.status < 500 {
			t.Fatalf("taken while Stripe is down: %d %s", r.status, r.body)
		}
	}
	s.stripe.SetDown(false)
	for range 2 { // and once more, as Stripe does
		if r := s.tell(e); r.status != http.StatusOK {
			t.Fatalf("%d %s", r.status, r.body)
		}
	}
	wantShows(t, host.get("/account/billing"), http.StatusOK, ">Pub<")
}

// TestNoLimitHoldsAnEventUp: the events of all pubs come from Stripe's few addresses, and one that is held up is somebody who has paid and waits.
func TestNoLimitHoldsAnEventUp(t *testing.T) {
	needsLimits(t)
	s, host, e := paid(t)
	b := s.browser()
	for range ratelimit.Global.Budget + 1 {
		b.get("/nothing")
	}
	wantShows(t, b.get("/nothing"), http.StatusTooManyRequests)
	if r := s.tell(e); r.status != http.StatusOK {
		t.Errorf("%d %s", r.status, r.body)
	}
	wantShows(t, host.get("/account/billing"), http.StatusOK, ">Pub<")
}
