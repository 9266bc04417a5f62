package billing

import (
	"context"
	"fmt"

	"github.com/jackc/pgx/v5"

	"pubquiz/account"
)

// grace is how long a plan whose payment failed stays in force.
const grace = `interval '14 days'`

// inForce is the subscriptions that give their users their plans at this moment: what each status of Stripe's is worth. There is one a user at most.
const inForce = `(
	SELECT * FROM subscriptions
	WHERE NOT refunded AND (cancel_at IS NULL OR cancel_at > now())
		AND (status IN ('trialing', 'active') OR status = 'past_due' AND past_due_since + ` + grace + ` > now())
)`

// subscriberOf is by whose plan a user, $1, hosts: their own, or that of the subscriber whose host they are, while it is one of the plans for several hosts, $2. Nobody is another's host
// and has a subscription.
const subscriberOf = `
	SELECT coalesce((
		SELECT h.subscriber_id FROM plan_hosts h JOIN ` + inForce + ` s ON s.user_id = h.subscriber_id
		WHERE h.user_id = $1 AND s.plan = ANY ($2)
	), $1)`

// together are the hosts whose sessions count together: the subscriber, $1, and theirs, where the plan, $2, is one for several hosts, $3.
const together = `SELECT $1::bigint UNION SELECT user_id FROM plan_hosts WHERE subscriber_id = $1 AND $2 = ANY ($3) ORDER BY 1`

// forSeveral are the plans for several hosts.
func forSeveral() (slugs []Slug) {
	for _, p := range plans {
		if p.Hosts > 1 {
			slugs = append(slugs, p.Slug)
		}
	}
	return slugs
}

// Allowance is what a host may open at this moment.
type Allowance struct {
	Plan  Plan
	Hosts []account.UserID // whose sessions count together, the host's own among them
}

// Allowance returns what a host may open. It locks the subscriber's row in users until the transaction, which has to be READ COMMITTED, ends: of the hosts of a plan, only one
// can be asking and opening at a time.
func (b *Billing) Allowance(ctx context.Context, tx pgx.Tx, host account.UserID) (Allowance, error) {
	plan, subscriber, err := lockedPlan(ctx, tx, host)
	if err != nil {
		return Allowance{}, fmt.Errorf("billing.Allowance: user %d: %w", host, err)
	}
	hosts, err := hostsTogether(ctx, tx, subscriber, plan.Slug)
	if err != nil {
		return Allowance{}, fmt.Errorf("billing.Allowance: user %d: %w", host, err)
	}
	return Allowance{plan, hosts}, nil
}

// lockedPlan returns the plan in force for a host and whose it is. The rows of both in users are locked, the host's first; whoever makes somebody a host of a plan, or ends it, does the same.
func lockedPlan(ctx context.Context, tx pgx.Tx, host account.UserID) (plan Plan, subscriber account.UserID, err error) {
	if err := lockRow(ctx, tx, host); err != nil {
		return plan, 0, err
	}
	if err := tx.QueryRow(ctx, subscriberOf, host, forSeveral()).Scan(&subscriber); err != nil {
		return plan, 0, err
	}
	if subscriber == host {
		plan, err = planInForce(ctx, tx, host)
		return plan, host, err
	}
	if err := lockRow(ctx, tx, subscriber); err != nil {
		return plan, 0, err
	}
	// Until it was locked the subscriber's plan may have become another.
	if plan, err = planInForce(ctx, tx, subscriber); err != nil || plan.Hosts > 1 {
		return plan, subscriber, err
	}
	plan, err = planInForce(ctx, tx, host)
	return plan, host, err
}

func lockRow(ctx context.Context, tx pgx.Tx, user account.UserID) error {
	return tx.QueryRow(ctx, `SELECT id FROM users WHERE id = $1 FOR NO KEY UPDATE`, user).Scan(&user)
}

// planInForce returns the plan of a user's own.
func planInForce(ctx context.Context, q querier, user account.UserID) (Plan, error) {
	slug := Free
	const read = `SELECT coalesce((SELECT plan FROM ` + inForce + ` s WHERE user_id = $1), $2)`
	if err := q.QueryRow(ctx, read, user, Free).Scan(&slug); err != nil {
		return Plan{}, err
	}
	plan, ok := planOf(slug)
	if !ok {
		return Plan{}, fmt.Errorf("there is no plan %q", slug)
	}
	return plan, nil
}

func hostsTogether(ctx context.Context, q querier, subscriber account.UserID, plan Slug) ([]account.UserID, error) {
	rows, err := q.Query(ctx, together, subscriber, plan, forSeveral())
	if err != nil {
		return nil, err
	}
	return pgx.CollectRows(rows, pgx.RowTo[account.UserID])
}

// querier is the pool or a transaction.
type querier interface {
	Query(ctx context.Context, sql string, args ...any) (pgx.Rows, error)
	QueryRow(ctx context.Context, sql string, args ...any) pgx.Row
}
