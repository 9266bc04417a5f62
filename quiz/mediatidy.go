package quiz

import (
	"context"
	"fmt"
	"log/slog"
	"math/rand/v2"
	"time"

	"github.com/jackc/pgx/v5"

	"pubquiz/internal/postgres"
)

// tidyEvery is how often media are tidied. Several instances may do it beside each other.
const tidyEvery = 6 * time.Hour

// Run tidies now and then until ctx ends.
func (m *MediaStore) Run(ctx context.Context) {
	for wait := rand.N(time.Hour); ; wait = tidyEvery {
		select {
		case <-ctx.Done():
			return
		case <-time.After(wait):
		}
		if err := m.Tidy(ctx); err != nil && ctx.Err() == nil {
			slog.Warn("tidying media failed; it is tried again later", "error", err)
		}
	}
}

// Tidy deletes uploads that never ended, after a day, and what neither an owner's quizzes and sessions nor their pub's look has used for a week: long enough
// for a deleted question to come back.
func (m *MediaStore) Tidy(ctx context.Context) error {
	if _, err := m.pool.Exec(ctx, `DELETE FROM media WHERE id IS NULL AND created_at < now() - interval '1 day'`); err != nil {
		return fmt.Errorf("quiz.MediaStore.Tidy: %w", err)
	}
	rows, err := m.pool.Query(ctx, `SELECT DISTINCT owner_id FROM media_owners`)
	if err != nil {
		return fmt.Errorf("quiz.MediaStore.Tidy: %w", err)
	}
	owners, err := pgx.CollectRows(rows, pgx.RowTo[OwnerID])
	if err != nil {
		return fmt.Errorf("quiz.MediaStore.Tidy: %w", err)
	}
	for _, owner := range owners {
		if err := postgres.InTx(ctx, m.pool, func(tx pgx.Tx) error { return tidyOf(ctx, tx, owner) }); err != nil {
			return fmt.Errorf("quiz.MediaStore.Tidy: of owner %d: %w", owner, err)
		}
	}
	// Whoever uploads the same at this moment becomes its owner first, or the foreign key stops this.
	const ownerless = `DELETE FROM media WHERE id IS NOT NULL AND created_at < now() - interval '1 hour'
		AND NOT EXISTS (SELECT FROM media_owners WHERE media_owners.media = media.number)`
	if _, err := m.pool.Exec(ctx, ownerless); err != nil {
		return fmt.Errorf("quiz.MediaStore.Tidy: %w", err)
	}
	return nil
}

// tidyOf notes what an owner uses, and lets go of what was not used for a week.
func tidyOf(ctx context.Context, tx pgx.Tx, owner OwnerID) error {
	const note = `
		WITH used AS (
			SELECT jsonb_path_query(content, '$.rounds[*].questions[*].media.id') #>> '{}' AS id FROM quizzes WHERE owner_id = $1
			UNION SELECT jsonb_path_query(content, '$.rounds[*].picture.id') #>> '{}' FROM quizzes WHERE owner_id = $1
			UNION SELECT jsonb_path_query(rounds, '$[*].picture.id') #>> '{}' FROM sessions WHERE owner_id = $1
			UNION SELECT session_questions.content #>> '{media,id}' FROM session_questions JOIN sessions ON sessions.id = session_id
				WHERE owner_id = $1 AND session_questions.content ? 'media'
			UNION SELECT media.id FROM pub_pictures JOIN media ON media.number = media WHERE owner_id = $1)
		UPDATE media_owners SET unused_since = CASE WHEN used.id IS NULL THEN now() END
		FROM media LEFT JOIN used USING (id)
		WHERE owner_id = $1 AND media.number = media AND (used.id IS NULL) <> (unused_since IS NOT NULL)`
	if _, err := tx.Exec(ctx, note, owner); err != nil {
		return err
	}
	_, err := tx.Exec(ctx, `DELETE FROM media_owners WHERE owner_id = $1 AND unused_since < now() - interval '7 days'`, owner)
	return err
}
