package web

import (
	"context"
	"net/http"
	"sync"
	"sync/atomic"
	"testing"
)

// TestOneHostHoldsNobodyUp: however much a host asks for at once, it takes a few connections to the database, and all is answered in its turn. Others are served meanwhile.
func TestOneHostHoldsNobodyUp(t *testing.T) {
	s := newSite(t)
	greedy, other := s.open(s.host("greedy@quiz.example")), s.open(s.host("other@quiz.example"))
	hold, err := s.pool.Begin(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	defer hold.Rollback(context.WithoutCancel(t.Context()))
	if _, err := hold.Exec(t.Context(), `LOCK TABLE answers, session_log IN ACCESS EXCLUSIVE MODE`); err != nil {
		t.Fatal(err)
	}
	results := "/host/sessions/" + greedy.id + "/results"
	paths := []string{greedy.path("log"), greedy.path("export"), results, results + "/csv", results + "/xlsx"}
	var begun, answered atomic.Int32
	var wg sync.WaitGroup
	total := 2 * int(s.pool.Config().MaxConns)
	for n := range total {
		wg.Go(func() {
			begun.Add(1)
			if r := greedy.host.get(paths[n%len(paths)]); r.status != http.StatusOK {
				t.Errorf("%s: %d %s", paths[n%len(paths)], r.status, r.body)
			}
			answered.Add(1)
		})
	}
	waiting := func() (n int) {
		const count = `SELECT count(*) FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND datname = current_database()`
		if err := s.pool.QueryRow(t.Context(), count).Scan(&n); err != nil {
			t.Fatal(err)
		}
		return n
	}
	until(t, "that all come, and the first wait", func() bool { return int(begun.Load()) == total && waiting() >= turnsOfOne })
	for _, path := range []string{"/host", "/host/sessions", "/account", "/host/sessions/" + other.id} {
		if r := other.host.get(path); r.status != http.StatusOK {
			t.Errorf("%s of another host: %d %s", path, r.status, r.body)
		}
	}
	if n := waiting(); n != turnsOfOne || answered.Load() > 0 {
		t.Errorf("%d connections wait for what one host asks, %d are answered", n, answered.Load())
	}
	if err := hold.Rollback(t.Context()); err != nil {
		t.Fatal(err)
	}
	wg.Wait()
	if len(s.server.turns.of) != 0 {
		t.Errorf("turns of %d hosts are kept", len(s.server.turns.of))
	}
}
