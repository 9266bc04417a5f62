package billing

import (
	"context"
	"time"

	"pubquiz/account"
)

// Host is somebody whose sessions count together with the subscriber's.
type Host struct {
	ID    account.UserID `json:"-"`
	Name  string         `json:"name"`
	Email string         `json:"email"`
	Since time.Time      `json:"since"`
}

// Invitation asks the owner of an address to be a host of a plan.
type Invitation struct {
	ID    int64     `json:"-"`
	Email string    `json:"email"` // who is invited
	From  string    `json:"from"`  // the subscriber's name
	Until time.Time `json:"until"`
}

// Invite asks the owner of an address to be a host of the user's plan. For a full inbox no letter is written; the invitation stands all the same. The error is an *InvalidError for the address,
// ErrOneHost, ErrHostsFull, ErrNoMail, or full's.
func (b *Billing) Invite(ctx context.Context, subscriber account.UserID, email string, full account.InboxFull) error {
	panic("not yet")
}

// Withdraw takes back an invitation of the user's plan. One that is gone is no error.
func (b *Billing) Withdraw(ctx context.Context, subscriber account.UserID, invitation int64) error {
	panic("not yet")
}

// Accept makes the user, to whose confirmed address the invitation is, a host of that plan. The error is ErrNoInvitation, ErrUnconfirmed, ErrSubscribed, ErrHosted, ErrOneHost if the plan no longer has
// hosts, or ErrHostsFull.
func (b *Billing) Accept(ctx context.Context, user account.UserID, invitation int64) error {
	panic("not yet")
}

// Decline ends an invitation to the user. The error is ErrNoInvitation.
func (b *Billing) Decline(ctx context.Context, user account.UserID, invitation int64) error {
	panic("not yet")
}

// RemoveHost ends that somebody is a host of the user's plan. Their sessions go on. Nobody of that id is no error.
func (b *Billing) RemoveHost(ctx context.Context, subscriber, host account.UserID) error {
	panic("not yet")
}

// Leave ends that the user is a host of somebody else's plan. Who is none is no error.
func (b *Billing) Leave(ctx context.Context, user account.UserID) error { panic("not yet") }
