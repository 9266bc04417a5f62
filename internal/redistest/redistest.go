// Package redistest gives tests a Redis server of their own, which they may stop and start.
package redistest

import (
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"
)

// Server is a Redis server that listens on a socket and keeps nothing.
type Server struct {
	URL string

	t       *testing.T
	folder  string
	command *exec.Cmd
	ended   chan struct{} // closed when the process has
}

// Start starts a server, which ends with the test. Where Redis is not installed the test is skipped, but not in CI.
func Start(t *testing.T) *Server {
	t.Helper()
	folder, err := os.MkdirTemp("", "redis") // not t.TempDir: a socket's path must be short
	if err != nil {
		t.Fatal(err)
	}
	s := &Server{t: t, folder: folder, URL: "unix://" + filepath.Join(folder, "s")}
	t.Cleanup(func() {
		s.Kill()
		if err := os.RemoveAll(folder); err != nil {
			t.Error(err)
		}
	})
	s.Restart()
	return s
}

// Restart starts the server again after Kill, empty.
func (s *Server) Restart() {
	s.t.Helper()
	program, err := exec.LookPath("redis-server")
	if err != nil {
		if os.Getenv("CI") == "true" {
			s.t.Fatal(err)
		}
		s.t.Skip("SKIPPED, and it should not be: ", err)
	}
	socket := filepath.Join(s.folder, "s")
	s.command = exec.Command(program, "--port", "0", "--unixsocket", socket, "--save", "", "--appendonly", "no", "--dir", s.folder)
	if err := s.command.Start(); err != nil {
		s.t.Fatal(err)
	}
	command, ended := s.command, make(chan struct{})
	s.ended = ended
	go func() { _ = command.Wait(); close(ended) }()
	for deadline := time.After(time.Minute); ; {
		if conn, err := net.Dial("unix", socket); err == nil {
			conn.Close()
			return
		}
		select {
		case <-ended:
			s.t.Fatalf("redis-server has ended: %v", command.ProcessState)
		case <-deadline:
			s.t.Fatal("redis-server takes too long to start")
		case <-time.After(10 * time.Millisecond):
		}
	}
}

// Kill ends the server as a power cut would.
func (s *Server) Kill() {
	if s.command == nil {
		return
	}
	_ = s.command.Process.Kill()
	<-s.ended
	s.command = nil
	_ = os.Remove(filepath.Join(s.folder, "s"))
}

// Signal sends the server a signal.
func (s *Server) Signal(signal os.Signal) {
	s.t.Helper()
	if err := s.command.Process.Signal(signal); err != nil {
		s.t.Fatal(err)
	}
}
