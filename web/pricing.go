package web

import (
	"bytes"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"time"

	"pubquiz/account"
	"pubquiz/billing"
	"pubquiz/internal/words"
)

// pricingPath is the page of the plans.
const pricingPath = "/pricing"

// whereSold is the handler of a route that is there only where plans are sold.
func (s *Server) whereSold(handle func(w http.ResponseWriter, r *request) error) func(w http.ResponseWriter, r *request) error {
	if s.billing == nil {
		return s.notFound
	}
	return handle
}

// priceList is what the plans cost, for programs. It changes only with the configuration, so it is written once.
type priceList struct {
	body []byte
	etag string
}

type listedPlan struct {
	billing.Plan
	Prices []listedPrice `json:"prices"` // none of the free plan
}

type listedPrice struct {
	Interval billing.Interval `json:"interval"`
	Amount   int64            `json:"amount"` // in the currency's minor units
}

func newPriceList(prices billing.Prices) (priceList, error) {
	list := struct {
		Currency string       `json:"currency"`
		Plans    []listedPlan `json:"plans"`
	}{Currency: prices.Currency}
	for _, plan := range billing.Plans() {
		listed := listedPlan{Plan: plan, Prices: []listedPrice{}}
		for _, interval := range []billing.Interval{billing.Month, billing.Year} {
			if price, ok := prices.Of(plan.Slug, interval); ok {
				listed.Prices = append(listed.Prices, listedPrice{interval, price.Amount})
			}
		}
		list.Plans = append(list.Plans, listed)
	}
	body, err := json.Marshal(list)
	return priceList{body, fmt.Sprintf(`"%x"`, sha256.Sum256(body))}, err
}

// pricing tells what the plans cost. Anybody may keep it for five minutes.
func (s *Server) pricing(w http.ResponseWriter, r *request) error {
	h := w.Header()
	h.Set("Content-Type", "application/json")
	h.Set("Cache-Control", "public, max-age=300")
	h.Set("ETag", s.prices.etag)
	http.ServeContent(w, r.Request, "", time.Time{}, bytes.NewReader(s.prices.body))
	return nil
}

// pricingData is the page of the plans, as its reader sees it.
type pricingData struct {
	Plans    []pricedPlan
	Currency string // such as "GBP"

	SignedIn bool
	Current  billing.Slug // the plan in force for the reader; "" for who is not signed in
	Pays     bool         // for one of the plans: changing it is the portal's business
	HostedBy string       // by whose plan the reader is a host; "" by their own
	Unproved bool         // the reader's address is not confirmed, without which no plan has more than the free one's places
}

func (s *Server) pricingPage(w http.ResponseWriter, r *request) error {
	prices := s.billing.Prices()
	data := pricingData{Plans: pricedPlans(s.languageOf(r), prices), Currency: strings.ToUpper(prices.Currency)}
	reader, err := s.accounts.Authenticate(r.Context(), s.hostToken(r))
	if err != nil && !errors.Is(err, account.ErrNotSignedIn) {
		return err
	}
	if err == nil {
		standing, err := s.billing.Standing(r.Context(), reader.ID)
		if err != nil {
			return err
		}
		data.SignedIn, data.Unproved = true, s.unproved(reader)
		data.Current, data.Pays, data.HostedBy = standing.Plan.Slug, standing.Pays(), standing.HostedBy
	}
	return s.render(w, r, http.StatusOK, "pricing.html", page{Title: words.T("Plans and prices"), Data: data})
}

// pricedPlan is a plan with what it costs, in words such as "£9.00".
type pricedPlan struct {
	billing.Plan
	For          words.Text // whom it fits
	Paid         bool       // the free one costs nothing
	Monthly      string
	MonthlyAYear string // what twelve of that are
	Yearly       string
	YearlyAMonth string // what a twelfth of that is
}

// fits says whom each plan is for, in a pub's words.
var fits = map[billing.Slug]words.Text{
	billing.Free:  words.T("The weekly quiz of one pub, one phone a table"),
	billing.Pub:   words.T("A full house, where everybody plays on their own phone"),
	billing.Venue: words.T("A hall, a festival, or a brewery tap with several rooms"),
	billing.Chain: words.T("Many pubs on one bill, each with its own host"),
}

func pricedPlans(l *words.Language, prices billing.Prices) (plans []pricedPlan) {
	money := func(amount int64) string { return l.Show(billing.Money(amount, prices.Currency)) }
	for _, plan := range billing.Plans() {
		month, paid := prices.Of(plan.Slug, billing.Month)
		year, _ := prices.Of(plan.Slug, billing.Year)
		plans = append(plans, pricedPlan{
			Plan: plan, For: fits[plan.Slug], Paid: paid,
			Monthly: money(month.Amount), MonthlyAYear: money(12 * month.Amount), Yearly: money(year.Amount), YearlyAMonth: money((year.Amount + 6) / 12),
		})
	}
	return plans
}

// unproved tells that a host has yet to show that their address is theirs, where that can be shown.
func (s *Server) unproved(user account.User) bool { return s.accounts.SendsMail() && !user.Verified }
