package billing

import (
	"encoding/json"
	"errors"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"
	"unicode/utf8"

	"pubquiz/internal/stripetest"
)

// ofType returns the last event of a type.
func ofType(t *testing.T, events []stripetest.Event, kind string) stripetest.Event {
	t.Helper()
	for _, e := range slices.Backward(events) {
		if e.Type == kind {
			return e
		}
	}
	t.Fatalf("there is no %s", kind)
	return stripetest.Event{}
}

func TestSeenElsewhereUpdatedBeforeCreated(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	alice := s.user("alice")
	s.pay(s.checkout(alice, Pub, Month))
	events := s.stripe.Events()
	s.receive(ofType(t, events, "customer.subscription.updated"))
	s.wantPlan(alice, Pub)
	s.receive(ofType(t, events, "customer.subscription.created")) // which says that it is incomplete
	s.wantPlan(alice, Pub)
}

func TestSeenElsewhereLateActiveAfterACancellation(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	alice := s.user("alice")
	s.pay(s.checkout(alice, Pub, Month))
	active := ofType(t, s.stripe.Events(), "customer.subscription.updated")
	s.stripe.End(s.live()[0].ID)
	s.receive(ofType(t, s.stripe.Events(), "customer.subscription.deleted"))
	s.wantPlan(alice, Free)
	s.receive(active)
	s.wantPlan(alice, Free)
}

// TestSeenElsewhereSameEventTwice counts by the letter about what an event has told.
func TestSeenElsewhereSameEventTwice(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	alice := s.user("alice")
	id := s.subscribe(alice, Pub, Month)
	s.stripe.SetCancelAtPeriodEnd(id, true)
	event := ofType(t, s.stripe.Events(), "customer.subscription.updated")
	_ = s.stripe.Requests()
	s.receive(event)
	if asked := s.stripe.Requests(); len(asked) == 0 {
		t.Error("Stripe was asked nothing about the event")
	}
	s.receive(event)
	if asked := s.stripe.Requests(); len(asked) > 0 {
		t.Errorf("Stripe was asked about an event that was dealt with: %v", asked)
	}
	if got := s.letters("alice"); len(got) != 1 || !strings.HasPrefix(got[0], "Your plan ends on ") {
		t.Errorf("the letters are %q, want one about the end", got)
	}
}

func TestSeenElsewhereSameEventInParallel(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	alice := s.user("alice")
	id := s.subscribe(alice, Pub, Month)
	s.stripe.EndPeriod(id, false)
	event := ofType(t, s.stripe.Events(), "invoice.payment_failed")
	instances := []*Billing{s.Billing, s.instance()}
	var wg sync.WaitGroup
	for i := range 10 {
		wg.Go(func() {
			if err := instances[i%2].Receive(t.Context(), event.Body, stripetest.Sign(event.Body, time.Now())); err != nil {
				t.Error(err)
			}
		})
	}
	wg.Wait()
	s.wantPlan(alice, Pub)
	if got := s.letters("alice"); !slices.Equal(got, []string{"A payment for your plan did not go through"}) {
		t.Errorf("the letters are %q, want one about the payment", got)
	}
}

func TestSeenElsewhereMissingSignature(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	alice := s.user("alice")
	s.pay(s.checkout(alice, Pub, Month))
	for _, e := range s.stripe.Events() {
		if err := s.Receive(t.Context(), e.Body, ""); !errors.Is(err, ErrSignature) {
			t.Errorf("%s without a signature: %v, want ErrSignature", e.Type, err)
		}
	}
	s.wantPlan(alice, Free)
}

// TestSeenElsewhereTwoActiveSubscriptions pays for a second one past the checkout, and keeps the first.
func TestSeenElsewhereTwoActiveSubscriptions(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	alice := s.user("alice")
	first := s.subscribe(alice, Pub, Month)
	second := s.stripe.Subscribe(s.stripe.Customers()[0], "price_venue_year")
	s.receiveAll(s.stripe.Events())
	s.wantPlan(alice, Pub)
	for _, x := range s.stripe.Subscriptions() {
		if want := x.ID == second; x.Refunded != want || (x.Status == "canceled") != want {
			t.Errorf("%+v, want the second of %s and %s refunded and cancelled", x, first, second)
		}
	}
	s.receiveAll(s.stripe.Events()) // of the refund
	s.reconcile()
	if got := s.letters("alice"); !slices.Equal(got, []string{"You paid twice, and have the second payment back"}) {
		t.Errorf("the letters are %q", got)
	}
}

