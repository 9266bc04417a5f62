package quiz

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/cases"
	"golang.org/x/text/unicode/norm"
)

// Fold reduces a typed answer to what counts in it. Case, width, accents, punctuation, spacing and leading English articles
// do not: "The Beatles!" and "beatles", "Ice-cream" and "ice cream", "São Paulo" and "SAO PAULO" each fold to one text.
// What tells numbers apart does: "1.5" is not "15", "-5" is not "5", "1,000" is "1000". An answer of nothing but punctuation
// stays as it is. Folding a folded text changes nothing.
func Fold(s string) string {
	// Lower case after folding, since x/text folds the two cases of Cherokee into each other.
	decomposed := norm.NFKD.String(strings.ToLower(cases.Fold().String(norm.NFKD.String(s))))
	words := foldWords([]rune(decomposed))
	for len(words) > 1 && isArticle(words[0]) {
		words = words[1:]
	}
	if len(words) == 0 {
		return strings.Join(strings.Fields(norm.NFKC.String(decomposed)), " ")
	}
	folded := words[0]
	for _, word := range words[1:] {
		if word[0] == '-' || startsWithDigit(word) && endsInDigit(folded) {
			folded += " " // 1914–1918 is not 19141918
		}
		folded += word
	}
	return norm.NFKC.String(folded)
}

func isArticle(word string) bool { return word == "the" || word == "a" || word == "an" }

// foldWords splits at spaces (and at dashes between numbers) and keeps of each word what counts.
func foldWords(runes []rune) []string {
	var words []string
	var word strings.Builder
	end := func() {
		if word.Len() > 0 {
			words = append(words, word.String())
			word.Reset()
		}
	}
	for i, r := range runes {
		switch {
		case unicode.IsSpace(r):
			end()
		case r == '&':
			end()
			word.WriteString("and")
			end()
		case (unicode.IsPunct(r) || unicode.IsSymbol(r)) && isDigit(runeAt(runes, i-1)) && isDigit(runeAt(runes, i+1)):
			switch {
			case (r == ',' || r == '٬') && isThousands(runes, i):
			case r == ',' || r == '.' || r == '٫':
				word.WriteRune('.')
			case r == ':' || unicode.IsSymbol(r):
				word.WriteRune(r)
			default:
				end()
			}
		case isMinus(r) && isDigit(runeAt(runes, i+1)) && word.Len() == 0:
			word.WriteRune('-')
		default:
			before, _ := utf8.DecodeLastRuneInString(word.String())
			word.WriteString(foldRune(r, before))
		}
	}
	end()
	return words
}

// foldRune returns what counts of r inside a word after before, which may be nothing.
func foldRune(r, before rune) string {
	if plain, ok := foldedLetters[r]; ok {
		return plain
	}
	switch {
	case isDigit(r):
		return string('0' + digitValue(r))
	case r == '#' && unicode.IsLetter(before): // C# is not C
		return "#"
	case isAccent(r), unicode.Is(unicode.Cf, r), unicode.Is(unicode.Sk, r), unicode.Is(unicode.Variation_Selector, r):
		return ""
	case unicode.IsLetter(r), unicode.IsMark(r), unicode.IsNumber(r), unicode.IsSymbol(r):
		return string(r)
	default:
		return ""
	}
}

// foldedLetters are the letters that do not decompose into a plain letter and an accent, but are typed as if they did.
var foldedLetters = map[rune]string{
	'æ': "ae", 'œ': "oe", 'ø': "o", 'ł': "l", 'đ': "d", 'ð': "d", 'þ': "th", 'ħ': "h", 'ı': "i",
}

// isAccent tells the marks that people leave out when they type: accents, Hebrew and Arabic vowel points. The marks of
// other scripts are letters to their readers: か is not が.
func isAccent(r rune) bool {
	switch {
	case r >= 0x0300 && r <= 0x036f:
		return true
	case r >= 0x0591 && r <= 0x05c7, r >= 0x064b && r <= 0x065f, r == 0x0670:
		return unicode.Is(unicode.Mn, r)
	case r == 0x0640: // the stroke that stretches Arabic words
		return true
	}
	return false
}

func isDigit(r rune) bool { return unicode.Is(unicode.Nd, r) }

// digitValue reads a decimal digit of any script: each script has its ten in one run, from zero.
func digitValue(r rune) rune {
	for _, run := range unicode.Nd.R16 {
		if r >= rune(run.Lo) && r <= rune(run.Hi) {
			return (r - rune(run.Lo)) % 10
		}
	}
	for _, run := range unicode.Nd.R32 {
		if r >= rune(run.Lo) && r <= rune(run.Hi) {
			return (r - rune(run.Lo)) % 10
		}
	}
	return 0
}

func isMinus(r rune) bool { return r == '-' || r == '−' || r == '–' }

// isThousands tells whether the comma at i groups digits: one to three before it, exactly three after it.
func isThousands(runes []rune, i int) bool {
	after := i + 1
	for isDigit(runeAt(runes, after)) {
		after++
	}
	return after-i-1 == 3
}

func startsWithDigit(s string) bool { return s[0] >= '0' && s[0] <= '9' }

func endsInDigit(s string) bool { return s[len(s)-1] >= '0' && s[len(s)-1] <= '9' }

func runeAt(runes []rune, i int) rune {
	if i < 0 || i >= len(runes) {
		return 0
	}
	return runes[i]
}
