package web

import (
	"net/http"
	"strings"
	"testing"

	"github.com/gorilla/websocket"
)

// TestSeenElsewhereCrossSiteSocket: a page of another site opens no socket with its reader's cookies, whoever that is.
func TestSeenElsewhereCrossSiteSocket(t *testing.T) {
	c := newCast(t)
	for role, socketOf := range map[string]string{player: "participant", television: "screen", theOwner: "host"} {
		for _, origin := range []string{"", "null", "https://evil.example", c.url + ".evil.example", strings.Replace(c.url, "http", "https", 1), c.url + ":1", "HTTP://LOCALHOST"} {
			if _, res, err := c.tryDial(c.browsers[role], socketOf, origin); err == nil || res == nil || res.StatusCode != http.StatusForbidden {
				t.Errorf("%s, from %q: %v", role, origin, err)
			}
		}
		c.dial(c.browsers[role], socketOf).next("shared")
	}
}

// TestSeenElsewhereSocketAsksForTheHostsRole: what a socket is for is said by its path, and who it is by its cookie.
func TestSeenElsewhereSocketAsksForTheHostsRole(t *testing.T) {
	c := newCast(t)
	dialer := websocket.Dialer{Jar: c.browsers[player].http.Jar}
	for _, query := range []string{"?role=host", "?is_admin=true&role=screen", "?session=" + c.id + "&token=x"} {
		ws, _, err := dialer.DialContext(t.Context(), strings.Replace(c.url, "http", "ws", 1)+c.path("participant/socket")+query, http.Header{"Origin": {c.url}, "X-Role": {"host"}})
		if err != nil {
			t.Fatal(err)
		}
		defer ws.Close()
		s := &socket{t, ws}
		message := s.raw("shared")
		if !strings.Contains(message, `"role":"participant"`) {
			t.Errorf("%s: %s", query, message)
		}
		c.checkLeaks(player, reply{body: message})
	}
}

// TestSeenElsewhereHostSeizedByName: a participant who calls themselves as the host does is a participant, and joining or rejoining under somebody's name gives nothing
// of theirs.
func TestSeenElsewhereHostSeizedByName(t *testing.T) {
	s := newSite(t)
	l := s.open(s.host("host@quiz.example")) // who is called Host
	impostor := l.phone("Host")
	if r := impostor.send("POST", l.path("commands"), map[string]any{"version": l.version, "command": "next"}); r.status != http.StatusNotFound {
		t.Errorf("a command of a participant called like the host: %d %s", r.status, r.body)
	}
	victim := l.phone("Victims")
	thief := s.browser()
	r := thief.send("POST", "/api/v1/join/"+l.code, map[string]string{"name": "victims", "attempt": "the-attempt-of-a-thief"})
	if r.status != http.StatusConflict || r.json(t)["type"] != "/problems/name-taken" || r.header.Get("Set-Cookie") != "" {
		t.Errorf("joining under a taken name: %d %s", r.status, r.body)
	}
	if r := thief.send("POST", "/api/v1/rejoin/Victims", map[string]string{"name": "Victims", "attempt": "the-attempt-of-a-thief"}); r.status != http.StatusNotFound {
		t.Errorf("rejoining by name: %d %s", r.status, r.body)
	}
	l.poll(victim, "participant")
	l.command("next")
}

// TestSeenElsewhereCredentialInABroadcast reads what every socket and poll is told while others join, move and leave: nothing in it opens anything.
func TestSeenElsewhereCredentialInABroadcast(t *testing.T) {
	c := newCast(t)
	sockets := map[string]*socket{}
	watched := map[string]string{player: "participant", television: "screen", theOwner: "host"}
	told := func(part string, roles ...string) {
		for _, role := range roles {
			c.checkLeaks(role, reply{body: sockets[role].raw(part)})
		}
	}
	for role, socketOf := range watched {
		sockets[role] = c.dial(c.browsers[role], socketOf)
		told("shared", role)
	}
	told("live", television, theOwner)
	late := c.phone("Latecomers")
	c.secrets["the latecomer"] = late.value(participantCookie(c.id))
	told("live", television, theOwner)
	c.command("lockDoors") // so that everybody is told something
	told("shared", player, television, theOwner)
	for role, socketOf := range watched {
		c.checkLeaks(role, c.browsers[role].get(c.path(socketOf)))
	}
	for _, path := range []string{"export", "log", "marking?round=1"} {
		c.checkLeaks(theOwner, c.host.get(c.path(path)))
	}
}

// TestSeenElsewhereUnescapedMarkup: what was typed as entities stays what was typed, and is escaped once more wherever a page shows it.
func TestSeenElsewhereUnescapedMarkup(t *testing.T) {
	s := newSite(t)
	host := s.host("host@quiz.example")
	for _, typed := range []string{"&lt;script&gt;alert(1)&lt;/script&gt;", "<img src=x onerror=alert(1)>", "&#60;marquee&#62;", `"><script>alert(1)</script>`, "]]>--><svg onload=alert(1)>"} {
		content := guardedQuiz()
		content.Title, content.Rounds[0].Title, content.Rounds[0].Questions[0].Text, content.Rounds[0].Questions[0].Notes = typed, typed, typed, typed
		l := s.openQuiz(host, content)
		id, err := s.server.quizzes.Create(t.Context(), l.ownerID(), content)
		if err != nil {
			t.Fatal(err)
		}
		token, err := s.server.quizzes.Share(t.Context(), l.ownerID(), id)
		if err != nil {
			t.Fatal(err)
		}
		if read, err := s.server.quizzes.Get(t.Context(), l.ownerID(), id); err != nil || read.Content.Title != typed {
			t.Errorf("%q is stored as %q, %v", typed, read.Content.Title, err)
		}
		for _, path := range []string{"/host", "/host/sessions/" + l.id, quizPath(id), quizPath(id) + "/print", "/quiz/" + token, "/j/" + l.code} {
			page := host.get(path)
			if page.status != http.StatusOK || strings.Contains(page.body, typed) {
				t.Errorf("%s has %q as it was typed: %d", path, typed, page.status)
			}
			for _, markup := range []string{"<script>alert", "<img src=x", "<svg onload", "<marquee>"} {
				if strings.Contains(page.body, markup) {
					t.Errorf("%s has %s: %s", path, markup, page.body)
				}
			}
		}
	}
}
