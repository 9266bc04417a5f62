package billing

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"
	"golang.org/x/text/unicode/norm"

	"pubquiz/account"
	"pubquiz/internal/postgres"
	"pubquiz/internal/words"
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

const invitationAge = 14 * 24 * time.Hour

// Invite asks the owner of an address to be a host of the user's plan. Whoever is invited again has longer to answer. For a full inbox no letter is written; the invitation stands all the
// same. The error is an *InvalidError for the address, ErrOneHost, ErrHostsFull, ErrNoMail, or full's.
func (b *Billing) Invite(ctx context.Context, subscriber account.UserID, email string, full account.InboxFull) error {
	if b.outbox == nil {
		return ErrNoMail
	}
	key, err := account.EmailKey(email)
	if err != nil {
		return &InvalidError{"email", words.T("Type the whole address, like name@example.org.")}
	}
	quiet, err := full(key)
	if err != nil {
		return err
	}
	return b.hosts(ctx, "Invite", func(tx pgx.Tx) error {
		plan, err := lockedOwnPlan(ctx, tx, subscriber)
		if err != nil {
			return err
		}
		const look = `
			SELECT u.email_key = $2, EXISTS (SELECT FROM plan_hosts h JOIN users o ON o.id = h.user_id WHERE h.subscriber_id = $1 AND o.email_key = $2),
				(SELECT count(*) FROM plan_hosts WHERE subscriber_id = $1)
					+ (SELECT count(*) FROM plan_invitations WHERE subscriber_id = $1 AND email_key <> $2 AND expires_at > now())
			FROM users u WHERE u.id = $1`
		var (
			self, already bool
			others        int
		)
		if err := tx.QueryRow(ctx, look, subscriber, key).Scan(&self, &already, &others); err != nil {
			return err
		}
		switch {
		case plan.Hosts == 1:
			return ErrOneHost
		case self:
			return &InvalidError{"email", words.T("This is your own address, and it is your plan.")}
		case already:
			return &InvalidError{"email", words.T("Whoever has this address is a host of your plan already.")}
		case others >= plan.Hosts-1:
			return ErrHostsFull
		}
		const invite = `
			INSERT INTO plan_invitations (subscriber_id, email, email_key, expires_at) VALUES ($1, $2, $3, now() + $4::interval)
			ON CONFLICT (subscriber_id, email_key) DO UPDATE SET expires_at = excluded.expires_at`
		if _, err := tx.Exec(ctx, invite, subscriber, shownAddress(email), key, invitationAge); err != nil || quiet {
			return err
		}
		return b.outbox.Put(ctx, tx, shownAddress(email), b.invitedLetter().In(words.Of(ctx)), invitationAge)
	})
}

// Withdraw takes back an invitation of the user's plan. One that is gone is no error.
func (b *Billing) Withdraw(ctx context.Context, subscriber account.UserID, invitation int64) error {
	return b.hosts(ctx, "Withdraw", func(tx pgx.Tx) error {
		_, err := tx.Exec(ctx, `DELETE FROM plan_invitations WHERE id = $2 AND subscriber_id = $1`, subscriber, invitation)
		return err
	})
}

