// Package account is the hosts: who they are, how they prove it, and in which browsers they are signed in. Participants have no
// account.
package account

import (
	"context"
	"errors"
	"fmt"
	"net/netip"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgxpool"
)

// UserID identifies a host.
type UserID int64

// User is a host.
type User struct {
	ID    UserID
	Email string // as it was typed, in NFKC
	Name  string
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
}

// New returns the accounts in the database of pool. Nobody can sign up with a reserved address, given by its EmailKey: whoever came first
// would be taken for the one it stands for.
func New(pool *pgxpool.Pool, reserved ...string) *Accounts {
	return &Accounts{pool: pool, hasher: newHasher(), reserved: reserved}
}

// SignUp makes an account and signs its owner in on the device. The token goes into the browser's cookie.
//
// The error is a FieldError for input that its sender must change, ErrAddressRefused for an address that has an account or is reserved, or ErrBusy.
// Until the product sends e-mail, which can tell the address's owner alone, a sign-up cannot hide that an account exists. It
// takes the same time either way, and the route's limiter keeps it from being used for a list of addresses.
func (a *Accounts) SignUp(ctx context.Context, email, name, password string, device Device) (token string, err error) {
	address, err := parseEmail(email)
	if err != nil {
		return "", err
	}
	if name, err = cleanName(name); err != nil {
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
	if slices.Contains(a.reserved, address.key) {
		return "", ErrAddressRefused
	}
	token, tokenHash := newToken()
	err = pgx.BeginFunc(ctx, a.pool, func(tx pgx.Tx) error {
		var id UserID
		const insert = `INSERT INTO users (email, email_key, name, password_hash) VALUES ($1, $2, $3, $4) RETURNING id`
		if err := tx.QueryRow(ctx, insert, address.shown, address.key, name, hash).Scan(&id); err != nil {
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
	}
	token, err = a.signIn(ctx, id, device)
	return token, wrap("account.SignIn", err)
}

// EnsureUser returns the account of an address, and makes one if there is none. No password opens the new account: only
// a link from CreateLink does. It is for the operator's side, where the address needs no proof.
func (a *Accounts) EnsureUser(ctx context.Context, email, name string) (UserID, error) {
	address, err := parseEmail(email)
	if err != nil {
		return 0, err
	}
	if name, err = cleanName(name); err != nil {
		return 0, err
	}
	const ensure = `INSERT INTO users (email, email_key, name, password_hash) VALUES ($1, $2, $3, '') ON CONFLICT (email_key) DO NOTHING`
	if _, err := a.pool.Exec(ctx, ensure, address.shown, address.key, name); err != nil {
		return 0, fmt.Errorf("account.EnsureUser: %w", err)
	}
	var id UserID
	if err := a.pool.QueryRow(ctx, `SELECT id FROM users WHERE email_key = $1`, address.key).Scan(&id); err != nil {
		return 0, fmt.Errorf("account.EnsureUser: %w", err)
	}
	return id, nil
}

// cleanName checks the name by which a host is greeted.
func cleanName(name string) (string, error) {
	name = strings.Join(strings.Fields(name), " ")
	switch {
	case name == "":
		return "", FieldError{"name", "Type your name, or your pub's."}
	case utf8.RuneCountInString(name) > maxName:
		return "", FieldError{"name", fmt.Sprintf("Shorten the name to %d characters.", maxName)}
	case !printable(name):
		return "", FieldError{"name", "The name contains a character that cannot be shown. Leave it out."}
	}
	return name, nil
}
