// Package account is the hosts: who they are, how they prove it, and in which browsers they are signed in. Participants have no
// account.
package account

import (
	"context"
	"errors"
	"fmt"
	"net/netip"
	"net/url"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgxpool"

	"pubquiz/internal/mail"
	"pubquiz/internal/postgres"
	"pubquiz/internal/words"
)

// UserID identifies a host.
type UserID int64

// User is a host.
type User struct {
	ID          UserID
	Email       string // as it was typed, in NFKC
	Name        string
	Verified    bool // has shown that the address is theirs
	HasPassword bool // or is let in by other means only
}

// Device is the browser that signs in, kept so that its owner can recognize it in a list.
type Device struct {
	Address netip.Addr
	Agent   string // the User-Agent field, shortened where it is stored
}

// maxName is in characters.
const maxName = 120

// Accounts keeps the hosts. It is safe for concurrent use; of all its methods only as many hash a password at a time as leave a
// processor for the live sessions.
type Accounts struct {
	pool     *pgxpool.Pool
	hasher   hasher
	reserved []string
	mail     *mail.Outbox
	baseURL  *url.URL
}

// Config is what Accounts need to know.
type Config struct {
	// Reserved are addresses, by their EmailKey, with which nobody can sign up: whoever came first would be taken for the one that an address
	// stands for.
	Reserved []string
	// Mail is where letters to hosts are put; nil where none can be sent. Then there are no links by mail, and no address is ever shown to be
	// somebody's.
	Mail *mail.Outbox
	// BaseURL is where people reach the product. Links in letters are built from it, never from a request.
	BaseURL *url.URL
}

// New returns the accounts in the database of pool.
func New(pool *pgxpool.Pool, c Config) *Accounts {
	return &Accounts{pool: pool, hasher: newHasher(), reserved: c.Reserved, mail: c.Mail, baseURL: c.BaseURL}
}

// SignUp makes an account and signs its owner in on the device. The token goes into the browser's cookie.
//
// The error is a FieldError for input that its sender must change, ErrAddressRefused for an address that has an account or is reserved, or ErrBusy.
// Where the product sends no mail, which could tell the address's owner alone, a sign-up cannot hide that an account exists. It
// takes the same time either way, and the route's limiter keeps it from being used for a list of addresses. Otherwise SignUpByMail is the way.
func (a *Accounts) SignUp(ctx context.Context, email, name, password string, device Device) (token string, err error) {
	address, name, hash, err := a.checkSignUp(ctx, email, name, password)
	if err != nil {
		return "", err
	}
	if slices.Contains(a.reserved, address.key) {
		return "", ErrAddressRefused
	}
	token, tokenHash := newToken()
	err = postgres.InTx(ctx, a.pool, func(tx pgx.Tx) error {
		var id UserID
		const insert = `INSERT INTO users (email, email_key, name, password_hash, language) VALUES ($1, $2, $3, $4, $5) RETURNING id`
		if err := tx.QueryRow(ctx, insert, address.shown, address.key, name, hash, words.Of(ctx).Code).Scan(&id); err != nil {
			return err
		}
		return insertSession(ctx, tx, id, tokenHash, device)
	})
	if pgErr, ok := errors.AsType[*pgconn.PgError](err); ok && pgErr.ConstraintName == "uq_users_email_key" {
		return "", ErrAddressRefused
	}
	if err != nil {
		return "", fmt.Errorf("account.SignUp: %w", err)
	}
	return token, nil
}

// checkSignUp checks what an account is to be made of, and hashes the password.
func (a *Accounts) checkSignUp(ctx context.Context, typed, name, password string) (address email, cleaned, hash string, err error) {
	if address, err = parseEmail(typed); err != nil {
		return address, "", "", err
	}
	if cleaned, err = cleanName(name); err != nil {
		return address, "", "", err
	}
	normal, err := checkPassword(password, address)
	if err != nil {
		return address, "", "", err
	}
	hash, err = a.hasher.hash(ctx, normal)
	return address, cleaned, hash, err
}

