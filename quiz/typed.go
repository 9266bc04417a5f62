package quiz

import (
	"slices"
	"strings"

	"golang.org/x/text/unicode/norm"
)

// matcher marks the answers to one question. Whatever depends on the question alone is done once.
type matcher struct {
	forms    map[string]bool // folded texts that are right
	patterns []pattern       // what may hold a slip; none where the question is Exact

	typed, sounds []rune // space for the answer at hand
	rows          stateRows
}

// matcher prepares the question's accepted answers.
func (q Question) matcher() *matcher {
	m := &matcher{forms: map[string]bool{}}
	about := q.about()
	for _, accepted := range q.Accepted {
		m.forms[Fold(accepted)] = true
		if _, numeral := roman(Fold(accepted)); numeral {
			continue // "XVIII": each letter counts, as in a number
		}
		for _, words := range about.forms(accepted) {
			m.add(words)
		}
		for _, words := range about.variants(accepted) {
			m.forms[join(words)] = true
		}
	}
	if q.Exact {
		m.patterns = nil
	}
	return m
}

// add accepts words that may hold a slip.
func (m *matcher) add(words []string) {
	m.forms[join(words)] = true
	if letters(words) > maxTyped {
		return
	}
	m.patterns = append(m.patterns, newPattern(words))
}

// right tells whether a folded text is one of the accepted answers, in one of its forms, perhaps with a slip.
func (m *matcher) right(folded string) bool {
	if m.forms[folded] {
		return true
	}
	if len(m.patterns) == 0 {
		return false
	}
	if m.typed = appendRunes(m.typed[:0], folded); len(m.typed) > maxTyped {
		return false
	}
	m.sounds = appendSounds(m.sounds[:0], m.typed)
	typed := newTypedText(m.typed)
	sounds := &typed
	if !slices.Equal(m.sounds, m.typed) {
		other := newTypedText(m.sounds)
		sounds = &other
	}
	for i := range m.patterns {
		if m.patterns[i].matches(&typed, sounds, &m.rows) {
			return !isNeighbour(folded)
		}
	}
	return false
}

func appendRunes(runes []rune, s string) []rune {
	for _, r := range s {
		runes = append(runes, r)
	}
	return runes
}

// foldWords are the words of which a text's Fold is made.
func foldWords(s string) []string {
	var f folder
	f.fold(s)
	words := make([]string, 0, len(f.starts))
	for i, from := range f.starts {
		to := len(f.out)
		if i+1 < len(f.starts) {
			to = f.starts[i+1]
		}
		words = append(words, strings.TrimSuffix(string(f.out[from:to]), " "))
	}
	if folded := Fold(s); len(words) == 0 || join(words) != folded {
		return []string{folded}
	}
	return words
}

// typedWords are a text's words as they are typed, of which Fold may make others.
func typedWords(s string) []string {
	var f folder
	if !isASCII(s) {
		s = decompose(s)
	}
	f.split(s)
	words := make([]string, len(f.words))
	for i := range words {
		words[i] = norm.NFKC.String(f.text(i))
	}
	return words
}

// join is the Fold of folded words.
func join(words []string) string {
	var f folder
	for _, word := range words {
		f.write(word)
	}
	return string(f.out)
}
