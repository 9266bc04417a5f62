package billing

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/stripe/stripe-go/v85"

	"pubquiz/account"
)

// errStranger says that a customer at Stripe is none of this installation's, as far as it knows.
var errStranger = errors.New("an unknown customer")

// look asks Stripe about a customer, sets right what must not be (a second subscription, one whose money has gone back), and stores what it has seen, with the event, if any,
// that it was for. It returns what has changed, a sentence each. The error is errStranger, ErrUnavailable, or the database's.
//
// Looks may overlap. Each takes its number before it asks, so that one with a higher number saw whatever it was that the other was for, and is not overwritten by it.
func (b *Billing) look(ctx context.Context, customer, event string) (changes []string, err error) {
	const rounds = 4 // each after something at Stripe was set right
	for range rounds {
		number, known, err := b.beginLook(ctx, customer)
		if err != nil {
			return nil, err
		}
		all, err := b.stripe.subscriptions(ctx, customer)
		if missing(err) {
			return b.storeGone(ctx, customer, event)
		}
		if err != nil {
			return nil, err
		}
		seen := b.ours(all, known)
		changed, err := b.setRight(ctx, customer, seen)
		if err != nil {
			return nil, err
		}
		if !changed {
			return b.store(ctx, number, customer, seen, event)
		}
	}
	return nil, fmt.Errorf("%w: the subscriptions of %s change faster than they can be set right", ErrUnavailable, customer)
}

// bought is a plan, and at which of Stripe's prices.
type bought struct {
	Plan    Slug
	PriceID string
}

// beginLook takes a look's number, and returns what is known of the customer's subscriptions, by their ids.
func (b *Billing) beginLook(ctx context.Context, customer string) (number int64, known map[string]bought, err error) {
	const begin = `
		SELECT nextval('stripe_looks'), coalesce(jsonb_object_agg(s.id, jsonb_build_object('Plan', s.plan, 'PriceID', s.price_id)) FILTER (WHERE s.id IS NOT NULL), '{}')
		FROM stripe_customers c LEFT JOIN subscriptions s ON s.customer_id = c.id WHERE c.id = $1 GROUP BY c.id`
	err = b.pool.QueryRow(ctx, begin, customer).Scan(&number, &known)
	if errors.Is(err, pgx.ErrNoRows) {
		return 0, nil, errStranger
	}
	if err != nil {
		return 0, nil, fmt.Errorf("billing: beginning to look at %s: %w", customer, err)
	}
	return number, known, nil
}

// subscription is one of ours as a look has seen it.
type subscription struct {
	ID        string
	Plan      Slug
	PriceID   string
	Interval  string
	Amount    int64
	Currency  string
	Status    Status
	Start     time.Time // of the period that is paid
	End       time.Time
	CancelAt  *time.Time
	EndedAt   *time.Time
	CreatedAt time.Time
}

// isLive reports that a subscription has not ended, in force or not: nobody may have two. It is `live` in SQL.
func (s Status) isLive() bool {
	switch s {
	case "trialing", "active", "past_due", "unpaid", "paused":
		return true
	}
	return false
}

const live = `NOT refunded AND status IN ('trialing', 'active', 'past_due', 'unpaid', 'paused')`

// ours are the subscriptions to a plan, the oldest first.
func (b *Billing) ours(all []*stripe.Subscription, known map[string]bought) (ours []subscription) {
	for _, s := range all {
		if s.Items == nil || len(s.Items.Data) == 0 || s.Items.Data[0].Price == nil || s.Items.Data[0].Price.Recurring == nil {
			continue
		}
		item := s.Items.Data[0]
		gives, ok := b.gives(s, item.Price.ID, known)
		if !ok {
			slog.Warn("a subscription has a price that is not configured, and belongs to no plan", "subscription", s.ID, "price", item.Price.ID)
			continue
		}
		seen := subscription{
			ID: s.ID, Plan: gives.Plan, PriceID: gives.PriceID, Interval: string(item.Price.Recurring.Interval), Amount: item.Price.UnitAmount, Currency: string(item.Price.Currency),
			Status: Status(s.Status), Start: time.Unix(item.CurrentPeriodStart, 0), End: time.Unix(item.CurrentPeriodEnd, 0),
			CancelAt: moment(s.CancelAt), EndedAt: moment(s.EndedAt), CreatedAt: time.Unix(s.Created, 0),
		}
		if seen.CancelAt == nil && s.CancelAtPeriodEnd {
			seen.CancelAt = &seen.End
		}
		ours = append(ours, seen)
	}
	slices.SortFunc(ours, func(x, y subscription) int { return cmp.Or(x.CreatedAt.Compare(y.CreatedAt), cmp.Compare(x.ID, y.ID)) })
	return ours
}

