// Package coalesce runs a piece of work after every signal, once for any number of signals that arrive while it runs.
package coalesce

import "sync/atomic"

// Runner runs one function. After every Signal or Run the function begins at least once more, and it never runs twice at the same time. The zero
// Runner is not usable; make one with New or HandingOver.
type Runner struct {
	run   func() (rest func())
	state atomic.Int32
}

const (
	idle int32 = iota
	running
	again // running, and signalled since it began
)

// New returns a Runner for run.
func New(run func()) *Runner {
	return HandingOver(func() func() { run(); return nil })
}

// HandingOver returns a Runner for run, which itself never waits for anything: where it would have to, it returns the rest of the work, nil for
// none. The run goes on until the rest, on a goroutine of its own, has returned.
func HandingOver(run func() (rest func())) *Runner { return &Runner{run: run} }

// Signal asks for a run, on a goroutine that exists only for it. It never blocks.
func (r *Runner) Signal() {
	if r.begin() {
		go r.loop()
	}
}

// Run asks for a run and, if none is under way, is it: it returns when the function has returned, or has handed over.
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
		if rest := r.run(); rest != nil {
			go func() {
				rest()
				if !r.end() {
					r.loop()
				}
			}()
			return
		}
		if r.end() {
			return
		}
	}
}

// end reports whether nobody has asked for another run; if somebody has, it has begun.
func (r *Runner) end() bool {
	if r.state.CompareAndSwap(running, idle) {
		return true
	}
	r.state.Store(running)
	return false
}
