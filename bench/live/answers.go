package main

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"sync"
	"sync/atomic"
	"time"

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
		if _, err := pool.Exec(ctx, sql); err != nil {
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
	if _, err := s.pool.Exec(ctx, "TRUNCATE answers"); err != nil {
		return err
	}
	_, err := s.pool.Exec(ctx, "CHECKPOINT")
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

// rate is how many answers a second so many callers get stored, each waiting for its own before the next.
func (s *store) rate(ctx context.Context, callers int, d time.Duration) (perSecond float64, err error) {
	var (
		wg     sync.WaitGroup
		stored atomic.Int64
		failed atomic.Pointer[error]
	)
	began := time.Now()
	for range callers {
		wg.Go(func() {
			for time.Since(began) < d {
				if err := s.answer(ctx, s.participant.Add(1)-1); err != nil {
					failed.Store(&err)
					return
				}
				stored.Add(1)
			}
		})
	}
	wg.Wait()
	if failure := failed.Load(); failure != nil {
		return 0, *failure
	}
	return float64(stored.Load()) / time.Since(began).Seconds(), nil
}

// burst is how long n participants, all at once, wait until the last of their answers is stored.
func (s *store) burst(n int, store func(n int64) error) (time.Duration, error) {
	var (
		wg     sync.WaitGroup
		failed atomic.Pointer[error]
		start  = make(chan struct{})
	)
	first := s.participant.Add(int64(n)) - int64(n)
	for i := range int64(n) {
		wg.Go(func() {
			<-start
			if err := store(first + i); err != nil {
				failed.Store(&err)
			}
		})
	}
	began := time.Now()
	close(start)
	wg.Wait()
	if failure := failed.Load(); failure != nil {
		return 0, *failure
	}
	return time.Since(began), nil
}

var transactionRate = regexp.MustCompile(`tps = ([0-9.]+)`)

// pgbench is how many prepared single inserts a second the same database takes from so many clients of pgbench, each with participants of its own.
func (s *store) pgbench(ctx context.Context, folder string, clients int, d time.Duration) (perSecond float64, err error) {
	each := len(s.publicIDs) * seatsPerRoom / clients
	script := filepath.Join(folder, "insert.sql")
	text := fmt.Sprintf(`\set n :n + 1
\set at %d + :client_id * %d + :n
\set room :at / %d
\set s %d + :room
\set p %d + :at
\set q %d + :room
INSERT INTO answers (session_id, participant_id, question_id, answer_id, given) VALUES (:s, :p, :q, 'a' || :p::bigint, '{"choices": [1]}');
`, -1, each, seatsPerRoom, s.firstRoom, s.first, s.firstOpen)
	if err := os.WriteFile(script, []byte(text), 0o644); err != nil {
		return 0, err
	}
	address, err := url.Parse(s.url)
	if err != nil {
		return 0, err
	}
	binary := "pgbench"
	if found, _ := filepath.Glob("/usr/lib/postgresql/*/bin/pgbench"); len(found) > 0 {
		binary = found[len(found)-1]
	}
	out, err := exec.CommandContext(ctx, binary, "-n", "-M", "prepared", "-D", "n=0", "-c", strconv.Itoa(clients), "-j", "2", "-T", strconv.Itoa(int(d/time.Second)),
		"-f", script, "-h", address.Query().Get("host"), "-U", address.Query().Get("user"), filepath.Base(address.Path)).CombinedOutput()
	if err != nil {
		return 0, fmt.Errorf("pgbench: %w\n%s", err, out)
	}
	found := transactionRate.FindSubmatch(out)
	if found == nil {
		return 0, fmt.Errorf("pgbench: %s", out)
	}
	return strconv.ParseFloat(string(found[1]), 64)
}
