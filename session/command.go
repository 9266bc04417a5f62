package session

import (
	"time"

	"pubquiz/quiz"
)

// CommandName names what a host may order.
type CommandName string

// The commands. TimeUp is the clock's own, MoveSeat a participant's who has changed phones, Mark a host's who goes
// through the typed answers, and the last four are about who hosts; they are not sent as commands.
const (
	Next           CommandName = "next"
	Launch         CommandName = "launch"
	Close          CommandName = "close"
	Reveal         CommandName = "reveal"
	ShowStandings  CommandName = "showStandings"
	Finish         CommandName = "finish"
	Back           CommandName = "back"
	Pause          CommandName = "pause"
	Resume         CommandName = "resume"
	Extend         CommandName = "extend"
	Reopen         CommandName = "reopen"
	Void           CommandName = "void"
	Unvoid         CommandName = "unvoid"
	Adjust         CommandName = "adjust"
	LockDoors      CommandName = "lockDoors"
	UnlockDoors    CommandName = "unlockDoors"
	SetCapacity    CommandName = "setCapacity"
	Rename         CommandName = "rename"
	Remove         CommandName = "remove"
	LetBackIn      CommandName = "letBackIn"
	ShutOut        CommandName = "shutOut"
	RenewScreen    CommandName = "renewScreen"
	PublishResults CommandName = "publishResults"
	HideResults    CommandName = "hideResults"
	TimeUp         CommandName = "timeUp"
	MoveSeat       CommandName = "moveSeat"
	Mark           CommandName = "mark"

	InviteCohost       CommandName = "inviteCohost"
	WithdrawInvitation CommandName = "withdrawInvitation"
	AdmitCohost        CommandName = "admitCohost"
	RemoveCohost       CommandName = "removeCohost"
)

// hostCommands are those that a host may send, in the order in which a console lists them.
var hostCommands = []CommandName{
	Next, Launch, Close, Reveal, ShowStandings, Finish, Back, Pause, Resume, Extend, Reopen, Void, Unvoid, Adjust,
	LockDoors, UnlockDoors, SetCapacity, Rename, Remove, LetBackIn, ShutOut, RenewScreen, PublishResults, HideResults,
}

// ownCommands are those that nobody sends.
var ownCommands = []CommandName{TimeUp, MoveSeat, Mark, InviteCohost, WithdrawInvitation, AdmitCohost, RemoveCohost}

// Command is an order for a session at one version. Its JSON form is the protocol's.
type Command struct {
	Version      int64       `json:"version"`
	Command      CommandName `json:"command"`
	Participant  string      `json:"participant,omitempty"`  // Rename, Remove, LetBackIn, Adjust: a public id
	Participants []string    `json:"participants,omitempty"` // ShutOut, which locks the doors and removes them in one go
	NewName      string      `json:"name,omitempty"`         // Rename; LetBackIn, where their own is taken
	Capacity     int         `json:"capacity,omitempty"`     // SetCapacity
	Seconds      int         `json:"seconds,omitempty"`      // Extend, Reopen
	Question     string      `json:"question,omitempty"`     // Void, Unvoid, Mark: "2.4"
	Points       float64     `json:"points,omitempty"`       // Adjust: in steps of 0.5, negative to take them
	Reason       string      `json:"reason,omitempty"`       // Adjust

	lead     time.Duration // Launch: until the question opens
	token    string        // PublishResults: what the public address is made of; InviteCohost, AdmitCohost: the link's
	folded   string        // Mark: which answers
	decision quiz.Decision // Mark: "" leaves them to the machine
	cohost   Cohost        // AdmitCohost; RemoveCohost: by number
}
