package session

import (
	"context"
	"encoding/json"
	"errors"
	"net/netip"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/jackc/pgx/v5/pgconn"

	"pubquiz/quiz"
)

// see returns what a viewer may see, decoded.
func (e *evening) see(v Viewer) (shared, own map[string]any) {
	e.t.Helper()
	sight, err := e.service.Look(e.t.Context(), v, netip.Prefix{}, time.Minute)
	if err != nil {
		e.t.Fatal(err)
	}
	for frame, into := range map[*Frame]*map[string]any{sight.Shared: &shared, sight.Own: &own} {
		if err := json.Unmarshal(frame.Body, into); err != nil {
			e.t.Fatal(err)
		}
	}
	return shared, own
}

// TestEveningScores plays the small quiz and compares what everyone is shown with what is stored.
func TestEveningScores(t *testing.T) {
	e := newEvening(t)
	alice, bob, carol := e.join("Alice"), e.join("Bob"), e.join("Carol")

	e.launch()
	e.answer(alice, choose("1", "1.1", 1), Accepted)
	e.answer(bob, choose("1", "1.1", 0), Accepted)
	e.do(Close)
	if _, own := e.see(alice); own["points"] != 0.0 || own["answer"].(map[string]any)["verdict"] != nil {
		t.Errorf("before the reveal Alice is told %v", own)
	}
	e.do(Reveal)
	_, own := e.see(alice)
	if a := own["answer"].(map[string]any); own["points"] != 1.0 || a["verdict"] != "right" || a["points"] != 1.0 {
		t.Errorf("after the reveal Alice is told %v", own)
	}
	if _, own := e.see(bob); own["points"] != 0.0 || own["answer"].(map[string]any)["verdict"] != "wrong" || own["rank"] != nil {
		t.Errorf("after the reveal Bob is told %v", own)
	}
	if _, own := e.see(carol); own["answer"] != nil {
		t.Errorf("Carol, who did not answer, is told %v", own)
	}

	e.launch()
	for _, v := range []Viewer{bob, carol} {
		e.answer(v, write("2", "1.2", "the GOLD!"), Accepted)
	}
	e.do(Close)
	e.do(Reveal)
	e.do(ShowStandings)
	shared, own := e.see(bob)
	if own["rank"] != 1.0 || own["participants"] != 3.0 || own["points"] != 1.5 {
		t.Errorf("in the standings Bob is told %v", own)
	}
	want := []any{
		map[string]any{"name": "Bob", "points": 1.5, "rank": 1.0},
		map[string]any{"name": "Carol", "points": 1.5, "rank": 1.0},
		map[string]any{"name": "Alice", "points": 1.0, "rank": 3.0},
	}
	if diff := cmp.Diff(want, shared["standings"]); diff != "" {
		t.Errorf("standings (-want +got):\n%s", diff)
	}

	e.launch() // the second round
	e.answer(alice, choose("3", "2.1", 0), Accepted)
	e.answer(carol, choose("3", "2.1", 0), Accepted)
	e.do(Close)
	e.do(Reveal)
	e.do(Finish)
	shared, _ = e.see(alice)
	want = []any{
		map[string]any{"name": "Carol", "points": 2.0, "rank": 1.0, "was": 1.0},
		map[string]any{"name": "Alice", "points": 1.5, "rank": 2.0, "was": 3.0},
		map[string]any{"name": "Bob", "points": 1.5, "rank": 2.0, "was": 1.0},
	}
	if diff := cmp.Diff(want, shared["standings"]); diff != "" {
		t.Errorf("final standings (-want +got):\n%s", diff)
	}

	export, err := e.service.Export(t.Context(), e.host)
	if err != nil {
		t.Fatal(err)
	}
	sums := map[string]quiz.Points{}
	for _, a := range export.Answers {
		sums[a.Participant] += *a.Points
	}
	for _, p := range export.Participants {
		if sums[p.ID] != p.Points {
			t.Errorf("%s: the answers' sum is %v, the standings say %v", p.Name, sums[p.ID], p.Points)
		}
	}
	if len(export.Answers) != 6 || len(export.Questions) != 3 || len(export.Log) != int(e.host.room.version())-1 {
		t.Errorf("exported %d answers, %d questions, %d commands", len(export.Answers), len(export.Questions), len(export.Log))
	}
}

