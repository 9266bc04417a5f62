package session

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"go.opentelemetry.io/otel/trace/noop"

	"pubquiz/quiz"
)

func TestFiftyAnswersAtOnceOneIsAccepted(t *testing.T) {
	e := newEvening(t)
	v := e.join("Fifty fingers")
	e.launch()
	var accepted, already atomic.Int32
	var first atomic.Pointer[quiz.Given]
	replies := make([]Reply, 50)
	var wg sync.WaitGroup
	for i := range replies {
		wg.Go(func() {
			reply, err := e.service.Answer(t.Context(), v, choose(fmt.Sprintf("tap-%d", i), "1.1", i%3))
			if err != nil {
				t.Error(err)
			}
			switch replies[i] = reply; reply.Outcome {
			case Accepted:
				accepted.Add(1)
				first.Store(&quiz.Given{Choices: []int{i % 3}})
			case AlreadyAnswered:
				already.Add(1)
			}
		})
	}
	wg.Wait()
	if accepted.Load() != 1 || already.Load() != 49 {
		t.Fatalf("%d accepted and %d already answered, want 1 and 49", accepted.Load(), already.Load())
	}
	for _, r := range replies {
		if r.Outcome == AlreadyAnswered && r.Given.Choices[0] != first.Load().Choices[0] {
			t.Errorf("told that %v was accepted, it was %v", r.Given, first.Load())
		}
	}
}

func TestOutcomes(t *testing.T) {
	e := newEvening(t)
	alice, bob := e.join("Alice"), e.join("Bob")

	e.answer(alice, choose("a1", "1.1", 1), NotThisQuestion) // before the launch
	e.launch()
	e.answer(alice, choose("a1", "1.1", 1), Accepted)
	e.answer(alice, choose("a1", "1.1", 1), Accepted) // a resend of the same answer
	e.answer(alice, choose("a2", "1.1", 0), AlreadyAnswered)
	e.answer(bob, write("b1", "1.2", "gold"), NotThisQuestion) // the next one
	e.answer(bob, choose("b1", "9.9", 0), NotThisQuestion)
	e.do(Close)
	e.answer(bob, choose("b1", "1.1", 1), TooLate)
	e.answer(alice, choose("a1", "1.1", 1), Accepted) // a resend whose acknowledgement was lost
	e.do(Reveal)
	e.answer(bob, choose("b1", "1.1", 1), TooLate)
	e.launch()
	e.answer(bob, choose("b1", "1.1", 1), TooLate) // a tap after the reveal is not taken for the next question
	e.answer(bob, write("b2", "1.2", " GOLD "), Accepted)

	e.do(Remove, func(c *Command) {
		c.Participant = e.host.room.current.Load().participants[alice.Seat.Participant].publicID
	})
	if _, err := e.service.Answer(t.Context(), alice, write("a3", "1.2", "gold")); !errors.Is(err, ErrRemoved) {
		t.Errorf("the removed participant's answer: %v, want ErrRemoved", err)
	}
	// The same where the room has not heard of the removal yet: the statement itself refuses.
	reply, err := e.service.answers.store(t.Context(), pendingAnswer{seat: alice.Seat, question: e.host.room.questions[0][1], answer: write("a3", "1.2", "gold")})
	if err != nil || reply.Outcome != WasRemoved {
		t.Errorf("the removed participant's answer, in the store: %q, %v", reply.Outcome, err)
	}
}

func TestMalformedAnswers(t *testing.T) {
	e := newEvening(t)
	v := e.join("Alice")
	e.launch()
	for name, a := range map[string]Answer{
		"no id":          choose("", "1.1", 1),
		"odd id":         choose("a b", "1.1", 1),
		"no question":    choose("a", "", 1),
		"odd question":   choose("a", "01.1", 1),
		"no choice":      {ID: "a", Question: "1.1"},
		"two choices":    {ID: "a", Question: "1.1", Given: quiz.Given{Choices: []int{0, 1}}},
		"no such option": choose("a", "1.1", 3),
		"text":           write("a", "1.1", "that"),
	} {
		t.Run(name, func(t *testing.T) {
			_, err := e.service.Answer(t.Context(), v, a)
			_, invalid := errors.AsType[*InvalidError](err)
			_, given := errors.AsType[quiz.Problem](err)
			if !invalid && !given {
				t.Errorf("got %v, want an error that names the field", err)
			}
		})
	}
	e.answer(v, choose("a", "1.1", 1), Accepted) // none of them was stored
}

