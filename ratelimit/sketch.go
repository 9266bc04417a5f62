package ratelimit

import "math"

// sketch counts the admissions of keys that are not held, in a fixed amount of memory: a count-min sketch with conservative
// update over two epochs, each as long as the window. What it says of a key is at least the key's admissions since the
// epoch before this one began, hence at least those in the window; keys that collide can make it more, never less.
type sketch struct {
	current, previous []uint16 // sketchDepth rows of width cells; nil until there is something to count
	width             uint64   // a power of two
	inUse             bool     // something was counted in one of the two epochs
	currentInUse      bool
}

// sketchDepth is the number of rows; a key's count is off only if it collides in all of them.
const sketchDepth = 4

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
	current, previous = math.MaxUint16, math.MaxUint16
	for row := range uint64(sketchDepth) {
		cell := s.cell(hash, row)
		current = min(current, int(s.current[cell]))
		previous = min(previous, int(s.previous[cell]))
	}
	return current, previous
}

// add counts one more of the key with that hash. Only the cells that hold the least are raised: the others already
// count somebody else's.
func (s *sketch) add(hash uint64) {
	if s.current == nil {
		s.current = make([]uint16, sketchDepth*s.width)
		s.previous = make([]uint16, sketchDepth*s.width)
	}
	count, _ := s.count(hash)
	count = min(count+1, math.MaxUint16)
	for row := range uint64(sketchDepth) {
		if cell := s.cell(hash, row); int(s.current[cell]) < count {
			s.current[cell] = uint16(count)
		}
	}
	s.inUse, s.currentInUse = true, true
}

func (s *sketch) cell(hash, row uint64) uint64 {
	return row*s.width + (hash+row*(hash>>32|1))&(s.width-1)
}
