package session

import (
	"testing"
	"time"
)

// TestLivePartIsReadOnceForAllWhoAsk: whoever asked before a reading began takes what it found.
func TestLivePartIsReadOnceForAllWhoAsk(t *testing.T) {
	e := newEvening(t)
	live := &e.host.room.live
	update := func(since time.Time) (readAt time.Time) {
		t.Helper()
		if err := live.update(t.Context(), since); err != nil {
			t.Fatal(err)
		}
		return live.readAt
	}
	asked := time.Now()
	first := update(asked)
	if second := update(asked); second != first {
		t.Error("two who asked together had it read twice")
	}
	if third := update(time.Now()); third == first {
		t.Error("what has moved since is not read")
	}
}
