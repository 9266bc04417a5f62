package billing

import (
	"errors"
	"slices"
	"sync"
	"testing"

	"pubquiz/account"
)

func TestCheckout(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	alice := s.user("alice")
	address := s.checkout(alice, Pub, Month)
	if again := s.checkout(alice, Pub, Month); again != address {
		t.Errorf("asked twice, the pages are %s and %s", address, again)
	}
	s.wantPlan(alice, Free) // nothing is granted before it is paid
	s.pay(address)
	s.wantPlan(alice, Free) // nor before Stripe has told of it
	s.receiveAll(s.stripe.Events())
	s.wantPlan(alice, Pub)
	if _, err := s.Checkout(t.Context(), alice, Venue, Year); !errors.Is(err, ErrSubscribed) {
		t.Errorf("a second checkout: %v, want ErrSubscribed", err)
	}
	standing := s.standing(alice)
	if standing.Status != "active" || standing.Interval != Month || standing.Amount != 900 || standing.Currency != "eur" || standing.RenewsAt == nil || standing.EndsAt != nil || !standing.Customer {
		t.Errorf("the standing is %+v", standing)
	}
}

func TestCheckoutOfWhatIsNotSold(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	alice := s.user("alice")
	for _, c := range []struct {
		plan     Slug
		interval Interval
		field    string
	}{
		{Free, Month, "plan"}, {"", Month, "plan"}, {"gold", Month, "plan"}, {"price_pub_month", Month, "plan"}, {Pub, "", "interval"}, {Pub, "week", "interval"}, {Pub, "price_venue_month", "interval"},
	} {
		_, err := s.Checkout(t.Context(), alice, c.plan, c.interval)
		if invalid, ok := errors.AsType[*InvalidError](err); !ok || invalid.Field != c.field {
			t.Errorf("%q by the %q: %v, want the field %s refused", c.plan, c.interval, err, c.field)
		}
	}
	if asked := s.stripe.Requests(); len(asked) > 0 {
		t.Errorf("Stripe was asked %v", asked)
	}
}

// TestCheckoutOfAnotherPlan leaves one page on which a user can pay: the last that they chose.
func TestCheckoutOfAnotherPlan(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	alice := s.user("alice")
	pub := s.checkout(alice, Pub, Month)
	venue := s.checkout(alice, Venue, Month)
	if err := s.stripe.Pay(pub); err == nil {
		t.Error("the page that was left can still be paid on")
	}
	s.pay(venue)
	// Before any event has arrived, the next checkout finds out by itself.
	if _, err := s.Checkout(t.Context(), alice, Chain, Month); !errors.Is(err, ErrSubscribed) {
		t.Errorf("another checkout: %v, want ErrSubscribed", err)
	}
	s.wantPlan(alice, Venue)
}

func TestCheckoutAfterAnEnd(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	alice := s.user("alice")
	s.pay(s.checkout(alice, Pub, Month))
	s.stripe.End(s.live()[0].ID)
	_ = s.stripe.Events() // are all lost
	s.pay(s.checkout(alice, Pub, Month))
	s.receiveAll(s.stripe.Events())
	s.wantPlan(alice, Pub)
	if all := s.stripe.Subscriptions(); len(all) != 2 || all[0].Refunded {
		t.Errorf("the subscriptions are %+v, want the first ended and not refunded", all)
	}
}

// TestCheckoutsAtOnce has somebody choose twenty times at the same moment, and pay wherever that is possible.
func TestCheckoutsAtOnce(t *testing.T) {
	for name, plans := range map[string][]Slug{"same plan": {Pub}, "mixed plans": {Pub, Venue, Chain}} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := newSite(t)
			alice := s.user("alice")
			instances := []*Billing{s.Billing, s.instance()}
			const times = 20
			addresses := make([]string, times)
			var wg sync.WaitGroup
			for i := range times {
				wg.Go(func() {
					var err error
					if addresses[i], err = instances[i%2].Checkout(t.Context(), alice, plans[i%len(plans)], Month); err != nil && !errors.Is(err, ErrUnavailable) {
						t.Error(err)
					}
				})
			}
			wg.Wait()
			slices.Sort(addresses)
			paid := 0
			for _, address := range slices.Compact(addresses) {
				if address != "" && s.stripe.Pay(address) == nil {
					paid++
				}
			}
			if paid > 1 || len(plans) == 1 && paid != 1 {
				t.Errorf("it could be paid %d times", paid)
			}
			if paid == 0 { // the last who chose was told to try again
				s.pay(s.checkout(alice, Pub, Month))
			}
			s.receiveAll(s.stripe.Events())
			if live := s.live(); len(live) != 1 || len(s.stripe.Subscriptions()) != 1 {
				t.Errorf("the subscriptions are %+v, want one", s.stripe.Subscriptions())
			}
			if customers := s.stripe.Customers(); len(customers) != 1 {
				t.Errorf("the customers are %v, want one", customers)
			}
		})
	}
}

