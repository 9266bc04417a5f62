package session

import (
	"errors"
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

const testGrace = 750 * time.Millisecond

var (
	testStart   = time.Date(2026, 11, 30, 20, 0, 0, 0, time.UTC)
	testProgram = [][]time.Duration{{30 * time.Second, 20 * time.Second}, {10 * time.Second}}
)

// TestWholeEvening follows every step of a quiz of two rounds.
func TestWholeEvening(t *testing.T) {
	s := State{Version: 1, Phase: Lobby, Program: testProgram}
	now := testStart
	for i, step := range []struct {
		command         CommandName
		after           time.Duration
		phase           Phase
		round, question int
		next            CommandName
	}{
		{Next, 0, InRound, 1, 0, Launch},
		{Launch, 0, Open, 1, 1, Close},
		{TimeUp, 30*time.Second + testGrace, Closed, 1, 1, Reveal},
		{Reveal, 0, Revealed, 1, 1, Launch},
		{Launch, 0, Open, 1, 2, Close},
		{Close, 5 * time.Second, Closed, 1, 2, Reveal},
		{Reveal, 0, Revealed, 1, 2, ShowStandings},
		{ShowStandings, 0, Standings, 1, 2, Next},
		{Next, 0, InRound, 2, 0, Launch},
		{Launch, 0, Open, 2, 1, Close},
		{Close, time.Second, Closed, 2, 1, Reveal},
		{Reveal, 0, Revealed, 2, 1, Finish},
		{Finish, 0, Finished, 2, 1, ""},
	} {
		now = now.Add(step.after)
		after, err := Apply(s, Command{Version: s.Version, Command: step.command}, now, testGrace)
		if err != nil {
			t.Fatalf("step %d, %s from %s: %v", i, step.command, s.Phase, err)
		}
		if after.Version != s.Version+1 || after.Phase != step.phase || after.Round != step.round || after.Question != step.question {
			t.Fatalf("step %d, %s from %s led to %+v", i, step.command, s.Phase, after)
		}
		if _, next := after.Allowed(); next != step.next {
			t.Errorf("after %s the next obvious step is %q, want %q", step.command, next, step.next)
		}
		s = after
	}
}

// TestEveryCommandInEveryPhase is the table of docs/state-machine.md.
func TestEveryCommandInEveryPhase(t *testing.T) {
	inside := State{Version: 7, Round: 1, Question: 1, Program: testProgram, OpensAt: testStart, ClosesAt: testStart.Add(30 * time.Second)}
	atEnd := inside
	atEnd.Question = 2
	last := inside
	last.Round, last.Question = 2, 1
	in := func(s State, p Phase) State { s.Phase = p; return s }
	locked := in(inside, Closed)
	locked.DoorsLocked = true
	always := []CommandName{Rename, Remove, RenewScreen}
	for name, test := range map[string]struct {
		state   State
		allowed []CommandName
	}{
		"lobby":             {State{Phase: Lobby, Version: 7, Program: testProgram}, []CommandName{Next, Finish, LockDoors}},
		"round":             {State{Phase: InRound, Version: 7, Round: 1, Program: testProgram}, []CommandName{Launch, Finish, LockDoors}},
		"open":              {in(inside, Open), []CommandName{Close, LockDoors}},
		"closed":            {in(inside, Closed), []CommandName{Reveal, Finish, LockDoors}},
		"closed, locked":    {locked, []CommandName{Reveal, Finish, UnlockDoors}},
		"revealed":          {in(inside, Revealed), []CommandName{Launch, ShowStandings, Finish, LockDoors}},
		"standings":         {in(inside, Standings), []CommandName{Launch, Finish, LockDoors}},
		"revealed, at end":  {in(atEnd, Revealed), []CommandName{Next, ShowStandings, Finish, LockDoors}},
		"standings, at end": {in(atEnd, Standings), []CommandName{Next, Finish, LockDoors}},
		"revealed, last":    {in(last, Revealed), []CommandName{ShowStandings, Finish, LockDoors}},
		"standings, last":   {in(last, Standings), []CommandName{Finish, LockDoors}},
		"finished":          {in(last, Finished), nil},
	} {
		t.Run(name, func(t *testing.T) {
			want := slices.Concat(test.allowed, always)
			if test.state.Phase != Finished {
				want = append(want, SetCapacity, ShutOut)
			}
			got, _ := test.state.Allowed()
			if diff := cmp.Diff(sorted(want), sorted(got)); diff != "" {
				t.Errorf("allowed (-want +got):\n%s", diff)
			}
			for _, c := range hostCommands {
				_, err := Apply(test.state, Command{Version: 7, Command: c, Capacity: 50}, testStart, testGrace)
				if slices.Contains(want, c) != (err == nil) {
					t.Errorf("%s: %v", c, err)
				}
				if err != nil && !errors.Is(err, ErrNotNow) {
					t.Errorf("%s is refused with %v, want ErrNotNow", c, err)
				}
			}
		})
	}
}

func sorted(c []CommandName) []CommandName {
	c = slices.Clone(c)
	slices.Sort(c)
	return c
}

func TestStaleCommandChangesNothing(t *testing.T) {
	s := State{Version: 4, Phase: InRound, Round: 1, Program: testProgram}
	for _, version := range []int64{0, 3, 5} {
		after, err := Apply(s, Command{Version: version, Command: Launch}, testStart, testGrace)
		stale, ok := errors.AsType[*StaleVersionError](err)
		if !ok || stale.Version != 4 {
			t.Errorf("version %d: %v, want StaleVersionError{4}", version, err)
		}
		if diff := cmp.Diff(s, after); diff != "" {
			t.Errorf("version %d changed the state:\n%s", version, diff)
		}
	}
}

// TestDoubleClick sends the same command twice: the second is for a version that is gone, so no step is skipped.
func TestDoubleClick(t *testing.T) {
	s := State{Version: 1, Phase: Revealed, Round: 1, Question: 1, Program: testProgram}
	c := Command{Version: 1, Command: Launch}
	s, err := Apply(s, c, testStart, testGrace)
	if err != nil {
		t.Fatal(err)
	}
	if s, err = Apply(s, c, testStart, testGrace); err == nil || s.Question != 2 || s.Phase != Open {
		t.Errorf("the second click led to %+v, %v", s, err)
	}
}

func TestClock(t *testing.T) {
	s := State{Version: 1, Phase: InRound, Round: 1, Program: testProgram}
	s, err := Apply(s, Command{Version: 1, Command: Launch}, testStart, testGrace)
	if err != nil {
		t.Fatal(err)
	}
	closes := testStart.Add(30 * time.Second)
	if !s.OpensAt.Equal(testStart) || !s.ClosesAt.Equal(closes) {
		t.Fatalf("open from %v to %v", s.OpensAt, s.ClosesAt)
	}
	if after, err := Apply(s, Command{Version: 2, Command: TimeUp}, closes.Add(testGrace-1), testGrace); !errors.Is(err, ErrNotNow) || after.Phase != Open || after.Version != 2 {
		t.Errorf("the clock closed within the grace: %+v, %v", after, err)
	}
	after, err := Apply(s, Command{Version: 2, Command: TimeUp}, closes.Add(testGrace), testGrace)
	if err != nil || after.Phase != Closed || !after.ClosesAt.Equal(closes) {
		t.Errorf("the clock, at the end of the grace: %+v, %v", after, err)
	}
	for _, test := range []struct{ at, want time.Duration }{{5 * time.Second, 5 * time.Second}, {31 * time.Second, 30 * time.Second}, {-time.Second, 0}} {
		after, err := Apply(s, Command{Version: 2, Command: Close}, testStart.Add(test.at), testGrace)
		if got := after.ClosesAt.Sub(testStart); err != nil || got != test.want {
			t.Errorf("closed by the host %v after the launch: closing time %v after it, %v, want %v", test.at, got, err, test.want)
		}
	}
}

func TestUnknownCommand(t *testing.T) {
	if _, err := Apply(State{Version: 1, Phase: Lobby, Program: testProgram}, Command{Version: 1, Command: "explode"}, testStart, testGrace); !errors.Is(err, ErrUnknownCommand) {
		t.Errorf("got %v", err)
	}
}

func TestCapacity(t *testing.T) {
	s := State{Version: 1, Phase: Lobby, Program: testProgram, Capacity: 100}
	for _, n := range []int{-1, 0, MaxCapacity + 1} {
		after, err := Apply(s, Command{Version: 1, Command: SetCapacity, Capacity: n}, testStart, testGrace)
		if invalid, ok := errors.AsType[*InvalidError](err); !ok || invalid.Field != "capacity" || after.Capacity != 100 {
			t.Errorf("capacity %d: %+v, %v", n, after, err)
		}
	}
	if after, err := Apply(s, Command{Version: 1, Command: SetCapacity, Capacity: MaxCapacity}, testStart, testGrace); err != nil || after.Capacity != MaxCapacity {
		t.Errorf("%+v, %v", after, err)
	}
}

// FuzzApply sends any sequence of commands and looks for a state that must not be.
func FuzzApply(f *testing.F) {
	f.Add([]byte{2, 1}, []byte{0, 1, 10, 3, 1, 10, 3, 4, 0, 5})
	f.Add([]byte{1}, []byte{0, 1, 2, 3, 5, 0, 1})
	f.Fuzz(func(t *testing.T, shape, commands []byte) {
		var program [][]time.Duration
		for _, n := range shape[:min(len(shape), 5)] {
			program = append(program, make([]time.Duration, n%5))
			for i := range program[len(program)-1] {
				program[len(program)-1][i] = time.Duration(i+5) * time.Second
			}
		}
		s := State{Version: 1, Phase: Lobby, Program: program}
		now := testStart
		all := append(slices.Clone(hostCommands), TimeUp, MoveSeat)
		for _, b := range commands {
			now = now.Add(time.Duration(b) * 100 * time.Millisecond)
			c := Command{Version: s.Version, Command: all[int(b)%len(all)], Capacity: 50}
			after, err := Apply(s, c, now, testGrace)
			if err != nil {
				if diff := cmp.Diff(s, after); diff != "" {
					t.Fatalf("%s was refused and changed the state:\n%s", c.Command, diff)
				}
				continue
			}
			if problem := impossible(s, after); problem != "" {
				t.Fatalf("%s from %+v led to %+v: %s", c.Command, s, after, problem)
			}
			s = after
		}
	})
}

// impossible says what about a transition can not be.
func impossible(before, after State) string {
	switch {
	case after.Version != before.Version+1:
		return "the version did not go up by one"
	case before.Phase == Finished && after.Phase != Finished:
		return "it went on after the end"
	case after.Round < before.Round || after.Round > len(after.Program):
		return "the round went back, or past the last"
	case after.Round == before.Round && after.Question < before.Question:
		return "the question went back"
	case after.Question > before.Question+1:
		return "a question was skipped"
	case after.Round > before.Round && (before.Round > 0 && before.Question < len(before.Program[before.Round-1])):
		return "a round was left before its last question"
	case after.Round > 0 && after.Question > len(after.Program[after.Round-1]):
		return "there is no such question"
	case after.onScreen() && (after.Round == 0 || after.Question == 0):
		return "no question is on screen"
	case (after.Phase == Lobby) != (after.Round == 0) && after.Phase != Finished:
		return "the lobby is not before the first round"
	case after.onScreen() && after.ClosesAt.Before(after.OpensAt):
		return "it closes before it opens"
	case after.Phase == Revealed && before.Phase != Closed && before.Phase != Revealed:
		return fmt.Sprintf("revealed straight from %s", before.Phase)
	}
	return ""
}
