// Package billing is what hosts pay for: plans, subscriptions at Stripe, and what a subscription allows.
//
// Stripe is the truth about money; the database is what was last seen there. An event is only a hint that something has changed: whatever it says, the customer it is about is
// looked at. See docs/decisions/billing.md.
package billing

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/stripe/stripe-go/v85"

	"pubquiz/account"
	"pubquiz/internal/mail"
	"pubquiz/internal/secret"
)

// Settings is what Billing needs to know.
type Settings struct {
	SecretKey     secret.Text // of the account at Stripe, to call it
	WebhookSecret secret.Text // whsec_…, with which Stripe signs events
	Prices
	BaseURL   *url.URL // where people reach the product
	StripeURL string   // of a stand-in for Stripe; "" is Stripe itself
	// Calls changes how Stripe is called; nil changes nothing.
	Calls func(*stripe.BackendConfig)
}

// Where Stripe sends people back to, below the base URL.
const (
	ThanksPath    = "account/billing/thanks"    // after paying
	CancelledPath = "account/billing/cancelled" // without having paid
	BackPath      = "account/billing"           // from the portal
)

// Billing keeps the subscriptions. It is safe for concurrent use, and for use by several instances.
type Billing struct {
	pool     *pgxpool.Pool
	outbox   *mail.Outbox
	settings Settings
	stripe   payments
}

// New returns billing in the database of pool. The outbox is where letters about payments are put; nil where none can be sent. The error says which of the settings is wrong.
func New(pool *pgxpool.Pool, outbox *mail.Outbox, s Settings) (*Billing, error) {
	switch {
	case s.SecretKey == "":
		return nil, errors.New("billing: the secret key is empty")
	case s.WebhookSecret == "":
		return nil, errors.New("billing: the webhook's secret is empty: anybody could sign events")
	}
	if err := s.Prices.Validate(); err != nil {
		return nil, fmt.Errorf("billing: %w", err)
	}
	return &Billing{pool: pool, outbox: outbox, settings: s, stripe: newPayments(s)}, nil
}

// Prices returns what the paid plans cost.
func (b *Billing) Prices() Prices { return b.settings.Prices }

// Portal returns the address of the page at Stripe on which the user changes or cancels their subscription, and their card. The error is ErrNoCustomer or ErrUnavailable.
func (b *Billing) Portal(ctx context.Context, user account.UserID) (address string, err error) {
	customer, err := b.customerOf(ctx, user)
	if err != nil {
		return "", err
	}
	address, err = b.stripe.createPortal(ctx, customer, b.address(BackPath))
	if missing(err) {
		if gone := b.forgetIfGone(ctx, customer); errors.Is(gone, errCustomerGone) {
			return "", ErrNoCustomer
		}
	}
	return address, err
}

// Invoice is a bill.
type Invoice struct {
	Number   string
	Date     time.Time
	Amount   int64  // in the currency's minor units
	Currency string // ISO 4217, in lower case
	Status   string // paid, open, void or uncollectible
	Link     string // to its page at Stripe
}

// Invoices returns the user's bills, the latest first, at most a hundred; none for who never paid. The error is ErrUnavailable.
func (b *Billing) Invoices(ctx context.Context, user account.UserID) ([]Invoice, error) {
	customer, err := b.customerOf(ctx, user)
	if errors.Is(err, ErrNoCustomer) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	found, err := b.stripe.customerInvoices(ctx, customer)
	if missing(err) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	var invoices []Invoice
	for _, i := range found {
		if i.Number == "" {
			continue // a draft, which may still change
		}
		invoices = append(invoices, Invoice{i.Number, time.Unix(i.Created, 0).UTC(), i.Total, string(i.Currency), string(i.Status), i.HostedInvoiceURL})
	}
	return invoices, nil
}

// customerOf returns the id at Stripe of the customer that a user is. The error may be ErrNoCustomer.
func (b *Billing) customerOf(ctx context.Context, user account.UserID) (id string, err error) {
	err = b.pool.QueryRow(ctx, `SELECT id FROM stripe_customers WHERE user_id = $1`, user).Scan(&id)
	if errors.Is(err, pgx.ErrNoRows) {
		return "", ErrNoCustomer
	}
	if err != nil {
		return "", fmt.Errorf("billing: the customer of user %d: %w", user, err)
	}
	return id, nil
}

// address is that of a page.
func (b *Billing) address(path string) string { return b.settings.BaseURL.JoinPath(path).String() }
