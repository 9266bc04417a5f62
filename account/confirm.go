package account

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"
)

// freshAge is how young a sign-in must be to stand in for a password where the account has none.
const freshAge = 10 * time.Minute

// ErrNotFresh says that an account without a password needs a newer sign-in for what is to be done.
var ErrNotFresh = errors.New("the sign-in is too old for this")

// Confirm makes sure that the user is still the one before the browser, before something is done that cannot be left to whoever finds the
// browser open. An account with a password takes the password. One without, which is opened by a provider or a passkey, takes a sign-in younger than
// ten minutes: token is that of the browser.
//
// The error is ErrWrongCredentials, ErrNotFresh or ErrBusy.
func (a *Accounts) Confirm(ctx context.Context, user UserID, token, password string) error {
	var (
		hash  string
		fresh bool
	)
	const find = `
		SELECT u.password_hash, s.created_at > now() - $3::interval
		FROM users u JOIN user_sessions s ON s.user_id = u.id WHERE u.id = $1 AND s.token_hash = $2`
	err := a.pool.QueryRow(ctx, find, user, hashToken(token), freshAge).Scan(&hash, &fresh)
	switch {
	case errors.Is(err, pgx.ErrNoRows):
		return ErrNotSignedIn
	case err != nil:
		return fmt.Errorf("account.Confirm: %w", err)
	case hash == "" && !fresh:
		return ErrNotFresh
	case hash == "":
		return nil
	}
	right, _, err := a.hasher.verify(ctx, normalPassword(password), hash)
	if err != nil {
		return err
	}
	if !right {
		return ErrWrongCredentials
	}
	return nil
}
