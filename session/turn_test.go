package session

import (
	"context"
	"fmt"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"

	"pubquiz/quiz"
)

// TestOneSessionTakesNoConnectionsFromOthers: however many come at once to change a session, and wait for its row, one of them has a connection to the database. Other
// sessions go on meanwhile.
func TestOneSessionTakesNoConnectionsFromOthers(t *testing.T) {
	e := newEvening(t)
	publicID, _, err := e.service.Participant(t.Context(), e.join("Alice"))
	if err != nil {
		t.Fatal(err)
	}
	code := e.rejoinCode(publicID)
	quizID, err := quiz.NewStore(e.pool).Create(t.Context(), e.owner, smallQuiz())
	if err != nil {
		t.Fatal(err)
	}
	elsewhere, err := e.service.Open(t.Context(), e.owner, quizID, smallQuiz())
	if err != nil {
		t.Fatal(err)
	}
	other, err := e.service.AsHost(t.Context(), elsewhere, e.owner)
	if err != nil {
		t.Fatal(err)
	}
	hold, err := e.pool.Begin(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	defer hold.Rollback(context.WithoutCancel(t.Context()))
	if _, err := hold.Exec(t.Context(), `SELECT FROM sessions WHERE public_id = $1 FOR UPDATE`, e.id); err != nil {
		t.Fatal(err)
	}
	ctx := t.Context()
	changes := []func(n int){
		func(int) { _, _ = e.service.Command(ctx, e.host, Command{Version: 1, Command: Next}) },
		func(int) { _, _ = e.service.Decide(ctx, e.host, GroupDecision{"1.2", "gold", "right"}) },
		func(int) { _, _ = e.service.InviteCohost(ctx, e.host) },
		func(n int) {
			_, _ = e.service.Join(ctx, e.code, fmt.Sprintf("Team %d", n), fmt.Sprintf("attempt-of-team-%d", n))
		},
		func(n int) { _, _ = e.service.Rejoin(ctx, code, "", fmt.Sprintf("attempt-of-the-next-%d", n)) },
	}
	var begun atomic.Int32
	var wg sync.WaitGroup
	total := int(e.pool.Config().MaxConns) * len(changes)
	for n := range total {
		wg.Go(func() {
			begun.Add(1)
			changes[n%len(changes)](n)
		})
	}
	until(t, "that all come, and the first waits", func() bool { return int(begun.Load()) == total && e.lockWaits() > 0 })
	for version, name := range []CommandName{Next, Launch, Close, Reveal, Launch, Close, Reveal} {
		if _, err := e.service.Command(ctx, other, Command{Version: int64(version) + 1, Command: name}); err != nil {
			t.Fatalf("%s, in another session: %v", name, err)
		}
	}
	if waiting := e.lockWaits(); waiting != 1 {
		t.Errorf("%d connections wait for one session", waiting)
	}
	if err := hold.Rollback(ctx); err != nil {
		t.Fatal(err)
	}
	wg.Wait()
}

// TestAHostDoesNotWaitForAWholePub: joins that wait let a command pass, which came after them.
func TestAHostDoesNotWaitForAWholePub(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newRoom(nil, &frozen{})
		end, err := r.toJoin(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		came := make(chan string, 21)
		wait := func(who string, turn func(context.Context) (func(), error)) {
			go func() {
				if end, err := turn(t.Context()); err == nil {
					came <- who
					end()
				}
			}()
			synctest.Wait()
		}
		for range 20 {
			wait("a phone", r.toJoin)
		}
		wait("the host", r.changes.take)
		end()
		if first := <-came; first != "the host" {
			t.Errorf("%s was first", first)
		}
		for range 20 {
			<-came
		}
	})
}
