package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"sync"
	"syscall"
	"time"
)

// server is a quizd of our own: a real process, on a Postgres of its own, with an empty data folder.
type server struct {
	url     string
	metrics string // the address of what only operators see
	command *exec.Cmd
	folder  string
	said    *output
	ended   chan error
}

const (
	startTimeout = time.Minute
	stopTimeout  = 30 * time.Second // it lets its sockets go one by one
)

// startServer builds and starts a server, and returns when it is ready.
func startServer(ctx context.Context) (*server, error) {
	folder, err := os.MkdirTemp("", "loadtest-")
	if err != nil {
		return nil, fmt.Errorf("start a server: %w", err)
	}
	s := &server{folder: folder, said: &output{}, ended: make(chan error, 1)}
	if err := s.start(ctx); err != nil {
		return nil, fmt.Errorf("start a server: %w", errors.Join(err, os.RemoveAll(folder)))
	}
	if err := s.awaitReady(ctx); err != nil {
		return nil, errors.Join(fmt.Errorf("start a server: %w\n%s", err, s.said), s.stop())
	}
	return s, nil
}

func (s *server) start(ctx context.Context) error {
	// Postgres may run as another user, who must get through to its data.
	if err := os.Chmod(s.folder, 0o755); err != nil {
		return err
	}
	binary := filepath.Join(s.folder, "quizd")
	if built, err := exec.CommandContext(ctx, "go", "build", "-o", binary, "pubquiz/cmd/quizd").CombinedOutput(); err != nil {
		return fmt.Errorf("go build: %w\n%s", err, built)
	}
	port, err := freePort()
	if err != nil {
		return err
	}
	metricsPort, err := freePort()
	if err != nil {
		return err
	}
	s.url, s.metrics = "http://localhost:"+port, "http://127.0.0.1:"+metricsPort
	s.command = exec.Command(binary, "demo", "--port", port, "--data", filepath.Join(s.folder, "data"))
	s.command.Stdout, s.command.Stderr = s.said, s.said
	// The environment's settings are another server's.
	s.command.Env = []string{
		"PATH=" + os.Getenv("PATH"), "HOME=" + os.Getenv("HOME"), "METRICS_ADDRESS=127.0.0.1:" + metricsPort,
	}
	// Ctrl-C is for us first: the server must outlive the room.
	s.command.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	if err := s.command.Start(); err != nil {
		return err
	}
	go func() { s.ended <- s.command.Wait() }()
	return nil
}

func (s *server) awaitReady(ctx context.Context) error {
	ctx, cancel := context.WithTimeoutCause(ctx, startTimeout, errors.New("it was not ready in time"))
	defer cancel()
	for {
		if get(ctx, s.url+"/readyz", func(io.Reader) error { return nil }) == nil {
			return nil
		}
		select {
		case <-ctx.Done():
			return context.Cause(ctx)
		case err := <-s.ended:
			s.ended <- err
			return fmt.Errorf("it ended: %w", err)
		case <-time.After(100 * time.Millisecond):
		}
	}
}

// stop ends the server in order and removes its data.
func (s *server) stop() error {
	// It may have ended by itself, which Wait then reports.
	_ = s.command.Process.Signal(os.Interrupt)
	var err error
	select {
	case err = <-s.ended:
	case <-time.After(stopTimeout):
		err = errors.Join(errors.New("it did not stop when asked to"), s.command.Process.Kill())
	}
	if err != nil {
		err = fmt.Errorf("the server: %w\n%s", err, s.said)
	}
	return errors.Join(err, os.RemoveAll(s.folder))
}

// freePort is free now, on every address; nobody else is likely to take it before the server does.
func freePort() (string, error) {
	l, err := net.Listen("tcp", ":0")
	if err != nil {
		return "", err
	}
	defer l.Close()
	return strconv.Itoa(l.Addr().(*net.TCPAddr).Port), nil
}

// output keeps the end of what the server says, for when it fails.
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
