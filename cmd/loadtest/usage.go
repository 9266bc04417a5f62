package main

import (
	"context"
	"fmt"
	"os"
	"strconv"
	"strings"
	"sync"
	"time"

	"pubquiz/loadtest"
)

// usage measures what a server's process uses, from watch to stop. Memory and time are read from /proc, and are zero where there is none.
type usage struct {
	server  *server
	pid     int
	end     chan struct{}
	running sync.WaitGroup

	resident, peak uint64 // bytes
	cpu            time.Duration
	idle, playing  float64 // bytes in use
	err            error
}

const sampleEvery = 250 * time.Millisecond

// watch begins to measure.
func watch(ctx context.Context, s *server) (*usage, error) {
	u := &usage{server: s, pid: s.command.Process.Pid, end: make(chan struct{})}
	var err error
	if u.idle, err = s.inUse(ctx); err != nil {
		return nil, err
	}
	u.resident, u.cpu = residentMemory(u.pid), cpuTime(u.pid)
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
			u.peak = max(u.peak, residentMemory(u.pid))
		}
	}
}

// seated measures what the phones cost, now that all are there. It returns at once.
func (u *usage) seated(ctx context.Context) {
	u.running.Go(func() { u.playing, u.err = u.server.inUse(ctx) })
}

// stop returns what the process used for so many phones.
func (u *usage) stop(phones int) (*loadtest.ServerUse, error) {
	close(u.end)
	u.running.Wait()
	const mega, kilo = 1e6, 1e3
	return &loadtest.ServerUse{
		ResidentMB: float64(u.resident) / mega, PeakMB: float64(u.peak) / mega, CPUSeconds: (cpuTime(u.pid) - u.cpu).Seconds(),
		IdleMB: u.idle / mega, PlayingMB: u.playing / mega, PhoneKB: max(0, u.playing-u.idle) / kilo / float64(max(phones, 1)),
	}, u.err
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

// timeSpent adds the user and system time in /proc/PID/stat; 0 if they are missing. The command's name, in parentheses, may
// contain anything.
func timeSpent(stat string) time.Duration {
	_, after, _ := strings.Cut(stat[max(0, strings.LastIndexByte(stat, ')')):], " ")
	fields := strings.Fields(after)
	const user, system = 11, 12 // counted after the name
	if len(fields) <= system {
		return 0
	}
	u, errUser := strconv.ParseInt(fields[user], 10, 64)
	s, errSystem := strconv.ParseInt(fields[system], 10, 64)
	if errUser != nil || errSystem != nil {
		return 0
	}
	return time.Duration(u+s) * tick
}
