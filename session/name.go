package session

import (
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/rivo/uniseg"
	"golang.org/x/text/cases"
	"golang.org/x/text/unicode/norm"

	"pubquiz/internal/words"
)

// The bounds of a participant's name.
const (
	maxNameLength = 24 // characters as a person counts them (grapheme clusters)
	maxNameBytes  = 96
)

// What can be wrong with a name, in sentences for the person who typed it.
var (
	errNoName     = &InvalidError{Field: "name", Detail: words.T("Type a name, so that the room knows who you are.")}
	errUnreadable = &InvalidError{Field: "name", Detail: words.T("The name contains a character that cannot be shown. Leave it out.")}
	errMarks      = &InvalidError{Field: "name", Detail: words.T("There are too many accents on one letter. Leave some out.")}
	errHeavy      = &InvalidError{Field: "name", Detail: words.T("The name is too long. Leave out a few letters or emoji.")}
)

// cleanName returns the name to show and the key by which names in a session are unique.
//
// The name is NFKC with single spaces and nothing invisible: direction overrides, controls and zero-width characters
// go, except where they hold an emoji (👨‍👩‍👧, ☎️) or an Indic letter together. The key is the same for names that look
// the same: it has no case and no width, and one form for the look-alikes of all alphabets, so a Cyrillic "Аdmin" is
// "admin". Accents count: "Jose" and "José" are two. The key is compared and never shown.
//
// The error is an *InvalidError. A clean name is its own clean name.
func cleanName(raw string) (name, key string, err error) {
	if len(raw) > 8*maxNameBytes {
		return "", "", errHeavy
	}
	if !utf8.ValidString(raw) {
		return "", "", errUnreadable
	}
	// What is removed may bring together what then composes, which takes another round.
	for name = tidy(raw); name != raw; name = tidy(raw) {
		raw = name
	}
	if name == "" {
		return "", "", errNoName
	}
	if strings.ContainsFunc(name, unreadable) {
		return "", "", errUnreadable
	}
	if hasMarkTower(name) {
		return "", "", errMarks
	}
	if n := uniseg.GraphemeClusterCount(name); n > maxNameLength {
		return "", "", &InvalidError{Field: "name", Detail: words.T("Shorten the name to {most} characters; it has {length}.", "most", maxNameLength, "length", n)}
	}
	if len(name) > maxNameBytes {
		return "", "", errHeavy
	}
	return name, nameKey(name), nil
}

// suggestName returns name with n after it ("The Quizzards 2"), shortened where that is needed to stay within bounds.
func suggestName(name string, n int) string {
	suffix := " " + strconv.Itoa(n)
	var clusters []string
	for g := uniseg.NewGraphemes(name); g.Next(); {
		clusters = append(clusters, g.Str())
	}
	clusters = clusters[:min(len(clusters), maxNameLength-len(suffix))]
	for len(strings.Join(clusters, "")) > maxNameBytes-len(suffix) {
		clusters = clusters[:len(clusters)-1]
	}
	return strings.TrimRight(strings.Join(clusters, ""), " ") + suffix
}

// tidy is one round of cleaning.
func tidy(s string) string {
	var b strings.Builder
	s = strings.ReplaceAll(s, "´", "’") // rock´n´roll: NFKC would make it a space
	start := true                       // of a word: a mark has nothing to stand on here
	for g := uniseg.NewGraphemes(norm.NFKC.String(s)); g.Next(); {
		cluster := g.Runes()
		for i, r := range cluster {
			switch {
			case unicode.IsSpace(r):
				b.WriteRune(' ')
				start = true
			case invisible(r) && !holdsTogether(cluster, i), start && unicode.IsMark(r):
			default:
				b.WriteRune(r)
				start = false
			}
		}
	}
	return norm.NFKC.String(strings.Join(strings.Fields(b.String()), " "))
}

const (
	zeroWidthJoiner   = '\u200d'
	emojiPresentation = '\ufe0f'
	keycap            = '\u20e3'
	blackFlag         = '\U0001f3f4'
	tagEnd            = '\U000e007f'
	braillePattern    = '\u2800' // the blank one
)

func invisible(r rune) bool {
	return unicode.In(r, unicode.Cc, unicode.Cf, unicode.Other_Default_Ignorable_Code_Point, unicode.Variation_Selector)
}

// holdsTogether tells whether the invisible rune at i belongs to how its grapheme cluster looks.
func holdsTogether(cluster []rune, i int) bool {
	if i == 0 {
		return false
	}
	before, last := cluster[i-1], i == len(cluster)-1
	switch r := cluster[i]; {
	case r == zeroWidthJoiner && !last && !unicode.IsMark(cluster[i+1]):
		return !invisible(cluster[i+1]) // segmentation joins only emoji, and Indic consonants, in this way
	case r == zeroWidthJoiner:
		return isVirama(before) && last
	case r == emojiPresentation:
		return unicode.IsSymbol(before) || before == '〰' || !last && cluster[i+1] == keycap
	case r >= '\U000e0020' && r <= tagEnd: // the flag of Wales is a black flag and tags
		return cluster[0] == blackFlag && cluster[len(cluster)-1] == tagEnd
	}
	return false
}

func isVirama(r rune) bool { return norm.NFC.PropertiesString(string(r)).CCC() == 9 }

// unreadable tells the characters that would show as a box or as nothing. Emoji newer than this program are let
// through.
func unreadable(r rune) bool {
	if r == braillePattern || r == utf8.RuneError || r == '\ufffc' {
		return true
	}
	return !unicode.IsGraphic(r) && !invisible(r) && (r < 0x1f000 || r > 0x1faff)
}

// hasMarkTower finds letters with so many accents that they would run into the lines above and below.
func hasMarkTower(s string) bool {
	const most = 4
	marks := 0
	for _, r := range norm.NFD.String(s) {
		if !unicode.In(r, unicode.Mn, unicode.Me) || invisible(r) {
			marks = 0
			continue
		}
		if marks++; marks > most {
			return true
		}
	}
	return false
}

func nameKey(name string) string {
	// Lower case after folding, since x/text folds the two cases of Cherokee into each other.
	folded := norm.NFKD.String(strings.ToLower(cases.Fold().String(norm.NFKD.String(name))))
	return norm.NFC.String(strings.Map(func(r rune) rune {
		if r == zeroWidthJoiner || r == emojiPresentation {
			return -1
		}
		if plain, ok := plainForms[r]; ok {
			return plain
		}
		return r
	}, folded))
}
