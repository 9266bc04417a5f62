package web

import (
	"net/http"
	"strings"
	"testing"

	"pubquiz/ratelimit"
)

// cohostLink makes a link for a co-host, and returns its path.
func (l *live) cohostLink() string {
	l.t.Helper()
	r := l.host.send("POST", l.path("cohost-link"), nil)
	if r.status != http.StatusCreated || r.header.Get("Cache-Control") != "no-store" {
		l.t.Fatalf("a link for a co-host: %d %s", r.status, r.body)
	}
	return strings.TrimPrefix(r.json(l.t)["url"].(string), l.url)
}

// TestCohostComesByALink: signed in, by a button, once; from then on the console and the home page are theirs, too.
func TestCohostComesByALink(t *testing.T) {
	s := newSite(t, ratelimit.Unlimited())
	l := s.open(s.host("host@quiz.example"))
	link := l.cohostLink()
	wantRedirect(t, s.browser().get(link), "/signin?next="+strings.ReplaceAll(link, "/", "%2F"))
	ben := s.host("ben@quiz.example")
	if r := ben.get(link); r.status != http.StatusOK || !strings.Contains(r.body, "Host this quiz") {
		t.Fatalf("the link's page: %d %s", r.status, r.body)
	}
	if r := ben.get(l.path("host")); r.status != http.StatusNotFound {
		t.Errorf("opening the link made a host of the session: %d", r.status)
	}
	console := "/host/sessions/" + l.id
	wantRedirect(t, l.host.send("POST", link, nil), console) // the owner does not use it up
	for range 2 {                                            // a double click
		wantRedirect(t, ben.send("POST", link, nil), console)
	}
	wantRedirect(t, ben.get(link), console)
	if r := s.host("late@quiz.example").send("POST", link, nil); r.status != http.StatusGone || !strings.Contains(r.body, "Ask whoever sent it") {
		t.Errorf("another host's use of it: %d %s", r.status, r.body)
	}
	if data := boot(t, ben.get(console)); data["owner"] != "Host" || data["cohost"] != 1.0 {
		t.Errorf("the co-host's console has %v", data)
	}
	if data := boot(t, l.host.get(console)); data["owner"] != nil || data["cohost"] != nil {
		t.Errorf("the owner's console has %v", data)
	}
	for who, b := range map[string]*browser{"the owner": l.host, "the co-host": ben} {
		if home := b.get("/host").body; strings.Contains(home, "Hosted with others") != (b == ben) || !strings.Contains(home, console) {
			t.Errorf("the home page of %s: %s", who, home)
		}
	}
	cohosts := l.poll(ben, "host")["shared"].(map[string]any)["cohosts"].([]any)
	if one := cohosts[0].(map[string]any); len(cohosts) != 1 || one["number"] != 1.0 || one["name"] != "Host" || len(one) != 2 {
		t.Errorf("the console is told %v", cohosts)
	}
	if r := ben.send("POST", l.path("cohosts/1/remove"), nil); r.status != http.StatusOK {
		t.Errorf("leaving: %d %s", r.status, r.body)
	}
	if r := ben.get(console); r.status != http.StatusNotFound {
		t.Errorf("the console after leaving: %d", r.status)
	}
}

// TestCohostsHoldTheirOwnSockets: a co-host with many consoles keeps the owner out of none.
func TestCohostsHoldTheirOwnSockets(t *testing.T) {
	s := newSite(t, ratelimit.Unlimited())
	l := s.open(s.host("host@quiz.example"))
	ben := l.cohost("ben@quiz.example")
	for range socketsHeld {
		l.dial(ben, "host").next("shared")
	}
	if code, _ := l.dial(ben, "host").closeCode(); code == 0 {
		t.Error("one more of the co-host's is taken")
	}
	l.dial(l.host, "host").next("shared")
}

// TestNotepadOverHTTP: what one console saves the other hears of, and may not write over unseen.
func TestNotepadOverHTTP(t *testing.T) {
	s := newSite(t)
	l := s.open(s.host("host@quiz.example"))
	ben := l.cohost("ben@quiz.example")
	socket := l.dial(ben, "host")
	socket.next("shared")
	save := func(b *browser, revision int, text string) reply {
		return b.send("PUT", l.path("notepad"), map[string]any{"revision": revision, "text": text})
	}
	if r := save(l.host, 0, "Table 4 pays late"); r.status != http.StatusOK || r.json(t)["revision"] != 1.0 {
		t.Fatalf("saving: %d %s", r.status, r.body)
	}
	for socket.next("live")["notepad"] != 1.0 {
	}
	if r := save(ben, 0, "mine"); r.status != http.StatusConflict || r.json(t)["type"] != "/problems/stale-revision" {
		t.Errorf("over what was not seen: %d %s", r.status, r.body)
	}
	if r := ben.get(l.path("notepad")); r.json(t)["text"] != "Table 4 pays late" || r.json(t)["revision"] != 1.0 || r.header.Get("Cache-Control") != "no-store" {
		t.Errorf("reading: %d %s", r.status, r.body)
	}
	if r := save(ben, 1, strings.Repeat("x", 5001)); r.status != http.StatusUnprocessableEntity || r.json(t)["field"] != "text" {
		t.Errorf("too much: %d %s", r.status, r.body)
	}
	if export := l.host.get(l.path("export")).json(t); export["notepad"] != "Table 4 pays late" {
		t.Errorf("exported: %v", export["notepad"])
	}
}
