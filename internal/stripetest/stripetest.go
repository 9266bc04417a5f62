// Package stripetest gives tests a Stripe of their own, in their own process: it has customers, checkouts, subscriptions, invoices, refunds and disputes, and pages on which somebody pays or
// cancels. It signs events, which a test delivers when and as often as it likes. What it takes and gives has the names of Stripe's API; Mock is the mock that Stripe makes from its
// description, against which the names are checked.
package stripetest

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"net/http"
	"net/http/httptest"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"
)

// The keys of every Stripe.
const (
	SecretKey     = "sk_test_of_the_fake"
	WebhookSecret = "whsec_of_the_fake"
)

// Stripe is a stand-in for Stripe. It is safe for concurrent use, and ends with its test.
type Stripe struct {
	URL string

	t  testing.TB
	mu sync.Mutex

	down     bool
	last     int // number in ids
	requests []string
	answered map[string]answer // by idempotency key

	customers     map[string]*customer
	prices        map[string]*price
	checkouts     map[string]*checkout
	portals       map[string]*portal
	subscriptions map[string]*subscription
	invoices      map[string]*invoice
	charges       map[string]*charge
	events        []Event
	endpoints     []object
	hook          string // where events are sent as soon as they happen
	deliveries    sync.WaitGroup
}

type answer struct {
	asked  string
	status int
	body   []byte
}

// New starts a Stripe.
func New(t testing.TB) *Stripe {
	t.Helper()
	s := &Stripe{
		t: t, answered: map[string]answer{}, customers: map[string]*customer{}, prices: map[string]*price{}, checkouts: map[string]*checkout{}, portals: map[string]*portal{},
		subscriptions: map[string]*subscription{}, invoices: map[string]*invoice{}, charges: map[string]*charge{},
	}
	mux := http.NewServeMux()
	for pattern, serve := range s.routes() {
		mux.HandleFunc(pattern, s.api(pattern, serve))
	}
	mux.HandleFunc("GET /pay/{id}", s.showCheckout)
	mux.HandleFunc("POST /pay/{id}", s.payCheckout)
	mux.HandleFunc("GET /portal/{id}", s.showPortal)
	mux.HandleFunc("POST /portal/{id}", s.changeInPortal)
	mux.HandleFunc("GET /bill/{id}", s.showInvoice)
	mux.HandleFunc("/", func(w http.ResponseWriter, r *http.Request) {
		t.Errorf("the fake of Stripe does not know %s %s", r.Method, r.URL.Path)
		http.NotFound(w, r)
	})
	server := httptest.NewServer(mux)
	t.Cleanup(func() {
		s.deliveries.Wait()
		server.Close()
	})
	s.URL = server.URL
	return s
}

// Routes are the patterns of the API's addresses that a Stripe knows.
func Routes() []string { return slices.Sorted(maps.Keys((*Stripe)(nil).routes())) }

// SetDown lets every request fail from now on, or none any more.
func (s *Stripe) SetDown(down bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.down = down
}

// Requests returns what the API was asked since the last call, by the patterns of Routes.
func (s *Stripe) Requests() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	asked := s.requests
	s.requests = nil
	return asked
}

// failure is an error of the API's.
type failure struct {
	status  int
	kind    string
	code    string
	message string
}

func (f *failure) Error() string { return f.message }

func noSuch(status int, what, id string) *failure {
	return &failure{status, "invalid_request_error", "resource_missing", fmt.Sprintf("No such %s: '%s'", what, id)}
}

func invalid(format string, args ...any) *failure {
	return &failure{http.StatusBadRequest, "invalid_request_error", "", fmt.Sprintf(format, args...)}
}

// object is one of the API's, as JSON.
type object map[string]any

// endpoint answers one request. The state is locked.
type endpoint func(r *http.Request) (object, error)

func (s *Stripe) routes() map[string]endpoint {
	return map[string]endpoint{
		"POST /v1/customers":                     s.createCustomer,
		"GET /v1/customers/{id}":                 s.readCustomer,
		"POST /v1/customers/{id}":                s.updateCustomer,
		"DELETE /v1/customers/{id}":              s.deleteCustomer,
		"POST /v1/checkout/sessions":             s.createCheckout,
		"GET /v1/checkout/sessions":              s.listCheckouts,
		"GET /v1/checkout/sessions/{id}":         s.readCheckout,
		"POST /v1/checkout/sessions/{id}/expire": s.expireCheckout,
		"POST /v1/billing_portal/sessions":       s.createPortal,
		"GET /v1/subscriptions":                  s.listSubscriptions,
		"DELETE /v1/subscriptions/{id}":          s.cancelSubscription,
		"GET /v1/invoices":                       s.listInvoices,
		"GET /v1/invoice_payments":               s.listPayments,
		"GET /v1/charges/{id}":                   s.readCharge,
		"POST /v1/refunds":                       s.createRefund,
		"GET /v1/prices/{id}":                    s.readPrice,
		"GET /v1/webhook_endpoints":              s.listEndpoints,
	}
}

