package session

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"pubquiz/quiz"
)

// points are what everyone has by the standings, by name.
func (e *evening) points() map[string]float64 {
	points := map[string]float64{}
	for _, st := range e.host.room.current.Load().standings {
		points[st.Name] = float64(st.Points) / 2
	}
	return points
}

func (e *evening) wantPoints(when string, want map[string]float64) {
	e.t.Helper()
	if diff := cmp.Diff(want, e.points()); diff != "" {
		e.t.Errorf("%s (-want +got):\n%s", when, diff)
	}
}

// publicID is that of a participant.
func (e *evening) publicID(v Viewer) string {
	e.t.Helper()
	id, _, err := e.service.Participant(e.t.Context(), v)
	if err != nil {
		e.t.Fatal(err)
	}
	return id
}

func about(publicID string) func(*Command) { return func(c *Command) { c.Participant = publicID } }

// refused sends a command that is to fail.
func (e *evening) refused(name CommandName, change ...func(*Command)) error {
	e.t.Helper()
	c := Command{Version: e.host.room.version(), Command: name}
	for _, f := range change {
		f(&c)
	}
	before := e.host.room.version()
	_, err := e.service.Command(e.t.Context(), e.host, c)
	if err == nil || e.host.room.version() != before {
		e.t.Errorf("%s was carried out", name)
	}
	return err
}

// TestVoidAndAdjust: what a host does to the points shows at once, and can be undone.
func TestVoidAndAdjust(t *testing.T) {
	e := newEvening(t)
	alice, bob := e.join("Alice"), e.join("Bob")
	e.launch()
	e.answer(alice, choose("a", "1.1", 1), Accepted)
	e.do(Close)
	e.do(Reveal)
	e.wantPoints("after the reveal", map[string]float64{"Alice": 1, "Bob": 0})

	question := func(c *Command) { c.Question = "1.1" }
	e.do(Void, question)
	e.wantPoints("void", map[string]float64{"Alice": 0, "Bob": 0})
	if shared, own := e.see(alice); shared["voided"] != true || own["points"] != 0.0 {
		t.Errorf("Alice is told %v and %v", shared, own)
	}
	if err := e.refused(Void, question); !errors.Is(err, ErrNotNow) {
		t.Errorf("void twice: %v", err)
	}
	e.do(Unvoid, question)
	e.wantPoints("no longer void", map[string]float64{"Alice": 1, "Bob": 0})

	e.do(Adjust, about(e.publicID(bob)), func(c *Command) { c.Points, c.Reason = 1.5, "the best team name" })
	e.do(Adjust, about(e.publicID(alice)), func(c *Command) { c.Points, c.Reason = -2, "  asked the barman " })
	e.wantPoints("adjusted", map[string]float64{"Alice": -1, "Bob": 1.5})
	for field, change := range map[string]func(*Command){
		"points":   func(c *Command) { c.Points, c.Reason = 0, "why" },
		"points ":  func(c *Command) { c.Points, c.Reason = 0.3, "why" },
		"points  ": func(c *Command) { c.Points, c.Reason = 101, "why" },
		"reason":   func(c *Command) { c.Points, c.Reason = 1, "  " },
		"reason ":  func(c *Command) { c.Points, c.Reason = 1, strings.Repeat("w", 121) },
		"reason  ": func(c *Command) { c.Points, c.Reason = 1, "w\x07" },
		"reason\t": func(c *Command) { c.Points, c.Reason = 1, "w\x00" },
	} {
		err := e.refused(Adjust, about(e.publicID(bob)), change)
		if invalid, ok := errors.AsType[*InvalidError](err); !ok || invalid.Field != strings.TrimSpace(field) {
			t.Errorf("%q: %v", field, err)
		}
	}
	if err := e.refused(Adjust, about("nobody"), func(c *Command) { c.Points, c.Reason = 1, "why" }); !errors.Is(err, ErrNoParticipant) {
		t.Errorf("for nobody: %v", err)
	}
	if err := e.refused(Void, func(c *Command) { c.Question = "1.9" }); err == nil {
		t.Error("a question that does not exist is void")
	}
	if err := e.refused(Void, func(c *Command) { c.Question = "1.2" }); !errors.Is(err, ErrNotNow) {
		t.Errorf("a question that nobody has seen: %v", err)
	}
}

