package main

import (
	"os"
	"strings"
	"testing"
	"time"
)

func TestTimeSpent(t *testing.T) {
	const stat = "4711 (a) b (c) S 1 4711 4711 0 -1 4194560 100 0 0 0 250 50 7 7 20 0 9 0 100 200 300"
	for stat, want := range map[string]time.Duration{
		stat: 3140 * time.Millisecond, "": 0, "4711 (quizd) S 1": 0, "4711 (quizd) S 1 2 3 4 5 6 7 8 9 10 x y": 0,
	} {
		if got := timeSpent(stat); got != want {
			t.Errorf("%q: %s: want %s", stat, got, want)
		}
	}
}

func TestResidentBytes(t *testing.T) {
	page := uint64(os.Getpagesize())
	for statm, want := range map[string]uint64{"900 20 10 1 0 30 0\n": 20 * page, "": 0, "900": 0, "900 many": 0} {
		if got := residentBytes(statm); got != want {
			t.Errorf("%q: %d: want %d", statm, got, want)
		}
	}
}

func TestProcessOfOurOwn(t *testing.T) {
	if _, err := os.Stat("/proc/self/stat"); err != nil {
		t.Skip(err)
	}
	if got := residentMemory(os.Getpid()); got == 0 {
		t.Error("this process has no memory")
	}
	if residentMemory(-1) != 0 || cpuTime(-1) != 0 {
		t.Error("figures of a process that does not exist")
	}
}

func TestSumMetrics(t *testing.T) {
	const text = "# TYPE a gauge\na 1.5e+06\nb{c=\"a\"} 7\nab 3\nb 500000\n"
	if got, err := sumMetrics(strings.NewReader(text), "a", "b"); err != nil || got != 2e6 {
		t.Errorf("%g, %v", got, err)
	}
	for _, broken := range []string{"", "a 1\n", "a 1\nb x\n"} {
		if got, err := sumMetrics(strings.NewReader(broken), "a", "b"); err == nil {
			t.Errorf("%q: %g", broken, got)
		}
	}
}
