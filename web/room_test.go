package web

import (
	"net/http"
	"testing"
	"time"

	"pubquiz/ratelimit"
	"pubquiz/session"
)

// TestHostSeesTheRoomsBudgets: how many have joined of how many, and whom a limit refused.
func TestHostSeesTheRoomsBudgets(t *testing.T) {
	needsLimits(t)
	s := newSite(t)
	l := s.open(s.host("host@quiz.example"))
	phone := l.phone("Eager")
	l.phone("Calm")
	for range ratelimit.SubmitAnswer.Budget + 3 {
		phone.send("POST", l.path("answers"), map[string]any{"id": "a", "question": "1.1", "given": firstGiven()})
	}
	hs := l.dial(l.host, "host")
	room := hs.next("room")
	for refusedName(room) == "" {
		room = hs.next("room") // the name comes with the next reading of who is in
	}
	joins := room["joins"].(map[string]any)
	if joins["used"] != 2.0 || joins["of"] != 100.0 || joins["seconds"] != 60.0 {
		t.Errorf("joins: %v", joins)
	}
	if one := room["refused"].([]any)[0].(map[string]any); one["limiter"] != "submitAnswer" || one["count"] != 3.0 || one["participant"] == nil || one["name"] != "Eager" {
		t.Errorf("refused: %v", one)
	}
	if polled := l.poll(l.host, "host")["room"].(map[string]any); refusedName(polled) != "Eager" {
		t.Errorf("in a poll: %v", polled)
	}
	other := s.open(s.host("other@quiz.example"))
	if room := other.poll(other.host, "host")["room"].(map[string]any); len(room["refused"].([]any)) != 0 {
		t.Errorf("another session's host is told %v", room)
	}
	if r := l.host.get(l.path("host"), "If-None-Match", l.host.get(l.path("host")).header.Get("ETag")); r.status != http.StatusNotModified {
		t.Errorf("nothing new: %d", r.status)
	}
}

// refusedName is the name of the latest whom a limit refused.
func refusedName(room map[string]any) string {
	refused := room["refused"].([]any)
	if len(refused) == 0 {
		return ""
	}
	name, _ := refused[0].(map[string]any)["name"].(string)
	return name
}

// TestHostsPollNoticesARefusal: a poll says "nothing new" only if the room's budgets are as they were, too.
func TestHostsPollNoticesARefusal(t *testing.T) {
	s := newSite(t)
	l := s.open(s.host("host@quiz.example"))
	tag := l.host.get(l.path("host")).header.Get("ETag")
	if r := l.host.get(l.path("host"), "If-None-Match", tag); r.status != http.StatusNotModified {
		t.Fatalf("nothing new: %d", r.status)
	}
	var id session.ID
	if err := s.pool.QueryRow(t.Context(), `SELECT id FROM sessions`).Scan(&id); err != nil {
		t.Fatal(err)
	}
	s.server.refusals.note(id, 0, ratelimit.JoinSession.Name, time.Now())
	if r := l.host.get(l.path("host"), "If-None-Match", tag); r.status != http.StatusOK {
		t.Errorf("after a refusal: %d", r.status)
	}
}

func TestRefusalsAreBoundedAndForgotten(t *testing.T) {
	var r roomRefusals
	now := time.Now()
	for participant := range int64(3 * refusalsHeld) {
		r.note(1, participant+1, "submitAnswer", now)
	}
	r.note(2, 0, "joinSession", now.Add(time.Second))
	if got := len(r.of(1, now)); got != refusalsHeld {
		t.Errorf("%d are held", got)
	}
	if got := r.of(2, now.Add(refusalsKept+2*time.Second)); len(got) != 0 || len(r.bySession) != 0 {
		t.Errorf("after their time: %v, %d sessions", got, len(r.bySession))
	}
	for id := range session.ID(10) {
		r.note(id+1, 0, "joinSession", now.Add(time.Duration(id)*refusalsKept))
	}
	if len(r.bySession) > 2 {
		t.Errorf("where no host looks, %d sessions are held", len(r.bySession))
	}
}