// gives is the plan that a subscription gives, if it is to one. While a payment is due it is what was paid before: a larger plan that was chosen without paying for it is not forgiven.
func (b *Billing) gives(s *stripe.Subscription, priceID string, known map[string]bought) (gives bought, ok bool) {
	price, configured := b.settings.withID(priceID)
	before, met := known[s.ID]
	switch {
	case met && s.Status == stripe.SubscriptionStatusPastDue:
		return before, true
	case configured:
		return bought{price.Plan, priceID}, true
	case met && before.PriceID != priceID:
		slog.Warn("a subscription was moved to a price that is not configured: it gives the smallest plan", "subscription", s.ID, "price", priceID)
		return bought{Pub, priceID}, true
	case met:
		gives = before
	case s.Metadata[metaSite] == b.stripe.site:
		gives = bought{Slug(s.Metadata[metaPlan]), priceID}
	}
	plan, ok := planOf(gives.Plan)
	if !ok || plan.Slug == Free {
		return bought{}, false
	}
	slog.Warn("a subscription has a price that is not configured: its plan stays", "subscription", s.ID, "price", priceID, "plan", gives.Plan)
	return gives, true
}

func moment(unix int64) *time.Time {
	if unix == 0 {
		return nil
	}
	return new(time.Unix(unix, 0))
}

// setRight cancels at Stripe what must not go on, and reports whether there was anything.
func (b *Billing) setRight(ctx context.Context, customer string, seen []subscription) (changed bool, err error) {
	alive := slices.DeleteFunc(slices.Clone(seen), func(s subscription) bool { return !s.Status.isLive() })
	if len(alive) == 0 {
		return false, nil
	}
	oldest, others := alive[0], alive[1:]
	for _, s := range others {
		if err := b.giveBack(ctx, customer, s); err != nil {
			return false, err
		}
	}
	if oldest.Status != "active" {
		return len(others) > 0, nil
	}
	back, err := b.moneyWentBack(ctx, oldest)
	if err != nil || !back {
		return len(others) > 0, err
	}
	slog.WarnContext(ctx, "a subscription is cancelled since its payment was refunded or disputed", "subscription", oldest.ID)
	return true, b.stripe.cancelSubscription(ctx, oldest.ID)
}

// moneyWentBack reports that somebody disputes a payment of the period, or that all of them were refunded in full.
func (b *Billing) moneyWentBack(ctx context.Context, s subscription) (bool, error) {
	const early = time.Hour // by which a period's invoice may have been made before the period
	charges, err := b.stripe.charges(ctx, s.ID, s.Start.Add(-early))
	if err != nil {
		return false, err
	}
	kept := false
	for _, charge := range charges {
		if charge.Disputed {
			return true, nil
		}
		kept = kept || !charge.Refunded
	}
	return len(charges) > 0 && !kept, nil
}

// giveBack refunds and cancels a subscription that should not have been bought. Whatever of it was done before is not done twice, so that it can be repeated after any failure; the letter is
// written before the last step, after which there would be nothing left to repeat.
func (b *Billing) giveBack(ctx context.Context, customer string, s subscription) error {
	charges, err := b.stripe.charges(ctx, s.ID, time.Unix(0, 0))
	if err != nil {
		return err
	}
	for _, charge := range charges {
		if charge.Refunded {
			continue
		}
		if err := b.stripe.refund(ctx, charge.ID); err != nil {
			return err
		}
	}
	if err := b.storeRefunded(ctx, customer, s); err != nil {
		return err
	}
	return b.stripe.cancelSubscription(ctx, s.ID)
}

// lockUser locks the row of a customer's user, before any other: whoever deletes the account, opens a session or begins to pay locks it first, too. The account may be gone.
func lockUser(ctx context.Context, tx pgx.Tx, customer string) (user account.UserID, gone bool, err error) {
	const lock = `SELECT id FROM users WHERE id = (SELECT user_id FROM stripe_customers WHERE id = $1) FOR NO KEY UPDATE`
	err = tx.QueryRow(ctx, lock, customer).Scan(&user)
	if errors.Is(err, pgx.ErrNoRows) {
		return 0, true, nil
	}
	return user, false, err
}
