package session

import (
	"encoding/json"
	"errors"
	"net/netip"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"pubquiz/quiz"
)

// stillSaid lists the tables in which a word is anywhere.
func (e *evening) stillSaid(word string) (tables []string) {
	e.t.Helper()
	rows, err := e.pool.Query(e.t.Context(), `SELECT table_name FROM information_schema.tables WHERE table_schema = 'public' AND table_type = 'BASE TABLE'`)
	if err != nil {
		e.t.Fatal(err)
	}
	all, err := pgx.CollectRows(rows, pgx.RowTo[string])
	if err != nil {
		e.t.Fatal(err)
	}
	for _, table := range all {
		var there bool
		if err := e.pool.QueryRow(e.t.Context(), `SELECT EXISTS (SELECT FROM `+pgx.Identifier{table}.Sanitize()+` AS t WHERE strpos(lower(to_jsonb(t)::text), $1) > 0)`, word).Scan(&there); err != nil {
			e.t.Fatal(err)
		}
		if there {
			tables = append(tables, table)
		}
	}
	return tables
}

// TestForget: some days after its end a session has no names and answers any more, in no table; its host sees that, and how many took part. Other sessions keep theirs.
func TestForget(t *testing.T) {
	e := newEvening(t)
	const days = 24 * time.Hour
	keeping := func() *Service {
		return New(e.pool, Config{Now: time.Now, Grace: testGrace / 5, BaseURL: e.service.baseURL, Retention: 30 * days})
	}
	forgetful := keeping()
	zoe, bob := e.join("Zoe Zaphod"), e.join("Bob")
	e.do(Rename, about(e.publicID(bob)), func(c *Command) { c.NewName = "Quuxley" })
	e.do(Adjust, about(e.publicID(zoe)), func(c *Command) { c.Points, c.Reason = 1, "frobnicated" })
	e.launch()
	e.do(Close)
	e.do(Reveal)
	e.launch()
	e.answer(zoe, write("a", "1.2", "xylophonium"), Accepted)
	e.do(Close)
	e.decide("1.2", "xylophonium", "right")
	e.do(Remove, about(e.publicID(bob)))
	// More than go in one statement.
	const crowd = `
		INSERT INTO participants (session_id, public_id, name, name_key, attempt_hash)
		SELECT $1, 'crowd' || n, 'Zaphod ' || n, 'zaphod' || n, sha256(convert_to(n::text, 'UTF8')) FROM generate_series(1, $2) AS n`
	if _, err := e.pool.Exec(t.Context(), crowd, e.host.room.id, 2*forgottenAtOnce); err != nil {
		t.Fatal(err)
	}
	e.do(PublishResults)
	e.do(Finish)
	words := []string{"zaphod", "quuxley", "frobnicated", "xylophonium"}
	for _, word := range words {
		if len(e.stillSaid(word)) == 0 {
			t.Fatalf("%s is said nowhere before, so its absence afterwards shows nothing", word)
		}
	}
	results := func() Results {
		t.Helper()
		viewer, err := forgetful.AsHost(t.Context(), e.id, e.owner)
		if err != nil {
			t.Fatal(err)
		}
		r, err := forgetful.Results(t.Context(), viewer)
		if err != nil {
			t.Fatal(err)
		}
		return r
	}
	ended := func(ago time.Duration) {
		t.Helper()
		if _, err := e.pool.Exec(t.Context(), `UPDATE sessions SET finished_at = clock_timestamp() - $2::interval WHERE id = $1`, e.host.room.id, ago); err != nil {
			t.Fatal(err)
		}
	}
	var quizID quiz.ID
	if err := e.pool.QueryRow(t.Context(), `SELECT quiz_id FROM sessions`).Scan(&quizID); err != nil {
		t.Fatal(err)
	}
	other, err := e.service.Open(t.Context(), e.owner, quizID, smallQuiz())
	if err != nil {
		t.Fatal(err)
	}

	ended(30*days - time.Minute)
	if err := forgetful.forget(t.Context()); err != nil {
		t.Fatal(err)
	}
	if r := results(); len(r.Rows) != 2*forgottenAtOnce+1 || !r.ForgottenAt.IsZero() || r.ForgetsAt.Sub(r.FinishedAt) != 30*days {
		t.Errorf("a minute too early: %d rows, forgotten at %v, to be at %v, %v after the end", len(r.Rows), r.ForgottenAt, r.ForgetsAt, r.ForgetsAt.Sub(r.FinishedAt))
	}

	ended(30*days + time.Minute)
	var instances sync.WaitGroup
	all := []*Service{forgetful, keeping(), keeping()}
	for _, s := range all {
		instances.Go(func() {
			if err := s.forget(t.Context()); err != nil {
				t.Error(err)
			}
		})
	}
	instances.Wait()
	var forgotten uint64
	for _, s := range all {
		forgotten += s.Forgotten()
	}
	if forgotten != 2*forgottenAtOnce+2 {
		t.Errorf("the instances have forgotten %d together", forgotten)
	}
	for _, word := range words {
		if tables := e.stillSaid(word); len(tables) > 0 {
			t.Errorf("%s is still said in %v", word, tables)
		}
	}
	until(t, "the instance hears of it", func() bool { return len(e.host.room.current.Load().standings) == 0 })
	if r := results(); len(r.Rows) != 0 || r.ForgottenAt.IsZero() || !r.ForgetsAt.IsZero() || r.Forgotten != 2*forgottenAtOnce+1 {
		t.Errorf("afterwards: %d rows, forgotten at %v, to be at %v, %d had taken part", len(r.Rows), r.ForgottenAt, r.ForgetsAt, r.Forgotten)
	}
	list, err := e.service.List(t.Context(), e.owner)
	if err != nil || len(list) != 2 || list[0].PublicID != other || list[1].Participants != 2*forgottenAtOnce+1 {
		t.Errorf("the host's list is %+v, %v", list, err)
	}
	public, err := e.service.PublicResults(t.Context(), e.host.room.current.Load().ResultsToken)
	if err != nil || !public.Forgotten || len(public.Standings) != 0 {
		t.Errorf("the public results are %+v, %v", public, err)
	}
	if _, err := e.service.Look(t.Context(), zoe, netip.Prefix{}, time.Minute); !errors.Is(err, ErrSeatLost) {
		t.Errorf("a participant of then is told %v", err)
	}
	if _, err := e.service.Command(t.Context(), e.host, Command{Version: e.host.room.version(), Command: Back}); !errors.Is(err, ErrNotNow) {
		t.Errorf("going on with a session whose names are gone: %v", err)
	}
	log, err := e.service.Log(t.Context(), e.host)
	if err != nil {
		t.Fatal(err)
	}
	encoded, err := json.Marshal(log)
	if err != nil {
		t.Fatal(err)
	}
	if said := string(encoded); !strings.Contains(said, "rename") || !strings.Contains(said, `"name":"…"`) || !strings.Contains(said, `"names":["…"]`) {
		t.Errorf("what was done is no longer in the log: %s", said)
	}
}

// Where names are kept, none goes.
func TestForgetNothing(t *testing.T) {
	e := newEvening(t)
	e.join("Alice")
	e.do(Finish)
	if _, err := e.pool.Exec(t.Context(), `UPDATE sessions SET finished_at = '2001-01-01'`); err != nil {
		t.Fatal(err)
	}
	if err := e.service.forget(t.Context()); err != nil || len(e.stillSaid("alice")) == 0 {
		t.Errorf("%v; the name is in %v", err, e.stillSaid("alice"))
	}
}
