package loadtest

import (
	"fmt"
	"maps"
)

// waysToScore are the rounds of a whole quiz, in turn.
var waysToScore = []map[string]any{
	{"joker": true},
	{"joker": true, "pacing": "round"},
	{"weight": 2, "speed": true, "negative": 0.5},
}

// anyQuestion is the n-th question of a whole quiz, counted from 1: all kinds in turn, and all that goes with them.
func (p Plan) anyQuestion(n int) map[string]any {
	q := map[string]any{"seconds": p.Seconds, "points": 1.5, "notes": "Read it twice.", "text": fmt.Sprintf("Question %d: ", n)}
	with := func(kind, text string, more map[string]any) map[string]any {
		q["kind"], q["text"] = kind, fmt.Sprintf("Question %d: %s", n, text)
		maps.Copy(q, more)
		return q
	}
	switch n % 10 {
	case 1:
		return with("text", "who painted the ceiling of the Sistine Chapel?", map[string]any{"accepted": []string{"Michelangelo Buonarroti", "Michelangelo"}, "surnames": true})
	case 2:
		return with(multiple, "which of these are metals?", map[string]any{"options": []string{"Tin", "Salt", "Zinc", "Sulphur", "Gold"}, "correct": []int{0, 2, 4}, "partial": true})
	case 3:
		return with(numberKind, "how many steps has the Eiffel Tower?", map[string]any{"number": map[string]any{"value": 1665, "nearest": true, "unit": "steps"}})
	case 4:
		return with(ordering, "oldest first", map[string]any{"options": []string{"Stonehenge", "The Parthenon", "The Colosseum", "The Taj Mahal"}, "partial": true})
	case 5:
		return with("trueFalse", "a hectare is larger than an acre.", map[string]any{"correct": []int{0}, "wager": true})
	case 6:
		return with("single", "which metal is liquid at room temperature?", map[string]any{"options": []string{"Mercury", "Gold", "Tin", "Zinc"}, "correct": []int{0}})
	case 7:
		return with(slide, "half-time. Fetch a drink.", nil)
	case 8:
		return with("text", "which metal has the symbol Au?", map[string]any{"accepted": []string{"Gold", "Au"}, "exact": true, "wager": true})
	case 9:
		return with("poll", "what belongs on a chip?", map[string]any{"options": []string{"Salt", "Vinegar", "Ketchup"}})
	default:
		return with(numberKind, "to break a tie, how many keys has a piano?", map[string]any{"number": map[string]any{"value": 88}, "tieBreak": true})
	}
}
