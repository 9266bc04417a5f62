// Package coalesce runs a piece of work after every signal, once for any number of signals that arrive while it runs.
package coalesce

import "sync/atomic"

// Runner runs one function on a goroutine of its own, which exists only while there is something to do. After every Signal the function
// begins at least once more, and it never runs twice at the same time. The zero Runner is not usable; make one with New.
type Runner struct {
	run   func()
	state atomic.Int32
}

const (
	idle int32 = iota
	running
	again // running, and signalled since it began
)

// New returns a Runner for run.
func New(run func()) *Runner { return &Runner{run: run} }

// Signal asks for a run. It never blocks.
func (r *Runner) Signal() {
	if r.begin() {
		go r.loop()
	}
}

// Run asks for a run and, if none is under way, is it: it returns when the function has returned.
func (r *Runner) Run() {
	if r.begin() {
		r.loop()
	}
}

// begin reports whether the caller has to see to the run; if not, somebody does already.
func (r *Runner) begin() bool {
	for {
		switch r.state.Load() {
		case idle:
			if r.state.CompareAndSwap(idle, running) {
				return true
			}
		case running:
			if r.state.CompareAndSwap(running, again) {
				return false
			}
		default:
			return false
		}
	}
}

func (r *Runner) loop() {
	for {
		r.run()
		if r.state.CompareAndSwap(running, idle) {
			return
		}
		r.state.Store(running)
	}
}
