package billing

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/stripe/stripe-go/v85"

	"pubquiz/internal/words"
)

// tolerance is by how much the time of a signature may be away from ours, in either direction.
const tolerance = 5 * time.Minute

// events are what the endpoint at Stripe is to be sent. Others do no harm.
var events = []string{
	"checkout.session.completed", "checkout.session.async_payment_succeeded", "checkout.session.async_payment_failed",
	"customer.subscription.created", "customer.subscription.updated", "customer.subscription.deleted", "customer.subscription.paused", "customer.subscription.resumed",
	"customer.deleted", "invoice.paid", "invoice.payment_failed", "charge.refunded", "charge.dispute.created",
}

// Events returns the types of the events that the endpoint at Stripe is to be sent.
func Events() []string { return slices.Clone(events) }

// hint is all that is read of an event. What it says about the state of something may be old, or overtaken.
type hint struct {
	ID   objectID `json:"id"`
	Type string   `json:"type"`
	Data struct {
		Object struct {
			ID       objectID `json:"id"`
			Object   string   `json:"object"`
			Customer objectID `json:"customer"`
			Charge   objectID `json:"charge"`
		} `json:"object"`
	} `json:"data"`
}

// objectID is the id of something at Stripe, which in its place may give the thing itself.
type objectID string

func (o *objectID) UnmarshalJSON(data []byte) error {
	const longest = 255
	var object struct{ ID string }
	if json.Unmarshal(data, &object) != nil {
		if err := json.Unmarshal(data, &object.ID); err != nil {
			return err
		}
	}
	if len(object.ID) > longest || strings.ContainsRune(object.ID, 0) {
		return errors.New("no id of Stripe's")
	}
	*o = objectID(object.ID)
	return nil
}

// Receive takes an event from Stripe: the body as it was sent, and its Stripe-Signature header. Whatever the event is about is in the database when it returns. The error is
// ErrSignature or an *InvalidError, which refuse the event for good; after any other Stripe has to send it again.
func (b *Billing) Receive(ctx context.Context, body []byte, signature string) error {
	if err := checkSignature(body, signature, string(b.settings.WebhookSecret)); err != nil {
		return err
	}
	event, err := readHint(body)
	if err != nil {
		return err
	}
	if !slices.Contains(events, event.Type) {
		return nil
	}
	var done bool
	if err := b.pool.QueryRow(ctx, `SELECT EXISTS (SELECT FROM stripe_events WHERE id = $1)`, event.ID).Scan(&done); err != nil {
		return fmt.Errorf("billing.Receive: %w", err)
	}
	if done {
		return nil
	}
	customer, err := b.customerIn(ctx, event)
	if err != nil {
		return fmt.Errorf("billing.Receive: %w", err)
	}
	if event.Type == "customer.deleted" { // for good, whatever came before and after
		_, err = b.storeGone(ctx, customer, string(event.ID))
	} else {
		_, err = b.look(ctx, customer, string(event.ID))
	}
	if errors.Is(err, errStranger) {
		return nil
	}
	if err != nil {
		return fmt.Errorf("billing.Receive: %s %s: %w", event.Type, event.ID, err)
	}
	return nil
}

// customerIn is whom an event is about; nobody of ours may be "".
func (b *Billing) customerIn(ctx context.Context, event hint) (string, error) {
	object := event.Data.Object
	switch {
	case object.Object == "customer":
		return string(object.ID), nil
	case object.Customer != "":
		return string(object.Customer), nil
	case object.Charge == "":
		return "", nil
	}
	charge, err := b.stripe.charge(ctx, string(object.Charge))
	if missing(err) || err == nil && charge.Customer == nil {
		return "", nil
	}
	if err != nil {
		return "", err
	}
	return charge.Customer.ID, nil
}

func readHint(body []byte) (hint, error) {
	var event hint
	if err := json.Unmarshal(body, &event); err != nil || event.ID == "" {
		return hint{}, &InvalidError{"body", words.T("An event as Stripe sends it, with its id and type.")}
	}
	return event, nil
}

// checkSignature checks that a body was signed with the secret, and now. The library lets a signature be of any time to come.
func checkSignature(body []byte, signature, secret string) error {
	if err := stripe.ValidatePayload(body, signature, secret, stripe.WithTolerance(tolerance)); err != nil {
		return fmt.Errorf("%w: %w", ErrSignature, err)
	}
	if signedAt(signature).After(time.Now().Add(tolerance)) {
		return fmt.Errorf("%w: it is of a time to come", ErrSignature)
	}
	return nil
}

// signedAt is the time in a signature's header that the library has accepted: the last that is there.
func signedAt(signature string) (at time.Time) {
	for field := range strings.SplitSeq(signature, ",") {
		if unix, ok := strings.CutPrefix(field, "t="); ok {
			seconds, err := strconv.ParseInt(unix, 10, 64)
			if err != nil {
				continue
			}
			at = time.Unix(seconds, 0)
		}
	}
	return at
}
