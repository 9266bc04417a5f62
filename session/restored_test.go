package session

import (
	"errors"
	"net/netip"
	"sync"
	"testing"
	"time"
)

// asRestored writes the epoch's row as pg_restore does: as it was, in a transaction that knows nothing of it.
func (e *evening) asRestored() {
	e.t.Helper()
	const restore = `
		CREATE TEMPORARY TABLE dump ON COMMIT DROP AS SELECT * FROM epoch; TRUNCATE epoch; INSERT INTO epoch SELECT * FROM dump;`
	if _, err := e.pool.Exec(e.t.Context(), restore); err != nil {
		e.t.Fatal(err)
	}
}

func (e *evening) epoch() (epoch string) {
	e.t.Helper()
	if err := e.pool.QueryRow(e.t.Context(), `SELECT epoch FROM epoch`).Scan(&epoch); err != nil {
		e.t.Fatal(err)
	}
	return epoch
}

// signals counts how often a watcher is told to look.
type signals struct{ told chan struct{} }

func (s signals) Signal() { s.Run() }

func (s signals) Run() {
	select {
	case s.told <- struct{}{}:
	default:
	}
}

// TestRestoredDatabase: a session that went back is shown as it is now, to those who were there, by every instance; and who came in after the backup is nobody, also when others have come in since.
func TestRestoredDatabase(t *testing.T) {
	e := newEvening(t)
	other := newService(t, e.pool)
	alice := e.join("Alice")
	watched := signals{make(chan struct{}, 1)}
	watcher := e.service.Watcher(alice)
	watcher.Start(watched)
	defer watcher.Stop()
	before, _ := e.see(e.host)
	lost := e.join("Came later")
	e.launch()
	if _, err := other.AsParticipant(t.Context(), e.id, alice.Seat); err != nil { // the other instance has the session in memory, too
		t.Fatal(err)
	}
	held, _ := e.see(alice)

	if _, err := e.pool.Exec(t.Context(), `DELETE FROM participants WHERE id = $1`, lost.Seat.Participant); err != nil {
		t.Fatal(err)
	}
	const back = `UPDATE session_questions SET status = 'waiting', opens_at = NULL, closes_at = NULL; UPDATE sessions SET version = 1, phase = 'lobby', round = 0, question = 0`
	if _, err := e.pool.Exec(t.Context(), back); err != nil {
		t.Fatal(err)
	}
	if _, err := e.pool.Exec(t.Context(), `SELECT setval(pg_get_serial_sequence('participants', 'id'), $1)`, alice.Seat.Participant); err != nil {
		t.Fatal(err)
	}
	e.asRestored()

	until(t, "the watcher is sent away", func() bool {
		<-watched.told
		_, err := watcher.Now()
		return errors.Is(err, ErrRestored)
	})
	for name, service := range map[string]*Service{"the first instance": e.service, "the other instance": other} {
		until(t, name+" shows what is there now", func() bool {
			viewer, err := service.AsParticipant(t.Context(), e.id, alice.Seat)
			if err != nil {
				t.Fatal(err)
			}
			sight, err := service.Look(t.Context(), viewer, netip.Prefix{}, time.Minute)
			return err == nil && sight.Version == 1 && sight.Epoch != held["epoch"] && sight.Epoch == e.epoch()
		})
	}
	if before["epoch"] != held["epoch"] {
		t.Errorf("the epoch went from %v to %v before anything was restored", before["epoch"], held["epoch"])
	}

	joined, err := e.service.Join(t.Context(), e.code, "Newcomer", "attempt-of-a-newcomer")
	if err != nil {
		t.Fatal(err)
	}
	if joined.Seat.Participant <= lost.Seat.Participant {
		t.Errorf("the newcomer is participant %d, and so may be who was %d", joined.Seat.Participant, lost.Seat.Participant)
	}
	ghost, err := e.service.AsParticipant(t.Context(), e.id, lost.Seat)
	if err == nil {
		_, err = e.service.Look(t.Context(), ghost, netip.Prefix{}, time.Minute)
	}
	if !errors.Is(err, ErrSeatLost) {
		t.Errorf("who came in after the backup is told %v, want %v", err, ErrSeatLost)
	}
}

// Whichever instance notices first, all have one new epoch, and nothing but a restore begins one.
func TestOneEpochForAll(t *testing.T) {
	e := newEvening(t)
	notice := func() {
		var instances sync.WaitGroup
		for range 8 {
			instances.Go(func() {
				if err := e.service.NoticeRestore(t.Context()); err != nil {
					t.Error(err)
				}
			})
		}
		instances.Wait()
	}
	first := e.epoch()
	notice()
	if got := e.epoch(); got != first {
		t.Errorf("nothing was restored, and the epoch went from %s to %s", first, got)
	}
	next := func() (n int64) {
		if err := e.pool.QueryRow(t.Context(), `SELECT nextval(pg_get_serial_sequence('participants', 'id'))`).Scan(&n); err != nil {
			t.Fatal(err)
		}
		return n
	}
	begun := next()
	e.asRestored()
	notice()
	if got := e.epoch(); got == first {
		t.Error("after a restore the epoch is the old one")
	}
	if skipped := next() - begun; skipped < 1_000_000 || skipped > 1_000_010 {
		t.Errorf("%d numbers were left out, want about a million, once", skipped)
	}
}
