package quiz

import (
	"errors"
	"strings"
	"testing"
)

var (
	planet  = Question{Kind: Single, Text: "Which planet is red?", Options: []string{"Venus", "Mars", "Saturn"}, Correct: []int{1}, Points: 3}
	octopus = Question{Kind: TrueFalse, Text: "An octopus has three hearts.", Correct: []int{0}, Points: 2}
	gold    = Question{Kind: Text, Text: "What does Au stand for?", Accepted: []string{"Gold", "Aurum"}, Points: 1}
)

func TestMark(t *testing.T) {
	for _, test := range []struct {
		name     string
		question Question
		given    Given
		want     Points
	}{
		{"right option", planet, Given{Choices: []int{1}}, 3},
		{"wrong option", planet, Given{Choices: []int{0}}, 0},
		{"no such option", planet, Given{Choices: []int{7}}, 0},
		{"right option among others", planet, Given{Choices: []int{1, 0}}, 0},
		{"true", octopus, Given{Choices: []int{0}}, 2},
		{"false", octopus, Given{Choices: []int{1}}, 0},
		{"the answer to show", gold, Given{Text: "gold"}, 1},
		{"another accepted one", gold, Given{Text: " AURUM. "}, 1},
		{"one letter off", gold, Given{Text: "golt"}, 0},
		{"nothing", gold, Given{}, 0},
		{"an option where text is asked", gold, Given{Choices: []int{0}}, 0},
	} {
		t.Run(test.name, func(t *testing.T) {
			if got := test.question.Mark(test.given); got != test.want {
				t.Errorf("Mark(%+v) = %v, want %v", test.given, got, test.want)
			}
		})
	}
}

func TestCheckGiven(t *testing.T) {
	for _, test := range []struct {
		name     string
		question Question
		given    Given
		path     string // of the problem; "" when there is none
	}{
		{"wrong but an answer", planet, Given{Choices: []int{0}}, ""},
		{"last option", planet, Given{Choices: []int{2}}, ""},
		{"after the last option", planet, Given{Choices: []int{3}}, "given.choices"},
		{"below the first option", planet, Given{Choices: []int{-1}}, "given.choices"},
		{"no option", planet, Given{}, "given.choices"},
		{"two options", planet, Given{Choices: []int{0, 1}}, "given.choices"},
		{"text and option", planet, Given{Choices: []int{0}, Text: "Mars"}, "given.text"},
		{"false", octopus, Given{Choices: []int{1}}, ""},
		{"neither true nor false", octopus, Given{Choices: []int{2}}, "given.choices"},
		{"text", gold, Given{Text: "silver"}, ""},
		{"longest text", gold, Given{Text: strings.Repeat("é", 100)}, ""},
		{"too long", gold, Given{Text: strings.Repeat("é", 101)}, "given.text"},
		{"blank", gold, Given{Text: " \u3000\n"}, "given.text"},
		{"nul, which Postgres cannot store", gold, Given{Text: "go\x00ld"}, "given.text"},
		{"text with an option", gold, Given{Choices: []int{0}, Text: "gold"}, "given.choices"},
	} {
		t.Run(test.name, func(t *testing.T) {
			err := test.question.CheckGiven(test.given)
			problem, isProblem := errors.AsType[Problem](err)
			if problem.Path != test.path || isProblem != (test.path != "") {
				t.Fatalf("CheckGiven(%+v) = %v, want a problem of %q", test.given, err, test.path)
			}
			if isProblem && !strings.HasSuffix(problem.Detail, ".") {
				t.Errorf("detail %q is not a sentence", problem.Detail)
			}
		})
	}
}

func FuzzMark(f *testing.F) {
	f.Add("gold", "Gold", 0)
	f.Add("", "-", -1)
	f.Fuzz(func(t *testing.T, given, accepted string, choice int) {
		q := Question{Kind: Text, Accepted: []string{accepted}, Points: 2}
		got := q.Mark(Given{Text: given})
		if got != 0 && got != q.Points {
			t.Errorf("Mark = %v, want all or nothing", got)
		}
		if given == accepted && q.CheckGiven(Given{Text: given}) == nil && got == 0 {
			t.Errorf("the accepted answer %q itself is marked wrong", accepted)
		}
		if other := Fold(given); got != q.Mark(Given{Text: other}) && q.CheckGiven(Given{Text: other}) == nil && got != 0 {
			t.Errorf("%q is right but its folded form %q is not", given, other)
		}
		chosen := Given{Choices: []int{choice}}
		if earned := planet.Mark(chosen); (earned > 0) != (choice == 1) {
			t.Errorf("Mark(%+v) = %v", chosen, earned)
		}
	})
}
