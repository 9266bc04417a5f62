package session

import (
	"fmt"
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
	Finished  Phase = "finished"  // the podium; nothing follows
)

// CommandName names what a host may order.
type CommandName string

// The commands. TimeUp is the clock's own and MoveSeat a participant's who has changed phones; a host cannot send them.
const (
	Next          CommandName = "next"
	Launch        CommandName = "launch"
	Close         CommandName = "close"
	Reveal        CommandName = "reveal"
	ShowStandings CommandName = "showStandings"
	Finish        CommandName = "finish"
	LockDoors     CommandName = "lockDoors"
	UnlockDoors   CommandName = "unlockDoors"
	SetCapacity   CommandName = "setCapacity"
	Rename        CommandName = "rename"
	Remove        CommandName = "remove"
	ShutOut       CommandName = "shutOut"
	RenewScreen   CommandName = "renewScreen"
	TimeUp        CommandName = "timeUp"
	MoveSeat      CommandName = "moveSeat"
)

// hostCommands are those that a host may send, in the order in which a console lists them.
var hostCommands = []CommandName{Next, Launch, Close, Reveal, ShowStandings, Finish, LockDoors, UnlockDoors, SetCapacity, Rename, Remove, ShutOut, RenewScreen}

// Command is an order for a session at one version. Participant is the public id that Rename and Remove are about,
// Participants are those of ShutOut, which locks the doors and removes them in one go; NewName is Rename's, Capacity
// SetCapacity's.
type Command struct {
	Version      int64       `json:"version"`
	Command      CommandName `json:"command"`
	Participant  string      `json:"participant,omitempty"`
	Participants []string    `json:"participants,omitempty"`
	NewName      string      `json:"name,omitempty"`
	Capacity     int         `json:"capacity,omitempty"`
}

// MaxCapacity is how many participants a session may be opened to.
const MaxCapacity = 1000

// State is what decides which command is possible and where it leads.
type State struct {
	Version          int64
	Phase            Phase
	Round            int // from 1; 0 in the lobby
	Question         int // the last launched of the round, from 1; 0 before the first
	OpensAt          time.Time
	ClosesAt         time.Time // of the question on screen; zero when there is none
	DoorsLocked      bool
	Capacity         int               // how many participants may be in
	ScreenGeneration int               // of the tokens of the big screen: raising it ends those given out before
	Program          [][]time.Duration // for each round, for each question: how long it takes answers
}

// Apply gives the state that follows a command at the time now. It fails with *StaleVersionError when the command was
// meant for another version, ErrUnknownCommand when there is no such command, *InvalidError when it asks for what
// cannot be, and ErrNotNow when the phase does not allow it. grace is how long after ClosesAt answers are still taken;
// TimeUp is possible only after it.
func Apply(s State, c Command, now time.Time, grace time.Duration) (State, error) {
	if c.Command != TimeUp && c.Command != MoveSeat && !slices.Contains(hostCommands, c.Command) {
		return s, ErrUnknownCommand
	}
	if c.Version != s.Version {
		return s, &StaleVersionError{Version: s.Version}
	}
	if !s.allows(c.Command) {
		return s, ErrNotNow
	}
	if c.Command == SetCapacity && (c.Capacity < 1 || c.Capacity > MaxCapacity) {
		return s, &InvalidError{Field: "capacity", Detail: fmt.Sprintf("A session has between 1 and %d places.", MaxCapacity)}
	}
	s.Version++
	switch c.Command {
	case Next:
		s.Phase, s.Round, s.Question = InRound, s.Round+1, 0
		s.OpensAt, s.ClosesAt = time.Time{}, time.Time{}
	case Launch:
		s.Phase, s.Question = Open, s.Question+1
		s.OpensAt = now
		s.ClosesAt = now.Add(s.Program[s.Round-1][s.Question-1])
	case Close:
		s.Phase = Closed
		if now.Before(s.ClosesAt) {
			s.ClosesAt = laterOf(now, s.OpensAt)
		}
	case TimeUp:
		if now.Before(s.ClosesAt.Add(grace)) {
			s.Version--
			return s, ErrNotNow
		}
		s.Phase = Closed
	case Reveal:
		s.Phase = Revealed
	case ShowStandings:
		s.Phase = Standings
	case Finish:
		s.Phase = Finished
	case LockDoors, ShutOut:
		s.DoorsLocked = true
	case UnlockDoors:
		s.DoorsLocked = false
	case SetCapacity:
		s.Capacity = c.Capacity
	case RenewScreen:
		s.ScreenGeneration++
	case Rename, Remove, MoveSeat: // a new version of the same state: what is shown of the participants has changed
	}
	return s, nil
}

// allows reports whether the phase admits the command.
func (s State) allows(c CommandName) bool {
	switch c {
	case Next:
		return s.Round < len(s.Program) && (s.Phase == Lobby || s.atRoundEnd())
	case Launch:
		return s.questionsLeft() && (s.Phase == InRound || s.afterReveal())
	case Close, TimeUp:
		return s.Phase == Open
	case Reveal:
		return s.Phase == Closed
	case ShowStandings:
		return s.Phase == Revealed
	case Finish:
		return s.Phase != Open && s.Phase != Finished
	case SetCapacity, ShutOut:
		return s.Phase != Finished
	case LockDoors:
		return s.Phase != Finished && !s.DoorsLocked
	case UnlockDoors:
		return s.Phase != Finished && s.DoorsLocked
	default: // Rename, Remove, RenewScreen, MoveSeat
		return true
	}
}

// Allowed lists the commands that Apply would take now, and which of them is the next obvious step ("" when the session
// has finished).
func (s State) Allowed() (commands []CommandName, next CommandName) {
	for _, c := range hostCommands {
		if s.allows(c) {
			commands = append(commands, c)
		}
	}
	switch {
	case s.allows(Close):
		next = Close
	case s.allows(Reveal):
		next = Reveal
	case s.allows(Launch):
		next = Launch
	case s.allows(ShowStandings) && s.Round < len(s.Program):
		next = ShowStandings // a round has ended
	case s.allows(Next):
		next = Next
	case s.allows(Finish):
		next = Finish
	}
	return commands, next
}

// upNext is the place of the question that the next launch opens.
func (s State) upNext() (round, question int, ok bool) {
	switch {
	case s.Phase == Finished:
		return 0, 0, false
	case s.Round > 0 && s.questionsLeft():
		return s.Round, s.Question + 1, true
	case s.Round < len(s.Program):
		return s.Round + 1, 1, true
	default:
		return 0, 0, false
	}
}

// onScreen reports whether a question is being shown.
func (s State) onScreen() bool { return s.Phase == Open || s.Phase == Closed || s.afterReveal() }

func (s State) afterReveal() bool   { return s.Phase == Revealed || s.Phase == Standings }
func (s State) atRoundEnd() bool    { return s.afterReveal() && !s.questionsLeft() }
func (s State) questionsLeft() bool { return s.Round > 0 && s.Question < len(s.Program[s.Round-1]) }

func laterOf(a, b time.Time) time.Time {
	if a.After(b) {
		return a
	}
	return b
}
