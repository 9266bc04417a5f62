package billing

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"time"

	"github.com/stripe/stripe-go/v85"

	"pubquiz/account"
)

// patience is for one call at Stripe, with its repetitions.
const patience = 20 * time.Second

// payments is what is asked of Stripe, and all of it. Its errors are ErrUnavailable, with Stripe's inside.
type payments struct {
	client *stripe.Client
	site   string // by which this installation knows its own among what else is at Stripe
}

func newPayments(s Settings) payments {
	c := stripe.BackendConfig{EnableTelemetry: new(false), LeveledLogger: &stripe.LeveledLogger{Level: stripe.LevelNull}}
	if s.StripeURL != "" {
		c.URL = &s.StripeURL
	}
	if s.Calls != nil {
		s.Calls(&c)
	}
	return payments{
		client: stripe.NewClient(string(s.SecretKey), stripe.WithBackends(stripe.NewBackendsWithConfig(&c))),
		site:   s.BaseURL.String(),
	}
}

// What is written on everything at Stripe that is this installation's.
const (
	metaSite = "site"
	metaUser = "user"
	metaPlan = "plan"
)

// key is an idempotency key: however often Stripe is sent it, it does what is asked once. Other installations may use the same account at Stripe.
func (p payments) key(what string, attempt int64) *string {
	return new(fmt.Sprintf("%s %s %d", what, p.site, attempt))
}

func (p payments) createCustomer(ctx context.Context, user account.UserID, email string, attempt int64) (id string, err error) {
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	customer, err := p.client.V1Customers.Create(ctx, &stripe.CustomerCreateParams{
		Params: stripe.Params{IdempotencyKey: p.key("customer", attempt)},
		Email:  &email, Metadata: map[string]string{metaSite: p.site, metaUser: userText(user)},
	})
	if err != nil {
		return "", unavailable("making a customer", err)
	}
	return customer.ID, nil
}

func (p payments) customer(ctx context.Context, id string) (*stripe.Customer, error) {
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	customer, err := p.client.V1Customers.Retrieve(ctx, id, nil)
	return customer, unavailable("reading customer "+id, err)
}

// setEmail changes the address to which Stripe sends a customer's bills.
func (p payments) setEmail(ctx context.Context, id, email string) error {
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	_, err := p.client.V1Customers.Update(ctx, id, &stripe.CustomerUpdateParams{Email: &email})
	return unavailable("changing the address of "+id, err)
}

// deleteCustomer ends what a customer has, at once. One that is gone is no error.
func (p payments) deleteCustomer(ctx context.Context, id string) error {
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	_, err := p.client.V1Customers.Delete(ctx, id, nil)
	if missing(err) {
		return nil
	}
	return unavailable("deleting customer "+id, err)
}

// createCheckout makes the page on which the customer pays. The same checkout is the same page.
func (p payments) createCheckout(ctx context.Context, customer string, c checkout, thanks, cancelled string) (*stripe.CheckoutSession, error) {
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	about := map[string]string{metaSite: p.site, metaUser: userText(c.User), metaPlan: string(c.Plan)}
	session, err := p.client.V1CheckoutSessions.Create(ctx, &stripe.CheckoutSessionCreateParams{
		Params:            stripe.Params{IdempotencyKey: p.key("checkout", c.Attempt)},
		Mode:              new(string(stripe.CheckoutSessionModeSubscription)),
		Customer:          &customer,
		ClientReferenceID: new(userText(c.User)),
		LineItems:         []*stripe.CheckoutSessionCreateLineItemParams{{Price: &c.PriceID, Quantity: new(int64(1))}},
		SubscriptionData:  &stripe.CheckoutSessionCreateSubscriptionDataParams{Metadata: about},
		Metadata:          about,
		SuccessURL:        &thanks,
		CancelURL:         &cancelled,
	})
	return session, unavailable("making a checkout", err)
}

func (p payments) checkout(ctx context.Context, id string) (*stripe.CheckoutSession, error) {
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	session, err := p.client.V1CheckoutSessions.Retrieve(ctx, id, nil)
	return session, unavailable("reading checkout "+id, err)
}

// openCheckouts returns the pages on which a customer can pay.
func (p payments) openCheckouts(ctx context.Context, customer string) ([]*stripe.CheckoutSession, error) {
	found, err := collect(ctx, p.client.V1CheckoutSessions.List, &stripe.CheckoutSessionListParams{
		ListParams: aPage(), Customer: &customer, Status: new(string(stripe.CheckoutSessionStatusOpen)),
	})
	return found, unavailable("reading the checkouts of "+customer, err)
}

// expireCheckout sees to it that nobody can pay there any more. It fails if somebody has.
func (p payments) expireCheckout(ctx context.Context, id string) error {
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	_, err := p.client.V1CheckoutSessions.Expire(ctx, id, nil)
	return unavailable("expiring checkout "+id, err)
}

func (p payments) createPortal(ctx context.Context, customer, back string) (address string, err error) {
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	portal, err := p.client.V1BillingPortalSessions.Create(ctx, &stripe.BillingPortalSessionCreateParams{Customer: &customer, ReturnURL: &back})
	if err != nil {
		return "", unavailable("opening the portal", err)
	}
	return portal.URL, nil
}

