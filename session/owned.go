package session

import (
	"context"
	"fmt"

	"github.com/jackc/pgx/v5"

	"pubquiz/quiz"
)

// Owned returns the public ids of all of a host's sessions, the oldest first.
func (s *Service) Owned(ctx context.Context, host quiz.OwnerID) ([]string, error) {
	rows, err := s.pool.Query(ctx, `SELECT public_id FROM sessions WHERE owner_id = $1 ORDER BY created_at, id`, host)
	if err != nil {
		return nil, fmt.Errorf("session.Owned: %w", err)
	}
	ids, err := pgx.CollectRows(rows, pgx.RowTo[string])
	if err != nil {
		return nil, fmt.Errorf("session.Owned: %w", err)
	}
	return ids, nil
}
