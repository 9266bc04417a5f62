package session

import (
	"errors"
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

const testGrace = 750 * time.Millisecond

var (
	testStart = time.Date(2026, 11, 30, 20, 0, 0, 0, time.UTC)
)

// testRounds are two rounds, of two questions and of one.
func testRounds() []RoundState { return roundsOf([]int{30, 20}, []int{10}) }

// roundsOf are rounds of questions that take so many seconds each.
func roundsOf(seconds ...[]int) []RoundState {
	rounds := make([]RoundState, len(seconds))
	for i, of := range seconds {
		for _, n := range of {
			rounds[i].Questions = append(rounds[i].Questions, QuestionState{Time: time.Duration(n) * time.Second, Status: StatusWaiting})
		}
	}
	return rounds
}

// TestWholeEvening follows every step of a quiz of two rounds.
func TestWholeEvening(t *testing.T) {
	s := State{Version: 1, Phase: Lobby, Rounds: testRounds()}
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
	lobby := State{Version: 7, Phase: Lobby, Rounds: testRounds()}
	follow := func(s State, commands ...CommandName) State {
		t.Helper()
		for _, c := range commands {
			s = mustApply(t, s, c)
		}
		s.Version = 7
		return s
	}
	atEnd := []CommandName{Next, Launch, Close, Reveal, Launch, Close, Reveal}
	last := append(slices.Clone(atEnd), Next, Launch, Close, Reveal)
	asOnPaper := lobby.clone()
	asOnPaper.Rounds[0].AtEnd = true
	withSlide := lobby.clone()
	withSlide.Rounds[0].Questions[0].Slide = true
	sheet := asOnPaper.clone()
	sheet.Rounds[0].Questions[1].Slide = true
	always := []CommandName{Adjust, Rename, Remove, LetBackIn, RenewScreen, PublishResults}
	for name, test := range map[string]struct {
		state   State
		allowed []CommandName
	}{
		"lobby":             {lobby, []CommandName{Next, Finish, LockDoors}},
		"round":             {follow(lobby, Next), []CommandName{Launch, Back, Finish, LockDoors}},
		"open":              {follow(lobby, Next, Launch), []CommandName{Close, Pause, Extend, Void, LockDoors}},
		"paused":            {follow(lobby, Next, Launch, Pause), []CommandName{Close, Resume, Extend, Void, LockDoors}},
		"closed":            {follow(lobby, Next, Launch, Close), []CommandName{Reveal, Reopen, Void, Finish, LockDoors}},
		"closed, locked":    {follow(lobby, Next, Launch, Close, LockDoors), []CommandName{Reveal, Reopen, Void, Finish, UnlockDoors}},
		"revealed":          {follow(lobby, Next, Launch, Close, Reveal), []CommandName{Launch, ShowStandings, Back, Void, Finish, LockDoors}},
		"standings":         {follow(lobby, Next, Launch, Close, Reveal, ShowStandings), []CommandName{Launch, Back, Void, Finish, LockDoors}},
		"revealed, at end":  {follow(lobby, atEnd...), []CommandName{Next, ShowStandings, Back, Void, Finish, LockDoors}},
		"standings, at end": {follow(lobby, append(atEnd, ShowStandings)...), []CommandName{Next, Back, Void, Finish, LockDoors}},
		"revealed, last":    {follow(lobby, last...), []CommandName{ShowStandings, Back, Void, Finish, LockDoors}},
		"standings, last":   {follow(lobby, append(last, ShowStandings)...), []CommandName{Back, Void, Finish, LockDoors}},
		"finished":          {follow(lobby, append(last, Finish)...), []CommandName{Back, Void}},

		"on paper, closed":             {follow(asOnPaper, Next, Launch, Close), []CommandName{Launch, Reopen, Void, Finish, LockDoors}},
		"on paper, last closed":        {follow(asOnPaper, Next, Launch, Close, Launch, Close), []CommandName{Reveal, Reopen, Void, Finish, LockDoors}},
		"on paper, first revealed":     {follow(asOnPaper, Next, Launch, Close, Launch, Close, Reveal), []CommandName{Reveal, Back, Void, Finish, LockDoors}},
		"on paper, all revealed":       {follow(asOnPaper, Next, Launch, Close, Launch, Close, Reveal, Reveal), []CommandName{Next, ShowStandings, Back, Void, Finish, LockDoors}},
		"a slide":                      {follow(withSlide, Next, Launch), []CommandName{Launch, ShowStandings, Void, Finish, LockDoors}},
		"a slide, on paper, as a last": {follow(sheet, Next, Launch, Close, Launch), []CommandName{Reveal, Void, Finish, LockDoors}},
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
				command := sensible(c, 7)
				_, err := Apply(test.state, command, testStart, testGrace)
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

// sensible is a command with all that it asks for. The question is the first.
func sensible(name CommandName, version int64) Command {
	return Command{Version: version, Command: name, Capacity: 50, Seconds: 30, Question: "1.1", Points: 1, Reason: "a fair share", token: "token"}
}

func mustApply(t *testing.T, s State, name CommandName) State {
	t.Helper()
	after, err := Apply(s, sensible(name, s.Version), testStart, testGrace)
	if err != nil {
		t.Fatalf("%s from %s: %v", name, s.Phase, err)
	}
	return after
}

func sorted(c []CommandName) []CommandName {
	c = slices.Clone(c)
	slices.Sort(c)
	return c
}

func TestStaleCommandChangesNothing(t *testing.T) {
	s := State{Version: 4, Phase: InRound, Round: 1, Rounds: testRounds()}
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
	s := State{Version: 1, Phase: Lobby, Rounds: testRounds()}
	for _, c := range []CommandName{Next, Launch, Close, Reveal} {
		s = mustApply(t, s, c)
	}
	c := Command{Version: s.Version, Command: Launch}
	s, err := Apply(s, c, testStart, testGrace)
	if err != nil {
		t.Fatal(err)
	}
	if s, err = Apply(s, c, testStart, testGrace); err == nil || s.Question != 2 || s.Phase != Open {
		t.Errorf("the second click led to %+v, %v", s, err)
	}
}

func TestClock(t *testing.T) {
	s := State{Version: 1, Phase: InRound, Round: 1, Rounds: testRounds()}
	s, err := Apply(s, Command{Version: 1, Command: Launch}, testStart, testGrace)
	if err != nil {
		t.Fatal(err)
	}
	closes := testStart.Add(30 * time.Second)
	if q := s.onScreenNow(); !q.OpensAt.Equal(testStart) || !q.ClosesAt.Equal(closes) {
		t.Fatalf("open from %v to %v", q.OpensAt, q.ClosesAt)
	}
	if after, err := Apply(s, Command{Version: 2, Command: TimeUp}, closes.Add(testGrace-1), testGrace); !errors.Is(err, ErrNotNow) || after.Phase != Open || after.Version != 2 {
		t.Errorf("the clock closed within the grace: %+v, %v", after, err)
	}
	after, err := Apply(s, Command{Version: 2, Command: TimeUp}, closes.Add(testGrace), testGrace)
	if err != nil || after.Phase != Closed || !after.onScreenNow().ClosesAt.Equal(closes) {
		t.Errorf("the clock, at the end of the grace: %+v, %v", after, err)
	}
	for _, test := range []struct{ at, want time.Duration }{{5 * time.Second, 5 * time.Second}, {31 * time.Second, 30 * time.Second}, {-time.Second, 0}} {
		after, err := Apply(s, Command{Version: 2, Command: Close}, testStart.Add(test.at), testGrace)
		if got := after.onScreenNow().ClosesAt.Sub(testStart); err != nil || got != test.want {
			t.Errorf("closed by the host %v after the launch: closing time %v after it, %v, want %v", test.at, got, err, test.want)
		}
	}
}

// TestTooLateForMoreTime: what would stop the clock or move its end comes before that end or not at all. The grace is for answers.
func TestTooLateForMoreTime(t *testing.T) {
	lobby := State{Version: 1, Phase: Lobby, Rounds: testRounds()}
	open := mustApply(t, mustApply(t, lobby, Next), Launch)
	extended := mustApply(t, open, Extend)
	paused := mustApply(t, open, Pause)
	for name, test := range map[string]struct {
		state   State
		command CommandName
		at      time.Duration // after the launch of a question of 30 seconds
		want    error
	}{
		"a pause at the last moment":            {open, Pause, 30*time.Second - 1, nil},
		"a pause at the end":                    {open, Pause, 30 * time.Second, ErrTimeIsUp},
		"a pause within the grace":              {open, Pause, 30*time.Second + testGrace - 1, ErrTimeIsUp},
		"a pause after it, before the close":    {open, Pause, time.Minute, ErrTimeIsUp},
		"more time at the last moment":          {open, Extend, 30*time.Second - 1, nil},
		"more time at the end":                  {open, Extend, 30 * time.Second, ErrTimeIsUp},
		"more time after it, before the close":  {open, Extend, time.Minute, ErrTimeIsUp},
		"more time again, before the later end": {extended, Extend, time.Minute - 1, nil},
		"more time again, at the later end":     {extended, Extend, time.Minute, ErrTimeIsUp},
		"more time while the clock stands":      {paused, Extend, time.Hour, nil},
		"going on, however late":                {paused, Resume, time.Hour, nil},
		"a close by the host, all the same":     {open, Close, time.Minute, nil},
	} {
		after, err := Apply(test.state, sensible(test.command, test.state.Version), testStart.Add(test.at), testGrace)
		if !errors.Is(err, test.want) || err != nil && after.Version != test.state.Version {
			t.Errorf("%s: %v, want %v", name, err, test.want)
		}
	}
}

// TestWithinTheLead: a question that was launched and has not opened is as good as open for the host, and no time of its own is lost.
func TestWithinTheLead(t *testing.T) {
	const lead, at = 700 * time.Millisecond, 300 * time.Millisecond
	lobby := State{Version: 1, Phase: Lobby, Rounds: testRounds()}
	launch := sensible(Launch, 2)
	launch.lead = lead
	launched, err := Apply(mustApply(t, lobby, Next), launch, testStart, testGrace)
	if err != nil {
		t.Fatal(err)
	}
	opens := testStart.Add(lead)
	type step struct {
		command CommandName
		at      time.Duration // after the launch
	}
	for name, test := range map[string]struct {
		steps     []step
		closes    time.Duration // after the opening
		pausedAt  time.Duration // after the opening; -1: the clock runs
		pausedFor time.Duration
		want      error // of the last step
	}{
		"the launch":                        {nil, 30 * time.Second, -1, 0, nil},
		"a pause":                           {[]step{{Pause, at}}, 30 * time.Second, 0, 0, nil},
		"a pause that ends before it":       {[]step{{Pause, at}, {Resume, at + 1}}, 30 * time.Second, -1, 0, nil},
		"a pause that ends after it":        {[]step{{Pause, at}, {Resume, lead + 10*time.Second}}, 40 * time.Second, -1, 10 * time.Second, nil},
		"more time":                         {[]step{{Extend, at}}, time.Minute, -1, 0, nil},
		"more time while it is paused":      {[]step{{Pause, at}, {Extend, at}}, time.Minute, 0, 0, nil},
		"a close":                           {[]step{{Close, at}}, 0, -1, 0, nil},
		"a close of what is paused":         {[]step{{Pause, at}, {Close, at + 1}}, 0, -1, 0, nil},
		"opened again before it":            {[]step{{Close, at}, {Reopen, at + 1}}, 30 * time.Second, -1, 0, nil},
		"opened again after it":             {[]step{{Close, at}, {Reopen, lead + 5*time.Second}}, 35 * time.Second, -1, 5 * time.Second, nil},
		"taken out":                         {[]step{{Void, at}}, 30 * time.Second, -1, 0, nil},
		"back":                              {[]step{{Back, at}}, 30 * time.Second, -1, 0, ErrNotNow},
		"the end of the evening":            {[]step{{Finish, at}}, 30 * time.Second, -1, 0, ErrNotNow},
		"the clock":                         {[]step{{TimeUp, at}}, 30 * time.Second, -1, 0, ErrNotNow},
		"the clock, a lead before the end":  {[]step{{TimeUp, 30*time.Second + testGrace}}, 30 * time.Second, -1, 0, ErrNotNow},
		"the clock, when the time was full": {[]step{{TimeUp, 30*time.Second + lead + testGrace}}, 30 * time.Second, -1, 0, nil},
	} {
		s, err := launched, error(nil)
		for _, step := range test.steps {
			s, err = Apply(s, sensible(step.command, s.Version), testStart.Add(step.at), testGrace)
		}
		q := s.onScreenNow()
		pausedAt := time.Duration(-1)
		if !q.PausedAt.IsZero() {
			pausedAt = q.PausedAt.Sub(opens)
		}
		if !errors.Is(err, test.want) || !q.OpensAt.Equal(opens) || q.ClosesAt.Sub(opens) != test.closes || pausedAt != test.pausedAt || q.PausedFor != test.pausedFor {
			t.Errorf("%s: %v; %+v", name, err, q)
		}
	}
}

// TestSlideHasNoLead: nothing can be answered, so nobody is ahead of anybody.
func TestSlideHasNoLead(t *testing.T) {
	s := State{Version: 1, Phase: InRound, Round: 1, Rounds: testRounds()}
	s.Rounds[0].Questions[0].Slide = true
	s, err := Apply(s, Command{Version: 1, Command: Launch, lead: time.Second}, testStart, testGrace)
	if err != nil || s.Phase != Revealed || !s.onScreenNow().OpensAt.Equal(testStart) {
		t.Errorf("%+v, %v", s, err)
	}
}

func TestUnknownCommand(t *testing.T) {
	if _, err := Apply(State{Version: 1, Phase: Lobby, Rounds: testRounds()}, Command{Version: 1, Command: "explode"}, testStart, testGrace); !errors.Is(err, ErrUnknownCommand) {
		t.Errorf("got %v", err)
	}
}

func TestCapacity(t *testing.T) {
	s := State{Version: 1, Phase: Lobby, Rounds: testRounds(), Capacity: 100}
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
