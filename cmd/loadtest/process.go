package main

import (
	"errors"
	"fmt"
	"os"
	"strconv"
	"strings"
	"sync"
	"time"

	"pubquiz/loadtest"
)

// process measures what a process uses, where the system has /proc.
type process struct {
	pid      int
	end      chan struct{}
	sampling sync.WaitGroup

	start, peak uint64 // bytes
	cpuBefore   time.Duration
}

// watchProcess samples the memory of the process until stop.
func watchProcess(pid int) *process {
	p := &process{pid: pid, end: make(chan struct{})}
	// Where nothing can be read, stop says so by returning nothing.
	p.start, _ = p.memory()
	p.cpuBefore, _ = p.cpu()
	p.peak = p.start
	p.sampling.Go(p.sample)
	return p
}

func (p *process) sample() {
	t := time.NewTicker(250 * time.Millisecond)
	defer t.Stop()
	for {
		select {
		case <-p.end:
			return
		case <-t.C:
			if now, err := p.memory(); err == nil {
				p.peak = max(p.peak, now)
			}
		}
	}
}

// stop returns what the process used since watchProcess, or nil where that cannot be read.
func (p *process) stop() *loadtest.ServerUse {
	close(p.end)
	p.sampling.Wait()
	cpu, err := p.cpu()
	if err != nil {
		return nil
	}
	const mega = 1e6
	return &loadtest.ServerUse{
		StartMB: float64(p.start) / mega, PeakMB: float64(p.peak) / mega, CPUSeconds: (cpu - p.cpuBefore).Seconds(),
	}
}

func (p *process) memory() (uint64, error) {
	statm, err := os.ReadFile(fmt.Sprintf("/proc/%d/statm", p.pid))
	if err != nil {
		return 0, err
	}
	return residentBytes(string(statm))
}

func (p *process) cpu() (time.Duration, error) {
	stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", p.pid))
	if err != nil {
		return 0, err
	}
	return cpuTime(string(stat))
}

// residentBytes reads the second field of /proc/PID/statm, which counts pages.
func residentBytes(statm string) (uint64, error) {
	fields := strings.Fields(statm)
	if len(fields) < 2 {
		return 0, errors.New("statm is too short")
	}
	pages, err := strconv.ParseUint(fields[1], 10, 64)
	return pages * uint64(os.Getpagesize()), err
}

const tick = time.Second / 100 // of /proc/PID/stat, on every Linux

// cpuTime adds the user and system time in /proc/PID/stat. The command's name, in parentheses, may contain anything.
func cpuTime(stat string) (time.Duration, error) {
	_, after, _ := strings.Cut(stat[max(0, strings.LastIndexByte(stat, ')')):], " ")
	fields := strings.Fields(after)
	const user, system = 11, 12 // counted after the name
	if len(fields) <= system {
		return 0, errors.New("stat is too short")
	}
	u, err := strconv.ParseInt(fields[user], 10, 64)
	if err != nil {
		return 0, err
	}
	s, err := strconv.ParseInt(fields[system], 10, 64)
	return time.Duration(u+s) * tick, err
}
