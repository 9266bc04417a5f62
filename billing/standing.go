package billing

import (
	"context"
	"time"

	"pubquiz/account"
)

// Status is how a subscription stands at Stripe, in Stripe's words: "active", "past_due", "canceled"…; "" is that there is none.
type Status string

// Standing is how things stand with a user. Its JSON form is a part of the export.
type Standing struct {
	Plan     Plan       `json:"plan"`               // that is in force for the user now
	Status   Status     `json:"status,omitempty"`   // of the user's own latest subscription
	Bought   Slug       `json:"bought,omitempty"`   // the plan of that subscription, in force or not
	Interval Interval   `json:"interval,omitempty"` // of that subscription, as are the following
	Amount   int64      `json:"amount,omitempty"`   // in the currency's minor units
	Currency string     `json:"currency,omitempty"` // ISO 4217, in lower case
	RenewsAt *time.Time `json:"renewsAt,omitempty"` // if it does
	EndsAt   *time.Time `json:"endsAt,omitempty"`   // if it is cancelled for then, or has ended
	// PastDueUntil is how long a plan whose payment failed stays in force.
	PastDueUntil *time.Time `json:"pastDueUntil,omitempty"`
	Customer     bool       `json:"customer"` // has begun to pay once, so that there are a portal and invoices

	HostedBy string `json:"hostedBy,omitempty"` // the name of the subscriber by whose plan the user is a host; "" by their own
	Live     int    `json:"live"`               // sessions that are open, of all hosts of the plan in force

	Hosts       []Host       `json:"hosts,omitempty"`       // of the user's own plan, besides the user
	Invitations []Invitation `json:"invitations,omitempty"` // to the user's own plan, that wait for an answer
	Invited     []Invitation `json:"invited,omitempty"`     // of the user, by others
}

// Standing returns how things stand with a user. It asks only the database.
func (b *Billing) Standing(ctx context.Context, user account.UserID) (Standing, error) {
	panic("not yet")
}
