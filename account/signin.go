package account

import (
	"context"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
)

const (
	// idleAge is how long a browser stays signed in without being used, and MaxAge how long at most.
	idleAge = 7 * 24 * time.Hour
	MaxAge  = 30 * 24 * time.Hour

	// seenEvery is how exactly the last use of a browser is known. More exactly would be a write for every request.
	seenEvery = time.Minute

	maxAgent = 300 // characters
)

// Authenticate returns whose token it is. The error is ErrNotSignedIn for every token that is not good.
func (a *Accounts) Authenticate(ctx context.Context, token string) (User, error) {
	if token == "" {
		return User{}, ErrNotSignedIn
	}
	const find = `
		SELECT u.id, u.email, u.name, u.email_verified_at IS NOT NULL, u.password_hash <> '', s.last_seen_at < now() - $4::interval
		FROM user_sessions s JOIN users u ON u.id = s.user_id
		WHERE s.token_hash = $1 AND s.last_seen_at > now() - $2::interval AND s.created_at > now() - $3::interval`
	var (
		user    User
		overdue bool
		hash    = hashToken(token)
	)
	err := a.pool.QueryRow(ctx, find, hash, idleAge, MaxAge, seenEvery).
		Scan(&user.ID, &user.Email, &user.Name, &user.Verified, &user.HasPassword, &overdue)
	if errors.Is(err, pgx.ErrNoRows) {
		return User{}, ErrNotSignedIn
	}
	if err != nil {
		return User{}, fmt.Errorf("account.Authenticate: %w", err)
	}
	if overdue {
		if _, err := a.pool.Exec(ctx, `UPDATE user_sessions SET last_seen_at = now() WHERE token_hash = $1`, hash); err != nil {
			return User{}, fmt.Errorf("account.Authenticate: %w", err)
		}
	}
	return user, nil
}

// SignOut ends the token. Ending one that is not good is no error.
func (a *Accounts) SignOut(ctx context.Context, token string) error {
	if _, err := a.pool.Exec(ctx, `DELETE FROM user_sessions WHERE token_hash = $1`, hashToken(token)); err != nil {
		return fmt.Errorf("account.SignOut: %w", err)
	}
	return nil
}

// execer is a pool or a transaction.
type execer interface {
	Exec(ctx context.Context, sql string, args ...any) (pgconn.CommandTag, error)
}

// querier is a pool or a transaction, of which something is read, too.
type querier interface {
	execer
	QueryRow(ctx context.Context, sql string, args ...any) pgx.Row
}

// insertSession keeps a new token for the user, and forgets the user's that have run out.
func insertSession(ctx context.Context, db execer, user UserID, tokenHash []byte, device Device) error {
	const insert = `
		WITH over AS (
			DELETE FROM user_sessions WHERE user_id = $2 AND (last_seen_at <= now() - $5::interval OR created_at <= now() - $6::interval)
		)
		INSERT INTO user_sessions (token_hash, user_id, address, agent) VALUES ($1, $2, $3, $4)`
	_, err := db.Exec(ctx, insert, tokenHash, user, device.Address.WithZone(""), device.agent(), idleAge, MaxAge)
	return err
}

// agent is the part of the User-Agent field that is kept. The field may hold anything.
func (d Device) agent() string {
	agent := []rune(strings.ReplaceAll(strings.ToValidUTF8(d.Agent, ""), "\x00", ""))
	return string(agent[:min(len(agent), maxAgent)])
}

// newToken returns a token, which is only ever given to its owner, and the hash of it that is kept.
func newToken() (token string, hash []byte) {
	random := make([]byte, 32)
	rand.Read(random)
	token = base64.RawURLEncoding.EncodeToString(random)
	return token, hashToken(token)
}

func hashToken(token string) []byte {
	sum := sha256.Sum256([]byte(token))
	return sum[:]
}
