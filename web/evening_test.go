package web

import (
	"net/http"
	"strings"
	"testing"

	"pubquiz/quiz"
	"pubquiz/ratelimit"
)

// teamQuiz has a round that may be doubled, with a typed question, for teams of several phones of which the captain's
// answers.
func teamQuiz() quiz.Content {
	return quiz.Content{Title: "Teams", Teams: quiz.Captain, Rounds: []quiz.Round{{Title: "Only", Joker: true, Questions: []quiz.Question{
		{Kind: quiz.Text, Text: "Chemical symbol Au?", Accepted: []string{"gold"}, Seconds: 30, Points: 2},
		{Kind: quiz.Text, Text: "Chemical symbol Ag?", Accepted: []string{"silver"}, Seconds: 30, Points: 2},
	}}}}
}

// commandWith drives the session with a command that says more than its name.
func (l *live) commandWith(body map[string]any) reply {
	l.t.Helper()
	body["version"] = l.version
	r := l.host.send("POST", l.path("commands"), body)
	if r.status == http.StatusOK {
		l.version = int64(r.json(l.t)["version"].(float64))
	}
	return r
}

// TestMarkingOverHTTP marks a group of typed answers, reads what there is to mark, and the log of it.
func TestMarkingOverHTTP(t *testing.T) {
	s := newSite(t)
	l := s.openQuiz(s.host("host@quiz.example"), teamQuiz())
	phone := l.phone("Owls")
	l.command("next")
	l.command("launch")
	if r := phone.send("POST", l.path("answers"), map[string]any{"id": "a", "question": "1.1", "given": map[string]string{"text": "Aurum"}}); r.status != http.StatusOK {
		t.Fatalf("%d %s", r.status, r.body)
	}
	decide := func(b *browser, verdict string) reply {
		return b.send("POST", l.path("markings"), map[string]string{"question": "1.1", "group": "aurum", "verdict": verdict})
	}
	if r := decide(l.host, "right"); r.status != http.StatusConflict || r.json(t)["type"] != "/problems/not-now" {
		t.Errorf("while it is open: %d %s", r.status, r.body)
	}
	l.command("close")
	l.command("reveal")
	if r := decide(s.host("other@quiz.example"), "right"); r.status != http.StatusNotFound {
		t.Errorf("another host: %d %s", r.status, r.body)
	}
	if r := decide(phone, "right"); r.status != http.StatusNotFound {
		t.Errorf("a phone: %d %s", r.status, r.body)
	}
	if r := decide(l.host, "splendid"); r.status != http.StatusUnprocessableEntity || r.json(t)["field"] != "verdict" {
		t.Errorf("an unknown verdict: %d %s", r.status, r.body)
	}
	r := decide(l.host, "right")
	if r.status != http.StatusOK || r.json(t)["version"] != float64(l.version+1) {
		t.Fatalf("deciding: %d %s", r.status, r.body)
	}
	if own := l.poll(phone, "participant")["personal"].(map[string]any); own["points"] != 1.0 {
		t.Errorf("the phone is told %v", own)
	}
	marking := l.host.get(l.path("marking?round=1")).json(t)
	question := marking["questions"].([]any)[0].(map[string]any)
	if group := question["groups"].([]any)[0].(map[string]any); marking["version"] != float64(l.version+1) || group["key"] != "aurum" || group["by"] != "host" || group["verdict"] != "right" {
		t.Errorf("to mark: %v", marking)
	}
	for _, query := range []string{"", "?round=x", "?round=2", "?round=0"} {
		if r := l.host.get(l.path("marking" + query)); r.status != http.StatusUnprocessableEntity || r.json(t)["field"] != "round" {
			t.Errorf("marking%s: %d %s", query, r.status, r.body)
		}
	}
	entries := l.host.get(l.path("log")).json(t)["entries"].([]any)
	if last := entries[0].(map[string]any); last["command"] != "mark" || last["actor"] != "Host" || last["detail"].(map[string]any)["group"] != "aurum" {
		t.Errorf("the log begins with %v", last)
	}
}