// TestAnswersStayInTheirSession: a participant of one session cannot answer another's question, whatever the process
// believes.
func TestAnswersStayInTheirSession(t *testing.T) {
	e := newEvening(t)
	other, err := e.service.Open(t.Context(), e.owner, 1, smallQuiz())
	if err != nil {
		t.Fatal(err)
	}
	otherHost, err := e.service.AsHost(t.Context(), other, e.owner)
	if err != nil {
		t.Fatal(err)
	}
	v := e.join("Alice")
	for _, c := range []CommandName{Next, Launch} {
		if _, err := e.service.Command(t.Context(), otherHost, Command{Version: otherHost.room.version(), Command: c}); err != nil {
			t.Fatal(err)
		}
	}
	foreign := otherHost.room.questions[0][0]
	if reply, err := e.service.answers.store(t.Context(), pendingAnswer{seat: v.Seat, question: foreign, answer: choose("a", "1.1", 1)}); err == nil {
		t.Errorf("the foreign question's answer had the outcome %q", reply.Outcome)
	}
	var stored int
	if err := e.pool.QueryRow(t.Context(), `SELECT count(*) FROM answers`).Scan(&stored); err != nil || stored != 0 {
		t.Errorf("%d answers stored, %v", stored, err)
	}
}

// TestPoisonedAnswerFailsAlone puts an answer that Postgres refuses into a batch of good ones.
func TestPoisonedAnswerFailsAlone(t *testing.T) {
	e := newEvening(t)
	viewers := e.joinMany(5)
	e.launch()
	var batch []pendingAnswer
	var outcomes []chan stored
	for i, v := range viewers {
		done := make(chan stored, 1)
		a := choose(fmt.Sprintf("a%d", i), "1.1", 1)
		if i == 2 {
			a.ID = "not an id" // refused by the table's check
		}
		batch = append(batch, pendingAnswer{seat: v.Seat, question: e.host.room.questions[0][0], answer: a, done: done})
		outcomes = append(outcomes, done)
	}
	e.service.answers.storeBatch(batch)
	for i, done := range outcomes {
		st := <-done
		if i == 2 && !errors.Is(st.err, ErrBusy) {
			t.Errorf("the poisoned answer: %+v, want ErrBusy", st)
		}
		if i != 2 && (st.err != nil || st.reply.Outcome != Accepted) {
			t.Errorf("answer %d beside the poisoned one: %+v", i, st)
		}
	}
}

// TestCloseCountsEveryAcceptedAnswer closes while answers are coming in, many times: every one that was accepted must
// have been marked.
func TestCloseCountsEveryAcceptedAnswer(t *testing.T) {
	const rounds, phones = 30, 12
	content := quiz.Content{Title: "Race", Rounds: []quiz.Round{{Title: "Race"}}}
	for range rounds {
		content.Rounds[0].Questions = append(content.Rounds[0].Questions, smallQuiz().Rounds[0].Questions[0])
	}
	e := newEvening(t, content)
	viewers := e.joinMany(phones)
	e.do(Next)
	for n := 1; n <= rounds; n++ {
		e.do(Launch)
		var accepted atomic.Int32
		var wg sync.WaitGroup
		for i, v := range viewers {
			wg.Go(func() {
				reply, err := e.service.Answer(t.Context(), v, choose("a", fmt.Sprintf("1.%d", n), i%3))
				if err != nil {
					t.Error(err)
				}
				if reply.Outcome == Accepted {
					accepted.Add(1)
				}
			})
		}
		wg.Go(func() { e.do(Close) })
		wg.Wait()
		var marked, stored int32
		err := e.pool.QueryRow(t.Context(), `SELECT count(half_points), count(*) FROM answers WHERE question_id = $1`, e.host.room.questions[0][n-1]).Scan(&marked, &stored)
		if err != nil {
			t.Fatal(err)
		}
		if stored != accepted.Load() || marked != stored {
			t.Fatalf("question %d: %d accepted, %d stored, %d marked", n, accepted.Load(), stored, marked)
		}
		e.do(Reveal)
	}
}

