package quiz

import (
	"cmp"
	"slices"
	"time"
)

// Verdict says how good an answer is.
type Verdict string

// The verdicts. What can be neither right nor wrong (an answer to a poll, or none to this kind of question) has none: "".
const (
	Right Verdict = "right"
	Part  Verdict = "part" // part of it is right, even if the points for that are rounded down to none
	Wrong Verdict = "wrong"
)

// Decision is what a host decides about all typed answers with one Fold.
type Decision string

// The decisions.
const (
	DecideRight Decision = "right"
	DecideHalf  Decision = "half"
	DecideWrong Decision = "wrong"
)

// By says whose verdict it is.
type By string

// Who decides.
const (
	ByMachine By = "machine"
	ByHost    By = "host"
)

// Mark is what one answer is worth.
type Mark struct {
	Verdict Verdict
	Points  Points // the share of the question's points, before the round's speed and weight, stakes and jokers; 0 for a tie-break
	By      By     // "" if there is no verdict
}

// Mark marks all answers to a question, in their order: it takes all of them to know which number is nearest. The host's
// decisions count before the machine's verdict; they are keyed by Fold of what was typed and concern Text questions only.
// Answers with one Fold have one Mark.
func (q Question) Mark(answers []Given, decided map[string]Decision) []Mark {
	judge := q.judge(answers, decided)
	marks := make([]Mark, len(answers))
	var first map[string]int32 // where a text was typed first: most rooms type the same few over and over
	if q.Kind == Text || q.Kind == NumberKind {
		first = make(map[string]int32, len(answers)/4)
	}
	for i, g := range answers {
		if first != nil && len(g.Choices) == 0 && g.Wager == 0 {
			if before, ok := first[g.Text]; ok {
				marks[i] = marks[before]
				continue
			}
			first[g.Text] = int32(i)
		}
		marks[i] = judge(g)
		if q.TieBreak {
			marks[i].Points = 0
		}
	}
	return marks
}

// judge returns the marking of one answer among these.
func (q Question) judge(answers []Given, decided map[string]Decision) func(Given) Mark {
	var judge func(Given) Mark
	switch q.Kind {
	case Text:
		return q.judgeTyped(decided)
	case NumberKind:
		return q.judgeNumbers(answers)
	case Multiple:
		judge = q.markMultiple
	case Ordering:
		judge = q.markOrdering
	case Single, TrueFalse:
		judge = func(g Given) Mark { return q.allOrNothing(slices.Contains(q.Correct, g.Choices[0])) }
	default:
		return func(Given) Mark { return Mark{} }
	}
	return func(g Given) Mark {
		if q.CheckGiven(g) != nil {
			return Mark{}
		}
		return judge(g)
	}
}

// judgeTyped marks typed answers.
func (q Question) judgeTyped(decided map[string]Decision) func(Given) Mark {
	matcher := q.matcher()
	return func(g Given) Mark {
		if q.CheckGiven(g) != nil {
			return Mark{}
		}
		folded := Fold(g.Text)
		if ruled, ok := q.rule(decided[folded]); ok {
			return ruled
		}
		return q.allOrNothing(matcher.right(folded))
	}
}

// rule is the mark that a host's decision makes.
func (q Question) rule(d Decision) (mark Mark, ruled bool) {
	switch d {
	case DecideRight:
		return Mark{Right, q.Points, ByHost}, true
	case DecideHalf:
		return Mark{Part, (q.Points + 1) / 2, ByHost}, true
	case DecideWrong:
		return Mark{Wrong, 0, ByHost}, true
	default:
		return Mark{}, false
	}
}

func (q Question) allOrNothing(right bool) Mark {
	if right {
		return Mark{Right, q.Points, ByMachine}
	}
	return Mark{Wrong, 0, ByMachine}
}

// markMultiple counts the right picks and takes the wrong ones off.
func (q Question) markMultiple(g Given) Mark {
	net := 0
	for _, choice := range g.Choices {
		if slices.Contains(q.Correct, choice) {
			net++
		} else {
			net--
		}
	}
	return q.share(net, len(q.Correct))
}

// markOrdering counts the options that stand where they belong.
func (q Question) markOrdering(g Given) Mark {
	inPlace := 0
	for i, option := range q.rightOrder() {
		if g.Choices[i] == option {
			inPlace++
		}
	}
	return q.share(inPlace, len(q.Options))
}

// share gives all points for all of it and, where the question has Partial, the part of them for a part of it, rounded down
// to half points.
func (q Question) share(n, of int) Mark {
	switch {
	case n == of:
		return Mark{Right, q.Points, ByMachine}
	case n > 0 && q.Partial:
		return Mark{Part, q.Points * Points(n) / Points(of), ByMachine}
	default:
		return Mark{Wrong, 0, ByMachine}
	}
}

// TieBreakRanks ranks the answers to a tie-break, of which verdicts and elapsed tell how they were marked and how long each took: 1 is the best, equals
// share a rank, and the next rank is skipped. Numbers rank by how far off they are, others by verdict and then by time.
func (q Question) TieBreakRanks(answers []Given, verdicts []Verdict, elapsed []time.Duration) []int {
	order := make([]int, len(answers))
	for i := range order {
		order[i] = i
	}
	compare := func(a, b int) int {
		if q.Kind == NumberKind {
			return cmp.Compare(q.off(answers[a]), q.off(answers[b]))
		}
		return cmp.Or(BetterFirst(verdicts[a], verdicts[b]), cmp.Compare(elapsed[a], elapsed[b]))
	}
	slices.SortFunc(order, compare)
	ranks := make([]int, len(answers))
	for place, i := range order {
		ranks[i] = place + 1
		if place > 0 && compare(order[place-1], i) == 0 {
			ranks[i] = ranks[order[place-1]]
		}
	}
	return ranks
}

// BetterFirst orders verdicts: right, part, wrong, none.
func BetterFirst(a, b Verdict) int {
	order := []Verdict{Right, Part, Wrong, ""}
	return cmp.Compare(slices.Index(order, a), slices.Index(order, b))
}
