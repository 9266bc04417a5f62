package account

import (
	"context"
	"errors"
	"time"

	"github.com/jackc/pgx/v5"

	"pubquiz/internal/postgres"
)

// ErrSessionOpen keeps an account while one of its sessions is open: a room full of people would lose its evening.
var ErrSessionOpen = errors.New("a session of the account is open")

// Delete deletes the account of a user who has just confirmed it (see Confirm), with everything that is theirs: quizzes, sessions and all that was played in
// them, sign-ins and links. The error is ErrSessionOpen, or ErrNotSignedIn if the account is gone.
func (a *Accounts) Delete(ctx context.Context, user UserID) error {
	err := postgres.InTx(ctx, a.pool, func(tx pgx.Tx) error {
		var (
			to   string
			open bool
		)
		// The lock keeps new sessions from being opened: they refer to the row.
		err := tx.QueryRow(ctx, `SELECT email FROM users WHERE id = $1 FOR UPDATE`, user).Scan(&to)
		if errors.Is(err, pgx.ErrNoRows) {
			return ErrNotSignedIn
		}
		if err != nil {
			return err
		}
		if err := tx.QueryRow(ctx, `SELECT EXISTS (SELECT FROM sessions WHERE owner_id = $1 AND finished_at IS NULL)`, user).Scan(&open); err != nil {
			return err
		}
		if open {
			return ErrSessionOpen
		}
		if _, err := tx.Exec(ctx, `DELETE FROM users WHERE id = $1`, user); err != nil {
			return err
		}
		return a.write(ctx, tx, to, a.deletedLetter(), noticeAge)
	})
	return wrap("account.Delete", err)
}

// Profile is what is stored of a host besides quizzes and sessions. Its JSON form is a part of the export.
type Profile struct {
	Email           string     `json:"email"`
	EmailVerifiedAt *time.Time `json:"emailVerifiedAt,omitempty"`
	Name            string     `json:"name"`
	CreatedAt       time.Time  `json:"createdAt"`
	Browsers        []Browser  `json:"browsers"`

	Identities []LinkedIdentity `json:"identities"`
	Passkeys   []Passkey        `json:"passkeys"`
	// TwoStepSince is since when a code from an app is asked for; absent where none is.
	TwoStepSince *time.Time `json:"twoStepSince,omitempty"`
}

// Profile returns what is stored of a host.
func (a *Accounts) Profile(ctx context.Context, user UserID) (p Profile, err error) {
	const read = `SELECT u.email, u.email_verified_at, u.name, u.created_at, t.enabled_at FROM users u LEFT JOIN user_totp t ON t.user_id = u.id WHERE u.id = $1`
	if err := a.pool.QueryRow(ctx, read, user).Scan(&p.Email, &p.EmailVerifiedAt, &p.Name, &p.CreatedAt, &p.TwoStepSince); err != nil {
		return p, wrap("account.Profile", err)
	}
	if p.Browsers, err = a.Browsers(ctx, user, ""); err != nil {
		return p, err
	}
	if p.Identities, err = a.Identities(ctx, user); err != nil {
		return p, err
	}
	p.Passkeys, err = a.Passkeys(ctx, user)
	return p, wrap("account.Profile", err)
}
