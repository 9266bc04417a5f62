package main

import (
	"fmt"
	"io"
	"os"
	"slices"
	"sync"
	"time"

	"github.com/schollz/progressbar/v3"
	"golang.org/x/term"

	"pubquiz/loadtest"
)

// bars shows one progress bar after the other: for joining, and for each question. The one shown is that of the venue
// that is furthest behind; venues that are ahead count as done with it.
type bars struct {
	out    *os.File
	plan   loadtest.Plan
	seated func() // called once every venue is at its first question
	middle func() // called again and again from when a venue is at the question halfway through the quiz, and every venue at its first

	mu     sync.Mutex
	at     []int // by venue: the question, from 1; 0 while joining
	joined []int
	done   []int // by venue: phones that are done with what it is at
	stage  int   // what the bar shows
	bar    *progressbar.ProgressBar
}

func newBars(plan loadtest.Plan, out *os.File, seated, middle func()) *bars {
	b := &bars{
		out: out, plan: plan, seated: seated, middle: middle, at: make([]int, plan.Venues), joined: make([]int, plan.Venues), done: make([]int, plan.Venues),
	}
	b.begin()
	return b
}

// Joined implements loadtest.Progress.
func (b *bars) Joined(venue, phones int) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.joined[venue] = phones
	if b.at[venue] == 0 {
		b.done[venue] = phones
	}
	b.show()
}

// Answered implements loadtest.Progress.
func (b *bars) Answered(venue, question, answers int) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.at[venue], b.done[venue] = question, answers
	if b.stage > 0 && question >= (b.plan.Questions+1)/2 {
		b.middle()
	}
	b.show()
}

func (b *bars) show() {
	if behind := slices.Min(b.at); behind != b.stage {
		b.close()
		if b.stage == 0 {
			b.seated()
		}
		b.stage = behind
		b.begin()
	}
	sum := 0
	for v := range b.at {
		if b.at[v] > b.stage {
			sum += b.joined[v]
		} else {
			sum += b.done[v]
		}
	}
	// A bar that cannot be drawn is no reason to stop.
	_ = b.bar.Set(min(sum, b.bar.GetMax()))
}

func (b *bars) begin() {
	what, most := "joining", b.plan.Venues*b.plan.Phones
	if b.stage > 0 {
		what, most = fmt.Sprintf("question %d of %d", b.stage, b.plan.Questions), 0
		for _, n := range b.joined {
			most += n
		}
	}
	var w io.Writer = b.out
	if !term.IsTerminal(int(b.out.Fd())) {
		fmt.Fprintln(b.out, what)
		w = io.Discard
	}
	b.bar = progressbar.NewOptions(most, progressbar.OptionSetWriter(w), progressbar.OptionSetDescription(fmt.Sprintf("%-20s", what)),
		progressbar.OptionShowCount(), progressbar.OptionSetPredictTime(false), progressbar.OptionSetElapsedTime(true),
		progressbar.OptionThrottle(100*time.Millisecond), progressbar.OptionSetWidth(40))
}

// close leaves the bar as it stands.
func (b *bars) close() {
	_ = b.bar.Exit()
	if term.IsTerminal(int(b.out.Fd())) {
		fmt.Fprintln(b.out)
	}
}