// TestCloseWaitsForAnswersUnderWay stops an answer between the check that its question is open and its commit, and
// closes then.
func TestCloseWaitsForAnswersUnderWay(t *testing.T) {
	e := newEvening(t)
	v := e.join("Alice")
	e.launch()
	stall, err := e.pool.Begin(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	defer stall.Rollback(context.WithoutCancel(t.Context()))
	// The foreign key looks at the participant last.
	if _, err := stall.Exec(t.Context(), `SELECT FROM participants WHERE id = $1 FOR UPDATE`, v.Seat.Participant); err != nil {
		t.Fatal(err)
	}
	var wg sync.WaitGroup
	wg.Go(func() { e.answer(v, choose("a", "1.1", 1), Accepted) })
	until(t, "the answer's wait", func() bool { return e.lockWaits() == 1 })
	closed := make(chan struct{})
	wg.Go(func() { e.do(Close); close(closed) })
	until(t, "the close's wait, or its end", func() bool {
		select {
		case <-closed:
			return true
		default:
			return e.lockWaits() == 2
		}
	})
	if err := stall.Rollback(t.Context()); err != nil {
		t.Fatal(err)
	}
	wg.Wait()
	e.do(Reveal)
	if _, own := e.see(v); own["points"] != 1.0 {
		t.Errorf("the answer was accepted, and after the reveal Alice is told %v", own)
	}
}

func TestSeenElsewhereTimerReachesZero(t *testing.T) {
	const grace = 10 * time.Second // a busy machine's answer is not too late
	e := gracefulEvening(t, grace)
	v, w := e.join("In time"), e.join("Late")
	e.launch()
	q := e.host.room.questions[0][0]
	// As if the question had been launched earlier: its closing time was so long ago.
	closed := func(ago time.Duration) {
		t.Helper()
		const move = `UPDATE session_questions SET opens_at = opens_at - interval '1 minute', closes_at = clock_timestamp() - $2::interval WHERE id = $1`
		if _, err := e.pool.Exec(t.Context(), move, q, ago); err != nil {
			t.Fatal(err)
		}
	}
	closed(0)
	e.answer(v, choose("a", "1.1", 1), Accepted) // sent in time, arrived within the grace
	closed(grace)
	until(t, "the close by the sweep", func() bool { return e.host.room.current.Load().Phase == Closed })
	e.answer(w, choose("b", "1.1", 1), TooLate)
	export, err := e.service.Export(t.Context(), e.host)
	if err != nil {
		t.Fatal(err)
	}
	if last := export.Log[len(export.Log)-1]; last.By != "clock" || last.Command != TimeUp {
		t.Errorf("the log ends with %+v, want the clock's close", last)
	}
}

func TestLateAnswerIsLateBeforeTheClose(t *testing.T) {
	e := newEvening(t)
	v := e.join("Late")
	e.launch()
	q := e.host.room.questions[0][0]
	// Past closing time and grace, but no process has written the close yet: the row's times decide.
	_, err := e.pool.Exec(t.Context(), `UPDATE session_questions SET opens_at = opens_at - interval '1 hour', closes_at = clock_timestamp() - interval '1 minute' WHERE id = $1`, q)
	if err != nil {
		t.Fatal(err)
	}
	e.answer(v, choose("a", "1.1", 1), TooLate)
}

func TestAnswerBeforeTheOpeningIsNotTaken(t *testing.T) {
	e := newEvening(t)
	e.service.lead = time.Hour
	v := e.join("Early")
	before, err := databaseNow(t.Context(), e.pool)
	if err != nil {
		t.Fatal(err)
	}
	e.launch()
	if q := e.host.room.current.Load().onScreenNow(); q.OpensAt.Sub(before) < time.Hour || q.ClosesAt.Sub(q.OpensAt) != q.Time {
		t.Errorf("launched at %v, it is open from %v to %v", before, q.OpensAt, q.ClosesAt)
	}
	e.answer(v, choose("a", "1.1", 1), TooEarly)
	e.answer(v, write("a", "1.2", "gold"), NotThisQuestion)
	e.opensNow()
	e.answer(v, choose("a", "1.1", 1), Accepted)
}

// TestPauseWithinTheLead: the question opens all the same, and whoever answers while the clock stands has taken no time.
func TestPauseWithinTheLead(t *testing.T) {
	e := newEvening(t)
	e.service.lead = time.Hour
	v := e.join("Alice")
	e.launch()
	e.do(Pause)
	e.answer(v, choose("a", "1.1", 1), TooEarly)
	e.opensNow()
	e.answer(v, choose("a", "1.1", 1), Accepted)
	e.do(Resume)
	var elapsed int
	if err := e.pool.QueryRow(t.Context(), `SELECT elapsed_ms FROM answers`).Scan(&elapsed); err != nil || elapsed != 0 {
		t.Errorf("the answer took %d ms, %v", elapsed, err)
	}
}

// TestCloseWithinTheLead: nobody could answer, and whoever tries is too late.
func TestCloseWithinTheLead(t *testing.T) {
	e := newEvening(t)
	e.service.lead = time.Hour
	v := e.join("Alice")
	e.launch()
	e.do(Close)
	e.answer(v, choose("a", "1.1", 1), TooLate)
}

// opensNow lets the lead of the question on screen be over.
func (e *evening) opensNow() {
	e.t.Helper()
	_, err := e.pool.Exec(e.t.Context(), `
		UPDATE session_questions SET opens_at = clock_timestamp(), closes_at = closes_at - (opens_at - clock_timestamp()), paused_at = paused_at - (opens_at - clock_timestamp())
		WHERE status = 'open'`)
	if err != nil {
		e.t.Fatal(err)
	}
}

// TestStoreShortOfSomething: what the store cannot take for now, it is not asked for one answer after the other.
func TestStoreShortOfSomething(t *testing.T) {
	e := newEvening(t)
	viewers := e.joinMany(5)
	e.launch()
	_, err := e.pool.Exec(t.Context(), `
		CREATE SEQUENCE statements; -- which counts whatever becomes of the transaction
		CREATE FUNCTION full_disk() RETURNS trigger LANGUAGE plpgsql AS $$
			BEGIN PERFORM nextval('statements'); RAISE EXCEPTION 'no space left on device' USING ERRCODE = 'disk_full'; END $$;
		CREATE TRIGGER full_disk BEFORE INSERT ON answers FOR EACH STATEMENT EXECUTE FUNCTION full_disk()`)
	if err != nil {
		t.Fatal(err)
	}
	done := make(chan stored, len(viewers))
	var batch []pendingAnswer
	for _, v := range viewers {
		batch = append(batch, pendingAnswer{seat: v.Seat, question: e.host.room.questions[0][0], answer: choose("a", "1.1", 1), done: done})
	}
	e.service.answers.storeBatch(batch)
	for range viewers {
		if s := <-done; !errors.Is(s.err, ErrBusy) {
			t.Errorf("%q, %v", s.reply.Outcome, s.err)
		}
	}
	var statements int
	if err := e.pool.QueryRow(t.Context(), `SELECT last_value FROM statements`).Scan(&statements); err != nil || statements != 1 {
		t.Errorf("%d statements, %v", statements, err)
	}
}

// TestFullQueueIsBusy: when the store has stalled for so long that answers have piled up, the next one is refused at
// once.
func TestFullQueueIsBusy(t *testing.T) {
	b := newBatcher(nil, 0, newMetrics(), noop.Tracer{})
	b.waiting = make([]pendingAnswer, queueLimit)
	if _, err := b.store(t.Context(), pendingAnswer{}); !errors.Is(err, ErrBusy) {
		t.Errorf("got %v", err)
	}
}
