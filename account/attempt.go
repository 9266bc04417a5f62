package account

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"time"
)

// ErrAttemptSpent says that an attempt to sign in has come to its end before.
var ErrAttemptSpent = errors.New("the attempt has come to its end before")

// attemptAge is how long spent attempts are kept. It is longer than any of them can be brought back.
const attemptAge = time.Hour

// SpendAttempt ends an attempt to sign in that a browser carries with it, by what names it and cannot be guessed. Of several at once, one
// succeeds, on whatever instance. The error is ErrAttemptSpent.
func (a *Accounts) SpendAttempt(ctx context.Context, attempt string) error {
	const spend = `
		WITH over AS (DELETE FROM spent_attempts WHERE spent_at < now() - $2::interval)
		INSERT INTO spent_attempts (attempt_hash) VALUES ($1) ON CONFLICT (attempt_hash) DO NOTHING`
	hash := sha256.Sum256([]byte(attempt))
	tag, err := a.pool.Exec(ctx, spend, hash[:], attemptAge)
	if err != nil {
		return fmt.Errorf("account.SpendAttempt: %w", err)
	}
	if tag.RowsAffected() == 0 {
		return ErrAttemptSpent
	}
	return nil
}
