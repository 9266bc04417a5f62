package session

import (
	"time"

	"pubquiz/quiz"
)

// publicStandings is how many of the standings phones and the big screen are sent.
const publicStandings = 10

// snapshot is the JSON form of what one role may see at one version; docs/protocol.md describes each member.
type snapshot struct {
	Epoch        string          `json:"epoch"`
	Version      int64           `json:"version"`
	Role         Role            `json:"role"`
	Phase        Phase           `json:"phase"`
	Title        string          `json:"title"`
	Language     string          `json:"language,omitempty"`
	Rounds       int             `json:"rounds"`
	Round        *roundPart      `json:"round,omitempty"`
	Question     *questionPart   `json:"question,omitempty"`
	OpensAt      int64           `json:"opensAt,omitempty"`
	ClosesAt     int64           `json:"closesAt,omitempty"`
	PausedAt     int64           `json:"pausedAt,omitempty"`
	Voided       bool            `json:"voided,omitempty"`
	JokerRounds  []jokerRound    `json:"jokerRounds,omitempty"`
	Answer       *answerPart     `json:"answer,omitempty"`
	Distribution []int           `json:"distribution,omitempty"`
	Right        *int            `json:"right,omitempty"`
	Answered     *int            `json:"answered,omitempty"`
	Popular      []popularAnswer `json:"popular,omitempty"`
	Standings    []Standing      `json:"standings,omitempty"`
	Participants *int            `json:"participants,omitempty"`
	JoinCode     string          `json:"joinCode,omitempty"`
	JoinURL      string          `json:"joinURL,omitempty"`
	DoorsLocked  *bool           `json:"doorsLocked,omitempty"`
	*hostPart
}

// hostPart is what only a host may see.
type hostPart struct {
	Capacity   int                  `json:"capacity"`
	Next       CommandName          `json:"next,omitempty"`
	Commands   []CommandName        `json:"commands,omitempty"`
	UpNext     *upNextPart          `json:"upNext,omitempty"`
	NextRound  *roundPart           `json:"nextRound,omitempty"`
	Notes      string               `json:"notes,omitempty"`
	Groups     []answerGroup        `json:"groups,omitempty"`
	Removed    []removedParticipant `json:"removed,omitempty"`
	ResultsURL string               `json:"resultsURL,omitempty"`
	Cohosts    []cohostPart         `json:"cohosts,omitempty"`
	Invited    bool                 `json:"invited,omitempty"`
}

type roundPart struct {
	Number       int         `json:"number"`
	Title        string      `json:"title"`
	Introduction string      `json:"introduction"`
	Questions    int         `json:"questions"`
	Picture      *quiz.Media `json:"picture,omitempty"`
	Pacing       quiz.Pacing `json:"pacing,omitempty"`
	Weight       int         `json:"weight,omitempty"`
	Speed        bool        `json:"speed,omitempty"`
	Joker        bool        `json:"joker,omitempty"`
	Negative     quiz.Points `json:"negative,omitempty"`
}

// jokerRound is one that has not begun and may be doubled.
type jokerRound struct {
	Number int    `json:"number"`
	Title  string `json:"title"`
}

type questionPart struct {
	ID       string      `json:"id"`
	Number   int         `json:"number"`
	Kind     quiz.Kind   `json:"kind"`
	Text     string      `json:"text"`
	Options  []string    `json:"options,omitempty"`
	Media    *quiz.Media `json:"media,omitempty"`
	Partial  bool        `json:"partial,omitempty"`
	Unit     string      `json:"unit,omitempty"`
	Wager    bool        `json:"wager,omitempty"`
	TieBreak bool        `json:"tieBreak,omitempty"`
	Points   quiz.Points `json:"points"`
	Seconds  int         `json:"seconds"`
}

type answerPart struct {
	Correct  []int        `json:"correct,omitempty"`
	Accepted []string     `json:"accepted,omitempty"`
	Numeric  *quiz.Number `json:"numeric,omitempty"`
}

type upNextPart struct {
	questionPart
	answerPart
	Notes string `json:"notes"`
}

type removedParticipant struct {
	ID   string `json:"id"`
	Name string `json:"name"`
}

type cohostPart struct {
	Number int    `json:"number"`
	Name   string `json:"name"`
}

// addresses are made from what leads to a session.
type addresses interface {
	JoinURL(code string) string
	ResultsURL(token string) string
}

// snapshotFor cuts from the view what the role may see.
func (v *view) snapshotFor(role Role, at addresses) snapshot {
	s := snapshot{
		Epoch: v.epoch, Version: v.Version, Role: role, Phase: v.Phase, Title: v.title, Language: v.options.Language, Rounds: len(v.rounds),
		Round: v.roundPart(v.Round), JokerRounds: v.jokerRounds(),
	}
	if role == RoleHost {
		s.hostPart = v.hostPart(at)
	}
	if v.onScreen() {
		v.addQuestion(&s, role)
	}
	if v.showsStandings() {
		n := len(v.standings)
		s.Participants = &n
		s.Standings = v.standings[:min(publicStandings, n)]
	}
	if role == RoleHost {
		s.Standings = v.standings
	}
	if role == RoleScreen || role == RoleHost {
		s.DoorsLocked = &v.DoorsLocked
		if v.Phase != Finished { // the code is free again, and may lead to another session
			s.JoinCode, s.JoinURL = v.joinCode, at.JoinURL(v.joinCode)
		}
	}
	return s
}

