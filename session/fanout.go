package session

import (
	"runtime"
	"sync/atomic"
)

// takenAtOnce is how many watchers a goroutine takes before it looks which are left.
const takenAtOnce = 32

// wakeAll has many watchers look again, and returns at once. A few goroutines run one watcher after the other, which costs
// much less than a goroutine for each; none waits for a phone, so no phone holds the others up.
func wakeAll(watchers []*Watcher) {
	var taken atomic.Int64
	for range min(runtime.GOMAXPROCS(0), (len(watchers)+takenAtOnce-1)/takenAtOnce) {
		go func() {
			for {
				from := int(taken.Add(takenAtOnce)) - takenAtOnce
				if from >= len(watchers) {
					return
				}
				for _, w := range watchers[from:min(from+takenAtOnce, len(watchers))] {
					w.waker.Run()
				}
				runtime.Gosched() // requests are not to wait until thousands are told
			}
		}()
	}
}
