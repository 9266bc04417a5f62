package session

import (
	"errors"
	"testing"
	"time"
)

func (e *evening) rejoinCode(participant string) string {
	e.t.Helper()
	code, err := e.service.IssueRejoinCode(e.t.Context(), e.host, participant)
	if err != nil {
		e.t.Fatal(err)
	}
	return code.Code
}

func TestRejoinToANewSeat(t *testing.T) {
	e := newEvening(t)
	e.do(LockDoors)
	code := e.rejoinCode("")
	if !e.service.IsRejoinCode(code) || e.service.IsRejoinCode("BBBBBBBB") {
		t.Error("its own codes are not told from others")
	}
	if found, err := e.service.FindRejoinCode(t.Context(), code); err != nil || found.Name != "" || found.Title != "Small quiz" {
		t.Errorf("%+v, %v", found, err)
	}
	e.do(UnlockDoors)
	e.join("Taken")
	e.do(LockDoors)
	if _, err := e.service.Rejoin(t.Context(), code, "taken", "rejoin-attempt-01"); err == nil {
		t.Error("let in under a taken name")
	}
	first, err := e.service.Rejoin(t.Context(), code, "Friends of the house", "rejoin-attempt-01") // the code is not spent by the failure
	if err != nil || !first.New || first.Name != "Friends of the house" {
		t.Fatalf("%+v, %v", first, err)
	}
	if again, err := e.service.Rejoin(t.Context(), code, "Friends of the house", "rejoin-attempt-01"); err != nil || again.Seat != first.Seat {
		t.Errorf("the same attempt again: %+v, %v", again, err)
	}
	if _, err := e.service.Rejoin(t.Context(), code, "Someone else", "rejoin-attempt-02"); !errors.Is(err, ErrUnknownCode) {
		t.Errorf("a second phone with the code: %v", err)
	}
}

// TestASpentCodeMakesNoSecondSeat: a code for a new seat makes one, whatever becomes of that. Its page and its attempt lead to the seat, and to none once that was moved or
// its participant removed.
func TestASpentCodeMakesNoSecondSeat(t *testing.T) {
	e := newEvening(t)
	for name, end := range map[string]func(id string){
		"moved": func(id string) {
			if _, err := e.service.Rejoin(t.Context(), e.rejoinCode(id), "", "rejoin-attempt-02"); err != nil {
				t.Fatal(err)
			}
		},
		"removed": func(id string) { e.do(Remove, func(c *Command) { c.Participant = id }) },
	} {
		code := e.rejoinCode("")
		e.do(LockDoors)
		first, err := e.service.Rejoin(t.Context(), code, "Guests "+name, "rejoin-attempt-01-"+name)
		if err != nil {
			t.Fatal(err)
		}
		for range 2 { // a reply may get lost more than once
			if again, err := e.service.Rejoin(t.Context(), code, "Guests "+name, "rejoin-attempt-01-"+name); err != nil || again.Seat != first.Seat || again.New {
				t.Errorf("%s: the same attempt again: %+v, %v", name, again, err)
			}
		}
		end(first.PublicID)
		if joined, err := e.service.Rejoin(t.Context(), code, "Second seat "+name, "rejoin-attempt-01-"+name); !errors.Is(err, ErrUnknownCode) {
			t.Errorf("%s: the same attempt gives %+v, %v", name, joined, err)
		}
		e.do(UnlockDoors)
	}
	var seats int
	if err := e.pool.QueryRow(t.Context(), `SELECT count(*) FROM participants`).Scan(&seats); err != nil || seats != 2 {
		t.Errorf("%d participants, %v, want 2", seats, err)
	}
}

