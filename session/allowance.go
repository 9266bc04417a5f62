package session

import (
	"context"
	"fmt"

	"github.com/jackc/pgx/v5"

	"pubquiz/quiz"
)

// Places that a session may have.
const (
	unverifiedPlaces = 30 // for a host who could confirm their address, and has not
	mostPlaces       = 1000
)

// allowance returns how many places a session of the host's may have. The host's row stays locked until the transaction ends, so that what the answer rests on does
// not change under it.
func (s *Service) allowance(ctx context.Context, tx pgx.Tx, host quiz.OwnerID) (places int, err error) {
	const read = `SELECT CASE WHEN email_verified_at IS NOT NULL OR NOT $2 THEN $3::int ELSE $4::int END FROM users WHERE id = $1 FOR NO KEY UPDATE`
	if err := tx.QueryRow(ctx, read, host, s.verifiedOnly, mostPlaces, unverifiedPlaces).Scan(&places); err != nil {
		return 0, fmt.Errorf("reading what host %d may have: %w", host, err)
	}
	return places, nil
}

// keepToAllowance takes from a new session what its host may not have of the standard's places.
func (s *Service) keepToAllowance(ctx context.Context, tx pgx.Tx, host quiz.OwnerID, id ID) error {
	places, err := s.allowance(ctx, tx, host)
	if err != nil {
		return err
	}
	if _, err := tx.Exec(ctx, `UPDATE sessions SET capacity = least(capacity, $2) WHERE id = $1`, id, places); err != nil {
		return fmt.Errorf("giving session %d its places: %w", id, err)
	}
	return nil
}

// checkAllowance refuses a command that gives a session more places than its host may have, with an *InvalidError.
func (s *Service) checkAllowance(ctx context.Context, tx pgx.Tx, host quiz.OwnerID, c Command) error {
	if c.Command != SetCapacity {
		return nil
	}
	places, err := s.allowance(ctx, tx, host)
	if err != nil || c.Capacity <= places {
		return err
	}
	return &InvalidError{Field: "capacity", Detail: fmt.Sprintf(
		"A session can have %d places until you have confirmed your e-mail address. Your account’s page sends you the letter for that.", places)}
}
