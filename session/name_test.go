package session

import (
	"errors"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"github.com/rivo/uniseg"
	"golang.org/x/text/unicode/norm"

	"pubquiz/internal/words"
)

func TestCleanNameKeeps(t *testing.T) {
	for _, name := range []string{
		"The Quizzards", "O’Brien's", "Bob & Alice", "<b>bold</b>", "#1!", "a", "2", "...", "José", "Łukasz", "Zoë",
		"Ελλάδα", "Команда", "שלום עולם", "فريق الحي", "क्षत्रिय", "ශ්\u200dරී", "ทีมกรุงเทพ", "東京チーム", "クイズ・チーム", "한국", "ኢትዮጵያ", "ქართველი",
		"👨‍👩‍👧‍👦", "☎️", "🏳️‍🌈 Pride", "🏴󠁧󠁢󠁷󠁬󠁳󠁿 Wales", "🇫🇷", "1️⃣ Eins", "👍🏽", "❤️‍🔥", "🧑🏿‍🚀", "〰️",
		"\U0001fae9 new emoji", strings.Repeat("x", 24), strings.Repeat("é", 24), "👨‍👩‍👧‍👦👨‍👩‍👧‍👦👨‍👩‍👧‍👦",
	} {
		got, key, err := cleanName(name)
		if err != nil || got != name || key == "" {
			t.Errorf("cleanName(%q) = %q, %q, %v; want it unchanged", name, got, key, err)
		}
	}
}

func TestCleanNameMends(t *testing.T) {
	for raw, want := range map[string]string{
		"  The \t Quizzards\n":         "The Quizzards",
		"Ｔｅａｍ　１":                       "Team 1",
		"Jose\u0301":                   "José",
		"\u202eevil\u202c":             "evil",
		"a\u200bb\u200cc\u200dd\ufeff": "abcd",
		"so\u00adft":                   "soft",
		"e\u200b\u0301":                "é", // what is removed brings together what composes
		"bell\x07":                     "bell",
		"a\ufe0fb":                     "ab",
		"☎\ufe0e":                      "☎",
		"x\U000e0067\U000e007f":        "x",
		"\u3164x\u1160":                "x", // Hangul fillers
		"\u0301accent":                 "accent",
		"™":                            "TM",
		"Rock´n´Roll":                  "Rock’n’Roll",
		"ﷺ":                            "صلى الله عليه وسلم",
	} {
		if got, _, err := cleanName(raw); err != nil || got != want {
			t.Errorf("cleanName(%q) = %q, %v; want %q", raw, got, err, want)
		}
	}
}

func TestCleanNameRefuses(t *testing.T) {
	for raw, want := range map[string]*InvalidError{
		"":                                    errNoName,
		" \t\u3000\u200b\u2066":               errNoName,
		"\u0301\u0302":                        errNoName,
		"\u2800":                              errUnreadable, // the blank braille pattern
		"a\ufffdb":                            errUnreadable,
		"a\xffb":                              errUnreadable,
		"\ue000":                              errUnreadable, // private use
		"\U000e0fff":                          errNoName,     // ignorable, so nothing is left
		"\u0378":                              errUnreadable, // unassigned
		"z\u0300\u0301\u0316\u0317\u0323algo": errMarks,
		strings.Repeat("x", 25):               {Field: "name", Detail: words.T("Shorten the name to 24 characters; it has 25.")},
		strings.Repeat("👨‍👩‍👧‍👦", 4): errHeavy,
		strings.Repeat(" x", 10_000): errHeavy,
	} {
		_, _, err := cleanName(raw)
		if got, ok := errors.AsType[*InvalidError](err); !ok || got.Field != want.Field || got.Detail.String() != want.Detail.String() {
			t.Errorf("cleanName(%q) error = %v, want %v", raw, err, want)
		}
	}
}

// TestSeenElsewhereAliceTwice: names that people take for the same are the same.
func TestSeenElsewhereAliceTwice(t *testing.T) {
	for _, same := range [][]string{
		{"admin", "Admin", "ADMIN", "Аdmin", "аdmіn", "ａｄｍｉｎ", "𝓪𝓭𝓶𝓲𝓷", "ᴀᴅᴍɪɴ", "αdmin", "ad\u200bmin", "AdmIn", "Adm1n", "Admln", "ⓐⓓⓜⓘⓝ", "admın"},
		{"HELLO", "НELLO", "HEꓡꓡO", "he11o", "HELL0"},
		{"Straße", "STRASSE"},
		{"ΣΊΣΥΦΟΣ", "σίσυφος"},
		{"Ёлка", "ёлка", "Ëлка"},
		{"O'Brien", "O’Brien", "O`Brien"},
		{"Team-A", "Team–A", "team‐a"},
		{"☎", "☎️"},
		{"ᏣᎳᎩ", "ꮳꮃꭹ"},
		{"The  Quizzards", "the quizzards"},
		{"alice", "Alice"},
	} {
		for _, other := range same[1:] {
			if got, want := keyOf(t, other), keyOf(t, same[0]); got != want {
				t.Errorf("key of %q = %q, but of %q = %q", other, got, same[0], want)
			}
		}
	}
}

