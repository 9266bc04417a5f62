package main

import (
	"bytes"
	"errors"
	"net/http"
	"strings"
	"testing"
	"time"

	"pubquiz/account"
	"pubquiz/billing"
	"pubquiz/internal/dbtest"
	"pubquiz/internal/mail"
	"pubquiz/internal/postgres"
	"pubquiz/internal/stripetest"
)

// sold are the variables of a server that sells plans.
var sold = environment{
	"STRIPE_SECRET_KEY": stripetest.SecretKey, "STRIPE_WEBHOOK_SECRET": stripetest.WebhookSecret, "BILLING_CURRENCY": "gbp", "BILLING_PRICES": allPrices,
}

// stripeOf starts the Stripe of a configuration, with its prices.
func stripeOf(t *testing.T, c *config) *stripetest.Stripe {
	t.Helper()
	fake := stripetest.New(t)
	c.sold.StripeURL = fake.URL
	for _, p := range c.sold.Prices.Prices {
		fake.AddPrice(p.ID, c.sold.Currency, string(p.Interval), p.Amount)
	}
	return fake
}

// selling is a server that sells plans, and the Stripe at which they are paid for.
type selling struct {
	*server
	t      *testing.T
	base   string
	stripe *stripetest.Stripe
}

func startSelling(t *testing.T) *selling {
	t.Helper()
	s := &selling{t: t}
	s.server, s.base = startConfigured(t, sold, func(c *config) {
		c.tray = new(mail.Tray)
		s.stripe = stripeOf(t, c)
	})
	return s
}

// host makes a host whose address is confirmed, and returns the address that signs them in.
func (s *selling) host(email, name string) (user account.UserID, link string) {
	s.t.Helper()
	user, err := s.accounts.EnsureUser(s.t.Context(), email, name)
	if err != nil {
		s.t.Fatal(err)
	}
	if _, err := s.pool.Exec(s.t.Context(), `UPDATE users SET email_verified_at = now() WHERE id = $1`, user); err != nil {
		s.t.Fatal(err)
	}
	token, err := s.accounts.CreateLink(s.t.Context(), user)
	if err != nil {
		s.t.Fatal(err)
	}
	return user, s.base + "/signin/link?token=" + token
}

// tellAll has Stripe tell of everything that has happened there.
func (s *selling) tellAll() {
	s.t.Helper()
	for _, e := range s.stripe.Events() {
		request, err := http.NewRequestWithContext(s.t.Context(), http.MethodPost, s.base+"/webhooks/stripe", bytes.NewReader(e.Body))
		if err != nil {
			s.t.Fatal(err)
		}
		request.Header.Set("Stripe-Signature", stripetest.Sign(e.Body, time.Now()))
		answer, err := http.DefaultClient.Do(request)
		if err != nil {
			s.t.Fatal(err)
		}
		answer.Body.Close()
		if answer.StatusCode != http.StatusOK {
			s.t.Fatalf("%s: %s", e.Type, answer.Status)
		}
	}
}

// TestReconcile finds what no event has told of, and says what somebody has to look at.
func TestReconcile(t *testing.T) {
	t.Parallel()
	c, err := readConfig(environment{"DATABASE_URL": dbtest.URL(t), "BASE_URL": "http://localhost:8080", "SECRET_KEYS": keyA}.with(sold))
	if err != nil {
		t.Fatal(err)
	}
	stripe := stripeOf(t, &c)
	pool, err := postgres.Open(t.Context(), string(c.DatabaseURL))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(pool.Close)
	alice, err := account.New(pool, account.Config{BaseURL: c.BaseURL.url()}).EnsureUser(t.Context(), "alice@crown.example", "The Crown")
	if err != nil {
		t.Fatal(err)
	}
	plans, err := c.plans(pool, nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	address, err := plans.Checkout(t.Context(), alice, billing.Venue, billing.Year)
	if err != nil {
		t.Fatal(err)
	}
	if err := stripe.Pay(address); err != nil {
		t.Fatal(err)
	}
	stripe.AddPrice("price_1", "gbp", "month", 950)
	for _, want := range []string{"subscriptions: 1, changed: 1, to look at: 1\nchanged: ", "subscriptions: 1, changed: 0, to look at: 1\nto look at: "} {
		var out strings.Builder
		if err := reconcile(t.Context(), c, &out); err != nil || !strings.HasPrefix(out.String(), want) || !strings.Contains(out.String(), "price_1") {
			t.Errorf("%v\n%s\nwant %s", err, out.String(), want)
		}
	}
	if standing, err := plans.Standing(t.Context(), alice); err != nil || standing.Plan.Slug != billing.Venue {
		t.Errorf("the plan is %s, %v", standing.Plan.Slug, err)
	}
	stripe.SetDown(true)
	if err := reconcile(t.Context(), c, new(strings.Builder)); !errors.Is(err, billing.ErrUnavailable) {
		t.Errorf("with Stripe away: %v", err)
	}
	c.sold = nil
	if err := reconcile(t.Context(), c, new(strings.Builder)); err == nil || !strings.Contains(err.Error(), "STRIPE_SECRET_KEY is not set") {
		t.Errorf("where nothing is sold: %v", err)
	}
}

// TestNothingIsSoldWithoutAKey: where the configuration has no key, no page speaks of plans, and none of theirs is there.
func TestNothingIsSoldWithoutAKey(t *testing.T) {
	t.Parallel()
	s, base := startTest(t)
	if _, err := s.accounts.EnsureUser(t.Context(), demoEmail, demoName); err != nil {
		t.Fatal(err)
	}
	for _, path := range []string{"/pricing", "/api/v1/pricing"} {
		answer, err := http.Get(base + path)
		if err != nil {
			t.Fatal(err)
		}
		answer.Body.Close()
		if answer.StatusCode != http.StatusNotFound {
			t.Errorf("%s: %s", path, answer.Status)
		}
	}
	answer, err := http.Post(base+"/webhooks/stripe", "application/json", strings.NewReader("{}"))
	if err != nil {
		t.Fatal(err)
	}
	answer.Body.Close()
	if answer.StatusCode != http.StatusNotFound {
		t.Errorf("the webhook: %s", answer.Status)
	}
}
