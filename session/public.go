package session

import (
	"context"
	"errors"
	"fmt"
	"regexp"
	"time"

	"github.com/jackc/pgx/v5"
)

// PublicResults is what everyone may see of a session whose host has published its results: nothing before it has
// finished, and then names, points and ranks.
type PublicResults struct {
	Title      string
	FinishedAt time.Time // zero before that
	Standings  []Standing
	Forgotten  bool // names and points were deleted, as they are some time after the end
}

var resultsToken = regexp.MustCompile(`^[A-Z2-7]{26}$`) // as rand.Text makes them

// PublicResults returns the results under the token of a published address. It fails with ErrNotFound when there are
// none, or no longer.
func (s *Service) PublicResults(ctx context.Context, token string) (PublicResults, error) {
	if !resultsToken.MatchString(token) {
		return PublicResults{}, ErrNotFound
	}
	var (
		id         ID
		version    int64
		finishedAt *time.Time
		forgotten  bool
	)
	err := s.pool.QueryRow(ctx, `SELECT id, version, finished_at, forgotten_at IS NOT NULL FROM sessions WHERE results_token = $1`, token).Scan(&id, &version, &finishedAt, &forgotten)
	if errors.Is(err, pgx.ErrNoRows) {
		return PublicResults{}, ErrNotFound
	}
	if err != nil {
		return PublicResults{}, fmt.Errorf("session.PublicResults: %w", err)
	}
	r, err := s.room(ctx, id)
	if err != nil {
		return PublicResults{}, err
	}
	if err := r.catchUp(ctx, version); err != nil {
		return PublicResults{}, err
	}
	v := r.current.Load()
	switch {
	case v.ResultsToken != token: // switched off just now
		return PublicResults{}, ErrNotFound
	case v.Phase != Finished:
		return PublicResults{Title: v.title}, nil
	default:
		return PublicResults{Title: v.title, FinishedAt: orZero(finishedAt), Standings: v.standings, Forgotten: forgotten}, nil
	}
}
