package stripetest

import (
	"net/http"
	"slices"
	"strconv"
	"time"
)

func (s *Stripe) createCustomer(r *http.Request) (object, error) {
	if err := r.ParseForm(); err != nil {
		return nil, err
	}
	c := &customer{id: s.id("cus"), email: r.PostForm.Get("email"), created: time.Now(), metadata: metadata(r.PostForm, "metadata")}
	s.customers[c.id] = c
	return s.customerObject(c), nil
}

func (s *Stripe) readCustomer(r *http.Request) (object, error) {
	c := s.customers[r.PathValue("id")]
	if c == nil {
		return nil, noSuch(http.StatusNotFound, "customer", r.PathValue("id"))
	}
	return s.customerObject(c), nil
}

func (s *Stripe) updateCustomer(r *http.Request) (object, error) {
	if err := r.ParseForm(); err != nil {
		return nil, err
	}
	c := s.liveCustomer(r.PathValue("id"))
	if c == nil {
		return nil, noSuch(http.StatusNotFound, "customer", r.PathValue("id"))
	}
	c.email = r.PostForm.Get("email")
	s.happened("customer.updated", s.customerObject(c))
	return s.customerObject(c), nil
}

func (s *Stripe) deleteCustomer(r *http.Request) (object, error) {
	c := s.liveCustomer(r.PathValue("id"))
	if c == nil {
		return nil, noSuch(http.StatusNotFound, "customer", r.PathValue("id"))
	}
	s.removeCustomer(c)
	return s.customerObject(c), nil
}

func (s *Stripe) liveCustomer(id string) *customer {
	if c := s.customers[id]; c != nil && !c.deleted {
		return c
	}
	return nil
}

func (s *Stripe) createCheckout(r *http.Request) (object, error) {
	if err := r.ParseForm(); err != nil {
		return nil, err
	}
	form := r.PostForm
	c := &checkout{
		customer: form.Get("customer"), price: form.Get("line_items[0][price]"), success: form.Get("success_url"), cancel: form.Get("cancel_url"), reference: form.Get("client_reference_id"), status: "open",
		created: time.Now(), metadata: metadata(form, "metadata"), ofSubscription: metadata(form, "subscription_data[metadata]"),
	}
	switch {
	case s.liveCustomer(c.customer) == nil:
		return nil, noSuch(http.StatusBadRequest, "customer", c.customer)
	case s.prices[c.price] == nil:
		return nil, noSuch(http.StatusBadRequest, "price", c.price)
	case form.Get("mode") != "subscription" || form.Get("line_items[0][quantity]") != "1" || c.success == "":
		return nil, invalid("mode, quantity or success_url")
	}
	c.id = s.id("cs")
	s.checkouts[c.id] = c
	return s.checkoutObject(c), nil
}

func (s *Stripe) listCheckouts(r *http.Request) (object, error) {
	found := []object{}
	for _, c := range s.checkouts {
		if c.customer == r.FormValue("customer") && c.status == r.FormValue("status") {
			found = append(found, s.checkoutObject(c))
		}
	}
	return page(r, "/v1/checkout/sessions", found)
}

func (s *Stripe) readCheckout(r *http.Request) (object, error) {
	c := s.checkouts[r.PathValue("id")]
	if c == nil {
		return nil, noSuch(http.StatusNotFound, "checkout.session", r.PathValue("id"))
	}
	return s.checkoutObject(c), nil
}

func (s *Stripe) expireCheckout(r *http.Request) (object, error) {
	c := s.checkouts[r.PathValue("id")]
	switch {
	case c == nil:
		return nil, noSuch(http.StatusNotFound, "checkout.session", r.PathValue("id"))
	case c.status != "open":
		return nil, invalid("Only Checkout Sessions with a status in [\"open\"] can be expired.")
	}
	c.status = "expired"
	s.happened("checkout.session.expired", s.checkoutObject(c))
	return s.checkoutObject(c), nil
}

func (s *Stripe) createPortal(r *http.Request) (object, error) {
	if err := r.ParseForm(); err != nil {
		return nil, err
	}
	p := &portal{customer: r.PostForm.Get("customer"), back: r.PostForm.Get("return_url"), created: time.Now()}
	if s.liveCustomer(p.customer) == nil {
		return nil, noSuch(http.StatusBadRequest, "customer", p.customer)
	}
	p.id = s.id("bps")
	s.portals[p.id] = p
	return object{"id": p.id, "object": "billing_portal.session", "customer": p.customer, "return_url": p.back, "created": p.created.Unix(), "livemode": false, "url": s.URL + "/portal/" + p.id}, nil
}

