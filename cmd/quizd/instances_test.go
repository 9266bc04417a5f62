package main

import (
	"bufio"
	"net"
	"net/http"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"pubquiz/internal/dbtest"
	"pubquiz/ratelimit"
)

// startRedis starts a Redis server of the test's own and returns its URL. Where Redis is not installed the test is skipped, but not in CI.
func startRedis(t *testing.T) (url string, process *os.Process) {
	t.Helper()
	program, err := exec.LookPath("redis-server")
	if err != nil {
		if os.Getenv("CI") != "" {
			t.Fatal(err)
		}
		t.Skip("redis-server is not installed: ", err)
	}
	folder, err := os.MkdirTemp("", "redis") // short enough for a socket
	if err != nil {
		t.Fatal(err)
	}
	socket := filepath.Join(folder, "s")
	command := exec.Command(program, "--port", "0", "--unixsocket", socket, "--save", "", "--appendonly", "no", "--dir", folder)
	if err := command.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = command.Process.Kill()
		_ = command.Wait()
		if err := os.RemoveAll(folder); err != nil {
			t.Error(err)
		}
	})
	for range 500 {
		if connection, err := net.Dial("unix", socket); err == nil {
			connection.Close()
			return "unix://" + socket, command.Process
		}
		time.Sleep(10 * time.Millisecond)
	}
	t.Fatal("redis-server takes too long to start")
	return "", nil
}

// instance is one of several processes.
type instance struct {
	base, metrics string
	log           *bufio.Reader
}

func startInstance(t *testing.T, settings environment) instance {
	t.Helper()
	port, metrics := freePort(t), freePort(t)
	command := quizd(t, environment{
		"BASE_URL": "http://localhost:" + port, "SECRET_KEYS": keyA, "LISTEN_ADDRESS": "127.0.0.1:" + port, "METRICS_ADDRESS": "127.0.0.1:" + metrics,
	}.with(settings), "serve")
	stderr, err := command.StderrPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := command.Start(); err != nil {
		t.Fatal(err)
	}
	i := instance{"http://127.0.0.1:" + port, "http://127.0.0.1:" + metrics + "/metrics", bufio.NewReader(stderr)}
	awaitLine(t, i.log, `"msg":"serving"`)
	t.Cleanup(func() { _ = command.Wait() }) // the test's context ends it
	return i
}

// guess tries to sign in with a wrong password and returns the status.
func (i instance) guess(t *testing.T) int {
	t.Helper()
	answer, err := http.PostForm(i.base+"/signin", url.Values{"email": {"alice@example.org"}, "password": {"not the one"}})
	if err != nil {
		t.Fatal(err)
	}
	answer.Body.Close()
	return answer.StatusCode
}

// TestInstancesShareTheirBudgets has two processes with one Redis admit exactly one budget, and go on each for itself when Redis does not answer.
func TestInstancesShareTheirBudgets(t *testing.T) {
	t.Parallel()
	redis, process := startRedis(t)
	settings := environment{"DATABASE_URL": dbtest.URL(t), "REDIS_URL": redis}
	instances := []instance{startInstance(t, settings), startInstance(t, settings)}
	guesses := func(n int) map[int]int {
		statuses := map[int]int{}
		for i := range n {
			statuses[instances[i%2].guess(t)]++
		}
		return statuses
	}
	budget := ratelimit.Auth.Budget
	if got := guesses(budget + 6); got[http.StatusUnprocessableEntity] != budget || got[http.StatusTooManyRequests] != 6 {
		t.Errorf("the two together answer %v, want %d let through and 6 refused", got, budget)
	}

	if err := process.Signal(syscall.SIGSTOP); err != nil {
		t.Fatal(err)
	}
	if got := guesses(2 * budget); got[http.StatusUnprocessableEntity] != 2*budget {
		t.Errorf("without Redis they answer %v, want all %d let through: each instance counts for itself", got, 2*budget)
	}
	if got := guesses(2); got[http.StatusTooManyRequests] != 2 {
		t.Errorf("without Redis and with both budgets used they answer %v", got)
	}
	for _, i := range instances {
		get(t, i.base+"/readyz")
		if metrics := get(t, i.metrics); !strings.Contains(metrics, "quizd_limiter_store_down 1") || !strings.Contains(metrics, `store="fallback"`) {
			t.Errorf("the metrics do not tell that Redis is away: %s", metrics)
		}
	}
	if err := process.Signal(syscall.SIGCONT); err != nil {
		t.Fatal(err)
	}
}
