package quiz

import (
	"encoding/json"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestPointsAreWholeOrHalf(t *testing.T) {
	for written, want := range map[string]Points{"0": 0, "0.5": 1, "1": 2, "1.5": 3, "100": 200, "5e-1": 1, "-2.5": -5} {
		var got Points
		if err := json.Unmarshal([]byte(written), &got); err != nil || got != want {
			t.Errorf("%s is read as %d half points, %v; want %d", written, got, err, want)
		}
	}
	for _, written := range []string{"0.25", "1.49", `"1"`, "true", "1e300", "[]"} {
		var got Points
		if err := json.Unmarshal([]byte(written), &got); err == nil {
			t.Errorf("%s is read as %d half points; want an error", written, got)
		}
	}
}

func TestSampleIsPlayable(t *testing.T) {
	sample := Sample()
	if found := sample.Problems(); len(found) > 0 {
		t.Errorf("problems: %v", found)
	}
	kinds := map[Kind]int{}
	var sizes []int
	for _, round := range sample.Rounds {
		sizes = append(sizes, len(round.Questions))
		for _, q := range round.Questions {
			kinds[q.Kind]++
		}
	}
	if want := []int{5, 5, 5}; !cmp.Equal(sizes, want) || kinds[Single] == 0 || kinds[TrueFalse] == 0 || kinds[Text] == 0 {
		t.Errorf("rounds of %v questions, kinds %v; want %v, all kinds", sizes, kinds, want)
	}
}

func TestShowcaseShowsEverything(t *testing.T) {
	showcase := Showcase()
	if found := showcase.Problems(); len(found) > 0 {
		t.Errorf("problems: %v", found)
	}
	var pacing, joker, weight, speed, negative, wager, tieBreak, surnames, nearest bool
	kinds := map[Kind]bool{}
	for _, round := range showcase.Rounds {
		pacing, joker, weight = pacing || round.Pacing == RoundsEnd, joker || round.Joker, weight || round.Weight > 1
		speed, negative = speed || round.Speed, negative || round.Negative > 0
		for _, q := range round.Questions {
			kinds[q.Kind] = true
			wager, tieBreak, surnames = wager || q.Wager, tieBreak || q.TieBreak, surnames || q.Surnames
			nearest = nearest || q.Number != nil && q.Number.Nearest
		}
	}
	if len(kinds) != len(Kinds) || !pacing || !joker || !weight || !speed || !negative || !wager || !tieBreak || !surnames || !nearest {
		t.Errorf("something is not shown; kinds %v", kinds)
	}
}

func TestContentSurvivesJSON(t *testing.T) {
	written, err := json.Marshal(Sample())
	if err != nil {
		t.Fatal(err)
	}
	var read Content
	if err := json.Unmarshal(written, &read); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(Sample(), read); diff != "" {
		t.Error(diff)
	}
}