// TestHostsPowersOverHTTP: what a command lacks is named.
func TestHostsPowersOverHTTP(t *testing.T) {
	s := newSite(t)
	l := s.openQuiz(s.host("host@quiz.example"), teamQuiz())
	phone := l.phone("Owls")
	id := l.poll(phone, "participant")["personal"].(map[string]any)["participant"]
	l.command("next")
	l.command("launch")
	for _, test := range []struct {
		field string
		body  map[string]any
	}{
		{"points", map[string]any{"command": "adjust", "participant": id, "points": 0.25, "reason": "why"}},
		{"reason", map[string]any{"command": "adjust", "participant": id, "points": 1}},
		{"question", map[string]any{"command": "void", "question": "7"}},
		{"seconds", map[string]any{"command": "extend"}},
	} {
		if r := l.commandWith(test.body); r.status != http.StatusUnprocessableEntity || r.json(t)["field"] != test.field {
			t.Errorf("%v: %d %s", test.body, r.status, r.body)
		}
	}
	if r := l.commandWith(map[string]any{"command": "adjust", "participant": id, "points": -1.5, "reason": "shouting"}); r.status != http.StatusOK {
		t.Errorf("adjusting: %d %s", r.status, r.body)
	}
	if own := l.poll(phone, "participant")["personal"].(map[string]any); own["points"] != -1.5 {
		t.Errorf("the phone is told %v", own)
	}
}

// TestTeamsOverHTTP: a captain brings phones in, each of which has its own budgets; only the captain's answers.
func TestTeamsOverHTTP(t *testing.T) {
	s := newSite(t)
	l := s.openQuiz(s.host("host@quiz.example"), teamQuiz())
	captain := l.phone("Owls")
	r := captain.send("POST", l.path("team-code"), map[string]any{})
	if r.status != http.StatusCreated {
		t.Fatalf("a code: %d %s", r.status, r.body)
	}
	code := r.json(t)["code"].(string)
	if !strings.HasSuffix(r.json(t)["url"].(string), "/j/"+code) || r.json(t)["expiresAt"] == nil {
		t.Errorf("the code is %s", r.body)
	}
	second := s.browser()
	if data := boot(t, second.get("/j/"+code)); data["rejoin"] != true || data["team"] != true || data["name"] != "Owls" {
		t.Errorf("the page of the code has %v", data)
	}
	if r := second.send("POST", "/api/v1/rejoin/"+code, map[string]string{"attempt": "attempt-of-the-second"}); r.status != http.StatusCreated || r.json(t)["name"] != "Owls" {
		t.Fatalf("joining the team: %d %s", r.status, r.body)
	}
	if r := second.send("POST", l.path("team-code"), map[string]any{}); r.status != http.StatusConflict || r.json(t)["type"] != "/problems/not-captain" {
		t.Errorf("a code by the second phone: %d %s", r.status, r.body)
	}
	if r := captain.send("POST", l.path("joker"), map[string]int{"round": 1}); r.status != http.StatusOK || r.json(t)["round"] != 1.0 {
		t.Errorf("a joker: %d %s", r.status, r.body)
	}
	if own := l.poll(second, "participant")["personal"].(map[string]any); own["joker"] != 1.0 || own["team"].(map[string]any)["captain"] != false {
		t.Errorf("the second phone is told %v", own)
	}
	l.command("next")
	l.command("launch")
	if r := captain.send("POST", l.path("joker"), map[string]int{"round": 0}); r.status != http.StatusConflict || r.json(t)["type"] != "/problems/too-late" {
		t.Errorf("a joker taken back too late: %d %s", r.status, r.body)
	}
	answer := func(b *browser) reply {
		return b.send("POST", l.path("answers"), map[string]any{"id": "a", "question": "1.1", "given": map[string]string{"text": "gold"}})
	}
	if !limitersOff { // the second phone's hammering does not silence the captain
		for range ratelimit.SubmitAnswer.Budget {
			answer(second)
		}
		if r := answer(second); r.status != http.StatusTooManyRequests {
			t.Errorf("the second phone, hammering: %d %s", r.status, r.body)
		}
	} else if r := answer(second); r.status != http.StatusConflict || r.json(t)["type"] != "/problems/not-captain" {
		t.Errorf("the second phone's answer: %d %s", r.status, r.body)
	}
	if r := answer(captain); r.status != http.StatusOK {
		t.Errorf("the captain's answer: %d %s", r.status, r.body)
	}
	if s.open(s.host("second@quiz.example")).phone("Alone").send("POST", l.path("team-code"), map[string]any{}).status != http.StatusUnauthorized {
		t.Error("a phone of another session got a code")
	}
}
