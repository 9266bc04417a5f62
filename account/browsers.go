package account

import (
	"context"
	"fmt"
	"log/slog"
	"net/netip"
	"time"

	"github.com/jackc/pgx/v5"
)

// Browser is a browser that is signed in.
type Browser struct {
	ID         int64      `json:"-"`
	Agent      string     `json:"agent"` // the User-Agent field
	Address    netip.Addr `json:"address"`
	SignedInAt time.Time  `json:"signedInAt"`
	LastSeenAt time.Time  `json:"lastSeenAt"` // to the minute
	Current    bool       `json:"-"`          // it is the one with the token
}

// Browsers lists those that are signed in as the user, the latest seen first.
func (a *Accounts) Browsers(ctx context.Context, user UserID, token string) ([]Browser, error) {
	rows, err := a.pool.Query(ctx, `
		SELECT id, agent, address, created_at, last_seen_at, token_hash = $2 FROM user_sessions
		WHERE user_id = $1 AND last_seen_at > now() - $3::interval AND created_at > now() - $4::interval
		ORDER BY token_hash = $2 DESC, last_seen_at DESC, id DESC`, user, hashToken(token), idleAge, MaxAge)
	if err != nil {
		return nil, fmt.Errorf("account.Browsers: %w", err)
	}
	browsers, err := pgx.CollectRows(rows, pgx.RowToStructByPos[Browser])
	return browsers, wrap("account.Browsers", err)
}

// EndBrowser signs one of the user's browsers out. One that is not there, or another user's, is no error.
func (a *Accounts) EndBrowser(ctx context.Context, user UserID, id int64) error {
	_, err := a.pool.Exec(ctx, `DELETE FROM user_sessions WHERE user_id = $1 AND id = $2`, user, id)
	return wrap("account.EndBrowser", err)
}

// SignOutEverywhere signs all the user's browsers out.
func (a *Accounts) SignOutEverywhere(ctx context.Context, user UserID) error {
	_, err := a.pool.Exec(ctx, `DELETE FROM user_sessions WHERE user_id = $1`, user)
	return wrap("account.SignOutEverywhere", err)
}

const tidyEvery = time.Hour

// Run forgets, until ctx ends, what has run out: sign-ins and links. They are worth nothing before it does. Every instance may run it.
func (a *Accounts) Run(ctx context.Context) {
	ticker := time.NewTicker(tidyEvery)
	defer ticker.Stop()
	for {
		if err := a.tidy(ctx); err != nil && ctx.Err() == nil {
			slog.Warn("tidying the sign-ins failed; it is tried again", "error", err)
		}
		select {
		case <-ctx.Done():
			return
		case <-ticker.C:
		}
	}
}

func (a *Accounts) tidy(ctx context.Context) error {
	const over = `DELETE FROM user_sessions WHERE last_seen_at <= now() - $1::interval OR created_at <= now() - $2::interval`
	if _, err := a.pool.Exec(ctx, over, idleAge, MaxAge); err != nil {
		return fmt.Errorf("forgetting sign-ins: %w", err)
	}
	if _, err := a.pool.Exec(ctx, `DELETE FROM user_links WHERE expires_at <= now()`); err != nil {
		return fmt.Errorf("forgetting links: %w", err)
	}
	return nil
}
