package main

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"syscall"
	"time"
)

// process is a server under measurement. It is a process of its own, so that what it costs can be told from what its clients cost.
type process struct {
	cmd     *exec.Cmd
	metrics string // base URL of /metrics and /debug/pprof/heap
	said    bytes.Buffer
	ended   chan struct{}
}

// startProcess starts a server and returns once an address answers with 200.
func startProcess(ctx context.Context, cmd *exec.Cmd, ready, metrics string) (*process, error) {
	p := &process{cmd: cmd, metrics: metrics, ended: make(chan struct{})}
	cmd.Stdout, cmd.Stderr = &p.said, &p.said
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	if err := cmd.Start(); err != nil {
		return nil, err
	}
	go func() { _ = cmd.Wait(); close(p.ended) }()
	ctx, cancel := context.WithTimeout(ctx, time.Minute)
	defer cancel()
	for {
		if err := get(ctx, ready, func(io.Reader) error { return nil }); err == nil {
			return p, nil
		}
		select {
		case <-ctx.Done():
			p.stop()
			return nil, fmt.Errorf("%s was not ready in time: %s", cmd.Path, &p.said)
		case <-p.ended:
			return nil, fmt.Errorf("%s ended: %s", cmd.Path, &p.said)
		case <-time.After(50 * time.Millisecond):
		}
	}
}

func (p *process) stop() {
	_ = p.cmd.Process.Kill() // its data are thrown away
	<-p.ended
}

// cpu is the processor time that the process has used so far.
func (p *process) cpu() (time.Duration, error) {
	stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", p.cmd.Process.Pid))
	if err != nil {
		return 0, err
	}
	fields := strings.Fields(string(stat[bytes.LastIndexByte(stat, ')')+1:]))
	const utime, stime, tick = 11, 12, 10 * time.Millisecond
	user, err1 := strconv.Atoi(fields[utime])
	system, err2 := strconv.Atoi(fields[stime])
	return time.Duration(user+system) * tick, errors.Join(err1, err2)
}

// footprint is what a process holds.
type footprint struct {
	inUse    float64 // bytes in the spans of heap and stacks, after a collection
	resident float64 // bytes, with garbage and what has not been given back
}

func (p *process) footprint(ctx context.Context) (f footprint, err error) {
	for range 3 { // pools and stacks shrink by steps, one in each collection
		if err := get(ctx, p.metrics+"/debug/pprof/heap?gc=1", func(io.Reader) error { return nil }); err != nil {
			return f, err
		}
	}
	err = get(ctx, p.metrics+"/metrics", func(r io.Reader) (err error) {
		f.inUse, err = sumMetrics(r, "go_memstats_heap_inuse_bytes", "go_memstats_stack_inuse_bytes")
		return err
	})
	if err != nil {
		return f, err
	}
	status, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", p.cmd.Process.Pid))
	if err != nil {
		return f, err
	}
	_, rest, _ := strings.Cut(string(status), "VmRSS:")
	kilobytes, err := strconv.Atoi(strings.Fields(rest)[0])
	f.resident = float64(kilobytes) * 1024
	return f, err
}

// sumMetrics adds up metrics without labels in Prometheus's text format.
func sumMetrics(r io.Reader, names ...string) (sum float64, err error) {
	found := 0
	for lines := bufio.NewScanner(r); lines.Scan(); {
		name, text, _ := strings.Cut(lines.Text(), " ")
		for _, wanted := range names {
			if name == wanted {
				value, err := strconv.ParseFloat(text, 64)
				if err != nil {
					return 0, err
				}
				sum += value
				found++
			}
		}
	}
	if found != len(names) {
		return 0, fmt.Errorf("%d of the metrics %v found", found, names)
	}
	return sum, nil
}

func get(ctx context.Context, url string, read func(io.Reader) error) error {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, url, nil)
	if err != nil {
		return err
	}
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		return err
	}
	defer res.Body.Close()
	if res.StatusCode != http.StatusOK {
		return fmt.Errorf("%s: %s", url, res.Status)
	}
	return read(res.Body)
}
