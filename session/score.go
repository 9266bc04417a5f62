package session

import (
	"cmp"
	"slices"

	"pubquiz/quiz"
)

// Standing is a participant's place at one version.
type Standing struct {
	participantID int64
	Name          string      `json:"name"`
	Points        quiz.Points `json:"points"`
	Rank          int         `json:"rank"`
	Was           int         `json:"was,omitempty"` // rank when the standings were shown before; 0 if they were not, or not with this participant
}

// rank orders standings by points and sets their ranks. Equal points share a rank and the next rank is skipped: 1, 1,
// 3.
func rank(standings []Standing) {
	slices.SortFunc(standings, func(a, b Standing) int {
		return cmp.Or(cmp.Compare(b.Points, a.Points), cmp.Compare(a.Name, b.Name), cmp.Compare(a.participantID, b.participantID))
	})
	for i := range standings {
		standings[i].Rank = i + 1
		if i > 0 && standings[i].Points == standings[i-1].Points {
			standings[i].Rank = standings[i-1].Rank
		}
	}
}