// TestRejoinMovesASeat: score and name come along, and the old phone is out.
func TestRejoinMovesASeat(t *testing.T) {
	e := newEvening(t)
	old := e.join("Movers")
	e.launch()
	e.answer(old, choose("a", "1.1", 1), Accepted)
	id, _, err := e.service.Participant(t.Context(), old)
	if err != nil {
		t.Fatal(err)
	}
	moved, err := e.service.Rejoin(t.Context(), e.rejoinCode(id), "ignored", "rejoin-attempt-01")
	if err != nil || moved.PublicID != id || moved.Name != "Movers" || moved.Seat.Generation == old.Seat.Generation {
		t.Fatalf("%+v, %v", moved, err)
	}
	v, err := e.service.AsParticipant(t.Context(), e.id, moved.Seat)
	if err != nil {
		t.Fatal(err)
	}
	if _, own := e.see(v); own["answer"].(map[string]any)["id"] != "a" {
		t.Errorf("the new phone is told %v", own)
	}
	if _, err := e.service.AsParticipant(t.Context(), e.id, old.Seat); !errors.Is(err, ErrNotParticipant) {
		t.Errorf("the old phone: %v", err)
	}
	if _, err := e.service.Answer(t.Context(), old, choose("b", "1.1", 0)); !errors.Is(err, ErrNotParticipant) {
		t.Errorf("the old phone answers: %v", err)
	}
}

func TestRejoinCodesEnd(t *testing.T) {
	e := newEvening(t)
	v := e.join("Alice")
	id, _, err := e.service.Participant(t.Context(), v)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := e.service.IssueRejoinCode(t.Context(), e.host, "nobody"); !errors.Is(err, ErrNoParticipant) {
		t.Errorf("a code for nobody: %v", err)
	}
	if _, err := e.service.IssueRejoinCode(t.Context(), v, ""); !errors.Is(err, ErrNotFound) {
		t.Errorf("a participant makes a code: %v", err)
	}
	hers, old, open := e.rejoinCode(id), e.rejoinCode(""), e.rejoinCode("")
	e.do(Remove, func(c *Command) { c.Participant = id })
	if _, err := e.pool.Exec(t.Context(), `UPDATE rejoin_codes SET expires_at = clock_timestamp() WHERE code_hash = $1`, hashOf(old)); err != nil {
		t.Fatal(err)
	}
	refused := func(what, code string) {
		t.Helper()
		if _, err := e.service.Rejoin(t.Context(), code, "Name", "rejoin-attempt-01"); !errors.Is(err, ErrUnknownCode) {
			t.Errorf("%s: %v", what, err)
		}
	}
	refused("the code to a removed participant's seat", hers)
	refused("a code that is too old", old)
	refused("an invented code", "BBBBBBBB")
	e.do(Finish)
	refused("a code of a finished session", open)
	if _, err := e.service.IssueRejoinCode(t.Context(), e.host, ""); !errors.Is(err, ErrNotNow) {
		t.Errorf("a code after the end: %v", err)
	}
}

// TestOldRejoinCodesGo: a new code takes away those of its session that expired long ago, and no others.
func TestOldRejoinCodesGo(t *testing.T) {
	e := newEvening(t)
	old, late, open := e.rejoinCode(""), e.rejoinCode(""), e.rejoinCode("")
	for code, age := range map[string]time.Duration{old: rejoinCodeAge + time.Second, late: time.Second} {
		if _, err := e.pool.Exec(t.Context(), `UPDATE rejoin_codes SET expires_at = clock_timestamp() - $2::interval WHERE code_hash = $1`, hashOf(code), age); err != nil {
			t.Fatal(err)
		}
	}
	e.rejoinCode("")
	for code, want := range map[string]bool{old: false, late: true, open: true} {
		var kept bool
		if err := e.pool.QueryRow(t.Context(), `SELECT EXISTS (SELECT FROM rejoin_codes WHERE code_hash = $1)`, hashOf(code)).Scan(&kept); err != nil || kept != want {
			t.Errorf("kept: %t, %v; want %t", kept, err, want)
		}
	}
}

// TestShutOut locks the doors and removes many in one go.
func TestShutOut(t *testing.T) {
	e := newEvening(t)
	var bots []string
	for _, v := range e.joinMany(5)[1:] {
		id, _, err := e.service.Participant(t.Context(), v)
		if err != nil {
			t.Fatal(err)
		}
		bots = append(bots, id)
	}
	e.do(ShutOut, func(c *Command) { c.Participants = bots })
	if p := e.host.room.current.Load(); !p.DoorsLocked || len(p.standings) != 1 || p.standings[0].Name != "Team 1" {
		t.Errorf("doors locked: %v, left: %+v", p.DoorsLocked, p.standings)
	}
	if _, err := e.service.Join(t.Context(), e.code, "Bot again", "attempt-of-a-bot-1"); !errors.Is(err, ErrDoorsLocked) {
		t.Errorf("a bot comes back: %v", err)
	}
}
