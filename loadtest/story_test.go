package loadtest

import (
	"testing"
	"time"
)

func TestLongestOut(t *testing.T) {
	for name, test := range map[string]struct {
		changes []Change
		want    time.Duration
	}{
		"never on a socket":        {[]Change{{1, Scanning}, {2, Polling}, {9, Left}}, 0},
		"the first socket":         {[]Change{{1, Scanning}, {2, Polling}, {5, OnSocket}, {9, Left}}, 0},
		"lost and found":           {[]Change{{2, Polling}, {5, OnSocket}, {10, Polling}, {13, OnSocket}}, 3},
		"twice, the first longer":  {[]Change{{5, OnSocket}, {10, Polling}, {17, OnSocket}, {20, Polling}, {22, OnSocket}}, 7},
		"lost until the very end":  {[]Change{{5, OnSocket}, {10, Polling}, {90, Left}}, 0},
		"waiting and polling both": {[]Change{{5, OnSocket}, {10, Waiting}, {12, Polling}, {16, OnSocket}}, 6},
	} {
		if got := (Lane{Changes: test.changes}).longestOut(); got != test.want {
			t.Errorf("%s: %d, want %d", name, got, test.want)
		}
	}
}
