package billing

import (
	"slices"
	"strings"
	"testing"
)

// TestStatuses says what each of Stripe's statuses is worth.
func TestStatuses(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	alice := s.user("alice")
	id := s.subscribe(alice, Venue, Month)
	for _, c := range []struct {
		status  string
		cancel  string // SQL
		pastDue string // SQL
		want    Slug
	}{
		{"active", "NULL", "NULL", Venue},
		{"trialing", "NULL", "NULL", Venue},
		{"active", "now() + interval '1 minute'", "NULL", Venue},
		{"active", "now() - interval '1 minute'", "NULL", Free}, // the event of the end was lost
		{"trialing", "now() - interval '1 minute'", "NULL", Free},
		{"past_due", "NULL", "now()", Venue},
		{"past_due", "NULL", "now() - interval '13 days 23 hours'", Venue},
		{"past_due", "NULL", "now() - interval '14 days 1 minute'", Free},
		{"past_due", "now() - interval '1 minute'", "now()", Free},
		{"unpaid", "NULL", "NULL", Free},
		{"paused", "NULL", "NULL", Free},
		{"incomplete", "NULL", "NULL", Free},
		{"incomplete_expired", "NULL", "NULL", Free},
		{"canceled", "NULL", "NULL", Free},
	} {
		s.exec(`UPDATE subscriptions SET status = $1, cancel_at = `+c.cancel+`, past_due_since = `+c.pastDue+` WHERE id = $2`, c.status, id)
		s.wantPlan(alice, c.want)
		if t.Failed() {
			t.Fatalf("%+v", c)
		}
	}
	s.exec(`UPDATE subscriptions SET status = 'active', refunded = true`) // a second one that was paid back, and is about to be cancelled
	s.wantPlan(alice, Free)
}

// TestPastDue goes on for fourteen days from when it was first seen, however often it is seen again.
func TestPastDue(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	alice := s.user("alice")
	id := s.subscribe(alice, Pub, Month)
	s.stripe.EndPeriod(id, false)
	s.receiveAll(s.stripe.Events())
	s.wantPlan(alice, Pub)
	standing := s.standing(alice)
	if standing.Status != "past_due" || standing.PastDueUntil == nil {
		t.Fatalf("the standing is %+v", standing)
	}
	s.exec(`UPDATE subscriptions SET past_due_since = now() - interval '14 days 1 second'`)
	s.reconcile() // it still is past due
	s.wantPlan(alice, Free)
	s.stripe.PayLate(id)
	s.receiveAll(s.stripe.Events())
	s.wantPlan(alice, Pub)
	if standing := s.standing(alice); standing.PastDueUntil != nil || standing.Status != "active" {
		t.Errorf("paid late, the standing is %+v", standing)
	}
	s.stripe.EndPeriod(id, false)
	s.receiveAll(s.stripe.Events())
	s.wantPlan(alice, Pub)
	want := "A payment for your plan did not go through"
	if got := s.letters("alice"); !slices.Equal(got, []string{want, want}) {
		t.Errorf("the letters are %q", got)
	}
}

func TestCancelAtPeriodEnd(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	alice := s.user("alice")
	id := s.subscribe(alice, Pub, Month)
	s.stripe.SetCancelAtPeriodEnd(id, true)
	s.receiveAll(s.stripe.Events())
	s.wantPlan(alice, Pub)
	if standing := s.standing(alice); standing.EndsAt == nil || standing.RenewsAt != nil {
		t.Errorf("the standing is %+v", standing)
	}
	s.exec(`UPDATE subscriptions SET cancel_at = now()`) // time passes
	s.stripe.EndPeriod(id, true)
	_ = s.stripe.Events() // of the end are lost
	s.wantPlan(alice, Free)
	if report := s.reconcile(); len(report.Changed) != 1 {
		t.Errorf("the report is %+v", report)
	}
	s.wantPlan(alice, Free)
	got := s.letters("alice")
	if len(got) != 2 || !strings.HasPrefix(got[0], "Your plan ends on ") || got[1] != "Your plan has ended" {
		t.Errorf("the letters are %q", got)
	}
	s.subscribe(alice, Venue, Year)
	s.wantPlan(alice, Venue)
}

func TestChangeOfPlan(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	alice := s.user("alice")
	id := s.subscribe(alice, Venue, Month)
	for _, to := range []Price{{Plan: Pub, ID: "price_pub_year"}, {Plan: Chain, ID: "price_chain_month"}, {Plan: Venue, ID: "price_venue_month"}} {
		s.stripe.SetPrice(id, to.ID)
		s.receiveAll(s.stripe.Events())
		s.wantPlan(alice, to.Plan)
		if standing := s.standing(alice); standing.Bought != to.Plan {
			t.Errorf("at %s the standing is %+v", to.ID, standing)
		}
	}
	// A price from before the configuration was changed leaves the plan as it is.
	s.settings.Prices = Prices{"eur", slices.Clone(testPrices.Prices)}
	for i, price := range s.settings.Prices.Prices {
		s.settings.Prices.Prices[i].ID = price.ID + "_from_now"
	}
	s.stripe.SetCancelAtPeriodEnd(id, true)
	s.receiveAll(s.stripe.Events())
	s.wantPlan(alice, Venue)
	// Moved to another such price, for whatever it is, a larger plan does not come cheaper.
	s.stripe.SetPrice(id, "price_pub_month")
	s.receiveAll(s.stripe.Events())
	s.wantPlan(alice, Pub)
	s.stripe.SetPrice(id, "price_chain_month")
	s.receiveAll(s.stripe.Events())
	s.wantPlan(alice, Pub)
}

// TestChangeWithoutPaying gives no larger plan until it is paid: that a payment may be late is for what was paid before.
func TestChangeWithoutPaying(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	alice := s.user("alice")
	id := s.subscribe(alice, Pub, Month)
	s.stripe.EndPeriod(id, false)
	s.stripe.SetPrice(id, "price_chain_month")
	s.receiveAll(s.stripe.Events())
	s.wantPlan(alice, Pub)
	s.reconcile()
	s.wantPlan(alice, Pub)
	s.stripe.PayLate(id)
	s.receiveAll(s.stripe.Events())
	s.wantPlan(alice, Chain)
}
