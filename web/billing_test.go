package web

import (
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"pubquiz/billing"
	"pubquiz/internal/stripetest"
	"pubquiz/ratelimit"
)

// testPrices are what the plans cost here.
var testPrices = billing.Prices{Currency: "gbp", Prices: []billing.Price{
	{Plan: billing.Pub, Interval: billing.Month, ID: "price_pub_month", Amount: 900}, {Plan: billing.Pub, Interval: billing.Year, ID: "price_pub_year", Amount: 9000},
	{Plan: billing.Venue, Interval: billing.Month, ID: "price_venue_month", Amount: 2900}, {Plan: billing.Venue, Interval: billing.Year, ID: "price_venue_year", Amount: 29000},
	{Plan: billing.Chain, Interval: billing.Month, ID: "price_chain_month", Amount: 9900}, {Plan: billing.Chain, Interval: billing.Year, ID: "price_chain_year", Amount: 99000},
}}

// sell has the site sell plans at a Stripe of its own. What they allow is not enforced: that is tried where all is wired together.
func (s *site) sell(base *url.URL) *billing.Billing {
	s.t.Helper()
	s.stripe = stripetest.New(s.t)
	for _, p := range testPrices.Prices {
		s.stripe.AddPrice(p.ID, testPrices.Currency, string(p.Interval), p.Amount)
	}
	plans, err := billing.New(s.pool, s.outbox, billing.Settings{
		SecretKey: stripetest.SecretKey, WebhookSecret: stripetest.WebhookSecret, Prices: testPrices, BaseURL: base, StripeURL: s.stripe.URL,
	})
	if err != nil {
		s.t.Fatal(err)
	}
	return plans
}

// choose presses a plan's button.
func (b *browser) choose(plan, interval string) reply {
	b.site.t.Helper()
	return b.send("POST", "/account/billing/checkout", url.Values{"plan": {plan}, "interval": {interval}})
}

// buy chooses a plan, pays at Stripe, and has Stripe tell of it.
func (b *browser) buy(plan, interval string) {
	b.site.t.Helper()
	if err := b.site.stripe.Pay(b.leads(b.choose(plan, interval))); err != nil {
		b.site.t.Fatal(err)
	}
	b.site.tellAll()
}

// tellAll has Stripe tell of everything that has happened there.
func (s *site) tellAll() {
	s.t.Helper()
	for _, e := range s.stripe.Events() {
		if r := s.tell(e); r.status != http.StatusOK {
			s.t.Fatalf("%s: %d %s", e.Type, r.status, r.body)
		}
	}
}

// tell is Stripe telling of an event.
func (s *site) tell(e stripetest.Event) reply {
	s.t.Helper()
	return s.browser().send("POST", "/webhooks/stripe", string(e.Body), "Stripe-Signature", stripetest.Sign(e.Body, time.Now()))
}

func TestCheckout(t *testing.T) {
	s := newSite(t)
	b := s.host("alice@example.org")
	r := b.choose("pub", "year")
	address := b.leads(r)
	wantShows(t, r, http.StatusOK, `href="`+address+`"`, "On to Stripe", `href="/pricing"`)
	if !strings.HasPrefix(address, s.stripe.URL+"/pay/") {
		t.Errorf("it leads to %s", address)
	}
	if again := b.leads(b.choose("pub", "year")); again != address {
		t.Errorf("chosen again it leads to %s, want the same page", again)
	}
	wantShows(t, b.get("/account/billing"), http.StatusOK, ">Free<", "30", "See the plans")
	if err := s.stripe.Pay(address); err != nil {
		t.Fatal(err)
	}
	wantShows(t, b.get("/account/billing/thanks"), http.StatusOK, "Just a moment")
	s.tellAll()
	r = b.get("/account/billing/thanks?look=2")
	wantShows(t, r, http.StatusOK, "You are on Pub now: 150 phones in a session, 2 sessions at once.")
	if r.header.Get("Refresh") != "" {
		t.Error("the page of thanks looks again although all is there")
	}
	wantShows(t, b.get("/account/billing"), http.StatusOK, ">Pub<", "£90.00 a year.", "It renews on", "Change or cancel", "0 of 2", "-Until you have confirmed")
	wantShows(t, b.get("/account"), http.StatusOK, "Your plan", "150 phones in a session, 0 of 2 sessions open")
	wantShows(t, b.choose("venue", "month"), http.StatusConflict, "You have a plan already", `href="/account/billing"`)
	if got := s.stripe.Subscriptions(); len(got) != 1 || got[0].Price != "price_pub_year" {
		t.Errorf("at Stripe there is %+v", got)
	}
}