// TestSeenElsewhereCountdownThroughAPause: the clock stands still, answers are taken, and nobody's answer time grows.
func TestSeenElsewhereCountdownThroughAPause(t *testing.T) {
	e := newEvening(t)
	alice, bob, carol := e.join("Alice"), e.join("Bob"), e.join("Carol")
	began := time.Now()
	e.launch()
	e.do(Pause)
	// As if the question had been launched 20 s before the pause, and that had begun a minute ago.
	back := func(column string, by time.Duration) {
		t.Helper()
		if _, err := e.pool.Exec(t.Context(), `UPDATE session_questions SET `+column+` = `+column+` - $1::interval WHERE status = 'open'`, by); err != nil {
			t.Fatal(err)
		}
	}
	back("opens_at", 80*time.Second)
	back("closes_at", 80*time.Second)
	back("paused_at", time.Minute)
	if err := e.service.sweep(t.Context()); err != nil {
		t.Fatal(err)
	}
	shared, _ := e.see(alice)
	if shared["phase"] != "open" || shared["pausedAt"] == nil {
		t.Errorf("while the clock stands still the phone is told %v", shared)
	}
	e.answer(alice, choose("a", "1.1", 1), Accepted)
	e.do(Resume)
	shared, _ = e.see(alice)
	left := time.Until(time.UnixMilli(int64(shared["closesAt"].(float64))))
	if took := time.Since(began); shared["pausedAt"] != nil || left < 10*time.Second-took || left > 11*time.Second {
		t.Errorf("of 30 s, with 20 s gone, %v are left: %v", left, shared)
	}
	e.answer(bob, choose("b", "1.1", 1), Accepted)
	e.do(Extend, func(c *Command) { c.Seconds = 30 })
	shared, _ = e.see(alice)
	if more := time.Until(time.UnixMilli(int64(shared["closesAt"].(float64)))); more < left+30*time.Second-time.Since(began) || more > left+31*time.Second {
		t.Errorf("extended by 30 s, %v of %v are left", more, left)
	}
	e.do(Pause)
	e.do(Close)
	if shared, _ = e.see(alice); shared["phase"] != "closed" || shared["pausedAt"] != nil {
		t.Errorf("closed while the clock stood still: %v", shared)
	}
	e.answer(carol, choose("c", "1.1", 1), TooLate)
	e.do(Reopen, func(c *Command) { c.Seconds = 15 })
	e.answer(carol, choose("c", "1.1", 0), Accepted)
	e.do(Close)
	e.do(Reveal)
	e.wantPoints("in the end", map[string]float64{"Alice": 1, "Bob": 1, "Carol": 0})
	for name, v := range map[string]Viewer{"Alice": alice, "Bob": bob, "Carol": carol} {
		if elapsed := e.host.room.current.Load().answers[v.Seat.Participant].elapsed; elapsed < 19*time.Second || elapsed > 20*time.Second+time.Since(began) {
			t.Errorf("%s answered after %v, want 20 s and what the test took", name, elapsed)
		}
	}
	e.launch()
	for _, seconds := range []int{0, -5, 601} {
		err := e.refused(Extend, func(c *Command) { c.Seconds = seconds })
		if invalid, ok := errors.AsType[*InvalidError](err); !ok || invalid.Field != "seconds" {
			t.Errorf("%d seconds: %v", seconds, err)
		}
	}
}

