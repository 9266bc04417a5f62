package session

import (
	"context"
	"fmt"

	"github.com/jackc/pgx/v5"

	"pubquiz/internal/words"
	"pubquiz/quiz"
)

// GroupDecision is what a host decides about all typed answers to a question that fold to one text. Its JSON form is the
// protocol's.
type GroupDecision struct {
	Question string `json:"question"` // "2.4"
	Group    string `json:"group"`    // a group's key
	Verdict  string `json:"verdict"`  // a quiz.Decision, or "machine", which takes one back
}

// leaveToMachine takes a decision back.
const leaveToMachine = "machine"

// Decide carries out a host's decision, whatever the session's version, marks the question again in the same transaction,
// and returns the version it led to. It fails with *InvalidError, and with ErrNotNow while the question has not closed.
func (s *Service) Decide(ctx context.Context, v Viewer, d GroupDecision) (version int64, err error) {
	if v.Role != RoleHost {
		return 0, ErrNotFound
	}
	c := Command{Command: Mark, Question: d.Question, folded: d.Group, decision: quiz.Decision(d.Verdict)}
	switch c.decision {
	case quiz.DecideRight, quiz.DecideHalf, quiz.DecideWrong:
	case leaveToMachine:
		c.decision = ""
	default:
		return 0, &InvalidError{"verdict", words.T("Mark it right, half or wrong, or leave it to the machine.")}
	}
	return s.atAnyVersion(ctx, v.room, &v.Host, func(State) Command { return c })
}

// Marking is what there is to mark in a round, at one version. Its JSON form is the protocol's.
type Marking struct {
	Version   int64            `json:"version"`
	Questions []MarkedQuestion `json:"questions"` // those that have closed
}

// MarkedQuestion is a question that has closed, with what was typed. Only a text question has groups.
type MarkedQuestion struct {
	ID       string        `json:"id"`
	Number   int           `json:"number"`
	Kind     quiz.Kind     `json:"kind"`
	Text     string        `json:"text"`
	Accepted []string      `json:"accepted,omitempty"`
	Points   quiz.Points   `json:"points"`
	Status   Status        `json:"status"`
	Voided   bool          `json:"voided,omitempty"`
	Groups   []answerGroup `json:"groups"`
}

// Marking returns what there is to mark in a round, from 1. A round that the quiz does not have is refused with an
// *InvalidError.
func (s *Service) Marking(ctx context.Context, v Viewer, round int) (Marking, error) {
	if v.Role != RoleHost {
		return Marking{}, ErrNotFound
	}
	f := v.room.frozen
	if round < 1 || round > len(f.rounds) {
		return Marking{}, &InvalidError{"round", words.T("This quiz has rounds 1 to {last}.", "last", len(f.rounds))}
	}
	m := Marking{Questions: []MarkedQuestion{}}
	err := s.readOnly(ctx, func(tx pgx.Tx) error {
		state, err := readState(ctx, tx, f, false)
		if err != nil {
			return err
		}
		m.Version = state.Version
		for i, q := range state.Rounds[round-1].Questions {
			if q.Slide || q.Status == StatusWaiting || q.Status == StatusOpen {
				continue
			}
			marked, err := readMarked(ctx, tx, f, place{round, i + 1}, q)
			if err != nil {
				return err
			}
			m.Questions = append(m.Questions, marked)
		}
		return nil
	})
	if err != nil {
		return Marking{}, fmt.Errorf("session.Marking: %w", err)
	}
	return m, nil
}

func readMarked(ctx context.Context, tx pgx.Tx, f *frozen, at place, state QuestionState) (MarkedQuestion, error) {
	q, questionID, _ := f.question(at.round, at.number)
	m := MarkedQuestion{
		ID: questionRef(at.round, at.number), Number: at.number, Kind: q.Kind, Text: q.Text, Points: q.Points, Status: state.Status, Voided: state.Voided,
		Groups: []answerGroup{},
	}
	if q.Kind != quiz.Text {
		return m, nil
	}
	answers, err := readAnswers(ctx, tx, f.id, questionID)
	m.Accepted, m.Groups = q.Accepted, groups(answers)
	return m, err
}
