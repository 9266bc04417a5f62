package billing

import (
	"errors"

	"pubquiz/internal/words"
)

var (
	// ErrSubscribed refuses a second subscription. The portal is where the first is changed.
	ErrSubscribed = errors.New("there is a subscription already")

	// ErrHosted refuses a subscription of somebody who is a host of somebody else's plan: they leave that first.
	ErrHosted = errors.New("a host of another's plan")

	// ErrUnavailable says that Stripe did not answer, or not as it should. A minute later is fine.
	ErrUnavailable = errors.New("payments cannot be reached")

	// ErrNoCustomer says that the user has never begun to pay, so that there is nothing to see in the portal.
	ErrNoCustomer = errors.New("never paid")

	// ErrSignature refuses an event that is not Stripe's, or not of now.
	ErrSignature = errors.New("the event is not signed by Stripe, or its time is not now")

	// ErrOneHost refuses to invite hosts to a plan that is for one.
	ErrOneHost = errors.New("the plan is for one host")

	// ErrHostsFull refuses a host more than the plan has.
	ErrHostsFull = errors.New("the plan has all its hosts")

	// ErrNoInvitation says that there is no such invitation, or not any more.
	ErrNoInvitation = errors.New("no such invitation")

	// ErrUnconfirmed refuses an invitation to somebody who has not shown that the address is theirs.
	ErrUnconfirmed = errors.New("the address is not confirmed")

	// ErrNoMail refuses to invite where no letter can be sent, so that nobody can show that an address is theirs.
	ErrNoMail = errors.New("no letters can be sent")
)

// InvalidError refuses one field of what was sent. Detail is a sentence for a person.
type InvalidError struct {
	Field  string
	Detail words.Text
}

func (e *InvalidError) Error() string { return e.Field + ": " + e.Detail.String() }