// TestBack: what was shown is hidden again, the points with it, and movement in the standings is as if it had never been.
// TestTimeIsUpForTheHostToo: from closes_at on, by the database's clock, a pause or more time comes too late, whether or not anybody has written the close. Two hosts'
// consoles, or a slow line, can bring one then; the question must not open again under people who have put it down.
func TestTimeIsUpForTheHostToo(t *testing.T) {
	e := newEvening(t)
	alice := e.join("Alice")
	e.launch()
	// The row stays locked, so that nothing closes the question by itself, until the commands wait for it, too.
	hold, err := e.pool.Begin(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = hold.Rollback(context.WithoutCancel(t.Context())) }()
	if _, err := hold.Exec(t.Context(), `SELECT FROM sessions WHERE public_id = $1 FOR UPDATE`, e.id); err != nil {
		t.Fatal(err)
	}
	version := e.host.room.version()
	refused := make(chan error)
	for _, c := range []CommandName{Pause, Extend} {
		instance := newService(t, e.pool) // in which commands of one session wait for each other, and not for the row
		host, err := instance.AsHost(t.Context(), e.id, e.owner)
		if err != nil {
			t.Fatal(err)
		}
		go func() {
			_, err := instance.Command(t.Context(), host, Command{Version: version, Command: c, Seconds: 30})
			refused <- err
		}()
	}
	until(t, "both commands' wait for the session", func() bool { return e.lockWaits() == 2 })
	if _, err := hold.Exec(t.Context(), `UPDATE session_questions SET opens_at = opens_at - closes_at + clock_timestamp(), closes_at = clock_timestamp() WHERE status = 'open'`); err != nil {
		t.Fatal(err)
	}
	if err := hold.Commit(t.Context()); err != nil {
		t.Fatal(err)
	}
	for range 2 {
		// The sweep may have been quicker than the second: then the question has closed, which is as good an answer.
		if err := <-refused; !errors.Is(err, ErrTimeIsUp) && !errors.As(err, new(*StaleVersionError)) {
			t.Errorf("refused with %v", err)
		}
	}
	until(t, "the close", func() bool { return e.host.room.current.Load().Phase == Closed })
	e.answer(alice, choose("a", "1.1", 1), TooLate)
	e.do(Reopen, func(c *Command) { c.Seconds = 30 })
	e.answer(alice, choose("b", "1.1", 1), Accepted)
}

func TestBack(t *testing.T) {
	e := newEvening(t)
	alice, bob := e.join("Alice"), e.join("Bob")
	e.launch()
	e.answer(alice, choose("a", "1.1", 1), Accepted)
	e.do(Close)
	e.do(Reveal)
	e.do(Back)
	if shared, own := e.see(alice); shared["phase"] != "closed" || shared["answer"] != nil || own["points"] != 0.0 {
		t.Errorf("with the answer hidden Alice is told %v and %v", shared, own)
	}
	e.do(Reveal)
	e.do(ShowStandings) // Alice 1, Bob 2
	e.do(Launch)
	e.answer(bob, write("b", "1.2", "gold"), Accepted)
	e.do(Close)
	e.do(Reveal)
	want := []any{
		map[string]any{"name": "Bob", "points": 1.5, "rank": 1.0, "was": 2.0},
		map[string]any{"name": "Alice", "points": 1.0, "rank": 2.0, "was": 1.0},
	}
	for _, steps := range [][]CommandName{{ShowStandings}, {Back, ShowStandings}, {Back, Finish}, {Back, ShowStandings, Back, Back, Reveal, ShowStandings}} {
		for _, c := range steps {
			e.do(c)
		}
		shared, _ := e.see(alice)
		if diff := cmp.Diff(want, shared["standings"]); diff != "" {
			t.Errorf("after %v (-want +got):\n%s", steps, diff)
		}
	}
	e.do(Next)
	e.do(Finish)
	e.do(Back)
	e.do(Back)
	if p := e.host.room.current.Load(); p.Phase != Standings || p.Round != 1 || p.Question != 2 {
		t.Errorf("back from the next round to %s, %d.%d", p.Phase, p.Round, p.Question)
	}
}

