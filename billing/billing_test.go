package billing

import (
	"bytes"
	"fmt"
	"net/netip"
	"net/url"
	"os"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"pubquiz/account"
	"pubquiz/internal/dbtest"
	"pubquiz/internal/mail"
	"pubquiz/internal/stripetest"
)

func TestMain(m *testing.M) { os.Exit(dbtest.Run(m)) }

// testPrices are configured, and at the Stripe of every site.
var testPrices = Prices{"eur", []Price{
	{Pub, Month, "price_pub_month", 900}, {Pub, Year, "price_pub_year", 9000},
	{Venue, Month, "price_venue_month", 2900}, {Venue, Year, "price_venue_year", 29000},
	{Chain, Month, "price_chain_month", 14900}, {Chain, Year, "price_chain_year", 149000},
}}

// site is an installation with a Stripe of its own.
type site struct {
	*Billing
	t      *testing.T
	base   *url.URL
	stripe *stripetest.Stripe
	pool   *pgxpool.Pool
	outbox *mail.Outbox
	tray   mail.Tray

	accounts *account.Accounts
}

func newSite(t *testing.T) *site {
	t.Helper()
	fake := stripetest.New(t)
	for _, p := range testPrices.Prices {
		fake.AddPrice(p.ID, testPrices.Currency, string(p.Interval), p.Amount)
	}
	return siteAt(t, "quiz.example", fake)
}

// siteElsewhere is another installation, with the same Stripe.
func siteElsewhere(t *testing.T, s *site) *site {
	t.Helper()
	return siteAt(t, "elsewhere.example", s.stripe)
}

func siteAt(t *testing.T, host string, fake *stripetest.Stripe) *site {
	t.Helper()
	s := &site{t: t, base: &url.URL{Scheme: "https", Host: host}, stripe: fake, pool: dbtest.New(t)}
	var err error
	if s.outbox, err = mail.NewOutbox(s.pool, bytes.Repeat([]byte("k"), 32)); err != nil {
		t.Fatal(err)
	}
	s.accounts = account.New(s.pool, account.Config{Mail: s.outbox, BaseURL: s.base})
	s.Billing = s.instance()
	return s
}

// instance is another process of the site.
func (s *site) instance() *Billing {
	s.t.Helper()
	b, err := New(s.pool, s.outbox, Settings{SecretKey: stripetest.SecretKey, WebhookSecret: stripetest.WebhookSecret, Prices: testPrices, BaseURL: s.base, StripeURL: s.stripe.URL})
	if err != nil {
		s.t.Fatal(err)
	}
	return b
}

// user makes an account with a confirmed address.
func (s *site) user(name string) account.UserID {
	s.t.Helper()
	id, err := s.accounts.EnsureUser(s.t.Context(), name+"@example.org", name)
	if err != nil {
		s.t.Fatal(err)
	}
	return id
}

// unconfirmed makes an account whose address nobody has shown to be theirs.
func (s *site) unconfirmed(name string) account.UserID {
	s.t.Helper()
	const password = "correct horse battery staple"
	token, err := s.accounts.SignUp(s.t.Context(), name+"@example.org", name, password, account.Device{Address: netip.MustParseAddr("192.0.2.1")})
	if err != nil {
		s.t.Fatal(err)
	}
	user, err := s.accounts.Authenticate(s.t.Context(), token)
	if err != nil {
		s.t.Fatal(err)
	}
	return user.ID
}

// subscribe has a user pay for a plan, and lets all events arrive. It returns the subscription's id.
func (s *site) subscribe(user account.UserID, plan Slug, interval Interval) (id string) {
	s.t.Helper()
	s.pay(s.checkout(user, plan, interval))
	s.receiveAll(s.stripe.Events())
	all := s.stripe.Subscriptions()
	return all[len(all)-1].ID
}

func (s *site) checkout(user account.UserID, plan Slug, interval Interval) (address string) {
	s.t.Helper()
	address, err := s.Checkout(s.t.Context(), user, plan, interval)
	if err != nil {
		s.t.Fatal(err)
	}
	return address
}

func (s *site) pay(address string) {
	s.t.Helper()
	if err := s.stripe.Pay(address); err != nil {
		s.t.Fatal(err)
	}
}

func (s *site) receive(e stripetest.Event) {
	s.t.Helper()
	if err := s.Receive(s.t.Context(), e.Body, stripetest.Sign(e.Body, time.Now())); err != nil {
		s.t.Fatalf("receiving %s: %v", e.Type, err)
	}
}

func (s *site) receiveAll(events []stripetest.Event) {
	s.t.Helper()
	for _, e := range events {
		s.receive(e)
	}
}

func (s *site) reconcile() Report {
	s.t.Helper()
	report, err := s.Reconcile(s.t.Context())
	if err != nil {
		s.t.Fatal(err)
	}
	return report
}

func (s *site) standing(user account.UserID) Standing {
	s.t.Helper()
	standing, err := s.Standing(s.t.Context(), user)
	if err != nil {
		s.t.Fatal(err)
	}
	return standing
}

// wantPlan checks which plan is in force, both as shown and as enforced.
func (s *site) wantPlan(user account.UserID, want Slug) {
	s.t.Helper()
	if got := s.standing(user).Plan.Slug; got != want {
		s.t.Errorf("user %d has the plan %s, want %s", user, got, want)
	}
	if got := s.allowance(user).Plan.Slug; got != want {
		s.t.Errorf("user %d is allowed %s, want %s", user, got, want)
	}
}

func (s *site) allowance(user account.UserID) (a Allowance) {
	s.t.Helper()
	err := pgx.BeginFunc(s.t.Context(), s.pool, func(tx pgx.Tx) (err error) {
		a, err = s.Allowance(s.t.Context(), tx, user)
		return err
	})
	if err != nil {
		s.t.Fatal(err)
	}
	return a
}

func (s *site) exec(sql string, args ...any) {
	s.t.Helper()
	if _, err := s.pool.Exec(s.t.Context(), sql, args...); err != nil {
		s.t.Fatal(err)
	}
}

// letters delivers what was written, and returns the subjects of all letters to a user so far, the oldest first.
func (s *site) letters(name string) (subjects []string) {
	s.t.Helper()
	if err := s.outbox.Deliver(s.t.Context(), &s.tray); err != nil {
		s.t.Fatal(err)
	}
	for _, delivered := range s.tray.Letters() {
		if delivered.To == name+"@example.org" {
			subjects = append([]string{delivered.Letter.Subject}, subjects...)
		}
	}
	return subjects
}

// live are the subscriptions at Stripe that have not ended.
func (s *site) live() (live []stripetest.Subscription) {
	for _, x := range s.stripe.Subscriptions() {
		if x.Status != "canceled" {
			live = append(live, x)
		}
	}
	return live
}

func named(i int) string { return fmt.Sprintf("host%02d", i) }
