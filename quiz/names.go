package quiz

import (
	"slices"
	"strings"
	"unicode/utf8"
)

const maxNames = 10 // words; a longer answer is not a name

// surnames are the forms of a name that its last word is enough for: "da Vinci", "Vinci", "L. da Vinci", "Vinci, Leonardo da".
func surnames(words []string) (forms [][]string) {
	end := len(words)
	if end > maxNames {
		return nil
	}
	for end > 1 && isSuffix(words[end-1]) {
		end--
	}
	for from := 1; from < end; from++ {
		forms = append(forms, words[from:end])
		if end < len(words) {
			forms = append(forms, words[from:])
		}
	}
	if end < 2 {
		return forms
	}
	given, last := words[:end-1], words[end-1]
	initials := initialsOf(given)
	return append(forms, append(initials, last), []string{initials[0], last}, slices.Concat(initials[:1], words[1:end]), []string{given[0], last}, slices.Concat([]string{last}, given))
}

func initialsOf(words []string) (initials []string) {
	for _, word := range words {
		_, size := utf8.DecodeRuneInString(word)
		initials = append(initials, word[:size])
	}
	return initials
}

// isSuffix tells what comes after the last word of a name without being one.
func isSuffix(word string) bool { return word == "jr" || word == "sr" || !isLetters(word) }

// spelledOut writes letters with dots or rings as those do who lack the keys: "Köln" as "Koeln".
var spelledOut = strings.NewReplacer("ä", "ae", "ö", "oe", "ü", "ue", "Ä", "Ae", "Ö", "Oe", "Ü", "Ue", "å", "aa", "Å", "Aa", "ø", "oe", "Ø", "Oe")
