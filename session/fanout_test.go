package session

import (
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"
)

// slowPhone takes its time to be told anything.
type slowPhone struct {
	takes time.Duration
	told  *atomic.Int64
}

func (p slowPhone) Signal() { go p.Run() }

func (p slowPhone) Run() {
	time.Sleep(p.takes)
	p.told.Add(1)
}

// TestSlowPhonesHoldNobodyUp puts phones that have stopped reading before all others.
func TestSlowPhonesHoldNobodyUp(t *testing.T) {
	for _, stalled := range []int{0, 1, 100, 900} {
		synctest.Test(t, func(t *testing.T) {
			var quick, slow atomic.Int64
			var watchers []*Watcher
			for range stalled {
				watchers = append(watchers, &Watcher{waker: slowPhone{5 * time.Second, &slow}})
			}
			for range 1000 {
				watchers = append(watchers, &Watcher{waker: slowPhone{0, &quick}})
			}
			wakeAll(watchers)
			time.Sleep(100 * time.Millisecond) // of the test's own time
			synctest.Wait()
			if quick.Load() != 1000 || slow.Load() != 0 {
				t.Errorf("behind %d stalled phones, %d of 1000 were told within a tenth of a second", stalled, quick.Load())
			}
			time.Sleep(5 * time.Second)
			synctest.Wait()
			if int(slow.Load()) != stalled {
				t.Errorf("%d of the %d stalled phones were tried", slow.Load(), stalled)
			}
		})
	}
}
