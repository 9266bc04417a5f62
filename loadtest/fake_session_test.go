package loadtest

import (
	"fmt"
	"net/http"
	"strings"
	"time"
)

type fakeSession struct {
	id       string
	content  fakeQuiz
	revision int
	version  int64
	phase    string
	round    int // from 1; 0 in the lobby
	number   int // of the question in its round; 0 before the first
	opensAt  time.Time
	closesAt time.Time
	players  map[string]*fakePlayer // by token
	tried    map[string]string      // token by attempt
	pages    []time.Time
	stored   []map[string]any
	sockets  map[*fakeSocket]bool
	capacity int             // as the host has set it; 0: no limit
	locked   bool            // the doors
	codes    map[string]bool // for rejoining; false once used
}

type fakeQuiz struct {
	Rounds []struct{ Questions []map[string]any }
}

type fakePlayer struct {
	id     string
	name   string
	answer map[string]any
}

type fakeSocket struct {
	role   string
	player *fakePlayer
	out    chan map[string]any
}

func (s *fakeSession) player(r *http.Request) *fakePlayer {
	if token, ok := strings.CutPrefix(r.Header.Get("Authorization"), "Bearer "); ok {
		return s.players[token]
	}
	c, err := r.Cookie("participant")
	if err != nil {
		return nil
	}
	return s.players[c.Value]
}

func (s *fakeSession) changed() {
	s.version++
	s.publish("shared", "live")
}

func (s *fakeSession) commands() []string {
	switch s.phase {
	case "lobby":
		return []string{"next"}
	case "round":
		return []string{"launch"}
	case "open":
		return []string{"close"}
	case "closed":
		return []string{"reveal"}
	case "finished":
		return nil
	}
	commands := []string{"finish"}
	if s.number < len(s.content.Rounds[s.round-1].Questions) {
		commands = append(commands, "launch")
	} else if s.round < len(s.content.Rounds) {
		commands = append(commands, "next")
	}
	if s.phase == "revealed" {
		commands = append(commands, "showStandings")
	}
	return commands
}

// question is the one on screen.
func (s *fakeSession) question() map[string]any { return s.at(s.number) }

func (s *fakeSession) at(number int) map[string]any {
	if s.round == 0 || number < 1 || number > len(s.content.Rounds[s.round-1].Questions) {
		return nil
	}
	q := s.content.Rounds[s.round-1].Questions[number-1]
	options := q["options"]
	if q["kind"] == "trueFalse" {
		options = []string{"True", "False"}
	}
	return map[string]any{
		"id": fmt.Sprintf("%d.%d", s.round, number), "kind": q["kind"], "options": options, "seconds": q["seconds"],
	}
}

func (s *fakeSession) shared(role string) map[string]any {
	m := map[string]any{"epoch": "e", "version": s.version, "phase": s.phase}
	if s.phase != "lobby" && s.phase != "round" && s.phase != "finished" {
		m["question"], m["closesAt"] = s.question(), s.closesAt.UnixMilli()
		m["opensAt"] = s.opensAt.UnixMilli()
	}
	if role != "participant" {
		m["joinCode"] = strings.ToUpper(s.id)
	}
	if role == "host" {
		m["capacity"], m["doorsLocked"] = s.capacity, s.locked
		m["commands"] = s.commands()
		if next := s.at(s.number + 1); next != nil {
			m["upNext"] = next
		}
	}
	return m
}

func (s *fakeSession) live() map[string]any {
	answered := 0
	for _, p := range s.players {
		if q := s.question(); q != nil && p.answer != nil && p.answer["question"] == q["id"] {
			answered++
		}
	}
	list := []map[string]any{}
	for _, p := range s.players {
		list = append(list, map[string]any{"id": p.id, "name": p.name})
	}
	return map[string]any{"joined": len(s.players), "answered": answered, "participants": list}
}

// part is one of shared, live and personal, as the socket's role may see it; nil if it may not.
func (s *fakeSession) part(name, role string, p *fakePlayer) any {
	switch {
	case name == "shared":
		return s.shared(role)
	case name == "live" && role != "participant":
		return s.live()
	case name == "personal" && role == "participant":
		return map[string]any{"participant": p.id, "answer": p.answer}
	}
	return nil
}

func (s *fakeSession) publish(parts ...string) {
	for socket := range s.sockets {
		for _, name := range parts {
			if part := s.part(name, socket.role, socket.player); part != nil {
				socket.out <- map[string]any{name: part}
			}
		}
	}
}
