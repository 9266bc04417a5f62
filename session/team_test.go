package session

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	"pubquiz/quiz"
)

// TestJokers: a participant doubles one round, chosen before it begins.
func TestJokers(t *testing.T) {
	content := smallQuiz()
	content.Rounds[0].Joker, content.Rounds[1].Joker = true, true
	content.Rounds = append(content.Rounds, quiz.Round{Title: "Third", Questions: content.Rounds[1].Questions})
	e := newEvening(t, content)
	alice, bob := e.join("Alice"), e.join("Bob")
	play := func(v Viewer, round int) error { return e.service.PlayJoker(t.Context(), v, round) }
	w := e.service.Watcher(alice)
	w.Start(wakerFunc(func() {}))
	defer w.Stop()
	for _, round := range []int{-1, 3, 4} {
		if invalid, ok := errors.AsType[*InvalidError](play(alice, round)); !ok || invalid.Field != "round" {
			t.Errorf("round %d can be doubled", round)
		}
	}
	for _, round := range []int{2, 0, 1, 1} {
		if err := play(alice, round); err != nil {
			t.Errorf("round %d: %v", round, err)
		}
		if _, own := e.see(alice); own["joker"] != any(float64(round)) && (round != 0 || own["joker"] != nil) {
			t.Errorf("after choosing round %d Alice is told %v", round, own)
		}
		if sight, err := w.Now(); err != nil || round != 0 && !strings.Contains(string(w.lastOwn(sight)), fmt.Sprintf(`"joker":%d`, round)) {
			t.Errorf("after choosing round %d her sockets are told %s, %v", round, w.lastOwn(sight), err)
		}
	}
	e.do(Next)
	if shared, _ := e.see(alice); len(shared["jokerRounds"].([]any)) != 2 {
		t.Errorf("at the introduction Alice is told %v", shared["jokerRounds"])
	}
	if err := play(bob, 1); err != nil {
		t.Errorf("at the introduction: %v", err)
	}
	if err := play(bob, 2); err != nil {
		t.Errorf("another, at the introduction: %v", err)
	}
	if _, live := e.see(e.host); live["participants"].([]any)[1].(map[string]any)["joker"] != 2.0 {
		t.Errorf("the host is told %v", live)
	}
	e.do(Launch)
	if err := play(bob, 1); !errors.Is(err, ErrTooLate) {
		t.Errorf("once the round has begun: %v", err)
	}
	if err := play(alice, 0); !errors.Is(err, ErrTooLate) {
		t.Errorf("taken back once the round has begun: %v", err)
	}
	if err := play(alice, 1); err != nil {
		t.Errorf("sent again once the round has begun: %v", err)
	}
	e.answer(alice, choose("a", "1.1", 1), Accepted)
	e.answer(bob, choose("b", "1.1", 1), Accepted)
	e.do(Close)
	e.do(Reveal)
	e.wantPoints("doubled", map[string]float64{"Alice": 2, "Bob": 1})
	var jokers int
	if err := e.pool.QueryRow(t.Context(), `SELECT count(*) FROM jokers`).Scan(&jokers); err != nil || jokers != 2 {
		t.Errorf("%d jokers, %v", jokers, err)
	}
}

