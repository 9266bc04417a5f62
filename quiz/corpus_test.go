package quiz

import (
	"os"
	"slices"
	"strings"
	"testing"
)

// pair is a line of testdata/marking.tsv: an answer to a question, and what a fair host says of it.
type pair struct {
	question Question
	given    string
	want     Verdict
	toHost   bool // the machine is known to say otherwise
}

func readCorpus(t *testing.T) []pair {
	t.Helper()
	text, err := os.ReadFile("testdata/marking.tsv")
	if err != nil {
		t.Fatal(err)
	}
	var pairs []pair
	for line := range strings.Lines(string(text)) {
		if strings.HasPrefix(line, "#") {
			continue
		}
		columns := strings.Split(strings.TrimSuffix(line, "\n"), "\t")
		if len(columns) < 5 {
			t.Fatalf("marking.tsv has a line of %d columns: %q", len(columns), line)
		}
		options := strings.Fields(columns[1])
		pairs = append(pairs, pair{
			question: Question{Kind: Text, Text: columns[4], Accepted: strings.Split(columns[0], "|"), Surnames: slices.Contains(options, "surnames"),
				Exact: slices.Contains(options, "exact"), Points: 2},
			given: columns[2], want: Verdict(columns[3]), toHost: len(columns) > 5 && columns[5] == "host",
		})
	}
	return pairs
}

// TestMarkingCorpus demands every verdict that the machine can meet, and that what is said to be beyond it still is.
func TestMarkingCorpus(t *testing.T) {
	var rights, wrongs, refused, accepted int
	for _, p := range readCorpus(t) {
		got := mark(p.question, Given{Text: p.given})[0].Verdict
		if p.want == Right {
			rights++
		} else {
			wrongs++
		}
		switch {
		case got == p.want && p.toHost:
			t.Errorf("%q is marked %s for %q after all: no longer one for the host", p.given, got, p.question.Accepted)
		case got != p.want && !p.toHost:
			t.Errorf("%q is marked %s for %q, want %s", p.given, got, p.question.Accepted, p.want)
		}
		if got != p.want && p.want == Right {
			refused++
		} else if got != p.want {
			accepted++
		}
	}
	if rights+wrongs < 400 {
		t.Fatalf("only %d pairs", rights+wrongs)
	}
	t.Logf("false refusals: %d of %d (%.1f %%); false accepts: %d of %d (%.1f %%)", refused, rights, 100*float64(refused)/float64(rights),
		accepted, wrongs, 100*float64(accepted)/float64(wrongs))
}
