package quiz

import (
	"math/bits"
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

// A state is how many slips there are in the whole, and how many of them in the word at hand. A set of states is a bit each:
// 4 × slips in the whole + slips in the word.
const noSlip uint16 = 1

// statesUpTo are the states with at most so many slips in the word.
func statesUpTo(inWord int) uint16 {
	return [...]uint16{0x1111, 0x3333, 0x7777, 0xffff}[min(inWord, maxSlips)]
}

// slip adds one to every state of the set, and leaves out those that nobody allows.
func slip(set, allowed uint16) uint16 {
	const mayHaveOneMoreInWord = 0x7777
	return set & mayHaveOneMoreInWord << 5 & allowed
}

// newWord forgets the slips in the word.
func newWord(set uint16) uint16 {
	return (set | set>>1 | set>>2 | set>>3) & 0x1111
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

// matches tells whether an answer is this pattern but for the slips that are forgiven, either as typed or by how it sounds.
func (p *pattern) matches(typed, sounds *typedText, rows *stateRows) bool {
	if p.holds(typed, rows) {
		return true
	}
	if p.sounds != nil {
		return p.sounds.holds(sounds, rows)
	}
	return !slices.Equal(typed.runes, sounds.runes) && p.holds(sounds, rows)
}

// stateRows are sets of states, for as many letters of what is typed: after those of the pattern but one, those of it, and one more.
// They are there to be used again.
type stateRows [3][maxTyped + 2]uint16

func (p *pattern) holds(answer *typedText, rows *stateRows) bool {
	typed, letters := answer.runes, answer.letters
	n, m := len(p.runes), len(typed)
	most := slips(min(n, m))
	if most == 0 || bits.OnesCount64(p.letters&^letters) > most || bits.OnesCount64(letters&^p.letters) > most {
		return false
	}
	doublesFree := n >= longEnough
	longer := most // how many letters one may have more than the other, anywhere
	if doublesFree {
		longer += min(p.doubles+answer.doubles, 4)
	}
	if n-m > longer || m-n > longer {
		return false
	}
	left, right := (longer-(m-n))/2, (longer+(m-n))/2 // of the diagonal: beyond, the way back is too long
	whole := uint16(1)<<(4*(most+1)) - 1
	if most == maxSlips {
		whole = 0xffff
	}
	before, here, after := &rows[0], &rows[1], &rows[2]
	from := 0
	for from < min(n, m) && p.runes[from] == typed[from] { // as long as all is well, there is one way to go
		from++
	}
	same := 0 // at the end
	for same < min(n, m)-from && p.runes[n-1-same] == typed[m-1-same] {
		same++
	}
	from, same = max(0, from-1), max(0, same-1) // the last of these may be swapped with the next
	clear(here[max(0, from-left) : min(m, from+right)+2])
	here[from] = noSlip
	for i := from; ; i++ {
		low, high := max(0, i-left), min(m, i+right)
		at := min(max(i-1, 0), n-1) // what is inserted belongs to the word before it
		allowed := p.allowed[at] & whole
		for j := low; j < high; j++ { // a letter too many
			set := here[j]
			if set == 0 {
				continue
			}
			if doublesFree && j > 0 && typed[j] == typed[j-1] && !isExact(typed[j]) {
				here[j+1] |= set
			}
			if !isExact(typed[j]) {
				set = slip(set, allowed)
				if i == 0 {
					set = slip(set, allowed)
				}
				here[j+1] |= set
			}
		}
		if i == n-same {
			return here[m-same] != 0
		}
		clear(after[low : high+2])
		alive := false
		r, allowed := p.runes[i], p.allowed[i]&whole
		for j := low; j <= high; j++ {
			set := here[j]
			if set == 0 {
				continue
			}
			alive = true
			if p.begins[i] {
				set = newWord(set)
			}
			slipped := slip(set, allowed)
			if p.begins[i] {
				slipped = slip(slipped, allowed)
			}
			after[j] |= slipped // a letter missing
			if doublesFree && !p.begins[i] && r == p.runes[i-1] && !isExact(r) {
				after[j] |= set
			}
			if j == m {
				continue
			}
			if r == typed[j] {
				after[j+1] |= set
			} else if !isExact(typed[j]) {
				after[j+1] |= slipped
			}
		}
		if i > from && !p.begins[i] { // two swapped
			for j := max(low, 1); j <= high && j < m; j++ {
				if typed[j] == p.runes[i-1] && typed[j-1] == r && r != typed[j] && !isExact(r) && !isExact(typed[j]) {
					set := before[j-1]
					if p.begins[i-1] {
						set = newWord(set)
						set = slip(set, allowed)
					}
					after[j+1] |= slip(set, allowed)
				}
			}
		}
		if !alive {
			return false
		}
		before, here, after = here, after, before
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
