package session

import (
	"testing"

	"pubquiz/quiz"
)

// TestAWagerOfTheRemoved: what somebody staked before they were removed is worth what they had when the question closed,
// not what they have when they are let back in.
func TestAWagerOfTheRemoved(t *testing.T) {
	content := smallQuiz()
	content.Rounds[0].Questions[1].Wager = true
	e := newEvening(t, content)
	alice := e.join("Alice")
	id := e.publicID(alice)
	e.launch()
	e.answer(alice, choose("1", "1.1", 1), Accepted)
	e.do(Close)
	e.do(Reveal)
	e.launch()
	e.answer(alice, Answer{ID: "2", Question: "1.2", Given: quiz.Given{Text: "gold", Wager: 40}}, Accepted)
	e.do(Remove, about(id))
	e.do(Close)
	e.do(Reveal)
	e.do(Void, func(c *Command) { c.Question = "1.1" }) // with it goes all that she had
	e.do(LetBackIn, about(id))
	e.wantPoints("let back in", map[string]float64{"Alice": 1})
}
