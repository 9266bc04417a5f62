package main

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"golang.org/x/text/language"
	"golang.org/x/text/message"

	"pubquiz/billing"
)

const allPrices = "pub/month=price_1:900 pub/year=price_2:9000 venue/month=price_3:2900 venue/year=price_4:29000 chain/month=price_5:9900 chain/year=price_6:99000"

func TestPlansAreRead(t *testing.T) {
	c, err := readConfig(complete())
	if err != nil {
		t.Fatal(err)
	}
	if c.sold.SecretKey != "sk_test_hunter8" || c.sold.WebhookSecret != "whsec_hunter9" || c.sold.Currency != "gbp" || c.sold.BaseURL.String() != "https://quiz.example.org" {
		t.Error("the settings are not those of the environment")
	}
	if price, ok := c.sold.Of(billing.Venue, billing.Year); !ok || price != (billing.Price{Plan: billing.Venue, Interval: billing.Year, ID: "price_4", Amount: 29000}) {
		t.Errorf("the price of venue by the year: %+v", price)
	}
	nothing := complete()
	for _, variable := range []string{"STRIPE_SECRET_KEY", "STRIPE_WEBHOOK_SECRET", "BILLING_CURRENCY", "BILLING_PRICES"} {
		delete(nothing, variable)
	}
	if c, err := readConfig(nothing); err != nil || c.sold != nil {
		t.Errorf("without a key something is sold, or refused: %v", err)
	}
}

func TestPlansNameTheVariable(t *testing.T) {
	file := func(content string) string {
		path := t.TempDir() + "/secret"
		if err := os.WriteFile(path, []byte(content+"\n"), 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	for _, test := range []struct {
		variable, value string
		want            string // part of the error; empty: no error
	}{
		{"STRIPE_SECRET_KEY", "", "STRIPE_WEBHOOK_SECRET is set, but neither STRIPE_SECRET_KEY nor"},
		{"STRIPE_SECRET_KEY", "pk_live_hunter8", "STRIPE_SECRET_KEY: it must be a secret key, which begins with sk_"},
		{"STRIPE_SECRET_KEY", "rk_live_hunter8", ""},
		{"STRIPE_SECRET_KEY_FILE", file("sk_test_hunter8"), "STRIPE_SECRET_KEY and STRIPE_SECRET_KEY_FILE are both set"},
		{"STRIPE_WEBHOOK_SECRET", "", "STRIPE_WEBHOOK_SECRET is not set, nor is STRIPE_WEBHOOK_SECRET_FILE"},
		{"STRIPE_WEBHOOK_SECRET", "hunter9", "STRIPE_WEBHOOK_SECRET: it must be the signing secret"},
		{"STRIPE_WEBHOOK_SECRET_FILE", file("whsec_hunter9"), "STRIPE_WEBHOOK_SECRET and STRIPE_WEBHOOK_SECRET_FILE are both set"},
		{"BILLING_CURRENCY", "", "BILLING_CURRENCY is not set"},
		{"BILLING_CURRENCY", "pounds", "BILLING_CURRENCY: it must be the three letters"},
		{"BILLING_CURRENCY", "JPY", ""},
		{"BILLING_PRICES", "", "BILLING_PRICES is not set"},
		{"BILLING_PRICES", strings.ReplaceAll(allPrices, " ", ",\n"), ""},
		{"BILLING_PRICES", allPrices + " pub=price_7:900", `BILLING_PRICES: "pub=price_7:900" is no price`},
		{"BILLING_PRICES", "pub/month=price_1", `BILLING_PRICES: "pub/month=price_1" is no price`},
		{"BILLING_PRICES", "pub/month=price_1:9.00", `BILLING_PRICES: "pub/month=price_1:9.00" is no price`},
		{"BILLING_PRICES", strings.Replace(allPrices, "venue/year=price_4:29000", "", 1), "BILLING_PRICES: "},
		{"BILLING_PRICES", strings.Replace(allPrices, "venue", "palace", 1), "BILLING_PRICES: "},
		{"BILLING_PRICES", strings.Replace(allPrices, "price_4", "price_3", 1), "BILLING_PRICES: "},
		{"BILLING_PRICES", strings.Replace(allPrices, ":900 ", ":0 ", 1), "BILLING_PRICES: "},
		{"BILLING_PRICES", ",", "BILLING_PRICES: there is no price in it"},
	} {
		t.Run(test.variable+"="+test.value, func(t *testing.T) {
			environment := complete()
			environment[test.variable] = test.value
			_, err := readConfig(environment)
			switch {
			case test.want == "" && err != nil:
				t.Errorf("refused: %v", err)
			case test.want != "" && (err == nil || !strings.Contains(err.Error(), test.want)):
				t.Errorf("error %v, want %q in it", err, test.want)
			case err != nil && strings.Contains(err.Error(), "hunter"):
				t.Errorf("the error tells the secret: %v", err)
			}
		})
	}
	fromFiles := complete()
	delete(fromFiles, "STRIPE_SECRET_KEY")
	delete(fromFiles, "STRIPE_WEBHOOK_SECRET")
	fromFiles["STRIPE_SECRET_KEY_FILE"], fromFiles["STRIPE_WEBHOOK_SECRET_FILE"] = file("sk_test_hunter8"), file("whsec_hunter9")
	if c, err := readConfig(fromFiles); err != nil || c.sold.SecretKey != "sk_test_hunter8" || c.sold.WebhookSecret != "whsec_hunter9" {
		t.Errorf("from files: %v", err)
	}
	fromFiles["STRIPE_SECRET_KEY_FILE"] = file("hunter8")
	if _, err := readConfig(fromFiles); err == nil || !strings.Contains(err.Error(), "STRIPE_SECRET_KEY_FILE: it must be a secret key") || strings.Contains(err.Error(), "hunter") {
		t.Errorf("a file without a key: %v", err)
	}
}

// TestBillingIsDocumented keeps docs/billing.md in step with the plans and the events that are asked for.
func TestBillingIsDocumented(t *testing.T) {
	text := read(t, "../../docs/billing.md")
	for _, event := range billing.Events() {
		if !strings.Contains(text, "`"+event+"`") {
			t.Errorf("the event %s is not there", event)
		}
	}
	for _, plan := range billing.Plans() {
		row := fmt.Sprintf("| %s | %s | %d | %d", plan.Name, message.NewPrinter(language.BritishEnglish).Sprint(plan.Places), plan.LiveSessions, plan.Hosts)
		if !strings.Contains(text, row) {
			t.Errorf("the plan is not there as %s", row)
		}
	}
}
