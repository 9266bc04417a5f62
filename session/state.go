package session

import (
	"slices"
	"time"
)

// Phase is where a session stands.
type Phase string

// The phases, in the order of an evening. docs/state-machine.md draws the ways between them.
const (
	Lobby     Phase = "lobby"     // before the first round
	InRound   Phase = "round"     // a round's title and introduction are on screen
	Open      Phase = "open"      // a question takes answers
	Closed    Phase = "closed"    // it takes no more
	Revealed  Phase = "revealed"  // the right answer and the points are shown
	Standings Phase = "standings" // the standings are shown
	Finished  Phase = "finished"  // the podium
)

// Status is how far a question has come.
type Status string

// The statuses. Only what revealed questions earned counts.
const (
	StatusWaiting  Status = "waiting"
	StatusOpen     Status = "open"
	StatusClosed   Status = "closed"
	StatusRevealed Status = "revealed"
)

// State is what decides which command is possible and where it leads.
type State struct {
	Version      int64
	Phase        Phase
	Round        int   // from 1; 0 in the lobby
	Question     int   // on screen, or the last that was; from 1; 0 before the round's first
	RoundFrom    Phase // whence Round was begun, until its first launch
	FinishedFrom Phase // whence the session finished; "" before that
	Shown        int   // how often standings have been shown, not counting what was taken back

	DoorsLocked      bool
	Capacity         int    // how many participants may be in
	ScreenGeneration int    // of the tokens of the big screen: raising it ends those given out before
	ResultsToken     string // in the address of the public results; "" while they are not public
	Cohosts          []Cohost
	Invited          bool // a link that makes a co-host is open

	Rounds []RoundState
}

// RoundState is a round as far as the state machine cares.
type RoundState struct {
	AtEnd     bool // its answers are revealed all together, when its last question has closed
	Questions []QuestionState
}

// QuestionState is a question as far as the state machine cares.
type QuestionState struct {
	Slide     bool          // there is nothing to answer
	Time      time.Duration // for which it takes answers
	Status    Status
	OpensAt   time.Time     // zero before its launch; then from when on it takes answers, a lead after that
	ClosesAt  time.Time     // of an open one, by what is known: a pause moves it when it ends
	PausedAt  time.Time     // zero while its clock runs; never before OpensAt
	PausedFor time.Duration // of all pauses that have ended
	Voided    bool          // counts for nobody
}

// Apply gives the state that follows a command at the time now, and leaves s as it is. It fails with *StaleVersionError
// when the command was meant for another version, ErrUnknownCommand when there is no such command, *InvalidError when it
// asks for what cannot be, ErrNotNow when the phase does not allow it, and ErrTimeIsUp for a pause or more time after
// ClosesAt. grace is how long after ClosesAt answers are still taken; TimeUp is possible only after it.
func Apply(s State, c Command, now time.Time, grace time.Duration) (State, error) {
	if !slices.Contains(hostCommands, c.Command) && !slices.Contains(ownCommands, c.Command) {
		return s, ErrUnknownCommand
	}
	if c.Version != s.Version {
		return s, &StaleVersionError{Version: s.Version}
	}
	if !s.allows(c.Command) {
		return s, ErrNotNow
	}
	if err := c.check(s); err != nil {
		return s, err
	}
	switch q := s.onScreenNow(); {
	case c.Command == TimeUp && now.Before(q.ClosesAt.Add(grace)):
		return s, ErrNotNow
	case (c.Command == Pause || c.Command == Extend) && q.timeIsUp(now):
		return s, ErrTimeIsUp
	}
	s = s.clone()
	s.Version++
	s.step(c, now)
	return s, nil
}

// step changes the state by a command that is possible.
func (s *State) step(c Command, now time.Time) {
	switch c.Command {
	case Next:
		s.Phase, s.Round, s.Question, s.RoundFrom = InRound, s.Round+1, 0, s.Phase
	case Launch:
		s.launch(now, c.lead)
	case Close, TimeUp:
		s.onScreenNow().close(now)
		s.Phase = Closed
	case Reveal:
		s.reveal()
	case ShowStandings:
		s.Phase = Standings
		s.Shown++
	case Finish:
		s.Phase, s.FinishedFrom = Finished, s.Phase
		s.Shown++
	case Back:
		s.back()
	case Pause:
		q := s.onScreenNow()
		q.PausedAt = laterOf(now, q.OpensAt) // before the opening no time runs
	case Resume:
		s.onScreenNow().resume(now)
	case Extend:
		q := s.onScreenNow()
		q.ClosesAt = q.ClosesAt.Add(c.duration())
	case Reopen:
		q := s.onScreenNow()
		q.PausedFor += max(0, now.Sub(q.ClosesAt)) // while it was closed nobody could answer
		q.Status, q.ClosesAt = StatusOpen, laterOf(now, q.OpensAt).Add(c.duration())
		s.Phase = Open
	case Void, Unvoid:
		s.find(c.Question).Voided = c.Command == Void
	case LockDoors, ShutOut:
		s.DoorsLocked = true
	case UnlockDoors:
		s.DoorsLocked = false
	case SetCapacity:
		s.Capacity = c.Capacity
	case RenewScreen:
		s.ScreenGeneration++
	case PublishResults:
		s.ResultsToken = c.token
	case HideResults:
		s.ResultsToken = ""
	case InviteCohost:
		s.Invited = true
	case WithdrawInvitation:
		s.Invited = false
	case AdmitCohost:
		s.Invited = false
		s.admit(c.cohost)
	case RemoveCohost:
		s.Cohosts = slices.DeleteFunc(s.Cohosts, func(other Cohost) bool { return other.Number == c.cohost.Number })
	default: // a new version of the same state: what is shown of the participants has changed
	}
}

