package quiz

import (
	"math/rand/v2"
	"strings"
	"testing"
)

// levenshtein is the optimal string alignment distance, as the textbooks have it.
func levenshtein(a, b []rune) int {
	d := make([][]int, len(a)+1)
	for i := range d {
		d[i] = make([]int, len(b)+1)
		d[i][0] = i
	}
	for j := range b {
		d[0][j+1] = j + 1
	}
	for i := range a {
		for j := range b {
			cost := 1
			if a[i] == b[j] {
				cost = 0
			}
			d[i+1][j+1] = min(d[i][j+1]+1, d[i+1][j]+1, d[i][j]+cost)
			if i > 0 && j > 0 && a[i] == b[j-1] && a[i-1] == b[j] {
				d[i+1][j+1] = min(d[i+1][j+1], d[i-1][j-1]+1)
			}
		}
	}
	return d[len(a)][len(b)]
}

// Words of six letters allow one slip, and only where it is not in the first letter: there the matcher must agree with the
// textbook, whatever is typed.
func TestOneSlipIsTheTextbooksDistance(t *testing.T) {
	random := rand.New(rand.NewPCG(3, 4))
	letter := func() rune { return rune('d' + random.IntN(3)) }
	right, wrong := 0, 0
	for range 200_000 {
		accepted := make([]rune, 6)
		for i := range accepted {
			accepted[i] = letter()
		}
		accepted[0] = 'z'
		typed := append([]rune{}, accepted...)
		for range random.IntN(3) {
			at := 1 + random.IntN(len(typed)-1)
			switch random.IntN(4) {
			case 0:
				typed[at] = letter()
			case 1:
				typed = append(typed[:at], typed[at+1:]...)
			case 2:
				typed = append(typed[:at], append([]rune{letter()}, typed[at:]...)...)
			case 3:
				if at > 1 {
					typed[at], typed[at-1] = typed[at-1], typed[at]
				}
			}
		}
		if len(typed) < 5 {
			continue
		}
		p := newPattern([]string{string(accepted)})
		want := levenshtein(accepted, typed) <= 1
		if answer := newTypedText(typed); p.holds(&answer, new(stateRows)) != want {
			t.Fatalf("%q for %q: %v, want %v", string(typed), string(accepted), !want, want)
		}
		if want {
			right++
		} else {
			wrong++
		}
	}
	if right < 10_000 || wrong < 10_000 {
		t.Errorf("only %d within one slip and %d beyond were tried", right, wrong)
	}
}

func TestSlips(t *testing.T) {
	for _, test := range []struct {
		accepted, typed string
		want            bool
	}{
		{"gold", "golt", false},                                 // four letters: none
		{"canberra", "camberta", false},                         // eight: one
		{"australia", "austria", false},                         // the shorter of the two counts
		{"northkorea", "northcorea", true},                      // one word here
		{"south korea", "north korea", false},                   // two in a word of five
		{"prince harry", "prince henry", false},                 // the same
		{"gambia", "zambia", false},                             // a first letter counts double
		{"apollo 11", "apollo 12", false},                       // digits are digits
		{"apollo 11", "apolo 11", true},                         // beside them, letters are letters
		{"apollo 11", "apollo 111", false},                      // no digit too many
		{"vitamin c", "vitamin d", false},                       // a letter alone is a word
		{"mississippi", "misisipi", true},                       // doubled letters do not count
		{"boot hill", "bot hill", true},                         // but are slips
		{"中華人民共和国の首都", "中華人民共和国の首相", false},                     // each Chinese character is a word
		{"schwarzenegger", "shwarzeneger", true},                // two slips, one of them free
		{"schwarzenegger", "shwarznager", false},                // more
		{"onceuponatimeinthewest", "onceuponatimnthewet", true}, // three in a long one
		{"onceuponatimeinthewest", "oncupnatimntehwet", false},
	} {
		p := newPattern(strings.Fields(test.accepted))
		typed := newTypedText([]rune(strings.ReplaceAll(test.typed, " ", "")))
		if got := p.holds(&typed, new(stateRows)); got != test.want {
			t.Errorf("%q for %q: %v, want %v", test.typed, test.accepted, got, test.want)
		}
	}
}

// Every line of neighbours.txt must keep a slip from joining two things; else it only makes the list longer.
func TestNeighboursAreNeighbours(t *testing.T) {
	for line := range strings.Lines(neighboursText) {
		if strings.HasPrefix(line, "#") || strings.TrimSpace(line) == "" {
			continue
		}
		names := strings.Split(strings.TrimSpace(line), ",")
		for i, name := range names {
			near := false
			typed := []rune(Fold(name))
			for j, other := range names {
				p := newPattern(foldWords(other))
				answer, sounds := newTypedText(typed), newTypedText(appendSounds(nil, typed))
				near = near || i != j && p.matches(&answer, &sounds, new(stateRows))
				if i != j && mark(Question{Kind: Text, Accepted: []string{other}}, Given{Text: name})[0].Verdict == Right {
					t.Errorf("%q is taken for %q", name, other)
				}
			}
			if !near {
				t.Errorf("%q is no slip away from the rest of %q", strings.TrimSpace(name), strings.TrimSpace(line))
			}
		}
	}
}

// The folds of two answers being the same must mean that their marks are, as the host decides on all of them with one key.
func TestEqualFoldsHaveEqualMarks(t *testing.T) {
	pairs := readCorpus(t)
	var typed []Given
	for _, p := range pairs {
		typed = append(typed, Given{Text: p.given}, Given{Text: strings.ToUpper(p.given)}, Given{Text: " the " + p.given + "!"}, Given{Text: Fold(p.given)})
	}
	for n := 0; n < len(pairs); n += 101 {
		byFold := map[string]Mark{}
		for i, m := range mark(pairs[n].question, typed...) {
			if m.Verdict == "" {
				continue
			}
			fold := Fold(typed[i].Text)
			if before, ok := byFold[fold]; ok && before != m {
				t.Fatalf("among the answers to %q that fold to %q are %+v and %+v", pairs[n].question.Accepted, fold, before, m)
			}
			byFold[fold] = m
		}
	}
}
