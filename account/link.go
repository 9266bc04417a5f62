package account

import (
	"context"
	"fmt"
	"time"
)

// linkAge is how long a one-time link can be used.
const linkAge = 30 * time.Minute

// CreateLink returns the token of a link that signs the user in once. A link made before no longer works.
func (a *Accounts) CreateLink(ctx context.Context, user UserID) (token string, err error) {
	token, hash := newToken()
	const replace = `
		INSERT INTO user_links (user_id, purpose, token_hash, expires_at) VALUES ($1, 'sign-in', $2, now() + $3::interval)
		ON CONFLICT (user_id, purpose) DO UPDATE SET token_hash = excluded.token_hash, expires_at = excluded.expires_at`
	if _, err := a.pool.Exec(ctx, replace, user, hash, linkAge); err != nil {
		return "", fmt.Errorf("account.CreateLink: %w", err)
	}
	return token, nil
}

// UseLink signs in on the device with the token of a link, and ends the link. The error is ErrLinkSpent for every token that is not
// good. Of several at once, one succeeds.
func (a *Accounts) UseLink(ctx context.Context, linkToken string, device Device) (token string, err error) {
	token, hash := newToken()
	const use = `
		WITH owner AS ( -- locked before the link, as by whatever else changes both
			SELECT id FROM users WHERE id = (SELECT user_id FROM user_links WHERE token_hash = $1) FOR KEY SHARE
		), used AS (
			DELETE FROM user_links USING owner WHERE user_id = owner.id AND token_hash = $1 AND purpose = 'sign-in' AND expires_at > now() RETURNING user_id
		)
		INSERT INTO user_sessions (token_hash, user_id, address, agent) SELECT $2, user_id, $3, $4 FROM used`
	tag, err := a.pool.Exec(ctx, use, hashToken(linkToken), hash, device.Address.WithZone(""), device.agent())
	if err != nil {
		return "", fmt.Errorf("account.UseLink: %w", err)
	}
	if tag.RowsAffected() == 0 {
		return "", ErrLinkSpent
	}
	return token, nil
}
