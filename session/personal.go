package session

import (
	"hash/maphash"

	"pubquiz/quiz"
)

// personal is the JSON form of what only one participant may see.
type personal struct {
	Participant  string          `json:"participant"`
	Name         string          `json:"name"`
	Answer       *personalAnswer `json:"answer,omitempty"`
	Points       quiz.Points     `json:"points"`
	Staked       quiz.Points     `json:"staked,omitempty"`
	Rank         int             `json:"rank,omitempty"`
	Participants int             `json:"participants,omitempty"`
	Joker        int             `json:"joker,omitempty"`
	Team         *teamPart       `json:"team,omitempty"`
}

type personalAnswer struct {
	Question string       `json:"question"`
	ID       string       `json:"id"`
	Given    quiz.Given   `json:"given"`
	Points   *quiz.Points `json:"points,omitempty"`
	Verdict  quiz.Verdict `json:"verdict,omitempty"`
	Stake    *quiz.Points `json:"stake,omitempty"`
}

// teamPart is for a participant who may be several phones.
type teamPart struct {
	Phones  int        `json:"phones"`
	Captain bool       `json:"captain"`
	Answers quiz.Teams `json:"answers"`
}

// digest tells a participant's personal parts apart without encoding them. An answer's id stands for what it says.
func (p *personal) digest() uint64 {
	key := struct {
		participant, name         string
		points, staked            quiz.Points
		rank, participants, joker int
		team                      teamPart
		question, answer          string
		marked                    bool
		earned                    quiz.Points
		verdict                   quiz.Verdict
		frozen                    bool
		stake                     quiz.Points
	}{participant: p.Participant, name: p.Name, points: p.Points, staked: p.Staked, rank: p.Rank, participants: p.Participants, joker: p.Joker}
	if p.Team != nil {
		key.team = *p.Team
	}
	if a := p.Answer; a != nil {
		key.question, key.answer, key.verdict = a.Question, a.ID, a.Verdict
		if a.Points != nil {
			key.marked, key.earned = true, *a.Points
		}
		if a.Stake != nil {
			key.frozen, key.stake = true, *a.Stake
		}
	}
	return maphash.Comparable(digestSeed, key)
}

// personalFor cuts one participant's part from the view, as the phone with this seat may see it. who is the participant as
// last heard of, and answer theirs to the question on screen, nil if there is none.
func (v *view) personalFor(seat Seat, who participantView, answer *answerView) personal {
	p := personal{Participant: who.publicID, Name: who.name, Joker: who.joker, Staked: v.staked[seat.Participant]}
	if v.options.Teams != quiz.OnePhone {
		p.Team = &teamPart{Phones: who.phones, Captain: seat.Member == 0, Answers: v.options.Teams}
	}
	if standing := v.standing(v.participants[seat.Participant]); standing != nil {
		p.Points = standing.Points
		if v.showsStandings() {
			p.Rank, p.Participants = standing.Rank, len(v.standings)
		}
	}
	if answer == nil || !v.onScreen() {
		return p
	}
	p.Answer = &personalAnswer{Question: questionRef(v.Round, v.Question), ID: answer.id, Given: answer.given}
	if v.Phase != Open {
		p.Answer.Stake = answer.stake
	}
	if v.afterReveal() {
		p.Answer.Points, p.Answer.Verdict = answer.earned, answer.verdict
	}
	return p
}