// Accept makes the user, to whose confirmed address the invitation is, a host of that plan. The error is ErrNoInvitation, ErrUnconfirmed, ErrSubscribed, ErrHosted, ErrOneHost if the plan no longer has
// hosts, or ErrHostsFull.
func (b *Billing) Accept(ctx context.Context, user account.UserID, invitation int64) error {
	return b.hosts(ctx, "Accept", func(tx pgx.Tx) error {
		if err := lockRow(ctx, tx, user); err != nil {
			return err
		}
		const find = `
			SELECT i.subscriber_id, u.email_verified_at IS NOT NULL, EXISTS (SELECT FROM subscriptions WHERE user_id = u.id AND ` + live + `),
				EXISTS (SELECT FROM plan_hosts WHERE user_id = u.id)
			FROM plan_invitations i JOIN users u ON u.email_key = i.email_key
			WHERE i.id = $2 AND u.id = $1 AND i.subscriber_id <> $1 AND i.expires_at > now()`
		var (
			subscriber                    account.UserID
			confirmed, subscribed, hosted bool
		)
		err := tx.QueryRow(ctx, find, user, invitation).Scan(&subscriber, &confirmed, &subscribed, &hosted)
		switch {
		case errors.Is(err, pgx.ErrNoRows):
			return ErrNoInvitation
		case err != nil:
			return err
		case !confirmed:
			return ErrUnconfirmed
		case subscribed:
			return ErrSubscribed
		case hosted:
			return ErrHosted
		}
		plan, err := lockedOwnPlan(ctx, tx, subscriber)
		if err != nil {
			return err
		}
		// Withdrawn meanwhile it is gone. Hosts that the user's own plan had, while there was one, are theirs no longer.
		const accept = `
			WITH used AS (DELETE FROM plan_invitations WHERE id = $2 RETURNING subscriber_id), own AS (DELETE FROM plan_hosts WHERE subscriber_id = $1)
			INSERT INTO plan_hosts (user_id, subscriber_id) SELECT $1, subscriber_id FROM used`
		var others int
		if err := tx.QueryRow(ctx, `SELECT count(*) FROM plan_hosts WHERE subscriber_id = $1`, subscriber).Scan(&others); err != nil {
			return err
		}
		switch {
		case plan.Hosts == 1:
			return ErrOneHost
		case others >= plan.Hosts-1:
			return ErrHostsFull
		}
		tag, err := tx.Exec(ctx, accept, user, invitation)
		if err == nil && tag.RowsAffected() == 0 {
			return ErrNoInvitation
		}
		return err
	})
}

// Decline ends an invitation to the user. The error is ErrNoInvitation.
func (b *Billing) Decline(ctx context.Context, user account.UserID, invitation int64) error {
	return b.hosts(ctx, "Decline", func(tx pgx.Tx) error {
		// Whoever has not shown that an address is theirs does not answer for it.
		const decline = `DELETE FROM plan_invitations i USING users u WHERE i.id = $2 AND u.id = $1 AND u.email_key = i.email_key AND u.email_verified_at IS NOT NULL`
		tag, err := tx.Exec(ctx, decline, user, invitation)
		if err == nil && tag.RowsAffected() == 0 {
			return ErrNoInvitation
		}
		return err
	})
}

// RemoveHost ends that somebody is a host of the user's plan. Their sessions go on. Nobody of that id is no error.
func (b *Billing) RemoveHost(ctx context.Context, subscriber, host account.UserID) error {
	return b.endHosting(ctx, "RemoveHost", host, &subscriber)
}

// Leave ends that the user is a host of somebody else's plan. Who is none is no error.
func (b *Billing) Leave(ctx context.Context, user account.UserID) error {
	return b.endHosting(ctx, "Leave", user, nil)
}

// endHosting ends that a host is one of somebody else's plan, or of that subscriber's.
func (b *Billing) endHosting(ctx context.Context, verb string, host account.UserID, subscriber *account.UserID) error {
	return b.hosts(ctx, verb, func(tx pgx.Tx) error {
		var of account.UserID
		const find = `SELECT subscriber_id FROM plan_hosts WHERE user_id = $1 AND subscriber_id = coalesce($2, subscriber_id)`
		err := tx.QueryRow(ctx, find, host, subscriber).Scan(&of)
		if errors.Is(err, pgx.ErrNoRows) {
			return nil
		}
		if err != nil {
			return err
		}
		if err := errors.Join(lockRow(ctx, tx, host), lockRow(ctx, tx, of)); err != nil {
			return err
		}
		_, err = tx.Exec(ctx, `DELETE FROM plan_hosts WHERE user_id = $1 AND subscriber_id = $2`, host, of)
		return err
	})
}

// hosts changes who is a host of what.
func (b *Billing) hosts(ctx context.Context, verb string, change func(tx pgx.Tx) error) error {
	if err := postgres.InTx(ctx, b.pool, change); err != nil {
		return fmt.Errorf("billing.%s: %w", verb, err)
	}
	return nil
}

// shownAddress is an address as account keeps one that was typed.
func shownAddress(typed string) string { return norm.NFKC.String(strings.TrimSpace(typed)) }

// lockedOwnPlan returns the plan of a user's own, with their row in users locked.
func lockedOwnPlan(ctx context.Context, tx pgx.Tx, user account.UserID) (Plan, error) {
	if err := lockRow(ctx, tx, user); err != nil {
		return Plan{}, err
	}
	return planInForce(ctx, tx, user)
}
