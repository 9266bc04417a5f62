package session

import (
	"cmp"
	"slices"
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
	options   options
	rounds    []quiz.Round
	questions [][]int64 // for each round, for each question: its id
}

// options are the quiz's own, beside its rounds'.
type options struct {
	Language   string     `json:"language,omitempty"`
	Teams      quiz.Teams `json:"teams,omitempty"`
	TiesByTime bool       `json:"tiesByTime,omitempty"`
}

// question finds the content of a question by its place, from 1.
func (f *frozen) question(round, number int) (*quiz.Question, int64, bool) {
	if round < 1 || round > len(f.rounds) || number < 1 || number > len(f.rounds[round-1].Questions) {
		return nil, 0, false
	}
	return &f.rounds[round-1].Questions[number-1], f.questions[round-1][number-1], true
}

// place is where a question stands, both numbers from 1.
type place struct{ round, number int }

// tieBreaks are the places of the questions that rank those with equal points.
func (f *frozen) tieBreaks() (places []place) {
	for i, r := range f.rounds {
		for j, q := range r.Questions {
			if q.TieBreak {
				places = append(places, place{i + 1, j + 1})
			}
		}
	}
	return places
}

// waiting are the rounds as the state machine knows them before anything was launched.
func (f *frozen) waiting() []RoundState {
	rounds := make([]RoundState, len(f.rounds))
	for i, r := range f.rounds {
		rounds[i] = RoundState{AtEnd: r.Pacing == quiz.RoundsEnd, Questions: make([]QuestionState, len(r.Questions))}
		for j, q := range r.Questions {
			rounds[i].Questions[j] = QuestionState{Slide: q.Kind == quiz.Slide, Time: time.Duration(q.Seconds) * time.Second, Status: StatusWaiting}
		}
	}
	return rounds
}

// view is everything there is to know about a session at one version. Snapshots and personal parts are cut from it.
type view struct {
	*frozen
	State
	participants map[int64]participantView
	standings    []Standing            // ranked, without the removed
	answers      map[int64]answerView  // to the question on screen, by participant; complete from the close on
	staked       map[int64]quiz.Points // while a question asks for a wager: what cannot be staked, as it is at stake already
}

type participantView struct {
	publicID   string
	name       string
	generation int
	removed    bool
	joker      int // the round that they double; 0 for none
	phones     int // how many a team has
	place      int // in standings, from 1; 0 for the removed, and for whoever has joined since this version
}

// answerView is an answer and, once its question has closed, what became of it.
type answerView struct {
	id      string
	given   quiz.Given
	elapsed time.Duration
	earned  *quiz.Points
	verdict quiz.Verdict // "" as long as it is not marked, and for a poll
	by      quiz.By
	stake   *quiz.Points
}

// removed are those who are not in any more, in order of their names.
func (v *view) removed() (removed []removedParticipant) {
	for _, p := range v.participants {
		if p.removed {
			removed = append(removed, removedParticipant{ID: p.publicID, Name: p.name})
		}
	}
	slices.SortFunc(removed, func(a, b removedParticipant) int { return cmp.Or(cmp.Compare(a.Name, b.Name), cmp.Compare(a.ID, b.ID)) })
	return removed
}

// standing is a participant's place; nil for those who were removed or joined since.
func (v *view) standing(p participantView) *Standing {
	if p.place == 0 {
		return nil
	}
	return &v.standings[p.place-1]
}

// deadline is when the question on screen closes by itself; ok is false when none is open, or its clock stands still.
func (v *view) deadline(grace time.Duration) (at time.Time, ok bool) {
	q := v.onScreenNow()
	return q.ClosesAt.Add(grace), v.Phase == Open && q.PausedAt.IsZero()
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