// TestCheckoutTakesNoPriceFromTheForm: a plan and an interval are all that the form says; whatever else is in it changes nothing, and what names no paid plan gets nowhere.
func TestCheckoutTakesNoPriceFromTheForm(t *testing.T) {
	s := newSite(t, ratelimit.Unlimited())
	b := s.host("alice@example.org")
	for _, wrong := range []url.Values{
		{}, {"plan": {"pub"}}, {"interval": {"month"}}, {"plan": {"free"}, "interval": {"month"}}, {"plan": {"palace"}, "interval": {"month"}}, {"plan": {"PUB"}, "interval": {"month"}},
		{"plan": {"pub"}, "interval": {"week"}}, {"plan": {"pub/year"}, "interval": {""}}, {"plan": {"price_pub_month"}, "interval": {"month"}}, {"plan": {"pub\x00"}, "interval": {"month"}},
	} {
		wantShows(t, b.send("POST", "/account/billing/checkout", wrong), http.StatusUnprocessableEntity, "Choose")
	}
	if asked := s.stripe.Requests(); len(asked) != 0 {
		t.Errorf("Stripe was asked for %v", asked)
	}
	address := b.leads(b.send("POST", "/account/billing/checkout?plan=pub&interval=month", url.Values{
		"plan": {"chain"}, "interval": {"year"}, "price": {"price_pub_month"}, "amount": {"1"}, "quantity": {"0"}, "currency": {"jpy"}, "user": {"2"}, "success_url": {"https://evil.example"},
	}))
	if err := s.stripe.Pay(address); err != nil {
		t.Fatal(err)
	}
	if got := s.stripe.Subscriptions(); len(got) != 1 || got[0].Price != "price_chain_year" {
		t.Errorf("what was bought is %+v", got)
	}
}

// TestCheckoutIsLimitedForEachHost: five pages in ten minutes for each host, whoever else is at the same address. The portal's are counted with them.
func TestCheckoutIsLimitedForEachHost(t *testing.T) {
	needsLimits(t)
	s := newSite(t)
	alice, bob := s.host("alice@example.org"), s.host("bob@example.org")
	for range ratelimit.StripeCheckout.Budget - 1 {
		alice.leads(alice.choose("pub", "month"))
	}
	alice.leads(alice.send("POST", "/account/billing/portal", nil))
	asked := len(s.stripe.Requests())
	for _, r := range []reply{alice.choose("pub", "month"), alice.send("POST", "/account/billing/portal", nil)} {
		wantShows(t, r, http.StatusTooManyRequests)
		checkRefusal(t, r, false)
	}
	if more := s.stripe.Requests(); len(more) != 0 || asked == 0 {
		t.Errorf("who is refused makes Stripe do %v", more)
	}
	bob.leads(bob.choose("pub", "month"))
}

