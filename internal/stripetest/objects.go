package stripetest

import (
	"strconv"
	"time"
)

type customer struct {
	id, email string
	created   time.Time
	metadata  map[string]string
	deleted   bool
}

type price struct {
	id, currency, interval string
	amount                 int64
	archived               bool
	created                time.Time
}

type checkout struct {
	id, customer, price, success, cancel, reference string
	status                                          string
	created                                         time.Time
	metadata, ofSubscription                        map[string]string
	subscription                                    string
}

type portal struct {
	id, customer, back string
	created            time.Time
}

type subscription struct {
	id, customer, price, status string
	cancelAtPeriodEnd           bool
	created, start, end         time.Time
	canceled, ended             time.Time
	metadata                    map[string]string
}

type invoice struct {
	id, subscription, customer, currency, status string
	amount                                       int64
	created                                      time.Time
	charge                                       string // what paid it
}

type charge struct {
	id, customer, currency, intent string
	amount, refunded               int64
	disputed                       bool
	created                        time.Time
}

func (s *Stripe) customerObject(c *customer) object {
	if c.deleted {
		return object{"id": c.id, "object": "customer", "deleted": true}
	}
	return object{"id": c.id, "object": "customer", "email": c.email, "created": c.created.Unix(), "livemode": false, "metadata": c.metadata}
}

func (s *Stripe) priceObject(p *price) object {
	return object{
		"id": p.id, "object": "price", "active": !p.archived, "billing_scheme": "per_unit", "created": p.created.Unix(), "currency": p.currency, "livemode": false, "product": "prod_fake", "type": "recurring",
		"unit_amount": p.amount, "unit_amount_decimal": strconv.FormatInt(p.amount, 10), "recurring": object{"interval": p.interval, "interval_count": int64(1), "usage_type": "licensed"},
	}
}

func (s *Stripe) checkoutObject(c *checkout) object {
	o := object{
		"id": c.id, "object": "checkout.session", "created": c.created.Unix(), "customer": c.customer, "client_reference_id": c.reference, "mode": "subscription", "status": c.status, "livemode": false,
		"payment_status": "unpaid", "metadata": c.metadata, "success_url": c.success, "cancel_url": c.cancel, "url": nil, "subscription": nil, "expires_at": c.created.Add(24 * time.Hour).Unix(),
	}
	switch c.status {
	case "open":
		o["url"] = s.URL + "/pay/" + c.id
	case "complete":
		o["payment_status"], o["subscription"] = "paid", c.subscription
	}
	return o
}

func (s *Stripe) subscriptionObject(x *subscription) object {
	o := object{
		"id": x.id, "object": "subscription", "created": x.created.Unix(), "customer": x.customer, "status": x.status, "metadata": x.metadata, "livemode": false, "currency": s.prices[x.price].currency,
		"cancel_at_period_end": x.cancelAtPeriodEnd, "cancel_at": nil, "canceled_at": unix(x.canceled), "ended_at": unix(x.ended), "collection_method": "charge_automatically",
		"start_date": x.created.Unix(), "latest_invoice": nil,
		"items": object{"object": "list", "has_more": false, "url": "/v1/subscription_items?subscription=" + x.id, "data": []object{{
			"id": "si_of_" + x.id, "object": "subscription_item", "created": x.created.Unix(), "subscription": x.id, "quantity": int64(1), "metadata": object{},
			"current_period_start": x.start.Unix(), "current_period_end": x.end.Unix(), "price": s.priceObject(s.prices[x.price]),
		}}},
	}
	if x.cancelAtPeriodEnd {
		o["cancel_at"] = x.end.Unix()
	}
	if latest := s.latestInvoice(x.id); latest != nil {
		o["latest_invoice"] = latest.id
	}
	return o
}

func (s *Stripe) latestInvoice(subscription string) (latest *invoice) {
	for _, i := range s.invoices {
		if i.subscription == subscription && (latest == nil || i.id > latest.id) {
			latest = i
		}
	}
	return latest
}

func (s *Stripe) invoiceObject(i *invoice) object {
	return object{
		"id": i.id, "object": "invoice", "number": "FAKE-" + i.id[len(i.id)-6:], "created": i.created.Unix(), "customer": i.customer, "currency": i.currency, "status": i.status, "total": i.amount, "livemode": false,
		"hosted_invoice_url": s.URL + "/bill/" + i.id, "parent": object{"type": "subscription_details", "subscription_details": object{"subscription": i.subscription}},
	}
}

func (s *Stripe) chargeObject(c *charge) object {
	return object{
		"id": c.id, "object": "charge", "amount": c.amount, "amount_refunded": c.refunded, "refunded": c.refunded == c.amount, "disputed": c.disputed, "paid": true, "status": "succeeded", "livemode": false,
		"created": c.created.Unix(), "currency": c.currency, "customer": c.customer, "payment_intent": c.intent,
	}
}
