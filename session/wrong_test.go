package session

import (
	"context"
	"encoding/json"
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	"pubquiz/quiz"
)

// The tests in this file and in web/wrong_test.go are about what went wrong for users of comparable products, as far as
// no other test says it.

// TestSeenElsewherePhoneInTheBackground: a phone that was silent for so long that this process has forgotten its session is
// the same participant.
func TestSeenElsewherePhoneInTheBackground(t *testing.T) {
	e := newEvening(t)
	v := e.join("Sleepy")
	e.launch()
	e.answer(v, choose("a", "1.1", 1), Accepted)
	e.service.forgetIdleRooms(-1)

	again, err := e.service.AsParticipant(t.Context(), e.id, v.Seat)
	if err != nil {
		t.Fatal(err)
	}
	if again.room == v.room {
		t.Fatal("the session was not forgotten")
	}
	if _, own := e.see(again); own["name"] != "Sleepy" || own["answer"].(map[string]any)["id"] != "a" {
		t.Errorf("back from the background the phone is told %v", own)
	}
	host, err := e.service.AsHost(t.Context(), e.id, e.owner)
	if err != nil {
		t.Fatal(err)
	}
	if _, live := e.see(host); live["joined"] != 1.0 || live["answered"] != 1.0 {
		t.Errorf("the host is told %v", live)
	}
}

// TestSeenElsewhereTapAfterTheReveal: what a phone has answered is not shown as its answer to the next question, and what it answers after the reveal is not taken
// for one.
func TestSeenElsewhereTapAfterTheReveal(t *testing.T) {
	e := newEvening(t)
	w := e.service.Watcher(e.join("Alice"))
	w.Start(wakerFunc(func() {}))
	defer w.Stop()
	e.launch()
	e.answer(w.Viewer, choose("a", "1.1", 1), Accepted)
	for _, c := range []CommandName{Close, Reveal, Launch} {
		e.do(c)
	}
	e.answer(e.join("Hasty"), choose("b", "1.1", 0), TooLate) // a tap on what is gone from the screen
	sight, err := w.Now()
	if err != nil || strings.Contains(string(sight.Own.Body), `"answer"`) {
		t.Errorf("at the second question the phone is told %s, %v", sight.Own.Body, err)
	}
}

// TestSeenElsewhereOptionsShuffled: whenever and through whichever instance a phone reads the question, the option it picks
// is the one that is marked.
func TestSeenElsewhereOptionsShuffled(t *testing.T) {
	e := newEvening(t)
	names := []string{"Early", "Reconnected", "Elsewhere"}
	seats := make([]Seat, len(names))
	for i, name := range names {
		seats[i] = e.join(name).Seat
	}
	e.launch()
	services := []*Service{e.service, newService(t, e.pool), newService(t, e.pool)}
	for i, s := range services {
		v, err := s.AsParticipant(t.Context(), e.id, seats[i])
		if err != nil {
			t.Fatal(err)
		}
		var shared struct{ Question struct{ Options []string } }
		if err := json.Unmarshal(v.room.current.Load().sight(RoleParticipant).Shared.Body, &shared); err != nil {
			t.Fatal(err)
		}
		right := slices.Index(shared.Question.Options, "that")
		if reply, err := s.Answer(t.Context(), v, choose("a", "1.1", right)); err != nil || reply.Outcome != Accepted {
			t.Fatalf("%s: %q, %v", names[i], reply.Outcome, err)
		}
	}
	e.do(Close)
	e.do(Reveal)
	for _, st := range e.host.room.current.Load().standings {
		if st.Points != 2 {
			t.Errorf("%s chose what is right and has %v points", st.Name, st.Points)
		}
	}
}

