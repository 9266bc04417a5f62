package redis

import (
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"syscall"
	"testing"
	"time"

	"github.com/redis/rueidis"

	"pubquiz/ratelimit"
)

// server is a Redis server of the test's own, on a socket in the test's own folder.
type server struct {
	t       *testing.T
	url     string
	socket  string
	process *os.Process
}

// startServer starts one, or skips the test where Redis is not installed; but not in CI.
func startServer(t *testing.T) *server {
	t.Helper()
	// Not t.TempDir, as a socket's path must be short.
	dir, err := os.MkdirTemp("", "redis")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(dir) })
	s := &server{t: t, socket: filepath.Join(dir, "s")}
	s.url = "unix://" + s.socket
	s.start()
	t.Cleanup(s.kill)
	return s
}

func (s *server) start() {
	s.t.Helper()
	program, err := exec.LookPath("redis-server")
	if err != nil {
		if os.Getenv("CI") == "true" {
			s.t.Fatal(err)
		}
		s.t.Skip("redis-server is not installed")
	}
	cmd := exec.Command(program, "--port", "0", "--unixsocket", s.socket, "--save", "", "--appendonly", "no", "--dir", filepath.Dir(s.socket))
	if err := cmd.Start(); err != nil {
		s.t.Fatal(err)
	}
	s.process = cmd.Process
	for range 500 {
		if conn, err := net.Dial("unix", s.socket); err == nil {
			conn.Close()
			return
		}
		time.Sleep(10 * time.Millisecond)
	}
	s.t.Fatal("redis-server did not start")
}

func (s *server) kill() {
	if s.process != nil {
		s.process.Kill()
		s.process.Wait()
		s.process = nil
		os.Remove(s.socket)
	}
}

func (s *server) signal(sig syscall.Signal) {
	s.t.Helper()
	if err := s.process.Signal(sig); err != nil {
		s.t.Fatal(err)
	}
}

// store opens a store of the server.
func (s *server) store() *Store {
	s.t.Helper()
	store, err := Open(s.url, "test:")
	if err != nil {
		s.t.Fatal(err)
	}
	s.t.Cleanup(store.Close)
	return store
}

// do sends any command.
func (s *server) do(store *Store, command ...string) rueidis.RedisResult {
	s.t.Helper()
	client, err := store.connected()
	if err != nil {
		s.t.Fatal(err)
	}
	return client.Do(s.t.Context(), client.B().Arbitrary(command...).Build())
}

// newLimiters makes limiters that share their budgets in the store.
func newLimiters(t *testing.T, store ratelimit.Store, table ...ratelimit.Limit) *ratelimit.Limiters {
	t.Helper()
	// However busy the machine is.
	l, err := ratelimit.New(table, ratelimit.SharedIn(store), ratelimit.StoreTimeout(10*time.Second))
	if err != nil {
		t.Fatal(err)
	}
	return l
}

// allow asks for one request, which the store must decide about.
func allow(t *testing.T, l *ratelimit.Limiters, checks ...ratelimit.Check) ratelimit.Decision {
	t.Helper()
	d, err := l.Allow(t.Context(), checks...)
	if err != nil {
		t.Fatal(err)
	}
	return d
}

func admitted(t *testing.T, l *ratelimit.Limiters, check ratelimit.Check, n int) int {
	t.Helper()
	count := 0
	for range n {
		d := allow(t, l, check)
		if d.Place != ratelimit.InStore {
			t.Fatalf("decided elsewhere: %+v", d)
		}
		if d.Allowed {
			count++
		}
	}
	return count
}

func perSecond(budget int) ratelimit.Limit {
	return ratelimit.Limit{Name: ratelimit.Name(fmt.Sprint("test", budget)), Budget: budget, Window: time.Second, Key: ratelimit.ByUser}
}