// TestNothingBeforeTheReveal: no public frame holds the right answer or the host's notes before the reveal, in any
// phase.
func TestNothingBeforeTheReveal(t *testing.T) {
	content := quiz.Content{Title: "Secrets", Rounds: []quiz.Round{{Title: "Only", Questions: []quiz.Question{
		{Kind: quiz.Text, Text: "What?", Accepted: []string{"classified"}, Seconds: 30, Points: 2, Notes: "classified note"},
		{Kind: quiz.Single, Text: "Which?", Options: []string{"red", "blue"}, Correct: []int{1}, Seconds: 30, Points: 2, Notes: "classified note"},
	}}}}
	e := newEvening(t, content)
	v := e.join("Alice")
	check := func(revealed bool) {
		t.Helper()
		for _, role := range []Role{RoleParticipant, RoleScreen} {
			body := string(e.host.room.current.Load().sight(role).Shared.Body)
			if !revealed && (strings.Contains(body, "classified") || strings.Contains(body, `"correct"`) || strings.Contains(body, `"distribution"`)) {
				t.Errorf("%s in phase %s: %s", role, e.host.room.current.Load().Phase, body)
			}
			if strings.Contains(body, "note") || strings.Contains(body, `"upNext"`) || strings.Contains(body, `"commands"`) {
				t.Errorf("%s sees what is the host's: %s", role, body)
			}
		}
		if host := string(e.host.room.current.Load().sight(RoleHost).Shared.Body); e.host.room.current.Load().onScreen() && !strings.Contains(host, `"answer"`) {
			t.Errorf("the host does not see the answer: %s", host)
		}
	}
	check(false)
	e.do(Next)
	check(false)
	e.do(Launch)
	check(false)
	e.answer(v, write("1", "1.1", "classified?"), Accepted)
	e.do(Close)
	check(false)
	e.do(Reveal)
	check(true)
	e.do(Launch)
	check(false)
	e.do(Close)
	check(false)
}

// TestStandingsAreHiddenUntilShown walks through a quiz: phones and the big screen see the standings when the host
// shows them and at the end, and the join code only as long as it leads to this session.
func TestStandingsAreHiddenUntilShown(t *testing.T) {
	e := newEvening(t)
	v := e.join("Alice")
	for _, c := range []CommandName{Next, Launch, Close, Reveal, ShowStandings, Launch, Close, Reveal, Finish} {
		e.do(c)
		phase := e.host.room.current.Load().Phase
		shown := phase == Standings || phase == Finished
		for _, role := range []Role{RoleParticipant, RoleScreen, RoleHost} {
			body := string(e.host.room.current.Load().sight(role).Shared.Body)
			if got, want := strings.Contains(body, `"standings"`), shown || role == RoleHost; got != want {
				t.Errorf("%s in phase %s: %s", role, phase, body)
			}
			if got, want := strings.Contains(body, e.code), phase != Finished && role != RoleParticipant; got != want {
				t.Errorf("the join code for %s in phase %s: %s", role, phase, body)
			}
		}
		if _, own := e.see(v); (own["rank"] != nil) != shown {
			t.Errorf("in phase %s the phone is told %v", phase, own)
		}
	}
}

// TestTwoInstances: what one instance does, the other's watchers see; deadlines are kept by whoever is there.
func TestTwoInstances(t *testing.T) {
	e := newEvening(t)
	other := newService(t, e.pool)
	joined, err := other.Join(t.Context(), e.code, "Elsewhere", "attempt-elsewhere")
	if err != nil {
		t.Fatal(err)
	}
	v, err := other.AsParticipant(t.Context(), e.id, joined.Seat)
	if err != nil {
		t.Fatal(err)
	}
	woken := make(chan struct{}, 100)
	w := other.Watcher(v)
	w.Start(wakerFunc(func() { woken <- struct{}{} }))
	defer w.Stop()
	e.launch()
	until(t, "the launch on the other instance", func() bool {
		sight, err := w.Now()
		return err == nil && sight.Version == e.host.room.version()
	})
	if len(woken) == 0 {
		t.Error("the watcher was not woken")
	}
	if reply, err := other.Answer(t.Context(), v, choose("a", "1.1", 1)); err != nil || reply.Outcome != Accepted {
		t.Errorf("%v, %v", reply, err)
	}
	until(t, "the answer in the host's live part", func() bool {
		_, live := e.see(e.host)
		return live["answered"] == 1.0
	})
	e.do(Close)
	e.do(Remove, func(c *Command) { c.Participant = joined.PublicID })
	until(t, "the removal on the other instance", func() bool {
		_, err := w.Now()
		return errors.Is(err, ErrRemoved)
	})
}

