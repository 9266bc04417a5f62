// Package billing is what hosts pay for: plans, subscriptions at Stripe, and what a subscription allows.
//
// Stripe is the truth about money, the database about what was last heard of it. An event is only a hint that something has changed: what it is about is fetched.
package billing

import (
	"context"
	"net/url"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"pubquiz/account"
	"pubquiz/internal/mail"
)

// Settings is what Billing needs to know.
type Settings struct {
	SecretKey     string // of the account at Stripe, to call it
	WebhookSecret string // whsec_…, with which Stripe signs events
	Prices
	BaseURL   *url.URL // where people reach the product
	StripeURL string   // of a stand-in for Stripe; "" is Stripe itself
}

// Billing keeps the subscriptions. It is safe for concurrent use, and for use by several instances.
type Billing struct {
	pool     *pgxpool.Pool
	accounts *account.Accounts
	outbox   *mail.Outbox
	settings Settings
}

// New returns billing in the database of pool. The outbox is where letters about payments are put; nil where none can be sent. The error says which of the settings is wrong.
func New(pool *pgxpool.Pool, accounts *account.Accounts, outbox *mail.Outbox, s Settings) (*Billing, error) {
	panic("not yet")
}

// Prices returns what the paid plans cost.
func (b *Billing) Prices() Prices { return b.settings.Prices }

// Checkout returns the address of the page at Stripe on which the user pays for a plan. Coming back from there grants nothing: the subscription does, once Stripe has told of
// it. The error is an *InvalidError, ErrSubscribed (the portal is the place), ErrHosted or ErrUnavailable.
func (b *Billing) Checkout(ctx context.Context, user account.UserID, plan Slug, interval Interval) (address string, err error) {
	panic("not yet")
}

// Portal returns the address of the page at Stripe on which the user changes or cancels their subscription, and their card. The error is ErrNoCustomer or ErrUnavailable.
func (b *Billing) Portal(ctx context.Context, user account.UserID) (address string, err error) {
	panic("not yet")
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
	panic("not yet")
}

// Receive takes an event from Stripe: the body as it was sent, and its Stripe-Signature header. Whatever the event is about is in the database when it returns. The error is ErrSignature, which refuses the
// event for good; after any other Stripe has to send it again.
func (b *Billing) Receive(ctx context.Context, body []byte, signature string) error {
	panic("not yet")
}

// Report is what Reconcile has found.
type Report struct {
	Subscriptions int      // that were compared with Stripe's
	Changed       []string // what was not as it is at Stripe, and now is; a sentence each
	Problems      []string // what somebody has to look at: a price that is not as configured, a customer of nobody's; a sentence each
}

// Reconcile compares everything with Stripe and takes over what has been missed. The error is ErrUnavailable if Stripe could not be asked about everything; what could be is
// done and reported all the same.
func (b *Billing) Reconcile(ctx context.Context) (Report, error) { panic("not yet") }

// Run reconciles once a day, over all instances, and closes customers of deleted accounts at Stripe, until the context ends.
func (b *Billing) Run(ctx context.Context) { panic("not yet") }

// Allowance is what a host may open at this moment.
type Allowance struct {
	Plan         Slug
	Places       int // in one session
	LiveSessions int // at once, of all hosts together
	Hosts        []int64
}

// Allowance returns what a host may open. It locks the subscriber's row in users until the transaction, which has to be READ COMMITTED, ends: of the hosts of a plan, only one
// can be asking and opening at a time.
func (b *Billing) Allowance(ctx context.Context, tx pgx.Tx, host int64) (Allowance, error) {
	panic("not yet")
}
