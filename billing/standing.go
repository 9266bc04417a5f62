package billing

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"

	"pubquiz/account"
)

// Status is how a subscription stands at Stripe, in Stripe's words: "active", "past_due", "canceled"…; "" is that there is none.
type Status string

// Standing is how things stand with a user. Its JSON form is a part of the export.
type Standing struct {
	Plan     Plan       `json:"plan"`               // that is in force for the user now
	Status   Status     `json:"status,omitempty"`   // of the user's own latest subscription
	Bought   Slug       `json:"bought,omitempty"`   // the plan of that subscription, in force or not
	Interval Interval   `json:"interval,omitempty"` // of that subscription, as are the following
	Amount   int64      `json:"amount,omitempty"`   // in the currency's minor units
	Currency string     `json:"currency,omitempty"` // ISO 4217, in lower case
	RenewsAt *time.Time `json:"renewsAt,omitempty"` // if it does
	EndsAt   *time.Time `json:"endsAt,omitempty"`   // if it is cancelled for then, or has ended
	// PastDueUntil is how long a plan whose payment failed stays in force.
	PastDueUntil *time.Time `json:"pastDueUntil,omitempty"`
	Customer     bool       `json:"customer"` // has begun to pay once, so that there are a portal and invoices

	HostedBy string `json:"hostedBy,omitempty"` // the name of the subscriber by whose plan the user hosts, if it is not their own
	HostOf   string `json:"hostOf,omitempty"`   // the name of the subscriber whose host the user is, whatever plan is in force; they can leave
	Live     int    `json:"live"`               // sessions that are open, of all hosts of the plan in force

	Hosts       []Host       `json:"hosts,omitempty"`       // of the user's own plan, besides the user
	Invitations []Invitation `json:"invitations,omitempty"` // to the user's own plan, that wait for an answer
	Invited     []Invitation `json:"invited,omitempty"`     // of the user, by others, once the address is confirmed
}

// Pays reports that the user has a subscription that has not ended, be its payments late: it is changed in the portal, and no other is sold.
func (s Standing) Pays() bool { return s.Status.isLive() }

// Standing returns how things stand with a user. It asks only the database.
func (b *Billing) Standing(ctx context.Context, user account.UserID) (s Standing, err error) {
	// It reads as of one moment and waits for nobody's rows, so it loses to nobody and is not tried again.
	err = pgx.BeginTxFunc(ctx, b.pool, pgx.TxOptions{IsoLevel: pgx.RepeatableRead, AccessMode: pgx.ReadOnly}, func(tx pgx.Tx) error {
		return errors.Join(s.readPlan(ctx, tx, user), s.readSubscription(ctx, tx, user), s.readHosts(ctx, tx, user))
	})
	if err != nil {
		return s, fmt.Errorf("billing.Standing: user %d: %w", user, err)
	}
	return s, nil
}

func (s *Standing) readPlan(ctx context.Context, tx pgx.Tx, user account.UserID) error {
	var subscriber account.UserID
	if err := tx.QueryRow(ctx, subscriberOf, user, forSeveral()).Scan(&subscriber); err != nil {
		return err
	}
	plan, err := planInForce(ctx, tx, subscriber)
	if err != nil {
		return err
	}
	s.Plan = plan
	hosts, err := hostsTogether(ctx, tx, subscriber, plan.Slug)
	if err != nil {
		return err
	}
	const read = `
		SELECT (SELECT count(*) FROM sessions WHERE owner_id = ANY ($3) AND finished_at IS NULL),
			coalesce((SELECT name FROM users WHERE id = $2 AND id <> $1), ''),
			coalesce((SELECT u.name FROM plan_hosts h JOIN users u ON u.id = h.subscriber_id WHERE h.user_id = $1), ''),
			EXISTS (SELECT FROM stripe_customers WHERE user_id = $1)`
	return tx.QueryRow(ctx, read, user, subscriber, hosts).Scan(&s.Live, &s.HostedBy, &s.HostOf, &s.Customer)
}

// readSubscription reads the one that is live, or the latest that was.
func (s *Standing) readSubscription(ctx context.Context, tx pgx.Tx, user account.UserID) error {
	const read = `
		SELECT plan, status, "interval", amount, currency,
			CASE WHEN status IN ('trialing', 'active', 'past_due') AND cancel_at IS NULL THEN period_end END,
			CASE WHEN ` + live + ` THEN cancel_at ELSE coalesce(ended_at, period_end) END,
			past_due_since + ` + grace + `
		FROM subscriptions WHERE user_id = $1 AND NOT refunded AND status NOT IN ('incomplete', 'incomplete_expired')
		ORDER BY (` + live + `) DESC, created_at DESC, id DESC LIMIT 1`
	err := tx.QueryRow(ctx, read, user).Scan(&s.Bought, &s.Status, &s.Interval, &s.Amount, &s.Currency, &s.RenewsAt, &s.EndsAt, &s.PastDueUntil)
	if errors.Is(err, pgx.ErrNoRows) {
		return nil
	}
	return err
}

func (s *Standing) readHosts(ctx context.Context, tx pgx.Tx, user account.UserID) (err error) {
	const hosts = `SELECT u.id, u.name, u.email, h.since FROM plan_hosts h JOIN users u ON u.id = h.user_id WHERE h.subscriber_id = $1 ORDER BY h.since, u.id`
	if s.Hosts, err = readAll[Host](ctx, tx, hosts, user); err != nil {
		return err
	}
	const invitations = `
		SELECT i.id, i.email, u.name, i.expires_at FROM plan_invitations i JOIN users u ON u.id = i.subscriber_id
		WHERE i.subscriber_id = $1 AND i.expires_at > now() ORDER BY i.id`
	if s.Invitations, err = readAll[Invitation](ctx, tx, invitations, user); err != nil {
		return err
	}
	const invited = `
		SELECT i.id, i.email, u.name, i.expires_at FROM plan_invitations i JOIN users u ON u.id = i.subscriber_id JOIN users me ON me.email_key = i.email_key
		WHERE me.id = $1 AND me.email_verified_at IS NOT NULL AND i.subscriber_id <> me.id AND i.expires_at > now() ORDER BY i.id`
	s.Invited, err = readAll[Invitation](ctx, tx, invited, user)
	return err
}

// readAll reads rows whose columns are the fields of T, in their order.
func readAll[T any](ctx context.Context, tx pgx.Tx, sql string, args ...any) ([]T, error) {
	rows, err := tx.Query(ctx, sql, args...)
	if err != nil {
		return nil, err
	}
	return pgx.CollectRows(rows, pgx.RowToStructByPos[T])
}
