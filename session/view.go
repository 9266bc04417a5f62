package session

import (
	"strconv"
	"strings"
	"time"

	"pubquiz/quiz"
)

// ID identifies a session inside the server.
type ID int64

// Role is whose eyes a snapshot is for.
type Role string

// The roles.
const (
	RoleParticipant Role = "participant"
	RoleScreen      Role = "screen"
	RoleHost        Role = "host"
)

// frozen is what never changes after a session was opened.
type frozen struct {
	id        ID
	publicID  string
	owner     quiz.OwnerID
	title     string
	joinCode  string
	epoch     string
	createdAt time.Time
	rounds    []quiz.Round
	questions [][]int64 // for each round, for each question: its id
}

// question finds the content of a question by its place, from 1.
func (f *frozen) question(round, number int) (*quiz.Question, int64, bool) {
	if round < 1 || round > len(f.rounds) || number < 1 || number > len(f.rounds[round-1].Questions) {
		return nil, 0, false
	}
	return &f.rounds[round-1].Questions[number-1], f.questions[round-1][number-1], true
}

// program is the part of the content that the state machine needs.
func (f *frozen) program() [][]time.Duration {
	program := make([][]time.Duration, len(f.rounds))
	for i, r := range f.rounds {
		for _, q := range r.Questions {
			program[i] = append(program[i], time.Duration(q.Seconds)*time.Second)
		}
	}
	return program
}

// view is everything there is to know about a session at one version. Snapshots and personal parts are cut from it.
type view struct {
	*frozen
	State
	participants map[int64]participantView
	standings    []Standing           // ranked, without the removed
	answers      map[int64]answerView // to the question on screen, by participant; complete from the close on
}

type participantView struct {
	publicID   string
	name       string
	generation int
	removed    bool
	place      int // in standings, from 1; 0 for the removed
}

type answerView struct {
	id    string
	given quiz.Given
	half  *quiz.Points // what it earned, once marked
}

// standing is a participant's place; nil for those who were removed or joined since.
func (v *view) standing(p participantView) *Standing {
	if p.place == 0 {
		return nil
	}
	return &v.standings[p.place-1]
}

// questionRef is a question's public id: "2.4" is round 2, question 4.
func questionRef(round, number int) string {
	return strconv.Itoa(round) + "." + strconv.Itoa(number)
}

func parseQuestionRef(ref string) (round, number int, ok bool) {
	r, n, found := strings.Cut(ref, ".")
	round, err1 := strconv.Atoi(r)
	number, err2 := strconv.Atoi(n)
	return round, number, found && err1 == nil && err2 == nil && ref == questionRef(round, number)
}
