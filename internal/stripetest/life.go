package stripetest

import (
	"fmt"
	"slices"
	"strings"
	"time"
)

// Subscription is one as it is at Stripe.
type Subscription struct {
	ID, Customer, Price string
	Status              string
	CancelAtPeriodEnd   bool
	Refunded            bool // all that was paid for it
	Disputed            bool // some of what was paid for it
}

// AddPrice adds a price, or replaces it. The interval is month or year, the amount in minor units.
func (s *Stripe) AddPrice(id, currency, interval string, amount int64) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.prices[id] = &price{id: id, currency: currency, interval: interval, amount: amount, created: time.Now()}
}

// Archive takes a price off sale.
func (s *Stripe) Archive(price string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.prices[price].archived = true
}

// Customers returns the ids of those who were not deleted, the oldest first.
func (s *Stripe) Customers() (ids []string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for id, c := range s.customers {
		if !c.deleted {
			ids = append(ids, id)
		}
	}
	slices.Sort(ids)
	return ids
}

// Email is the address of a customer.
func (s *Stripe) Email(customer string) string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.customers[customer].email
}

// Subscriptions returns all, the oldest first.
func (s *Stripe) Subscriptions() (all []Subscription) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, x := range s.subscriptions {
		one := Subscription{x.id, x.customer, x.price, x.status, x.cancelAtPeriodEnd, true, false}
		for _, i := range s.invoices {
			if c := s.charges[i.charge]; i.subscription == x.id && c != nil {
				one.Refunded = one.Refunded && c.refunded == c.amount
				one.Disputed = one.Disputed || c.disputed
			}
		}
		all = append(all, one)
	}
	slices.SortFunc(all, func(x, y Subscription) int { return strings.Compare(x.ID, y.ID) })
	return all
}

// Pay pays on the page of a checkout, by its address.
func (s *Stripe) Pay(address string) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	c := s.checkouts[address[strings.LastIndexByte(address, '/')+1:]]
	if c == nil || c.status != "open" {
		return fmt.Errorf("nobody can pay at %s", address)
	}
	s.pay(c)
	return nil
}

func (s *Stripe) pay(c *checkout) {
	x := s.subscribe(c.customer, c.price, c.ofSubscription)
	c.status, c.subscription = "complete", x.id
	s.happened("checkout.session.completed", s.checkoutObject(c))
}

// Subscribe subscribes a customer past any checkout, as somebody can in Stripe's dashboard, and returns the subscription's id.
func (s *Stripe) Subscribe(customer, price string) (id string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.subscribe(customer, price, map[string]string{}).id
}

func (s *Stripe) subscribe(customer, price string, metadata map[string]string) *subscription {
	now := time.Now()
	x := &subscription{id: s.id("sub"), customer: customer, price: price, status: "incomplete", created: now, start: now, end: s.after(now, price), metadata: metadata}
	s.subscriptions[x.id] = x
	s.happened("customer.subscription.created", s.subscriptionObject(x))
	x.status = "active"
	s.bill(x, true)
	s.happened("customer.subscription.updated", s.subscriptionObject(x))
	return x
}

func (s *Stripe) after(t time.Time, price string) time.Time {
	if s.prices[price].interval == "year" {
		return t.AddDate(1, 0, 0)
	}
	return t.AddDate(0, 1, 0)
}

// bill makes an invoice for what a subscription costs, which is paid or not.
func (s *Stripe) bill(x *subscription, paid bool) {
	p := s.prices[x.price]
	i := &invoice{id: s.id("in"), subscription: x.id, customer: x.customer, currency: p.currency, amount: p.amount, created: time.Now(), status: "open"}
	s.invoices[i.id] = i
	if paid {
		s.settle(i)
	} else {
		s.happened("invoice.payment_failed", s.invoiceObject(i))
	}
}

func (s *Stripe) settle(i *invoice) {
	c := &charge{id: s.id("ch"), intent: s.id("pi"), customer: i.customer, currency: i.currency, amount: i.amount, created: time.Now()}
	s.charges[c.id] = c
	i.charge, i.status = c.id, "paid"
	s.happened("invoice.paid", s.invoiceObject(i))
}

