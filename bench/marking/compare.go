package main

import (
	"fmt"
	"math/rand/v2"
	"runtime"
	"strings"
	"time"

	"pubquiz/quiz"
)

// The contenders take turns, so that what else the machine does hits all of them; each keeps its fastest.
const turns = 15

// figures are what one contender is measured by.
type figures struct {
	room, different   time.Duration // for ten thousand answers to one question
	allocs            float64       // for each of those that are all different
	refused, accepted float64       // parts of the right and of the wrong answers
}

// compare measures everyone and returns the bars.
func compare(text *strings.Builder, pairs []pair) []bar {
	all := append([]contender{ours}, peers(pairs)...)
	measured := make([]figures, len(all))
	rights := 0
	for _, p := range pairs {
		if p.right {
			rights++
		}
	}
	for i, c := range all {
		refused, accepted := errs(c, pairs)
		measured[i] = figures{room: time.Hour, different: time.Hour, refused: float64(refused) / float64(rights), accepted: float64(accepted) / float64(len(pairs)-rights)}
	}
	random := rand.New(rand.NewPCG(2026, 11))
	typed, different := room(random), allDifferent(random)
	grouping := time.Hour
	for range turns {
		for i, c := range all {
			f := &measured[i]
			f.room = min(f.room, timed(func() { c.mark(actor, typed) }))
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			f.different = min(f.different, timed(func() { c.mark(actor, different) }))
			runtime.ReadMemStats(&after)
			f.allocs = float64(after.Mallocs-before.Mallocs) / perQuestion
		}
		grouping = min(grouping, timed(func() {
			groups := map[string]int{}
			for _, answer := range different {
				groups[quiz.Fold(answer)]++
			}
		}))
	}

	fmt.Fprintf(text, "| %d answers to one question | as a room types them | all different | allocations an answer | right ones refused | wrong ones accepted |\n", perQuestion)
	text.WriteString("| --- | --: | --: | --: | --: | --: |\n")
	fastest, different1, mostTrue, mostKind := 1, 1, 1, 1
	for i, c := range all {
		f := measured[i]
		fmt.Fprintf(text, "| %s | %s | %s | %.1f | %.1f %% | %.1f %% |\n", c.name, milliseconds(f.room), milliseconds(f.different), f.allocs, 100*f.refused, 100*f.accepted)
		if i == 0 {
			continue
		}
		if f.room < measured[fastest].room {
			fastest = i
		}
		if f.different < measured[different1].different {
			different1 = i
		}
		if f.accepted < measured[mostTrue].accepted {
			mostTrue = i
		}
		if f.refused < measured[mostKind].refused {
			mostKind = i
		}
	}
	fmt.Fprintf(text, "\nOver %d pairs of quiz/testdata/marking.tsv, %d of them right. Each library has the threshold at which it errs least. Grouping %d different answers by their fold takes %s.\n\n",
		len(pairs), rights, perQuestion, milliseconds(grouping))
	us := measured[0]
	bound := 100 * time.Millisecond
	return []bar{
		atMost("room-of-10000-to-"+name(all[fastest]), us.room, measured[fastest].room),
		atMost("different-10000-to-"+name(all[different1]), us.different, measured[different1].different),
		atMost("grouping-10000-to-100ms", grouping, bound),
		{"false-refusals-to-" + name(all[mostKind]), percent(us.refused), percent(measured[mostKind].refused), us.refused / measured[mostKind].refused},
		{"false-accepts-to-" + name(all[mostTrue]), percent(us.accepted), percent(measured[mostTrue].accepted), us.accepted / measured[mostTrue].accepted},
	}
}

func atMost(name string, ours, peer time.Duration) bar {
	return bar{name, strings.ReplaceAll(milliseconds(ours), " ", ""), strings.ReplaceAll(milliseconds(peer), " ", ""), float64(ours) / float64(peer)}
}

func timed(run func()) time.Duration {
	start := time.Now()
	run()
	return time.Since(start)
}

func milliseconds(d time.Duration) string { return fmt.Sprintf("%.2f ms", float64(d)/1e6) }

func percent(part float64) string { return fmt.Sprintf("%.1f%%", 100*part) }

// name is a contender's in a bar's.
func name(c contender) string { return strings.NewReplacer(",", "", " ", "-").Replace(c.name) }
