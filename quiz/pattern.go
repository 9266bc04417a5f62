package quiz

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// pattern is an accepted answer, prepared to be compared with many that may hold a slip or two: a letter too many, one missing,
// one for another, or two swapped (the optimal string alignment distance). Beyond the whole's bound there is one for each word, so
// that "North Korea" is no slip for "South Korea". Digits, Chinese characters and words of one letter allow none, short words only in long answers, and a slip in the first
// letter of a word counts double, since people rarely slip there: "Zambia" is not "Gambia". A letter doubled, or not, in a long answer
// is no slip at all: "Mississipi".
type pattern struct {
	runes   []rune
	begins  []bool // a word begins here
	allowed []uint16
	letters uint64   // the set of the runes, by their last bits
	doubles int      // how many runes are the same as the one before
	sounds  *pattern // the same by appendSounds, if that differs
}

const (
	maxSlips   = 3
	maxTyped   = 128 // runes; longer folded answers are compared whole only
	longEnough = 7   // from here on, doubled letters do not count
)

// slips is how many are forgiven in an answer of so many letters.
func slips(letters int) int {
	switch {
	case letters <= 4:
		return 0
	case letters <= 8:
		return 1
	case letters <= 14:
		return 2
	default:
		return maxSlips
	}
}

// slipsInWord is how many of them may be in one word of so many letters, of a whole of so many.
func slipsInWord(letters, whole int) int {
	switch {
	case letters == 1, letters <= 3 && whole < 12:
		return 0
	case letters <= 5:
		return 1
	case letters <= 8:
		return 2
	default:
		return maxSlips
	}
}

// newPattern prepares the folded words of an accepted answer.
func newPattern(words []string) pattern {
	p, sounds := pattern{}, pattern{}
	whole := letters(words)
	for _, word := range words {
		runes := []rune(word)
		p.addWord(runes, whole)
		if len(runes) > 1 {
			runes = appendSounds(nil, runes)
		}
		sounds.addWord(runes, whole)
	}
	p.letters, p.doubles = letterSet(p.runes), countDoubles(p.runes)
	if !slices.Equal(sounds.runes, p.runes) {
		sounds.letters, sounds.doubles = letterSet(sounds.runes), countDoubles(sounds.runes)
		p.sounds = &sounds
	}
	return p
}

// addWord adds a word to a pattern that will have so many letters.
func (p *pattern) addWord(runes []rune, whole int) {
	most := slipsInWord(len(runes), whole)
	for i, r := range runes {
		allowed := statesUpTo(most)
		if isExact(r) {
			allowed = statesUpTo(0)
		}
		p.runes, p.begins, p.allowed = append(p.runes, r), append(p.begins, i == 0), append(p.allowed, allowed)
	}
}

// isExact tells whether a letter says so much by itself that another is never a slip.
func isExact(r rune) bool {
	if r < utf8.RuneSelf {
		return r >= '0' && r <= '9'
	}
	return unicode.Is(unicode.Han, r) || isDigit(r)
}

// typedText is a folded answer, prepared to be compared with many patterns.
type typedText struct {
	runes   []rune
	letters uint64
	doubles int
}

func newTypedText(runes []rune) typedText {
	return typedText{runes, letterSet(runes), countDoubles(runes)}
}

// matches tells whether an answer is this pattern but for the slips that are forgiven, either as typed or by how it sounds. The two may
// be one.
func (p *pattern) matches(typed, sounds *typedText, rows *stateRows) bool {
	switch {
	case p.holds(typed, rows):
		return true
	case p.sounds != nil:
		return p.sounds.holds(sounds, rows)
	default:
		return sounds != typed && p.holds(sounds, rows)
	}
}

// appendSounds adds a folded text's letters, one for each way to write what sounds the same: f for ph, k for ck, qu and a hard c, i for
// y, and no silent h.
func appendSounds(sounds, typed []rune) []rune {
	var before rune
	for i, r := range typed {
		next := rune(0)
		if i+1 < len(typed) {
			next = typed[i+1]
		}
		sound := r
		switch {
		case r == 'p' && next == 'h':
			sound = 'f'
		case r == 'c' && !strings.ContainsRune("hiey\x00", next), r == 'q':
			sound = 'k'
		case r == 'y':
			sound = 'i'
		}
		silent := r == 'h' && strings.ContainsRune("pgdkrbl", before) && i > 0 || r == 'c' && next == 'k' || r == 'u' && before == 'q'
		if !silent {
			sounds = append(sounds, sound)
		}
		before = r
	}
	return sounds
}

func countDoubles(runes []rune) (n int) {
	for i := 1; i < len(runes); i++ {
		if runes[i] == runes[i-1] {
			n++
		}
	}
	return n
}

func letterSet(runes []rune) (set uint64) {
	for _, r := range runes {
		set |= 1 << (r & 63)
	}
	return set
}
