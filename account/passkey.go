package account

import (
	"context"
	"errors"
	"fmt"
	"net/netip"
	"net/url"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/go-webauthn/webauthn/protocol"
	"github.com/go-webauthn/webauthn/webauthn"
	"github.com/jackc/pgx/v5"

	"pubquiz/internal/postgres"
	"pubquiz/internal/words"
)

// Passkeys are keys in people's phones, computers and password managers that open their accounts without a password (WebAuthn). They check who is
// there, by a finger or a PIN, so a passkey is two factors in one. It is safe for concurrent use.
type Passkeys struct {
	accounts *Accounts
	party    *webauthn.WebAuthn
}

// Passkey is one in a user's list.
type Passkey struct {
	ID      int64      `json:"-"`
	Name    string     `json:"name"`
	AddedAt time.Time  `json:"addedAt"`
	UsedAt  *time.Time `json:"usedAt,omitempty"` // nil if it never was
}

// Ceremony is what a browser must bring back for a passkey to be added or used: it goes out sealed.
type Ceremony struct{ Session webauthn.SessionData }

// Attempt names the ceremony, for SpendAttempt.
func (c Ceremony) Attempt() string { return c.Session.Challenge }

// ErrPasskeyRefused refuses what is no passkey, none of ours, or not the answer to what was asked.
var ErrPasskeyRefused = errors.New("the passkey is not accepted")

const (
	maxPasskeys    = 10 // of one account
	maxPasskeyName = 60 // characters
)

// PasskeysWork tells whether browsers let the pages of an address use passkeys: on https with a name, and on localhost.
func PasskeysWork(base *url.URL) bool {
	_, err := netip.ParseAddr(base.Hostname())
	return base.Hostname() == "localhost" || base.Scheme == "https" && err != nil
}

// NewPasskeys returns the passkeys of these accounts, for the pages of the address base, by the product's name.
func NewPasskeys(accounts *Accounts, product string, base *url.URL) (*Passkeys, error) {
	party, err := webauthn.New(&webauthn.Config{
		RPID: base.Hostname(), RPDisplayName: product, RPOrigins: []string{base.Scheme + "://" + base.Host},
		AuthenticatorSelection: protocol.AuthenticatorSelection{
			ResidentKey: protocol.ResidentKeyRequirementRequired, UserVerification: protocol.VerificationRequired,
		},
	})
	if err != nil {
		return nil, fmt.Errorf("account.NewPasskeys: %w", err)
	}
	return &Passkeys{accounts, party}, nil
}

// passkeyOwner is a user as the library wants to know them.
type passkeyOwner struct {
	user        User
	handle      [16]byte
	credentials []webauthn.Credential
}

func (o passkeyOwner) WebAuthnID() []byte                         { return o.handle[:] }
func (o passkeyOwner) WebAuthnName() string                       { return o.user.Email }
func (o passkeyOwner) WebAuthnDisplayName() string                { return o.user.Name }
func (o passkeyOwner) WebAuthnCredentials() []webauthn.Credential { return o.credentials }

// owner finds the user of a condition on users u, with their passkeys.
func owner(ctx context.Context, tx pgx.Tx, condition string, argument any) (o passkeyOwner, err error) {
	find := `SELECT id, email, name, passkey_handle FROM users u WHERE ` + condition + ` FOR UPDATE`
	if err := tx.QueryRow(ctx, find, argument).Scan(&o.user.ID, &o.user.Email, &o.user.Name, &o.handle); err != nil {
		return o, err
	}
	rows, err := tx.Query(ctx, `SELECT credential FROM user_passkeys WHERE user_id = $1 ORDER BY id`, o.user.ID)
	if err != nil {
		return o, err
	}
	o.credentials, err = pgx.CollectRows(rows, pgx.RowTo[webauthn.Credential])
	return o, err
}

// BeginAdding begins to add a passkey to the account of a user, who is signed in and has just confirmed it. The options are for the browser's
// navigator.credentials.create. The error is a FieldError when there are enough.
func (p *Passkeys) BeginAdding(ctx context.Context, user UserID) (options *protocol.CredentialCreation, c Ceremony, err error) {
	err = postgres.InTx(ctx, p.accounts.pool, func(tx pgx.Tx) error {
		o, err := ownerWithRoom(ctx, tx, user)
		if err != nil {
			return err
		}
		var session *webauthn.SessionData
		options, session, err = p.party.BeginRegistration(o, webauthn.WithExclusions(webauthn.Credentials(o.credentials).CredentialDescriptors()))
		if err != nil {
			return err
		}
		c = Ceremony{*session}
		return nil
	})
	if err != nil {
		return nil, Ceremony{}, wrap("account.Passkeys.BeginAdding", err)
	}
	return options, c, nil
}

// ownerWithRoom locks the user as owner does, and fails with errEnoughPasskeys when there may be no more.
func ownerWithRoom(ctx context.Context, tx pgx.Tx, user UserID) (passkeyOwner, error) {
	o, err := owner(ctx, tx, "u.id = $1", user)
	if err == nil && len(o.credentials) >= maxPasskeys {
		err = errEnoughPasskeys
	}
	return o, err
}

var errEnoughPasskeys = FieldError{"name", words.T("You have {most} passkeys, and that is as many as there can be. Remove one first.", "most", maxPasskeys)}

