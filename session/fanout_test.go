package session

import (
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
)

// listed is a waker that says on which of the rounds it was run.
type listed struct {
	runs *atomic.Int64
	busy *sync.Mutex // held while it runs, if there is one
}

func (l listed) Signal() { go l.Run() }

func (l listed) Run() {
	if l.busy != nil {
		l.busy.Lock()
		defer l.busy.Unlock()
	}
	l.runs.Add(1)
}

func TestEveryWatcherIsWokenOnce(t *testing.T) {
	for _, n := range []int{0, 1, takenAtOnce - 1, takenAtOnce, takenAtOnce + 1, 9000} {
		synctest.Test(t, func(t *testing.T) {
			runs := make([]atomic.Int64, n)
			var watchers []*Watcher
			for i := range runs {
				watchers = append(watchers, &Watcher{waker: listed{runs: &runs[i]}})
			}
			wakeAll(watchers)
			synctest.Wait()
			for i := range runs {
				if runs[i].Load() != 1 {
					t.Fatalf("of %d, number %d was woken %d times", n, i, runs[i].Load())
				}
			}
		})
	}
}

// Whoever publishes goes on at once, however long it takes to tell everyone.
func TestWakingAllKeepsNobodyWaiting(t *testing.T) {
	var busy sync.Mutex
	var runs atomic.Int64
	busy.Lock()
	wakeAll([]*Watcher{{waker: listed{&runs, &busy}}, {waker: listed{&runs, &busy}}})
	if n := runs.Load(); n != 0 { // one that waited for them would not be here
		t.Errorf("%d were told", n)
	}
	busy.Unlock()
}

// A room of thousands looks at every version, and for most phones it holds nothing of their own.
func TestALookThatFindsNothingOwnAllocatesNothing(t *testing.T) {
	r := newRoom(&Service{}, &frozen{})
	open := &view{frozen: r.frozen, State: State{Phase: Open, Round: 1, Question: 1}, participants: map[int64]participantView{1: {name: "Alice"}}}
	r.current.Store(&published{view: open, participant: newFrame("open")})
	w := &Watcher{Viewer: Viewer{Role: RoleParticipant, Seat: Seat{Participant: 1}, room: r}}
	if sight, err := w.Now(); err != nil || sight.Own == nil {
		t.Fatalf("at first the phone is told %v of its own, %v", sight.Own, err)
	}
	allocations := testing.AllocsPerRun(100, func() {
		if sight, err := w.Now(); err != nil || sight.Own != nil || sight.Shared == nil {
			t.Errorf("the phone is told %v and %v of its own, %v", sight.Shared, sight.Own, err)
		}
	})
	if allocations > 0 {
		t.Errorf("%v allocations", allocations)
	}
}