// TestNoJokerOnceTheRoundBegins: whoever comes while the round is being begun finds that it has.
func TestNoJokerOnceTheRoundBegins(t *testing.T) {
	content := smallQuiz()
	content.Rounds[0].Joker = true
	e := newEvening(t, content)
	v := e.join("Alice")
	e.do(Next)
	launch, err := e.pool.Begin(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	defer launch.Rollback(context.WithoutCancel(t.Context()))
	if _, err := readState(t.Context(), launch, e.host.room.frozen, true); err != nil {
		t.Fatal(err)
	}
	played := make(chan error, 1)
	go func() { played <- e.service.PlayJoker(t.Context(), v, 1) }()
	until(t, "the joker's wait", func() bool { return e.lockWaits() == 1 })
	if _, err := launch.Exec(t.Context(), `UPDATE sessions SET phase = 'open', question = 1, round_from = NULL, version = version + 1`); err != nil {
		t.Fatal(err)
	}
	if err := launch.Commit(t.Context()); err != nil {
		t.Fatal(err)
	}
	if err := <-played; !errors.Is(err, ErrTooLate) {
		t.Errorf("the joker: %v, want ErrTooLate", err)
	}
}

// lastOwn is the own part of a sight, which is not there when it is as before.
func (w *Watcher) lastOwn(s Sight) []byte {
	if s.Own != nil {
		return s.Own.Body
	}
	own, _ := w.room.personal(w.room.current.Load(), w.Seat)
	return newFrame(own).Body
}

// member adds a phone to the participant's team.
func (e *evening) member(captain Viewer, attempt string) Viewer {
	e.t.Helper()
	code, err := e.service.IssueTeamCode(e.t.Context(), captain)
	if err != nil {
		e.t.Fatal(err)
	}
	joined, err := e.service.Rejoin(e.t.Context(), code.Code, "", attempt)
	if err != nil {
		e.t.Fatal(err)
	}
	again, err := e.service.Rejoin(e.t.Context(), code.Code, "", attempt)
	if err != nil || again.Seat != joined.Seat {
		e.t.Errorf("the same phone again: %+v, %v, want %+v", again, err, joined)
	}
	v, err := e.service.AsParticipant(e.t.Context(), e.id, joined.Seat)
	if err != nil {
		e.t.Fatal(err)
	}
	return v
}

// TestFirstAnswerOfATeamCounts: several phones are one participant, and one answer.
func TestFirstAnswerOfATeamCounts(t *testing.T) {
	content := smallQuiz()
	content.Teams = quiz.FirstAnswer
	e := newEvening(t, content)
	captain := e.join("Owls")
	second := e.member(captain, "attempt-of-the-second-phone")
	third := e.member(captain, "attempt-of-the-third-phone")
	if second.Seat.Participant != captain.Seat.Participant || second.Seat.Member != 1 || third.Seat.Member != 2 {
		t.Fatalf("the team sits at %+v, %+v, %+v", captain.Seat, second.Seat, third.Seat)
	}
	if _, own := e.see(second); own["team"].(map[string]any)["phones"] != 3.0 || own["team"].(map[string]any)["captain"] != false || own["name"] != "Owls" {
		t.Errorf("the second phone is told %v", own)
	}
	if _, err := e.service.IssueTeamCode(t.Context(), second); !errors.Is(err, ErrNotCaptain) {
		t.Errorf("the second phone gives out codes: %v", err)
	}
	if _, live := e.see(e.host); live["participants"].([]any)[0].(map[string]any)["phones"] != 3.0 || live["joined"] != 1.0 {
		t.Errorf("the host is told %v", live)
	}
	e.launch()
	e.answer(second, choose("s", "1.1", 1), Accepted)
	e.answer(captain, choose("c", "1.1", 0), AlreadyAnswered)
	e.answer(third, choose("t", "1.1", 1), AlreadyAnswered)
	if _, own := e.see(captain); own["answer"].(map[string]any)["id"] != "s" {
		t.Errorf("the captain is told %v", own)
	}
	e.do(Close)
	e.do(Reveal)
	e.wantPoints("one answer", map[string]float64{"Owls": 1})

	// The captain's phone is moved: the team's others stay.
	if _, err := e.service.Rejoin(t.Context(), e.rejoinCode(e.publicID(captain)), "", "attempt-of-the-new-captain"); err != nil {
		t.Fatal(err)
	}
	if err := captain.stillAllowed(); !errors.Is(err, ErrNotParticipant) {
		t.Errorf("the captain's old phone: %v", err)
	}
	e.launch()
	e.answer(third, write("t2", "1.2", "gold"), Accepted)
	e.do(Remove, about(e.publicID(third)))
	if err := third.stillAllowed(); !errors.Is(err, ErrRemoved) {
		t.Errorf("a phone of a team that was removed: %v", err)
	}
}

// TestOnlyTheCaptainAnswers, and a team has ten phones at most.
func TestOnlyTheCaptainAnswers(t *testing.T) {
	content := smallQuiz()
	content.Teams = quiz.Captain
	content.Rounds[0].Joker = true
	e := newEvening(t, content)
	captain := e.join("Owls")
	var last Viewer
	for i := range maxMembers {
		last = e.member(captain, fmt.Sprintf("attempt-of-phone-number-%d", i))
	}
	if _, err := e.service.IssueTeamCode(t.Context(), captain); !errors.Is(err, ErrTeamFull) {
		t.Errorf("an eleventh phone: %v", err)
	}
	if err := e.service.PlayJoker(t.Context(), last, 1); !errors.Is(err, ErrNotCaptain) {
		t.Errorf("a joker by another phone: %v", err)
	}
	e.launch()
	e.answer(last, choose("l", "1.1", 1), NotCaptain)
	e.answer(captain, choose("c", "1.1", 1), Accepted)
	if _, own := e.see(last); own["answer"].(map[string]any)["id"] != "c" {
		t.Errorf("the others are told %v", own)
	}
}

func TestNoTeams(t *testing.T) {
	e := newEvening(t)
	v := e.join("Alone")
	if _, err := e.service.IssueTeamCode(t.Context(), v); !errors.Is(err, ErrNoTeams) {
		t.Errorf("got %v", err)
	}
	if _, own := e.see(v); own["team"] != nil {
		t.Errorf("the phone is told %v", own)
	}
}