// TestRestart forgets everything a process knows in the middle of a question.
func TestRestart(t *testing.T) {
	e := newEvening(t)
	v := e.join("Steady")
	e.launch()
	e.answer(v, choose("a", "1.1", 1), Accepted)
	e.service.forgetIdleRooms(-1)

	after := newService(t, e.pool)
	again, err := after.AsParticipant(t.Context(), e.id, v.Seat)
	if err != nil {
		t.Fatal(err)
	}
	w := after.Watcher(again)
	w.Start(wakerFunc(func() {}))
	defer w.Stop()
	sight, err := w.First(t.Context())
	if err != nil || !strings.Contains(string(sight.Own.Body), `"id":"a"`) {
		t.Errorf("first: %v, %v", sight.Own, err)
	}
	if sight, err := w.Now(); err != nil || sight.Own != nil { // what a heartbeat sends must not take the answer back
		t.Errorf("then: %s, %v", sight.Own.Body, err)
	}
	if _, err := e.pool.Exec(t.Context(), `UPDATE session_questions SET opens_at = opens_at - interval '1 minute', closes_at = clock_timestamp() WHERE status = 'open'`); err != nil {
		t.Fatal(err)
	}
	until(t, "the close after the restart", func() bool { return again.room.current.Load().Phase == Closed })
	if got := again.room.current.Load().answers[v.Seat.Participant].earned; got == nil || *got != 2 {
		t.Errorf("the answer given before the restart earned %v", got)
	}
}

// TestTwoTabs: an answer given in one tab shows in the other.
func TestTwoTabs(t *testing.T) {
	e := newEvening(t)
	v := e.join("Two tabs")
	e.launch()
	woken := make(chan struct{}, 10)
	second := e.service.Watcher(v)
	second.Start(wakerFunc(func() { woken <- struct{}{} }))
	defer second.Stop()
	e.answer(v, choose("a", "1.1", 2), Accepted)
	<-woken
	if sight, err := second.Now(); err != nil || !strings.Contains(string(sight.Own.Body), `"choices":[2]`) {
		t.Errorf("the second tab sees %s, %v", sight.Own.Body, err)
	}
}

// TestForeignEyes: nobody sees a session with a credential for another.
func TestForeignEyes(t *testing.T) {
	e := newEvening(t)
	v := e.join("Alice")
	other, err := e.service.Open(t.Context(), e.owner, 1, smallQuiz())
	if err != nil {
		t.Fatal(err)
	}
	if _, err := e.service.AsParticipant(t.Context(), other, v.Seat); !errors.Is(err, ErrNotParticipant) {
		t.Errorf("a seat in another session: %v", err)
	}
	if _, err := e.service.AsHost(t.Context(), e.id, e.owner+1); !errors.Is(err, ErrNotFound) {
		t.Errorf("another host: %v", err)
	}
	seat := e.host.ScreenSeat()
	screen, err := e.service.AsScreen(t.Context(), e.id, seat)
	if err != nil {
		t.Errorf("the big screen: %v", err)
	}
	watcher := e.service.Watcher(screen)
	if _, err := e.service.AsScreen(t.Context(), other, seat); !errors.Is(err, ErrNotFound) {
		t.Errorf("the big screen of another session: %v", err)
	}
	e.do(RenewScreen)
	if _, err := e.service.AsScreen(t.Context(), e.id, seat); !errors.Is(err, ErrNotFound) {
		t.Errorf("a big screen whose link has ended: %v", err)
	}
	if _, err := watcher.Now(); !errors.Is(err, ErrNotParticipant) {
		t.Errorf("a big screen whose link has ended, while it looks on: %v", err)
	}
	if _, err := e.service.AsScreen(t.Context(), e.id, e.host.ScreenSeat()); err != nil {
		t.Errorf("the new link: %v", err)
	}
	stale := v.Seat
	stale.Generation--
	e.launch() // the room reads everyone
	if _, err := e.service.AsParticipant(t.Context(), e.id, stale); !errors.Is(err, ErrNotParticipant) {
		t.Errorf("an old generation: %v", err)
	}
}

