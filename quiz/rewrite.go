package quiz

import (
	"strconv"
	"strings"
)

// rewrite writes every word in one of the ways in which people write it, and all of them without spaces.
func (f *folder) rewrite() {
	i := 0
	for i+1 < len(f.words) && isArticle(f.text(i)) && !f.words[i+1].glued {
		i++
	}
	if i+1 == len(f.words) && isArticle(f.text(i)) {
		i = 0 // "The The"
	}
	for i < len(f.words) {
		i += f.rewriteAt(i)
	}
}

// rewriteAt writes what begins with word i, and returns how many words that is.
func (f *folder) rewriteAt(i int) int {
	text := f.text(i)
	if !isSpecial(f.buf[f.words[i].from:f.words[i].to]) {
		f.write(text)
		return 1
	}
	last := i+1 == len(f.words)
	named := i > 0 && isLetters(f.text(i-1)) && len(f.out) > 0
	if n, used := f.ordinal(i); used > 0 {
		next := f.text(i + used)
		if named && f.ends(i+used) || months[next] != "" { // "Henry the Eighth", "4th July"
			f.number(n)
		} else if next == "of" && months[f.text(i+used+1)] != "" {
			f.number(n)
			return used + 1
		} else {
			f.write(strconv.FormatInt(n, 10) + ordinalSuffix(n))
		}
		return used
	}
	if n, used := f.cardinal(i); used > 0 {
		f.number(n)
		return used
	}
	switch {
	case text == "the" && !last && !f.words[i+1].glued && len(f.out) > 0:
		return 1
	case named && isRegnal(text, f.ends(i+1), f.text(i-1)):
		n, _ := roman(text)
		f.number(n)
		return 1
	case months[text] != "" && (endsInDigit(f.out) || !last && isDigitByte(f.text(i + 1)[0])):
		f.write(months[text])
		return 1
	case (text == "degree" || text == "degrees") && endsInDigit(f.out):
		return 1
	case currencies[text] != "" && endsInDigit(f.out):
		f.write(currencies[text])
		return 1
	case text == "percent" && i > 0 && endsInDigit(f.out):
		return 1
	case (text == "to" || text == "until") && endsInDigit(f.out) && !last && isDigitByte(f.text(i + 1)[0]): // "1914 to 1918"
		return 1
	case text == "per" && !last && f.text(i+1) == "cent" && endsInDigit(f.out):
		return 2
	}
	if !last {
		if short, ok := shortBefore[text]; ok {
			f.write(short)
			return 1
		}
		if between, ok := shortBetween[text]; ok && i > 0 && (len(text) > 1 || len(f.text(i-1)) > 1) {
			f.write(between)
			return 1
		}
	}
	if short, ok := shortAfter[text]; ok && last && i > 0 {
		f.write(short)
		return 1
	}
	if other, ok := spellings[text]; ok {
		f.write(other)
		return 1
	}
	f.write(text)
	return 1
}

// isSpecial tells whether any of the rules may apply to a word. Most words it lets through at the price of one look.
func isSpecial(word []byte) bool {
	if len(word) == 0 || isDigitByte(word[0]) {
		return true
	}
	if len(word) > longestSpecial {
		return false
	}
	numeral, at := true, 0
	for i, c := range word {
		numeral = numeral && strings.IndexByte("ivxlcdm", c) >= 0
		if at == 0 && c == 'y' && i > 0 && word[i-1] == 't' {
			at = i + 1
		}
	}
	return numeral || specialWords[string(word)] || at > 0 && tens[string(word[:at])] > 0
}

// longestSpecial is how many letters the longest special word has: "seventy-seventh", and the numeral of 3888.
const longestSpecial = 15

var specialWords = func() map[string]bool {
	special := map[string]bool{"a": true, "an": true, "the": true, "percent": true, "per": true, "to": true, "until": true, "degree": true, "degrees": true}
	for _, words := range []map[string]string{shortBefore, shortBetween, shortAfter, spellings, months, currencies} {
		for word := range words {
			special[word] = true
		}
	}
	for _, words := range []map[string]int64{units, tens, scales, ordinals} {
		for word := range words {
			special[word] = true
		}
	}
	return special
}()

// ends tells whether a name ends before word i: "Henry VIII", and "Henry VIII of England".
func (f *folder) ends(i int) bool { return i == len(f.words) || f.text(i) == "of" }

// text is word i, in lower case; "" after the last.
func (f *folder) text(i int) string {
	if i >= len(f.words) {
		return ""
	}
	return f.typed[f.words[i].from:f.words[i].to]
}

// write adds a word. Between numbers a space remains: 1914–1918 is not 19141918.
func (f *folder) write(word string) {
	if len(f.out) > 0 && len(word) > 0 && (word[0] == '-' || isDigitByte(word[0]) && endsInDigit(f.out)) {
		f.out = append(f.out, ' ')
	}
	f.starts = append(f.starts, len(f.out))
	f.out = append(f.out, word...)
}

func (f *folder) number(n int64) { f.write(strconv.FormatInt(n, 10)) }

func isArticle(word string) bool { return word == "the" || word == "a" || word == "an" }

// What people shorten, by where it stands: "Saint Petersburg" but "The Saint", "Wall Street" but "Street Fighter".
var (
	shortBefore  = map[string]string{"saint": "st", "mount": "mt", "doctor": "dr", "mister": "mr", "missus": "mrs"}
	shortBetween = map[string]string{"n": "and", "versus": "v", "vs": "v"}
	shortAfter   = map[string]string{"street": "st", "junior": "jr", "senior": "sr", "united": "utd"}
)

// months are those beside a number: "4 July", "Sept 11".
var months = map[string]string{
	"january": "january", "february": "february", "march": "march", "april": "april", "may": "may", "june": "june", "july": "july", "august": "august",
	"september": "september", "october": "october", "november": "november", "december": "december", "jan": "january", "feb": "february", "apr": "april",
	"aug": "august", "sept": "september", "sep": "september", "oct": "october", "nov": "november", "dec": "december",
}

// currencies are those after a number: "5 euros".
var currencies = map[string]string{"euro": "€", "euros": "€", "dollar": "$", "dollars": "$", "pound": "£", "pounds": "£", "yen": "¥"}

// spellings are words of which Britain and America differ by more than a slip of the finger.
var spellings = map[string]string{
	"gray": "grey", "tire": "tyre", "sulphur": "sulfur", "sulphuric": "sulfuric", "plow": "plough", "donut": "doughnut", "donuts": "doughnuts",
	"jewelry": "jewellery", "program": "programme", "airplane": "aeroplane", "catalog": "catalogue", "mom": "mum", "ax": "axe", "okay": "ok",
	"cesium": "caesium",
}

func isLetters(s string) bool {
	for i := range len(s) {
		if isDigitByte(s[i]) {
			return false
		}
	}
	return s != ""
}

func isDigitByte(c byte) bool { return c >= '0' && c <= '9' }

func endsInDigit(b []byte) bool { return len(b) > 0 && isDigitByte(b[len(b)-1]) }
