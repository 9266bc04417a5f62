// Package session is a live evening: a frozen quiz that a host drives, phones answer and a big screen shows. Postgres
// holds the truth; any instance can take any command and any answer, and what a process keeps of a session can be lost
// at any time.
package session

import (
	"context"
	"fmt"
	"log/slog"
	"net/netip"
	"net/url"
	"sync"
	"sync/atomic"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
	"go.opentelemetry.io/otel/trace"
	"go.opentelemetry.io/otel/trace/noop"

	"pubquiz/quiz"
)

// Service has the verbs of a live evening.
type Service struct {
	pool    *pgxpool.Pool
	now     func() time.Time // the database's clock
	grace   time.Duration
	lead    time.Duration
	baseURL *url.URL
	answers *batcher
	metrics metrics
	venues  atomic.Pointer[venues]
	pollers atomic.Pointer[map[netip.Prefix]int] // by network, as countPollers found them

	presence Presence // nil where there is only this instance

	verifiedOnly bool // a host whose address is not confirmed may have few places
	allowance    func(context.Context, pgx.Tx, quiz.OwnerID) (Allowance, error)

	retention time.Duration // 0: names and answers are kept
	forgotten atomic.Uint64 // participants

	stopped atomic.Bool               // Run has ended: what was due in the background is no longer
	failing atomic.Pointer[time.Time] // since when Postgres could not be reached; nil while it can

	mu    sync.Mutex
	rooms map[ID]*room
}

// Config is what a Service needs to know.
type Config struct {
	Now     func() time.Time // the database's clock, as near as this process can tell it
	Grace   time.Duration    // how long after a question's closing time an answer that was sent in time may still arrive
	Lead    time.Duration    // how long after its launch a question opens, so that all screens know of it by then and show it at once
	BaseURL *url.URL         // where people reach the product
	// Tracer follows answers into their batch; nil where nothing is traced.
	Tracer trace.Tracer
	// Retention is how long after the end of a session its names and answers are kept; 0 is for ever.
	Retention time.Duration
	// Presence tells the other instances who is connected here; nil where there are none.
	Presence Presence
	// VerifiedOnly gives few places to sessions of hosts who have not confirmed their address; where mail is sent, they can.
	VerifiedOnly bool
	// Allowance reads, in a READ COMMITTED transaction, what a host's plan lets them have, and keeps everybody who shares the plan from reading it until that
	// transaction ends. Nil where there are no plans, and nothing is bounded by one.
	Allowance func(ctx context.Context, tx pgx.Tx, host quiz.OwnerID) (Allowance, error)
}

// New returns a Service on a migrated database. Its sessions are closed by the clock only while Run runs.
func New(pool *pgxpool.Pool, c Config) *Service {
	if c.Tracer == nil {
		c.Tracer = noop.Tracer{}
	}
	m := newMetrics()
	s := &Service{
		pool: pool, metrics: m, now: c.Now, grace: c.Grace, lead: c.Lead, baseURL: c.BaseURL,
		answers: newBatcher(pool, c.Grace, m, c.Tracer), rooms: map[ID]*room{}, retention: c.Retention, presence: c.Presence, verifiedOnly: c.VerifiedOnly, allowance: c.Allowance,
	}
	s.venues.Store(&venues{})
	s.pollers.Store(&map[netip.Prefix]int{})
	return s
}

// JoinURL is the address that leads to the session with this join code.
func (s *Service) JoinURL(code string) string { return s.baseURL.JoinPath("j", code).String() }

// ResultsURL is the address of the public results under this token.
func (s *Service) ResultsURL(token string) string {
	return s.baseURL.JoinPath("results", token).String()
}

// Summary is a session in its host's list.
type Summary struct {
	PublicID     string
	Title        string
	Phase        Phase
	JoinCode     string
	Participants int
	CreatedAt    time.Time
}

// summaryColumns are a Summary, of sessions s.
const summaryColumns = `s.public_id, s.title, s.phase, s.join_code,
	s.forgotten_participants + (SELECT count(*) FROM participants p WHERE p.session_id = s.id AND p.removed_at IS NULL) AS participants, s.created_at`

// List returns a host's sessions, the newest first, at most 100.
func (s *Service) List(ctx context.Context, host quiz.OwnerID) ([]Summary, error) {
	rows, err := s.pool.Query(ctx, `
		SELECT `+summaryColumns+` FROM sessions s WHERE s.owner_id = $1 ORDER BY s.created_at DESC, s.id DESC LIMIT 100`, host)
	if err != nil {
		return nil, fmt.Errorf("session.List: %w", err)
	}
	list, err := pgx.CollectRows(rows, pgx.RowToStructByName[Summary])
	if err != nil {
		return nil, fmt.Errorf("session.List: %w", err)
	}
	return list, nil
}

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

// room returns the session's room in this process, loading it if need be.
func (s *Service) room(ctx context.Context, id ID) (*room, error) {
	r := s.loadedRoom(id)
	if r == nil {
		f, err := readFrozen(ctx, s.pool, id)
		if err != nil {
			return nil, err
		}
		r = s.addRoom(f)
	}
	return r, r.catchUp(ctx, 1)
}

// loadedRoom returns the session's room if this process has it, and keeps it from being forgotten at that moment:
// whoever watched a forgotten room would hear of nothing any more.
func (s *Service) loadedRoom(id ID) *room {
	s.mu.Lock()
	defer s.mu.Unlock()
	r := s.rooms[id]
	if r != nil {
		r.touch()
	}
	return r
}

// addRoom makes the session's room, unless another request has made it meanwhile.
func (s *Service) addRoom(f *frozen) *room {
	s.mu.Lock()
	defer s.mu.Unlock()
	r := s.rooms[f.id]
	if r == nil {
		r = newRoom(s, f)
		s.rooms[f.id] = r
	}
	r.touch()
	return r
}

// loadedRooms lists the rooms of this process.
func (s *Service) loadedRooms() []*room {
	s.mu.Lock()
	defer s.mu.Unlock()
	rooms := make([]*room, 0, len(s.rooms))
	for _, r := range s.rooms {
		rooms = append(rooms, r)
	}
	return rooms
}

// Rooms is how many sessions this process holds in memory: those that somebody watched lately.
func (s *Service) Rooms() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return len(s.rooms)
}

// forgetIdleRooms frees the rooms that nobody has watched or asked for in a while.
func (s *Service) forgetIdleRooms(patience time.Duration) {
	since := time.Now().Add(-patience)
	s.mu.Lock()
	defer s.mu.Unlock()
	for id, r := range s.rooms {
		if r.idle(since) {
			r.stopDeadline()
			delete(s.rooms, id)
		}
	}
}

// closeExpired closes a session's open question if its time is over, and logs a failure: the sweep tries again.
func (s *Service) closeExpired(ctx context.Context, id ID) {
	ctx, cancel := context.WithTimeout(ctx, closePatience)
	defer cancel()
	if err := s.timeUp(ctx, id); err != nil && !s.stopped.Load() {
		slog.Warn("closing a question by the clock failed; the sweep tries again", "session", id, "error", err)
	}
}
