package session

import (
	"errors"
	"testing"

	"pubquiz/quiz"
)

// TestMovedSeatIsClosedToTheOldPhone: what the old phone joined with, it still knows.
func TestMovedSeatIsClosedToTheOldPhone(t *testing.T) {
	e := newEvening(t)
	const oldAttempt = "attempt-of-the-old-phone"
	old, err := e.service.Join(t.Context(), e.code, "Movers", oldAttempt)
	if err != nil {
		t.Fatal(err)
	}
	firstCode := e.rejoinCode(old.PublicID)
	if _, err := e.service.Rejoin(t.Context(), firstCode, "", "attempt-of-the-second"); err != nil {
		t.Fatal(err)
	}
	_, err = e.service.Join(t.Context(), e.code, "Movers", oldAttempt)
	if _, taken := errors.AsType[*NameTakenError](err); !taken {
		t.Errorf("the old phone joins again as before: %v", err)
	}
	if _, err := e.service.Rejoin(t.Context(), e.rejoinCode(old.PublicID), "", "attempt-of-the-third"); err != nil {
		t.Fatal(err)
	}
	if _, err := e.service.Rejoin(t.Context(), firstCode, "", "attempt-of-the-second"); !errors.Is(err, ErrUnknownCode) {
		t.Errorf("the second phone uses its code again after the third has taken over: %v", err)
	}
}

// TestAnswerUnderAnOldIDIsNotAccepted: accepted means that this answer is stored, not another one with its id.
func TestAnswerUnderAnOldIDIsNotAccepted(t *testing.T) {
	e := newEvening(t)
	alice := e.join("Alice")
	e.launch()
	e.answer(alice, choose("a", "1.1", 1), Accepted)
	reply, err := e.service.Answer(t.Context(), alice, choose("a", "1.1", 0))
	if err != nil || reply.Outcome != AlreadyAnswered || reply.Given.Choices[0] != 1 {
		t.Errorf("%+v, %v", reply, err)
	}
	_, own := e.see(alice)
	if given := own["answer"].(map[string]any)["given"].(map[string]any); given["choices"].([]any)[0] != 1.0 {
		t.Errorf("Alice is told that she gave %v", given)
	}
	if a := alice.room.answerOf(alice.room.current.Load(), alice.Seat.Participant); a.given.Choices[0] != 1 {
		t.Errorf("her sockets are told %v", a.given)
	}

	// Both at once, in one batch: whichever is stored, the other is not accepted.
	bob := e.join("Bob")
	_, questionID, _ := bob.room.question(1, 1)
	var batch []pendingAnswer
	for option := range 2 {
		batch = append(batch, pendingAnswer{seat: bob.Seat, question: questionID, answer: Answer{ID: "b", Question: "1.1", Given: quiz.Given{Choices: []int{option}}}})
	}
	replies, err := e.service.answers.insert(t.Context(), batch)
	if err != nil {
		t.Fatal(err)
	}
	accepted := 0
	for _, r := range replies {
		if r.Outcome == Accepted {
			accepted++
		}
	}
	if accepted != 1 {
		t.Errorf("%d of two different answers were accepted: %+v", accepted, replies)
	}
}

// TestWhatComesTellsNothing: whatever is sent as an answer to a question that has not been launched, it is told the same as of one that does not exist. That an answer
// would not fit tells how many options a question has.
func TestWhatComesTellsNothing(t *testing.T) {
	content := quiz.Showcase()
	e := newEvening(t, content)
	v := e.join("Alice")
	given := []quiz.Given{{}, {Text: "42"}, {Text: "\x00"}, {Choices: []int{0}}, {Choices: []int{0, 1}}, {Choices: []int{0, 0}}, {Choices: []int{3}}, {Choices: []int{-1}},
		{Choices: []int{0}, Wager: 2}, {Text: "42", Wager: -2}}
	for i, r := range content.Rounds {
		for j := range r.Questions {
			for _, g := range given {
				e.answer(v, Answer{ID: "a", Question: questionRef(i+1, j+1), Given: g}, NotThisQuestion)
			}
		}
	}
	for _, g := range given {
		e.answer(v, Answer{ID: "a", Question: "99.1", Given: g}, NotThisQuestion)
	}
	e.launch()
	if _, err := e.service.Answer(t.Context(), v, Answer{ID: "a", Question: "1.1", Given: quiz.Given{Wager: -1}}); err == nil {
		t.Error("of a question that was launched, nobody is told what does not fit")
	}
}

// TestPhoneOfAnotherTeam: the attempt by which a phone got into a team leads nowhere else, neither to the same place in another team nor past how many a team may be.
func TestPhoneOfAnotherTeam(t *testing.T) {
	content := smallQuiz()
	content.Teams = quiz.FirstAnswer
	e := newEvening(t, content)
	owls, larks := e.join("Owls"), e.join("Larks")
	const attempt = "attempt-of-one-phone-0"
	e.member(owls, attempt)
	code, err := e.service.IssueTeamCode(t.Context(), larks)
	if err != nil {
		t.Fatal(err)
	}
	if joined, err := e.service.Rejoin(t.Context(), code.Code, "", attempt); !errors.Is(err, ErrUnknownCode) {
		t.Errorf("it sits at %+v: %v", joined.Seat, err)
	}
	if joined, err := e.service.Rejoin(t.Context(), code.Code, "", "attempt-of-another-phone"); err != nil || joined.Seat.Participant != larks.Seat.Participant {
		t.Errorf("another phone sits at %+v: %v", joined.Seat, err)
	}
}

// TestCodesDoNotPileUp: of those that lead to one place the latest count, whoever asks for more; and those that lead elsewhere are not touched.
func TestCodesDoNotPileUp(t *testing.T) {
	content := smallQuiz()
	content.Teams = quiz.FirstAnswer
	e := newEvening(t, content)
	captain := e.join("Owls")
	toSeat, toNew := e.rejoinCode(e.publicID(captain)), e.rejoinCode("")
	var codes []string
	for range rejoinCodesKept + 2 {
		code, err := e.service.IssueTeamCode(t.Context(), captain)
		if err != nil {
			t.Fatal(err)
		}
		codes = append(codes, code.Code)
	}
	for i, code := range codes {
		if kept := e.service.IsRejoinCode(code); kept != (i >= 2) {
			t.Errorf("code %d is known: %t", i+1, kept)
		}
	}
	for _, code := range []string{toSeat, toNew} {
		if !e.service.IsRejoinCode(code) {
			t.Error("a code that leads elsewhere is gone")
		}
	}
}
