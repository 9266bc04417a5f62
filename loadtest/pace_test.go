package loadtest

import (
	"errors"
	"fmt"
	"net/http"
	"slices"
	"testing"
	"time"
)

func TestThoughtFitsTheCountdown(t *testing.T) {
	d := newDice(1, 1)
	for _, remaining := range []time.Duration{-time.Second, 0, 300 * time.Millisecond, time.Second, 30 * time.Second, 10 * time.Minute} {
		for range 2000 {
			if got := d.thought(remaining, 0.1); got < 0 || got > max(0, remaining) {
				t.Fatalf("thought(%s) = %s", remaining, got)
			}
		}
	}
}

func TestThoughtIsHuman(t *testing.T) {
	const n, countdown, lastSecondShare = 20_000, 30 * time.Second, 0.1
	d := newDice(1, 1)
	thoughts := make([]time.Duration, n)
	lastSecond := 0
	for i := range thoughts {
		thoughts[i] = d.thought(countdown, lastSecondShare)
		if thoughts[i] >= countdown-time.Second {
			lastSecond++
		}
	}
	slices.Sort(thoughts)
	if thoughts[0] < leastThought {
		t.Errorf("somebody answered after %s, before reading", thoughts[0])
	}
	if median := thoughts[n/2]; median < countdown/5 || median > countdown/2 {
		t.Errorf("the median is %s of %s", median, countdown)
	}
	if share := float64(lastSecond) / n; share < lastSecondShare || share > lastSecondShare+0.05 {
		t.Errorf("%.3f of the answers come in the last second: want about %.2f", share, lastSecondShare)
	}
}

func TestBackoff(t *testing.T) {
	d := newDice(1, 1)
	for n, most := range []time.Duration{
		time.Second, 2 * time.Second, 4 * time.Second, 8 * time.Second, 16 * time.Second, longestBackoff, longestBackoff,
	} {
		longest := time.Duration(0)
		for range 2000 {
			longest = max(longest, d.backoff(n))
		}
		if longest >= most || longest < most*9/10 {
			t.Errorf("the longest of backoff(%d) is %s: want just under %s", n, longest, most)
		}
	}
	if got := d.backoff(1 << 30); got >= longestBackoff {
		t.Errorf("after a long time: %s", got)
	}
}

func TestAfterRefusal(t *testing.T) {
	d := newDice(1, 1)
	for _, test := range []struct {
		n          int
		asked      time.Duration
		from, upTo time.Duration
	}{
		{0, 12 * time.Second, 12 * time.Second, 17 * time.Second},
		{0, 0, time.Second, 6 * time.Second},
		{0, -time.Hour, time.Second, 6 * time.Second},
		{3, 12 * time.Second, 12 * time.Second, 25 * time.Second},
		{0, 100 * time.Hour, longestObeyed, longestObeyed + 5*time.Second},
	} {
		for range 500 {
			if got := d.afterRefusal(test.n, test.asked); got < test.from || got > test.upTo {
				t.Fatalf("afterRefusal(%d, %s) = %s: want %s to %s", test.n, test.asked, got, test.from, test.upTo)
			}
		}
	}
}

func TestPause(t *testing.T) {
	refused := func(status int) error { return fmt.Errorf("join: %w", &refusal{status: status, RetryAfter: 9}) }
	for _, test := range []struct {
		name  string
		err   error
		again bool
		least time.Duration
	}{
		{"limited", refused(http.StatusTooManyRequests), true, 9 * time.Second},
		{"busy", refused(http.StatusServiceUnavailable), true, 9 * time.Second},
		{"a fault", refused(http.StatusInternalServerError), true, 0},
		{"no reply", errors.New("connection refused"), true, 0},
		{"no", refused(http.StatusConflict), false, 0},
		{"removed", shutOut(refused(http.StatusTooManyRequests)), false, 0},
	} {
		pause, again := newDice(1, 1).pause(0, test.err)
		if again != test.again || pause < test.least {
			t.Errorf("%s: pause %s, again %t: want at least %s, %t", test.name, pause, again, test.least, test.again)
		}
	}
}

func TestArrivals(t *testing.T) {
	plan := Plan{Phones: 100, Arrival: Spread, Arrive: 90 * time.Second, Questions: 5, Seconds: 20}
	arrivals := newDice(7, 1).arrivals(plan)
	if len(arrivals) != 100 || !slices.IsSorted(arrivals) || arrivals[0] < 0 || arrivals[99] >= 90*time.Second || arrivals[50] < 20*time.Second {
		t.Errorf("arrivals: %v", arrivals)
	}
	if again := newDice(7, 1).arrivals(plan); !slices.Equal(again, arrivals) {
		t.Error("the same seed gives other arrivals")
	}
	if other := newDice(8, 1).arrivals(plan); slices.Equal(other, arrivals) {
		t.Error("another seed gives the same arrivals")
	}
	plan.Arrival = AtOnce
	if atOnce := newDice(7, 1).arrivals(plan); atOnce[99] != 0 {
		t.Errorf("at once: %v", atOnce)
	}
	plan.Arrival = Trickle
	late := 0
	for _, at := range newDice(7, 1).arrivals(plan) {
		if at >= plan.Arrive {
			late++
		}
		if at >= plan.Arrive+50*time.Second {
			t.Errorf("one comes after %s, when the quiz may be over", at)
		}
	}
	if late != 20 {
		t.Errorf("%d trickle in during the quiz: want 20", late)
	}
}

func TestFates(t *testing.T) {
	var cut, stalled, slow int
	for _, f := range newDice(7, 1).fates(Plan{Phones: 100, CutSocket: 0.3, Stalled: 0.05, Slow: 1}) {
		if f.cut {
			cut++
		}
		if f.stalled {
			stalled++
		}
		if f.slow {
			slow++
		}
	}
	if cut != 30 || stalled != 5 || slow != 100 {
		t.Errorf("%d are cut, %d stalled, %d slow: want 30, 5 and 100", cut, stalled, slow)
	}
}
