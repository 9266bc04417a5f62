package quiz

import (
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/cases"
	"golang.org/x/text/unicode/norm"
)

// Fold reduces a typed answer to what counts in it, so that answers with one Fold are the same answer. Case, width, accents,
// punctuation, spacing and English articles do not count: "The Beatles!" and "beatles", "Ice-cream" and "ice cream",
// "São Paulo" and "SAO PAULO" each fold to one text. Numbers may be written in digits, in English words or, after a name, as
// Roman numerals: "Henry VIII", "henry the eighth" and "Henry 8" fold to one text, and so do "Nineteen Eighty-Four" and "1984".
// What tells numbers apart does count: "1.5" is not "15", ".5" is "0.5" and not "5", "-5" is not "5", "1,000" is
// "1000". An answer of nothing but punctuation stays as it is. Folding a folded text changes nothing.
func Fold(s string) string {
	if folded, ok := foldPlain(s); ok {
		return folded
	}
	f := folders.Get().(*folder)
	defer folders.Put(f)
	for {
		f.fold(s)
		switch {
		case string(f.out) == s:
			return s
		case string(f.out) == f.typed: // without writing it down again
			s = f.typed
		default:
			s = string(f.out)
		}
		if settled(s) {
			return s
		}
	}
}

// foldPlain folds what most answers are: words of Latin letters, to none of which a rule applies.
func foldPlain(s string) (folded string, ok bool) {
	var space [MaxAnswerText]byte
	if len(s) > len(space) {
		return "", false
	}
	n, word := 0, 0 // letters so far, and before the word at hand
	for i := range len(s) {
		switch c := s[i]; {
		case c >= 'a' && c <= 'z':
			space[n] = c
			n++
		case c >= 'A' && c <= 'Z':
			space[n] = c + 'a' - 'A'
			n++
		case c == ' ' || c == '-' || c == '.' || c == ',' || c == '\'' || c == '!' || c == '?' || c == '"' || c == '(' || c == ')' || c == '/':
			if n > word && isSpecial(space[word:n]) {
				return "", false
			}
			word = n
		default:
			return "", false
		}
	}
	if n == 0 || n > word && isSpecial(space[word:n]) || word > 0 && isSpecial(space[:n]) {
		return "", false
	}
	if string(space[:n]) == s {
		return s, true
	}
	return string(space[:n]), true
}

var folders = sync.Pool{New: func() any { return new(folder) }}

// folder folds one text. It keeps the words apart, which the folded text does not.
type folder struct {
	buf    []byte // what counts of each word, one after the other
	typed  string // the same
	words  []word // of typed
	out    []byte // the folded text
	starts []int  // where each word begins in out
	foldBuffers
}

// foldBuffers hold a short answer without allocating.
type foldBuffers struct {
	bufSpace, outSpace [160]byte
	wordSpace          [24]word
	startSpace         [24]int
}

// word is typed[from:to].
type word struct {
	from, to int
	glued    bool // to the word before, by punctuation: the "ha" of "A-ha"
}

// fold is one pass. The next may find more: "se ven" becomes "seven", and then 7.
func (f *folder) fold(s string) {
	f.buf, f.words, f.out, f.starts = f.bufSpace[:0], f.wordSpace[:0], f.outSpace[:0], f.startSpace[:0]
	plain := isASCII(s)
	if !plain {
		s = decompose(s)
	}
	f.split(s)
	f.rewrite()
	if len(f.words) == 0 {
		f.out = append(f.out, strings.Join(strings.Fields(strings.ToLower(s)), " ")...)
	}
	if !plain {
		f.compose()
	}
}

// compose undoes the decomposing, word by word.
func (f *folder) compose() {
	decomposed := string(f.out)
	f.out = f.out[:0]
	for i, from := range f.starts {
		to := len(decomposed)
		if i+1 < len(f.starts) {
			to = f.starts[i+1]
		}
		f.starts[i] = len(f.out)
		f.out = norm.NFKC.AppendString(f.out, decomposed[from:to])
	}
	if len(f.starts) == 0 {
		f.out = norm.NFKC.AppendString(f.out, decomposed)
	}
}

// settled tells quickly of most folded texts that another pass would change nothing.
func settled(s string) bool {
	if s == "" || !(s[0] >= 'a' && s[0] <= 'z') {
		return false
	}
	for i := range len(s) {
		if !(s[i] >= 'a' && s[i] <= 'z' || isDigitByte(s[i])) {
			return false
		}
	}
	return !isSpecial([]byte(s))
}

func isASCII(s string) bool {
	for i := range len(s) {
		if s[i] >= utf8.RuneSelf {
			return false
		}
	}
	return true
}

