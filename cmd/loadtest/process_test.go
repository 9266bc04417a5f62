package main

import (
	"os"
	"testing"
	"time"
)

func TestCPUTime(t *testing.T) {
	const stat = "4711 (a) b (c) S 1 4711 4711 0 -1 4194560 100 0 0 0 250 50 7 7 20 0 9 0 100 200 300"
	if got, err := cpuTime(stat); err != nil || got != 3*time.Second {
		t.Errorf("%s, %v: want 3s", got, err)
	}
	for _, broken := range []string{"", "4711 (quizd) S 1", "4711 (quizd) S 1 2 3 4 5 6 7 8 9 10 x y"} {
		if got, err := cpuTime(broken); err == nil {
			t.Errorf("%q: %s", broken, got)
		}
	}
}

func TestResidentBytes(t *testing.T) {
	if got, err := residentBytes("900 20 10 1 0 30 0\n"); err != nil || got != 20*uint64(os.Getpagesize()) {
		t.Errorf("%d, %v", got, err)
	}
	for _, broken := range []string{"", "900", "900 many"} {
		if got, err := residentBytes(broken); err == nil {
			t.Errorf("%q: %d", broken, got)
		}
	}
}

func TestProcessWatchesItself(t *testing.T) {
	if _, err := os.Stat("/proc/self/stat"); err != nil {
		t.Skip(err)
	}
	p := watchProcess(os.Getpid())
	use := p.stop()
	if use == nil || use.StartMB <= 0 || use.PeakMB < use.StartMB || use.CPUSeconds < 0 {
		t.Errorf("%+v", use)
	}
	if gone := watchProcess(-1); gone.stop() != nil {
		t.Error("figures of a process that does not exist")
	}
}
