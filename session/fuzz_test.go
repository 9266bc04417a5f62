package session

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// FuzzApply sends any sequence of commands and looks for a state that must not be, that has no way on, or that back does
// not lead back to.
func FuzzApply(f *testing.F) {
	all := append(slices.Clone(hostCommands), ownCommands...)
	seed := func(shape []byte, commands ...CommandName) {
		var b []byte
		for _, c := range commands {
			b = append(b, byte(slices.Index(all, c)))
		}
		f.Add(shape, b)
	}
	seed([]byte{2, 1}, Next, Launch, Close, Reveal, Launch, Close, Reveal, ShowStandings, Next, Back, Back, Back, Reveal, Next, Launch, Close, Reveal, Finish, Back)
	seed([]byte{10 + 3, 20 + 2}, Next, Launch, Close, Launch, Close, Launch, Close, Reveal, Reveal, Back, Back, Reopen, Close, Reveal, Reveal, Reveal, Next, Back, Next)
	seed([]byte{1}, Finish, Back, Next, Finish, Back, Launch, Pause, Extend, Resume, Void, Close, Unvoid, Reopen, Pause, Close, Finish, Back)
	f.Fuzz(func(t *testing.T, shape, commands []byte) {
		var rounds []RoundState
		for _, n := range shape[:min(len(shape), 5)] {
			r := RoundState{AtEnd: n/10%2 == 1, Questions: make([]QuestionState, n%5)}
			for i := range r.Questions {
				r.Questions[i] = QuestionState{Slide: n/20%2 == 1 && i%2 == 0, Time: time.Duration(i+5) * time.Second, Status: StatusWaiting}
			}
			rounds = append(rounds, r)
		}
		s := State{Version: 1, Phase: Lobby, Rounds: rounds}
		now := testStart
		for _, b := range commands {
			now = now.Add(time.Duration(b) * 100 * time.Millisecond)
			c := sensible(all[int(b)%len(all)], s.Version)
			c.Question = questionRef(int(b)%2+1, int(b)%3+1)
			c.lead = time.Duration(b%2) * 700 * time.Millisecond
			before := s.clone()
			after, err := Apply(s, c, now, testGrace)
			if diff := cmp.Diff(before, s); diff != "" {
				t.Fatalf("%s changed what it was given:\n%s", c.Command, diff)
			}
			if err != nil {
				if diff := cmp.Diff(s, after); diff != "" {
					t.Fatalf("%s was refused and changed the state:\n%s", c.Command, diff)
				}
				continue
			}
			if problem := impossible(s, after, c.Command); problem != "" {
				t.Fatalf("%s from %+v led to %+v: %s", c.Command, s, after, problem)
			}
			s = after
		}
	})
}

// impossible says what about a transition can not be.
func impossible(before, after State, c CommandName) string {
	if after.Version != before.Version+1 {
		return "the version did not go up by one"
	}
	open := 0
	for _, r := range after.Rounds {
		for _, q := range r.Questions {
			if problem := impossibleQuestion(q); problem != "" {
				return problem
			}
			if q.Status == StatusOpen {
				open++
			}
		}
	}
	switch {
	case open > 1 || (open == 1) != (after.Phase == Open):
		return fmt.Sprintf("%d questions are open", open)
	case after.Round < 0 || after.Round > len(after.Rounds) || after.Round > 0 && after.Question > len(after.round().Questions):
		return "there is no such question"
	case (after.Phase == Lobby) != (after.Round == 0) && after.Phase != Finished:
		return "the lobby is not before the first round"
	case after.onScreen() && (after.Round == 0 || after.Question == 0):
		return "no question is on screen"
	case after.onScreen() && after.onScreenNow().Status != map[Phase]Status{Open: StatusOpen, Closed: StatusClosed, Revealed: StatusRevealed, Standings: StatusRevealed}[after.Phase]:
		return "the question on screen is not as far as the session"
	case after.Shown < 0:
		return "standings were taken back more often than they were shown"
	case after.Round > before.Round && before.Round > 0 && !before.atRoundEnd():
		return "a round was left before its last question"
	}
	if problem := mayNotLead(before, after, c); problem != "" {
		return problem
	}
	_, next := after.Allowed()
	if next == "" {
		if after.Phase != Finished {
			return "there is no way on"
		}
		return ""
	}
	if _, err := Apply(after, sensible(next, after.Version), testStart.Add(24*time.Hour), testGrace); err != nil {
		return fmt.Sprintf("the next obvious step, %s, is refused: %v", next, err)
	}
	return ""
}

// mayNotLead says why a command may not lead from one state to the other.
func mayNotLead(before, after State, c CommandName) string {
	steps := []CommandName{Next, Launch, Close, TimeUp, Reveal, ShowStandings, Finish, Back, Reopen}
	if !slices.Contains(steps, c) && (after.Phase != before.Phase || after.Round != before.Round || after.Question != before.Question) {
		return "it took a step"
	}
	if !slices.Contains([]CommandName{Next, ShowStandings, Finish}, c) && (c != Reveal || after.onScreenNow().Slide) {
		return ""
	}
	again, err := Apply(after, Command{Version: after.Version, Command: Back}, testStart, testGrace)
	if err != nil {
		return fmt.Sprintf("there is no way back: %v", err)
	}
	again.Version = before.Version
	if diff := cmp.Diff(before, again); diff != "" {
		return "back does not lead back:\n" + diff
	}
	return ""
}

func impossibleQuestion(q QuestionState) string {
	switch {
	case (q.Status == StatusWaiting) != q.OpensAt.IsZero() || q.OpensAt.IsZero() != q.ClosesAt.IsZero():
		return "a question that was not launched has times, or one that was has none"
	case q.ClosesAt.Before(q.OpensAt):
		return "it closes before it opens"
	case !q.PausedAt.IsZero() && q.PausedAt.Before(q.OpensAt):
		return "its clock stood still before it ran"
	case !q.PausedAt.IsZero() && q.Status != StatusOpen:
		return "the clock of a question that is not open stands still"
	case q.PausedFor < 0:
		return "a pause was shorter than nothing"
	case q.Slide && q.Status == StatusOpen:
		return "a slide takes answers"
	case q.Voided && q.Status == StatusWaiting:
		return "a question that nobody has seen is void"
	}
	return ""
}
