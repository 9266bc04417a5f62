package main

import (
	"bufio"
	"context"
	cryptorand "crypto/rand"
	"math/rand/v2"
	"net/http"
	"net/url"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"pubquiz/internal/dbtest"
	"pubquiz/internal/history"
	"pubquiz/internal/redistest"
	"pubquiz/quiz"
	"pubquiz/ratelimit"
)

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
		"QUIZD_TEST_STORE_TIMEOUT": "2s", // so that none counts for itself while Redis is only slow
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

// emptyDatabase returns the address of a database without a schema, which goes when the test ends.
func emptyDatabase(t *testing.T) string {
	t.Helper()
	address, err := url.Parse(dbtest.URL(t))
	if err != nil {
		t.Fatal(err)
	}
	name := "empty_" + strings.ToLower(cryptorand.Text())
	run := func(sql string) {
		conn, err := pgx.Connect(context.WithoutCancel(t.Context()), address.String())
		if err == nil {
			_, err = conn.Exec(context.WithoutCancel(t.Context()), sql)
			conn.Close(context.WithoutCancel(t.Context()))
		}
		if err != nil {
			t.Error(err)
		}
	}
	run("CREATE DATABASE " + name)
	t.Cleanup(func() { run("DROP DATABASE " + name + " WITH (FORCE)") })
	empty := *address
	empty.Path = "/" + name
	return empty.String()
}

// TestInstancesStartTogether starts two at once on an empty database: one makes the schema, the other waits for it, and both serve.
func TestInstancesStartTogether(t *testing.T) {
	t.Parallel()
	settings := environment{"DATABASE_URL": emptyDatabase(t), "BASE_URL": "http://localhost", "SECRET_KEYS": keyA, "METRICS_ADDRESS": "off"}
	var logs []*bufio.Reader
	for range 2 {
		command := quizd(t, settings.with(environment{"LISTEN_ADDRESS": "127.0.0.1:" + freePort(t)}), "serve")
		stderr, err := command.StderrPipe()
		if err != nil {
			t.Fatal(err)
		}
		if err := command.Start(); err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = command.Process.Kill(); _ = command.Wait() })
		logs = append(logs, bufio.NewReader(stderr))
	}
	for _, log := range logs {
		awaitLine(t, log, `"msg":"serving"`)
	}
}

// status is that of what is at a path.
func (i instance) status(t *testing.T, path string) int {
	t.Helper()
	answer, err := http.Get(i.base + path)
	if err != nil {
		t.Fatal(err)
	}
	answer.Body.Close()
	return answer.StatusCode
}

// TestInstancesShareTheirBudgets has two processes with one Redis admit exactly one budget, and go on each for itself when Redis does not answer.
func TestInstancesShareTheirBudgets(t *testing.T) {
	t.Parallel()
	redis := redistest.Start(t)
	settings := environment{"DATABASE_URL": dbtest.URL(t), "REDIS_URL": redis.URL}
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

	redis.Signal(syscall.SIGSTOP)
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
	redis.Signal(syscall.SIGCONT)
}

// TestConsolesSeePhonesOfAllInstances: a phone that is connected to one instance is so for a console of another; without Redis, or when the phone's
// instance has died, it is away, and the quiz goes on all the same.
func TestConsolesSeePhonesOfAllInstances(t *testing.T) {
	t.Parallel()
	redis := redistest.Start(t)
	c := newCluster(t, 2, environment{"REDIS_URL": redis.URL, "LOG_LEVEL": "warn"})
	host, err := openSession(t.Context(), c, quiz.Sample(), &history.History{}, rand.New(rand.NewPCG(1, 1)))
	if err != nil {
		t.Fatal(err)
	}
	n := &night{cluster: c, host: host}
	phone, err := host.seat(t.Context(), "Far away", rand.New(rand.NewPCG(1, 2)))
	if err != nil {
		t.Fatal(err)
	}
	phone.seen = nil // it only watches
	near, far := c.members[0], c.members[1]
	ctx, leave := context.WithCancel(t.Context())
	var following sync.WaitGroup
	following.Go(func() {
		for ctx.Err() == nil {
			_ = phone.readSocket(ctx, far)
			pause(ctx, 50*time.Millisecond)
		}
	})
	defer following.Wait()
	defer leave()
	n.until(t, "socket", phone) // the host asks the first member

	redis.Kill()
	n.until(t, "away", phone)
	n.command(t, "next")
	if !phone.await(ctx, "round") {
		t.Error("without Redis the quiz stood still")
	}
	redis.Restart()
	n.until(t, "socket", phone)

	far.kill()
	n.until(t, "away", phone)
	near.kill()
	if said := near.said.String(); strings.Count(said, "sharing who is connected failed") != 1 {
		t.Errorf("the outage is not logged once:\n%s", said)
	}
}
