package quiz

import (
	_ "embed"
	"strings"
	"sync"
)

//go:embed neighbours.txt
var neighboursText string

// neighbours are real things that are so close to other real things that a slip would take one for the other. Folded.
var neighbours = sync.OnceValue(func() map[string]bool {
	known := map[string]bool{}
	for line := range strings.Lines(neighboursText) {
		if strings.HasPrefix(line, "#") {
			continue
		}
		for name := range strings.SplitSeq(line, ",") {
			known[Fold(name)] = true
		}
	}
	delete(known, "")
	return known
})

// isNeighbour tells whether a folded text is such a thing itself, rightly spelled: then it is no slip for another.
func isNeighbour(folded string) bool { return neighbours()[folded] }