func TestNameKeyTellsApart(t *testing.T) {
	for _, pair := range [][2]string{
		{"Jose", "José"}, {"Zoe", "Zoë"}, {"Team 1", "Team 2"}, {"Иван", "Йван"}, {"か", "が"}, {"👍🏽", "👍🏿"}, {"🏴󠁧󠁢󠁷󠁬󠁳󠁿", "🏴󠁧󠁢󠁥󠁮󠁧󠁿"},
		{"Barn", "Bam"}, {"a b", "ab"}, {"🇫🇷", "🇩🇪"},
	} {
		if a, b := keyOf(t, pair[0]), keyOf(t, pair[1]); a == b {
			t.Errorf("%q and %q have one key, %q", pair[0], pair[1], a)
		}
	}
}

// A look-alike that folds away before it is looked up would stand in the table for nothing.
func TestLookalikesAreFolded(t *testing.T) {
	for plain, others := range lookalikes {
		for _, other := range others {
			if got := nameKey(string(other)); got != string(plainForm(plain)) {
				t.Errorf("key of %q (%U) = %q, want %q", other, other, got, plain)
			}
		}
	}
}

func plainForm(r rune) rune {
	if plain, ok := plainForms[r]; ok {
		return plain
	}
	return r
}

func TestSuggestName(t *testing.T) {
	for _, test := range []struct {
		name string
		n    int
		want string
	}{
		{"The Quizzards", 2, "The Quizzards 2"},
		{"Table 7", 12, "Table 7 12"},
		{strings.Repeat("x", 24), 2, strings.Repeat("x", 22) + " 2"},
		{"Twenty-one characters ok", 3, "Twenty-one characters 3"},
		{"👨‍👩‍👧‍👦👨‍👩‍👧‍👦👨‍👩‍👧‍👦", 2, "👨‍👩‍👧‍👦👨‍👩‍👧‍👦👨‍👩‍👧‍👦 2"},
		{strings.Repeat("🧑🏿", 12), 2, strings.Repeat("🧑🏿", 11) + " 2"},
	} {
		got := suggestName(test.name, test.n)
		if got != test.want {
			t.Errorf("suggestName(%q, %d) = %q, want %q", test.name, test.n, got, test.want)
		}
		keyOf(t, got)
	}
}

func keyOf(t *testing.T, name string) string {
	t.Helper()
	_, key, err := cleanName(name)
	if err != nil {
		t.Fatalf("cleanName(%q): %v", name, err)
	}
	return key
}

func FuzzCleanName(f *testing.F) {
	for _, s := range []string{"The Quizzards", "Аdmin", "👨‍👩‍👧‍👦 ☎️", "\u202ex", "e\u200b\u0301", "ශ්\u200dරී", "🏴󠁧󠁢󠁷󠁬󠁳󠁿", "ﷺ", "1️⃣", "\u1100\u1160\u11a8", "ẛ̣", "\u0345α"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, raw string) {
		name, key, err := cleanName(raw)
		if err != nil {
			if _, ok := errors.AsType[*InvalidError](err); !ok {
				t.Errorf("cleanName(%q) error is %T", raw, err)
			}
			return
		}
		if again, sameKey, err := cleanName(name); again != name || sameKey != key || err != nil {
			t.Errorf("cleanName(%q) = %q (%q), and cleaned again %q (%q), %v", raw, name, key, again, sameKey, err)
		}
		if n := uniseg.GraphemeClusterCount(name); n < 1 || n > maxNameLength || len(name) > maxNameBytes {
			t.Errorf("%q is out of bounds: %d characters, %d bytes", name, n, len(name))
		}
		if key == "" || !utf8.ValidString(name) || !norm.NFKC.IsNormalString(name) {
			t.Errorf("cleanName(%q) = %q, key %q", raw, name, key)
		}
		for _, r := range name {
			if unicode.IsControl(r) || unicode.Is(unicode.Bidi_Control, r) {
				t.Errorf("%q holds %U", name, r)
			}
		}
		suggested := suggestName(name, 2)
		if again, _, err := cleanName(suggested); again != suggested || err != nil {
			t.Errorf("suggestName(%q) = %q, which is cleaned to %q, %v", name, suggested, again, err)
		}
	})
}
