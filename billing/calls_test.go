package billing

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stripe/stripe-go/v85"

	"pubquiz/account"
	"pubquiz/internal/stripetest"
)

// call is something that is asked of Stripe, at the address of a pattern.
type call struct {
	pattern string
	make    func(t *testing.T, p payments) error
}

// calls is everything that is asked of Stripe. A call of the product's that is not here fails: the fake, against which everything else is tried, knows no other.
var calls = []call{
	{"POST /v1/customers", func(t *testing.T, p payments) error {
		_, err := p.createCustomer(t.Context(), account.UserID(1), "alice@example.org", 1)
		return err
	}},
	{"GET /v1/customers/{id}", func(t *testing.T, p payments) error {
		_, err := p.customer(t.Context(), "cus_1")
		return err
	}},
	{"POST /v1/customers/{id}", func(t *testing.T, p payments) error { return p.setEmail(t.Context(), "cus_1", "alice@example.org") }},
	{"DELETE /v1/customers/{id}", func(t *testing.T, p payments) error { return p.deleteCustomer(t.Context(), "cus_1") }},
	{"POST /v1/checkout/sessions", func(t *testing.T, p payments) error {
		_, err := p.createCheckout(t.Context(), "cus_1", checkout{User: 1, Attempt: 1, Plan: Pub, Interval: Month, PriceID: "price_1"}, "https://quiz.example/thanks", "https://quiz.example/cancelled")
		return err
	}},
	{"GET /v1/checkout/sessions", func(t *testing.T, p payments) error {
		_, err := p.openCheckouts(t.Context(), "cus_1")
		return err
	}},
	{"GET /v1/checkout/sessions/{id}", func(t *testing.T, p payments) error {
		_, err := p.checkout(t.Context(), "cs_1")
		return err
	}},
	{"POST /v1/checkout/sessions/{id}/expire", func(t *testing.T, p payments) error { return p.expireCheckout(t.Context(), "cs_1") }},
	{"POST /v1/billing_portal/sessions", func(t *testing.T, p payments) error {
		_, err := p.createPortal(t.Context(), "cus_1", "https://quiz.example/account")
		return err
	}},
	{"GET /v1/subscriptions", func(t *testing.T, p payments) error {
		_, err := p.subscriptions(t.Context(), "cus_1")
		return err
	}},
	{"GET /v1/subscriptions", func(t *testing.T, p payments) error {
		_, err := p.allSubscriptions(t.Context())
		return err
	}},
	{"DELETE /v1/subscriptions/{id}", func(t *testing.T, p payments) error { return p.cancelSubscription(t.Context(), "sub_1") }},
	{"GET /v1/invoices", func(t *testing.T, p payments) error {
		_, err := p.customerInvoices(t.Context(), "cus_1")
		return err
	}},
	{"GET /v1/invoice_payments", func(t *testing.T, p payments) error { // for each of the invoices
		_, err := p.charges(t.Context(), "sub_1", time.Unix(1700000000, 0))
		return err
	}},
	{"GET /v1/charges/{id}", func(t *testing.T, p payments) error {
		_, err := p.charge(t.Context(), "ch_1")
		return err
	}},
	{"POST /v1/refunds", func(t *testing.T, p payments) error { return p.refund(t.Context(), "ch_1") }},
	{"GET /v1/prices/{id}", func(t *testing.T, p payments) error {
		_, err := p.price(t.Context(), "price_1")
		return err
	}},
	{"GET /v1/webhook_endpoints", func(t *testing.T, p payments) error {
		_, err := p.endpoints(t.Context())
		return err
	}},
}

const mockKey = "sk_test_123" // the mock takes keys that look like this

// TestCallsAreStripes makes every call to the mock that Stripe generates from the description of its API, which refuses what the API does not know.
func TestCallsAreStripes(t *testing.T) {
	t.Parallel()
	mock, err := url.Parse(stripetest.Mock(t))
	if err != nil {
		t.Fatal(err)
	}
	var (
		mu    sync.Mutex
		asked []string
	)
	known := http.NewServeMux()
	for _, pattern := range stripetest.Routes() {
		known.Handle(pattern, http.NotFoundHandler())
	}
	onTheWay := httptest.NewServer(&httputil.ReverseProxy{Rewrite: func(r *httputil.ProxyRequest) {
		r.SetURL(mock)
		_, pattern := known.Handler(r.In)
		mu.Lock()
		defer mu.Unlock()
		asked = append(asked, pattern)
	}})
	t.Cleanup(onTheWay.Close)
	p := newPayments(Settings{SecretKey: mockKey, BaseURL: &url.URL{Scheme: "https", Host: "quiz.example"}, StripeURL: onTheWay.URL})
	for _, call := range calls {
		asked = nil
		if err := call.make(t, p); err != nil {
			t.Errorf("%s: %v", call.pattern, err)
		}
		if !slices.Contains(asked, call.pattern) {
			t.Errorf("%s: it asked %q", call.pattern, asked)
		}
	}
	for _, pattern := range stripetest.Routes() {
		if !slices.ContainsFunc(calls, func(c call) bool { return c.pattern == pattern }) {
			t.Errorf("the fake knows %s, which no call is for", pattern)
		}
	}
	// The mock is as strict as it is taken to be.
	customer := "cus_1"
	_, err = p.client.V1Customers.Create(t.Context(), &stripe.CustomerCreateParams{Params: stripe.Params{Extra: &stripe.ExtraValues{Values: url.Values{"no_such_field": {customer}}}}})
	if !refused(err) {
		t.Errorf("a field that the API does not have: %v, want it refused", err)
	}
}

