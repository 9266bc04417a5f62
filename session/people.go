package session

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/jackc/pgx/v5"

	"pubquiz/quiz"
)

func renameParticipant(ctx context.Context, tx pgx.Tx, id ID, c Command) error {
	name, key, err := freeName(ctx, tx, id, c.Participant, c.NewName)
	if err != nil {
		return err
	}
	tag, err := tx.Exec(ctx, `UPDATE participants SET name = $3, name_key = $4 WHERE session_id = $1 AND public_id = $2 AND removed_at IS NULL`,
		id, c.Participant, name, key)
	if err != nil {
		return fmt.Errorf("renaming a participant: %w", err)
	}
	if tag.RowsAffected() == 0 {
		return ErrNoParticipant
	}
	return nil
}

// freeName cleans a name for a participant, and fails with *NameTakenError when another who is in has one like it.
func freeName(ctx context.Context, tx pgx.Tx, id ID, publicID, wanted string) (name, key string, err error) {
	if name, key, err = cleanName(wanted); err != nil {
		return "", "", err
	}
	var taken bool
	err = tx.QueryRow(ctx, `
		SELECT EXISTS (SELECT FROM participants WHERE session_id = $1 AND name_key = $2 AND removed_at IS NULL AND public_id <> $3)`,
		id, key, publicID).Scan(&taken)
	if err != nil {
		return "", "", fmt.Errorf("looking for the name: %w", err)
	}
	if taken {
		return "", "", takenError(ctx, tx, id, name)
	}
	return name, key, nil
}

// removeParticipants removes those of the named who are still in, and fails when there are none. Where the nearest number
// wins, it may now be another's.
func removeParticipants(ctx context.Context, tx pgx.Tx, f *frozen, s State, publicIDs []string) error {
	tag, err := tx.Exec(ctx, `
		UPDATE participants SET removed_at = clock_timestamp() WHERE session_id = $1 AND public_id = ANY ($2) AND removed_at IS NULL`, f.id, publicIDs)
	if err != nil {
		return fmt.Errorf("removing participants: %w", err)
	}
	if tag.RowsAffected() == 0 {
		return ErrNoParticipant
	}
	return markAgain(ctx, tx, f, s, func(q *quiz.Question) bool { return q.Number != nil && q.Number.Nearest })
}

// letBackIn takes a removal back, under the name that the participant had unless the command gives another. It fails like
// a rename, and with ErrFull.
func letBackIn(ctx context.Context, tx pgx.Tx, f *frozen, s State, c Command) error {
	wanted := c.NewName
	var seated int
	err := tx.QueryRow(ctx, `
		SELECT coalesce(nullif($3, ''), name), (SELECT count(*) FROM participants WHERE session_id = $1 AND removed_at IS NULL)
		FROM participants WHERE session_id = $1 AND public_id = $2 AND removed_at IS NOT NULL`, f.id, c.Participant, wanted).Scan(&wanted, &seated)
	switch {
	case errors.Is(err, pgx.ErrNoRows):
		return ErrNoParticipant
	case err != nil:
		return fmt.Errorf("looking for a removed participant: %w", err)
	case seated >= s.Capacity:
		return ErrFull
	}
	name, key, err := freeName(ctx, tx, f.id, c.Participant, wanted)
	if err != nil {
		return err
	}
	_, err = tx.Exec(ctx, `UPDATE participants SET removed_at = NULL, name = $3, name_key = $4 WHERE session_id = $1 AND public_id = $2`,
		f.id, c.Participant, name, key)
	if err != nil {
		return fmt.Errorf("letting a participant back in: %w", err)
	}
	// What closed in the meantime was marked without them.
	return markAgain(ctx, tx, f, s, func(*quiz.Question) bool { return true })
}

// insertAdjustment gives or takes points.
func insertAdjustment(ctx context.Context, tx pgx.Tx, id ID, actor *quiz.OwnerID, c Command) error {
	tag, err := tx.Exec(ctx, `
		INSERT INTO adjustments (session_id, participant_id, half_points, reason, actor_id)
		SELECT session_id, id, $3, $4, $5 FROM participants WHERE session_id = $1 AND public_id = $2 AND removed_at IS NULL`,
		id, c.Participant, c.halfPoints(), strings.TrimSpace(c.Reason), actor)
	if err != nil {
		return fmt.Errorf("adjusting a participant's points: %w", err)
	}
	if tag.RowsAffected() == 0 {
		return ErrNoParticipant
	}
	return nil
}

// namesOf are the names of the participants that a command is about, before it is carried out.
func namesOf(ctx context.Context, tx pgx.Tx, id ID, c Command) ([]string, error) {
	about := c.Participants
	if c.Participant != "" {
		about = []string{c.Participant}
	}
	if len(about) == 0 {
		return nil, nil
	}
	rows, err := tx.Query(ctx, `SELECT name FROM participants WHERE session_id = $1 AND public_id = ANY ($2) ORDER BY id`, id, about)
	if err != nil {
		return nil, fmt.Errorf("reading the names: %w", err)
	}
	names, err := pgx.CollectRows(rows, pgx.RowTo[string])
	if err != nil {
		return nil, fmt.Errorf("reading the names: %w", err)
	}
	return names, nil
}