// TestSeenElsewhereSessionsNeverFreed frees the code of a session in which nothing happens, even where a clock stands still.
func TestSeenElsewhereSessionsNeverFreed(t *testing.T) {
	e := newEvening(t)
	e.launch()
	e.do(Pause)
	busy, err := e.service.Open(t.Context(), e.owner, 1, smallQuiz())
	if err != nil {
		t.Fatal(err)
	}
	filling, err := e.service.Open(t.Context(), e.owner, 1, smallQuiz())
	if err != nil {
		t.Fatal(err)
	}
	_, err = e.pool.Exec(t.Context(), `
		INSERT INTO participants (session_id, public_id, name, name_key, attempt_hash) SELECT id, 'p', 'Alice', 'alice', sha256('a') FROM sessions WHERE public_id = $1`, filling)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := e.pool.Exec(t.Context(), `UPDATE sessions SET changed_at = now() - interval '25 hours' WHERE public_id <> $1`, busy); err != nil {
		t.Fatal(err)
	}
	if err := e.service.tidy(context.WithoutCancel(t.Context())); err != nil {
		t.Fatal(err)
	}
	if phase := e.host.room.current.Load().Phase; phase != Finished {
		t.Errorf("the abandoned session is in phase %s", phase)
	}
	for what, id := range map[string]string{"where the host acts": busy, "that people join": filling} {
		if v, err := e.service.AsHost(t.Context(), id, e.owner); err != nil || v.room.current.Load().Phase != Lobby {
			t.Errorf("the session %s ended too: %v", what, err)
		}
	}
	if _, _, err := e.service.TitleByCode(t.Context(), e.code); !errors.Is(err, ErrUnknownCode) {
		t.Errorf("the abandoned session's code: %v", err)
	}
}

func TestNotPlayable(t *testing.T) {
	e := newEvening(t)
	if _, err := e.service.Open(t.Context(), e.owner, 1, quiz.Content{Title: "Empty"}); !errors.Is(err, ErrNotPlayable) {
		t.Errorf("got %v", err)
	}
}

