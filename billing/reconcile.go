package billing

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"

	"github.com/jackc/pgx/v5"
	"github.com/stripe/stripe-go/v85"
)

// Report is what Reconcile has found.
type Report struct {
	Subscriptions int      // of this installation's that have not ended at Stripe
	Changed       []string // what was not as it is at Stripe, and now is; a sentence each
	Problems      []string // what somebody has to look at: a price that is not as configured, a customer of nobody's; a sentence each
}

// Reconcile compares everything with Stripe and takes over what has been missed. The error is ErrUnavailable if Stripe could not be asked about everything; what could be is
// done and reported all the same.
func (b *Billing) Reconcile(ctx context.Context) (Report, error) {
	var r Report
	failed := []error{b.comparePrices(ctx, &r)}
	customers, err := b.customersToCompare(ctx, &r)
	failed = append(failed, err)
	for _, customer := range customers {
		changes, err := b.look(ctx, customer, "")
		r.Changed = append(r.Changed, changes...)
		if errors.Is(err, errStranger) {
			continue // the account was deleted meanwhile, and the customer closed
		}
		failed = append(failed, err)
		if ctx.Err() != nil {
			break
		}
	}
	return r, errors.Join(failed...)
}

// Check asks Stripe, with the calls of a server, what selling needs: that the key works, and that every price is as configured; and whether the endpoint for events is as the server needs it, which only a key may
// know that may read endpoints. It returns what somebody has to look at, a sentence each. The error is ErrUnavailable.
func (b *Billing) Check(ctx context.Context) (problems []string, err error) {
	var r Report
	if err := b.comparePrices(ctx, &r); err != nil {
		return r.Problems, err
	}
	endpoints, err := b.stripe.endpoints(ctx)
	if refused(err) {
		return append(r.Problems, "the key may not read webhook endpoints, so whether "+b.endpoint()+" is one was not looked at"), nil
	}
	if err != nil {
		return r.Problems, err
	}
	return append(r.Problems, b.compareEndpoint(endpoints)...), nil
}

// endpoint is where Stripe sends events.
func (b *Billing) endpoint() string {
	return b.settings.BaseURL.JoinPath("webhooks", "stripe").String()
}

func (b *Billing) compareEndpoint(endpoints []*stripe.WebhookEndpoint) (problems []string) {
	ours := slices.IndexFunc(endpoints, func(e *stripe.WebhookEndpoint) bool { return e.URL == b.endpoint() })
	if ours < 0 {
		return []string{"no webhook endpoint at Stripe is " + b.endpoint() + ", so payments are noticed once a day only"}
	}
	found := endpoints[ours]
	if found.Status != "enabled" {
		problems = append(problems, "the webhook endpoint is "+found.Status+" at Stripe, so payments are noticed once a day only")
	}
	if slices.Contains(found.EnabledEvents, "*") {
		return problems
	}
	for _, event := range events {
		if !slices.Contains(found.EnabledEvents, event) {
			problems = append(problems, "the webhook endpoint is not sent "+event)
		}
	}
	return problems
}

// comparePrices compares the prices that hosts are shown with those that they would be charged.
func (b *Billing) comparePrices(ctx context.Context, r *Report) error {
	var failed []error
	for _, configured := range b.settings.Prices.Prices {
		name := fmt.Sprintf("the price of %s by the %s, %s,", configured.Plan, configured.Interval, configured.ID)
		price, err := b.stripe.price(ctx, configured.ID)
		switch {
		case missing(err):
			r.Problems = append(r.Problems, name+" is not at Stripe")
			continue
		case err != nil:
			failed = append(failed, err)
			continue
		case !price.Active:
			r.Problems = append(r.Problems, name+" is archived at Stripe: nobody can buy it")
		}
		if price.UnitAmount != configured.Amount || string(price.Currency) != b.settings.Currency {
			r.Problems = append(r.Problems, fmt.Sprintf("%s is %s at Stripe and %s here", name, Money(price.UnitAmount, string(price.Currency)), Money(configured.Amount, b.settings.Currency)))
		}
		if price.Recurring == nil || string(price.Recurring.Interval) != string(configured.Interval) || price.Recurring.IntervalCount != 1 {
			r.Problems = append(r.Problems, name+" is charged in another interval at Stripe")
		}
	}
	return errors.Join(failed...)
}

// customersToCompare returns the customers that have something at Stripe, or as far as is known here. Those who are not known, since the database is older than they are, are adopted.
func (b *Billing) customersToCompare(ctx context.Context, r *Report) ([]string, error) {
	all, unread := b.stripe.allSubscriptions(ctx)
	var atStripe []string
	for _, s := range all {
		_, configured := b.settings.withID(priceID(s))
		if s.Customer == nil || !configured && s.Metadata[metaSite] != b.stripe.site {
			continue
		}
		known, err := b.knowsCustomer(ctx, s.Customer.ID)
		if err == nil && !known && s.Metadata[metaSite] == b.stripe.site {
			known, err = b.adopt(ctx, s.Customer.ID, r)
		}
		if err != nil {
			unread = errors.Join(unread, err)
			continue
		}
		if known {
			r.Subscriptions++
			atStripe = append(atStripe, s.Customer.ID)
		}
	}
	const here = `SELECT customer_id FROM subscriptions WHERE ` + live
	rows, err := b.pool.Query(ctx, here)
	if err != nil {
		return nil, errors.Join(unread, fmt.Errorf("billing.Reconcile: %w", err))
	}
	known, err := pgx.CollectRows(rows, pgx.RowTo[string])
	if err != nil {
		return nil, errors.Join(unread, fmt.Errorf("billing.Reconcile: %w", err))
	}
	customers := slices.Concat(atStripe, known)
	slices.Sort(customers)
	return slices.Compact(customers), unread
}

func priceID(s *stripe.Subscription) string {
	if s.Items == nil || len(s.Items.Data) == 0 || s.Items.Data[0].Price == nil {
		return ""
	}
	return s.Items.Data[0].Price.ID
}

func (b *Billing) knowsCustomer(ctx context.Context, id string) (known bool, err error) {
	err = b.pool.QueryRow(ctx, `SELECT EXISTS (SELECT FROM stripe_customers WHERE id = $1)`, id).Scan(&known)
	return known, err
}

// adopt makes a customer that is marked as this installation's the user's that they say they are. Ids of users come again in a database that was restored, so the user must have been there before the
// customer was. An address proves nothing: anybody can sign up with another's.
func (b *Billing) adopt(ctx context.Context, id string, r *Report) (adopted bool, err error) {
	customer, err := b.stripe.customer(ctx, id)
	if err != nil {
		return false, err
	}
	user, err := strconv.ParseInt(customer.Metadata[metaUser], 10, 64)
	if err == nil && customer.Metadata[metaSite] == b.stripe.site {
		const adopt = `
			INSERT INTO stripe_customers (id, user_id, email) SELECT $1, id, email FROM users WHERE id = $2 AND date_trunc('second', created_at) <= to_timestamp($3)
			ON CONFLICT DO NOTHING`
		tag, err := b.pool.Exec(ctx, adopt, id, user, customer.Created) // which Stripe gives in seconds
		if err != nil {
			return false, fmt.Errorf("billing.Reconcile: %w", err)
		}
		if tag.RowsAffected() == 1 {
			r.Changed = append(r.Changed, fmt.Sprintf("%s is user %d again", id, user))
			return true, nil
		}
	}
	r.Problems = append(r.Problems, fmt.Sprintf("%s pays, but no user is found for the customer: see who it is, at Stripe, and cancel or refund there", id))
	return false, nil
}
