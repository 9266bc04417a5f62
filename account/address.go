package account

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/jackc/pgx/v5"

	"pubquiz/internal/postgres"
	"pubquiz/internal/words"
)

// SignUpByMail makes an account, and writes to its address with a link that confirms it. Where the address cannot have a new account, its owner is written
// that it has one: whoever signs up is told the same and waits as long.
//
// The error is a FieldError for input that its sender must change, ErrBusy, or full's.
func (a *Accounts) SignUpByMail(ctx context.Context, email, name, password string, full InboxFull) error {
	address, name, hash, err := a.checkSignUp(ctx, email, name, password)
	if err != nil {
		return err
	}
	quiet, err := full(address.key)
	if err != nil {
		return err
	}
	token, tokenHash := newToken()
	err = postgres.InTx(ctx, a.pool, func(tx pgx.Tx) error {
		const insert = `
			WITH made AS (
				INSERT INTO users (email, email_key, name, password_hash, language) SELECT $1, $2, $3, $4, $8 WHERE NOT $5
				ON CONFLICT (email_key) DO NOTHING RETURNING id
			), link AS (
				INSERT INTO user_links (user_id, purpose, token_hash, expires_at, email, email_key)
				SELECT id, 'confirm', $6, now() + $7::interval, $1, $2 FROM made
			)
			SELECT EXISTS (SELECT FROM made), coalesce((SELECT email FROM users WHERE email_key = $2), '')`
		var (
			made bool
			to   string
		)
		reserved := slices.Contains(a.reserved, address.key)
		if err := tx.QueryRow(ctx, insert, address.shown, address.key, name, hash, reserved, tokenHash, confirmAge, words.Of(ctx).Code).Scan(&made, &to); err != nil {
			return err
		}
		letter := a.takenLetter()
		if made {
			letter, to = a.confirmLetter(token), address.shown
		}
		if quiet {
			to = ""
		}
		return a.write(ctx, tx, to, letter, confirmAge)
	})
	return wrap("account.SignUpByMail", err)
}

// AskToConfirm writes to an address with a link that makes it the user's confirmed one: the address that they have, or another. A link from before no longer works. If the
// address is another account's, that one's owner is told. For a full inbox the link from before stays as it is. The error is a FieldError, or full's.
func (a *Accounts) AskToConfirm(ctx context.Context, user User, email string, full InboxFull) error {
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
			WITH other AS (SELECT email FROM users WHERE email_key = $2 AND id <> $3), link AS (
				INSERT INTO user_links (user_id, purpose, token_hash, expires_at, email, email_key)
				SELECT $3, 'confirm', $4, now() + $5::interval, $1, $2 WHERE NOT $6 AND NOT EXISTS (SELECT FROM other)
				ON CONFLICT (user_id, purpose) DO UPDATE SET
					token_hash = excluded.token_hash, expires_at = excluded.expires_at, email = excluded.email, email_key = excluded.email_key
			)
			SELECT coalesce((SELECT email FROM other), ''), $2 = (SELECT email_key FROM users WHERE id = $3)`
		var (
			other string
			same  bool
		)
		if err := tx.QueryRow(ctx, replace, address.shown, address.key, user.ID, tokenHash, confirmAge, quiet).Scan(&other, &same); err != nil {
			return err
		}
		to, letter := address.shown, a.newAddressLetter(token)
		switch {
		case other != "":
			to, letter = other, a.takenLetter()
		case same:
			letter = a.confirmLetter(token)
		}
		if quiet {
			to = ""
		}
		return a.write(ctx, tx, to, letter, confirmAge)
	})
	return wrap("account.AskToConfirm", err)
}

// ConfirmLink returns the address that a link would confirm for the user. The error is ErrLinkSpent. Nothing is changed.
func (a *Accounts) ConfirmLink(ctx context.Context, user UserID, linkToken string) (email string, err error) {
	const find = `SELECT email FROM user_links WHERE token_hash = $1 AND purpose = 'confirm' AND user_id = $2 AND expires_at > now()`
	err = a.pool.QueryRow(ctx, find, hashToken(linkToken), user).Scan(&email)
	if errors.Is(err, pgx.ErrNoRows) {
		return "", ErrLinkSpent
	}
	return email, wrap("account.ConfirmLink", err)
}

// ConfirmAddress makes the address of a link the user's confirmed one, and ends the link. It takes the user's own sign-in, by its token: whoever has the mailbox
// but did not make the account must not confirm it for whoever did. An address that is new to the account ends all other sign-ins and links, and the
// old address is told.
//
// The error is ErrLinkSpent for every link that is not good or another user's, or ErrAddressRefused if the address has another account by now.
func (a *Accounts) ConfirmAddress(ctx context.Context, user UserID, token, linkToken string) error {
	err := postgres.InTx(ctx, a.pool, func(tx pgx.Tx) error {
		var shown, key, oldShown, oldKey string
		// The account is locked before its links, as by whatever else changes both.
		err := tx.QueryRow(ctx, `SELECT email, email_key FROM users WHERE id = $1 FOR UPDATE`, user).Scan(&oldShown, &oldKey)
		if err == nil {
			const use = `DELETE FROM user_links WHERE token_hash = $1 AND purpose = 'confirm' AND user_id = $2 AND expires_at > now() RETURNING email, email_key`
			err = tx.QueryRow(ctx, use, hashToken(linkToken), user).Scan(&shown, &key)
		}
		if errors.Is(err, pgx.ErrNoRows) {
			return ErrLinkSpent
		}
		if err != nil {
			return err
		}
		const confirm = `UPDATE users SET email = $2, email_key = $3, email_verified_at = now() WHERE id = $1`
		if _, err := tx.Exec(ctx, confirm, user, shown, key); err != nil {
			return err
		}
		if key == oldKey {
			return nil
		}
		if _, err := tx.Exec(ctx, `DELETE FROM user_links WHERE user_id = $1`, user); err != nil {
			return err
		}
		if _, err := tx.Exec(ctx, `DELETE FROM user_sessions WHERE user_id = $1 AND token_hash <> $2`, user, hashToken(token)); err != nil {
			return err
		}
		return a.write(ctx, tx, oldShown, a.movedLetter(), noticeAge)
	})
	if isTaken(err) {
		return ErrAddressRefused
	}
	return wrap("account.ConfirmAddress", err)
}

// Rename changes the name by which a host is greeted. The error is a FieldError.
func (a *Accounts) Rename(ctx context.Context, user UserID, name string) error {
	name, err := cleanName(name)
	if err != nil {
		return err
	}
	if _, err := a.pool.Exec(ctx, `UPDATE users SET name = $2 WHERE id = $1`, user, name); err != nil {
		return fmt.Errorf("account.Rename: %w", err)
	}
	return nil
}
