package exchange

import (
	"math"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"pubquiz/internal/words"
	"pubquiz/quiz"
)

// time sets the seconds that a cell gives: "20", "20 sec", "1:30".
func (d *draft) time(cell string) {
	cell = strings.TrimSpace(cell)
	if cell == "" {
		return
	}
	seconds, ok := parseSeconds(cell)
	if !ok || seconds == 0 {
		d.changed(d.name("seconds"), cell, words.T("Expected a number of seconds. It got {seconds} seconds.", "seconds", defaultSeconds))
		return
	}
	d.Seconds = seconds
}

func parseSeconds(cell string) (seconds int, ok bool) {
	if minutes, rest, found := strings.Cut(cell, ":"); found {
		m, err := strconv.Atoi(minutes)
		s, ok := parseSeconds(rest)
		return m*60 + s, err == nil && ok && m >= 0 && m < 1000
	}
	digits := strings.TrimRightFunc(cell, func(r rune) bool { return unicode.IsLetter(r) || unicode.IsSpace(r) || r == '.' })
	f, err := strconv.ParseFloat(digits, 64)
	if err != nil || !(f >= 0 && f < 1e6) {
		return 0, false
	}
	return int(math.Round(f)), true
}

// worth sets the points that a cell gives, in half points.
func (d *draft) worth(cell string) {
	cell = strings.TrimSpace(cell)
	if cell == "" {
		return
	}
	f, err := parseNumber(cell)
	if err != nil || !(f > 0 && f < 1e6) {
		d.changed(d.name("points"), cell, words.T("Expected a number of points. It got {points}.", "points", defaultPoints))
		return
	}
	d.Points = max(1, quiz.Points(math.Round(f*2)))
	if f*2 != math.Trunc(f*2) && d.Points <= quiz.MaxPoints {
		d.changed(d.name("points"), cell, words.T("Rounded to {points}, since points are whole or half.", "points", d.Points))
	}
}

// parseNumber reads a number as spreadsheets show it: "1822", "-1.5", "1,822", "1 822", "3,14".
func parseNumber(s string) (float64, error) {
	s = strings.Map(func(r rune) rune {
		switch {
		case unicode.IsSpace(r), r == '\'':
			return -1
		case r == '−', r == '–':
			return '-'
		}
		return r
	}, s)
	whole, fraction, comma := strings.Cut(s, ",")
	switch {
	case !comma:
	case strings.ContainsAny(fraction, ",.") || len(fraction) == 3 && strings.Trim(whole, "-0") != "": // 1,822 and 1,822.5 and 1,000,000
		s = strings.ReplaceAll(s, ",", "")
	default: // 3,14
		s = whole + "." + fraction
	}
	if strings.ContainsAny(s, "xXpP_iInN") { // hexadecimal, infinity and whatever else Go reads
		return 0, strconv.ErrSyntax
	}
	return strconv.ParseFloat(s, 64)
}

func isNumber(s string) bool {
	_, err := parseNumber(s)
	return err == nil
}

// numbered returns the options that a cell names by number, from 0: "1,3", "1|3", "1 and 3". Where it does not name any, the row is skipped.
func (d *draft) numbered(cell string, options []string) []int {
	last := len(trimmed(options))
	correct := []int{}
	for word := range strings.FieldsFuncSeq(strings.ReplaceAll(cell, "and", ","), func(r rune) bool { return !unicode.IsDigit(r) && !unicode.IsLetter(r) && r != '-' }) {
		n, err := strconv.Atoi(word)
		if err != nil || n < 1 || n > last {
			d.skip(d.names["correct"], cell, words.T("Expected the number of the right answer, from 1 to {last}.", "last", last))
			return nil
		}
		if !slices.Contains(correct, n-1) {
			correct = append(correct, n-1)
		}
	}
	if len(correct) == 0 {
		d.skip(d.names["correct"], cell, words.T("Expected the number of the right answer, from 1 to {last}.", "last", last))
	}
	return correct
}

// named returns the option that a text names: the option itself, or its letter or number. The options have single spaces.
func named(text string, options []string) (index int, ok bool) {
	text = spaced(text)
	same := func(equal func(a, b string) bool) int {
		return slices.IndexFunc(options, func(option string) bool { return option != "" && equal(option, text) })
	}
	if i := same(func(a, b string) bool { return a == b }); i >= 0 {
		return i, true
	}
	if i := same(strings.EqualFold); i >= 0 {
		return i, true
	}
	text = strings.ToLower(strings.Trim(text, "().:"))
	text = strings.TrimSpace(strings.TrimPrefix(strings.TrimPrefix(text, "option"), "answer"))
	if n, err := strconv.Atoi(text); err == nil {
		return n - 1, n >= 1 && n <= len(options) && options[n-1] != ""
	}
	if len(text) == 1 && text[0] >= 'a' && int(text[0]-'a') < len(options) {
		return int(text[0] - 'a'), options[text[0]-'a'] != ""
	}
	return 0, false
}

// spaced is s with single spaces.
func spaced(s string) string { return strings.Join(strings.Fields(s), " ") }

func allSpaced(texts []string) []string {
	single := make([]string, len(texts))
	for i, text := range texts {
		single[i] = spaced(text)
	}
	return single
}

// several splits a cell that holds several texts, at "|", or where there is none at ";". A backslash before either keeps it. Where there are more
// than maxAnswers, it stops behind the first too many.
func several(cell string) []string {
	separator := byte(';')
	if _, _, ok := cutAt(cell, '|'); ok {
		separator = '|'
	}
	var texts []string
	for more := true; more && len(texts) <= maxAnswers; {
		var part string
		if part, cell, more = cutAt(cell, separator); strings.TrimSpace(part) != "" {
			texts = append(texts, strings.TrimSpace(unescaped(part)))
		}
	}
	return texts
}

// cutAt cuts at the first separator that has no backslash before it.
func cutAt(s string, separator byte) (before, after string, found bool) {
	for i := 0; i < len(s); i++ {
		switch {
		case s[i] == '\\' && i+1 < len(s) && (s[i+1] == '|' || s[i+1] == ';'):
			i++
		case s[i] == separator:
			return s[:i], s[i+1:], true
		}
	}
	return s, "", false
}

var unescaper = strings.NewReplacer(`\|`, `|`, `\;`, `;`)

func unescaped(s string) string { return unescaper.Replace(s) }

// joined is the cell from which several reads these texts.
func joined(texts []string) string {
	escaped := make([]string, len(texts))
	for i, text := range texts {
		escaped[i] = strings.NewReplacer(`|`, `\|`, `;`, `\;`).Replace(text)
	}
	return strings.Join(escaped, " | ")
}