// change changes a subscription that has not ended, and reports whether it could be.
func (s *Stripe) change(id string, how func(x *subscription) (can bool)) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	x := s.subscriptions[id]
	return x != nil && x.status != "canceled" && how(x)
}

func (s *Stripe) updated(x *subscription) {
	s.happened("customer.subscription.updated", s.subscriptionObject(x))
}

// SetCancelAtPeriodEnd lets a subscription end with its period, or go on after all.
func (s *Stripe) SetCancelAtPeriodEnd(id string, cancel bool) bool {
	return s.change(id, func(x *subscription) bool { s.setCancel(x, cancel); return true })
}

func (s *Stripe) setCancel(x *subscription, cancel bool) {
	x.cancelAtPeriodEnd, x.canceled = cancel, time.Time{}
	if cancel {
		x.canceled = time.Now()
	}
	s.updated(x)
}

// SetPrice moves a subscription to another price.
func (s *Stripe) SetPrice(id, price string) bool {
	return s.change(id, func(x *subscription) bool { x.price = price; s.updated(x); return true })
}

// EndPeriod begins a subscription's next period, which is paid or not, or ends one that was cancelled.
func (s *Stripe) EndPeriod(id string, paid bool) bool {
	return s.change(id, func(x *subscription) bool {
		if x.cancelAtPeriodEnd {
			s.end(x)
			return true
		}
		x.start = time.Now()
		x.end = s.after(x.start, x.price)
		s.bill(x, paid)
		if !paid {
			x.status = "past_due"
		}
		s.updated(x)
		return true
	})
}

// PayLate pays what is past due.
func (s *Stripe) PayLate(id string) bool {
	return s.change(id, func(x *subscription) bool {
		if x.status != "past_due" {
			return false
		}
		s.settle(s.latestInvoice(x.id))
		x.status = "active"
		s.updated(x)
		return true
	})
}

// SetStatus gives a subscription one of Stripe's statuses.
func (s *Stripe) SetStatus(id, status string) bool {
	return s.change(id, func(x *subscription) bool { x.status = status; s.updated(x); return true })
}

// End ends a subscription at once.
func (s *Stripe) End(id string) bool {
	return s.change(id, func(x *subscription) bool { s.end(x); return true })
}

func (s *Stripe) end(x *subscription) {
	x.status, x.ended = "canceled", time.Now()
	s.happened("customer.subscription.deleted", s.subscriptionObject(x))
}

// Refund pays back in full what was last paid for a subscription.
func (s *Stripe) Refund(id string) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	c := s.lastCharge(id)
	if c == nil || c.refunded == c.amount {
		return false
	}
	s.refund(c)
	return true
}

func (s *Stripe) refund(c *charge) {
	c.refunded = c.amount
	s.happened("charge.refunded", s.chargeObject(c))
}

// Dispute has a cardholder dispute what was last paid for a subscription.
func (s *Stripe) Dispute(id string) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	c := s.lastCharge(id)
	if c == nil || c.disputed {
		return false
	}
	c.disputed = true
	s.happened("charge.dispute.created", object{
		"id": s.id("dp"), "object": "dispute", "charge": c.id, "payment_intent": c.intent, "amount": c.amount, "currency": c.currency, "created": time.Now().Unix(), "status": "needs_response", "reason": "general", "livemode": false,
	})
	return true
}

func (s *Stripe) lastCharge(subscription string) *charge {
	if i := s.latestInvoice(subscription); i != nil {
		return s.charges[i.charge]
	}
	return nil
}

// DeleteCustomer deletes a customer, as somebody can in Stripe's dashboard.
func (s *Stripe) DeleteCustomer(id string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.removeCustomer(s.customers[id])
}

func (s *Stripe) removeCustomer(c *customer) {
	for _, x := range s.subscriptions {
		if x.customer == c.id && x.status != "canceled" {
			s.end(x)
		}
	}
	s.happened("customer.deleted", s.customerObject(c))
	c.deleted = true
}

// Forget lets a Stripe know nothing of a customer any more, as if it were another account's.
func (s *Stripe) Forget(customer string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.customers, customer)
	for id, x := range s.subscriptions {
		if x.customer == customer {
			delete(s.subscriptions, id)
		}
	}
}