// api is the frame of all endpoints: the key, idempotency, and errors as Stripe has them.
func (s *Stripe) api(pattern string, serve endpoint) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		s.mu.Lock()
		defer s.mu.Unlock()
		body, err := io.ReadAll(r.Body)
		if err != nil {
			s.t.Error(err)
		}
		r.Body = io.NopCloser(bytes.NewReader(body))
		s.requests = append(s.requests, pattern)
		if s.down {
			w.Header().Set("Stripe-Should-Retry", "false")
			write(w, refusal(&failure{http.StatusServiceUnavailable, "api_error", "", "The fake of Stripe is down."}))
			return
		}
		if r.Header.Get("Authorization") != "Bearer "+SecretKey {
			write(w, refusal(&failure{http.StatusUnauthorized, "invalid_request_error", "", "Invalid API Key provided."}))
			return
		}
		key := r.Header.Get("Idempotency-Key")
		asked := r.URL.Path + "?" + string(body)
		if before, found := s.answered[key]; found && key != "" {
			if before.asked != asked {
				write(w, refusal(&failure{http.StatusBadRequest, "idempotency_error", "", "Keys for idempotent requests can only be used with the same parameters they were first used with."}))
				return
			}
			w.Header().Set("Idempotent-Replayed", "true")
			write(w, before)
			return
		}
		made, err := serve(r)
		a := answer{status: http.StatusOK}
		if err != nil {
			a = refusal(err)
		} else if a.body, err = json.Marshal(made); err != nil {
			s.t.Error(err)
		}
		a.asked = asked
		if key != "" && r.Method == http.MethodPost {
			s.answered[key] = a
		}
		write(w, a)
	}
}

func refusal(err error) answer {
	f, ok := err.(*failure)
	if !ok {
		f = &failure{http.StatusInternalServerError, "api_error", "", err.Error()}
	}
	said := object{"type": f.kind, "message": f.message}
	if f.code != "" {
		said["code"] = f.code
	}
	body, err := json.Marshal(object{"error": said})
	if err != nil {
		body = []byte(err.Error())
	}
	return answer{status: f.status, body: body}
}

func write(w http.ResponseWriter, a answer) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(a.status)
	_, _ = w.Write(a.body) // to a client that may have gone
}

// page is a page of a list, the latest first, as the request has it.
func page(r *http.Request, address string, all []object) (object, error) {
	slices.SortStableFunc(all, func(x, y object) int {
		return cmp.Or(cmp.Compare(y["created"].(int64), x["created"].(int64)), cmp.Compare(y["id"].(string), x["id"].(string)))
	})
	if after := r.FormValue("starting_after"); after != "" {
		i := slices.IndexFunc(all, func(o object) bool { return o["id"] == after })
		if i < 0 {
			return nil, noSuch(http.StatusBadRequest, "object", after)
		}
		all = all[i+1:]
	}
	limit := 10
	if asked := r.FormValue("limit"); asked != "" {
		var err error
		if limit, err = strconv.Atoi(asked); err != nil || limit < 1 || limit > 100 {
			return nil, invalid("limit is %q", asked)
		}
	}
	shown := all[:min(limit, len(all))]
	if shown == nil {
		shown = []object{}
	}
	return object{"object": "list", "url": address, "has_more": len(shown) < len(all), "data": shown}, nil
}

// id is a new one. Later ones are greater.
func (s *Stripe) id(kind string) string {
	s.last++
	return fmt.Sprintf("%s_fake%06d", kind, s.last)
}

// metadata is what a form says in name[…].
func metadata(form url.Values, name string) map[string]string {
	found := map[string]string{}
	for field, values := range form {
		if key, ok := strings.CutPrefix(field, name+"["); ok {
			found[strings.TrimSuffix(key, "]")] = values[0]
		}
	}
	return found
}

func unix(t time.Time) any {
	if t.IsZero() {
		return nil
	}
	return t.Unix()
}