// TestThanksGrantNothing: the page of thanks is an address like any other. It waits a minute, by itself, and then says what to do.
func TestThanksGrantNothing(t *testing.T) {
	s := newSite(t)
	b := s.host("alice@example.org")
	for _, test := range []struct{ query, refresh, shows string }{
		{"", "3;url=/account/billing/thanks?look=1", "Just a moment"},
		{"?look=1", "3;url=/account/billing/thanks?look=2", "Just a moment"},
		{"?look=19", "3;url=/account/billing/thanks?look=20", "Just a moment"},
		{"?look=20", "", "you will not be charged twice"},
		{"?look=-5", "3;url=/account/billing/thanks?look=1", "Just a moment"},
		{"?look=%0d%0aX-Evil:+1", "3;url=/account/billing/thanks?look=1", "Just a moment"},
		{"?session_id=cs_1&plan=chain", "3;url=/account/billing/thanks?look=1", "Just a moment"},
	} {
		r := b.get("/account/billing/thanks" + test.query)
		wantShows(t, r, http.StatusOK, test.shows)
		if got := r.header.Get("Refresh"); got != test.refresh {
			t.Errorf("%q: Refresh is %q, want %q", test.query, got, test.refresh)
		}
	}
	wantShows(t, b.get("/account/billing/cancelled"), http.StatusOK, "Nothing was charged")
	wantShows(t, b.get("/account/billing"), http.StatusOK, ">Free<")
	if asked := s.stripe.Requests(); len(asked) != 0 {
		t.Errorf("Stripe was asked for %v", asked)
	}
}

func TestStripeIsAway(t *testing.T) {
	s := newSite(t)
	b := s.host("alice@example.org")
	b.buy("pub", "month")
	stranger := s.host("bob@example.org")
	s.stripe.SetDown(true)
	for what, r := range map[string]reply{
		"a checkout": stranger.choose("pub", "month"), "the portal": b.send("POST", "/account/billing/portal", nil), "the invoices": b.get("/account/billing/invoices"),
	} {
		if r.header.Get("Retry-After") == "" || r.header.Get("Refresh") != "" {
			t.Errorf("%s: Retry-After %q, Refresh %q", what, r.header.Get("Retry-After"), r.header.Get("Refresh"))
		}
		wantShows(t, r, http.StatusServiceUnavailable, "Nothing was charged", `href="/account/billing"`)
	}
	wantShows(t, b.get("/account/billing"), http.StatusOK, ">Pub<") // which asks nobody
	s.stripe.SetDown(false)
	stranger.leads(stranger.choose("pub", "month"))
}

func TestPortalAndInvoices(t *testing.T) {
	s := newSite(t)
	b := s.host("alice@example.org")
	wantShows(t, b.send("POST", "/account/billing/portal", nil), http.StatusConflict, "You have paid for no plan so far.", `href="/pricing"`)
	wantShows(t, b.get("/account/billing/invoices"), http.StatusOK, "No invoices yet")
	b.buy("venue", "month")
	r := b.send("POST", "/account/billing/portal", nil)
	if address := b.leads(r); !strings.HasPrefix(address, s.stripe.URL+"/portal/") {
		t.Errorf("the portal is at %s", address)
	}
	wantShows(t, r, http.StatusOK, `href="/account/billing"`)
	wantShows(t, b.get("/account/billing/invoices"), http.StatusOK, "£29.00", "Paid", `href="`+s.stripe.URL+"/bill/", `rel="noreferrer"`)
	wantShows(t, s.host("bob@example.org").get("/account/billing/invoices"), http.StatusOK, "No invoices yet", "-£29.00")
}

// TestUnconfirmedHostsAreNotSoldWhatTheyCannotUse: until the address is confirmed a session has 30 places, whatever is paid.
func TestUnconfirmedHostsAreNotSoldWhatTheyCannotUse(t *testing.T) {
	s := newMailSite(t)
	b := s.host("alice@example.org")
	wantShows(t, b.get("/host"), http.StatusOK, "a session has 30 places at most, whatever your plan")
	wantShows(t, b.get("/pricing"), http.StatusOK, "Until you have confirmed your e-mail address")
	wantShows(t, b.get("/account/billing"), http.StatusOK, "Until you have confirmed your e-mail address")
	wantShows(t, b.choose("pub", "month"), http.StatusConflict, "Confirm your address first", `href="/account"`)
	if asked := s.stripe.Requests(); len(asked) != 0 {
		t.Errorf("Stripe was asked for %v", asked)
	}
	s.exec(`UPDATE users SET email_verified_at = now()`)
	b.leads(b.choose("pub", "month"))
}
