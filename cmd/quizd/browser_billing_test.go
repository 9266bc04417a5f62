package main

import (
	"bytes"
	"net/http"
	"strings"
	"testing"
	"time"

	"pubquiz/account"
	"pubquiz/internal/browsertest"
	"pubquiz/internal/mail"
	"pubquiz/internal/stripetest"
	"pubquiz/quiz"
)

// selling is a server that sells plans, and the Stripe at which they are paid for.
type selling struct {
	*server
	t      *testing.T
	base   string
	stripe *stripetest.Stripe
}

func startSelling(t *testing.T) *selling {
	t.Helper()
	s := &selling{t: t, stripe: stripetest.New(t)}
	s.server, s.base = startConfigured(t, environment{
		"STRIPE_SECRET_KEY": stripetest.SecretKey, "STRIPE_WEBHOOK_SECRET": stripetest.WebhookSecret, "BILLING_CURRENCY": "gbp", "BILLING_PRICES": allPrices,
	}, func(c *config) {
		c.tray = new(mail.Tray)
		c.sold.StripeURL = s.stripe.URL
		for _, p := range c.sold.Prices.Prices {
			s.stripe.AddPrice(p.ID, c.sold.Currency, string(p.Interval), p.Amount)
		}
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

// TestPlansInBrowsers goes with a host from the free plan to a paid one in the middle of an evening, and back again.
func TestPlansInBrowsers(t *testing.T) {
	t.Parallel()
	s := startSelling(t)
	alice, link := s.host("alice@crown.example", "The Crown")
	b := browsertest.Start(t)
	laptop, phone := b.Person("the host", browsertest.Laptop), b.Person("the host's phone", browsertest.Phone)

	laptop.Open(s.base + "/")
	laptop.Click("Plans and prices")
	laptop.See("h1", "Free for one pub")
	laptop.See(".plan", "£9.00")
	laptop.Miss(".plan", "£90.00")
	show(laptop, "pricing-stranger")
	phone.Open(s.base + "/pricing")
	show(phone, "phone-pricing")
	laptop.Click("Sign up for Pub")
	laptop.See("h1", "Host a quiz")
	for _, page := range []*browsertest.Page{laptop, phone} {
		if page == phone {
			_, link = s.host("alice@crown.example", "The Crown")
		}
		page.Open(link)
		page.Click("Sign in")
		page.See("h1", "Your quizzes")
	}

	if _, err := s.quizzes.Create(t.Context(), quiz.OwnerID(alice), quiz.Sample()); err != nil {
		t.Fatal(err)
	}
	laptop.Open(s.base + "/host")
	laptop.Click("Open a session")
	laptop.See(".places", "0 of 30 places taken")
	var console string
	laptop.Ask("location.href", &console)

	laptop.Open(s.base + "/pricing")
	laptop.See(".plan-current", "Free")
	laptop.MustShowFocus()
	laptop.Click("Yearly")
	laptop.See(".plan", "£90.00")
	laptop.Miss(".plan", "£9.00")
	show(laptop, "pricing-free-yearly")
	laptop.Click("Choose Pub")
	laptop.See("h1", "Pay")
	laptop.See("p", "price_2")
	laptop.Click("Back")
	laptop.See("h1", "Nothing was charged")
	show(laptop, "checkout-cancelled")
	laptop.Click("Back to the plans")
	laptop.Click("Choose Pub")
	laptop.See("p", "price_1") // by the month, as the page begins anew
	laptop.Click("Pay")
	laptop.See("h1", "Just a moment") // which is too short to be looked at more closely: the page looks again by itself
	s.tellAll()
	laptop.See("h1", "Thank you")
	show(laptop, "checkout-thanks")
	laptop.MustShowFocus()
	laptop.Click("Look at your plan")
	laptop.See(".plan-now", "£9.00 a month")
	show(laptop, "plan-pub")

	laptop.Open(console)
	laptop.PressUntil("c", ".places", "Keep")
	laptop.Fill("Places", "150")
	laptop.Press("\r")
	laptop.See(".places", "0 of 150 places taken")

	laptop.Open(s.base + "/account/billing")
	laptop.Click("Change or cancel")
	laptop.See("h1", "Your subscription")
	laptop.Click("Cancel at the end of the period")
	laptop.See("p", "ends with the period")
	s.tellAll()
	laptop.Click("Back")
	laptop.See(".plan-now", "Cancelled. It stays until")
	show(laptop, "plan-cancelled")
	phone.Open(s.base + "/account/billing/invoices")
	show(phone, "phone-invoices")
	laptop.Click("Invoices")
	show(laptop, "invoices")

	laptop.Open(s.base + "/account/billing/thanks?look=20")
	laptop.See("h1", "Thank you") // the plan is there, however late
	s.stripe.End(s.stripe.Subscriptions()[0].ID)
	s.tellAll()
	laptop.Open(s.base + "/account/billing/thanks?look=20")
	laptop.See("h1", "This takes longer than usual")
	show(laptop, "checkout-late")
	laptop.Open(console)
	laptop.See(".places", "0 of 150 places taken") // what this evening has it keeps
	s.stripe.SetDown(true)
	laptop.Tolerate("status of 503")
	laptop.Open(s.base + "/pricing")
	laptop.Click("Choose Venue")
	laptop.See("h1", "Payments are having a moment")
	show(laptop, "checkout-unavailable")
}

// TestHostsOfAPlanInBrowsers looks at a plan for several hosts from both its ends.
func TestHostsOfAPlanInBrowsers(t *testing.T) {
	t.Parallel()
	s := startSelling(t)
	_, link := s.host("alice@crown.example", "The Crown")
	_, invited := s.host("bob@anchor.example", "The Anchor")
	b := browsertest.Start(t)
	alice, bob := b.Person("the subscriber", browsertest.Laptop), b.Person("a host", browsertest.Phone)
	alice.Open(link)
	alice.Click("Sign in")
	alice.See("h1", "Your quizzes")
	alice.Open(s.base + "/pricing")
	alice.Click("Choose Chain")
	alice.Click("Pay")
	alice.See("h1", "Just a moment")
	s.tellAll()
	alice.See("h1", "Thank you")
	alice.Click("Look at your plan")
	alice.See("#hosts + p + .list", "The Crown")
	show(alice, "plan-chain-empty")
	alice.Tolerate("status of 422")
	alice.Fill("E-mail address of another host", "alice@crown.example")
	alice.Click("Invite")
	alice.See(".field-problem", "This is your own address")
	show(alice, "plan-chain-refused")
	alice.Fill("E-mail address of another host", "bob@anchor.example")
	alice.Click("Invite")
	alice.See(".notice", "The invitation is on its way")
	alice.MustShowFocus()

	bob.Open(invited)
	bob.Click("Sign in")
	bob.See("h1", "Your quizzes")
	bob.Open(s.base + "/account/billing")
	bob.See(".list", "The Crown asks you to host on their plan")
	show(bob, "phone-plan-invited")
	bob.Click("Accept")
	bob.See(".plan-now", "You host on the plan of The Crown")
	show(bob, "phone-plan-hosted")
	bob.Open(s.base + "/pricing")
	bob.See(".notice", "nothing for you to pay")
	alice.Reload()
	alice.See(".list", "The Anchor")
	show(alice, "plan-chain")

	s.stripe.EndPeriod(s.stripe.Subscriptions()[0].ID, false)
	s.tellAll()
	alice.Reload()
	alice.See(".plan-late", "did not go through")
	show(alice, "plan-past-due")
	alice.Open(s.base + "/pricing")
	alice.See(".plan-current", "Chain")
	show(alice, "pricing-subscriber")
	alice.Open(s.base + "/account")
	alice.See("main", "the last payment failed")
	show(alice, "account-plan")
	alice.Open(s.base + "/account/delete")
	alice.See(".fates", "It ends at once")
	show(alice, "delete-account-plan")
	alice.Open(s.base + "/account/billing")
	alice.Click("Remove The Anchor")
	alice.Click("Remove for good")
	alice.See(".notice", "That host is on their own plan again")
	bob.Open(s.base + "/account/billing")
	bob.See(".plan-now", "You pay nothing")
	show(bob, "phone-plan-free")
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
