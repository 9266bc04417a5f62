package session

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestJoin(t *testing.T) {
	e := newEvening(t)
	ctx := t.Context()
	const attempt = "0123456789abcdef"
	first, err := e.service.Join(ctx, e.code, "The Quizzards", attempt)
	if err != nil || !first.New {
		t.Fatalf("%+v, %v", first, err)
	}
	again, err := e.service.Join(ctx, e.code, "The Quizzards", attempt)
	if err != nil || again.New || again.Seat != first.Seat {
		t.Errorf("the attempt sent again: %+v, %v, want %+v", again, err, first)
	}
	_, err = e.service.Join(ctx, e.code, "the  QUIZZARDS", "another-attempt-1")
	if taken, ok := errors.AsType[*NameTakenError](err); !ok {
		t.Errorf("a name that looks the same: %v", err)
	} else if _, err := e.service.Join(ctx, e.code, taken.Suggestion, "another-attempt-1"); err != nil {
		t.Errorf("the suggestion %q: %v", taken.Suggestion, err)
	}
	for name, test := range map[string]struct{ code, name, attempt string }{
		"empty name":    {e.code, " \u200b ", "another-attempt-2"},
		"short attempt": {e.code, "Fine", "short"},
	} {
		if _, err := e.service.Join(ctx, test.code, test.name, test.attempt); err == nil {
			t.Errorf("%s was let in", name)
		} else if _, ok := errors.AsType[*InvalidError](err); !ok {
			t.Errorf("%s: %v", name, err)
		}
	}
	if _, err := e.service.Join(ctx, "BBBBBB", "Fine", "another-attempt-3"); !errors.Is(err, ErrUnknownCode) {
		t.Errorf("unknown code: %v", err)
	}
	e.do(LockDoors)
	if _, err := e.service.Join(ctx, e.code, "Latecomers", "another-attempt-4"); !errors.Is(err, ErrDoorsLocked) {
		t.Errorf("locked doors: %v", err)
	}
	if _, err := e.service.Join(ctx, e.code, "The Quizzards", attempt); err != nil {
		t.Errorf("locked doors keep out who is in: %v", err)
	}
	e.do(UnlockDoors)
	e.do(Remove, func(c *Command) { c.Participant = first.PublicID })
	if _, err := e.service.Join(ctx, e.code, "The Quizzards", attempt); !errors.Is(err, ErrRemoved) {
		t.Errorf("the removed attempt: %v", err)
	}
	if _, err := e.service.Join(ctx, e.code, "The Quizzards", "another-attempt-5"); err != nil {
		t.Errorf("the removed participant's name is not free: %v", err)
	}
	e.do(Finish)
	if _, err := e.service.Join(ctx, e.code, "Too late", "another-attempt-6"); !errors.Is(err, ErrUnknownCode) {
		t.Errorf("ended session: %v", err)
	}
}

// TestOneFreePlace lets fifty in at once where the host's plan has one place more: exactly one gets it.
func TestOneFreePlace(t *testing.T) {
	e, p, instances := planned(t) // whatever one process serializes, two do not
	p.become("Free", 3, 2)
	id, err := e.open(instances[0], e.owner)
	if err != nil {
		t.Fatal(err)
	}
	if e.host, err = instances[0].AsHost(t.Context(), id, e.owner); err != nil {
		t.Fatal(err)
	}
	e.code = e.host.room.joinCode
	e.joinMany(2)
	var in, full atomic.Int32
	var wg sync.WaitGroup
	for i := range 50 {
		wg.Go(func() {
			_, err := instances[i%2].Join(t.Context(), e.code, fmt.Sprintf("Eager %d", i), fmt.Sprintf("eager-attempt-%03d", i))
			switch {
			case err == nil:
				in.Add(1)
			case errors.Is(err, ErrFull):
				full.Add(1)
			default:
				t.Error(err)
			}
		})
	}
	wg.Wait()
	if in.Load() != 1 || full.Load() != 49 {
		t.Errorf("%d got in and %d found it full", in.Load(), full.Load())
	}
}

