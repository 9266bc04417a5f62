package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"
	"strconv"
	"strings"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
	"golang.org/x/text/currency"

	"pubquiz/account"
	"pubquiz/billing"
	"pubquiz/internal/mail"
	"pubquiz/internal/postgres"
	"pubquiz/internal/secret"
	"pubquiz/internal/tracing"
	"pubquiz/quiz"
	"pubquiz/session"
)

// Plans is the part of the configuration that says what plans cost, and at which account of Stripe's they are paid for.
type Plans struct {
	StripeKey         secret.Text  `env:"STRIPE_SECRET_KEY" about:"The secret key of an account at Stripe, sk_… or a restricted one, rk_…. With it hosts pay for what is more than the free plan, as docs/billing.md says; without it nothing is sold and no plan limits anything."`
	StripeKeyFile     secret.Text  `env:"STRIPE_SECRET_KEY_FILE,file" about:"A file that holds the key, instead of STRIPE_SECRET_KEY."`
	WebhookSecret     secret.Text  `env:"STRIPE_WEBHOOK_SECRET" about:"The signing secret, whsec_…, of the endpoint BASE_URL/webhooks/stripe at Stripe. Required with STRIPE_SECRET_KEY."`
	WebhookSecretFile secret.Text  `env:"STRIPE_WEBHOOK_SECRET_FILE,file" about:"A file that holds the signing secret, instead of STRIPE_WEBHOOK_SECRET."`
	Currency          currencyCode `env:"BILLING_CURRENCY" example:"gbp" about:"The currency of all prices, as ISO 4217 has it. Required with STRIPE_SECRET_KEY."`
	Prices            planPrices   `env:"BILLING_PRICES" example:"pub/month=price_1:900 pub/year=price_2:9000 venue/month=price_3:2900 venue/year=price_4:29000 chain/month=price_5:9900 chain/year=price_6:99000" about:"What each paid plan costs, separated by spaces or commas: plan and interval, the price's id at Stripe, and its amount in the smallest unit of the currency, such as 900 for £9.00. Required with STRIPE_SECRET_KEY."`
}

// settings are those of billing; nil where nothing is sold. The error names the variable that is wrong.
func (p Plans) settings(base baseURL) (*billing.Settings, error) {
	key, keyVariable, err := oneOf("STRIPE_SECRET_KEY", p.StripeKey, p.StripeKeyFile)
	if err != nil {
		return nil, err
	}
	webhook, webhookVariable, err := oneOf("STRIPE_WEBHOOK_SECRET", p.WebhookSecret, p.WebhookSecretFile)
	if err != nil {
		return nil, err
	}
	if key == "" {
		for _, without := range []struct {
			set      bool
			variable string
		}{{webhook != "", "STRIPE_WEBHOOK_SECRET"}, {p.Currency != "", "BILLING_CURRENCY"}, {p.Prices != nil, "BILLING_PRICES"}} {
			if without.set {
				return nil, fmt.Errorf("%s is set, but neither STRIPE_SECRET_KEY nor STRIPE_SECRET_KEY_FILE", without.variable)
			}
		}
		return nil, nil
	}
	var problems []error
	if !strings.HasPrefix(string(key), "sk_") && !strings.HasPrefix(string(key), "rk_") {
		problems = append(problems, fmt.Errorf("%s: it must be a secret key, which begins with sk_, or a restricted one, rk_", keyVariable))
	}
	switch {
	case webhook == "":
		problems = append(problems, errors.New("STRIPE_WEBHOOK_SECRET is not set, nor is STRIPE_WEBHOOK_SECRET_FILE: anybody could say that they have paid"))
	case !strings.HasPrefix(string(webhook), "whsec_"):
		problems = append(problems, fmt.Errorf("%s: it must be the signing secret of an endpoint, which begins with whsec_", webhookVariable))
	}
	if p.Currency == "" {
		problems = append(problems, errors.New("BILLING_CURRENCY is not set"))
	}
	prices := billing.Prices{Currency: string(p.Currency), Prices: p.Prices}
	if p.Prices == nil {
		problems = append(problems, errors.New("BILLING_PRICES is not set"))
	} else if p.Currency != "" {
		if err := prices.Validate(); err != nil {
			problems = append(problems, fmt.Errorf("BILLING_PRICES: %w", err))
		}
	}
	if len(problems) > 0 {
		return nil, errors.Join(problems...)
	}
	return &billing.Settings{
		SecretKey: key, WebhookSecret: webhook, Prices: prices, BaseURL: base.url(),
	}, nil
}