// launch has the round's next question open when the lead is over: by then every screen knows of it, and all show it at once. A slide has nothing to open,
// and waits for nobody.
func (s *State) launch(now time.Time, lead time.Duration) {
	s.Question++
	s.RoundFrom = ""
	q := s.onScreenNow()
	q.OpensAt, q.ClosesAt = now, now
	switch {
	case !q.Slide:
		q.OpensAt = now.Add(lead)
		q.ClosesAt = q.OpensAt.Add(q.Time)
		q.Status, s.Phase = StatusOpen, Open
	case s.round().AtEnd:
		q.Status, s.Phase = StatusClosed, Closed
	default:
		q.Status, s.Phase = StatusRevealed, Revealed
	}
}

// reveal shows the answer to the question on screen; where a round is revealed at its end, that of its first question, and
// then of one after the other.
func (s *State) reveal() {
	if s.round().AtEnd {
		if s.Phase == Closed {
			s.Question = 0
		}
		s.Question++
	}
	s.onScreenNow().Status = StatusRevealed
	s.Phase = Revealed
}

// back takes the last step back.
func (s *State) back() {
	switch s.Phase {
	case Finished:
		s.Phase, s.FinishedFrom = s.FinishedFrom, ""
		s.Shown--
	case Standings:
		s.Phase = Revealed
		s.Shown--
	case InRound:
		s.Phase, s.RoundFrom = s.RoundFrom, ""
		s.Round--
		if s.Round > 0 {
			s.Question = len(s.round().Questions)
		}
	case Revealed:
		s.onScreenNow().Status = StatusClosed
		switch {
		case !s.round().AtEnd:
			s.Phase = Closed
		case s.Question > 1:
			s.Question--
		default:
			s.Phase, s.Question = Closed, len(s.round().Questions)
		}
	}
}

// close ends the time for answers, now unless it has ended by itself.
func (q *QuestionState) close(now time.Time) {
	q.resume(now)
	if now.Before(q.ClosesAt) {
		q.ClosesAt = laterOf(now, q.OpensAt)
	}
	q.Status = StatusClosed
}

// timeIsUp reports whether the countdown has ended, whether or not the question has been closed since. The grace is no part of it: that is for answers that
// are under way, and every screen says by then that the time is up.
func (q *QuestionState) timeIsUp(now time.Time) bool {
	return q.PausedAt.IsZero() && !now.Before(q.ClosesAt)
}

// resume ends a pause, if there is one.
func (q *QuestionState) resume(now time.Time) {
	if q.PausedAt.IsZero() {
		return
	}
	pause := max(0, now.Sub(q.PausedAt))
	q.ClosesAt = q.ClosesAt.Add(pause)
	q.PausedFor += pause
	q.PausedAt = time.Time{}
}

// clone shares nothing with s.
func (s State) clone() State {
	s.Rounds, s.Cohosts = slices.Clone(s.Rounds), slices.Clone(s.Cohosts)
	for i := range s.Rounds {
		s.Rounds[i].Questions = slices.Clone(s.Rounds[i].Questions)
	}
	return s
}

// round is the one on screen; there must be one.
func (s State) round() *RoundState { return &s.Rounds[s.Round-1] }

// onScreenNow is the question on screen, or the last that was; a waiting one if there is none.
func (s State) onScreenNow() *QuestionState {
	if s.Round == 0 || s.Question == 0 {
		return &QuestionState{Status: StatusWaiting}
	}
	return &s.round().Questions[s.Question-1]
}

// find returns the question of this public id; nil if there is none.
func (s State) find(ref string) *QuestionState {
	round, number, ok := parseQuestionRef(ref)
	if !ok || round < 1 || round > len(s.Rounds) || number < 1 || number > len(s.Rounds[round-1].Questions) {
		return nil
	}
	return &s.Rounds[round-1].Questions[number-1]
}

func laterOf(a, b time.Time) time.Time {
	if a.After(b) {
		return a
	}
	return b
}
