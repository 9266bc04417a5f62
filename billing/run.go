package billing

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"time"

	"github.com/jackc/pgx/v5"
)

const (
	tick     = time.Minute         // between looks for what is to be done
	lease    = time.Hour           // for which one instance may compare, before it is taken for dead
	retryIn  = 10 * time.Minute    // after a comparison that failed
	eventAge = 30 * 24 * time.Hour // after which no event comes again
)

// Run reconciles once a day, over all instances, closes customers of deleted accounts at Stripe, and tells it of changed addresses, until the context ends.
func (b *Billing) Run(ctx context.Context) {
	ticks := time.NewTicker(tick)
	defer ticks.Stop()
	for {
		if err := b.work(ctx); err != nil && ctx.Err() == nil {
			slog.ErrorContext(ctx, "billing is behind; trying again", "error", err)
		}
		select {
		case <-ticks.C:
		case <-ctx.Done():
			return
		}
	}
}

// work does what is due.
func (b *Billing) work(ctx context.Context) error {
	return errors.Join(b.closeCustomers(ctx), b.tellAddresses(ctx), b.reconcileDaily(ctx))
}

// tellAddresses tells Stripe the addresses of whoever has another than it was told, so that bills follow.
func (b *Billing) tellAddresses(ctx context.Context) error {
	type moved struct{ Customer, Email string }
	const find = `SELECT c.id, u.email FROM stripe_customers c JOIN users u ON u.id = c.user_id WHERE c.email IS DISTINCT FROM u.email LIMIT 100`
	rows, err := b.pool.Query(ctx, find)
	if err != nil {
		return fmt.Errorf("billing: finding addresses that have changed: %w", err)
	}
	all, err := pgx.CollectRows(rows, pgx.RowToStructByPos[moved])
	if err != nil {
		return fmt.Errorf("billing: finding addresses that have changed: %w", err)
	}
	var failed []error
	for _, m := range all {
		err := b.stripe.setEmail(ctx, m.Customer, m.Email)
		if missing(err) {
			if err = b.forgetIfGone(ctx, m.Customer); errors.Is(err, errCustomerGone) {
				continue
			}
		}
		if err == nil {
			_, err = b.pool.Exec(ctx, `UPDATE stripe_customers SET email = $2 WHERE id = $1`, m.Customer, m.Email)
		}
		failed = append(failed, err)
	}
	return errors.Join(failed...)
}

// closeCustomers closes the customers whose accounts were deleted.
func (b *Billing) closeCustomers(ctx context.Context) error {
	rows, err := b.pool.Query(ctx, `SELECT id FROM stripe_customers WHERE user_id IS NULL LIMIT 100`)
	if err != nil {
		return fmt.Errorf("billing: finding customers to close: %w", err)
	}
	orphans, err := pgx.CollectRows(rows, pgx.RowTo[string])
	if err != nil {
		return fmt.Errorf("billing: finding customers to close: %w", err)
	}
	var failed []error
	for _, id := range orphans {
		if err := b.closeCustomer(ctx, id); !errors.Is(err, errStranger) { // another instance was quicker
			failed = append(failed, err)
		}
	}
	return errors.Join(failed...)
}

// closeCustomer deletes a customer at Stripe, which ends their subscriptions at once.
func (b *Billing) closeCustomer(ctx context.Context, customer string) error {
	if err := b.closePages(ctx, customer); err != nil {
		return err
	}
	if err := b.giveBackWhatCameLater(ctx, customer); err != nil {
		return err
	}
	if err := b.stripe.deleteCustomer(ctx, customer); err != nil {
		return err
	}
	if _, err := b.pool.Exec(ctx, `DELETE FROM stripe_customers WHERE id = $1`, customer); err != nil {
		return fmt.Errorf("billing: forgetting %s: %w", customer, err)
	}
	return nil
}

// closePages sees to it that a customer can pay nowhere any more.
func (b *Billing) closePages(ctx context.Context, customer string) error {
	open, err := b.stripe.openCheckouts(ctx, customer)
	if err != nil && !missing(err) {
		return err
	}
	for _, page := range open {
		if err := b.stripe.expireCheckout(ctx, page.ID); err != nil && !refused(err) { // it was paid on at this moment
			return err
		}
	}
	return nil
}

// giveBackWhatCameLater refunds and cancels the subscriptions that were paid for after the customer's account was deleted: those that are not known.
func (b *Billing) giveBackWhatCameLater(ctx context.Context, customer string) error {
	_, known, err := b.beginLook(ctx, customer)
	if err != nil {
		return err
	}
	all, err := b.stripe.subscriptions(ctx, customer)
	if err != nil && !missing(err) {
		return err
	}
	for _, s := range b.ours(all, known) {
		if _, had := known[s.ID]; had || !s.Status.isLive() {
			continue
		}
		slog.WarnContext(ctx, "a subscription of a deleted account is refunded, since it came later", "subscription", s.ID)
		if err := b.giveBack(ctx, customer, s); err != nil {
			return err
		}
	}
	return nil
}

// reconcileDaily reconciles if nobody else does, and nobody has today. What nobody will ask for again is forgotten on that occasion.
func (b *Billing) reconcileDaily(ctx context.Context) error {
	tag, err := b.pool.Exec(ctx, `UPDATE billing_reconciliation SET due_at = now() + $1::interval WHERE due_at <= now()`, lease)
	if err != nil {
		return fmt.Errorf("billing: claiming the comparison with Stripe: %w", err)
	}
	if tag.RowsAffected() == 0 {
		return nil
	}
	report, failed := b.Reconcile(ctx)
	for _, change := range report.Changed {
		slog.WarnContext(ctx, "an event of Stripe's was missed", "change", change)
	}
	for _, problem := range report.Problems {
		slog.WarnContext(ctx, "something at Stripe needs a look", "problem", problem)
	}
	next := 24 * time.Hour
	if failed != nil {
		next = retryIn
	}
	const finish = `
		WITH old AS (DELETE FROM stripe_events WHERE received_at < now() - $2::interval), unanswered AS (DELETE FROM plan_invitations WHERE expires_at <= now())
		UPDATE billing_reconciliation SET due_at = now() + $1::interval`
	_, err = b.pool.Exec(ctx, finish, next, eventAge)
	return errors.Join(failed, err)
}
