package session

import (
	"cmp"
	"hash/maphash"
	"slices"
	"time"

	"pubquiz/quiz"
)

// publicStandings is how many of the standings phones and the big screen are sent.
const publicStandings = 10

// snapshot is the JSON form of what one role may see at one version; docs/protocol.md describes each member.
type snapshot struct {
	Epoch        string         `json:"epoch"`
	Version      int64          `json:"version"`
	Role         Role           `json:"role"`
	Phase        Phase          `json:"phase"`
	Title        string         `json:"title"`
	Rounds       int            `json:"rounds"`
	Round        *roundPart     `json:"round,omitempty"`
	Question     *questionPart  `json:"question,omitempty"`
	OpensAt      int64          `json:"opensAt,omitempty"`
	ClosesAt     int64          `json:"closesAt,omitempty"`
	Answer       *answerPart    `json:"answer,omitempty"`
	Distribution []int          `json:"distribution,omitempty"`
	Right        *int           `json:"right,omitempty"`
	Answered     *int           `json:"answered,omitempty"`
	Standings    []Standing     `json:"standings,omitempty"`
	Participants *int           `json:"participants,omitempty"`
	JoinCode     string         `json:"joinCode,omitempty"`
	JoinURL      string         `json:"joinURL,omitempty"`
	DoorsLocked  *bool          `json:"doorsLocked,omitempty"`
	Capacity     int            `json:"capacity,omitempty"`
	Next         CommandName    `json:"next,omitempty"`
	Commands     []CommandName  `json:"commands,omitempty"`
	UpNext       *upNextPart    `json:"upNext,omitempty"`
	NextRound    *roundPart     `json:"nextRound,omitempty"`
	Notes        string         `json:"notes,omitempty"`
	Groups       []answersGroup `json:"groups,omitempty"`
}

type roundPart struct {
	Number       int    `json:"number"`
	Title        string `json:"title"`
	Introduction string `json:"introduction"`
	Questions    int    `json:"questions"`
}

type questionPart struct {
	ID      string      `json:"id"`
	Number  int         `json:"number"`
	Kind    quiz.Kind   `json:"kind"`
	Text    string      `json:"text"`
	Options []string    `json:"options,omitempty"`
	Points  quiz.Points `json:"points"`
	Seconds int         `json:"seconds"`
}

type answerPart struct {
	Correct  []int    `json:"correct,omitempty"`
	Accepted []string `json:"accepted,omitempty"`
}

type upNextPart struct {
	questionPart
	answerPart
	Notes string `json:"notes"`
}

// answersGroup is typed answers that fold to the same text.
type answersGroup struct {
	Text   string      `json:"text"`
	Count  int         `json:"count"`
	Points quiz.Points `json:"points"`
}

// snapshotFor cuts from the view what the role may see. joinURL is the address behind the QR code.
func (v *view) snapshotFor(role Role, joinURL string) snapshot {
	s := snapshot{
		Epoch: v.epoch, Version: v.Version, Role: role, Phase: v.Phase, Title: v.title, Rounds: len(v.rounds),
		Round: v.roundPart(v.Round),
	}
	if v.onScreen() {
		v.addQuestion(&s, role)
	}
	if v.Phase == Standings || v.Phase == Finished {
		n := len(v.standings)
		s.Participants = &n
		s.Standings = v.standings[:min(publicStandings, n)]
	}
	if role == RoleScreen || role == RoleHost {
		s.DoorsLocked = &v.DoorsLocked
		if v.Phase != Finished { // the code is free again, and may lead to another session
			s.JoinCode, s.JoinURL = v.joinCode, joinURL
		}
	}
	if role == RoleHost {
		s.Capacity = v.Capacity
		s.Standings = v.standings
		s.Commands, s.Next = v.Allowed()
		v.addUpNext(&s)
	}
	return s
}

// addQuestion adds the question on screen and, from the reveal on, its answer; the host sees the answer always and the
// counts from the close.
func (v *view) addQuestion(s *snapshot, role Role) {
	q, _, ok := v.question(v.Round, v.Question)
	if !ok {
		return
	}
	s.Question = newQuestionPart(q, v.Round, v.Question)
	s.OpensAt, s.ClosesAt = v.OpensAt.UnixMilli(), v.ClosesAt.UnixMilli()
	if v.afterReveal() || role == RoleHost {
		s.Answer = &answerPart{Correct: q.Correct, Accepted: q.Accepted}
	}
	if v.afterReveal() || (role == RoleHost && v.Phase == Closed) {
		v.addCounts(s, q)
	}
	if role == RoleHost {
		s.Notes = q.Notes
		if v.Phase != Open && q.Kind == quiz.Text {
			s.Groups = v.groups()
		}
	}
}

