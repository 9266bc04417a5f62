package session

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"regexp"

	"github.com/jackc/pgx/v5"

	"pubquiz/internal/postgres"
	"pubquiz/internal/words"
)

// Joined is a participant who is in.
type Joined struct {
	Seat     Seat
	Session  string // public id
	PublicID string
	Name     string
	New      bool // false when this attempt had succeeded before
}

var (
	joinAttempt         = regexp.MustCompile(`^[A-Za-z0-9_-]{16,64}$`)
	errMalformedAttempt = &InvalidError{Field: "attempt", Detail: words.T("An attempt is 16 to 64 letters, digits, dashes or underscores.")}
)

// TitleByCode returns the title and the public id of the live session with this join code, as ParseJoinCode returns it,
// or ErrUnknownCode.
func (s *Service) TitleByCode(ctx context.Context, code string) (title, publicID string, err error) {
	err = s.pool.QueryRow(ctx, `SELECT title, public_id FROM sessions WHERE join_code = $1 AND finished_at IS NULL`, code).Scan(&title, &publicID)
	if errors.Is(err, pgx.ErrNoRows) {
		return "", "", ErrUnknownCode
	}
	if err != nil {
		return "", "", fmt.Errorf("session.TitleByCode: %w", err)
	}
	return title, publicID, nil
}

// Join makes the phone a participant of the live session with this join code. attempt is chosen by the phone at random
// and is the same for every resend of one join, so that a reply that never arrived costs neither the name nor a second
// place. It fails with ErrUnknownCode, ErrDoorsLocked, ErrFull, ErrRemoved, *NameTakenError or *InvalidError.
func (s *Service) Join(ctx context.Context, code, name, attempt string) (Joined, error) {
	name, key, err := cleanName(name)
	if err != nil {
		return Joined{}, err
	}
	if !joinAttempt.MatchString(attempt) {
		return Joined{}, errMalformedAttempt
	}
	var id ID
	err = s.pool.QueryRow(ctx, `SELECT id FROM sessions WHERE join_code = $1 AND finished_at IS NULL`, code).Scan(&id)
	if errors.Is(err, pgx.ErrNoRows) {
		return Joined{}, ErrUnknownCode
	}
	if err != nil {
		return Joined{}, fmt.Errorf("session.Join: %w", err)
	}
	r, err := s.room(ctx, id)
	if err != nil {
		return Joined{}, err
	}
	end, err := r.toJoin(ctx)
	if err != nil {
		return Joined{}, err
	}
	defer end()
	var joined Joined
	err = postgres.InTx(ctx, s.pool, func(tx pgx.Tx) error {
		joined = Joined{Session: r.publicID, Seat: Seat{Session: id}}
		doors, err := lockDoorway(ctx, tx, id)
		if err != nil {
			return err
		}
		return takeSeat(ctx, tx, &joined, doors, wish{name, key, hashOf(attempt)})
	})
	if err == nil && joined.New {
		r.live.changed()
	}
	return joined, err
}

// doorway is what decides whether somebody may come in.
type doorway struct {
	finished, locked bool
	capacity         int
	version          int64 // which whoever comes in now is not in yet
}

// lockDoorway reads the doorway and keeps other joins and commands out until the transaction ends, so that the capacity
// holds.
func lockDoorway(ctx context.Context, tx pgx.Tx, id ID) (d doorway, err error) {
	err = tx.QueryRow(ctx, `SELECT finished_at IS NOT NULL, doors_locked, capacity, version FROM sessions WHERE id = $1 FOR NO KEY UPDATE`, id).
		Scan(&d.finished, &d.locked, &d.capacity, &d.version)
	if err != nil {
		return d, fmt.Errorf("locking session %d: %w", id, err)
	}
	return d, nil
}

// wish is what somebody who wants in asks for: a cleaned name, its key, and the hash of the attempt.
type wish struct {
	name, key string
	attempt   []byte
}

// hashOf is what is stored of a secret that a phone holds.
func hashOf(secret string) []byte {
	sum := sha256.Sum256([]byte(secret))
	return sum[:]
}

// takeSeat finds the attempt's participant or inserts one.
func takeSeat(ctx context.Context, tx pgx.Tx, joined *Joined, doors doorway, w wish) error {
	id := joined.Seat.Session
	var removed bool
	err := tx.QueryRow(ctx, `
		SELECT id, public_id, name, generation, removed_at IS NOT NULL FROM participants WHERE session_id = $1 AND attempt_hash = $2`,
		id, w.attempt).Scan(&joined.Seat.Participant, &joined.PublicID, &joined.Name, &joined.Seat.Generation, &removed)
	switch {
	case err == nil && removed:
		return ErrRemoved
	case err == nil:
		return nil
	case !errors.Is(err, pgx.ErrNoRows):
		return fmt.Errorf("looking for the attempt: %w", err)
	case doors.finished:
		return ErrUnknownCode
	case doors.locked:
		return ErrDoorsLocked
	}
	var seated int
	if err := tx.QueryRow(ctx, `SELECT count(*) FROM participants WHERE session_id = $1 AND removed_at IS NULL`, id).Scan(&seated); err != nil {
		return fmt.Errorf("counting the participants: %w", err)
	}
	if seated >= doors.capacity {
		return ErrFull
	}
	joined.PublicID, joined.Name, joined.New = newPublicID(), w.name, true
	err = tx.QueryRow(ctx, `
		INSERT INTO participants (session_id, public_id, name, name_key, attempt_hash, joined_in) VALUES ($1, $2, $3, $4, $5, $6)
		ON CONFLICT (session_id, name_key) WHERE removed_at IS NULL DO NOTHING RETURNING id, generation`,
		id, joined.PublicID, w.name, w.key, w.attempt, doors.version).Scan(&joined.Seat.Participant, &joined.Seat.Generation)
	if errors.Is(err, pgx.ErrNoRows) {
		return takenError(ctx, tx, id, w.name)
	}
	if err != nil {
		return fmt.Errorf("inserting a participant: %w", err)
	}
	return nil
}

// takenError suggests a free name like the one that is taken.
func takenError(ctx context.Context, tx pgx.Tx, id ID, name string) error {
	rows, err := tx.Query(ctx, `SELECT name_key FROM participants WHERE session_id = $1 AND removed_at IS NULL`, id)
	if err != nil {
		return fmt.Errorf("reading the taken names: %w", err)
	}
	keys, err := pgx.CollectRows(rows, pgx.RowTo[string])
	if err != nil {
		return fmt.Errorf("reading the taken names: %w", err)
	}
	taken := make(map[string]bool, len(keys))
	for _, k := range keys {
		taken[k] = true
	}
	for n := 2; ; n++ {
		suggestion := suggestName(name, n)
		if _, key, err := cleanName(suggestion); err == nil && !taken[key] {
			return &NameTakenError{Suggestion: suggestion}
		}
	}
}
