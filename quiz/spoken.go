package quiz

import (
	"strconv"
	"strings"
	"unicode"
)

// inWords reads a number in words ("eighteen hundred", "three and a half", "two point five", "zwölf") or Roman numerals.
func inWords(text string) (float64, bool) {
	if strings.ContainsFunc(text, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsSpace(r) && r != '-' }) {
		return 0, false
	}
	if value, ok := foreignNumbers[Fold(text)]; ok {
		return value, true
	}
	if n, ok := roman(text); ok && len(text) > 1 && !romanWords[text] {
		return float64(n), true
	}
	if whole, digits, ok := strings.Cut(text, " point "); ok {
		return pointed(whole, digits)
	}
	for _, part := range spokenFractions {
		if rest, cut := strings.CutSuffix(text, part.words); cut {
			rest, joined := strings.CutSuffix(strings.TrimSpace(rest), "and")
			if value, ok := cardinalInWords(strings.TrimSpace(rest)); ok && joined {
				return value + part.value, true
			}
			return part.value, rest == ""
		}
	}
	return cardinalInWords(text)
}

// cardinalInWords reads a whole number in English words, or its ordinal.
func cardinalInWords(text string) (float64, bool) {
	folded := Fold(text)
	digits := strings.TrimRight(folded, "stndrh") // "eighteenth"
	if digits == "" || !isDigits(digits) {
		return 0, false
	}
	value, err := strconv.ParseFloat(digits, 64)
	return value, err == nil
}

// pointed reads "three point one four".
func pointed(whole, digits string) (float64, bool) {
	if _, ok := cardinalInWords(whole); !ok {
		return 0, false
	}
	var written strings.Builder
	written.WriteString(Fold(whole) + ".")
	for word := range strings.FieldsSeq(digits) {
		digit, ok := units[word]
		if !ok || digit > 9 {
			return 0, false
		}
		written.WriteString(strconv.FormatInt(digit, 10))
	}
	value, err := strconv.ParseFloat(written.String(), 64)
	return value, err == nil
}

// spokenFractions, the longer ones first.
var spokenFractions = []struct {
	words string
	value float64
}{
	{"three quarters", 0.75}, {"three-quarters", 0.75}, {"one quarter", 0.25}, {"a quarter", 0.25}, {"quarter", 0.25}, {"one half", 0.5}, {"a half", 0.5}, {"half", 0.5},
}

// romanWords are written like Roman numerals, and typed for something else.
var romanWords = map[string]bool{
	"mix": true, "di": true, "mi": true, "li": true, "dix": true, "xl": true, "cd": true, "dc": true, "cc": true, "cl": true, "cm": true, "dl": true, "ml": true, "mm": true, "dm": true,
	"md": true, "mc": true, "cv": true, "civ": true, "liv": true, "dim": true,
}

// foreignNumbers are small numbers in German, French, Spanish and Italian, by their Fold. Where a number is asked, none of them
// means anything else.
var foreignNumbers = spoken(
	"null eins zwei drei vier funf sechs sieben acht neun zehn elf zwolf dreizehn vierzehn funfzehn sechzehn siebzehn achtzehn neunzehn zwanzig",
	"zero un deux trois quatre cinq six sept huit neuf dix onze douze treize quatorze quinze seize dixsept dixhuit dixneuf vingt",
	"cero uno dos tres cuatro cinco seis siete ocho nueve diez once doce trece catorce quince dieciseis diecisiete dieciocho diecinueve veinte",
	"zero uno due tre quattro cinque sei sette otto nove dieci undici dodici tredici quattordici quindici sedici diciassette diciotto diciannove venti",
)

func spoken(languages ...string) map[string]float64 {
	numbers := map[string]float64{
		"hundert": 100, "einhundert": 100, "cent": 100, "cien": 100, "cento": 100, "tausend": 1000, "eintausend": 1000, "mil": 1000, "mille": 1000,
	}
	for _, language := range languages {
		for n, word := range strings.Fields(language) {
			numbers[word] = float64(n)
		}
	}
	return numbers
}
