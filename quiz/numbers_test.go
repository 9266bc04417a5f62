package quiz

import (
	"math"
	"testing"
)

func TestParseNumbersAsPeopleTypeThem(t *testing.T) {
	plain := Question{Kind: NumberKind, Number: &Number{Value: 42}}
	year := Question{Kind: NumberKind, Number: &Number{Value: 1822}}
	pi := Question{Kind: NumberKind, Number: &Number{Value: 3.142, Tolerance: 0.01}}
	with := func(unit string) Question { return Question{Kind: NumberKind, Number: &Number{Value: 42, Unit: unit}} }
	for _, test := range []struct {
		question Question
		text     string
		want     float64
	}{
		{plain, "42", 42}, {plain, " 42 ", 42}, {plain, "4 2", math.NaN()}, {plain, "042", 42}, {plain, "+42", 42}, {plain, "42.", 42}, {plain, "42.0", 42},
		{plain, "1,822", 1822}, {plain, "1 822", 1822}, {plain, "1\u00a0822", 1822}, {plain, "1\u202f822", 1822}, {plain, "1'822", 1822}, {plain, "1’822", 1822},
		{plain, "1,000,000", 1e6}, {plain, "1.000.000", 1e6}, {plain, "1 000 000", 1e6}, {plain, "10,00,000", 1e6}, {plain, "1,00", 1}, {plain, "1,0000", 1},
		{plain, "1,822.5", 1822.5}, {plain, "1.822,5", 1822.5}, {plain, "1 822,5", 1822.5}, {plain, "1'822.50", 1822.5}, {plain, "12,34,5", math.NaN()},
		{plain, "1.5", 1.5}, {plain, "1,5", 1.5}, {plain, ".5", 0.5}, {plain, ",5", 0.5}, {plain, "0.125", 0.125}, {plain, "0,125", 0.125}, {plain, "1..5", math.NaN()},
		// One separator and three digits: what is asked decides.
		{plain, "1.822", 1.822}, {year, "1.822", 1822}, {year, "1,822", 1822}, {pi, "3.142", 3.142}, {pi, "3,142", 3.142}, {year, "1822.5", 1822.5}, {year, "1,5", 1.5},
		{plain, "½", 0.5}, {plain, "1½", 1.5}, {plain, "1 ½", 1.5}, {plain, "3/4", 0.75}, {plain, "1 1/2", 1.5}, {plain, "3 / 4", 0.75}, {plain, "3/0", math.NaN()},
		{plain, "1/2/3", math.NaN()}, {plain, "/2", math.NaN()}, {plain, "1/", math.NaN()}, {plain, "1/2 3", math.NaN()},
		{plain, "-5", -5}, {plain, "−5", -5}, {plain, "–5", -5}, {plain, "minus five", -5}, {plain, "negative 5", -5}, {plain, "- 5", -5}, {plain, "-½", -0.5}, {plain, "--5", math.NaN()},
		{plain, "18th", 18}, {plain, "1st", 1}, {plain, "eighteenth", 18}, {plain, "2 million", 2e6}, {plain, "2m", 2e6}, {plain, "2M", 2e6}, {plain, "1.5 million", 1.5e6},
		{plain, "3k", 3000}, {plain, "1.5k", 1500}, {plain, "7.9 billion", 7.9e9}, {plain, "8bn", 8e9}, {plain, "2 thousand", 2000}, {plain, "million", 1e6},
		{plain, "eighteen", 18}, {plain, "eighteen hundred", 1800}, {plain, "twenty-one", 21}, {plain, "one hundred and one", 101}, {plain, "a hundred", 100},
		{plain, "two thousand and twelve", 2012}, {plain, "nineteen eighty-four", 1984}, {plain, "three million two hundred thousand", 3.2e6}, {plain, "zero", 0},
		{plain, "three point one four", 3.14}, {plain, "two and a half", 2.5}, {plain, "half", 0.5}, {plain, "a quarter", 0.25}, {plain, "three quarters", 0.75},
		{plain, "MDCCC", 1800}, {plain, "xiv", 14}, {plain, "I", math.NaN()}, {plain, "X", math.NaN()}, {plain, "mix", math.NaN()}, {plain, "civic", math.NaN()}, {plain, "iiii", math.NaN()},
		{plain, "50%", 50}, {plain, "50 %", 50}, {plain, "50 percent", 50}, {plain, "€5", 5}, {plain, "5 €", 5}, {plain, "-€5", math.NaN()}, {plain, "20°", 20},
		{with("km"), "50 km", 50}, {with("km"), "50km", 50}, {with("km"), "50 KM", 50}, {with("m"), "2m", 2}, {with("m"), "2 km", math.NaN()}, {with("l"), "2 ml", math.NaN()},
		{with("years"), "12 year", 12}, {with("year"), "12 years", 12}, {with("million km"), "150 million km", 150}, {with("million km"), "150 million", 150},
		{with("million km"), "150", 150}, {with("km"), "50 miles", math.NaN()}, {with("$"), "$42", 42}, {with("km"), "km", math.NaN()}, {with("km"), "fifty km", 50},
		{plain, "٤٢", 42}, {plain, "４２", 42}, {plain, "४२", 42}, {plain, "١٬٨٢٢", 1822}, {plain, "٣٫٥", 3.5},
		{plain, "zwölf", 12}, {plain, "dix", 10}, {plain, "once", 11}, {plain, "dix-sept", 17},
		{plain, "about 50", math.NaN()}, {plain, "ca. 50", math.NaN()}, {plain, "50-60", math.NaN()}, {plain, "50 or 60", math.NaN()}, {plain, "lots", math.NaN()}, {plain, "", math.NaN()},
		{plain, "10:30", math.NaN()}, {plain, "NaN", math.NaN()}, {plain, "inf", math.NaN()}, {plain, "0x10", math.NaN()}, {plain, "1e400", math.NaN()}, {plain, "1_000", 1000},
		{plain, "1000000000000000", 1e15}, {plain, "1000000000000001", math.NaN()}, {plain, "999999999999999999999999999999", math.NaN()}, {plain, "2000 trillion", math.NaN()},
	} {
		got, ok := test.question.parse(test.text)
		if want := !math.IsNaN(test.want); ok != want || ok && got != test.want {
			t.Errorf("%q where %+v is right is read as %v, %v; want %v", test.text, *test.question.Number, got, ok, test.want)
		}
	}
}