func (v *view) hostPart(at addresses) *hostPart {
	h := &hostPart{Capacity: v.Capacity, Removed: v.removed(), Invited: v.Invited}
	for _, c := range v.Cohosts {
		h.Cohosts = append(h.Cohosts, cohostPart{c.Number, c.Name})
	}
	h.Commands, h.Next = v.Allowed()
	if v.ResultsToken != "" {
		h.ResultsURL = at.ResultsURL(v.ResultsToken)
	}
	v.addUpNext(h)
	return h
}

// addQuestion adds the question on screen and, from the reveal on, its answer; the host sees the answer always and the
// counts from the close.
func (v *view) addQuestion(s *snapshot, role Role) {
	q, _, ok := v.question(v.Round, v.Question)
	if !ok {
		return
	}
	state := v.onScreenNow()
	s.Question = newQuestionPart(q, v.Round, v.Question)
	s.OpensAt, s.ClosesAt, s.PausedAt, s.Voided = milliseconds(state.OpensAt), milliseconds(state.ClosesAt), milliseconds(state.PausedAt), state.Voided
	if s.hostPart != nil {
		s.Notes = q.Notes
		if v.Phase != Open && q.Kind == quiz.Text {
			s.Groups = groups(v.answers)
		}
	}
	if q.Kind == quiz.Slide {
		return
	}
	if (v.afterReveal() || role == RoleHost) && q.Kind != quiz.Poll {
		s.Answer = newAnswerPart(q)
	}
	if v.afterReveal() || (role == RoleHost && v.Phase == Closed) {
		v.addCounts(s, q)
	}
	if v.afterReveal() && role != RoleParticipant {
		s.Popular = popular(q, v.answers)
	}
}

func (v *view) addCounts(s *snapshot, q *quiz.Question) {
	answered, right := len(v.answers), 0
	for _, a := range v.answers {
		if a.verdict == quiz.Right {
			right++
		}
	}
	s.Answered = &answered
	if q.Kind != quiz.Poll {
		s.Right = &right
	}
	switch q.Kind {
	case quiz.Single, quiz.Multiple, quiz.TrueFalse, quiz.Poll:
		s.Distribution = make([]int, len(q.Choices()))
		for _, a := range v.answers {
			for _, choice := range a.given.Choices {
				s.Distribution[choice]++
			}
		}
	}
}

func (v *view) addUpNext(h *hostPart) {
	round, number, ok := v.upNext()
	if !ok {
		return
	}
	q, _, ok := v.question(round, number)
	if !ok {
		return
	}
	h.UpNext = &upNextPart{questionPart: *newQuestionPart(q, round, number), answerPart: *newAnswerPart(q), Notes: q.Notes}
	if round != v.Round {
		h.NextRound = v.roundPart(round)
	}
}

func newQuestionPart(q *quiz.Question, round, number int) *questionPart {
	part := &questionPart{
		ID: questionRef(round, number), Number: number, Kind: q.Kind, Text: q.Text, Options: q.Choices(), Media: q.Media,
		Partial: q.Partial, Wager: q.Wager, TieBreak: q.TieBreak, Points: q.Points, Seconds: q.Seconds,
	}
	if q.Number != nil {
		part.Unit = q.Number.Unit
	}
	return part
}

// newAnswerPart is what is right. What is left in a question of a kind that it was not authored as is none of it.
func newAnswerPart(q *quiz.Question) *answerPart {
	switch q.Kind {
	case quiz.Text:
		return &answerPart{Accepted: q.Accepted}
	case quiz.NumberKind:
		return &answerPart{Numeric: q.Number}
	case quiz.Poll, quiz.Slide:
		return &answerPart{}
	default:
		return &answerPart{Correct: q.Correct}
	}
}

func (f *frozen) roundPart(number int) *roundPart {
	if number < 1 {
		return nil
	}
	r := f.rounds[number-1]
	return &roundPart{
		Number: number, Title: r.Title, Introduction: r.Introduction, Questions: len(r.Questions), Picture: r.Picture,
		Pacing: r.Pacing, Weight: r.Weight, Speed: r.Speed, Joker: r.Joker, Negative: r.Negative,
	}
}

// jokerRounds are those that have not begun and may be doubled.
func (v *view) jokerRounds() (rounds []jokerRound) {
	for i, r := range v.rounds {
		if r.Joker && !v.begun(i+1) {
			rounds = append(rounds, jokerRound{Number: i + 1, Title: r.Title})
		}
	}
	return rounds
}

// milliseconds is a time as the protocol has it; 0 where there is none.
func milliseconds(t time.Time) int64 {
	if t.IsZero() {
		return 0
	}
	return t.UnixMilli()
}
