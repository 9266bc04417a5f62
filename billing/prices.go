package billing

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"golang.org/x/text/currency"

	"pubquiz/internal/words"
)

// Interval is how often a plan is paid.
type Interval string

// The intervals.
const (
	Month Interval = "month"
	Year  Interval = "year"
)

// Price is what a plan costs in an interval.
type Price struct {
	Plan     Slug
	Interval Interval
	ID       string // at Stripe: price_…
	Amount   int64  // in the currency's minor units
}

// Prices is what the paid plans cost.
type Prices struct {
	Currency string // ISO 4217, in lower case
	Prices   []Price
}

// Validate reports all that is missing, doubled or impossible: each paid plan has one price for each interval.
func (p Prices) Validate() error {
	var wrong []error
	say := func(format string, args ...any) { wrong = append(wrong, fmt.Errorf(format, args...)) }
	if _, err := currency.ParseISO(p.Currency); err != nil || p.Currency != strings.ToLower(p.Currency) {
		say("currency %q: three lower-case letters of ISO 4217, such as eur", p.Currency)
	}
	count := map[Price]int{} // by plan and interval
	ids := map[string]bool{}
	for _, price := range p.Prices {
		name := fmt.Sprintf("%s/%s", price.Plan, price.Interval)
		if plan, ok := planOf(price.Plan); !ok || plan.Slug == Free || price.Interval != Month && price.Interval != Year {
			say("%s: a price is for pub, venue or chain, and for month or year", name)
			continue
		}
		if count[Price{Plan: price.Plan, Interval: price.Interval}]++; count[Price{Plan: price.Plan, Interval: price.Interval}] > 1 {
			say("%s has two prices", name)
		}
		if price.Amount <= 0 {
			say("%s costs %d: an amount is above 0", name, price.Amount)
		}
		if price.ID == "" {
			say("%s has no price at Stripe", name)
		} else if ids[price.ID] {
			say("%s has the same price at Stripe as another", name)
		}
		ids[price.ID] = true
	}
	for _, plan := range plans[1:] {
		for _, interval := range []Interval{Month, Year} {
			if count[Price{Plan: plan.Slug, Interval: interval}] == 0 {
				say("%s/%s has no price", plan.Slug, interval)
			}
		}
	}
	return errors.Join(wrong...)
}

// Of returns what a plan costs in an interval.
func (p Prices) Of(plan Slug, interval Interval) (Price, bool) {
	return p.find(func(price Price) bool { return price.Plan == plan && price.Interval == interval })
}

// withID returns the price that has an id at Stripe.
func (p Prices) withID(id string) (Price, bool) {
	return p.find(func(price Price) bool { return price.ID == id })
}

func (p Prices) find(is func(Price) bool) (Price, bool) {
	i := slices.IndexFunc(p.Prices, is)
	if i < 0 {
		return Price{}, false
	}
	return p.Prices[i], true
}

// In Stripe's amounts these currencies have no minor units, or thousands of them; all others, also where people have given up coins, have hundreds
// (docs.stripe.com/currencies).
var (
	withoutMinor   = []string{"bif", "clp", "djf", "gnf", "jpy", "kmf", "krw", "mga", "pyg", "rwf", "vnd", "vuv", "xaf", "xof", "xpf"}
	withThousandth = []string{"bhd", "jod", "kwd", "omr", "tnd"}
)

// Money is an amount of minor units with its currency, an ISO 4217 code in either case.
func Money(amount int64, code string) words.Money {
	code = strings.ToLower(code)
	money := words.Money{Amount: amount, Digits: 2, Currency: strings.ToUpper(code)}
	switch {
	case slices.Contains(withoutMinor, code):
		money.Digits = 0
	case slices.Contains(withThousandth, code):
		money.Digits = 3
	}
	return money
}