// TestSeenElsewhereSilentPhone: a host goes on whether or not everyone has answered.
func TestSeenElsewhereSilentPhone(t *testing.T) {
	e := newEvening(t)
	awake := e.join("Awake")
	e.join("Asleep")
	e.launch()
	e.answer(awake, choose("a", "1.1", 1), Accepted)
	if _, live := e.see(e.host); live["joined"] != 2.0 || live["answered"] != 1.0 {
		t.Errorf("the host is told %v", live)
	}
	for _, c := range []CommandName{Close, Reveal, ShowStandings, Launch} {
		e.do(c)
	}
}

// TestSeenElsewhereJoinerBetweenRounds: whoever joins late has no wrong answers, and plays on like everybody else.
func TestSeenElsewhereJoinerBetweenRounds(t *testing.T) {
	e := newEvening(t)
	early := e.join("Early")
	e.launch()
	e.answer(early, choose("a", "1.1", 0), Accepted) // wrong
	e.do(Close)
	e.do(Reveal)
	late := e.join("Late")
	shared, own := e.see(late)
	if shared["answered"] != 1.0 || own["answer"] != nil || own["points"] != 0.0 {
		t.Errorf("in the reveal the latecomer is told %v and %v", shared, own)
	}
	e.do(ShowStandings)
	if _, own := e.see(late); own["rank"] != 1.0 || own["participants"] != 2.0 || own["answer"] != nil {
		t.Errorf("in the standings, where both have nothing, the latecomer is told %v", own)
	}
	e.do(Launch)
	e.answer(late, write("a", "1.2", "gold"), Accepted)
	e.do(Close)
	e.do(Reveal)
	if _, own := e.see(late); own["points"] != 1.5 {
		t.Errorf("after a right answer the latecomer is told %v", own)
	}
}

// TestSeenElsewhereEventsReachEveryGame: what happens in one session reaches nobody in another.
func TestSeenElsewhereEventsReachEveryGame(t *testing.T) {
	e := newEvening(t)
	other, err := e.service.Open(t.Context(), e.owner, 1, smallQuiz())
	if err != nil {
		t.Fatal(err)
	}
	otherHost, err := e.service.AsHost(t.Context(), other, e.owner)
	if err != nil {
		t.Fatal(err)
	}
	joined, err := e.service.Join(t.Context(), otherHost.room.joinCode, "There", "attempt-of-somebody-there")
	if err != nil {
		t.Fatal(err)
	}
	thereViewer, err := e.service.AsParticipant(t.Context(), other, joined.Seat)
	if err != nil {
		t.Fatal(err)
	}
	here, there := make(chan struct{}, 100), make(chan struct{}, 100)
	hereWatcher, thereWatcher := e.service.Watcher(e.join("Here")), e.service.Watcher(thereViewer)
	hereWatcher.Start(wakerFunc(func() { here <- struct{}{} }))
	defer hereWatcher.Stop()
	thereWatcher.Start(wakerFunc(func() { there <- struct{}{} }))
	defer thereWatcher.Stop()
	before := otherHost.room.version()
	e.launch()
	<-here
	if after := otherHost.room.version(); after != before || len(there) > 0 {
		t.Errorf("the other session went from version %d to %d, and its phone was woken %d times", before, after, len(there))
	}
	if _, live := e.see(otherHost); live["joined"] != 1.0 {
		t.Errorf("the other host is told %v", live)
	}
}

// TestSeenElsewhereRoomsNeverFreed: a process keeps nothing of sessions and phones that have left, and loses nobody who
// is there.
func TestSeenElsewhereRoomsNeverFreed(t *testing.T) {
	e := newEvening(t)
	w := e.service.Watcher(e.join("Watching"))
	w.Start(wakerFunc(func() {}))
	e.service.forgetIdleRooms(-time.Minute)
	if e.service.Rooms() != 1 {
		t.Error("a room that somebody watches was forgotten")
	}
	w.Stop()
	e.service.forgetIdleRooms(time.Minute)
	if e.service.Rooms() != 1 {
		t.Error("a room was forgotten as soon as its last watcher had left")
	}
	e.service.forgetIdleRooms(-time.Minute)
	if e.service.Rooms() != 0 {
		t.Error("a room that nobody watches was kept")
	}
}