// TestConstraints writes past all of the Go code: Postgres refuses by itself.
func TestConstraints(t *testing.T) {
	e := newEvening(t)
	v := e.join("Alice")
	if _, err := e.service.Open(t.Context(), e.owner, 1, smallQuiz()); err != nil {
		t.Fatal(err)
	}
	e.launch()
	e.answer(v, choose("a", "1.1", 1), Accepted)
	for name, test := range map[string]struct{ sql, constraint string }{
		"a second answer": {`INSERT INTO answers (session_id, participant_id, question_id, answer_id, given)
			SELECT session_id, participant_id, question_id, 'b', given FROM answers`, "uq_answers_participant_question"},
		"an answer to another session's question": {`INSERT INTO answers (session_id, participant_id, question_id, answer_id, given)
			SELECT p.session_id, p.id, q.id, 'b', '{}' FROM participants p JOIN session_questions q ON q.session_id <> p.session_id`, "fk_answers_question"},
		"another session's participant's answer": {`INSERT INTO answers (session_id, participant_id, question_id, answer_id, given)
			SELECT q.session_id, p.id, q.id, 'b', '{}' FROM participants p JOIN session_questions q ON q.session_id <> p.session_id`, "fk_answers_participant"},
		"two open questions": {`UPDATE session_questions SET status = 'open', opens_at = now(), closes_at = now() WHERE status = 'waiting' AND session_id = 1`,
			"uq_session_questions_one_open"},
		"two live sessions, a code": {`UPDATE sessions SET join_code = (SELECT join_code FROM sessions WHERE id = 1)`, "uq_sessions_live_join_code"},
		"a code with a look-alike":  {`UPDATE sessions SET join_code = 'BCDF0O' WHERE id = 1`, "sessions_join_code_check"},
		"a finished lobby":          {`UPDATE sessions SET finished_at = now() WHERE phase = 'lobby'`, "ck_sessions_finished"},
		"the same name twice": {`INSERT INTO participants (session_id, public_id, name, name_key, attempt_hash)
			SELECT session_id, 'x', name, name_key, sha256('x') FROM participants`, "uq_participants_name"},
		"the same attempt twice": {`INSERT INTO participants (session_id, public_id, name, name_key, attempt_hash)
			SELECT session_id, 'x', 'x', 'x', attempt_hash FROM participants`, "uq_participants_attempt"},
		"a second joker": {`INSERT INTO jokers (session_id, participant_id, round) SELECT session_id, id, n FROM participants, generate_series(1, 2) n`,
			"uq_jokers_participant"},
		"another session's participant's joker": {`INSERT INTO jokers (session_id, participant_id, round) SELECT q.session_id, p.id, 1
			FROM participants p JOIN session_questions q ON q.session_id <> p.session_id LIMIT 1`, "fk_jokers_participant"},
		"the same phone twice in a team": {`INSERT INTO members (session_id, participant_id, number, attempt_hash)
			SELECT session_id, id, n, sha256('x') FROM participants, generate_series(1, 2) n`, "uq_members_attempt"},
		"an eleventh phone": {`INSERT INTO members (session_id, participant_id, number, attempt_hash) SELECT session_id, id, 10, sha256('x') FROM participants`,
			"members_number_check"},
		"a team's code without a team": {`INSERT INTO rejoin_codes (code_hash, session_id, member, expires_at) VALUES (sha256('x'), 1, true, now())`,
			"ck_rejoin_codes_member"},
		"an adjustment by nothing": {`INSERT INTO adjustments (session_id, participant_id, half_points, reason) SELECT session_id, id, 0, 'why' FROM participants`,
			"adjustments_half_points_check"},
		"two decisions about a text": {`INSERT INTO markings (session_id, question_id, folded, verdict)
			SELECT session_id, id, 'gold', v FROM session_questions, unnest(ARRAY['right', 'wrong']) v`, "markings_pkey"},
		"a verdict of nobody":                    {`UPDATE answers SET verdict = 'right', half_points = 0`, "ck_answers_verdict"},
		"a pause of a question that is not open": {`UPDATE session_questions SET paused_at = now() WHERE status = 'waiting'`, "ck_session_questions_paused"},
		"pauses shorter than none":               {`UPDATE session_questions SET paused_for = '-1 second'`, "ck_session_questions_paused_for"},
		"a verdict without its points":           {`UPDATE answers SET verdict = 'right', verdict_by = 'host', half_points = NULL`, "ck_answers_marked"},
		"a way back from where it is no more":    {`UPDATE sessions SET round_from = 'lobby' WHERE phase = 'open'`, "ck_sessions_round_from"},
		"a way back from an end that is none":    {`UPDATE sessions SET finished_from = 'lobby' WHERE phase = 'open'`, "ck_sessions_finished_from"},
		"a public address that can be guessed":   {`UPDATE sessions SET results_token = 'x' WHERE id = 1`, "ck_sessions_results_token"},
		"an adjustment beyond bounds": {`INSERT INTO adjustments (session_id, participant_id, half_points, reason) SELECT session_id, id, 201, 'why' FROM participants`,
			"ck_adjustments_half_points"},
	} {
		_, err := e.pool.Exec(t.Context(), test.sql)
		if refused, ok := errors.AsType[*pgconn.PgError](err); !ok || refused.ConstraintName != test.constraint {
			t.Errorf("%s: %v, want a refusal by %s", name, err, test.constraint)
		}
	}
}

// wakerFunc does the same, however it is told.
type wakerFunc func()

func (f wakerFunc) Signal() { f() }
func (f wakerFunc) Run()    { f() }
