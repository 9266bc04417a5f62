package main

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"strconv"
	"sync/atomic"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"pubquiz/internal/postgres"
	"pubquiz/quiz"
	"pubquiz/session"
)

// store is a database full of participants who have not answered yet, each in a session with an open question.
type store struct {
	url         string
	pool        *pgxpool.Pool
	sessions    *session.Service
	publicIDs   []string // of the sessions, in their order
	first       int64    // participant; the ids follow each other
	firstOpen   int64    // question; one for each session, seatsPerRoom participants each
	firstRoom   int64
	participant atomic.Int64 // the next who answers, from 0
}

// fillStore makes rooms sessions of seatsPerRoom participants each.
func fillStore(ctx context.Context, address string, rooms int) (*store, error) {
	if err := postgres.Migrate(address); err != nil {
		return nil, err
	}
	pool, err := postgres.Open(ctx, address)
	if err != nil {
		return nil, err
	}
	s := &store{url: address, pool: pool}
	conn, err := pgx.Connect(ctx, address) // on which, other than on the pool's, a statement may take as long as it does
	if err != nil {
		return nil, err
	}
	defer conn.Close(context.WithoutCancel(ctx))
	for _, sql := range []string{
		`INSERT INTO users (email, email_key, name, password_hash) VALUES ('host@quiz.example', 'host@quiz.example', 'Host', '-')`,
		fmt.Sprintf(`INSERT INTO sessions (public_id, owner_id, title, rounds, join_code, capacity, phase, round, question)
			SELECT 'session' || n, 1, 'Tuesday Quiz', '[{"title": "One", "introduction": ""}]',
				(SELECT string_agg(substr('BCDFGHJKMPQRTVWXY2346789', 1 + floor(n / 24 ^ i)::int %% 24, 1), '') FROM generate_series(0, 5) i), %d, 'open', 1, 1
			FROM generate_series(1, %d) n`, seatsPerRoom, rooms),
		`INSERT INTO session_questions (session_id, round, number, content, status, opens_at, closes_at)
			SELECT id, 1, 1, '{"kind": "single", "text": "Which?", "options": ["a", "b", "c", "d"], "correct": [0], "seconds": 600, "points": 1, "notes": ""}',
				'open', now(), now() + interval '1 day' FROM sessions ORDER BY id`,
		fmt.Sprintf(`INSERT INTO participants (session_id, public_id, name, name_key, attempt_hash)
			SELECT s.id, s.id || '-' || n, 'Table ' || n, n::text, sha256((s.id || '-' || n)::bytea)
			FROM sessions s, generate_series(1, %d) n ORDER BY s.id, n`, seatsPerRoom),
		`ANALYZE`,
	} {
		if _, err := conn.Exec(ctx, sql); err != nil {
			return nil, fmt.Errorf("filling the store: %w", err)
		}
	}
	err = pool.QueryRow(ctx, `SELECT (SELECT min(id) FROM participants), (SELECT min(id) FROM session_questions), (SELECT min(id) FROM sessions)`).
		Scan(&s.first, &s.firstOpen, &s.firstRoom)
	if err != nil {
		return nil, err
	}
	s.sessions = session.New(pool, session.Config{Now: time.Now, BaseURL: &url.URL{Scheme: "http", Host: "localhost"}})
	for n := range rooms {
		s.publicIDs = append(s.publicIDs, "session"+strconv.Itoa(n+1))
		if _, err := s.viewer(ctx, int64(n*seatsPerRoom)); err != nil { // loads the room
			return nil, err
		}
	}
	return s, nil
}

// empty forgets all answers, so that every measurement begins alike.
func (s *store) empty(ctx context.Context) error {
	s.participant.Store(0)
	conn, err := pgx.Connect(ctx, s.url) // as in fillStore
	if err != nil {
		return err
	}
	defer conn.Close(context.WithoutCancel(ctx))
	if _, err := conn.Exec(ctx, "TRUNCATE answers"); err != nil {
		return err
	}
	_, err = conn.Exec(ctx, "CHECKPOINT")
	return err
}

// viewer is the nth participant, from 0.
func (s *store) viewer(ctx context.Context, n int64) (session.Viewer, error) {
	at := n / seatsPerRoom
	return s.sessions.AsParticipant(ctx, s.publicIDs[at], session.Seat{Session: session.ID(s.firstRoom + at), Participant: s.first + n, Generation: 1})
}

// answer has the nth participant answer through the product, and returns when the answer is durable.
func (s *store) answer(ctx context.Context, n int64) error {
	v, err := s.viewer(ctx, n)
	if err != nil {
		return err
	}
	reply, err := s.sessions.Answer(ctx, v, session.Answer{ID: "a" + strconv.FormatInt(n, 10), Question: "1.1", Given: quiz.Given{Choices: []int{1}}})
	if err == nil && reply.Outcome != session.Accepted {
		err = errors.New(string(reply.Outcome))
	}
	return err
}

// insertOne is what a server that stores each answer by itself would run.
const insertOne = `INSERT INTO answers (session_id, participant_id, question_id, answer_id, given) VALUES ($1, $2, $3, $4, '{"choices": [1]}')`

// insert stores the nth participant's answer by itself, over the pool.
func (s *store) insert(ctx context.Context, n int64) error {
	at := n / seatsPerRoom
	_, err := s.pool.Exec(ctx, insertOne, s.firstRoom+at, s.first+n, s.firstOpen+at, "a"+strconv.FormatInt(n, 10))
	return err
}