// decompose takes case and width away, and accents off their letters.
func decompose(s string) string {
	s = apart(s)
	// Lower case after folding, since x/text folds the two cases of Cherokee into each other.
	return norm.NFKD.String(strings.ToLower(cases.Fold().String(norm.NFKD.String(s))))
}

// apart puts a space between a number and the fraction after it, since in "1½" decomposed, which is "11⁄2", nothing would tell
// them apart.
func apart(s string) string {
	var b strings.Builder
	last := 0
	for i, r := range s {
		before, _ := utf8.DecodeLastRuneInString(s[:i])
		if isFraction(r) && isDigit(before) {
			b.WriteString(s[last:i])
			b.WriteByte(' ')
			last = i
		}
	}
	if last == 0 {
		return s
	}
	return b.String() + s[last:]
}

func isFraction(r rune) bool { return r >= '¼' && r <= '¾' || r >= '⅐' && r <= '⅞' || r == '↉' }

// split fills words with what counts of s.
func (f *folder) split(s string) {
	from, glued, currency := 0, false, rune(0)
	end := func(punctuation bool) {
		if len(f.buf) > from {
			if currency != 0 { // "€5" is written "5€"
				f.buf = utf8.AppendRune(f.buf, currency)
				currency = 0
			}
			f.words = append(f.words, word{from, len(f.buf), glued && len(f.words) > 0})
			from, glued = len(f.buf), punctuation
		} else if !punctuation {
			glued = false
		}
	}
	var before rune // as it stands in s
	for i, r := range s {
		size := utf8.RuneLen(r)
		if r == utf8.RuneError {
			_, size = utf8.DecodeRuneInString(s[i:])
		}
		switch {
		case r >= 'a' && r <= 'z' || r >= '0' && r <= '9':
			f.buf = append(f.buf, byte(r))
		case r >= 'A' && r <= 'Z':
			f.buf = append(f.buf, byte(r)+'a'-'A')
		case unicode.IsSpace(r), r == '°' && isDigit(before):
			end(false)
		case strings.ContainsRune("€$£¥", r) && len(f.buf) == from && isDigit(runeAfter(s, i+size)) && !isDigit(before):
			currency = r
		case r == '&':
			end(false)
			f.buf = append(f.buf, "and"...)
			end(false)
		case (unicode.IsPunct(r) || unicode.IsSymbol(r)) && isDigit(before) && isDigit(runeAfter(s, i+size)):
			switch {
			case (r == ',' || r == '٬') && isThousands(s[i+size:]), r == '.' && isThousands(s[i+size:]) && strings.HasPrefix(s[i+size:], "000"):
			case r == ',' || r == '.' || r == '٫':
				f.buf = append(f.buf, '.')
			case r == ':' || unicode.IsSymbol(r):
				f.buf = utf8.AppendRune(f.buf, r)
			default:
				end(true)
			}
		case isMinus(r) && len(f.buf) == from && (isDigit(runeAfter(s, i+size)) || isDecimal(s[i+size:])) && !unicode.IsLetter(before):
			f.buf = append(f.buf, '-')
		case isDecimal(s[i:]) && (before == 0 || unicode.IsSpace(before) || isMinus(before)): // ".5" is "0.5"
			f.buf = append(f.buf, "0."...)
		default:
			last, _ := utf8.DecodeLastRune(f.buf[from:])
			kept := foldRune(r, last)
			if kept == "" && unicode.IsPunct(r) && !isGenitive(s[i:]) {
				end(true)
			}
			f.buf = append(f.buf, kept...)
		}
		before = r
	}
	end(false)
	f.typed = string(f.buf)
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
	'ة': "ه", 'ى': "ي", // as many people type them
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

// isDecimal tells a point with digits behind it.
func isDecimal(s string) bool { return strings.HasPrefix(s, ".") && isDigit(runeAfter(s, 1)) }

func isDigit(r rune) bool {
	return r >= '0' && r <= '9' || r >= utf8.RuneSelf && unicode.Is(unicode.Nd, r)
}

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

// isThousands tells whether a comma before rest groups digits: exactly three follow it.
func isThousands(rest string) bool {
	digits := 0
	for _, r := range rest {
		if !isDigit(r) {
			break
		}
		digits++
	}
	return digits == 3
}

// isGenitive tells whether s goes on with the 's of "Parkinson's".
func isGenitive(s string) bool {
	for _, apostrophe := range []string{"'s", "’s", "'S", "’S"} {
		if rest, ok := strings.CutPrefix(s, apostrophe); ok {
			return !unicode.IsLetter(runeAfter(rest, 0)) && !strings.HasPrefix(rest, apostrophe[:len(apostrophe)-1])
		}
	}
	return false
}

func runeAfter(s string, i int) rune {
	if i >= len(s) {
		return 0
	}
	r, _ := utf8.DecodeRuneInString(s[i:])
	return r
}
