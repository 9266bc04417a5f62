package session

import (
	"math"
	"slices"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"pubquiz/internal/words"
	"pubquiz/quiz"
)

// What a host may ask for.
const (
	MaxCapacity = 2000 // participants that a session may be opened to
	maxSeconds  = 600  // by which a question may be extended at a time
	maxAdjust   = 100  // points given or taken at a time
	maxReason   = 120  // characters
)

// allows reports whether the phase admits the command.
func (s State) allows(c CommandName) bool {
	switch c {
	case Next:
		return s.Round < len(s.Rounds) && (s.Phase == Lobby || s.afterReveal() && s.atRoundEnd())
	case Launch:
		return s.questionsLeft() && (s.Phase == InRound || s.Phase == Closed && s.round().AtEnd || s.afterReveal())
	case Close, Extend:
		return s.Phase == Open
	case Pause, TimeUp:
		return s.Phase == Open && s.onScreenNow().PausedAt.IsZero()
	case Resume:
		return s.Phase == Open && !s.onScreenNow().PausedAt.IsZero()
	case Reopen:
		return s.Phase == Closed && !s.onScreenNow().Slide
	case Reveal:
		return s.Phase == Closed && !(s.round().AtEnd && s.questionsLeft()) || s.Phase == Revealed && s.round().AtEnd && !s.atRoundEnd()
	case ShowStandings:
		return s.Phase == Revealed && !(s.round().AtEnd && !s.atRoundEnd())
	case Finish:
		return s.Phase != Open && s.Phase != Finished
	case Back:
		return s.mayGoBack()
	case Void:
		return s.any(func(q QuestionState) bool { return q.Status != StatusWaiting && !q.Voided })
	case Unvoid:
		return s.any(func(q QuestionState) bool { return q.Voided })
	case SetCapacity, ShutOut:
		return s.Phase != Finished
	case LockDoors:
		return s.Phase != Finished && !s.DoorsLocked
	case UnlockDoors:
		return s.Phase != Finished && s.DoorsLocked
	case PublishResults:
		return s.ResultsToken == ""
	case HideResults:
		return s.ResultsToken != ""
	case InviteCohost, AdmitCohost:
		return s.Phase != Finished
	case WithdrawInvitation:
		return s.Invited
	default: // what concerns a participant, and RenewScreen, MoveSeat, Mark
		return true
	}
}

// mayGoBack reports whether there is a step to take back. What people have answered since is never taken back.
func (s State) mayGoBack() bool {
	switch s.Phase {
	case Finished:
		return s.FinishedFrom != ""
	case Standings:
		return true
	case InRound:
		return s.RoundFrom != ""
	case Revealed:
		return s.round().AtEnd || !s.onScreenNow().Slide
	default:
		return false
	}
}

// check refuses a command that asks for what cannot be.
func (c Command) check(s State) error {
	switch c.Command {
	case SetCapacity:
		if c.Capacity < 1 || c.Capacity > MaxCapacity {
			return &InvalidError{"capacity", words.T("A session has between 1 and {most} places.", "most", MaxCapacity)}
		}
	case Extend, Reopen:
		if c.Seconds < 1 || c.Seconds > maxSeconds {
			return &InvalidError{"seconds", words.T("Give between 1 and {most} seconds.", "most", maxSeconds)}
		}
	case Void, Unvoid, Mark:
		return c.checkQuestion(s.find(c.Question))
	case Adjust:
		return c.checkAdjustment()
	case InviteCohost, AdmitCohost, RemoveCohost:
		return c.checkCohost(s)
	}
	return nil
}

func (c Command) checkQuestion(q *QuestionState) error {
	if q == nil {
		return &InvalidError{"question", words.T("This quiz has no such question. One is named by its round and number, such as 2.4.")}
	}
	possible := map[CommandName]bool{
		Void:   q.Status != StatusWaiting && !q.Voided,
		Unvoid: q.Voided,
		Mark:   q.Status == StatusClosed || q.Status == StatusRevealed,
	}
	if !possible[c.Command] {
		return ErrNotNow
	}
	return nil
}

func (c Command) checkAdjustment() error {
	if half := c.Points * 2; c.Points == 0 || half != math.Trunc(half) || math.Abs(c.Points) > maxAdjust {
		return &InvalidError{"points", words.T("Give or take up to {most} points, whole or half ones.", "most", maxAdjust)}
	}
	reason := strings.TrimSpace(c.Reason)
	if reason == "" || utf8.RuneCountInString(reason) > maxReason || !utf8.ValidString(reason) || strings.ContainsFunc(reason, unicode.IsControl) {
		return &InvalidError{"reason", words.T("Say why, in at most {most} characters.", "most", maxReason)}
	}
	return nil
}

// halfPoints is what an adjustment gives or takes.
func (c Command) halfPoints() quiz.Points { return quiz.Points(c.Points * 2) }

// duration is the time that a command gives.
func (c Command) duration() time.Duration { return time.Duration(c.Seconds) * time.Second }

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
	case s.allows(ShowStandings) && s.Round < len(s.Rounds):
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
	case s.questionsLeft():
		return s.Round, s.Question + 1, true
	case s.Round < len(s.Rounds):
		return s.Round + 1, 1, true
	default:
		return 0, 0, false
	}
}

// onScreen reports whether a question is being shown.
func (s State) onScreen() bool { return s.Phase == Open || s.Phase == Closed || s.afterReveal() }

// showsStandings reports whether everyone may see them.
func (s State) showsStandings() bool { return s.Phase == Standings || s.Phase == Finished }

func (s State) afterReveal() bool { return s.Phase == Revealed || s.Phase == Standings }
func (s State) atRoundEnd() bool  { return s.Question == len(s.round().Questions) }

// questionsLeft reports whether the round on screen has a question that has not been launched: the one after the last
// that was on screen.
func (s State) questionsLeft() bool {
	return s.Round > 0 && !s.atRoundEnd() && s.round().Questions[s.Question].Status == StatusWaiting
}

// begun reports whether a round can no longer be doubled.
func (s State) begun(round int) bool {
	return s.Phase == Finished || round < s.Round || round == s.Round && s.Question > 0
}

// any reports whether there is a question like that.
func (s State) any(like func(QuestionState) bool) bool {
	for _, r := range s.Rounds {
		if slices.ContainsFunc(r.Questions, like) {
			return true
		}
	}
	return false
}