// TestSeenElsewhereClientChosenPrice takes a plan's name only, and no price of the same account at Stripe that is sold elsewhere.
func TestSeenElsewhereClientChosenPrice(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	s.stripe.AddPrice("price_for_a_penny", "eur", "month", 1)
	alice := s.user("alice")
	for _, plan := range []Slug{"price_for_a_penny", "venue price_for_a_penny", "Venue", "venue "} {
		if _, err := s.Checkout(t.Context(), alice, plan, Month); err == nil {
			t.Errorf("the plan %q is sold", plan)
		}
	}
	s.pay(s.checkout(alice, Venue, Month))
	if live := s.live(); len(live) != 1 || live[0].Price != "price_venue_month" {
		t.Errorf("the subscriptions are %+v", live)
	}
}

// TestSecondSubscriptionAfterFailures refunds once and tells once, at whichever step Stripe fails first.
func TestSecondSubscriptionAfterFailures(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	alice := s.user("alice")
	s.subscribe(alice, Pub, Month)
	second := s.stripe.Subscribe(s.stripe.Customers()[0], "price_venue_month")
	s.stripe.Refund(second) // the refund went through, and nothing after it
	events := s.stripe.Events()
	s.stripe.SetDown(true)
	for _, e := range events {
		if !slices.Contains(Events(), e.Type) {
			continue
		}
		if err := s.Receive(t.Context(), e.Body, stripetest.Sign(e.Body, time.Now())); !errors.Is(err, ErrUnavailable) {
			t.Errorf("%s while Stripe is down: %v, want ErrUnavailable", e.Type, err)
		}
	}
	s.stripe.SetDown(false)
	s.receiveAll(events)
	s.receiveAll(s.stripe.Events())
	if live := s.live(); len(live) != 1 || live[0].ID == second {
		t.Errorf("there go on %+v, want the first", live)
	}
	if got := s.letters("alice"); !slices.Equal(got, []string{"You paid twice, and have the second payment back"}) {
		t.Errorf("the letters are %q", got)
	}
}

func TestMoneyThatWentBack(t *testing.T) {
	for name, back := range map[string]func(s *site, id string){
		"refund":                  func(s *site, id string) { s.stripe.Refund(id); s.receiveAll(s.stripe.Events()) },
		"dispute":                 func(s *site, id string) { s.stripe.Dispute(id); s.receiveAll(s.stripe.Events()) },
		"refund, the event lost":  func(s *site, id string) { s.stripe.Refund(id); _ = s.stripe.Events(); s.reconcile() },
		"dispute, the event lost": func(s *site, id string) { s.stripe.Dispute(id); _ = s.stripe.Events(); s.reconcile() },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := newSite(t)
			alice := s.user("alice")
			back(s, s.subscribe(alice, Pub, Month))
			s.wantPlan(alice, Free)
			if live := s.live(); len(live) > 0 {
				t.Errorf("there goes on %+v", live)
			}
			if got := s.letters("alice"); !slices.Equal(got, []string{"Your plan has ended"}) {
				t.Errorf("the letters are %q", got)
			}
		})
	}
}

func TestSignatures(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	body := []byte(`{"id":"evt_1","type":"customer.subscription.updated","data":{"object":{"id":"sub_1","object":"subscription","customer":"cus_of_nobody"}}}`)
	now := time.Now()
	good := stripetest.Sign(body, now)
	old, coming := stripetest.Sign(body, now.Add(-tolerance-time.Minute)), stripetest.Sign(body, now.Add(tolerance+time.Minute))
	fresh, _, _ := strings.Cut(good, ",")
	_, oldSum, _ := strings.Cut(old, ",")
	for name, c := range map[string]struct {
		body, signature string
		taken           bool
	}{
		"right":                         {string(body), good, true},
		"right after a wrong one":       {string(body), fresh + ",v1=00," + strings.TrimPrefix(good, fresh+","), true},
		"nearly too old":                {string(body), stripetest.Sign(body, now.Add(-tolerance+time.Minute)), true},
		"a clock that is ahead":         {string(body), stripetest.Sign(body, now.Add(tolerance-time.Minute)), true},
		"none":                          {string(body), "", false},
		"nonsense":                      {string(body), "trust me", false},
		"another scheme":                {string(body), strings.ReplaceAll(good, "v1=", "v0="), false},
		"another body":                  {string(body) + " ", good, false},
		"too old":                       {string(body), old, false},
		"too old, with a new time":      {string(body), fresh + "," + oldSum, false},
		"of a time to come":             {string(body), coming, false},
		"of a time to come, then fresh": {string(body), coming + "," + fresh, false},
		"of the end of time":            {string(body), stripetest.Sign(body, time.Unix(1<<62, 0)), false},
	} {
		err := s.Receive(t.Context(), []byte(c.body), c.signature)
		if c.taken && err != nil || !c.taken && !errors.Is(err, ErrSignature) {
			t.Errorf("%s: %v, want it taken: %v", name, err, c.taken)
		}
	}
}

