package quiz

import (
	"math"
	"math/big"
	"strconv"
	"strings"
)

// parse reads a number as people type it.
func (q Question) parse(text string) (value float64, ok bool) {
	value, err := strconv.ParseFloat(strings.ReplaceAll(strings.Join(strings.Fields(text), ""), ",", ""), 64)
	return value, err == nil && math.Abs(value) <= MaxNumber
}

// off is how far a given number is from the right one: infinitely, if it is none.
func (q Question) off(g Given) float64 {
	given, ok := q.parse(g.Text)
	if !ok || q.Number == nil {
		return math.Inf(1)
	}
	return distance(given, q.Number.Value)
}

// within is how far off an answer among these may be to be right.
func (q Question) within(answers []Given) float64 {
	if q.Number == nil {
		return -1
	}
	if !q.Number.Nearest {
		return q.Number.Tolerance
	}
	nearest := math.MaxFloat64
	for _, g := range answers {
		nearest = min(nearest, q.off(g))
	}
	return nearest
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
