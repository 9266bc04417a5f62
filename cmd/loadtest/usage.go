package main

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"time"

	"pubquiz/loadtest"
)

// usage measures what a server's processes use, from watch to stop. Memory and time are read from /proc, and are zero where there is none.
type usage struct {
	server  *server
	end     chan struct{}
	known   chan struct{} // closed once seated has measured
	running sync.WaitGroup

	resident, peak uint64 // bytes
	cpu, database  time.Duration
	idle, playing  float64 // bytes in use
	err            error
}

const sampleEvery = 250 * time.Millisecond

// watch begins to measure.
func watch(ctx context.Context, s *server) (*usage, error) {
	u := &usage{server: s, end: make(chan struct{}), known: make(chan struct{})}
	var err error
	if u.idle, err = s.inUse(ctx); err != nil {
		return nil, err
	}
	u.resident, u.cpu, u.database = s.resident(), s.cpu(), s.databaseCPU()
	u.peak = u.resident
	u.running.Go(u.sample)
	return u, nil
}

func (u *usage) sample() {
	t := time.NewTicker(sampleEvery)
	defer t.Stop()
	for {
		select {
		case <-u.end:
			return
		case <-t.C:
			u.peak = max(u.peak, u.server.resident())
		}
	}
}

// seated measures what the phones cost, now that all are there. It returns at once.
func (u *usage) seated(ctx context.Context) {
	u.running.Go(func() {
		defer close(u.known)
		u.playing, u.err = u.server.inUse(ctx)
	})
}

// stop returns what the server used for so many phones.
func (u *usage) stop(phones int) (*loadtest.ServerUse, error) {
	close(u.end)
	u.running.Wait()
	const mega, kilo = 1e6, 1e3
	return &loadtest.ServerUse{
		Instances:  len(u.server.instances),
		ResidentMB: float64(u.resident) / mega, PeakMB: float64(u.peak) / mega,
		IdleMB: u.idle / mega, PlayingMB: u.playing / mega, PhoneKB: max(0, u.playing-u.idle) / kilo / float64(max(phones, 1)),
		CPUSeconds: (u.server.cpu() - u.cpu).Seconds(), DatabaseCPUSeconds: (u.server.databaseCPU() - u.database).Seconds(),
	}, u.err
}

func (s *server) inUse(ctx context.Context) (sum float64, err error) {
	for _, i := range s.instances {
		bytes, err := i.inUse(ctx)
		if err != nil {
			return 0, err
		}
		sum += bytes
	}
	return sum, nil
}

func (s *server) resident() (sum uint64) {
	for _, i := range s.instances {
		sum += i.resident()
	}
	return sum
}

func (s *server) cpu() (sum time.Duration) {
	for _, i := range s.instances {
		sum += i.cpu()
	}
	return sum
}

// databaseCPU is the processor time of Postgres: of its first process, of those that it has seen end, and of its children.
func (s *server) databaseCPU() time.Duration {
	file, err := os.ReadFile(filepath.Join(s.folder, "postgres", "data", "postmaster.pid"))
	if err != nil {
		return 0
	}
	line, _, _ := strings.Cut(string(file), "\n")
	pid, err := strconv.Atoi(line)
	if err != nil {
		return 0
	}
	sum := cpuTime(pid)
	children, _ := os.ReadFile(fmt.Sprintf("/proc/%d/task/%d/children", pid, pid))
	for child := range strings.FieldsSeq(string(children)) {
		if pid, err := strconv.Atoi(child); err == nil {
			sum += cpuTime(pid)
		}
	}
	return sum
}

func residentMemory(pid int) uint64 {
	statm, err := os.ReadFile(fmt.Sprintf("/proc/%d/statm", pid))
	if err != nil {
		return 0
	}
	return residentBytes(string(statm))
}

func cpuTime(pid int) time.Duration {
	stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	if err != nil {
		return 0
	}
	return timeSpent(string(stat))
}

// residentBytes reads the second field of /proc/PID/statm, which counts pages. It is 0 if there is none.
func residentBytes(statm string) uint64 {
	fields := strings.Fields(statm)
	if len(fields) < 2 {
		return 0
	}
	pages, err := strconv.ParseUint(fields[1], 10, 64)
	if err != nil {
		return 0
	}
	return pages * uint64(os.Getpagesize())
}

const tick = time.Second / 100 // of /proc/PID/stat, on every Linux

// timeSpent adds the user and system time in /proc/PID/stat, with that of children that have ended; 0 if they are missing. The command's name, in
// parentheses, may contain anything.
func timeSpent(stat string) time.Duration {
	_, after, _ := strings.Cut(stat[max(0, strings.LastIndexByte(stat, ')')):], " ")
	fields := strings.Fields(after)
	const first, last = 11, 14 // counted after the name: user, system, children's user, children's system
	if len(fields) <= last {
		return 0
	}
	var ticks int64
	for _, field := range fields[first : last+1] {
		n, err := strconv.ParseInt(field, 10, 64)
		if err != nil {
			return 0
		}
		ticks += n
	}
	return time.Duration(ticks) * tick
}
