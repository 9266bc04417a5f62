package quiz

import (
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

var (
	planet  = Question{Kind: Single, Text: "Which planet is red?", Options: []string{"Venus", "Mars", "Saturn"}, Correct: []int{1}, Points: 3}
	octopus = Question{Kind: TrueFalse, Text: "An octopus has three hearts.", Correct: []int{0}, Points: 2}
	gold    = Question{Kind: Text, Text: "What does Au stand for?", Accepted: []string{"Gold", "Aurum"}, Points: 1}
)

func mark(q Question, answers ...Given) []Mark { return q.Mark(answers, nil) }

func TestMarkOptions(t *testing.T) {
	right, wrong := Mark{Right, 3, ByMachine}, Mark{Wrong, 0, ByMachine}
	part := func(p Points) Mark { return Mark{Part, p, ByMachine} }
	chosen := func(choices ...int) Given { return Given{Choices: choices} }
	all := func(partial bool) Question { // of the eight planets' moons, say: 0, 2 and 3 are right
		return Question{Kind: Multiple, Options: make([]string, 5), Correct: []int{0, 2, 3}, Partial: partial, Points: 3}
	}
	order := func(partial bool) Question {
		return Question{Kind: Ordering, Options: []string{"b", "d", "a", "c"}, Correct: []int{2, 0, 3, 1}, Partial: partial, Points: 3}
	}
	for _, test := range []struct {
		name     string
		question Question
		given    Given
		want     Mark
	}{
		{"right option", planet, chosen(1), right},
		{"wrong option", planet, chosen(0), wrong},
		{"no such option", planet, chosen(7), Mark{}},
		{"right option among others", planet, chosen(1, 0), Mark{}},
		{"no option", planet, Given{}, Mark{}},
		{"true", octopus, chosen(0), Mark{Right, 2, ByMachine}},
		{"false", octopus, chosen(1), wrong},
		{"an option where text is asked", gold, chosen(0), Mark{}},
		{"all right ones in any order", all(false), chosen(3, 0, 2), right},
		{"one is missing", all(false), chosen(3, 0), wrong},
		{"one too many", all(false), chosen(0, 1, 2, 3), wrong},
		{"part: all", all(true), chosen(0, 2, 3), right},
		{"part: two of three", all(true), chosen(0, 2), part(2)},
		{"part: two right, one wrong", all(true), chosen(0, 1, 2), part(1)},
		{"part: everything ticked", all(true), chosen(0, 1, 2, 3, 4), part(1)},
		{"part: as many wrong as right", all(true), chosen(0, 1), wrong},
		{"part: never below nothing", all(true), chosen(1, 4), wrong},
		{"part rounded down to none is still part", Question{Kind: Multiple, Options: make([]string, 3), Correct: []int{0, 1}, Partial: true, Points: 1},
			chosen(0), part(0)},
		{"in order", order(false), chosen(2, 0, 3, 1), right},
		{"two swapped", order(false), chosen(0, 2, 3, 1), wrong},
		{"part: two in place", order(true), chosen(0, 2, 3, 1), part(1)},
		{"part: none in place", order(true), chosen(1, 3, 0, 2), wrong},
		{"an option twice", order(true), chosen(2, 2, 3, 1), Mark{}},
		{"a poll", Question{Kind: Poll, Options: make([]string, 3), Points: 3}, chosen(1), Mark{}},
		{"a slide", Question{Kind: Slide, Points: 3}, Given{}, Mark{}},
		{"a tie-break earns nothing", Question{Kind: TrueFalse, Correct: []int{0}, TieBreak: true, Points: 3}, chosen(0), Mark{Right, 0, ByMachine}},
	} {
		t.Run(test.name, func(t *testing.T) {
			if got := mark(test.question, test.given)[0]; got != test.want {
				t.Errorf("Mark(%+v) = %+v, want %+v", test.given, got, test.want)
			}
		})
	}
}

func TestHostsDecisionsComeFirst(t *testing.T) {
	q := gold
	q.Points = 3
	answers := []Given{{Text: "gold"}, {Text: " GOLD!"}, {Text: "gilt"}, {Text: "silver"}, {Text: "brass"}}
	want := []Mark{{Wrong, 0, ByHost}, {Wrong, 0, ByHost}, {Part, 2, ByHost}, {Right, 3, ByHost}, {Wrong, 0, ByMachine}}
	got := q.Mark(answers, map[string]Decision{"gold": DecideWrong, "gilt": DecideHalf, "silver": DecideRight, "tin": DecideRight})
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	number := Question{Kind: NumberKind, Number: &Number{Value: 8}, Points: 2}
	if got := number.Mark([]Given{{Text: "9"}}, map[string]Decision{"9": DecideRight}); got[0] != (Mark{Wrong, 0, ByMachine}) {
		t.Errorf("a decision about a number gives %+v; decisions are about typed text", got[0])
	}
}

func TestTieBreakRanks(t *testing.T) {
	texts := func(texts ...string) (given []Given) {
		for _, text := range texts {
			given = append(given, Given{Text: text})
		}
		return given
	}
	number := Question{Kind: NumberKind, Number: &Number{Value: 3.1, Nearest: true}, TieBreak: true}
	for _, test := range []struct {
		name     string
		question Question
		given    []Given
		verdicts []Verdict
		elapsed  []time.Duration
		want     []int
	}{
		{"nobody", number, nil, nil, nil, []int{}},
		{"numbers by distance, whoever was first", number, texts("4", "3.2", "3", "-3.1", "3.15"), []Verdict{Wrong, Wrong, Wrong, Wrong, Right},
			[]time.Duration{1, 9, 5, 2, 8}, []int{4, 2, 2, 5, 1}},
		{"right before wrong, then the earlier", gold, texts("tin", "gold", "tin", "gold", "gold"), []Verdict{Wrong, Right, Wrong, Right, Right},
			[]time.Duration{1, 9, 2, 9, 8}, []int{4, 2, 5, 2, 1}},
		{"as the host decided", gold, texts("tin", "gold", "au", ""), []Verdict{Right, Wrong, Part, ""}, []time.Duration{9, 1, 1, 1}, []int{1, 3, 2, 4}},
	} {
		t.Run(test.name, func(t *testing.T) {
			if diff := cmp.Diff(test.want, test.question.TieBreakRanks(test.given, test.verdicts, test.elapsed)); diff != "" {
				t.Error(diff)
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
		{"a number", Question{Kind: NumberKind}, Given{Text: " 1,822 "}, ""},
		{"no number", Question{Kind: NumberKind}, Given{Text: "lots"}, "given.text"},
		{"one of several", Question{Kind: Multiple, Options: make([]string, 3)}, Given{Choices: []int{2}}, ""},
		{"none of several", Question{Kind: Multiple, Options: make([]string, 3)}, Given{}, "given.choices"},
		{"one twice", Question{Kind: Multiple, Options: make([]string, 3)}, Given{Choices: []int{2, 2}}, "given.choices"},
		{"an order", Question{Kind: Ordering, Options: make([]string, 3)}, Given{Choices: []int{2, 0, 1}}, ""},
		{"half an order", Question{Kind: Ordering, Options: make([]string, 3)}, Given{Choices: []int{2, 0}}, "given.choices"},
		{"no order", Question{Kind: Ordering, Options: make([]string, 3)}, Given{Choices: []int{2, 0, 2}}, "given.choices"},
		{"an option after the last", Question{Kind: Ordering, Options: make([]string, 3)}, Given{Choices: []int{1, 2, 3}}, "given.choices"},
		{"a vote", Question{Kind: Poll, Options: make([]string, 3)}, Given{Choices: []int{2}}, ""},
		{"two votes", Question{Kind: Poll, Options: make([]string, 3)}, Given{Choices: []int{1, 2}}, "given.choices"},
		{"a slide", Question{Kind: Slide}, Given{Choices: []int{0}}, "given"},
		{"nothing to a slide", Question{Kind: Slide}, Given{}, "given"},
		{"a stake", Question{Kind: TrueFalse, Wager: true}, Given{Choices: []int{0}, Wager: 5}, ""},
		{"a stake of nothing", Question{Kind: TrueFalse, Wager: true}, Given{Choices: []int{0}}, ""},
		{"a stake below nothing", Question{Kind: TrueFalse, Wager: true}, Given{Choices: []int{0}, Wager: -1}, "given.wager"},
		{"a stake nobody asked for", octopus, Given{Choices: []int{0}, Wager: 1}, "given.wager"},
		{"text with an option", gold, Given{Choices: []int{0}, Text: "gold"}, "given.choices"},
	} {
		t.Run(test.name, func(t *testing.T) {
			err := test.question.CheckGiven(test.given)
			problem, isProblem := errors.AsType[Problem](err)
			if problem.Path != test.path || isProblem != (test.path != "") {
				t.Fatalf("CheckGiven(%+v) = %v, want a problem of %q", test.given, err, test.path)
			}
			if isProblem && !strings.HasSuffix(problem.Detail.String(), ".") {
				t.Errorf("detail %q is not a sentence", problem.Detail)
			}
		})
	}
}

func FuzzMark(f *testing.F) {
	f.Add("gold", "Gold", 0)
	f.Add("", "-", -1)
	f.Add("the red sea of the king", "King Henry VIII of St Albans Jr.", 2)
	f.Add("missisipi", "Mississippi", 1)
	f.Fuzz(func(t *testing.T, given, accepted string, choice int) {
		q := Question{Kind: Text, Text: "Who is " + given + "?", Accepted: []string{accepted}, Surnames: choice%2 == 0, Points: 2}
		got := mark(q, Given{Text: given})[0]
		if got.Points != 0 && got.Points != q.Points {
			t.Errorf("Mark = %v, want all or nothing", got)
		}
		if given == accepted && q.CheckGiven(Given{Text: given}) == nil && got.Verdict != Right {
			t.Errorf("the accepted answer %q itself is marked wrong", accepted)
		}
		if other := (Given{Text: Fold(given)}); q.CheckGiven(other) == nil && got.Verdict != "" && got != mark(q, other)[0] {
			t.Errorf("%q is marked %+v but its folded form %q is not", given, got, other.Text)
		}
		chosen := Given{Choices: []int{choice}}
		if m := mark(planet, chosen)[0]; (m.Verdict == Right) != (choice == 1) {
			t.Errorf("Mark(%+v) = %+v", chosen, m)
		}
	})
}
