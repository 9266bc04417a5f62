package coalesce_test

import (
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"

	"pubquiz/internal/coalesce"
)

func TestSignalsDuringARunMakeOneMore(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		runs := 0
		gate := make(chan struct{})
		r := coalesce.New(func() { runs++; <-gate })
		r.Signal()
		synctest.Wait() // the first run has begun
		for range 100 {
			r.Signal()
		}
		gate <- struct{}{}
		gate <- struct{}{}
		synctest.Wait()
		if runs != 2 {
			t.Errorf("%d runs for one signal and a hundred during its run, want 2", runs)
		}
		r.Signal()
		gate <- struct{}{}
		synctest.Wait()
		if runs != 3 {
			t.Errorf("%d runs after a signal to an idle runner, want 3", runs)
		}
	})
}

func TestEverySignalIsFollowedByARunAndRunsNeverOverlap(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var inside, seen, wanted atomic.Int64
		r := coalesce.New(func() {
			if inside.Add(1) != 1 {
				t.Error("two runs at the same time")
			}
			seen.Store(wanted.Load())
			inside.Add(-1)
		})
		var wg sync.WaitGroup
		for range 8 {
			wg.Go(func() {
				for range 1000 {
					wanted.Add(1)
					r.Signal()
				}
			})
		}
		wg.Wait()
		synctest.Wait()
		if seen.Load() != 8000 {
			t.Errorf("the last run saw %d of 8000 changes", seen.Load())
		}
	})
}

func TestTheRestOfARunHoldsNobodyUp(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		runs := 0
		gate := make(chan struct{})
		inside := false
		r := coalesce.HandingOver(func() func() {
			if inside {
				t.Error("a run began while the rest of another was under way")
			}
			runs++
			if runs > 1 {
				return nil
			}
			inside = true
			return func() { <-gate; inside = false }
		})
		r.Run() // returns, although the rest waits
		for range 100 {
			r.Run()
			r.Signal()
		}
		synctest.Wait()
		if runs != 1 {
			t.Errorf("%d runs while the rest of the first waits, want 1", runs)
		}
		close(gate)
		synctest.Wait()
		if runs != 2 {
			t.Errorf("%d runs after two hundred signals during the first, want 2", runs)
		}
		r.Run()
		if runs != 3 {
			t.Errorf("%d runs after one more, want 3", runs)
		}
	})
}
