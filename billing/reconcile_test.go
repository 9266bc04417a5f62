package billing

import (
	"context"
	"errors"
	"slices"
	"strings"
	"sync"
	"testing"

	"pubquiz/account"
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
	s.exec(`UPDATE users SET email = 'alice@example.com', email_key = 'alice@example.com' WHERE id = $1`, alice) // as it was when the backup was made
	s.exec(`UPDATE users SET created_at = now() + interval '1 minute' WHERE id = $1`, bob)                       // the number is another's now, with the same address
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

// TestPaidAfterDeletion gives back what somebody pays on a page that was still open when they deleted their account, and lets nobody pay on it later. What they had before is not paid back.
func TestPaidAfterDeletion(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	had, paid, open := s.user("alice"), s.user("bob"), s.user("carol")
	s.subscribe(had, Pub, Month)
	quick, slow := s.checkout(paid, Venue, Year), s.checkout(open, Pub, Month)
	for _, user := range []account.UserID{had, paid, open} {
		if err := s.accounts.Delete(t.Context(), user); err != nil {
			t.Fatal(err)
		}
	}
	s.pay(quick)
	s.receiveAll(s.stripe.Events())
	if err := s.work(t.Context()); err != nil {
		t.Fatal(err)
	}
	if err := s.stripe.Pay(slow); err == nil {
		t.Error("the page of an account that is gone can still be paid on")
	}
	all := s.stripe.Subscriptions()
	if len(all) != 2 || all[0].Refunded || !all[1].Refunded || len(s.live()) > 0 || len(s.stripe.Customers()) > 0 {
		t.Errorf("there are %+v, want both ended and the second one paid back, and the customers %v", all, s.stripe.Customers())
	}
	var left int
	if err := s.pool.QueryRow(t.Context(), `SELECT (SELECT count(*) FROM stripe_customers) + (SELECT count(*) FROM subscriptions)`).Scan(&left); err != nil || left != 0 {
		t.Errorf("%d rows are left, %v", left, err)
	}
}

// TestAddressFollows has Stripe send bills to where the host reads mail now, and leaves alone what somebody has entered there.
func TestAddressFollows(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	alice, bob := s.user("alice"), s.user("bob")
	s.subscribe(alice, Pub, Month)
	s.subscribe(bob, Pub, Month)
	customers := s.stripe.Customers()
	_ = s.stripe.Requests()
	work := func() (changed int) {
		t.Helper()
		if err := s.work(t.Context()); err != nil {
			t.Fatal(err)
		}
		for _, asked := range s.stripe.Requests() {
			if asked == "POST /v1/customers/{id}" {
				changed++
			}
		}
		return changed
	}
	if changed := work(); changed != 0 {
		t.Errorf("%d addresses changed of which none had", changed)
	}
	s.exec(`UPDATE users SET email = 'alice@example.com', email_key = 'alice@example.com' WHERE id = $1`, alice)
	s.stripe.SetDown(true)
	if err := s.work(t.Context()); !errors.Is(err, ErrUnavailable) {
		t.Errorf("while Stripe is down: %v, want ErrUnavailable", err)
	}
	s.stripe.SetDown(false)
	_ = s.stripe.Requests()
	if changed := work(); changed != 1 || s.stripe.Email(customers[0]) != "alice@example.com" || s.stripe.Email(customers[1]) != "bob@example.org" {
		t.Errorf("%d addresses changed, and are %s and %s", changed, s.stripe.Email(customers[0]), s.stripe.Email(customers[1]))
	}
	if changed := work(); changed != 0 {
		t.Errorf("%d addresses changed again", changed)
	}
	s.stripe.DeleteCustomer(customers[0])
	s.exec(`UPDATE users SET email = 'alice@example.net', email_key = 'alice@example.net' WHERE id = $1`, alice)
	work() // finds out that there is nobody to tell of it
	s.wantPlan(alice, Free)
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
	const invite = `INSERT INTO plan_invitations (subscriber_id, email, email_key, expires_at) SELECT $1, a, a, now() + d FROM (VALUES ('old@example.org', -interval '1 second'), ('new@example.org', interval '1 hour')) AS i (a, d)`
	s.exec(invite, s.user("alice"))
	if times := compared(); times != 1 {
		t.Errorf("on the first day all was compared %d times", times)
	}
	var events []string
	if err := s.pool.QueryRow(t.Context(), `SELECT array_agg(id) FROM stripe_events`).Scan(&events); err != nil || !slices.Equal(events, []string{"evt_new"}) {
		t.Errorf("the events are %q, %v; want the old one forgotten", events, err)
	}
	var invited []string
	if err := s.pool.QueryRow(t.Context(), `SELECT array_agg(email) FROM plan_invitations`).Scan(&invited); err != nil || !slices.Equal(invited, []string{"new@example.org"}) {
		t.Errorf("invited are %q, %v; want the address forgotten that has not answered", invited, err)
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
		if asked == "GET /v1/prices/{id}" {
			compared++
		}
	}
	if compared != len(testPrices.Prices) {
		t.Errorf("%d prices were compared, want each once", compared)
	}
}