// subscriptions returns all that a customer has and had.
func (p payments) subscriptions(ctx context.Context, customer string) ([]*stripe.Subscription, error) {
	found, err := collect(ctx, p.client.V1Subscriptions.List, &stripe.SubscriptionListParams{ListParams: aPage(), Customer: &customer, Status: new("all")})
	return found, unavailable("reading the subscriptions of "+customer, err)
}

// allSubscriptions returns those at Stripe that have not ended, other installations' too.
func (p payments) allSubscriptions(ctx context.Context) ([]*stripe.Subscription, error) {
	found, err := collect(ctx, p.client.V1Subscriptions.List, &stripe.SubscriptionListParams{ListParams: aPage()})
	return found, unavailable("reading all subscriptions", err)
}

// cancelSubscription ends a subscription at once. One that has ended is no error.
func (p payments) cancelSubscription(ctx context.Context, id string) error {
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	_, err := p.client.V1Subscriptions.Cancel(ctx, id, nil)
	if missing(err) {
		return nil
	}
	return unavailable("cancelling "+id, err)
}

// customerInvoices returns the latest of a customer's invoices, at most a hundred.
func (p payments) customerInvoices(ctx context.Context, customer string) ([]*stripe.Invoice, error) {
	page := aPage()
	page.Single = true
	found, err := collect(ctx, p.client.V1Invoices.List, &stripe.InvoiceListParams{ListParams: page, Customer: &customer})
	return found, unavailable("reading the invoices of "+customer, err)
}

// charges returns what was taken for a subscription since a time.
func (p payments) charges(ctx context.Context, subscription string, since time.Time) ([]*stripe.Charge, error) {
	invoices, err := collect(ctx, p.client.V1Invoices.List, &stripe.InvoiceListParams{
		ListParams: aPage(), Subscription: &subscription, CreatedRange: &stripe.RangeQueryParams{GreaterThanOrEqual: since.Unix()},
	})
	if err != nil {
		return nil, unavailable("reading the invoices of "+subscription, err)
	}
	var charges []*stripe.Charge
	for _, invoice := range invoices {
		paid, err := collect(ctx, p.client.V1InvoicePayments.List, &stripe.InvoicePaymentListParams{
			ListParams: aPage(), Invoice: &invoice.ID, Status: new("paid"),
			Expand: []*string{new("data.payment.payment_intent.latest_charge"), new("data.payment.charge")},
		})
		if err != nil {
			return nil, unavailable("reading the payments of "+invoice.ID, err)
		}
		for _, payment := range paid {
			switch {
			case payment.Payment == nil:
			case payment.Payment.Charge != nil:
				charges = append(charges, payment.Payment.Charge)
			case payment.Payment.PaymentIntent != nil && payment.Payment.PaymentIntent.LatestCharge != nil:
				charges = append(charges, payment.Payment.PaymentIntent.LatestCharge)
			}
		}
	}
	return charges, nil
}

func (p payments) charge(ctx context.Context, id string) (*stripe.Charge, error) {
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	charge, err := p.client.V1Charges.Retrieve(ctx, id, nil)
	return charge, unavailable("reading charge "+id, err)
}

// refund pays back all of a charge that has not been. One that has been is no error.
func (p payments) refund(ctx context.Context, charge string) error {
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	_, err := p.client.V1Refunds.Create(ctx, &stripe.RefundCreateParams{Charge: &charge})
	if failed, ok := errors.AsType[*stripe.Error](err); ok && failed.Code == stripe.ErrorCodeChargeAlreadyRefunded {
		return nil
	}
	return unavailable("refunding "+charge, err)
}

func (p payments) price(ctx context.Context, id string) (*stripe.Price, error) {
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	price, err := p.client.V1Prices.Retrieve(ctx, id, nil)
	return price, unavailable("reading price "+id, err)
}

func (p payments) endpoints(ctx context.Context) ([]*stripe.WebhookEndpoint, error) {
	found, err := collect(ctx, p.client.V1WebhookEndpoints.List, &stripe.WebhookEndpointListParams{ListParams: aPage()})
	return found, unavailable("reading the webhook endpoints", err)
}

func aPage() stripe.ListParams { return stripe.ListParams{Limit: new(int64(100))} }

// collect reads a list to its end.
func collect[T, P any](ctx context.Context, list func(context.Context, P) *stripe.V1List[T], params P) (all []T, err error) {
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	for one, err := range list(ctx, params).All(ctx) {
		if err != nil {
			return nil, err
		}
		all = append(all, one)
	}
	return all, nil
}

// missing reports that there is no such thing at Stripe, or no longer.
func missing(err error) bool {
	failed, ok := errors.AsType[*stripe.Error](err)
	return ok && failed.Code == stripe.ErrorCodeResourceMissing
}

// refused reports that Stripe has answered, and will not do what was asked however often it is asked.
func refused(err error) bool {
	failed, ok := errors.AsType[*stripe.Error](err)
	if !ok {
		return false
	}
	switch failed.HTTPStatusCode {
	case 409, 429: // another asks the same at this moment, or too many ask, which passes
		return false
	default:
		return failed.HTTPStatusCode >= 400 && failed.HTTPStatusCode < 500
	}
}

func unavailable(doing string, err error) error {
	if err == nil {
		return nil
	}
	return fmt.Errorf("%w: %s: %w", ErrUnavailable, doing, err)
}

func userText(user account.UserID) string { return strconv.FormatInt(int64(user), 10) }