func (v *view) addCounts(s *snapshot, q *quiz.Question) {
	answered, right := len(v.answers), 0
	if options := len(q.Choices()); options > 0 {
		s.Distribution = make([]int, options)
	}
	for _, a := range v.answers {
		if a.half != nil && *a.half >= q.Points {
			right++
		}
		for _, choice := range a.given.Choices {
			s.Distribution[choice]++
		}
	}
	s.Answered, s.Right = &answered, &right
}

// groups gathers typed answers by their folded text, most common first.
func (v *view) groups() []answersGroup {
	byFold := map[string]*answersGroup{}
	for _, a := range v.answers {
		key := quiz.Fold(a.given.Text)
		g := byFold[key]
		if g == nil {
			g = &answersGroup{Text: a.given.Text}
			byFold[key] = g
		}
		g.Count++
		g.Text = min(g.Text, a.given.Text) // whichever was read first must not matter
		if a.half != nil {
			g.Points = *a.half
		}
	}
	groups := make([]answersGroup, 0, len(byFold))
	for _, g := range byFold {
		groups = append(groups, *g)
	}
	slices.SortFunc(groups, func(a, b answersGroup) int {
		return cmp.Or(cmp.Compare(b.Count, a.Count), cmp.Compare(a.Text, b.Text))
	})
	return groups
}

func (v *view) addUpNext(s *snapshot) {
	round, number, ok := v.upNext()
	if !ok {
		return
	}
	q, _, ok := v.question(round, number)
	if !ok {
		return
	}
	s.UpNext = &upNextPart{
		questionPart: *newQuestionPart(q, round, number),
		answerPart:   answerPart{Correct: q.Correct, Accepted: q.Accepted},
		Notes:        q.Notes,
	}
	if round != v.Round {
		s.NextRound = v.roundPart(round)
	}
}

func newQuestionPart(q *quiz.Question, round, number int) *questionPart {
	return &questionPart{
		ID: questionRef(round, number), Number: number, Kind: q.Kind, Text: q.Text, Options: q.Choices(),
		Points: q.Points, Seconds: q.Seconds,
	}
}

func (v *view) roundPart(number int) *roundPart {
	if number < 1 {
		return nil
	}
	r := v.rounds[number-1]
	return &roundPart{Number: number, Title: r.Title, Introduction: r.Introduction, Questions: len(r.Questions)}
}

// personal is the JSON form of what only one participant may see.
type personal struct {
	Participant  string          `json:"participant"`
	Name         string          `json:"name"`
	Answer       *personalAnswer `json:"answer,omitempty"`
	Points       quiz.Points     `json:"points"`
	Rank         int             `json:"rank,omitempty"`
	Participants int             `json:"participants,omitempty"`
}

type personalAnswer struct {
	Question string       `json:"question"`
	ID       string       `json:"id"`
	Given    quiz.Given   `json:"given"`
	Points   *quiz.Points `json:"points,omitempty"`
	Right    *bool        `json:"right,omitempty"`
}

// digest tells a participant's personal parts apart without encoding them. An answer's id stands for what it says.
func (p *personal) digest() uint64 {
	key := struct {
		participant, name  string
		points             quiz.Points
		rank, participants int
		question, answer   string
		marked             bool
		earned             quiz.Points
	}{participant: p.Participant, name: p.Name, points: p.Points, rank: p.Rank, participants: p.Participants}
	if a := p.Answer; a != nil {
		key.question, key.answer = a.Question, a.ID
		if a.Points != nil {
			key.marked, key.earned = true, *a.Points
		}
	}
	return maphash.Comparable(digestSeed, key)
}

// personalFor cuts one participant's part from the view; standing is their place, nil if the view is older than they
// are.
func (v *view) personalFor(publicID, name string, standing *Standing, answer *answerView) personal {
	p := personal{Participant: publicID, Name: name}
	if standing != nil {
		p.Points = standing.Points
		if v.Phase == Standings || v.Phase == Finished {
			p.Rank, p.Participants = standing.Rank, len(v.standings)
		}
	}
	q, _, ok := v.question(v.Round, v.Question)
	if answer == nil || !ok || !v.onScreen() {
		return p
	}
	p.Answer = &personalAnswer{Question: questionRef(v.Round, v.Question), ID: answer.id, Given: answer.given}
	if v.afterReveal() && answer.half != nil {
		right := *answer.half >= q.Points
		p.Answer.Points, p.Answer.Right = answer.half, &right
	}
	return p
}

// deadline is when the question on screen closes by itself; ok is false when none is open.
func (v *view) deadline(grace time.Duration) (at time.Time, ok bool) {
	return v.ClosesAt.Add(grace), v.Phase == Open
}
