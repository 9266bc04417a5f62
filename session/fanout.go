package session

import (
	"runtime"
	"sync/atomic"
	"time"
)

// stuckAfter is how long a fan-out may make no progress before others help.
const stuckAfter = 5 * time.Millisecond

// wakeAll has many watchers look again, and returns at once. A few goroutines run one watcher after the other, which
// costs much less than a goroutine for each; and whenever all of them are held up by phones that are slow to take what
// they are sent, twice as many go on with the rest.
func wakeAll(watchers []*Watcher) {
	var next atomic.Int64
	work := func() {
		for i := next.Add(1) - 1; i < int64(len(watchers)); i = next.Add(1) - 1 {
			watchers[i].waker.Run()
		}
	}
	workers := runtime.GOMAXPROCS(0)
	for range workers {
		go work()
	}
	go func() {
		ticker := time.NewTicker(stuckAfter)
		defer ticker.Stop()
		for before := int64(0); ; {
			<-ticker.C
			reached := next.Load()
			if reached >= int64(len(watchers)) {
				return
			}
			if reached == before {
				for range workers {
					go work()
				}
				workers *= 2
			}
			before = reached
		}
	}()
}
