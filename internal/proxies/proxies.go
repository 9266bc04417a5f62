// Package proxies runs the real proxies on this machine, with the configurations of deploy, for tests and load tests.
package proxies

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

// ErrNotInstalled says that the proxy is not on this machine.
var ErrNotInstalled = errors.New("the proxy is not installed")

// Program is one of the proxies.
type Program struct {
	Name      string // also of the folder in deploy
	elsewhere string // where Debian puts it, which is not in everybody's PATH
	files     string // of the configuration
	main      string // the file of it to begin with
	addresses func(Proxy) map[string]string
	arguments func(p Proxy, main string) []string
	harmless  string // what is in every line that is no complaint; empty where every line is one
}

// Nginx is nginx.
var Nginx = Program{
	Name: "nginx", elsewhere: "/usr/sbin/nginx", files: "*.conf", main: "plain.conf",
	addresses: func(p Proxy) map[string]string {
		return map[string]string{"listen 8080;": "listen " + p.Listen + ";", "10.77.0.11:8080": p.Instances[0], "10.77.0.12:8080": p.Instances[1]}
	},
	arguments: func(p Proxy, main string) []string {
		directives := "daemon off;"
		if os.Geteuid() == 0 {
			directives += " user root;" // or its workers could not enter the folder
		}
		return []string{"-p", p.Folder, "-c", main, "-g", directives}
	},
}

// Caddy is Caddy.
var Caddy = Program{
	Name: "caddy", elsewhere: "/usr/bin/caddy", files: "Caddyfile", main: "Caddyfile",
	addresses: func(p Proxy) map[string]string {
		return map[string]string{"\nquiz.example.org {": "\nhttp://" + p.Listen + ", http://" + strings.Replace(p.Listen, "127.0.0.1", "localhost", 1) + ", http://quiz.example {", "127.0.0.1:8081": p.Instances[0], "127.0.0.1:8082": p.Instances[1]}
	},
	arguments: func(_ Proxy, main string) []string {
		return []string{"run", "--adapter", "caddyfile", "--config", main}
	},
	harmless: `"level":"info"`,
}

// Proxy says what to run, and where.
type Proxy struct {
	Program
	Deploy    string            // the folder of all configurations
	Main      string            // the file to begin with, where it is not the usual one
	Folder    string            // where the proxy may write, and finds the configuration as it is changed
	Listen    string            // host:port
	Instances [2]string         // host:port of each
	Changes   map[string]string // of the configuration's words besides those addresses
}

// Server is a running proxy.
type Server struct {
	Proxy
	command *exec.Cmd
	ended   chan struct{}
	said    bytes.Buffer // to be read when it has ended
}

const (
	startTimeout = time.Minute
	stopTimeout  = time.Minute
)

// Start starts the proxy and returns when it listens. The error is ErrNotInstalled without the program.
func (p Proxy) Start(ctx context.Context) (*Server, error) {
	s, err := p.start(ctx)
	if err != nil {
		return nil, fmt.Errorf("starting %s: %w", p.Name, err)
	}
	return s, nil
}

func (p Proxy) start(ctx context.Context) (*Server, error) {
	program, err := p.find()
	if err != nil {
		return nil, err
	}
	if err := p.configure(); err != nil {
		return nil, err
	}
	main := p.Program.main
	if p.Main != "" {
		main = p.Main
	}
	s := &Server{Proxy: p, command: exec.Command(program, p.arguments(p, filepath.Join(p.Folder, main))...), ended: make(chan struct{})}
	s.command.Env = append(s.command.Environ(), "XDG_CONFIG_HOME="+p.Folder, "XDG_DATA_HOME="+p.Folder) // where Caddy keeps its certificates
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

func (p Program) find() (string, error) {
	for _, name := range []string{p.Name, p.elsewhere} {
		if program, err := exec.LookPath(name); err == nil {
			return program, nil
		}
	}
	return "", ErrNotInstalled
}

// configure writes the configuration into the folder, with the addresses of this machine. Whatever is to be changed and is not there is an error, so that nothing is
// tried that is not what is deployed.
func (p Proxy) configure() error {
	changes := p.addresses(p)
	maps.Copy(changes, p.Changes)
	files, err := filepath.Glob(filepath.Join(p.Deploy, p.Name, p.files))
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
		return fmt.Errorf("%q is nowhere in the files %s", from, filepath.Join(p.Deploy, p.Name, p.files))
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

// Stop ends the proxy and all connections through it. The error tells what it complained about, which should be nothing.
func (s *Server) Stop() error {
	_ = s.command.Process.Signal(syscall.SIGTERM) // which nginx's workers hear, too; it may have ended by itself
	select {
	case <-s.ended:
	case <-time.After(stopTimeout):
		return fmt.Errorf("%s did not stop when asked to", s.Name)
	}
	var complaints strings.Builder
	for line := range strings.Lines(s.said.String()) {
		if s.harmless == "" || !strings.Contains(line, s.harmless) {
			complaints.WriteString(line)
		}
	}
	if complaints.Len() > 0 {
		return fmt.Errorf("%s said: %s", s.Name, complaints.String())
	}
	return nil
}
