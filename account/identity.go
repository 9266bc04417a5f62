package account

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"

	"pubquiz/internal/postgres"
	"pubquiz/internal/words"
)

// Identity is who somebody has proved to be at an OpenID provider.
type Identity struct {
	Issuer        string
	Subject       string
	Email         string // as the provider has it
	EmailVerified bool   // by the provider
	Name          string
}

// LinkedIdentity is one of a user's identities.
type LinkedIdentity struct {
	Issuer   string    `json:"issuer"`
	Email    string    `json:"email,omitempty"` // as the provider had it when it was linked
	LinkedAt time.Time `json:"linkedAt"`
}

var (
	// ErrEmailUnverified refuses an identity that opens no account yet and whose provider has not verified its address.
	ErrEmailUnverified = errors.New("the provider has not verified the address")

	// ErrNotLinked refuses an identity whose address has an account that its owner opens otherwise. An address that is the same does not
	// make it the same person: they sign in as they did before, and link the identity.
	ErrNotLinked = errors.New("the identity is not linked to the account of its address")

	// ErrIdentityTaken refuses to link what is linked to another account, or a second identity of one provider.
	ErrIdentityTaken = errors.New("the identity opens another account, or another identity of its provider is linked")

	// ErrLastWayIn refuses to take away what alone opens the account.
	ErrLastWayIn = errors.New("nothing else opens the account")
)

// SignInWithIdentity signs in on the device whoever has proved the identity. One that is not linked to an account yet gets one of its own, if
// its provider has verified the address. Where the address has an account whose owner never proved that it is theirs, somebody else may have
// made it and wait inside: everything that opens that account is taken away first.
//
// The error is ErrEmailUnverified, ErrNotLinked, ErrAddressRefused, a FieldError for an address or a name that we do not take, or a
// *SecondFactorNeeded.
func (a *Accounts) SignInWithIdentity(ctx context.Context, identity Identity, device Device) (token string, err error) {
	signIn := func(tx pgx.Tx) error {
		user, err := a.userOf(ctx, tx, identity)
		if err != nil {
			return err
		}
		token, err = a.signIn(ctx, tx, user, device) // an account that asks for a code is not new: there is nothing to roll back
		return err
	}
	err = postgres.InTx(ctx, a.pool, signIn)
	if isTaken(err) || errors.Is(err, ErrNotLinked) { // the same person may have come in another window meanwhile, and made what stands in the way
		err = postgres.InTx(ctx, a.pool, signIn)
	}
	if err != nil {
		return "", wrap("account.SignInWithIdentity", err)
	}
	return token, nil
}

// userOf returns whose identity it is, and makes them an account or gives them theirs where they have proved it to be theirs. Until the transaction ends the
// identity stays theirs: whoever takes it away, and ends all sign-ins with it, must not miss the one that is under way.
func (a *Accounts) userOf(ctx context.Context, tx pgx.Tx, identity Identity) (user UserID, err error) {
	const find = `
		SELECT u.id FROM users u JOIN user_identities i ON i.user_id = u.id WHERE i.issuer = $1 AND i.subject = $2 FOR SHARE OF u, i`
	err = tx.QueryRow(ctx, find, identity.Issuer, identity.Subject).Scan(&user)
	if !errors.Is(err, pgx.ErrNoRows) {
		return user, err
	}
	if !identity.EmailVerified {
		return 0, ErrEmailUnverified
	}
	if user, err = a.adopt(ctx, tx, identity); err != nil {
		return 0, err
	}
	return user, insertIdentity(ctx, tx, user, identity)
}

// adopt returns the account of the identity's address: a new one, or one that nobody has proved to be theirs, emptied of all that opens it.
func (a *Accounts) adopt(ctx context.Context, tx pgx.Tx, identity Identity) (user UserID, err error) {
	address, err := parseEmail(identity.Email)
	if err != nil {
		return 0, err
	}
	if slices.Contains(a.reserved, address.key) {
		return 0, ErrAddressRefused
	}
	var verified bool
	const find = `SELECT id, email_verified_at IS NOT NULL FROM users WHERE email_key = $1 FOR UPDATE`
	err = tx.QueryRow(ctx, find, address.key).Scan(&user, &verified)
	switch {
	case errors.Is(err, pgx.ErrNoRows):
		const insert = `
			INSERT INTO users (email, email_key, name, password_hash, email_verified_at, language) VALUES ($1, $2, $3, '', now(), $4) RETURNING id`
		err = tx.QueryRow(ctx, insert, address.shown, address.key, nameOf(identity, address), words.Of(ctx).Code).Scan(&user)
		return user, err
	case err != nil:
		return 0, err
	case verified:
		return 0, ErrNotLinked
	}
	for _, take := range []string{
		`DELETE FROM user_sessions WHERE user_id = $1`,
		`DELETE FROM user_links WHERE user_id = $1`,
		`DELETE FROM user_identities WHERE user_id = $1`,
		`DELETE FROM user_totp WHERE user_id = $1`,
		`DELETE FROM user_passkeys WHERE user_id = $1`,
		`UPDATE users SET password_hash = '', email_verified_at = now() WHERE id = $1`,
	} {
		if _, err := tx.Exec(ctx, take, user); err != nil {
			return 0, err
		}
	}
	return user, nil
}

