package account

import (
	"context"
	"errors"

	"github.com/jackc/pgx/v5"

	"pubquiz/internal/postgres"
)

// RequestReset writes to the owner of the account with this address, if there is one, with a link to choose a new password. A link from before no longer works. Whoever asks
// is told the same and waits as long in either case. For a full inbox the link from before stays as it is. The error is a FieldError, or full's.
func (a *Accounts) RequestReset(ctx context.Context, email string, full InboxFull) error {
	address, err := parseEmail(email)
	if err != nil {
		return err
	}
	quiet, err := full(address.key)
	if err != nil {
		return err
	}
	token, tokenHash := newToken()
	err = postgres.InTx(ctx, a.pool, func(tx pgx.Tx) error {
		const replace = `
			WITH owner AS (SELECT id, email FROM users WHERE email_key = $1 AND NOT $4), link AS (
				INSERT INTO user_links (user_id, purpose, token_hash, expires_at) SELECT id, 'reset', $2, now() + $3::interval FROM owner
				ON CONFLICT (user_id, purpose) DO UPDATE SET token_hash = excluded.token_hash, expires_at = excluded.expires_at
			)
			SELECT coalesce((SELECT email FROM owner), '')`
		var to string
		if err := tx.QueryRow(ctx, replace, address.key, tokenHash, linkAge, quiet).Scan(&to); err != nil {
			return err
		}
		return a.write(ctx, tx, to, a.resetLetter(token), linkAge)
	})
	return wrap("account.RequestReset", err)
}

// ResetLink returns the address of the account whose password a link can replace. The error is ErrLinkSpent. Nothing is changed.
func (a *Accounts) ResetLink(ctx context.Context, linkToken string) (email string, err error) {
	const find = `
		SELECT u.email FROM user_links l JOIN users u ON u.id = l.user_id WHERE l.token_hash = $1 AND l.purpose = 'reset' AND l.expires_at > now()`
	err = a.pool.QueryRow(ctx, find, hashToken(linkToken)).Scan(&email)
	if errors.Is(err, pgx.ErrNoRows) {
		return "", ErrLinkSpent
	}
	return email, wrap("account.ResetLink", err)
}

// ResetPassword replaces the password by means of a link, and ends the link, every other link and every sign-in of the account. It signs nobody in. As the link came
// by mail, the address is shown to be the owner's; if it never was before, somebody else may have made the account, and what they left there to get in by goes too.
//
// The error is ErrLinkSpent for every link that is not good, a FieldError about the password, after which the link still works, or ErrBusy. Of several uses at once,
// one succeeds.
func (a *Accounts) ResetPassword(ctx context.Context, linkToken, password string) error {
	owner, err := a.ResetLink(ctx, linkToken)
	if err != nil {
		return err
	}
	address, err := parseEmail(owner)
	if err != nil {
		return err
	}
	normal, err := checkPassword(password, address)
	if err != nil {
		return err
	}
	hash, err := a.hasher.hash(ctx, normal)
	if err != nil {
		return err
	}
	err = postgres.InTx(ctx, a.pool, func(tx pgx.Tx) error {
		var (
			user  UserID
			to    string
			known bool
		)
		// The account is locked before its links, as by whatever else changes both.
		const lock = `
			SELECT id, email, email_verified_at IS NOT NULL FROM users
			WHERE id = (SELECT user_id FROM user_links WHERE token_hash = $1 AND purpose = 'reset' AND expires_at > now()) FOR UPDATE`
		err := tx.QueryRow(ctx, lock, hashToken(linkToken)).Scan(&user, &to, &known)
		if errors.Is(err, pgx.ErrNoRows) {
			return ErrLinkSpent
		}
		if err != nil {
			return err
		}
		const use = `DELETE FROM user_links WHERE token_hash = $1 AND purpose = 'reset' AND expires_at > now()`
		tag, err := tx.Exec(ctx, use, hashToken(linkToken))
		if err != nil {
			return err
		}
		if tag.RowsAffected() == 0 {
			return ErrLinkSpent // by whoever had the lock before
		}
		const set = `UPDATE users SET password_hash = $2, email_verified_at = coalesce(email_verified_at, now()) WHERE id = $1`
		if _, err := tx.Exec(ctx, set, user, hash); err != nil {
			return err
		}
		ends := []string{`DELETE FROM user_sessions WHERE user_id = $1`, `DELETE FROM user_links WHERE user_id = $1`}
		if !known {
			ends = append(ends, `DELETE FROM user_identities WHERE user_id = $1`, `DELETE FROM user_totp WHERE user_id = $1`,
				`DELETE FROM user_passkeys WHERE user_id = $1`)
		}
		for _, end := range ends {
			if _, err := tx.Exec(ctx, end, user); err != nil {
				return err
			}
		}
		return a.write(ctx, tx, to, a.passwordLetter(), noticeAge)
	})
	return wrap("account.ResetPassword", err)
}

// ChangePassword replaces the password of a user who has just confirmed it (see Confirm), and ends every link and sign-in of the account but a new one on the device. Token is
// that of the sign-in until now: when it has ended meanwhile, as by a reset, the error is ErrNotSignedIn. Otherwise it is a FieldError or ErrBusy.
func (a *Accounts) ChangePassword(ctx context.Context, user User, token, password string, device Device) (newTokenOfDevice string, err error) {
	address, err := parseEmail(user.Email)
	if err != nil {
		return "", err
	}
	normal, err := checkPassword(password, address)
	if err != nil {
		return "", err
	}
	hash, err := a.hasher.hash(ctx, normal)
	if err != nil {
		return "", err
	}
	fresh, freshHash := newToken()
	err = postgres.InTx(ctx, a.pool, func(tx pgx.Tx) error {
		const set = `
			UPDATE users SET password_hash = $2 WHERE id = $1 AND EXISTS (SELECT FROM user_sessions WHERE token_hash = $3 AND user_id = $1) RETURNING email`
		var to string
		err := tx.QueryRow(ctx, set, user.ID, hash, hashToken(token)).Scan(&to)
		if errors.Is(err, pgx.ErrNoRows) {
			return ErrNotSignedIn
		}
		if err != nil {
			return err
		}
		if _, err := tx.Exec(ctx, `DELETE FROM user_links WHERE user_id = $1`, user.ID); err != nil {
			return err
		}
		if err := replaceSessions(ctx, tx, user.ID, freshHash, device); err != nil {
			return err
		}
		return a.write(ctx, tx, to, a.passwordLetter(), noticeAge)
	})
	if err != nil {
		return "", wrap("account.ChangePassword", err)
	}
	return fresh, nil
}