// TestLetBackIn: who was removed by mistake is in again as if nothing had been, unless the name has gone.
func TestLetBackIn(t *testing.T) {
	content := smallQuiz()
	content.Rounds[0].Questions[1] = quiz.Question{Kind: quiz.NumberKind, Text: "How many?", Number: &quiz.Number{Value: 100, Nearest: true}, Seconds: 30, Points: 2}
	e := newEvening(t, content)
	alice, bob := e.join("Alice"), e.join("Bob")
	id := e.publicID(alice)
	e.launch()
	e.answer(alice, choose("a", "1.1", 1), Accepted)
	e.do(Remove, about(id))
	e.do(Close)
	e.do(Reveal)
	e.launch()
	e.do(LetBackIn, about(id))
	e.answer(alice, write("a", "1.2", "99"), Accepted)
	e.answer(bob, write("b", "1.2", "90"), Accepted)
	e.do(Close)
	e.do(Reveal)
	e.wantPoints("with Alice, who is nearest", map[string]float64{"Alice": 2, "Bob": 0})
	e.do(Remove, about(id))
	e.wantPoints("without her", map[string]float64{"Bob": 1})
	host, _ := e.see(e.host)
	if diff := cmp.Diff([]any{map[string]any{"id": id, "name": "Alice"}}, host["removed"]); diff != "" {
		t.Errorf("removed (-want +got):\n%s", diff)
	}
	e.join("alice") // another phone
	err := e.refused(LetBackIn, about(id))
	if taken, ok := errors.AsType[*NameTakenError](err); !ok || taken.Suggestion == "" {
		t.Errorf("with a name that is taken: %v", err)
	}
	e.do(LetBackIn, about(id), func(c *Command) { c.NewName = "Alice the First" })
	e.wantPoints("under another name", map[string]float64{"Alice the First": 2, "Bob": 0, "alice": 0})
	if err := e.refused(LetBackIn, about(id)); !errors.Is(err, ErrNoParticipant) {
		t.Errorf("who is in: %v", err)
	}
	e.do(Remove, about(id))
	e.do(SetCapacity, func(c *Command) { c.Capacity = 2 })
	if err := e.refused(LetBackIn, about(id)); !errors.Is(err, ErrFull) {
		t.Errorf("with no place left: %v", err)
	}
}

// TestPublicResults: only a host publishes them, and a link that was withdrawn does not come back.
func TestPublicResults(t *testing.T) {
	e := newEvening(t)
	address := func() string {
		host, _ := e.see(e.host)
		s, _ := host["resultsURL"].(string)
		return s
	}
	if got := address(); got != "" {
		t.Errorf("nothing was published, and yet there is %s", got)
	}
	e.do(PublishResults)
	first := address()
	if token, ok := strings.CutPrefix(first, "https://quiz.example/results/"); !ok || len(token) < 20 {
		t.Errorf("published at %q", first)
	}
	if body := string(e.host.room.current.Load().sight(RoleScreen).Shared.Body); strings.Contains(body, "/results/") {
		t.Errorf("the big screen is told %s", body)
	}
	e.do(HideResults)
	if got := address(); got != "" {
		t.Errorf("hidden, and still at %s", got)
	}
	e.do(PublishResults)
	if second := address(); second == first || second == "" {
		t.Errorf("published again at %q, as before at %q", second, first)
	}
	entries, err := e.service.Log(t.Context(), e.host)
	if err != nil || len(entries) != 3 || entries[0].Command != PublishResults || entries[0].Actor != "Host" || strings.Contains(string(entries[0].Detail), first[len(first)-5:]) {
		t.Errorf("the log says %+v, %v", entries, err)
	}
}

// TestOneLockedSessionIsNotTheDatabase: a question that the clock cannot close, since somebody holds its session, is no reason to believe that Postgres is away, upon
// which a server behind a proxy sends everybody of every session away.
func TestOneLockedSessionIsNotTheDatabase(t *testing.T) {
	e := newEvening(t)
	e.join("Alice")
	e.launch()
	if _, err := e.pool.Exec(t.Context(), `UPDATE session_questions SET opens_at = opens_at - interval '1 hour', closes_at = closes_at - interval '1 hour' WHERE status = 'open'`); err != nil {
		t.Fatal(err)
	}
	holder, err := e.pool.Begin(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = holder.Rollback(context.WithoutCancel(t.Context())) }()
	if _, err := holder.Exec(t.Context(), `SELECT FROM sessions FOR UPDATE`); err != nil {
		t.Fatal(err)
	}
	_ = e.service.keepInTouch(t.Context()) // what it could not close, a later sweep will
	if since := e.service.failing.Load(); since != nil {
		t.Errorf("Postgres is taken to be away since %v", *since)
	}
}
