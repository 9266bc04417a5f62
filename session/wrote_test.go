package session

import (
	"context"
	"errors"
	"net/netip"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
)

// TestWhatIsDoneIsNoFailure: a command that has been committed is answered as carried out, though what came of it cannot be read at the moment: whoever were told that it
// failed would give the same points twice. It is shown as soon as it can be read.
func TestWhatIsDoneIsNoFailure(t *testing.T) {
	e := newEvening(t)
	alice := e.publicID(e.join("Alice"))
	hold := e.hold(`LOCK TABLE members IN ACCESS EXCLUSIVE MODE`) // which only views are read of
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	before := e.host.room.version()
	done := make(chan error, 1)
	go func() {
		_, err := e.service.Command(ctx, e.host, Command{Version: before, Command: Adjust, Participant: alice, Points: 5, Reason: "a good sport"})
		done <- err
	}()
	until(t, "the commit", func() bool { return e.version() == before+1 })
	cancel() // as when the request's time is over
	if err := <-done; err != nil {
		t.Errorf("what is carried out is told as %v", err)
	}
	if err := hold.Rollback(t.Context()); err != nil {
		t.Fatal(err)
	}
	until(t, "the new version", func() bool { return e.host.room.version() == before+1 })
}

// TestWhoNeedsNoViewDoesNotWait: what a room has is had at once, whoever reads its next version meanwhile.
func TestWhoNeedsNoViewDoesNotWait(t *testing.T) {
	e := newEvening(t)
	alice := e.join("Alice")
	end, err := e.host.room.reading.take(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	defer end()
	if _, err := e.service.AsParticipant(t.Context(), e.id, alice.Seat); err != nil {
		t.Error(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := e.host.room.catchUp(ctx, e.host.room.version()+1); err == nil {
		t.Error("it caught up with what nobody could read")
	}
}

// TestSweepOfWhatCannotBeClosed: a sweep ends when its time is over, also among sessions that are locked.
func TestSweepOfWhatCannotBeClosed(t *testing.T) {
	e := newEvening(t)
	e.launch()
	elsewhere, err := e.open(e.service, e.owner)
	if err != nil {
		t.Fatal(err)
	}
	other := *e
	if other.host, err = e.service.AsHost(t.Context(), elsewhere, e.owner); err != nil {
		t.Fatal(err)
	}
	other.launch()
	hold := e.hold(`SELECT FROM sessions FOR UPDATE`)
	defer hold.Rollback(context.WithoutCancel(t.Context()))
	if _, err := e.pool.Exec(t.Context(), `UPDATE session_questions SET opens_at = opens_at - interval '1 hour', closes_at = closes_at - interval '1 hour' WHERE status = 'open'`); err != nil {
		t.Fatal(err)
	}
	config := e.pool.Config()
	config.ConnConfig.RuntimeParams["application_name"] = "sweeper"
	pool, err := pgxpool.NewWithConfig(t.Context(), config)
	if err != nil {
		t.Fatal(err)
	}
	defer pool.Close()
	ctx, cancel := context.WithCancel(t.Context())
	swept := make(chan error, 1)
	go func() {
		swept <- New(pool, Config{Now: time.Now, Grace: testGrace, BaseURL: e.service.baseURL}).sweep(ctx)
	}()
	until(t, "the sweep's waiting", func() (waits bool) {
		err := e.pool.QueryRow(t.Context(), `SELECT EXISTS (SELECT FROM pg_stat_activity WHERE application_name = 'sweeper' AND wait_event_type = 'Lock')`).Scan(&waits)
		return err == nil && waits
	})
	cancel()
	if err := <-swept; !errors.Is(err, context.Canceled) {
		t.Errorf("it ended with %v, having tried to close the second one, too", err)
	}
}

// TestPollersAtANetwork: whoever polls from a network uses up its budget, of whichever session they are.
func TestPollersAtANetwork(t *testing.T) {
	e := newEvening(t)
	pub, home := netip.MustParsePrefix("203.0.113.7/32"), netip.MustParsePrefix("2001:db8::/64")
	look := func(v Viewer, from netip.Prefix) {
		t.Helper()
		if _, err := e.service.Look(t.Context(), v, from, time.Hour); err != nil {
			t.Fatal(err)
		}
	}
	guests := e.joinMany(3)
	elsewhere, err := e.open(e.service, e.owner)
	if err != nil {
		t.Fatal(err)
	}
	other := *e
	if other.host, err = e.service.AsHost(t.Context(), elsewhere, e.owner); err != nil {
		t.Fatal(err)
	}
	other.id, other.code = elsewhere, other.host.room.joinCode
	dan := other.join("Dan")
	look(guests[0], pub)
	look(guests[1], pub)
	look(dan, pub)
	look(guests[2], home)
	until(t, "that all who poll are counted, of both sessions", func() bool { return e.service.PollersAt(pub) == 3 && e.service.PollersAt(home) == 1 })
	look(guests[1], home) // who has gone there
	until(t, "that one has gone home", func() bool { return e.service.PollersAt(pub) == 2 && e.service.PollersAt(home) == 2 })
}

// hold begins a transaction that holds what a statement locks.
func (e *evening) hold(statement string) pgx.Tx {
	e.t.Helper()
	tx, err := e.pool.Begin(e.t.Context())
	if err == nil {
		_, err = tx.Exec(e.t.Context(), statement)
	}
	if err != nil {
		e.t.Fatal(err)
	}
	return tx
}
