package loadtest

import (
	"context"
	"fmt"
)

// addUp adds up the results in each format that the host can have them in, and holds them against the standings that were shown.
func (e *evening) addUp(ctx context.Context, h *host, stored exported, shown []standing) error {
	checked, wrong := stored.sums(shown)
	e.sumsChecked, e.sumsWrong = map[string]int{asJSON: checked}, wrong
	if shown == nil {
		return nil // of a plain quiz, where there is little to add up
	}
	return h.addUpFiles(context.WithoutCancel(ctx), e, shown)
}

// sums holds the standings against what they are the sums of: the points of the answers to all questions that were revealed and count, and
// what the host gave and took. It returns how many participants it has looked at, and what does not add up.
func (s exported) sums(shown []standing) (checked int, wrong []string) {
	counts := map[string]bool{}
	for _, q := range s.Questions {
		counts[q.ID] = q.Status == "revealed" && !q.Voided
	}
	earned := map[string]float64{}
	for _, a := range s.Answers {
		if counts[a.Question] {
			earned[a.Participant] += a.Points
		}
	}
	byName := map[string]standing{}
	for _, place := range shown {
		byName[place.Name] = place
	}
	for _, p := range s.Participants {
		sum := earned[p.ID]
		for _, a := range p.Adjustments {
			sum += a.Points
		}
		checked++
		if sum != p.Points {
			wrong = append(wrong, fmt.Sprintf("%s has %g points, which are the sum of %g", p.Name, p.Points, sum))
		}
		if place, ok := byName[p.Name]; shown != nil && !p.Removed && (!ok || place.Points != p.Points || place.Rank != p.Rank) {
			wrong = append(wrong, fmt.Sprintf("%s is shown with %g points at rank %d, and exported with %g at %d", p.Name, place.Points, place.Rank, p.Points, p.Rank))
		}
	}
	return checked, wrong
}
