// Package nginx runs the real nginx on this machine, with the configuration of deploy/nginx, for tests and load tests.
package nginx

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"maps"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"time"
)

// ErrNotInstalled says that there is no nginx on this machine.
var ErrNotInstalled = errors.New("nginx is not installed")

// Proxy says what to run, and where.
type Proxy struct {
	Configuration string            // the folder of the configuration
	Main          string            // the file in it to begin with: plain.conf or tls.conf
	Folder        string            // where nginx may write, and finds the configuration as it is changed
	Listen        string            // host:port
	Instances     [2]string         // host:port of each
	Changes       map[string]string // of the configuration's words besides those addresses
}

// Server is a running nginx.
type Server struct {
	command *exec.Cmd
	ended   chan struct{}
	said    bytes.Buffer // to be read when it has ended
}

const (
	startTimeout = 10 * time.Second
	stopTimeout  = 10 * time.Second
)

// Start starts nginx and returns when it listens. The error is ErrNotInstalled without nginx.
func (p Proxy) Start(ctx context.Context) (*Server, error) {
	s, err := p.start(ctx)
	if err != nil {
		return nil, fmt.Errorf("nginx.Start: %w", err)
	}
	return s, nil
}

func (p Proxy) start(ctx context.Context) (*Server, error) {
	program, err := find()
	if err != nil {
		return nil, err
	}
	if err := p.configure(); err != nil {
		return nil, err
	}
	directives := "daemon off;"
	if os.Geteuid() == 0 {
		directives += " user root;" // or its workers could not enter the folder
	}
	s := &Server{command: exec.Command(program, "-p", p.Folder, "-c", filepath.Join(p.Folder, p.Main), "-g", directives), ended: make(chan struct{})}
	s.command.Stdout, s.command.Stderr = &s.said, &s.said
	s.command.SysProcAttr = &syscall.SysProcAttr{Setpgid: true} // Ctrl-C is for whoever started it first
	if err := s.command.Start(); err != nil {
		return nil, err
	}
	go func() { _ = s.command.Wait(); close(s.ended) }()
	if err := s.awaitListening(ctx, p.Listen); err != nil {
		return nil, errors.Join(err, s.Stop())
	}
	return s, nil
}

// find looks where Debian puts nginx, too, which is not in everybody's PATH.
func find() (string, error) {
	for _, name := range []string{"nginx", "/usr/sbin/nginx"} {
		if program, err := exec.LookPath(name); err == nil {
			return program, nil
		}
	}
	return "", ErrNotInstalled
}

// configure writes the configuration into the folder, with the addresses of this machine. Whatever is to be changed and is not there is an error, so that nothing is
// tried that is not what is deployed.
func (p Proxy) configure() error {
	changes := map[string]string{"listen 8080;": "listen " + p.Listen + ";", "10.77.0.11:8080": p.Instances[0], "10.77.0.12:8080": p.Instances[1]}
	maps.Copy(changes, p.Changes)
	files, err := filepath.Glob(filepath.Join(p.Configuration, "*.conf"))
	if err != nil {
		return err
	}
	missing := make(map[string]bool, len(changes))
	for from := range changes {
		missing[from] = true
	}
	for _, file := range files {
		content, err := os.ReadFile(file)
		if err != nil {
			return err
		}
		text := string(content)
		for from, to := range changes {
			if strings.Contains(text, from) {
				text = strings.ReplaceAll(text, from, to)
				delete(missing, from)
			}
		}
		if err := os.WriteFile(filepath.Join(p.Folder, filepath.Base(file)), []byte(text), 0o600); err != nil {
			return err
		}
	}
	for from := range missing {
		return fmt.Errorf("%q is nowhere in %s/*.conf", from, p.Configuration)
	}
	return nil
}

func (s *Server) awaitListening(ctx context.Context, address string) error {
	ctx, cancel := context.WithTimeoutCause(ctx, startTimeout, errors.New("it did not listen in time"))
	defer cancel()
	for {
		if conn, err := net.Dial("tcp", address); err == nil {
			return conn.Close()
		}
		select {
		case <-ctx.Done():
			return context.Cause(ctx)
		case <-s.ended:
			return fmt.Errorf("it ended: %s", s.said.String())
		case <-time.After(10 * time.Millisecond):
		}
	}
}

// Stop ends nginx and all connections through it. The error tells what it complained about, which should be nothing.
func (s *Server) Stop() error {
	_ = s.command.Process.Signal(syscall.SIGTERM) // which its workers hear, too; it may have ended by itself
	select {
	case <-s.ended:
	case <-time.After(stopTimeout):
		return errors.New("nginx did not stop when asked to")
	}
	if s.said.Len() > 0 {
		return fmt.Errorf("nginx said: %s", s.said.String())
	}
	return nil
}