// SignIn signs in on the device, with a new token every time. The error is ErrWrongCredentials, whether it is the address or the
// password that is wrong, and in the same time; ErrBusy, before anything was checked; or a *SecondFactorNeeded.
func (a *Accounts) SignIn(ctx context.Context, email, password string, device Device) (token string, err error) {
	var (
		id   UserID
		hash string // of nobody: it matches no password and takes as long
	)
	if address, err := parseEmail(email); err == nil {
		const find = `SELECT id, password_hash FROM users WHERE email_key = $1`
		err := a.pool.QueryRow(ctx, find, address.key).Scan(&id, &hash)
		if err != nil && !errors.Is(err, pgx.ErrNoRows) {
			return "", fmt.Errorf("account.SignIn: %w", err)
		}
	}
	right, better, err := a.hasher.verify(ctx, normalPassword(password), hash)
	if err != nil {
		return "", err
	}
	if !right {
		return "", ErrWrongCredentials
	}
	if better != "" {
		const rehash = `UPDATE users SET password_hash = $3 WHERE id = $1 AND password_hash = $2`
		if _, err := a.pool.Exec(ctx, rehash, id, hash, better); err != nil {
			return "", fmt.Errorf("account.SignIn: %w", err)
		}
		hash = better
	}
	if token, err = a.signIn(ctx, a.pool, id, device); err != nil {
		return "", wrap("account.SignIn", err)
	}
	return token, a.unlessChanged(ctx, id, hash, token)
}

// unlessChanged ends a new sign-in again, with ErrWrongCredentials, if the password that it was made with has been changed meanwhile: whoever changed it
// has ended all sign-ins, but did not see this one. It waits for a change that is under way.
func (a *Accounts) unlessChanged(ctx context.Context, user UserID, hash, token string) error {
	const same = `SELECT FROM users WHERE id = $1 AND password_hash = $2 FOR SHARE`
	err := a.pool.QueryRow(ctx, same, user, hash).Scan()
	if errors.Is(err, pgx.ErrNoRows) {
		if err := a.SignOut(ctx, token); err != nil {
			return err
		}
		return ErrWrongCredentials
	}
	return wrap("account.SignIn", err)
}

// lockUser locks the user's row in users before any other of the account: of two changes at once, one waits for the other, and not both.
func lockUser(ctx context.Context, tx pgx.Tx, user UserID) error {
	_, err := tx.Exec(ctx, `SELECT FROM users WHERE id = $1 FOR UPDATE`, user)
	return err
}

// EnsureUser returns the account of an address, and makes one if there is none. No password opens the new account: only
// a link from CreateLink does. It is for the operator's side, where the address needs no proof: it counts as shown.
func (a *Accounts) EnsureUser(ctx context.Context, email, name string) (UserID, error) {
	address, err := parseEmail(email)
	if err != nil {
		return 0, err
	}
	if name, err = cleanName(name); err != nil {
		return 0, err
	}
	const ensure = `
		INSERT INTO users (email, email_key, name, password_hash, email_verified_at) VALUES ($1, $2, $3, '', now())
		ON CONFLICT (email_key) DO UPDATE SET email_verified_at = coalesce(users.email_verified_at, now()) RETURNING id`
	var id UserID
	if err := a.pool.QueryRow(ctx, ensure, address.shown, address.key, name).Scan(&id); err != nil {
		return 0, fmt.Errorf("account.EnsureUser: %w", err)
	}
	return id, nil
}

// cleanName checks the name by which a host is greeted.
func cleanName(name string) (string, error) {
	name = strings.Join(strings.Fields(name), " ")
	switch {
	case name == "":
		return "", FieldError{"name", words.T("Type your name, or your pub's.")}
	case utf8.RuneCountInString(name) > maxName:
		return "", FieldError{"name", words.T("Shorten the name to {most} characters.", "most", maxName)}
	case !printable(name):
		return "", FieldError{"name", words.T("The name contains a character that cannot be shown. Leave it out.")}
	}
	return name, nil
}

// SetLanguage keeps the code of the language that a user reads, for letters that no request of theirs causes.
func (a *Accounts) SetLanguage(ctx context.Context, user UserID, language string) error {
	if _, err := a.pool.Exec(ctx, `UPDATE users SET language = $2 WHERE id = $1`, user, language); err != nil {
		return fmt.Errorf("account.SetLanguage: %w", err)
	}
	return nil
}
