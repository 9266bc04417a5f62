package session

import (
	"cmp"
	"math"
	"slices"
	"time"

	"pubquiz/quiz"
)

// scored is one answer with all that its points depend on.
type scored struct {
	mark    quiz.Mark
	elapsed time.Duration // from the question's opening, without pauses
	stake   quiz.Points   // on a question that asks for a wager
	joker   bool          // the participant doubles this round
}

// mostEarned bounds what one answer earns or costs: stakes that double again and again must not outgrow the number that
// stores them.
const mostEarned = quiz.Points(2_000_000) // a million points

// score is what an answer earns, below 0 where it costs something: the share of the question's points that it has earned,
// less for being late where that counts; or what a wrong answer costs; times the round's weight, and twice that for a joker.
// Or it is what was staked, won or lost, and no more: nobody loses what they did not stake.
func score(r *quiz.Round, q *quiz.Question, a scored) quiz.Points {
	var earned quiz.Points
	switch {
	case q.TieBreak || q.Kind == quiz.Poll || q.Kind == quiz.Slide || a.mark.Verdict == "":
		return 0
	case q.Wager:
		return wagered(q, a)
	case a.mark.Verdict == quiz.Wrong:
		earned = -r.Negative
	case r.Speed:
		earned = slowed(a.mark.Points, a.elapsed, time.Duration(q.Seconds)*time.Second)
	default:
		earned = a.mark.Points
	}
	earned *= quiz.Points(max(1, r.Weight))
	if a.joker {
		earned *= 2
	}
	return min(max(earned, -mostEarned), mostEarned)
}

// stakeOf is what of a wager counts: at most what its participant has, and has not staked elsewhere.
func stakeOf(wager, has quiz.Points) quiz.Points { return min(wager, max(0, has), mostEarned) }

// wagered is the stake, won by a right answer and lost by a wrong one. One that is partly right wins that part of it,
// rounded up to half points.
func wagered(q *quiz.Question, a scored) quiz.Points {
	switch {
	case a.mark.Verdict == quiz.Wrong:
		return -a.stake
	case a.mark.Verdict == quiz.Part && q.Points > 0:
		return (a.stake*a.mark.Points + q.Points - 1) / q.Points
	default:
		return a.stake
	}
}

// slowed takes half of the points off in the course of the question's time, rounded up to half points: all of them at
// once, half of them at the end and after it.
func slowed(points quiz.Points, elapsed, limit time.Duration) quiz.Points {
	whole := 2 * limit.Milliseconds()
	if whole <= 0 {
		return points
	}
	left := whole - min(max(elapsed, 0), limit).Milliseconds()
	return quiz.Points((int64(points)*left + whole - 1) / whole)
}

// Standing is a participant's place at one version.
type Standing struct {
	participantID int64
	tieBreaks     []int // their rank in each tie-break that counts
	overtime      int64 // milliseconds: how much longer than the questions' time all their answers took; below 0 for less

	Name   string      `json:"name"`
	Points quiz.Points `json:"points"`
	Rank   int         `json:"rank"`
	Was    int         `json:"was,omitempty"` // rank when the standings were shown before; 0 if they were not, or not with this participant
}

// noTieBreak is the rank of whoever gave no answer to a tie-break: after everyone who did.
const noTieBreak = math.MaxInt

// rank orders standings by points, equal points by the tie-breaks, and what is still equal by time if that is asked for;
// and sets their ranks. Equals share a rank and the next rank is skipped: 1, 1, 3.
func rank(standings []Standing, byTime bool) {
	better := func(a, b Standing) int {
		c := cmp.Or(cmp.Compare(b.Points, a.Points), slices.Compare(a.tieBreaks, b.tieBreaks))
		if byTime {
			c = cmp.Or(c, cmp.Compare(a.overtime, b.overtime))
		}
		return c
	}
	slices.SortFunc(standings, func(a, b Standing) int {
		return cmp.Or(better(a, b), cmp.Compare(a.Name, b.Name), cmp.Compare(a.participantID, b.participantID))
	})
	for i := range standings {
		standings[i].Rank = i + 1
		if i > 0 && better(standings[i-1], standings[i]) == 0 {
			standings[i].Rank = standings[i-1].Rank
		}
	}
}

// tieBreakRanks ranks the answers to a tie-break, by participant.
func tieBreakRanks(q *quiz.Question, answers map[int64]answerView) map[int64]int {
	n := len(answers)
	participants, given := make([]int64, 0, n), make([]quiz.Given, 0, n)
	verdicts, elapsed := make([]quiz.Verdict, 0, n), make([]time.Duration, 0, n)
	for id, a := range answers {
		participants, given = append(participants, id), append(given, a.given)
		verdicts, elapsed = append(verdicts, a.verdict), append(elapsed, a.elapsed)
	}
	ranks := make(map[int64]int, n)
	for i, r := range q.TieBreakRanks(given, verdicts, elapsed) {
		ranks[participants[i]] = r
	}
	return ranks
}
