package stripetest

import (
	"html/template"
	"net/http"
	"slices"
	"strings"
)

// The pages are plain: they are there to be gone through, by people and by tests.
var pages = template.Must(template.New("").Parse(`
{{define "top"}}<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>{{.}}</title><h1>{{.}}</h1>{{end}}
{{define "checkout"}}{{template "top" "Pay"}}<p id="price">{{.Price}}</p><form method="post"><button id="pay">Pay</button></form><p><a id="back" href="{{.Cancel}}">Back</a></p>{{end}}
{{define "closed"}}{{template "top" "This page can no longer be used"}}{{end}}
{{define "bill"}}{{template "top" "Invoice"}}<p>{{.}}</p>{{end}}
{{define "portal"}}{{template "top" "Your subscription"}}
{{range .Subscriptions}}<form method="post"><input type="hidden" name="subscription" value="{{.ID}}"><p>{{.Price}}, {{.Status}}{{if .CancelAtPeriodEnd}}, ends with the period{{end}}</p>
{{if .CancelAtPeriodEnd}}<button id="resume" name="do" value="resume">Go on after all</button>{{else}}<button id="cancel" name="do" value="cancel">Cancel at the end of the period</button>{{end}}
{{range $.Prices}}<button id="{{.}}" name="price" value="{{.}}">Change to {{.}}</button>{{end}}</form>{{end}}
<p><a id="back" href="{{.Back}}">Back</a></p>{{end}}
`))

func (s *Stripe) show(w http.ResponseWriter, name string, data any) {
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	if err := pages.ExecuteTemplate(w, name, data); err != nil {
		s.t.Errorf("the page %s: %v", name, err)
	}
}

func (s *Stripe) showCheckout(w http.ResponseWriter, r *http.Request) {
	s.mu.Lock()
	defer s.mu.Unlock()
	c := s.checkouts[r.PathValue("id")]
	if c == nil || c.status != "open" {
		s.show(w, "closed", nil)
		return
	}
	s.show(w, "checkout", struct{ Price, Cancel string }{c.price, c.cancel})
}

func (s *Stripe) payCheckout(w http.ResponseWriter, r *http.Request) {
	s.mu.Lock()
	defer s.mu.Unlock()
	c := s.checkouts[r.PathValue("id")]
	if c == nil || c.status != "open" {
		s.show(w, "closed", nil)
		return
	}
	s.pay(c)
	http.Redirect(w, r, strings.ReplaceAll(c.success, "{CHECKOUT_SESSION_ID}", c.id), http.StatusSeeOther)
}

func (s *Stripe) showInvoice(w http.ResponseWriter, r *http.Request) {
	s.show(w, "bill", r.PathValue("id"))
}

func (s *Stripe) showPortal(w http.ResponseWriter, r *http.Request) {
	all := s.Subscriptions()
	s.mu.Lock()
	defer s.mu.Unlock()
	p := s.portals[r.PathValue("id")]
	if p == nil {
		s.show(w, "closed", nil)
		return
	}
	all = slices.DeleteFunc(all, func(x Subscription) bool { return x.Customer != p.customer || x.Status == "canceled" })
	var prices []string
	for id := range s.prices {
		prices = append(prices, id)
	}
	slices.Sort(prices)
	s.show(w, "portal", struct {
		Subscriptions []Subscription
		Prices        []string
		Back          string
	}{all, prices, p.back})
}

func (s *Stripe) changeInPortal(w http.ResponseWriter, r *http.Request) {
	s.mu.Lock()
	defer s.mu.Unlock()
	p, x := s.portals[r.PathValue("id")], s.subscriptions[r.FormValue("subscription")]
	if p == nil || x == nil || x.customer != p.customer || x.status == "canceled" {
		s.show(w, "closed", nil)
		return
	}
	switch price := s.prices[r.FormValue("price")]; {
	case price != nil:
		x.price = price.id
		s.updated(x)
	default:
		s.setCancel(x, r.FormValue("do") == "cancel")
	}
	http.Redirect(w, r, r.URL.Path, http.StatusSeeOther)
}