// TestLastPlaceIsOnePlace stops a join between its look at the capacity and its commit, and has another instance let
// somebody in then.
func TestLastPlaceIsOnePlace(t *testing.T) {
	e := newEvening(t)
	e.do(SetCapacity, func(c *Command) { c.Capacity = 1 })
	other := newService(t, e.pool)
	_, key, err := cleanName("Slow")
	if err != nil {
		t.Fatal(err)
	}
	stall, err := e.pool.Begin(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	defer stall.Rollback(context.WithoutCancel(t.Context()))
	// Whoever takes this name waits whether it will be taken.
	_, err = stall.Exec(t.Context(), `INSERT INTO participants (session_id, public_id, name, name_key, attempt_hash) VALUES ($1, 'stall', 'Slow', $2, sha256('stall'))`,
		e.host.room.id, key)
	if err != nil {
		t.Fatal(err)
	}
	var in atomic.Int32
	join := func(s *Service, name string) {
		switch _, err := s.Join(t.Context(), e.code, name, "attempt-of-somebody-"+name); {
		case err == nil:
			in.Add(1)
		case !errors.Is(err, ErrFull):
			t.Error(err)
		}
	}
	var wg sync.WaitGroup
	wg.Go(func() { join(e.service, "Slow") })
	until(t, "the first join's wait", func() bool { return e.lockWaits() == 1 })
	done := make(chan struct{})
	wg.Go(func() { join(other, "Quick"); close(done) })
	until(t, "the second join's wait, or its end", func() bool {
		select {
		case <-done:
			return true
		default:
			return e.lockWaits() == 2
		}
	})
	if err := stall.Rollback(t.Context()); err != nil {
		t.Fatal(err)
	}
	wg.Wait()
	if in.Load() != 1 {
		t.Errorf("%d are in the one place", in.Load())
	}
}

// TestRemovedParticipantCountsNoMore: with whoever is removed go their answers, from every count and from the
// standings.
func TestRemovedParticipantCountsNoMore(t *testing.T) {
	e := newEvening(t)
	stays, goes := e.join("Stays"), e.join("Goes")
	id, _, err := e.service.Participant(t.Context(), goes)
	if err != nil {
		t.Fatal(err)
	}
	e.launch()
	e.answer(stays, choose("a", "1.1", 1), Accepted)
	e.answer(goes, choose("a", "1.1", 0), Accepted)
	e.do(Remove, func(c *Command) { c.Participant = id })
	for _, c := range []CommandName{Close, Reveal, ShowStandings} {
		e.do(c)
	}
	shared, _ := e.see(stays)
	want := map[string]any{"answered": 1.0, "right": 1.0, "distribution": []any{0.0, 1.0, 0.0}, "participants": 1.0}
	for member := range want {
		if diff := cmp.Diff(want[member], shared[member]); diff != "" {
			t.Errorf("%s (-want +got):\n%s", member, diff)
		}
	}
}

func TestRename(t *testing.T) {
	e := newEvening(t)
	v := e.join("Rude word")
	e.join("Other")
	id, _, err := e.service.Participant(t.Context(), v)
	if err != nil {
		t.Fatal(err)
	}
	rename := func(to string) error {
		_, err := e.service.Command(t.Context(), e.host, Command{Version: e.host.room.version(), Command: Rename, Participant: id, NewName: to})
		return err
	}
	if taken, ok := errors.AsType[*NameTakenError](rename("OTHER")); !ok || taken.Suggestion == "" {
		t.Error("renamed to a taken name")
	}
	if _, ok := errors.AsType[*InvalidError](rename("")); !ok {
		t.Error("renamed to nothing")
	}
	if err := rename("rude Word"); err != nil {
		t.Errorf("the same name in another case: %v", err)
	}
	if err := rename("Lovely people"); err != nil {
		t.Fatal(err)
	}
	if _, own := e.see(v); own["name"] != "Lovely people" {
		t.Errorf("the phone is told %v", own)
	}
	id = "nobody"
	if err := rename("X"); !errors.Is(err, ErrNoParticipant) {
		t.Errorf("renaming nobody: %v", err)
	}
}

// TestAVersionIsTheSameForWhoeverReadsItLater: those who join make no new version, and an instance that starts after them sends the same as one that was there before.
func TestAVersionIsTheSameForWhoeverReadsItLater(t *testing.T) {
	e := newEvening(t)
	guests := 0
	check := func(standings int) {
		t.Helper()
		guests++
		late := e.join(fmt.Sprintf("Guest %d", guests))
		before := e.host.room.current.Load()
		if before.Phase == Open {
			e.answer(late, choose(fmt.Sprint("late-", guests), questionRef(before.Round, before.Question), 1), Accepted)
		}
		later, err := newService(t, e.pool).AsHost(t.Context(), e.id, e.owner)
		if err != nil {
			t.Fatal(err)
		}
		after := later.room.current.Load()
		for _, role := range []Role{RoleHost, RoleParticipant, RoleScreen} {
			if was, is := before.sight(role).Shared.Body, after.sight(role).Shared.Body; !bytes.Equal(was, is) {
				t.Errorf("in phase %s the %s was sent %s, and is sent by an instance that starts later %s", before.Phase, role, was, is)
			}
		}
		if n := len(after.standings); n != standings {
			t.Errorf("in phase %s the standings hold %d, want %d", after.Phase, n, standings)
		}
	}
	check(0)
	e.launch()
	check(1)
	e.do(Close)
	check(2)
	e.do(Reveal)
	check(3)
	e.wantPoints("with those who came while it was open", map[string]float64{"Guest 1": 0, "Guest 2": 1, "Guest 3": 0})
	e.do(Launch)
	e.do(Close)
	e.do(Reveal)
	e.do(ShowStandings)
	check(4)
}