func (s *Stripe) listSubscriptions(r *http.Request) (object, error) {
	of := r.FormValue("customer")
	if of != "" && s.customers[of] == nil {
		return nil, noSuch(http.StatusBadRequest, "customer", of)
	}
	found := []object{}
	for _, x := range s.subscriptions {
		if (of == "" || x.customer == of) && (r.FormValue("status") == "all" || x.status != "canceled") {
			found = append(found, s.subscriptionObject(x))
		}
	}
	return page(r, "/v1/subscriptions", found)
}

func (s *Stripe) cancelSubscription(r *http.Request) (object, error) {
	x := s.subscriptions[r.PathValue("id")]
	if x == nil || x.status == "canceled" {
		return nil, noSuch(http.StatusNotFound, "subscription", r.PathValue("id"))
	}
	s.end(x)
	return s.subscriptionObject(x), nil
}

func (s *Stripe) listInvoices(r *http.Request) (object, error) {
	var since int64
	if asked := r.FormValue("created[gte]"); asked != "" {
		var err error
		if since, err = strconv.ParseInt(asked, 10, 64); err != nil {
			return nil, invalid("created[gte] is %q", asked)
		}
	}
	found := []object{}
	for _, i := range s.invoices {
		if (r.FormValue("customer") == "" || i.customer == r.FormValue("customer")) && (r.FormValue("subscription") == "" || i.subscription == r.FormValue("subscription")) && i.created.Unix() >= since {
			found = append(found, s.invoiceObject(i))
		}
	}
	return page(r, "/v1/invoices", found)
}

func (s *Stripe) listPayments(r *http.Request) (object, error) {
	i := s.invoices[r.FormValue("invoice")]
	if i == nil {
		return nil, noSuch(http.StatusBadRequest, "invoice", r.FormValue("invoice"))
	}
	found := []object{}
	if c := s.charges[i.charge]; c != nil && (r.FormValue("status") == "" || r.FormValue("status") == "paid") {
		payment := object{"type": "payment_intent", "payment_intent": c.intent}
		if err := r.ParseForm(); err != nil {
			return nil, err
		}
		for _, values := range r.Form {
			if slices.Contains(values, "data.payment.payment_intent.latest_charge") {
				payment["payment_intent"] = object{"id": c.intent, "object": "payment_intent", "latest_charge": s.chargeObject(c)}
			}
		}
		found = append(found, object{"id": "inpay_of_" + i.id, "object": "invoice_payment", "invoice": i.id, "created": i.created.Unix(), "amount_paid": i.amount, "status": "paid", "payment": payment})
	}
	return page(r, "/v1/invoice_payments", found)
}

func (s *Stripe) readCharge(r *http.Request) (object, error) {
	c := s.charges[r.PathValue("id")]
	if c == nil {
		return nil, noSuch(http.StatusNotFound, "charge", r.PathValue("id"))
	}
	return s.chargeObject(c), nil
}

func (s *Stripe) createRefund(r *http.Request) (object, error) {
	if err := r.ParseForm(); err != nil {
		return nil, err
	}
	c := s.charges[r.PostForm.Get("charge")]
	switch {
	case c == nil:
		return nil, noSuch(http.StatusBadRequest, "charge", r.PostForm.Get("charge"))
	case c.refunded == c.amount:
		return nil, &failure{http.StatusBadRequest, "invalid_request_error", "charge_already_refunded", "Charge " + c.id + " has already been refunded."}
	}
	back := c.amount - c.refunded
	s.refund(c)
	return object{"id": s.id("re"), "object": "refund", "charge": c.id, "amount": back, "currency": c.currency, "created": time.Now().Unix(), "status": "succeeded", "reason": r.PostForm.Get("reason")}, nil
}

func (s *Stripe) readPrice(r *http.Request) (object, error) {
	p := s.prices[r.PathValue("id")]
	if p == nil {
		return nil, noSuch(http.StatusNotFound, "price", r.PathValue("id"))
	}
	return s.priceObject(p), nil
}

// AddEndpoint has events of these types sent to an address, as somebody enters it at Stripe, unless the status is "disabled". It is only listed: what a test wants to have sent it sends itself.
func (s *Stripe) AddEndpoint(address, status string, events ...string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.endpoints = append(s.endpoints, object{"id": s.id("we"), "object": "webhook_endpoint", "url": address, "status": status, "enabled_events": events, "livemode": false, "created": time.Now().Unix()})
}

func (s *Stripe) listEndpoints(r *http.Request) (object, error) {
	return page(r, "/v1/webhook_endpoints", slices.Clone(s.endpoints))
}
