package web

import (
	"encoding/json"
	"net/http"
	"net/url"
	"reflect"
	"strings"
	"testing"
)

func TestPricingForPrograms(t *testing.T) {
	s := newSite(t)
	b := s.browser()
	r := b.get("/api/v1/pricing")
	etag := r.header.Get("ETag")
	if r.status != http.StatusOK || r.header.Get("Content-Type") != "application/json" || r.header.Get("Cache-Control") != "public, max-age=300" || !strings.HasPrefix(etag, `"`) {
		t.Fatalf("%d %v", r.status, r.header)
	}
	type price struct {
		Interval string
		Amount   int64
	}
	type plan struct {
		Slug, Name                  string
		Places, LiveSessions, Hosts int
		Prices                      []price
	}
	var got struct {
		Currency string
		Plans    []plan
	}
	if err := json.Unmarshal([]byte(r.body), &got); err != nil {
		t.Fatal(err)
	}
	want := []plan{
		{"free", "Free", 30, 1, 1, []price{}}, {"pub", "Pub", 150, 2, 1, []price{{"month", 900}, {"year", 9000}}},
		{"venue", "Venue", 500, 5, 1, []price{{"month", 2900}, {"year", 29000}}}, {"chain", "Chain", 2000, 50, 20, []price{{"month", 9900}, {"year", 99000}}},
	}
	if got.Currency != "gbp" || !reflect.DeepEqual(got.Plans, want) {
		t.Errorf("%s", r.body)
	}
	if strings.Contains(r.body, "price_") {
		t.Errorf("it tells Stripe's ids: %s", r.body)
	}
	for sent, status := range map[string]int{etag: 304, "W/" + etag: 304, `"other", ` + etag: 304, "*": 304, `"other"`: 200, strings.Trim(etag, `"`): 200} {
		if r := b.get("/api/v1/pricing", "If-None-Match", sent); r.status != status || status == 304 && (r.body != "" || r.header.Get("ETag") != etag) {
			t.Errorf("If-None-Match: %s: %d, want %d; %s", sent, r.status, status, r.body)
		}
	}
	if r := b.send("HEAD", "/api/v1/pricing", nil); r.status != http.StatusOK || r.body != "" || r.header.Get("ETag") != etag {
		t.Errorf("HEAD: %d %v", r.status, r.header)
	}
	prices := testPrices
	prices.Currency = "jpy"
	if other, err := newPriceList(prices); err != nil || other.etag == etag {
		t.Errorf("in another currency the ETag is %s, as before: %v", other.etag, err)
	}
}

// TestPricingPage: everybody sees the same plans and prices, and each what they can do about them.
func TestPricingPage(t *testing.T) {
	s := newMailSite(t)
	stranger, free, subscriber, hosted := s.browser(), s.host("free@example.org"), s.host("alice@example.org"), s.host("bob@example.org")
	s.exec(`UPDATE users SET email_verified_at = now()`)
	for _, b := range []*browser{stranger, free, subscriber, hosted} {
		wantShows(t, b.get("/pricing"), http.StatusOK, "£9.00", "£90.00", "£7.50 a month", "£108.00 a year", "£990.00", "£0.00", "2,000", "The small print", "up to ten of them count as one", "Prices are in GBP.")
	}
	wantShows(t, stranger.get("/"), http.StatusOK, `href="/pricing"`)
	wantShows(t, stranger.get("/pricing"), http.StatusOK, `href="/signup?next=/pricing">Sign up for Pub`, "-<button", "-Your plan")
	wantShows(t, stranger.get("/signup?next=/pricing"), http.StatusOK, `name="next" value="/pricing"`)
	wantShows(t, free.get("/host"), http.StatusOK, `href="/pricing"`)
	wantRedirect(t, free.get("/signup?next=/pricing"), "/pricing")
	wantShows(t, free.get("/pricing"), http.StatusOK, `name="plan" value="pub"`, `name="plan" value="chain"`, `-value="free"`, "Your plan", "-/portal")

	subscriber.buy("chain", "year")
	wantShows(t, subscriber.get("/pricing"), http.StatusOK, `formaction="/account/billing/portal"`, "Change to Venue", "Cancel your plan", `-name="plan"`, "-Change to Chain")
	wantRedirect(t, subscriber.send("POST", "/account/billing/invitations", url.Values{"email": {"bob@example.org"}}), "/account/billing?done=invited")
	wantRedirect(t, hosted.send("POST", "/account/billing/invitations/1/accept", nil), "/account/billing?done=accepted")
	wantShows(t, hosted.get("/pricing"), http.StatusOK, "there is nothing for you to pay", "Your plan", "-<button")
	wantShows(t, hosted.choose("pub", "month"), http.StatusConflict, "You are on somebody else’s plan")
}