// currencyCode is an ISO 4217 code, in lower case.
type currencyCode string

func (c *currencyCode) UnmarshalText(text []byte) error {
	unit, err := currency.ParseISO(string(text))
	if err != nil {
		return errors.New("it must be the three letters of a currency, such as gbp")
	}
	*c = currencyCode(strings.ToLower(unit.String()))
	return nil
}

// planPrices are as BILLING_PRICES has them. Whether one is missing is for billing to say.
type planPrices []billing.Price

func (p *planPrices) UnmarshalText(text []byte) error {
	for _, setting := range strings.FieldsFunc(string(text), func(r rune) bool { return r == ',' || r == ' ' || r == '\n' }) {
		of, costs, _ := strings.Cut(setting, "=")
		plan, interval, ok := strings.Cut(of, "/")
		id, amount, priced := strings.Cut(costs, ":")
		minor, err := strconv.ParseInt(amount, 10, 64)
		if !ok || !priced || err != nil {
			return fmt.Errorf("%q is no price: write it as pub/month=price_1:900", setting)
		}
		*p = append(*p, billing.Price{Plan: billing.Slug(plan), Interval: billing.Interval(interval), ID: id, Amount: minor})
	}
	if *p == nil {
		return errors.New("there is no price in it")
	}
	return nil
}

// plans returns what hosts pay for; nil where nothing is sold.
func (c config) plans(pool *pgxpool.Pool, outbox *mail.Outbox, traces *tracing.Traces) (*billing.Billing, error) {
	if c.sold == nil {
		return nil, nil
	}
	settings := *c.sold
	settings.Calls = traceStripe(traces)
	return billing.New(pool, outbox, settings)
}

// allowanceOf tells sessions what the host's plan allows.
func allowanceOf(b *billing.Billing) func(ctx context.Context, tx pgx.Tx, host quiz.OwnerID) (session.Allowance, error) {
	return func(ctx context.Context, tx pgx.Tx, host quiz.OwnerID) (session.Allowance, error) {
		a, err := b.Allowance(ctx, tx, account.UserID(host))
		if err != nil {
			return session.Allowance{}, err
		}
		allowed := session.Allowance{Plan: a.Plan.Title(), Places: a.Plan.Places, LiveSessions: a.Plan.LiveSessions}
		for _, id := range a.Hosts {
			allowed.Hosts = append(allowed.Hosts, quiz.OwnerID(id))
		}
		return allowed, nil
	}
}

type billingCommand struct {
	Reconcile reconcileCommand `cmd:"" help:"Compare every subscription and price with Stripe's, take over what was missed, and print it. serve does so once a day."`
}

type reconcileCommand struct{}

func (reconcileCommand) Run(ctx context.Context, env environment) error {
	c, err := readConfig(env)
	if err != nil {
		return err
	}
	slog.SetDefault(newLogger(c))
	return reconcile(ctx, c, os.Stdout)
}

// reconcile compares everything with Stripe once, and prints what was found.
func reconcile(ctx context.Context, c config, out io.Writer) error {
	if c.sold == nil {
		return errors.New("STRIPE_SECRET_KEY is not set, so nothing is sold")
	}
	pool, err := postgres.Open(ctx, string(c.DatabaseURL))
	if err != nil {
		return err
	}
	defer pool.Close()
	outbox, err := c.outbox(pool)
	if err != nil {
		return err
	}
	plans, err := c.plans(pool, outbox, nil)
	if err != nil {
		return err
	}
	report, err := plans.Reconcile(ctx)
	printReport(out, report)
	return err
}

// printReport prints what was found, a line each.
func printReport(w io.Writer, report billing.Report) {
	fmt.Fprintf(w, "subscriptions: %d, changed: %d, to look at: %d\n", report.Subscriptions, len(report.Changed), len(report.Problems))
	for _, changed := range report.Changed {
		fmt.Fprintln(w, "changed:", changed)
	}
	for _, problem := range report.Problems {
		fmt.Fprintln(w, "to look at:", problem)
	}
}
