package session

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"time"

	"github.com/jackc/pgx/v5"

	"pubquiz/internal/postgres"
)

// forgottenAtOnce is how many participants a statement deletes, with all that is theirs, so that none takes long.
const forgottenAtOnce = 100

// anonymize takes the names and whatever else was written about participants out of a session's log. What was done, and when, stays.
const anonymize = `
	UPDATE session_log SET detail = detail - 'participant' - 'participants'
		|| CASE WHEN detail ? 'names' THEN jsonb_build_object('names', (SELECT jsonb_agg('…'::text) FROM jsonb_array_elements(detail -> 'names'))) ELSE '{}' END
		|| CASE WHEN detail ? 'name' THEN '{"name": "…"}'::jsonb ELSE '{}' END
		|| CASE WHEN detail ? 'reason' THEN '{"reason": "…"}'::jsonb ELSE '{}' END
		|| CASE WHEN detail ? 'group' THEN '{"group": "…"}'::jsonb ELSE '{}' END
	WHERE session_id = $1 AND command NOT IN ('admitCohost', 'removeCohost') AND detail ?| ARRAY['participant', 'participants', 'names', 'name', 'reason', 'group']`

// Retention is how long after the end of a session its names and answers are kept; 0 is for ever.
func (s *Service) Retention() time.Duration { return s.retention }

// Forgotten is how many participants this process has forgotten.
func (s *Service) Forgotten() uint64 { return s.forgotten.Load() }

// forget deletes the names and answers of all sessions that ended longer ago than they are kept, one session after the other. Instances share the work.
func (s *Service) forget(ctx context.Context) error {
	for s.retention > 0 {
		found, err := s.forgetOne(ctx)
		if err != nil {
			return fmt.Errorf("forgetting a session: %w", err)
		}
		if !found {
			return nil
		}
	}
	return nil
}

// forgetOne forgets the session that ended first of those that are due and that no other instance is at. It reports whether there was one.
func (s *Service) forgetOne(ctx context.Context) (found bool, err error) {
	var (
		publicID           string
		participants, gone int
	)
	err = postgres.InTx(ctx, s.pool, func(tx pgx.Tx) error {
		var id ID
		participants, gone = 0, 0
		err := tx.QueryRow(ctx, `
			SELECT id, public_id FROM sessions WHERE finished_at < clock_timestamp() - $1::interval AND forgotten_at IS NULL
			ORDER BY finished_at LIMIT 1 FOR NO KEY UPDATE SKIP LOCKED`, s.retention).Scan(&id, &publicID)
		found = err == nil
		if errors.Is(err, pgx.ErrNoRows) {
			return nil
		}
		if err != nil {
			return err
		}
		for last := forgottenAtOnce; last == forgottenAtOnce; {
			var in int
			const remove = `
				WITH gone AS (DELETE FROM participants WHERE id IN (SELECT id FROM participants WHERE session_id = $1 ORDER BY id LIMIT $2) RETURNING removed_at)
				SELECT count(*), count(*) FILTER (WHERE removed_at IS NULL) FROM gone`
			if err := tx.QueryRow(ctx, remove, id, forgottenAtOnce).Scan(&last, &in); err != nil {
				return err
			}
			participants, gone = participants+in, gone+last
		}
		if _, err := tx.Exec(ctx, `DELETE FROM markings WHERE session_id = $1`, id); err != nil { // which quote what was typed
			return err
		}
		if _, err := tx.Exec(ctx, anonymize, id); err != nil {
			return err
		}
		var version int64
		const note = `UPDATE sessions SET forgotten_at = clock_timestamp(), forgotten_participants = $2, version = version + 1 WHERE id = $1 RETURNING version`
		if err := tx.QueryRow(ctx, note, id, participants).Scan(&version); err != nil {
			return err
		}
		return announce(ctx, tx, id, version)
	})
	if err != nil || !found {
		return false, err
	}
	s.forgotten.Add(uint64(gone))
	slog.Info("names and answers deleted, as RETENTION_DAYS says", "session", publicID, "participants", gone)
	return true, nil
}
