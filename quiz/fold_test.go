package quiz

import (
	"testing"
	"unicode"
	"unicode/utf8"
)

func TestFoldTakesForTheSame(t *testing.T) {
	for _, same := range [][]string{
		{"The Beatles", "beatles", "BEATLES!", "  the  beatles. ", "Ｂｅａｔｌｅｓ", "the\tbeatles", "an the beatles"},
		{"São Paulo", "sao paulo", "SAO-PAULO", "Sa\u0303o Paulo", "saopaulo"},
		{"ice cream", "Ice-cream", "icecream", "ice\u200bcream", "ice\u00adcream"},
		{"Rock & Roll", "rock and roll", "ROCK&ROLL"},
		{"O'Brien", "O’Brien", "obrien", "O´Brien"},
		{"Straße", "STRASSE", "strasse"},
		{"Ærøskøbing", "aeroskobing"},
		{"Łódź", "lodz"},
		{"İstanbul", "istanbul", "ISTANBUL", "ıstanbul"},
		{"1,000,000", "1000000", "١٬٠٠٠٬٠٠٠", "１００００００"},
		{"3.14", "3,14", "٣٫١٤"},
		{"-5", "−5", "–5"},
		{"0.5", ".5", " .5"},
		{"-0.5", "-.5", "−.5"},
		{"1914–1918", "1914-1918", "1914 1918", "1914 — 1918"},
		{"AC/DC", "acdc", "Ac Dc"},
		{"C#", "c#"},
		{"Ὀδυσσεύς", "οδυσσευσ", "ΟΔΥΣΣΕΥΣ"},
		{"Ёлка", "елка"},
		{"ᏣᎳᎩ", "ꮳꮃꭹ"},
		{"שָׁלוֹם", "שלום"},
		{"مُحَمَّد", "محمد", "محـــمد"},
		{"東京", "東京。", "「東京」"},
		{"½", "1⁄2"},
		{"The", "the"},
		{"?!", " ?! "},
	} {
		for _, other := range same[1:] {
			if got, want := Fold(other), Fold(same[0]); got != want {
				t.Errorf("Fold(%q) = %q, but Fold(%q) = %q", other, got, same[0], want)
			}
		}
	}
}

func TestFoldTellsApart(t *testing.T) {
	for _, pair := range [][2]string{
		{"1.5", "15"}, {".5", "5"}, {"-.5", ".5"}, {"-5", "5"}, {"10:30", "1030"}, {"1 2", "12"}, {"1914-1918", "19141918"}, {"1+1", "11"},
		{"C#", "C"}, {"C++", "C"}, {"A", "B"}, {"$5", "€5"}, {"か", "が"}, {"Vitamin A", "Vitamin"}, {"A-ha", "Ha"},
		{"?", "!"}, {"कि", "कु"}, {"½", "12"},
	} {
		if Fold(pair[0]) == Fold(pair[1]) {
			t.Errorf("%q and %q both fold to %q", pair[0], pair[1], Fold(pair[0]))
		}
	}
}

// Every decimal digit that Unicode knows must be read, since runs of ten are an assumption of digitValue.
func TestFoldReadsDigitsOfEveryScript(t *testing.T) {
	next := rune('0')
	for r := rune(0); r <= unicode.MaxRune; r++ {
		if !unicode.Is(unicode.Nd, r) {
			continue
		}
		if got := Fold(string(r)); got != string(next) {
			t.Fatalf("Fold(%q %U) = %q, want %q", r, r, got, next)
		}
		if next++; next > '9' {
			next = '0'
		}
	}
}

func FuzzFold(f *testing.F) {
	for _, s := range []string{"The Beatles", "a a a", "1,000.5", "–5", "؟", "K\u0327\u0301", "ſ", "ﷺ", "\u0345a", "a\u0301-1", "# C#", "1 & 2"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		if !utf8.ValidString(s) {
			t.Skip("JSON never holds it")
		}
		once := Fold(s)
		if twice := Fold(once); twice != once {
			t.Errorf("Fold(%q) = %q, and folded again %q", s, once, twice)
		}
		if visible := len(plain(s)) > 0; visible && once == "" {
			t.Errorf("Fold(%q) is empty: it would be the same as every other such answer", s)
		}
	})
}
