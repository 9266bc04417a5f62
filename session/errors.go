package session

import (
	"errors"
	"fmt"

	"pubquiz/internal/words"
)

// What can be said to a person, by kind. package web gives each its status and its words.
var (
	ErrNotFound       = errors.New("no such session")
	ErrUnknownCode    = errors.New("no live session has this join code")
	ErrDoorsLocked    = errors.New("the doors are locked")
	ErrFull           = errors.New("the session is full")
	ErrNotParticipant = errors.New("not a participant of this session")
	ErrSeatLost       = errors.New("the seat is not there any more")
	ErrRestored       = errors.New("the database was restored meanwhile")
	ErrRemoved        = errors.New("the participant was removed")
	ErrNotNow         = errors.New("the command is not possible in this phase")
	ErrTimeIsUp       = errors.New("the question's time is up")
	ErrUnknownCommand = errors.New("unknown command")
	ErrNoParticipant  = errors.New("no such participant in this session")
	ErrBusy           = errors.New("the store is too slow to take the answer")
	ErrTooLate        = errors.New("the round has begun")
	ErrNotCaptain     = errors.New("another phone of the team decides")
	ErrNoTeams        = errors.New("a participant is one phone in this quiz")
	ErrTeamFull       = errors.New("the team has as many phones as it may")
	ErrNotPlayable    = errors.New("the quiz has problems that stand in the way of playing it")
	ErrNotOwner       = errors.New("only the host whose session it is may do this")
	ErrNoCohost       = errors.New("no such co-host in this session")
	ErrNoInvitation   = errors.New("the link was used or withdrawn, or its session has finished")
	ErrStaleNotepad   = errors.New("another console has saved the notepad meanwhile")
)

// StaleVersionError refuses a command that was meant for another version.
type StaleVersionError struct {
	Version int64 // where the session is now
}

func (e *StaleVersionError) Error() string {
	return fmt.Sprintf("the session is at version %d", e.Version)
}

// NameTakenError refuses a name that looks like another participant's.
type NameTakenError struct {
	Suggestion string // a free name like it
}

func (e *NameTakenError) Error() string { return "the name is taken" }

// InvalidError refuses a field of the input. Detail is a sentence for a person.
type InvalidError struct {
	Field  string
	Detail words.Text
}

func (e *InvalidError) Error() string { return e.Field + ": " + e.Detail.String() }

// notStored is said of a text with U+0000, which Postgres does not take.
var notStored = words.T("A character in this text cannot be stored. Leave it out.")

// TooManyOpenError refuses one more live session than a host may have: as many as a plan allows or, where nothing is sold, as anybody.
type TooManyOpenError struct {
	Plan    words.Text // its name; empty where nothing is sold
	Allowed int        // at once
	Open    []OpenSession
}

func (e *TooManyOpenError) Error() string {
	return fmt.Sprintf("%d sessions are open, and the plan %s allows %d", len(e.Open), e.Plan, e.Allowed)
}

// OpenSession is a live session of a host, or of one who shares their plan.
type OpenSession struct {
	Summary
	Host string // whose it is; empty for the host's own
}