// TestEventsOfNobody takes what is signed and says nothing to us, so that it does not come again; and refuses for good what is no event.
func TestEventsOfNobody(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	for body, invalid := range map[string]bool{
		`{"id":"evt_1","type":"customer.subscription.updated","data":{"object":{"id":"sub_1","object":"subscription","customer":"cus_of_nobody"}}}`:        false,
		`{"id":"evt_2","type":"customer.subscription.updated","data":{"object":{"id":"sub_1","object":"subscription","customer":{"id":"cus_of_nobody"}}}}`: false,
		`{"id":"evt_3","type":"customer.deleted","data":{"object":{"id":"cus_of_nobody","object":"customer"}}}`:                                            false,
		`{"id":"evt_4","type":"charge.dispute.created","data":{"object":{"id":"dp_1","object":"dispute","charge":"ch_of_nobody"}}}`:                        false,
		`{"id":"evt_5","type":"charge.refunded","data":{"object":{"id":"ch_1","object":"charge","customer":null}}}`:                                        false,
		`{"id":"evt_6","type":"product.created","data":{"object":{"id":"prod_1","object":"product"}}}`:                                                     false,
		`{"id":"evt_7","type":"customer.subscription.updated"}`:                                                                                            false,
		`{}`:                  true,
		``:                    true,
		`[]`:                  true,
		`{"id":"evt_\u0000"}`: true,
		`{"id":["evt_8"]}`:    true,
		`{"id":"evt_9"} {}`:   true,
	} {
		err := s.Receive(t.Context(), []byte(body), stripetest.Sign([]byte(body), time.Now()))
		if _, refused := errors.AsType[*InvalidError](err); refused != invalid || !invalid && err != nil {
			t.Errorf("%s: %v, want it refused: %v", body, err, invalid)
		}
	}
}

// FuzzReceive takes any body and signature: what Stripe has not signed is refused, and of what it has, what is read can be stored and asked for.
func FuzzReceive(f *testing.F) {
	f.Add([]byte(`{"id":"evt_1","type":"customer.subscription.updated","data":{"object":{"id":"sub_1","object":"subscription","customer":"cus_1"}}}`), "t=1700000000,v1=00")
	f.Add([]byte(`{"id":"evt_2","type":"charge.dispute.created","data":{"object":{"id":"dp_1","object":"dispute","charge":{"id":"ch_1","object":"charge"}}}}`), "")
	f.Add([]byte(`{"id":{"ID":"evt_3"},"TYPE":"customer.deleted","data":{"object":{"id":"cus_1","object":"customer"}}}`), "t=,v1=")
	f.Add([]byte(`{"id":null,"data":{"object":[]}}`), "t=9223372036854775807,v1=00,t=1")
	f.Add([]byte(`{"id":"\u0000"}`), "v1=")
	f.Add([]byte{0xff, 0xfe}, "t=1700000000,v1=zz")
	f.Fuzz(func(t *testing.T, body []byte, signature string) {
		b := &Billing{settings: Settings{WebhookSecret: stripetest.WebhookSecret}}
		if err := b.Receive(t.Context(), body, signature); !errors.Is(err, ErrSignature) {
			t.Fatalf("it was taken, or failed otherwise: %v", err)
		}
		if err := checkSignature(body, stripetest.Sign(body, time.Now()), stripetest.WebhookSecret); err != nil {
			t.Fatalf("a body that is signed is refused: %v", err)
		}
		event, err := readHint(body)
		if _, refused := errors.AsType[*InvalidError](err); refused != (err != nil) {
			t.Fatalf("the error is %v", err)
		}
		if err == nil && (!json.Valid(body) || event.ID == "") {
			t.Fatalf("this is an event: %q", body)
		}
		for _, id := range []objectID{event.ID, event.Data.Object.ID, event.Data.Object.Customer, event.Data.Object.Charge} {
			if len(id) > 255 || strings.ContainsRune(string(id), 0) || !utf8.ValidString(string(id)) {
				t.Fatalf("this is an id: %q", id)
			}
		}
	})
}
