package session

import (
	"context"
	"fmt"
	"net/url"
	"testing"
	"time"

	"github.com/jackc/pgx/v5/pgxpool"

	"pubquiz/internal/dbtest"
	"pubquiz/quiz"
)

// evening is a session in a database of its own, with a service that acts on it as one instance.
type evening struct {
	t       *testing.T
	pool    *pgxpool.Pool
	service *Service
	host    Viewer
	owner   quiz.OwnerID
	id      string // the session's public id
	code    string
}

// newService is one more instance on the database. Its Run runs until the test ends.
func newService(t *testing.T, pool *pgxpool.Pool) *Service {
	t.Helper()
	return gracefulService(t, pool, testGrace/5)
}

// gracefulService is newService with this grace.
func gracefulService(t *testing.T, pool *pgxpool.Pool, grace time.Duration) *Service {
	t.Helper()
	base, err := url.Parse("https://quiz.example")
	if err != nil {
		t.Fatal(err)
	}
	s := New(pool, Config{Now: time.Now, Grace: grace, BaseURL: base})
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan struct{})
	go func() { s.Run(ctx); close(done) }()
	t.Cleanup(func() {
		cancel()
		<-done
		s.forgetIdleRooms(0)
	})
	return s
}

// newEvening opens a session of content, or of a small quiz of all kinds if there is none.
func newEvening(t *testing.T, content ...quiz.Content) *evening {
	t.Helper()
	return gracefulEvening(t, testGrace/5, content...)
}

// gracefulEvening is newEvening with this grace.
func gracefulEvening(t *testing.T, grace time.Duration, content ...quiz.Content) *evening {
	t.Helper()
	t.Parallel()
	e := &evening{t: t, pool: dbtest.New(t)}
	e.service = gracefulService(t, e.pool, grace)
	err := e.pool.QueryRow(t.Context(), `INSERT INTO users (email, email_key, name, password_hash) VALUES ('h@quiz.example', 'h@quiz.example', 'Host', '') RETURNING id`).
		Scan(&e.owner)
	if err != nil {
		t.Fatal(err)
	}
	c := smallQuiz()
	if len(content) > 0 {
		c = content[0]
	}
	quizID, err := quiz.NewStore(e.pool).Create(t.Context(), e.owner, c)
	if err != nil {
		t.Fatal(err)
	}
	if e.id, err = e.service.Open(t.Context(), e.owner, quizID, c); err != nil {
		t.Fatal(err)
	}
	if e.host, err = e.service.AsHost(t.Context(), e.id, e.owner); err != nil {
		t.Fatal(err)
	}
	e.code = e.host.room.joinCode
	return e
}

// smallQuiz has two rounds and every kind of question.
func smallQuiz() quiz.Content {
	return quiz.Content{Title: "Small quiz", Rounds: []quiz.Round{
		{Title: "First", Introduction: "Here we go.", Questions: []quiz.Question{
			{Kind: quiz.Single, Text: "Which?", Options: []string{"this", "that", "neither"}, Correct: []int{1}, Seconds: 30, Points: 2, Notes: "secret note"},
			{Kind: quiz.Text, Text: "Chemical symbol Au?", Accepted: []string{"Gold", "Oro"}, Seconds: 30, Points: 3},
		}},
		{Title: "Second", Questions: []quiz.Question{
			{Kind: quiz.TrueFalse, Text: "Water is wet?", Correct: []int{0}, Seconds: 30, Points: 1},
		}},
	}}
}

// do sends a command at the session's latest version.
func (e *evening) do(name CommandName, change ...func(*Command)) {
	e.t.Helper()
	c := Command{Version: e.host.room.version(), Command: name}
	for _, f := range change {
		f(&c)
	}
	if _, err := e.service.Command(e.t.Context(), e.host, c); err != nil {
		e.t.Fatalf("%s: %v", name, err)
	}
}

// launch goes to the round and launches its next question.
func (e *evening) launch() {
	e.t.Helper()
	if e.host.room.current.Load().allows(Next) {
		e.do(Next)
	}
	e.do(Launch)
}

// join seats a participant and returns them as a viewer.
func (e *evening) join(name string) Viewer {
	e.t.Helper()
	joined, err := e.service.Join(e.t.Context(), e.code, name, "attempt-of-"+fmt.Sprintf("%x", name))
	if err != nil {
		e.t.Fatalf("%q joins: %v", name, err)
	}
	v, err := e.service.AsParticipant(e.t.Context(), joined.Session, joined.Seat)
	if err != nil {
		e.t.Fatalf("%q joins: %v", name, err)
	}
	return v
}

// joinMany seats n participants.
func (e *evening) joinMany(n int) []Viewer {
	e.t.Helper()
	viewers := make([]Viewer, n)
	for i := range viewers {
		viewers[i] = e.join(fmt.Sprintf("Team %d", i+1))
	}
	return viewers
}

func choose(id, question string, option int) Answer {
	return Answer{ID: id, Question: question, Given: quiz.Given{Choices: []int{option}}}
}

func write(id, question, text string) Answer {
	return Answer{ID: id, Question: question, Given: quiz.Given{Text: text}}
}

// answer sends an answer and checks its outcome.
func (e *evening) answer(v Viewer, a Answer, want Outcome) {
	e.t.Helper()
	reply, err := e.service.Answer(e.t.Context(), v, a)
	if err != nil || reply.Outcome != want {
		e.t.Errorf("answer %s to %s: %q, %v, want %q", a.ID, a.Question, reply.Outcome, err, want)
	}
}

// lockWaits is how many connections to the evening's database wait for a lock that another one holds.
func (e *evening) lockWaits() (n int) {
	e.t.Helper()
	err := e.pool.QueryRow(e.t.Context(), `SELECT count(*) FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND datname = current_database()`).Scan(&n)
	if err != nil {
		e.t.Fatal(err)
	}
	return n
}

// ampleTime is how long a test waits for what happens by itself, which is far longer than that takes, also on a busy machine.
const ampleTime = time.Minute

// until waits for something that happens by itself, and fails the test if it does not.
func until(t *testing.T, what string, happened func() bool) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), ampleTime)
	defer cancel()
	tick := time.NewTicker(5 * time.Millisecond)
	defer tick.Stop()
	for !happened() {
		select {
		case <-ctx.Done():
			t.Fatalf("%s did not happen", what)
		case <-tick.C:
		}
	}
}
