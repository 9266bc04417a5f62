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
