package session

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"pubquiz/quiz"
)

// secrets is a round with a question of every kind, each with an answer that nobody can mistake for anything else.
func secrets(pacing quiz.Pacing) quiz.Content {
	q := func(q quiz.Question) quiz.Question {
		q.Seconds, q.Notes = 30, "classified note"
		if q.Kind != quiz.Poll && q.Kind != quiz.Slide {
			q.Points = 2
		}
		return q
	}
	options := []string{"first", "second", "third", "fourth", "fifth"}
	return quiz.Content{Title: "Secrets", Rounds: []quiz.Round{{Title: "Only", Pacing: pacing, Questions: []quiz.Question{
		q(quiz.Question{Kind: quiz.Single, Text: "Which?", Options: options, Correct: []int{1}}),
		q(quiz.Question{Kind: quiz.Multiple, Text: "Which ones?", Options: options, Correct: []int{1, 2}, Partial: true}),
		q(quiz.Question{Kind: quiz.TrueFalse, Text: "True?", Correct: []int{0}}),
		q(quiz.Question{Kind: quiz.Text, Text: "What?", Accepted: []string{"classified answer"}}),
		q(quiz.Question{Kind: quiz.NumberKind, Text: "How many?", Number: &quiz.Number{Value: 424242, Tolerance: 31337, Unit: "km"}}),
		q(quiz.Question{Kind: quiz.Ordering, Text: "In which order?", Options: options, Partial: true}),
		q(quiz.Question{Kind: quiz.Poll, Text: "What do you like?", Options: options}),
		q(quiz.Question{Kind: quiz.Slide, Text: "Read this."}),
	}}}}
}

// given is what somebody may answer to a question.
func given(q *quiz.Question) quiz.Given {
	switch q.Kind {
	case quiz.Text:
		return quiz.Given{Text: "a guess"}
	case quiz.NumberKind:
		return quiz.Given{Text: "17"}
	case quiz.Ordering:
		return quiz.Given{Choices: rand.Perm(len(q.Options))}
	default:
		return quiz.Given{Choices: []int{0}}
	}
}

// TestSeenElsewhereAnswerInTheJSON: before the reveal of a question, of whatever kind and in either pacing, nothing that phones and the big
// screen are sent says what is right, how others answered, or what the host has noted.
func TestSeenElsewhereAnswerInTheJSON(t *testing.T) {
	for _, pacing := range []quiz.Pacing{quiz.EachQuestion, quiz.RoundsEnd} {
		t.Run("pacing "+string(pacing), func(t *testing.T) {
			e := newEvening(t, secrets(pacing))
			v := e.join("Alice")
			seen := map[quiz.Kind]int{}
			check := func() {
				t.Helper()
				p := e.host.room.current.Load()
				if q, _, ok := p.question(p.Round, p.Question); ok && p.onScreen() {
					seen[q.Kind]++
					if host := string(p.sight(RoleHost).Shared.Body); !strings.Contains(host, "classified note") {
						t.Errorf("the host does not see the notes: %s", host)
					}
				}
				if p.afterReveal() {
					return
				}
				_, own := e.see(v)
				ownBody, err := json.Marshal(own)
				if err != nil {
					t.Fatal(err)
				}
				for what, body := range map[string]string{
					"the phones are": string(p.sight(RoleParticipant).Shared.Body), "the big screen is": string(p.sight(RoleScreen).Shared.Body), "Alice is": string(ownBody),
				} {
					for _, secret := range []string{
						"classified", "424242", "31337", `"correct"`, `"accepted"`, `"numeric"`, `"answer":{"correct`, `"distribution"`, `"right"`, `"popular"`,
						`"verdict"`, `"notes"`, `"upNext"`, `"commands"`, `"groups"`,
					} {
						if strings.Contains(body, secret) {
							t.Errorf("in phase %s %s sent %s: %s", p.Phase, what, secret, body)
						}
					}
					e.checkShuffled(body)
				}
			}
			check()
			for e.host.room.current.Load().Phase != Finished {
				p := e.host.room.current.Load()
				if q, _, ok := p.question(p.Round, p.Question); ok && p.Phase == Open {
					a := Answer{ID: fmt.Sprint("a", p.Question), Question: questionRef(p.Round, p.Question), Given: given(q)}
					e.answer(v, a, Accepted)
					check()
				}
				_, next := p.Allowed()
				e.do(next)
				check()
			}
			for _, kind := range quiz.Kinds {
				if seen[kind] == 0 {
					t.Errorf("no question of the kind %s was on screen", kind)
				}
			}
		})
	}
}

// checkShuffled: options that are to be put in order are not sent in the right one.
func (e *evening) checkShuffled(body string) {
	e.t.Helper()
	var s struct {
		Question struct {
			Kind    quiz.Kind
			Options []string
		}
	}
	if err := json.Unmarshal([]byte(body), &s); err != nil {
		e.t.Fatal(err)
	}
	if s.Question.Kind == quiz.Ordering && slices.Equal(s.Question.Options, []string{"first", "second", "third", "fourth", "fifth"}) {
		e.t.Errorf("the options are sent in their right order: %s", body)
	}
}
