package quiz

import (
	"math"
	"strconv"
	"strings"
)

// English numbers in words. Each is read wherever it stands: both "Three Musketeers" and "3 Musketeers" are answers to the same
// question, and nobody means two different things by them.
var (
	units = map[string]int64{
		"zero": 0, "one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7, "eight": 8, "nine": 9, "ten": 10, "eleven": 11, "twelve": 12,
		"thirteen": 13, "fourteen": 14, "fifteen": 15, "sixteen": 16, "seventeen": 17, "eighteen": 18, "nineteen": 19,
	}
	tens = map[string]int64{
		"twenty": 20, "thirty": 30, "forty": 40, "fourty": 40, "fifty": 50, "sixty": 60, "seventy": 70, "eighty": 80, "ninety": 90,
	}
	scales   = map[string]int64{"hundred": 1e2, "thousand": 1e3, "million": 1e6, "billion": 1e9, "trillion": 1e12}
	ordinals = map[string]int64{
		"first": 1, "second": 2, "third": 3, "fourth": 4, "fifth": 5, "sixth": 6, "seventh": 7, "eighth": 8, "ninth": 9, "tenth": 10, "eleventh": 11,
		"twelfth": 12, "thirteenth": 13, "fourteenth": 14, "fifteenth": 15, "sixteenth": 16, "seventeenth": 17, "eighteenth": 18, "nineteenth": 19,
		"twentieth": 20, "thirtieth": 30, "fortieth": 40, "fiftieth": 50, "sixtieth": 60, "seventieth": 70, "eightieth": 80, "ninetieth": 90,
	}
)

// cardinal reads the number that begins with word i: "twenty-one", "a hundred and one", "nineteen eighty-four", "1.5 million".
// It returns how many words it takes: none if no number in words begins there.
func (f *folder) cardinal(i int) (n int64, used int) {
	if n, ok := scaled(f.text(i)); ok {
		return n, 1
	}
	if digits, ok := f.digitsAndScale(i); ok {
		return digits, 2
	}
	below := int64(math.MaxInt64) // each group is of a smaller scale than the one before: "two million three thousand"
	for {
		at := i + used
		if used > 0 && f.text(at) == "and" && below > 1 {
			at++
		}
		group, words := f.hundreds(at)
		scale := scales[f.text(at+words)]
		switch {
		case scale >= 1000 && scale < below:
			if words == 0 {
				if used > 0 {
					return n, used
				}
				group = 1 // "million dollars"
			}
			n, used, below = n+group*scale, at+words+1-i, scale
		case words > 0 && below > 1 && group < below:
			return n + group, at + words - i
		default:
			return n, used
		}
	}
}

// hundreds reads a number below ten thousand: "seven", "a hundred and one", "eighteen hundred", "ten sixty-six".
func (f *folder) hundreds(i int) (n int64, used int) {
	n, used = f.small(i)
	if f.text(i+used) != "hundred" {
		if year, words := f.small(i + used); used > 0 && n >= 10 && n <= 20 && year >= 10 {
			return n*100 + year, used + words
		}
		return n, used
	}
	if used == 0 {
		n = 1
	}
	n, used = n*100, used+1
	at := i + used
	if f.text(at) == "and" {
		at++
	}
	if rest, words := f.small(at); words > 0 && rest > 0 {
		return n + rest, at + words - i
	}
	return n, used
}

// small reads a number below a hundred.
func (f *folder) small(i int) (n int64, used int) {
	text := f.text(i)
	if n, ok := joinedCardinal(text); ok {
		if unit := units[f.text(i+1)]; tens[text] > 0 && unit > 0 && unit < 10 {
			return n + unit, 2
		}
		return n, 1
	}
	return 0, 0
}

// joinedCardinal reads a number below a hundred in one word: "seven", "twenty", "twentyone".
func joinedCardinal(word string) (int64, bool) {
	if n, ok := units[word]; ok {
		return n, true
	}
	if n, ok := tens[word]; ok {
		return n, true
	}
	if ten, unit := cutTens(word); units[unit] > 0 && units[unit] < 10 {
		return ten + units[unit], true
	}
	return 0, false
}

// joinedOrdinal reads "first", "twentieth", "twentyfirst".
func joinedOrdinal(word string) (int64, bool) {
	if n, ok := ordinals[word]; ok {
		return n, true
	}
	if ten, unit := cutTens(word); ordinals[unit] > 0 && ordinals[unit] < 10 {
		return ten + ordinals[unit], true
	}
	return 0, false
}

