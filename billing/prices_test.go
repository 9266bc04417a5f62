package billing

import (
	"net/url"
	"slices"
	"strings"
	"testing"
)

func TestPrices(t *testing.T) {
	change := func(how func(p *Prices)) Prices {
		p := Prices{testPrices.Currency, slices.Clone(testPrices.Prices)}
		how(&p)
		return p
	}
	for name, c := range map[string]struct {
		prices Prices
		wrong  []string
	}{
		"right":                {testPrices, nil},
		"no currency":          {change(func(p *Prices) { p.Currency = "" }), []string{"currency"}},
		"capitals":             {change(func(p *Prices) { p.Currency = "EUR" }), []string{"currency"}},
		"no such currency":     {change(func(p *Prices) { p.Currency = "zzz" }), []string{"currency"}},
		"nothing":              {Prices{Currency: "eur"}, []string{"pub/month", "pub/year", "venue/month", "venue/year", "chain/month", "chain/year"}},
		"one is missing":       {change(func(p *Prices) { p.Prices = p.Prices[1:] }), []string{"pub/month has no price"}},
		"one is twice":         {change(func(p *Prices) { p.Prices = append(p.Prices, Price{Pub, Month, "price_other", 1}) }), []string{"pub/month has two prices"}},
		"one id is twice":      {change(func(p *Prices) { p.Prices[5].ID = p.Prices[0].ID }), []string{"chain/year has the same price"}},
		"no id":                {change(func(p *Prices) { p.Prices[0].ID = "" }), []string{"pub/month has no price at Stripe"}},
		"for nothing":          {change(func(p *Prices) { p.Prices[0].Amount = 0 }), []string{"pub/month costs 0"}},
		"for less":             {change(func(p *Prices) { p.Prices[0].Amount = -1 }), []string{"pub/month costs -1"}},
		"free is not sold":     {change(func(p *Prices) { p.Prices[0].Plan = Free }), []string{"free/month", "pub/month has no price"}},
		"no such plan":         {change(func(p *Prices) { p.Prices[0].Plan = "gold" }), []string{"gold/month", "pub/month has no price"}},
		"no such interval":     {change(func(p *Prices) { p.Prices[0].Interval = "week" }), []string{"pub/week", "pub/month has no price"}},
		"two things are wrong": {change(func(p *Prices) { p.Currency = "€"; p.Prices[2].Amount = 0 }), []string{"currency", "venue/month costs 0"}},
	} {
		err := c.prices.Validate()
		if (err == nil) != (c.wrong == nil) {
			t.Errorf("%s: %v", name, err)
		}
		for _, want := range c.wrong {
			if !strings.Contains(err.Error(), want) {
				t.Errorf("%s: the error is %q, want it to say %q", name, err, want)
			}
		}
	}
}

func TestSettings(t *testing.T) {
	base := &url.URL{Scheme: "https", Host: "quiz.example"}
	for want, s := range map[string]Settings{
		"the secret key is empty":       {WebhookSecret: "whsec_1", Prices: testPrices, BaseURL: base},
		"the webhook's secret is empty": {SecretKey: "sk_test_1", Prices: testPrices, BaseURL: base},
		"pub/month has no price":        {SecretKey: "sk_test_1", WebhookSecret: "whsec_1", Prices: Prices{Currency: "eur"}, BaseURL: base},
	} {
		if _, err := New(nil, nil, s); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %q", err, want)
		}
	}
	if _, err := New(nil, nil, Settings{SecretKey: "sk_test_1", WebhookSecret: "whsec_1", Prices: testPrices, BaseURL: base}); err != nil {
		t.Error(err)
	}
}

func TestMoney(t *testing.T) {
	for want, c := range map[string]struct {
		amount int64
		code   string
	}{
		"£9.00":          {900, "gbp"},
		"€1,490.05":      {149005, "EUR"},
		"$0.09":          {9, "usd"},
		"¥1,500":         {1500, "jpy"},
		"₩9,900":         {9900, "krw"},
		"KWD\u00a01.250": {1250, "kwd"},
		"CHF\u00a029.00": {2900, "chf"},
		"kr\u00a05.00":   {500, "isk"}, // which has no coins, but hundreds at Stripe
		"−£9.00":         {-900, "gbp"},
		"£0.00":          {0, "gbp"},
		"£1,234,567.89":  {123456789, "gbp"},
	} {
		if got := Money(c.amount, c.code).String(); got != want {
			t.Errorf("%d %s is %q, want %q", c.amount, c.code, got, want)
		}
	}
}

// TestPlans keeps the order that pages and comparisons rely on: each plan has at least as much as the one before.
func TestPlans(t *testing.T) {
	all := Plans()
	for i, plan := range all[1:] {
		if before := all[i]; plan.Places <= before.Places || plan.LiveSessions <= before.LiveSessions && plan.Hosts <= before.Hosts {
			t.Errorf("%+v is no more than %+v", plan, before)
		}
	}
	if all[0] != (Plan{Free, "Free", 30, 1, 1}) {
		t.Errorf("the first plan is %+v, want the free one", all[0])
	}
}
