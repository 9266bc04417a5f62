package ratelimit

import "math"

// sketch counts the admissions of keys that are not held, in a fixed amount of memory: a count-min sketch with conservative
// update over two epochs, each as long as the window. What it says of a key is at least the key's admissions since the
// epoch before this one began, hence at least those in the window; keys that collide can make it more, never less.
//
// All cells of a key are side by side, so that they are fetched from memory at once.
type sketch struct {
	current, previous []cells // of the two epochs; nil until there is something to count
	size              int     // of each: a power of two
	inUse             bool    // something was counted in one of the two epochs
	currentInUse      bool
}

// cells is a small sketch of its own, for the keys whose hash leads there: each has one cell in every row, and its count is
// off only if it collides in all of them.
type cells [4][4]uint16

// sketchBytesPerKey is how much of a sketch there is, in both epochs, for each key that a limiter may hold. It keeps the average error at
// a hundred times as many keys below 20.
const sketchBytesPerKey = 80

// turn begins an epoch, the one after the last or a later one.
func (s *sketch) turn(next bool) {
	if next && s.currentInUse {
		s.current, s.previous = s.previous, s.current
		clear(s.current)
	} else if s.inUse {
		clear(s.current)
		clear(s.previous)
		s.inUse = false
	}
	s.currentInUse = false
}

// count is what is counted of the key with that hash in this epoch and in the one before.
func (s *sketch) count(hash uint64) (current, previous int) {
	if !s.inUse {
		return 0, 0
	}
	at := int(hash>>32) & (s.size - 1)
	return s.current[at].count(hash), s.previous[at].count(hash)
}

func (c *cells) count(hash uint64) int {
	count := uint16(math.MaxUint16)
	for row := range c {
		count = min(count, c[row][hash>>(16+2*row)&3])
	}
	return int(count)
}

// add counts one more of the key with that hash, which counts to current in this epoch. Only the cells that hold the least are
// raised: the others already count somebody else's.
func (s *sketch) add(hash uint64, current int) {
	if s.current == nil {
		s.current, s.previous = make([]cells, s.size), make([]cells, s.size)
	}
	c := &s.current[int(hash>>32)&(s.size-1)]
	raised := uint16(min(current+1, math.MaxUint16))
	for row := range c {
		cell := &c[row][hash>>(16+2*row)&3]
		*cell = max(*cell, raised)
	}
	s.inUse, s.currentInUse = true, true
}
