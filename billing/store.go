package billing

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"time"

	"github.com/jackc/pgx/v5"

	"pubquiz/account"
	"pubquiz/internal/postgres"
)

// recordEvent stores that the effect of an event is in the database, with the effect. The same event at the same moment does no harm: what it led to is another look. A look without an event has "".
func recordEvent(ctx context.Context, tx pgx.Tx, event string) error {
	_, err := tx.Exec(ctx, `INSERT INTO stripe_events (id) SELECT $1 WHERE $1 <> '' ON CONFLICT DO NOTHING`, event)
	return err
}

// stored is what is known of a subscription.
type stored struct {
	Status   Status
	Plan     Slug
	CancelAt *time.Time
	Refunded bool
}

// store keeps what a look has seen, unless a later look was quicker, and tells the user what concerns them.
func (b *Billing) store(ctx context.Context, number int64, customer string, seen []subscription, event string) (changes []string, err error) {
	err = postgres.InTx(ctx, b.pool, func(tx pgx.Tx) error {
		changes = nil // of a try that came to nothing
		user, gone, err := lockUser(ctx, tx, customer)
		if err != nil {
			return err
		}
		if err := recordEvent(ctx, tx, event); err != nil || gone {
			return err
		}
		tag, err := tx.Exec(ctx, `UPDATE stripe_customers SET look = $2 WHERE id = $1 AND look < $2`, customer, number)
		if err != nil || tag.RowsAffected() == 0 {
			return err
		}
		changes, err = b.storeSubscriptions(ctx, tx, user, customer, seen)
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("billing: storing the subscriptions of %s: %w", customer, err)
	}
	return changes, nil
}

func (b *Billing) storeSubscriptions(ctx context.Context, tx pgx.Tx, user account.UserID, customer string, seen []subscription) (changes []string, err error) {
	known, err := readStored(ctx, tx, customer)
	if err != nil {
		return nil, err
	}
	if changes, err = b.endMissing(ctx, tx, user, known, seen); err != nil {
		return nil, err
	}
	// What has ended makes room for what lives: there is one live subscription a user.
	endedFirst := slices.SortedStableFunc(slices.Values(seen), func(x, y subscription) int {
		switch {
		case x.Status.isLive() == y.Status.isLive():
			return 0
		case y.Status.isLive():
			return -1
		}
		return 1
	})
	for _, s := range endedFirst {
		const upsert = `
			INSERT INTO subscriptions (id, customer_id, user_id, plan, price_id, "interval", amount, currency, status, period_end, cancel_at, ended_at, created_at, past_due_since)
			VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, CASE WHEN $9 = 'past_due' THEN now() END)
			ON CONFLICT (id) DO UPDATE SET plan = excluded.plan, price_id = excluded.price_id, "interval" = excluded."interval", amount = excluded.amount, currency = excluded.currency,
				status = excluded.status, period_end = excluded.period_end, cancel_at = excluded.cancel_at, ended_at = excluded.ended_at,
				past_due_since = CASE WHEN excluded.status = 'past_due' THEN coalesce(subscriptions.past_due_since, now()) END
			RETURNING past_due_since + ` + grace
		var until *time.Time
		if err := tx.QueryRow(ctx, upsert, s.ID, customer, user, s.Plan, s.PriceID, s.Interval, s.Amount, s.Currency, s.Status, s.End, s.CancelAt, s.EndedAt, s.CreatedAt).Scan(&until); err != nil {
			return nil, err
		}
		before, met := known[s.ID]
		if met && before.Refunded {
			continue
		}
		if letter, ok := b.letterAbout(before, s, until); ok {
			if err := b.tell(ctx, tx, user, letter); err != nil {
				return nil, err
			}
		}
		if before.Status != s.Status || before.Plan != s.Plan || (before.CancelAt == nil) != (s.CancelAt == nil) {
			changes = append(changes, fmt.Sprintf("%s of user %d is %s, %s%s", s.ID, user, s.Plan, s.Status, ending(s.CancelAt)))
		}
	}
	if slices.ContainsFunc(seen, func(s subscription) bool { return s.Status.isLive() }) { // on a page that they may have left open when they became another's host
		const settle = `WITH page AS (DELETE FROM checkouts WHERE user_id = $1) DELETE FROM plan_hosts WHERE user_id = $1`
		if _, err := tx.Exec(ctx, settle, user); err != nil {
			return nil, err
		}
	}
	return changes, nil
}

// endMissing ends what Stripe does not know any more, such as what was only there to test.
func (b *Billing) endMissing(ctx context.Context, tx pgx.Tx, user account.UserID, known map[string]stored, seen []subscription) (changes []string, err error) {
	for id, before := range known {
		if !before.Status.isLive() || before.Refunded || slices.ContainsFunc(seen, func(s subscription) bool { return s.ID == id }) {
			continue
		}
		const end = `UPDATE subscriptions SET status = 'canceled', past_due_since = NULL, ended_at = now() WHERE id = $1`
		if _, err := tx.Exec(ctx, end, id); err != nil {
			return nil, err
		}
		if err := b.tell(ctx, tx, user, b.endedLetter()); err != nil {
			return nil, err
		}
		changes = append(changes, fmt.Sprintf("%s of user %d is gone", id, user))
	}
	return changes, nil
}

func readStored(ctx context.Context, tx pgx.Tx, customer string) (map[string]stored, error) {
	rows, err := tx.Query(ctx, `SELECT id, status, plan, cancel_at, refunded FROM subscriptions WHERE customer_id = $1`, customer)
	if err != nil {
		return nil, err
	}
	known := map[string]stored{}
	var (
		id string
		s  stored
	)
	_, err = pgx.ForEachRow(rows, []any{&id, &s.Status, &s.Plan, &s.CancelAt, &s.Refunded}, func() error {
		known[id] = s
		return nil
	})
	return known, err
}

// storeGone forgets a customer who was deleted at Stripe, which has ended whatever they had.
func (b *Billing) storeGone(ctx context.Context, customer, event string) (changes []string, err error) {
	err = postgres.InTx(ctx, b.pool, func(tx pgx.Tx) error {
		changes = nil // of a try that came to nothing
		user, gone, err := lockUser(ctx, tx, customer)
		if err != nil {
			return err
		}
		if err := recordEvent(ctx, tx, event); err != nil {
			return err
		}
		if !gone {
			known, err := readStored(ctx, tx, customer)
			if err != nil {
				return err
			}
			if changes, err = b.endMissing(ctx, tx, user, known, nil); err != nil {
				return err
			}
		}
		_, err = tx.Exec(ctx, `DELETE FROM stripe_customers WHERE id = $1`, customer)
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("billing: forgetting %s: %w", customer, err)
	}
	return append(changes, customer+" is gone"), nil
}

// errCustomerGone says that a customer was deleted at Stripe, and is forgotten.
var errCustomerGone = errors.New("the customer is gone")

// forgetIfGone forgets a customer for whom Stripe will do nothing, if it is that they were deleted there. The error is then errCustomerGone.
func (b *Billing) forgetIfGone(ctx context.Context, customer string) error {
	found, err := b.stripe.customer(ctx, customer)
	if err != nil && !missing(err) {
		return err
	}
	if err == nil && !found.Deleted {
		return nil
	}
	if _, err := b.storeGone(ctx, customer, ""); err != nil {
		return err
	}
	return errCustomerGone
}

// storeRefunded keeps that a subscription is a second one, and tells the user once.
func (b *Billing) storeRefunded(ctx context.Context, customer string, s subscription) error {
	var (
		user account.UserID
		told bool
	)
	err := postgres.InTx(ctx, b.pool, func(tx pgx.Tx) (err error) {
		told = false
		var gone bool
		if user, gone, err = lockUser(ctx, tx, customer); err != nil || gone {
			return err
		}
		const keep = `
			INSERT INTO subscriptions (id, customer_id, user_id, plan, price_id, "interval", amount, currency, status, period_end, created_at, refunded)
			VALUES ($1, $2, $3, $4, $5, $6, $7, $8, 'canceled', $9, $10, true)
			ON CONFLICT (id) DO UPDATE SET refunded = true WHERE NOT subscriptions.refunded`
		tag, err := tx.Exec(ctx, keep, s.ID, customer, user, s.Plan, s.PriceID, s.Interval, s.Amount, s.Currency, s.End, s.CreatedAt)
		if err != nil || tag.RowsAffected() == 0 {
			return err
		}
		told = true
		return b.tell(ctx, tx, user, b.refundedLetter())
	})
	if err != nil {
		return fmt.Errorf("billing: storing the refund of %s: %w", s.ID, err)
	}
	if told {
		slog.WarnContext(ctx, "a second subscription was refunded and is cancelled", "subscription", s.ID, "user", user)
	}
	return nil
}

func ending(at *time.Time) string {
	if at == nil {
		return ""
	}
	return ", until " + at.UTC().Format(time.DateOnly)
}
