package billing

import (
	"context"
	"errors"
	"slices"
	"strings"
	"sync"
	"testing"
)

func TestReconcile(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	alice, bob := s.user("alice"), s.user("bob")
	s.pay(s.checkout(alice, Pub, Month))
	s.subscribe(bob, Venue, Month)
	s.stripe.End(s.stripe.Subscriptions()[1].ID)
	_ = s.stripe.Events() // are lost
	report := s.reconcile()
	s.wantPlan(alice, Pub)
	s.wantPlan(bob, Free)
	if report.Subscriptions != 1 || len(report.Problems) > 0 {
		t.Errorf("the report is %+v", report)
	}
	if again := s.reconcile(); len(again.Changed) > 0 || len(again.Problems) > 0 {
		t.Errorf("the second report is %+v, want nothing to do", again)
	}
	s.stripe.SetDown(true)
	if _, err := s.Reconcile(t.Context()); !errors.Is(err, ErrUnavailable) {
		t.Errorf("while Stripe is down: %v, want ErrUnavailable", err)
	}
	s.wantPlan(alice, Pub)
}

func TestReconcilePrices(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	s.stripe.AddPrice("price_pub_month", "eur", "month", 950)
	s.stripe.AddPrice("price_pub_year", "gbp", "year", 9000)
	s.stripe.AddPrice("price_venue_month", "eur", "year", 2900)
	s.stripe.Archive("price_venue_year")
	report := s.reconcile()
	for _, want := range []string{"pub by the month, price_pub_month, is €9.50 at Stripe and €9.00 here", "is £90.00 at Stripe and €90.00 here", "venue by the month, price_venue_month, is charged in another interval", "price_venue_year, is archived"} {
		if !slices.ContainsFunc(report.Problems, func(p string) bool { return strings.Contains(p, want) }) {
			t.Errorf("no problem says %q: %q", want, report.Problems)
		}
	}
	if len(report.Problems) != 4 {
		t.Errorf("the problems are %q", report.Problems)
	}
}

// TestAdoption loses all of billing, as a restored backup does, and gets it back for whoever is sure to be the same.
func TestAdoption(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	alice, bob := s.user("alice"), s.user("bob")
	s.subscribe(alice, Pub, Month)
	s.subscribe(bob, Venue, Month)
	other := siteElsewhere(t, s)
	other.subscribe(other.user("carol"), Chain, Month) // somebody else's, at the same account of Stripe's, with the same number as alice
	s.exec(`DELETE FROM stripe_customers`)
	s.exec(`UPDATE users SET email = 'robert@example.org', email_key = 'robert@example.org' WHERE id = $1`, bob) // the number is another's now
	s.wantPlan(alice, Free)
	report := s.reconcile()
	s.wantPlan(alice, Pub)
	s.wantPlan(bob, Free)
	if len(report.Problems) != 1 || !strings.Contains(report.Problems[0], "no user is found") {
		t.Errorf("the problems are %q, want one about bob's customer", report.Problems)
	}
	if live := s.live(); len(live) != 3 {
		t.Errorf("there go on %+v, want all three", live)
	}
	other.wantPlan(1, Chain)
}

// TestAccountDeleted ends at Stripe what a deleted account has, as soon as Stripe is there.
func TestAccountDeleted(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	alice, bob := s.user("alice"), s.user("bob")
	s.subscribe(bob, Pub, Month)
	s.subscribe(alice, Pub, Month)
	if err := s.accounts.Delete(t.Context(), alice); err != nil {
		t.Fatal(err)
	}
	s.stripe.SetDown(true)
	if err := s.work(t.Context()); !errors.Is(err, ErrUnavailable) {
		t.Errorf("while Stripe is down: %v, want ErrUnavailable", err)
	}
	if live := s.live(); len(live) != 2 {
		t.Fatalf("there go on %+v", live)
	}
	s.stripe.SetDown(false)
	if err := s.work(t.Context()); err != nil {
		t.Error(err)
	}
	if live, customers := s.live(), s.stripe.Customers(); len(live) != 1 || len(customers) != 1 || live[0].Customer != customers[0] {
		t.Errorf("there go on %+v of %v, want bob's", live, customers)
	}
	s.receiveAll(s.stripe.Events()) // of the end of somebody who is gone
	s.wantPlan(bob, Pub)
	var left int
	if err := s.pool.QueryRow(t.Context(), `SELECT count(*) FROM stripe_customers`).Scan(&left); err != nil || left != 1 {
		t.Errorf("%d customers are left, %v", left, err)
	}
}

