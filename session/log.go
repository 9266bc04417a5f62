package session

import (
	"context"
	"encoding/json"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"
)

// logShown is how many entries of a log are shown: more than an evening has.
const logShown = 1000

// LogEntry is one line of what was done in a session. Its JSON form is the protocol's.
type LogEntry struct {
	Version int64           `json:"version"`
	At      time.Time       `json:"at"`
	Actor   string          `json:"actor,omitempty"` // the host's name; absent for the clock and for participants
	Command CommandName     `json:"command"`
	Detail  json.RawMessage `json:"detail"`
}

// Log returns what was done in a session, the newest first.
func (s *Service) Log(ctx context.Context, v Viewer) ([]LogEntry, error) {
	if v.Role != RoleHost {
		return nil, ErrNotFound
	}
	rows, err := s.pool.Query(ctx, `
		SELECT l.version, l.at, coalesce(u.name, ''), l.command, l.detail
		FROM session_log l LEFT JOIN users u ON u.id = l.actor_id
		WHERE l.session_id = $1 ORDER BY l.version DESC LIMIT $2`, v.room.id, logShown)
	if err != nil {
		return nil, fmt.Errorf("session.Log: %w", err)
	}
	entries, err := pgx.CollectRows(rows, pgx.RowToStructByPos[LogEntry])
	if err != nil {
		return nil, fmt.Errorf("session.Log: %w", err)
	}
	return entries, nil
}