// cutTens cuts off the "twenty" that a word begins with.
func cutTens(word string) (ten int64, rest string) {
	if at := strings.Index(word, "ty"); at > 0 {
		return tens[word[:at+2]], word[at+2:]
	}
	return 0, ""
}

// ordinal reads "eighth", "8th", "twenty-first". It returns how many words it takes, or none.
func (f *folder) ordinal(i int) (n int64, used int) {
	text := f.text(i)
	if text == "the" && i > 0 && f.text(i+1) != "the" { // "Henry the Eighth"
		if n, used := f.ordinal(i + 1); used > 0 {
			return n, used + 1
		}
		return 0, 0
	}
	if n, ok := joinedOrdinal(text); ok {
		return n, 1
	}
	if unit := ordinals[f.text(i+1)]; tens[text] > 0 && unit > 0 && unit < 10 {
		return tens[text] + unit, 2
	}
	if len(text) > 2 && len(text) <= 6 {
		switch digits, suffix := text[:len(text)-2], text[len(text)-2:]; suffix {
		case "st", "nd", "rd", "th":
			if n, err := strconv.ParseInt(digits, 10, 64); err == nil && n > 0 {
				return n, 1
			}
		}
	}
	return 0, 0
}

func ordinalSuffix(n int64) string {
	if n%100/10 != 1 {
		switch n % 10 {
		case 1:
			return "st"
		case 2:
			return "nd"
		case 3:
			return "rd"
		}
	}
	return "th"
}

// digitsAndScale reads "2 million" and "1.5 billion".
func (f *folder) digitsAndScale(i int) (int64, bool) {
	text := f.text(i)
	scale := scales[f.text(i+1)]
	if scale == 0 || text == "" || !isDigitByte(text[0]) {
		return 0, false
	}
	return times(text, scale)
}

// scaled reads "2million".
func scaled(word string) (int64, bool) {
	if word == "" || !isDigitByte(word[0]) {
		return 0, false
	}
	digits := strings.TrimRight(word, "abcdefghijklmnopqrstuvwxyz")
	scale := scales[word[len(digits):]]
	return times(digits, scale)
}

// times multiplies a number in digits, if that gives a whole number of bearable size.
func times(digits string, scale int64) (int64, bool) {
	f, err := strconv.ParseFloat(digits, 64)
	n := math.Round(f * float64(scale))
	if err != nil || n > MaxNumber || n == 0 || math.Abs(f*float64(scale)-n) > 1e-6 {
		return 0, false
	}
	return int64(n), true
}

// isRegnal tells whether a word after a name is a Roman numeral. One letter is, at the end or after a word such as "part";
// L counts from three letters on, since "XL" is a size, and C, D and M from four, since "DC" is a district.
func isRegnal(word string, ends bool, before string) bool {
	if _, ok := roman(word); !ok {
		return false
	}
	others := strings.Trim(word, "ivx")
	switch {
	case len(word) == 1:
		return others == "" && (ends || counted[before])
	case others == "":
		return true
	case strings.Trim(word, "ivxl") == "":
		return len(word) >= 3
	default:
		return len(word) >= 4
	}
}

var counted = map[string]bool{"episode": true, "part": true, "chapter": true, "volume": true, "act": true, "war": true, "type": true}

var romanDigits = [...]struct {
	value  int64
	letter string
}{
	{1000, "m"}, {900, "cm"}, {500, "d"}, {400, "cd"}, {100, "c"}, {90, "xc"}, {50, "l"}, {40, "xl"}, {10, "x"}, {9, "ix"}, {5, "v"}, {4, "iv"}, {1, "i"},
}

// roman reads a Roman numeral in lower case that is written as it should be: "iv" and not "iiii".
func roman(word string) (n int64, ok bool) {
	rest := word
	for _, digit := range romanDigits {
		for strings.HasPrefix(rest, digit.letter) && n < 4000 {
			n, rest = n+digit.value, rest[len(digit.letter):]
		}
	}
	return n, word != "" && rest == "" && n < 4000 && asRoman(n) == word
}

// asRoman writes a number from 1 to 3999.
func asRoman(n int64) string {
	var b strings.Builder
	for _, digit := range romanDigits {
		for n >= digit.value {
			b.WriteString(digit.letter)
			n -= digit.value
		}
	}
	return b.String()
}