// TestSeenElsewhereScoreSaveFails: when the scores cannot be stored, the host is told so, and nothing pretends that the
// question has closed.
func TestSeenElsewhereScoreSaveFails(t *testing.T) {
	e := newEvening(t)
	v := e.join("Alice")
	e.launch()
	e.answer(v, choose("a", "1.1", 1), Accepted)
	if _, err := e.pool.Exec(t.Context(), `ALTER TABLE answers ADD CONSTRAINT ck_test_no_scores CHECK (half_points IS NULL)`); err != nil {
		t.Fatal(err)
	}
	version := e.host.room.version()
	command := Command{Version: version, Command: Close}
	if _, err := e.service.Command(t.Context(), e.host, command); err == nil {
		t.Fatal("a close whose scores were not stored succeeded")
	}
	var phase Phase
	var logged int
	err := e.pool.QueryRow(t.Context(), `SELECT phase, (SELECT count(*) FROM session_log WHERE command = 'close') FROM sessions`).Scan(&phase, &logged)
	if err != nil || phase != Open || logged != 0 || e.host.room.version() != version {
		t.Errorf("afterwards: phase %s, %d in the log, version %d, %v", phase, logged, e.host.room.version(), err)
	}
	if _, err := e.pool.Exec(t.Context(), `ALTER TABLE answers DROP CONSTRAINT ck_test_no_scores`); err != nil {
		t.Fatal(err)
	}
	if _, err := e.service.Command(t.Context(), e.host, command); err != nil {
		t.Errorf("the same command again: %v", err)
	}
	e.do(Reveal)
	if _, own := e.see(v); own["points"] != 1.0 {
		t.Errorf("Alice is told %v", own)
	}
}

// TestFrozenContent: nothing that the author does to a quiz reaches a session of it.
func TestFrozenContent(t *testing.T) {
	e := newEvening(t)
	if err := quiz.NewStore(e.pool).Delete(t.Context(), e.owner, 1); err != nil {
		t.Fatal(err)
	}
	e.service.forgetIdleRooms(-1)
	host, err := e.service.AsHost(t.Context(), e.id, e.owner)
	if err != nil {
		t.Fatal(err)
	}
	e.host = host
	v := e.join("Alice")
	e.launch()
	e.answer(v, choose("a", "1.1", 1), Accepted)
	e.do(Close)
	e.do(Reveal)
	if _, own := e.see(v); own["points"] != 1.0 {
		t.Errorf("Alice is told %v", own)
	}
	if _, err := quiz.NewStore(e.pool).Get(t.Context(), e.owner, 1); !errors.Is(err, quiz.ErrNotFound) {
		t.Errorf("the quiz is still there: %v", err)
	}
}

// TestLostAnnouncementIsMadeUpFor: an instance that did not hear of a change finds it by its sweep, and when it begins
// to listen.
func TestLostAnnouncementIsMadeUpFor(t *testing.T) {
	e := newEvening(t)
	for name, catchUp := range map[string]func(*Service, context.Context) error{"sweep": (*Service).sweep, "listen": (*Service).listenOnce} {
		deaf := New(e.pool, Config{Now: time.Now, Grace: testGrace, BaseURL: e.service.baseURL})
		host, err := deaf.AsHost(t.Context(), e.id, e.owner)
		if err != nil {
			t.Fatal(err)
		}
		e.do(SetCapacity, func(c *Command) { c.Capacity = 200 })
		ctx, cancel := context.WithCancel(t.Context())
		ended := make(chan error, 1)
		go func() { ended <- catchUp(deaf, ctx) }()
		until(t, "the "+name+"'s finding", func() bool { return host.room.version() == e.host.room.version() })
		cancel()
		if err := <-ended; err != nil && ctx.Err() == nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}