// nameOf is what somebody is called, or at least the first part of their address.
func nameOf(identity Identity, address email) string {
	if name, err := cleanName(identity.Name); err == nil {
		return name
	}
	return address.local
}

func insertIdentity(ctx context.Context, db execer, user UserID, identity Identity) error {
	const insert = `INSERT INTO user_identities (user_id, issuer, subject, email) VALUES ($1, $2, $3, $4)`
	_, err := db.Exec(ctx, insert, user, identity.Issuer, identity.Subject, shownEmail(identity.Email))
	return err
}

// shownEmail is the address if it is one, else nothing: a provider may say anything.
func shownEmail(typed string) string {
	address, err := parseEmail(typed)
	if err != nil {
		return ""
	}
	return address.shown
}

// LinkIdentity lets the identity open the account of a user, who is signed in and has just confirmed it (see Confirm). Where the provider has verified the
// account's own address, that is verified here too. The error is ErrIdentityTaken; linking what is linked already is none.
func (a *Accounts) LinkIdentity(ctx context.Context, user UserID, identity Identity) error {
	err := postgres.InTx(ctx, a.pool, func(tx pgx.Tx) error {
		var owner UserID
		const find = `SELECT user_id FROM user_identities WHERE issuer = $1 AND subject = $2`
		err := tx.QueryRow(ctx, find, identity.Issuer, identity.Subject).Scan(&owner)
		switch {
		case err == nil && owner == user:
			return nil
		case err == nil:
			return ErrIdentityTaken
		case !errors.Is(err, pgx.ErrNoRows):
			return err
		}
		if err := insertIdentity(ctx, tx, user, identity); err != nil {
			return err
		}
		if err := a.tell(ctx, tx, user, linkedLetter(identity.Issuer)); err != nil {
			return err
		}
		key, err := EmailKey(identity.Email)
		if err != nil || !identity.EmailVerified {
			return nil
		}
		const verify = `UPDATE users SET email_verified_at = now() WHERE id = $1 AND email_key = $2 AND email_verified_at IS NULL`
		_, err = tx.Exec(ctx, verify, user, key)
		return err
	})
	if isTaken(err) {
		return ErrIdentityTaken
	}
	return wrap("account.LinkIdentity", err)
}

// Usable is what opens accounts here besides passwords. What does not, because the operator has set this place up otherwise meanwhile, is no way in.
type Usable struct {
	Issuers  []string
	Passkeys bool
}

// UnlinkIdentity ends that the user's identity at the issuer opens the account. The error is ErrLastWayIn; unlinking what is not linked is none.
func (a *Accounts) UnlinkIdentity(ctx context.Context, user UserID, issuer string, usable Usable) error {
	err := a.takeWayIn(ctx, user, usable, func(tx pgx.Tx) (taken bool, err error) {
		tag, err := tx.Exec(ctx, `DELETE FROM user_identities WHERE user_id = $1 AND issuer = $2`, user, issuer)
		if err != nil || tag.RowsAffected() == 0 {
			return false, err
		}
		return true, a.tell(ctx, tx, user, unlinkedLetter(issuer))
	})
	return wrap("account.UnlinkIdentity", err)
}

// takeWayIn takes something away, unless nothing would open the account then. Of several at once one waits for the other. Where nothing is taken, nothing is asked:
// what opens the account is as it was.
func (a *Accounts) takeWayIn(ctx context.Context, user UserID, usable Usable, take func(pgx.Tx) (taken bool, err error)) error {
	return postgres.InTx(ctx, a.pool, func(tx pgx.Tx) error {
		if err := lockUser(ctx, tx, user); err != nil {
			return err
		}
		if taken, err := take(tx); err != nil || !taken {
			return err
		}
		var left bool
		const ways = `
			SELECT password_hash <> '' OR EXISTS (SELECT FROM user_identities i WHERE i.user_id = u.id AND i.issuer = ANY ($2))
				OR $3 AND EXISTS (SELECT FROM user_passkeys p WHERE p.user_id = u.id)
			FROM users u WHERE id = $1`
		if err := tx.QueryRow(ctx, ways, user, usable.Issuers, usable.Passkeys).Scan(&left); err != nil {
			return err
		}
		if !left {
			return ErrLastWayIn
		}
		return nil
	})
}

// Identities lists those that open the account.
func (a *Accounts) Identities(ctx context.Context, user UserID) ([]LinkedIdentity, error) {
	rows, err := a.pool.Query(ctx, `SELECT issuer, email, linked_at FROM user_identities WHERE user_id = $1 ORDER BY linked_at, issuer`, user)
	if err != nil {
		return nil, fmt.Errorf("account.Identities: %w", err)
	}
	identities, err := pgx.CollectRows(rows, pgx.RowToStructByPos[LinkedIdentity])
	return identities, wrap("account.Identities", err)
}

// isTaken tells that a row broke a unique constraint.
func isTaken(err error) bool {
	const uniqueViolation = "23505"
	pgErr, ok := errors.AsType[*pgconn.PgError](err)
	return ok && pgErr.Code == uniqueViolation
}

// wrap says which function an error came from, and leaves nil alone.
func wrap(from string, err error) error {
	if err == nil {
		return nil
	}
	return fmt.Errorf("%s: %w", from, err)
}