func TestCheckoutWhileStripeIsDown(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	alice := s.user("alice")
	s.stripe.SetDown(true)
	if _, err := s.Checkout(t.Context(), alice, Pub, Month); !errors.Is(err, ErrUnavailable) {
		t.Errorf("the checkout: %v, want ErrUnavailable", err)
	}
	s.stripe.SetDown(false)
	s.subscribe(alice, Pub, Month)
	s.wantPlan(alice, Pub)
	s.stripe.SetDown(true)
	if _, err := s.Portal(t.Context(), alice); !errors.Is(err, ErrUnavailable) {
		t.Errorf("the portal: %v, want ErrUnavailable", err)
	}
	if _, err := s.Invoices(t.Context(), alice); !errors.Is(err, ErrUnavailable) {
		t.Errorf("the invoices: %v, want ErrUnavailable", err)
	}
	s.wantPlan(alice, Pub)
}

// TestCustomerDeletedAtStripe begins anew with somebody whose customer was deleted in the dashboard, whether or not that was heard of.
func TestCustomerDeletedAtStripe(t *testing.T) {
	for name, remove := range map[string]func(s *site, customer string){
		"told of":  func(s *site, customer string) { s.stripe.DeleteCustomer(customer); s.receiveAll(s.stripe.Events()) },
		"unheard":  func(s *site, customer string) { s.stripe.DeleteCustomer(customer); _ = s.stripe.Events() },
		"unknown":  func(s *site, customer string) { s.stripe.Forget(customer) },
		"compared": func(s *site, customer string) { s.stripe.Forget(customer); s.reconcile() },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := newSite(t)
			alice := s.user("alice")
			s.subscribe(alice, Pub, Month)
			remove(s, s.stripe.Customers()[0])
			if _, err := s.Portal(t.Context(), alice); !errors.Is(err, ErrNoCustomer) {
				t.Errorf("the portal: %v, want ErrNoCustomer", err)
			}
			s.wantPlan(alice, Free)
			if got := s.letters("alice"); !slices.Equal(got, []string{"Your plan has ended"}) {
				t.Errorf("the letters are %q", got)
			}
			s.subscribe(alice, Venue, Year)
			s.wantPlan(alice, Venue)
		})
	}
}

// TestCheckoutOfACustomerDeletedAtStripe has nothing but the checkout to find out.
func TestCheckoutOfACustomerDeletedAtStripe(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	alice := s.user("alice")
	s.checkout(alice, Pub, Month)
	s.stripe.DeleteCustomer(s.stripe.Customers()[0])
	_ = s.stripe.Events()
	s.exec(`DELETE FROM checkouts`)
	s.subscribe(alice, Venue, Month)
	s.wantPlan(alice, Venue)
}

func TestPortalAndInvoices(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	alice, bob := s.user("alice"), s.user("bob")
	for _, user := range []account.UserID{alice, bob} {
		if _, err := s.Portal(t.Context(), user); !errors.Is(err, ErrNoCustomer) {
			t.Errorf("the portal of nobody: %v", err)
		}
		if invoices, err := s.Invoices(t.Context(), user); err != nil || len(invoices) != 0 {
			t.Errorf("the invoices of nobody: %v, %v", invoices, err)
		}
	}
	id := s.subscribe(alice, Pub, Month)
	s.stripe.EndPeriod(id, false)
	address, err := s.Portal(t.Context(), alice)
	if err != nil || address == "" {
		t.Errorf("the portal is %q, %v", address, err)
	}
	invoices, err := s.Invoices(t.Context(), alice)
	if err != nil || len(invoices) != 2 {
		t.Fatalf("the invoices are %+v, %v", invoices, err)
	}
	if latest := invoices[0]; latest.Status != "open" || latest.Amount != 900 || latest.Currency != "eur" || latest.Number == "" || latest.Link == "" || latest.Date.IsZero() {
		t.Errorf("the latest invoice is %+v", latest)
	}
	if first := invoices[1]; first.Status != "paid" {
		t.Errorf("the first invoice is %+v", first)
	}
}