func TestMarkNumbers(t *testing.T) {
	for _, test := range []struct {
		name   string
		number Number
		given  []string
		right  []bool
	}{
		{"exact", Number{Value: 1822}, []string{"1822", "1,822", "1.822", "1823", "1822.1", "-1822"}, []bool{true, true, true, false, false, false}},
		{"tolerance", Number{Value: 3.1, Tolerance: 0.1}, []string{"3.2", "3", "3,1", "3.21", "2.99"}, []bool{true, true, true, false, false}},
		{"tolerance of a tenth where floats have none", Number{Value: 0.3, Tolerance: 0.1}, []string{"0.4", "0.2", "0.1", "0.41"}, []bool{true, true, false, false}},
		{"nearest", Number{Value: 100, Nearest: true}, []string{"90", "105", "1000", "-100"}, []bool{false, true, false, false}},
		{"nearest: both sides tie", Number{Value: 3.1, Nearest: true}, []string{"3.2", "3", "3.0", "2"}, []bool{true, true, true, false}},
		{"nearest: however far off", Number{Value: 1, Nearest: true}, []string{"1 million", "a billion"}, []bool{true, false}},
		{"nearest, but none is a number", Number{Value: 1, Nearest: true}, []string{"lots", "many"}, []bool{false, false}},
	} {
		t.Run(test.name, func(t *testing.T) {
			q := Question{Kind: NumberKind, Number: &test.number, Points: 4}
			var given []Given
			for _, text := range test.given {
				given = append(given, Given{Text: text})
			}
			for i, m := range mark(q, given...) {
				if right := m.Verdict == Right; right != test.right[i] || right != (m.Points == 4) {
					t.Errorf("%q is marked %+v, want right: %v", test.given[i], m, test.right[i])
				}
			}
		})
	}
	staked := []Given{{Text: "100", Wager: 3}, {Text: "90"}} // nobody may stake here, so the first is no answer
	if marks := mark(Question{Kind: NumberKind, Number: &Number{Value: 100, Nearest: true}, Points: 2}, staked...); marks[0].Verdict != "" || marks[1].Verdict != Right {
		t.Errorf("what is no answer took the place of the nearest one: %+v", marks)
	}
}

func FuzzParse(f *testing.F) {
	for _, s := range []string{"1,822.5", "1½", "-3/4", "MDCCC", "two and a half", "50 km", "٣٫٥", "three point one", "1'0", "+", "−", "/", "million", "€"} {
		f.Add(s, 42.0, "km")
	}
	f.Fuzz(func(t *testing.T, text string, right float64, unit string) {
		if !(math.Abs(right) <= MaxNumber) {
			t.Skip()
		}
		q := Question{Kind: NumberKind, Number: &Number{Value: right, Unit: unit}}
		value, ok := q.parse(text)
		if ok && !(math.Abs(value) <= MaxNumber) {
			t.Errorf("%q is read as %v", text, value)
		}
		if d := distance(value, right); !(d >= 0) || d != distance(right, value) {
			t.Errorf("%v is %v from %v", value, d, right)
		}
	})
}
