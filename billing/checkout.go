package billing

import (
	"context"
	"errors"
	"fmt"
	"log/slog"

	"github.com/jackc/pgx/v5"
	"github.com/stripe/stripe-go/v85"

	"pubquiz/account"
	"pubquiz/internal/postgres"
	"pubquiz/internal/words"
)

// checkout is a page at Stripe on which a user may be about to pay. There is one a user: whoever chooses another price gets another page, once nobody can pay on the one before. Its
// attempt makes it the same page for whoever asks Stripe for it, so that it can be found even if the answer to the first who asked was lost.
type checkout struct {
	User      account.UserID
	Attempt   int64
	Plan      Slug
	Interval  Interval
	PriceID   string
	SessionID *string // nil until it is known
}

// Checkout returns the address of the page at Stripe on which the user pays for a plan. Coming back from there grants nothing: the subscription does, once Stripe has told of
// it. The error is an *InvalidError, ErrSubscribed (the portal is the place), ErrHosted or ErrUnavailable.
func (b *Billing) Checkout(ctx context.Context, user account.UserID, plan Slug, interval Interval) (address string, err error) {
	price, err := b.chosen(plan, interval)
	if err != nil {
		return "", err
	}
	const rounds = 5 // each after something else that this user has just done
	for range rounds {
		c, err := b.claimCheckout(ctx, user, price)
		if err != nil {
			return "", err
		}
		session, customer, err := b.sessionOf(ctx, c)
		if errors.Is(err, errCustomerGone) {
			continue // with a new one
		}
		if err != nil {
			return "", err
		}
		switch {
		case session.Status == stripe.CheckoutSessionStatusOpen && c.PriceID == price.ID:
			return session.URL, nil
		case session.Status == stripe.CheckoutSessionStatusOpen:
			if err := b.stripe.expireCheckout(ctx, session.ID); refused(err) {
				continue // it was paid for, or expired, at this moment
			} else if err != nil {
				return "", err
			}
		case session.Status == stripe.CheckoutSessionStatusComplete:
			if _, err := b.look(ctx, customer, ""); err != nil { // which knows of the subscription, or that it has ended already
				return "", err
			}
		}
		if err := b.forgetCheckout(ctx, c); err != nil {
			return "", err
		}
	}
	return "", fmt.Errorf("%w: user %d chooses faster than can be followed", ErrUnavailable, user)
}

func (b *Billing) chosen(plan Slug, interval Interval) (Price, error) {
	if p, ok := planOf(plan); !ok || p.Slug == Free {
		return Price{}, &InvalidError{"plan", words.T("Choose one of the plans on the page of prices.")}
	}
	price, ok := b.settings.Of(plan, interval)
	if !ok {
		return Price{}, &InvalidError{"interval", words.T("Choose whether to pay by the month or by the year.")}
	}
	return price, nil
}

// claimCheckout returns the user's checkout: the one there is, perhaps for another price, or a new one.
func (b *Billing) claimCheckout(ctx context.Context, user account.UserID, price Price) (c checkout, err error) {
	err = postgres.InTx(ctx, b.pool, func(tx pgx.Tx) error {
		err := lockRow(ctx, tx, user)
		if errors.Is(err, pgx.ErrNoRows) {
			return account.ErrNotSignedIn
		}
		if err != nil {
			return err
		}
		const may = `SELECT EXISTS (SELECT FROM subscriptions WHERE user_id = $1 AND ` + live + `), EXISTS (SELECT FROM plan_hosts WHERE user_id = $1)`
		var subscribed, hosted bool
		if err := tx.QueryRow(ctx, may, user).Scan(&subscribed, &hosted); err != nil {
			return err
		}
		switch {
		case subscribed:
			return ErrSubscribed
		case hosted:
			return ErrHosted
		}
		// The update changes nothing, but returns and locks what is there: somebody else may be about to delete it.
		const claim = `
			INSERT INTO checkouts (user_id, plan, "interval", price_id) VALUES ($1, $2, $3, $4) ON CONFLICT (user_id) DO UPDATE SET user_id = excluded.user_id
			RETURNING user_id, attempt, plan, "interval", price_id, session_id`
		return tx.QueryRow(ctx, claim, user, price.Plan, price.Interval, price.ID).Scan(&c.User, &c.Attempt, &c.Plan, &c.Interval, &c.PriceID, &c.SessionID)
	})
	if err != nil {
		return checkout{}, fmt.Errorf("billing.Checkout: %w", err)
	}
	return c, nil
}

// sessionOf returns a checkout as it stands at Stripe, where it is made if need be, and whose it is.
func (b *Billing) sessionOf(ctx context.Context, c checkout) (session *stripe.CheckoutSession, customer string, err error) {
	defer func() {
		if refused(err) { // what Stripe has refused once it would refuse again under the same key
			err = errors.Join(err, b.forgetCheckout(ctx, c))
		}
	}()
	if customer, err = b.ensureCustomer(ctx, c); err != nil {
		return nil, "", err
	}
	if c.SessionID == nil {
		made, err := b.stripe.createCheckout(ctx, customer, c, b.address(ThanksPath), b.address(CancelledPath))
		if missing(err) {
			return nil, "", errors.Join(err, b.forgetIfGone(ctx, customer))
		}
		if err != nil {
			return nil, "", err
		}
		const keep = `UPDATE checkouts SET session_id = $3 WHERE user_id = $1 AND attempt = $2`
		if _, err := b.pool.Exec(ctx, keep, c.User, c.Attempt, made.ID); err != nil {
			return nil, "", fmt.Errorf("billing.Checkout: %w", err)
		}
		c.SessionID = &made.ID
	}
	session, err = b.stripe.checkout(ctx, *c.SessionID) // what making it has said may be the answer to an earlier question
	return session, customer, err
}

func (b *Billing) forgetCheckout(ctx context.Context, c checkout) error {
	if _, err := b.pool.Exec(ctx, `DELETE FROM checkouts WHERE user_id = $1 AND attempt = $2`, c.User, c.Attempt); err != nil {
		return fmt.Errorf("billing.Checkout: %w", err)
	}
	return nil
}

// ensureCustomer returns the customer of a user, who becomes one with their first checkout.
func (b *Billing) ensureCustomer(ctx context.Context, c checkout) (id string, err error) {
	if id, err = b.customerOf(ctx, c.User); !errors.Is(err, ErrNoCustomer) {
		return id, err
	}
	var email string
	if err := b.pool.QueryRow(ctx, `SELECT email FROM users WHERE id = $1`, c.User).Scan(&email); err != nil {
		return "", fmt.Errorf("billing.Checkout: %w", err)
	}
	made, err := b.stripe.createCustomer(ctx, c.User, email, c.Attempt)
	if err != nil {
		return "", err
	}
	const insert = `INSERT INTO stripe_customers (id, user_id, email) SELECT $1, id, $3 FROM users WHERE id = $2 ON CONFLICT DO NOTHING`
	if _, err := b.pool.Exec(ctx, insert, made, c.User, email); err != nil {
		return "", fmt.Errorf("billing.Checkout: %w", err)
	}
	id, err = b.customerOf(ctx, c.User)
	if id != made && (err == nil || errors.Is(err, ErrNoCustomer)) { // another attempt was quicker, or the account is gone
		if err := b.stripe.deleteCustomer(ctx, made); err != nil {
			slog.WarnContext(ctx, "a customer without a user is left at Stripe; it has nothing", "customer", made, "error", err)
		}
	}
	return id, err
}
