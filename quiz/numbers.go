package quiz

import (
	"math"
	"math/big"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// parse reads a number as people type it: in digits with the separators of any country, as a fraction, in words, in Roman
// numerals, with a sign, a scale ("2 million", "3k"), an ordinal's ending, a currency, a percent sign or the question's unit. It
// refuses whatever is no number or not surely one ("about 50"), and what is beyond MaxNumber.
func (q Question) parse(text string) (value float64, ok bool) {
	text = strings.ToLower(norm.NFKC.String(apart(text)))
	text = trimUnit(text, q.units())
	negative := false
	for _, minus := range []string{"-", "−", "–", "minus ", "negative "} {
		if rest, cut := strings.CutPrefix(text, minus); cut && !negative {
			negative, text = true, strings.TrimSpace(rest)
		}
	}
	if !negative {
		text = strings.TrimSpace(strings.TrimPrefix(text, "+"))
	}
	value, ok = q.magnitude(text)
	if negative {
		value = -value
	}
	return value, ok && math.Abs(value) <= MaxNumber
}

// units are what may stand beside the number and says nothing: the question's unit, in singular and plural and without the "km" of "million
// km", and what is a unit anywhere.
func (q Question) units() []string {
	anywhere := []string{"%", "percent", "per cent", "°", "€", "$", "£", "¥"}
	if q.Number == nil {
		return anywhere
	}
	unit := strings.ToLower(norm.NFKC.String(strings.TrimSpace(q.Number.Unit)))
	if unit == "" {
		return anywhere
	}
	units := []string{unit, unit + "s", strings.TrimSuffix(unit, "s")}
	if first, _, several := strings.Cut(unit, " "); several {
		units = append(units, first)
	}
	return append(units, anywhere...)
}

// trimUnit takes one unit away, before or after the number.
func trimUnit(text string, units []string) string {
	text = strings.TrimSpace(text)
	for _, unit := range units {
		if rest, cut := strings.CutSuffix(text, unit); cut && rest != "" {
			if before, _ := utf8.DecodeLastRuneInString(rest); !unicode.IsLetter(before) { // "2 km" is not 2 k of m
				return strings.TrimSpace(rest)
			}
		}
		if rest, cut := strings.CutPrefix(text, unit); cut && rest != "" {
			if after, _ := utf8.DecodeRuneInString(rest); !unicode.IsLetter(after) {
				return strings.TrimSpace(rest)
			}
		}
	}
	return text
}

// magnitude reads a number that has neither sign nor unit.
func (q Question) magnitude(text string) (float64, bool) {
	digits, scale := cutScale(text)
	if value, ok := q.inDigits(digits); ok {
		return value * scale, true
	}
	if value, ok := q.asFraction(text); ok {
		return value, true
	}
	return inWords(text)
}

// cutScale cuts off what a number in digits is multiplied by: "2m", "2 million", "1.5k"; or an ordinal's ending.
func cutScale(text string) (digits string, scale float64) {
	digits = strings.TrimRightFunc(text, unicode.IsLetter)
	scale, known := shortScales[text[len(digits):]]
	if !known {
		return text, 1
	}
	return strings.TrimSpace(digits), scale
}

var shortScales = map[string]float64{
	"k": 1e3, "thousand": 1e3, "m": 1e6, "mn": 1e6, "mio": 1e6, "million": 1e6, "millions": 1e6, "bn": 1e9, "b": 1e9, "billion": 1e9, "billions": 1e9, "tn": 1e12,
	"trillion": 1e12, "hundred": 1e2, "st": 1, "nd": 1, "rd": 1, "th": 1,
}

// inDigits reads digits of any script. Separators are those of any country: of two kinds, the last is the decimal point; one
// that stands there more than once, a space or an apostrophe groups thousands. One comma or point before exactly three digits
// may be either. A comma then groups, as in English, unless the right answer is not whole; a point is the decimal point, unless the right
// answer is whole and in the thousands, where "1.822" must be German.
func (q Question) inDigits(text string) (float64, bool) {
	var written strings.Builder
	for _, r := range text {
		switch {
		case isDigit(r) && r < utf8.RuneSelf:
			written.WriteRune(r)
		case isDigit(r):
			written.WriteRune('0' + digitValue(r))
		case r == '.' || r == '٫':
			written.WriteByte('.')
		case r == ',':
			written.WriteByte(',')
		case unicode.IsSpace(r) || strings.ContainsRune("'’_٬", r):
			written.WriteByte('\'')
		default:
			return 0, false
		}
	}
	whole, fraction := written.String(), ""
	if at := q.decimalPoint(whole); at >= 0 {
		whole, fraction = whole[:at], whole[at+1:]
	}
	whole, ok := ungroup(whole)
	if !ok || !isDigits(fraction) || whole+fraction == "" {
		return 0, false
	}
	value, err := strconv.ParseFloat("0"+whole+"."+fraction+"0", 64)
	return value, err == nil
}

// decimalPoint is where the whole part ends, or -1 if there is nothing else.
func (q Question) decimalPoint(written string) int {
	last := strings.LastIndexAny(written, ".,")
	if last < 0 {
		return -1
	}
	same := strings.Count(written, written[last:last+1])
	both := strings.Contains(written, ".") && strings.Contains(written, ",")
	switch {
	case same > 1:
		return -1
	case both, strings.Contains(written, "'"), len(written)-last-1 != 3, last == 0, last > 3, written[0] == '0':
		return last
	}
	right := 0.0
	if q.Number != nil {
		right = math.Abs(q.Number.Value)
	}
	if whole := right == math.Trunc(right); whole && (written[last] == ',' || right >= 1000) {
		return -1
	}
	return last
}

// ungroup takes separators of one kind out of a number's whole part, if they stand where those of thousands do, or of
// lakhs: "1,00,000".
func ungroup(whole string) (digits string, ok bool) {
	at := strings.IndexAny(whole, ".,'")
	if at < 0 {
		return whole, true
	}
	groups := strings.Split(whole, whole[at:at+1])
	for i, group := range groups {
		last := i == len(groups)-1
		switch {
		case !isDigits(group), group == "", len(group) > 3, last && len(group) != 3, i > 0 && len(group) == 1:
			return "", false
		}
	}
	return strings.Join(groups, ""), true
}

func isDigits(s string) bool { return strings.Trim(s, "0123456789") == "" }

// asFraction reads "3/4", "½" and "1 1/2".
func (q Question) asFraction(text string) (float64, bool) {
	over, under, ok := strings.Cut(strings.ReplaceAll(text, "⁄", "/"), "/")
	if !ok {
		return 0, false
	}
	parts := append(strings.Fields(over), strings.Fields(under)...)
	if len(parts) < 2 || len(parts) > 3 || strings.TrimSpace(under) == "" || slices.ContainsFunc(parts, func(p string) bool { return !isDigits(p) || len(p) > 15 }) {
		return 0, false
	}
	if len(strings.Fields(under)) > 1 {
		return 0, false
	}
	values := make([]float64, len(parts))
	for i, part := range parts {
		values[i], _ = strconv.ParseFloat(part, 64)
	}
	n := len(values)
	if values[n-1] == 0 {
		return 0, false
	}
	value := values[n-2] / values[n-1]
	if n == 3 {
		value += values[0]
	}
	return value, true
}

// off is how far a given number is from the right one: infinitely, if it is none.
func (q Question) off(g Given) float64 {
	given, ok := q.parse(g.Text)
	if !ok || q.Number == nil {
		return math.Inf(1)
	}
	return distance(given, q.Number.Value)
}

// judgeNumbers marks numbers by how far off they are, which takes all of them if the nearest is right.
func (q Question) judgeNumbers(answers []Given) func(Given) Mark {
	offs := map[string]float64{} // by text; NaN for what is no answer
	offOf := func(g Given) float64 {
		if q.Number == nil || len(g.Choices) > 0 || q.checkWager(g) != nil {
			return math.NaN()
		}
		off, known := offs[g.Text]
		if !known {
			if off = math.NaN(); q.CheckGiven(g) == nil {
				off = q.off(g)
			}
			offs[g.Text] = off
		}
		return off
	}
	within := 0.0
	if q.Number != nil {
		within = q.Number.Tolerance
	}
	if q.Number != nil && q.Number.Nearest {
		within = math.Inf(1)
		for _, g := range answers {
			if off := offOf(g); off < within {
				within = off
			}
		}
	}
	return func(g Given) Mark {
		off := offOf(g)
		if math.IsNaN(off) {
			return Mark{}
		}
		return q.allOrNothing(off <= within)
	}
}

// distance is the difference of two numbers as they are written in decimal: from 3.1 to 3.2 it is 0.1, and the same as to 3.
func distance(a, b float64) float64 {
	if a == math.Trunc(a) && b == math.Trunc(b) {
		return math.Abs(a - b)
	}
	exact := new(big.Rat).Sub(decimal(a), decimal(b))
	d, _ := exact.Abs(exact).Float64()
	return d
}

func decimal(f float64) *big.Rat {
	r, _ := new(big.Rat).SetString(strconv.FormatFloat(f, 'g', -1, 64))
	return r
}