// TestRunOnTwoInstances reconciles once a day.
func TestRunOnTwoInstances(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	instances := []*Billing{s.Billing, s.instance()}
	compared := func() (times int) {
		var wg sync.WaitGroup
		for i := range 6 {
			wg.Go(func() {
				if err := instances[i%2].work(t.Context()); err != nil {
					t.Error(err)
				}
			})
		}
		wg.Wait()
		for _, asked := range s.stripe.Requests() {
			if asked == "GET /v1/subscriptions" {
				times++
			}
		}
		return times
	}
	s.exec(`INSERT INTO stripe_events (id, received_at) VALUES ('evt_old', now() - interval '31 days'), ('evt_new', now())`)
	if times := compared(); times != 1 {
		t.Errorf("on the first day all was compared %d times", times)
	}
	var events []string
	if err := s.pool.QueryRow(t.Context(), `SELECT array_agg(id) FROM stripe_events`).Scan(&events); err != nil || !slices.Equal(events, []string{"evt_new"}) {
		t.Errorf("the events are %q, %v; want the old one forgotten", events, err)
	}
	if times := compared(); times != 0 {
		t.Errorf("on the same day all was compared %d times more", times)
	}
	s.exec(`UPDATE billing_reconciliation SET due_at = due_at - interval '1 day'`)
	if times := compared(); times != 1 {
		t.Errorf("on the next day all was compared %d times", times)
	}
	// What failed is tried again the same day.
	s.exec(`UPDATE billing_reconciliation SET due_at = now()`)
	s.stripe.SetDown(true)
	if err := s.work(t.Context()); !errors.Is(err, ErrUnavailable) {
		t.Errorf("while Stripe is down: %v, want ErrUnavailable", err)
	}
	var soon bool
	if err := s.pool.QueryRow(t.Context(), `SELECT due_at < now() + interval '1 hour' FROM billing_reconciliation`).Scan(&soon); err != nil || !soon {
		t.Errorf("after a failure it is not soon tried again, %v", err)
	}
}

// TestRun has two instances do what is due, and end when they are told to.
func TestRun(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	alice := s.user("alice")
	s.subscribe(alice, Pub, Month)
	if err := s.accounts.Delete(t.Context(), alice); err != nil {
		t.Fatal(err)
	}
	_ = s.stripe.Requests()
	ctx, cancel := context.WithCancel(t.Context())
	var wg sync.WaitGroup
	for _, b := range []*Billing{s.Billing, s.instance()} {
		wg.Go(func() { b.Run(ctx) })
	}
	for done := false; !done; {
		const look = `SELECT NOT EXISTS (SELECT FROM stripe_customers) AND due_at > now() + interval '23 hours' FROM billing_reconciliation`
		if err := s.pool.QueryRow(t.Context(), look).Scan(&done); err != nil {
			t.Fatal(err)
		}
	}
	cancel()
	wg.Wait()
	if live := s.live(); len(live) > 0 {
		t.Errorf("there go on %+v of a deleted account", live)
	}
	compared := 0
	for _, asked := range s.stripe.Requests() {
		if asked == "GET /v1/subscriptions" {
			compared++
		}
	}
	if compared != 1 {
		t.Errorf("all was compared %d times", compared)
	}
}
