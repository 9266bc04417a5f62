package redis

import (
	"bytes"
	"context"
	"fmt"
	"log/slog"
	"net/netip"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"pubquiz/ratelimit"
)

// TestMain lets the test's program be started again as one of several instances: see TestTwoProcessesShareOneBudget.
func TestMain(m *testing.M) {
	if url := os.Getenv("INSTANCE_OF"); url != "" {
		instance(url)
		return
	}
	os.Exit(m.Run())
}

// instance asks a hundred times for one key and prints how often it was admitted.
func instance(url string) {
	store, err := Open(url, "test:")
	if err != nil {
		panic(err)
	}
	l, err := ratelimit.New(ratelimit.Table, ratelimit.SharedIn(store), ratelimit.StoreTimeout(10*time.Second))
	if err != nil {
		panic(err)
	}
	count := 0
	for range 100 {
		d, err := l.Allow(context.Background(), ratelimit.JoinSession.For(ratelimit.AddressKey(netip.MustParseAddr("192.0.2.1"))))
		if err != nil || d.Place != ratelimit.InStore {
			panic(fmt.Sprint(d, err))
		}
		if d.Allowed {
			count++
		}
	}
	fmt.Print(count)
}

func TestTwoProcessesShareOneBudget(t *testing.T) {
	s := startServer(t)
	program, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	counts := make([]int, 3)
	var wg sync.WaitGroup
	for i := range counts {
		wg.Go(func() {
			cmd := exec.CommandContext(t.Context(), program)
			cmd.Env = append(os.Environ(), "INSTANCE_OF="+s.URL)
			cmd.Stderr = os.Stderr
			out, err := cmd.Output()
			if err != nil {
				t.Error(err)
			}
			counts[i], _ = strconv.Atoi(string(out))
		})
	}
	wg.Wait()
	if sum := counts[0] + counts[1] + counts[2]; sum != 100 {
		t.Errorf("%v admitted, want 100 together", counts)
	}
}

// logged is a log that may be read while it is written.
type logged struct {
	mu sync.Mutex
	b  bytes.Buffer
}

func (l *logged) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.Write(p)
}

func (l *logged) count(what string) int {
	l.mu.Lock()
	defer l.mu.Unlock()
	return strings.Count(l.b.String(), what)
}

func TestAStoppedServer(t *testing.T) {
	s := startServer(t)
	var log logged
	l, err := ratelimit.New(ratelimit.Table, ratelimit.SharedIn(s.store()), ratelimit.StoreTimeout(time.Second), ratelimit.LogTo(slog.New(slog.NewTextHandler(&log, nil)), []byte("secret")))
	if err != nil {
		t.Fatal(err)
	}
	home := ratelimit.AddressKey(netip.MustParseAddr("192.0.2.1"))
	open, closed := ratelimit.HostAction.For(ratelimit.UserKey(1)), ratelimit.PasswordReset.For(home)
	waitFor(t, func() bool {
		return allow(t, l, ratelimit.HostEdit.For(ratelimit.UserKey(1))).Place == ratelimit.InStore
	})

	s.Signal(syscall.SIGSTOP)
	for n := range 30 {
		d := allow(t, l, open)
		// This instance counts for itself.
		if !d.Allowed || d.Place != ratelimit.InFallback || d.Remaining != 29-n {
			t.Fatalf("request %d: %+v", n, d)
		}
	}
	if d := allow(t, l, open); d.Allowed || d.Unavailable || d.Reason != ratelimit.OverBudget {
		t.Errorf("over the budget of this instance: %+v", d)
	}
	d := allow(t, l, closed)
	if d.Allowed || !d.Unavailable || d.Reason != ratelimit.StoreDown || d.RetryAfter <= 0 {
		t.Errorf("what must not go uncounted: %+v", d)
	}
	if d := allow(t, l, ratelimit.Global.For(home)); d.Place != ratelimit.InMemory {
		t.Errorf("what never was in the store: %+v", d)
	}
	if down, times := l.StoreDown(); !down || times != 1 {
		t.Errorf("down %v, %d times", down, times)
	}

	s.Signal(syscall.SIGCONT)
	waitFor(t, func() bool {
		return allow(t, l, ratelimit.HostEdit.For(ratelimit.UserKey(1))).Place == ratelimit.InStore
	})
	waitFor(t, func() bool { return allow(t, l, open).Place == ratelimit.InStore })
	waitFor(t, func() bool { return allow(t, l, closed).Allowed })
	if n := log.count("does not answer; this instance"); n != 1 {
		t.Errorf("the outage was logged %d times", n)
	}
	if n := log.count("answers again"); n != 1 {
		t.Errorf("its end was logged %d times", n)
	}
}

func TestAServerThatStartsLateOrAgain(t *testing.T) {
	s := startServer(t)
	s.Kill()
	store, err := Open(s.URL, "test:")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(store.Close)
	l := newLimiters(t, store, ratelimit.Table...)
	check := ratelimit.HostEdit.For(ratelimit.UserKey(1))
	if d := allow(t, l, check); d.Place != ratelimit.InFallback || !d.Allowed {
		t.Fatalf("%+v", d)
	}
	for range 2 {
		s.Restart()
		waitFor(t, func() bool { return allow(t, l, check).Place == ratelimit.InStore })
		s.Kill()
		waitFor(t, func() bool { return allow(t, l, check).Place == ratelimit.InFallback })
	}
}

// waitFor waits for what the store's recovery brings about, which takes a few breaker's pauses.
func waitFor(t *testing.T, done func() bool) {
	t.Helper()
	for deadline := time.Now().Add(time.Minute); time.Now().Before(deadline); time.Sleep(100 * time.Millisecond) {
		if done() {
			return
		}
	}
	t.Fatal("it did not happen")
}
