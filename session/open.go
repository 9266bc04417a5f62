package session

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"

	"github.com/jackc/pgx/v5"

	"pubquiz/internal/postgres"
	"pubquiz/quiz"
)

// Open freezes a copy of the quiz's content into a new session in the lobby, and returns its public id. It fails with
// ErrNotPlayable when the content has problems, and with *TooManyOpenError when the host's plan allows no session more.
func (s *Service) Open(ctx context.Context, host quiz.OwnerID, quizID quiz.ID, content quiz.Content) (publicID string, err error) {
	publicID, err = s.open(ctx, host, quizID, content, func(pgx.Tx) error { return nil })
	if err != nil {
		return "", fmt.Errorf("session.Open: %w", err)
	}
	return publicID, nil
}

// OpenInstead ends one of the host's sessions, whatever it is doing, and opens another, as Open does. Both happen, or neither. It fails like Open, and with
// ErrNotFound when the host has no such session to end.
func (s *Service) OpenInstead(ctx context.Context, host quiz.OwnerID, quizID quiz.ID, content quiz.Content, ended string) (publicID string, err error) {
	v, err := s.AsHost(ctx, ended, host)
	if err != nil {
		return "", err
	}
	var version int64
	publicID, err = s.open(ctx, host, quizID, content, func(tx pgx.Tx) error {
		version, err = s.finish(ctx, tx, v.room.frozen, &host)
		return err
	})
	if err != nil {
		return "", fmt.Errorf("session.OpenInstead: %w", err)
	}
	v.room.heard(version)
	return publicID, nil
}

// open opens a session after what has to happen first, in one transaction. Whatever locks a session locks it before the row that a plan locks.
func (s *Service) open(ctx context.Context, host quiz.OwnerID, quizID quiz.ID, content quiz.Content, first func(pgx.Tx) error) (publicID string, err error) {
	if len(content.Problems()) > 0 {
		return "", ErrNotPlayable
	}
	rounds := make([]quiz.Round, len(content.Rounds))
	var roundNumbers, numbers []int32
	var questions []quiz.Question
	for i, r := range content.Rounds {
		rounds[i] = r
		rounds[i].Questions = nil // which have rows of their own
		for j, q := range r.Questions {
			roundNumbers, numbers, questions = append(roundNumbers, int32(i+1)), append(numbers, int32(j+1)), append(questions, q.Frozen(rand.Shuffle))
		}
	}
	chosen := options{Language: content.Language, Teams: content.Teams, TiesByTime: content.TiesByTime}
	err = postgres.InTx(ctx, s.pool, func(tx pgx.Tx) error {
		if err := first(tx); err != nil {
			return err
		}
		capacity, err := s.mayOpen(ctx, tx, host)
		if err != nil {
			return err
		}
		var id ID
		if id, publicID, err = insertSession(ctx, tx, host, quizID, content.Title, chosen, rounds, capacity); err != nil {
			return err
		}
		_, err = tx.Exec(ctx, `
			INSERT INTO session_questions (session_id, round, number, content)
			SELECT $1, q.* FROM unnest($2::int[], $3::int[], $4::jsonb[]) AS q`, id, roundNumbers, numbers, questions)
		return err
	})
	return publicID, err
}

// mayOpen returns how many places a new session of the host's has. It fails with *TooManyOpenError.
func (s *Service) mayOpen(ctx context.Context, tx pgx.Tx, host quiz.OwnerID) (capacity int, err error) {
	plan, err := s.plan(ctx, tx, host)
	if err != nil {
		return 0, err
	}
	if err := s.checkOneMore(ctx, tx, host, plan); err != nil {
		return 0, err
	}
	p, err := s.places(ctx, tx, host, plan)
	return min(standardPlaces, p.Most), err
}

// insertSession draws a join code until one is free among the live sessions.
func insertSession(
	ctx context.Context, tx pgx.Tx, host quiz.OwnerID, quizID quiz.ID, title string, chosen options, rounds []quiz.Round, capacity int,
) (id ID, publicID string, err error) {
	const draws = 20 // of 24⁶ codes: even with a million live sessions, twenty taken in a row do not happen
	for range draws {
		publicID = newPublicID()
		err = tx.QueryRow(ctx, `
			INSERT INTO sessions (public_id, owner_id, quiz_id, title, options, rounds, join_code, capacity) VALUES ($1, $2, $3, $4, $5, $6, $7, $8)
			ON CONFLICT (join_code) WHERE finished_at IS NULL DO NOTHING RETURNING id`,
			publicID, host, quizID, title, chosen, rounds, newJoinCode(), capacity).Scan(&id)
		if !errors.Is(err, pgx.ErrNoRows) {
			return id, publicID, err
		}
	}
	return 0, "", errors.New("no free join code found")
}
