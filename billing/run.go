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

// Run reconciles once a day, over all instances, and closes customers of deleted accounts at Stripe, until the context ends.
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
	return errors.Join(b.closeCustomers(ctx), b.reconcileDaily(ctx))
}

// closeCustomers deletes at Stripe the customers whose accounts were deleted, which ends their subscriptions at once.
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
		if err := b.stripe.deleteCustomer(ctx, id); err != nil {
			failed = append(failed, err)
			continue
		}
		_, err := b.pool.Exec(ctx, `DELETE FROM stripe_customers WHERE id = $1`, id)
		failed = append(failed, err)
	}
	return errors.Join(failed...)
}

// reconcileDaily reconciles if nobody else does, and nobody has today.
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
	const finish = `WITH old AS (DELETE FROM stripe_events WHERE received_at < now() - $2::interval) UPDATE billing_reconciliation SET due_at = now() + $1::interval`
	_, err = b.pool.Exec(ctx, finish, next, eventAge)
	return errors.Join(failed, err)
}