// Add adds the passkey with which the browser answered. The error is ErrPasskeyRefused, or a FieldError for the name or when there are enough.
func (p *Passkeys) Add(ctx context.Context, user UserID, c Ceremony, name string, answer []byte) error {
	name = strings.Join(strings.Fields(name), " ")
	if name == "" || utf8.RuneCountInString(name) > maxPasskeyName || !printable(name) {
		return FieldError{"name", words.T("Give it a name of up to {most} characters, such as “My phone”.", "most", maxPasskeyName)}
	}
	parsed, err := protocol.ParseCredentialCreationResponseBytes(answer)
	if err != nil {
		return fmt.Errorf("account.Passkeys.Add: %w: %w", ErrPasskeyRefused, err)
	}
	err = postgres.InTx(ctx, p.accounts.pool, func(tx pgx.Tx) error {
		o, err := ownerWithRoom(ctx, tx, user)
		if err != nil {
			return err
		}
		credential, err := p.party.CreateCredential(o, c.Session, parsed)
		if err != nil {
			return fmt.Errorf("%w: %w", ErrPasskeyRefused, err)
		}
		const insert = `INSERT INTO user_passkeys (user_id, name, credential_id, credential) VALUES ($1, $2, $3, $4)`
		if _, err := tx.Exec(ctx, insert, user, name, credential.ID, credential); err != nil {
			return err
		}
		return p.accounts.tell(ctx, tx, user, passkeyLetter)
	})
	if isTaken(err) {
		err = ErrPasskeyRefused
	}
	return wrap("account.Passkeys.Add", err)
}

// BeginSignIn begins to sign in with whatever passkey somebody chooses. The options are for the browser's navigator.credentials.get.
func (p *Passkeys) BeginSignIn() (options *protocol.CredentialAssertion, c Ceremony, err error) {
	options, session, err := p.party.BeginDiscoverableLogin(webauthn.WithUserVerification(protocol.VerificationRequired))
	if err != nil {
		return nil, Ceremony{}, fmt.Errorf("account.Passkeys.BeginSignIn: %w", err)
	}
	return options, Ceremony{*session}, nil
}

// SignIn signs in on the device with the passkey with which the browser answered. The error is ErrPasskeyRefused, also for a passkey whose counter says
// that there is a copy of it.
func (p *Passkeys) SignIn(ctx context.Context, c Ceremony, answer []byte, device Device) (token string, err error) {
	parsed, err := protocol.ParseCredentialRequestResponseBytes(answer)
	if err != nil {
		return "", fmt.Errorf("account.Passkeys.SignIn: %w: %w", ErrPasskeyRefused, err)
	}
	token, hash := newToken()
	err = postgres.InTx(ctx, p.accounts.pool, func(tx pgx.Tx) error {
		var found passkeyOwner
		var lookup error
		whose := func(_, handle []byte) (webauthn.User, error) {
			found, lookup = owner(ctx, tx, "u.passkey_handle = encode($1, 'hex')::uuid", handle)
			return found, lookup
		}
		if len(parsed.Response.UserHandle) != len(found.handle) {
			return ErrPasskeyRefused
		}
		_, credential, err := p.party.ValidatePasskeyLogin(whose, c.Session, parsed)
		if lookup != nil && !errors.Is(lookup, pgx.ErrNoRows) {
			return lookup // which says nothing about the passkey
		}
		if err != nil {
			return fmt.Errorf("%w: %w", ErrPasskeyRefused, err)
		}
		if credential.Authenticator.CloneWarning {
			return fmt.Errorf("%w: its counter went back", ErrPasskeyRefused)
		}
		const update = `UPDATE user_passkeys SET credential = $3, used_at = now() WHERE user_id = $1 AND credential_id = $2`
		if _, err := tx.Exec(ctx, update, found.user.ID, credential.ID, credential); err != nil {
			return err
		}
		return insertSession(ctx, tx, found.user.ID, hash, device)
	})
	if err != nil {
		return "", wrap("account.Passkeys.SignIn", err)
	}
	return token, nil
}

// Passkeys lists a user's passkeys, the oldest first, whether or not they open anything here at present.
func (a *Accounts) Passkeys(ctx context.Context, user UserID) ([]Passkey, error) {
	rows, err := a.pool.Query(ctx, `SELECT id, name, created_at, used_at FROM user_passkeys WHERE user_id = $1 ORDER BY id`, user)
	if err != nil {
		return nil, fmt.Errorf("reading passkeys: %w", err)
	}
	all, err := pgx.CollectRows(rows, pgx.RowToStructByPos[Passkey])
	return all, wrap("reading passkeys", err)
}

// Remove ends that a passkey opens the account. The error is ErrLastWayIn; removing what is not there is none.
func (p *Passkeys) Remove(ctx context.Context, user UserID, id int64, usable Usable) error {
	err := p.accounts.takeWayIn(ctx, user, usable, func(tx pgx.Tx) (taken bool, err error) {
		tag, err := tx.Exec(ctx, `DELETE FROM user_passkeys WHERE user_id = $1 AND id = $2`, user, id)
		if err != nil || tag.RowsAffected() == 0 {
			return false, err
		}
		return true, p.accounts.tell(ctx, tx, user, passkeyGoneLetter)
	})
	return wrap("account.Passkeys.Remove", err)
}