// TestFakeAnswersAsStripeDoes looks for every field of the fake's answers in those of the mock.
func TestFakeAnswersAsStripeDoes(t *testing.T) {
	t.Parallel()
	mock := stripetest.Mock(t)
	s := newSite(t)
	alice := s.user("alice")
	subscription := s.subscribe(alice, Pub, Month)
	s.checkout(s.user("bob"), Venue, Month)
	customer := s.stripe.Customers()[0]
	invoices := readJSON(t, s.stripe.URL+"/v1/invoices?subscription="+subscription, stripetest.SecretKey)
	invoice := invoices["data"].([]any)[0].(map[string]any)["id"].(string)
	const expand = "&expand[]=data.payment.payment_intent.latest_charge"
	payments := readJSON(t, s.stripe.URL+"/v1/invoice_payments?invoice="+invoice+expand, stripetest.SecretKey)
	charge := payments["data"].([]any)[0].(map[string]any)["payment"].(map[string]any)["payment_intent"].(map[string]any)["latest_charge"].(map[string]any)["id"].(string)
	var session string
	if err := s.pool.QueryRow(t.Context(), `SELECT session_id FROM checkouts`).Scan(&session); err != nil {
		t.Fatal(err)
	}
	for _, path := range []string{
		"/v1/customers/" + customer, "/v1/checkout/sessions/" + session, "/v1/checkout/sessions?status=open&customer=" + s.stripe.Customers()[1], "/v1/subscriptions?customer=" + customer, "/v1/invoices?customer=" + customer, "/v1/invoice_payments?invoice=" + invoice + expand,
		"/v1/charges/" + charge, "/v1/prices/price_pub_month",
	} {
		compareFields(t, path, readJSON(t, s.stripe.URL+path, stripetest.SecretKey), readJSON(t, mock+path, mockKey))
	}
}

// TestRefused tells what is for good from what passes: a checkout that somebody else is just making must not be forgotten, or two could be paid on.
func TestRefused(t *testing.T) {
	t.Parallel()
	for status, want := range map[int]bool{400: true, 402: true, 404: true, 409: false, 429: false, 500: false, 503: false} {
		if got := refused(unavailable("trying", &stripe.Error{HTTPStatusCode: status})); got != want {
			t.Errorf("%d: %t, want %t", status, got, want)
		}
	}
}

// compareFields finds fields of the fake's that are not the mock's. Where the mock has nothing to compare with, such as null, there is nothing to find.
func compareFields(t *testing.T, where string, fake, mock any) {
	t.Helper()
	switch fake := fake.(type) {
	case map[string]any:
		known, ok := mock.(map[string]any)
		if !ok || strings.HasSuffix(where, ".metadata") {
			return
		}
		for field, value := range fake {
			other, there := known[field]
			if !there {
				t.Errorf("%s: Stripe has no field %s", where, field)
			}
			compareFields(t, where+"."+field, value, other)
		}
	case []any:
		known, ok := mock.([]any)
		if ok && len(known) > 0 {
			for _, value := range fake {
				compareFields(t, where+"[]", value, known[0])
			}
		}
	}
}

func readJSON(t *testing.T, address, key string) (body map[string]any) {
	t.Helper()
	request, err := http.NewRequestWithContext(t.Context(), http.MethodGet, address, nil)
	if err != nil {
		t.Fatal(err)
	}
	request.Header.Set("Authorization", "Bearer "+key)
	reply, err := http.DefaultClient.Do(request)
	if err != nil {
		t.Fatal(err)
	}
	defer reply.Body.Close()
	if err := json.NewDecoder(reply.Body).Decode(&body); err != nil || reply.StatusCode != http.StatusOK {
		t.Fatalf("%s: %s, %v: %v", address, reply.Status, err, body)
	}
	return body
}
