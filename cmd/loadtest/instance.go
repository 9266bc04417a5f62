package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os/exec"
	"slices"
	"sync"
	"syscall"
	"time"

	"pubquiz/internal/freeport"
)

// instance is one process of quizd, and its successors.
type instance struct {
	url      string
	metrics  string // the address of what only operators see
	binary   string
	settings []string
	said     *output

	mu      sync.Mutex
	command *exec.Cmd
	ended   chan error
	spent   time.Duration // of processor time, by processes that have ended
}

const (
	readyTimeout = time.Minute
	stopTimeout  = 30 * time.Second // it lets its sockets go one by one
)

func newInstance(binary string, settings []string) (*instance, error) {
	port, err := freeport.Reserve()
	if err != nil {
		return nil, err
	}
	metrics, err := freeport.Loopback()
	if err != nil {
		return nil, err
	}
	return &instance{
		url: "http://localhost:" + port, metrics: "http://" + metrics, binary: binary, said: &output{},
		settings: append(slices.Clone(settings), "LISTEN_ADDRESS=127.0.0.1:"+port, "METRICS_ADDRESS="+metrics),
	}, nil
}

// start starts a process and returns when it is ready.
func (i *instance) start(ctx context.Context) error {
	command := exec.Command(i.binary, "serve")
	command.Stdout, command.Stderr, command.Env = i.said, i.said, i.settings
	// Ctrl-C is for us first: the server must outlive the room.
	command.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	if err := command.Start(); err != nil {
		return err
	}
	ended := make(chan error, 1)
	go func() { ended <- command.Wait() }()
	i.mu.Lock()
	i.command, i.ended = command, ended
	i.mu.Unlock()
	return i.awaitReady(ctx, ended)
}

func (i *instance) awaitReady(ctx context.Context, ended chan error) error {
	ctx, cancel := context.WithTimeoutCause(ctx, readyTimeout, fmt.Errorf("it was not ready in time\n%s", i.said))
	defer cancel()
	for {
		if get(ctx, i.url+"/readyz", func(io.Reader) error { return nil }) == nil {
			return nil
		}
		select {
		case <-ctx.Done():
			return context.Cause(ctx)
		case err := <-ended:
			ended <- err
			return fmt.Errorf("it ended: %w\n%s", err, i.said)
		case <-time.After(50 * time.Millisecond):
		}
	}
}

// kill ends the process as a power cut would.
func (i *instance) kill() error {
	if err := i.command.Process.Kill(); err != nil {
		return err
	}
	<-i.ended
	i.buried()
	return nil
}

// stop asks the process to end in order, unless there is none.
func (i *instance) stop() error {
	if i.command == nil {
		return nil
	}
	// It may have ended by itself, which Wait then reports.
	_ = i.command.Process.Signal(syscall.SIGTERM)
	var err error
	select {
	case err = <-i.ended:
	case <-time.After(stopTimeout):
		err = errors.Join(errors.New("it did not stop when asked to"), i.command.Process.Kill(), <-i.ended)
	}
	i.buried()
	if err != nil {
		return fmt.Errorf("the server: %w\n%s", err, i.said)
	}
	return nil
}

// buried forgets a process that has ended, but not what it used.
func (i *instance) buried() {
	i.mu.Lock()
	defer i.mu.Unlock()
	i.spent += i.command.ProcessState.UserTime() + i.command.ProcessState.SystemTime()
	i.command = nil
}

// cpu is the processor time used so far; 0 for what the system does not tell.
func (i *instance) cpu() time.Duration {
	i.mu.Lock()
	defer i.mu.Unlock()
	if i.command == nil {
		return i.spent
	}
	return i.spent + cpuTime(i.command.Process.Pid)
}

// resident is the memory in bytes that the process has now.
func (i *instance) resident() uint64 {
	i.mu.Lock()
	defer i.mu.Unlock()
	if i.command == nil {
		return 0
	}
	return residentMemory(i.command.Process.Pid)
}

// output keeps the end of what a server says, for when it fails.
type output struct {
	mu   sync.Mutex
	tail bytes.Buffer
}

const kept = 8 << 10

func (o *output) Write(p []byte) (int, error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.tail.Write(p)
	if extra := o.tail.Len() - kept; extra > 0 {
		o.tail.Next(extra)
	}
	return len(p), nil
}

func (o *output) String() string {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.tail.String()
}
