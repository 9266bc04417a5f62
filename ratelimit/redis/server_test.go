package redis

import (
	"fmt"
	"testing"
	"time"

	"github.com/redis/rueidis"

	"pubquiz/internal/redistest"
	"pubquiz/ratelimit"
)

// server is a Redis server of the test's own.
type server struct {
	*redistest.Server
	t *testing.T
}

// startServer starts one, or skips the test where Redis is not installed; but not in CI.
func startServer(t *testing.T) *server {
	t.Helper()
	return &server{redistest.Start(t), t}
}

// store opens a store of the server.
func (s *server) store() *Store {
	s.t.Helper()
	store, err := Open(s.URL, "test:")
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
