// Package words is what people read, in each of their languages. The code says everything in English, where it is meant; what a language says in its
// place stands in that language's catalogue, catalogues/CODE.json, under the English. docs/decisions/languages.md tells why.
package words

import (
	"fmt"
	"strings"
)

// Text is something said to people, before it is said in a language. In it, {name} stands for a value.
type Text struct {
	English string // where a number decides, the form for many
	One     string // where a number decides, the form for one; empty where none does
	Count   int    // the number that decides
	Values  []any  // names and values in turn: "most", 40, "name", "Ada"; a value may be a Text
}

// T is a text that no number changes: T("Shorten the name to {most} characters.", "most", 40).
func T(english string, values ...any) Text { return Text{English: english, Values: values} }

// N is a text that a number changes, and in which {n} is that number: N(3, "{n} answer", "{n} answers").
func N(n int, one, other string, values ...any) Text {
	return Text{English: other, One: one, Count: n, Values: append([]any{"n", n}, values...)}
}

// IsZero tells that nothing is said.
func (t Text) IsZero() bool { return t.English == "" }

// String is the text in English, as logs and programs have it.
func (t Text) String() string { return English.Say(t) }

// MarshalJSON fails: what is sent or stored is said in a language first.
func (t Text) MarshalJSON() ([]byte, error) {
	return nil, fmt.Errorf("words: %q has not been said in a language", t.English)
}

// value is what a name in the text stands for. A name without a value is a mistake, which the tests of the catalogues find; people get to see it as it is.
func (t Text) value(name string) any {
	for i := 0; i+1 < len(t.Values); i += 2 {
		if t.Values[i] == name {
			return t.Values[i+1]
		}
	}
	return "{" + name + "}"
}

// fill writes what plain makes of the words, and what show makes of the values between them.
func (t Text) fill(form string, plain func(string) string, show func(any) string) string {
	var b strings.Builder
	for {
		before, rest, found := strings.Cut(form, "{")
		name, after, closed := strings.Cut(rest, "}")
		if !found || !closed {
			b.WriteString(plain(form))
			return b.String()
		}
		b.WriteString(plain(before))
		b.WriteString(show(t.value(name)))
		form = after
	}
}
