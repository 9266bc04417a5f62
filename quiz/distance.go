package quiz

import "math/bits"

// A state is how many slips there are in the whole, and how many of them in the word at hand. A set of states is a bit each:
// 4 × slips in the whole + slips in the word.
const noSlip uint16 = 1

// slip adds one to every state of the set, and leaves out those that nobody allows.
func slip(set, allowed uint16) uint16 {
	const mayHaveOneMoreInWord = 0x7777
	return set & mayHaveOneMoreInWord << 5 & allowed
}

// newWord forgets the slips in the word.
func newWord(set uint16) uint16 {
	return (set | set>>1 | set>>2 | set>>3) & 0x1111
}

// statesUpTo are the states with at most so many slips in the word.
func statesUpTo(inWord int) uint16 {
	return [...]uint16{0x1111, 0x3333, 0x7777, 0xffff}[min(inWord, maxSlips)]
}

// stateRows are sets of states, for as many letters of what is typed: after those of the pattern but one, those of it, and one more.
// They are there to be used again.
type stateRows [3][maxTyped + 2]uint16

// walk goes along a pattern and a typed text at once, letter by letter of the pattern, with all states that the typed letters so far may be in.
type walk struct {
	*pattern
	typed       []rune
	doublesFree bool
	whole       uint16 // states with no more slips than the whole allows
	low, high   int    // letters of typed from which the end can still be reached

	before, here, after *[maxTyped + 2]uint16
}

// holds tells whether the pattern's letters are typed, but for the slips that are forgiven.
func (p *pattern) holds(answer *typedText, rows *stateRows) bool {
	n, m := len(p.runes), len(answer.runes)
	most := slips(min(n, m))
	if most == 0 || bits.OnesCount64(p.letters&^answer.letters) > most || bits.OnesCount64(answer.letters&^p.letters) > most {
		return false
	}
	w := walk{pattern: p, typed: answer.runes, doublesFree: n >= longEnough, whole: ^uint16(0) >> (4 * (maxSlips - most)),
		before: &rows[0], here: &rows[1], after: &rows[2]}
	longer := most // how many letters one may have more than the other, anywhere
	if w.doublesFree {
		longer += min(p.doubles+answer.doubles, 4)
	}
	if n-m > longer || m-n > longer {
		return false
	}
	left, right := (longer-(m-n))/2, (longer+(m-n))/2 // of the diagonal: beyond, the way back is too long
	from, same := sameEnds(p.runes, answer.runes)
	clear(w.here[max(0, from-left) : min(m, from+right)+2])
	w.here[from] = noSlip
	for i := from; ; i++ {
		w.low, w.high = max(0, i-left), min(m, i+right)
		w.tooMany(i)
		if i == n-same {
			return w.here[m-same] != 0
		}
		clear(w.after[w.low : w.high+2])
		if !w.letter(i) {
			return false
		}
		if i > from && !p.begins[i] {
			w.swapped(i)
		}
		w.before, w.here, w.after = w.here, w.after, w.before
	}
}

// sameEnds are how many letters two texts begin and end with together, where there is one way to go; but for one at each end, which may
// be swapped with the next.
func sameEnds(a, b []rune) (start, end int) {
	for start < min(len(a), len(b)) && a[start] == b[start] {
		start++
	}
	for end < min(len(a), len(b))-start && a[len(a)-1-end] == b[len(b)-1-end] {
		end++
	}
	return max(0, start-1), max(0, end-1)
}

// tooMany lets letters be typed that the pattern does not have before its i-th. They belong to the word before it.
func (w *walk) tooMany(i int) {
	allowed := w.allowed[min(max(i-1, 0), len(w.runes)-1)] & w.whole
	for j := w.low; j < w.high; j++ {
		set := w.here[j]
		if set == 0 || isExact(w.typed[j]) {
			continue
		}
		slipped := slip(set, allowed)
		if i == 0 {
			slipped = slip(slipped, allowed)
		}
		if w.doublesFree && j > 0 && w.typed[j] == w.typed[j-1] {
			slipped |= set
		}
		w.here[j+1] |= slipped
	}
}

// letter goes on by the pattern's i-th letter: typed as it is, another in its place, or none. It reports whether there was anywhere to go from.
func (w *walk) letter(i int) (alive bool) {
	r, begins, allowed := w.runes[i], w.begins[i], w.allowed[i]&w.whole
	double := w.doublesFree && !begins && r == w.runes[i-1] && !isExact(r)
	for j := w.low; j <= w.high; j++ {
		set := w.here[j]
		if set == 0 {
			continue
		}
		alive = true
		if begins {
			set = newWord(set)
		}
		slipped := slip(set, allowed)
		if begins {
			slipped = slip(slipped, allowed)
		}
		w.after[j] |= slipped
		if double {
			w.after[j] |= set
		}
		switch {
		case j == len(w.typed):
		case r == w.typed[j]:
			w.after[j+1] |= set
		case !isExact(w.typed[j]):
			w.after[j+1] |= slipped
		}
	}
	return alive
}

// swapped lets the pattern's i-th letter be typed before the one that it comes after.
func (w *walk) swapped(i int) {
	r, previous, allowed := w.runes[i], w.runes[i-1], w.allowed[i]&w.whole
	if r == previous || isExact(r) || isExact(previous) {
		return
	}
	for j := max(w.low, 1); j <= w.high && j < len(w.typed); j++ {
		if w.typed[j] != previous || w.typed[j-1] != r {
			continue
		}
		set := w.before[j-1]
		if w.begins[i-1] {
			set = slip(newWord(set), allowed)
		}
		w.after[j+1] |= slip(set, allowed)
	}
}
