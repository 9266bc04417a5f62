package web

import (
	"net/http"
	"net/url"
	"strings"
	"testing"
)

// TestShellIsTheSameForEverybody: what a phone keeps of its page tells nothing of any session, comes under the page's own policy, and is looked at anew at each visit.
func TestShellIsTheSameForEverybody(t *testing.T) {
	s := newSite(t)
	l := s.open(s.host("host@quiz.example"))
	phone := l.phone("Alice")
	page := phone.get("/play/" + l.id)
	if other := s.browser().get("/play/another12345"); other.body != page.body || strings.Contains(page.body, l.id) {
		t.Errorf("the page is another for another session:\n%s\n%s", page.body, other.body)
	}
	worker := phone.get("/play/worker.js")
	if got := worker.header.Get("Cache-Control"); got != "no-cache" {
		t.Errorf("Cache-Control of the worker is %q", got)
	}
	if got := worker.header.Get("Service-Worker-Allowed"); got != "" {
		t.Errorf("the worker may govern %q", got)
	}
	for _, part := range []string{s.server.contentPolicy, "application/json", "/static/phone-"} {
		if !strings.Contains(worker.body, part) {
			t.Errorf("the worker lacks %q", part)
		}
	}
	if again := phone.send(http.MethodGet, "/play/worker.js", nil, "If-None-Match", worker.header.Get("ETag")); again.status != http.StatusNotModified {
		t.Errorf("the same worker again: status %d", again.status)
	}
}

// TestShellIsInTheLanguage: who chooses another language has another page and another worker from then on, which the browser finds to be newer.
func TestShellIsInTheLanguage(t *testing.T) {
	s := newSite(t)
	b := s.browser()
	english := b.get("/play/worker.js")
	b.send(http.MethodPost, "/language", url.Values{"language": {"de"}})
	german := b.send(http.MethodGet, "/play/worker.js", nil, "If-None-Match", english.header.Get("ETag"))
	wantShows(t, german, http.StatusOK, `<html lang="de"`, "/static/de/phone-", "/static/figtree-de-", "-/static/en/", "-/static/figtree-latin-")
	wantShows(t, b.get("/play/abc"), http.StatusOK, `<html lang="de"`, "/static/de/phone-")
}
