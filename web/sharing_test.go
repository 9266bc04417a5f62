package web

import (
	"fmt"
	"net/http"
	"path"
	"strings"
	"testing"

	"pubquiz/quiz"
)

// written makes a quiz with this content, and returns its id.
func written(t *testing.T, b *browser, content quiz.Content) string {
	t.Helper()
	id := newQuiz(t, b)
	if r := saveQuiz(b, id, 1, content); r.status != http.StatusOK {
		t.Fatalf("%d %s", r.status, r.body)
	}
	return id
}

func share(t *testing.T, b *browser, id string, shared bool) string {
	t.Helper()
	r := b.send("PUT", "/api/v1/quizzes/"+id+"/share", map[string]bool{"shared": shared})
	if r.status != http.StatusOK {
		t.Fatalf("%d %s", r.status, r.body)
	}
	address, _ := r.json(t)["url"].(string)
	return strings.TrimPrefix(address, b.site.url)
}

func TestSharingAQuizToRead(t *testing.T) {
	s := newSite(t)
	alice, bob, stranger := s.host("alice@example.org"), s.host("bob@example.org"), s.browser()
	content := quiz.Sample()
	content.Rounds[0].Questions[0].Text = "Is 1 <b>less</b> than 2?"
	id := written(t, alice, content)
	page := share(t, alice, id, true)
	if got := alice.get("/api/v1/quizzes/" + id).json(t)["shareURL"]; got != s.url+page {
		t.Errorf("the editor is told %v, want %s", got, s.url+page)
	}
	r := stranger.get(page)
	wantShows(t, r, http.StatusOK, content.Title, "Is 1 &lt;b&gt;less&lt;/b&gt; than 2?", "Canberra", "Sign in to copy it", "-Copy to my quizzes")
	if r.header.Get("X-Robots-Tag") != "noindex, nofollow" || r.header.Get("Referrer-Policy") != "no-referrer" {
		t.Errorf("%v", r.header)
	}
	wantShows(t, stranger.get(page+"?sheet=questions"), http.StatusOK, content.Title, "-Canberra", "-/export/")
	wantShows(t, alice.get(page), http.StatusOK, "To the editor of your quiz", "-Copy to my quizzes")
	wantShows(t, bob.get(page), http.StatusOK, "Copy to my quizzes", "-Sign in to copy")

	wantRedirect(t, stranger.send("POST", page+"/copy", nil), "/signin")
	copied := bob.send("POST", page+"/copy", nil)
	if copied.status != http.StatusSeeOther {
		t.Fatalf("%d %s", copied.status, copied.body)
	}
	got := loadQuiz(t, bob, path.Base(copied.header.Get("Location"))).Content
	if got.Title != "Copy of "+content.Title || len(got.Rounds) != len(content.Rounds) {
		t.Errorf("the copy is %q with %d rounds", got.Title, len(got.Rounds))
	}

	share(t, alice, id, false)
	for _, b := range []*browser{stranger, alice, bob} {
		if r := b.get(page); r.status != http.StatusNotFound {
			t.Errorf("after the end: %d", r.status)
		}
	}
	if r := bob.send("POST", page+"/copy", nil); r.status != http.StatusNotFound {
		t.Errorf("copied after the end: %d", r.status)
	}
	if again := share(t, alice, id, true); again == page {
		t.Error("the old link works again")
	}
	for body, field := range map[string]string{`{}`: "shared", `{"shared":1}`: "shared", `{"shared":true,"with":"all"}`: "with"} {
		if r := alice.send("PUT", "/api/v1/quizzes/"+id+"/share", body); r.status != http.StatusBadRequest || r.json(t)["field"] != field {
			t.Errorf("%s: %d %s", body, r.status, r.body)
		}
	}
	if r := bob.send("PUT", "/api/v1/quizzes/"+id+"/share", map[string]bool{"shared": true}); r.status != http.StatusNotFound {
		t.Errorf("another host shares it: %d", r.status)
	}
}

// TestACopyKeepsItsPictures: what only the first author uploaded stays as long as the copy needs it.
func TestACopyKeepsItsPictures(t *testing.T) {
	s := newSite(t)
	alice, bob := s.host("alice@example.org"), s.host("bob@example.org")
	media := alice.send("POST", "/api/v1/media", strings.NewReader(string(film(5000)))).json(t)["id"].(string)
	content := quiz.Sample()
	content.Rounds[0].Questions[0].Media = &quiz.Media{ID: media, Kind: quiz.Video}
	page := share(t, alice, written(t, alice, content), true)
	if r := bob.send("POST", page+"/copy", nil); r.status != http.StatusSeeOther {
		t.Fatalf("%d %s", r.status, r.body)
	}
	var owners int
	if err := s.pool.QueryRow(t.Context(), `SELECT count(*) FROM media_owners`).Scan(&owners); err != nil || owners != 2 {
		t.Errorf("%d owners, %v", owners, err)
	}
}

func TestSearchingOnesQuestions(t *testing.T) {
	s := newSite(t)
	alice, bob := s.host("alice@example.org"), s.host("bob@example.org")
	content := quiz.Sample()
	content.Rounds[1].Questions[1].Tags = []string{"capitals"}
	id := written(t, alice, content)
	for query, want := range map[string]int{"": 15, "?q=canberra": 1, "?q=CAPITAL+australia": 1, "?tag=capitals": 1, "?tag=none": 0, "?q=%25": 0} {
		r := alice.get("/api/v1/questions" + query)
		if got := len(r.json(t)["questions"].([]any)); r.status != http.StatusOK || got != want || r.header.Get("Cache-Control") != "no-store" {
			t.Errorf("%q: %d with %d questions, want %d", query, r.status, got, want)
		}
	}
	found := alice.get("/api/v1/questions?q=canberra").json(t)
	first := found["questions"].([]any)[0].(map[string]any)
	if got, want := fmt.Sprint(first["quiz"], first["round"], first["number"], found["tags"], found["more"]),
		fmt.Sprintf("map[id:%s title:%s] map[number:2 title:Around the world] 2 [capitals] false", id, content.Title); got != want {
		t.Errorf("%s, want %s", got, want)
	}
	if got := bob.get("/api/v1/questions").json(t)["questions"].([]any); len(got) != 0 {
		t.Errorf("another host finds %d", len(got))
	}
	for _, field := range []string{"q", "tag"} {
		r := alice.get("/api/v1/questions?" + field + "=" + strings.Repeat("a", smallBody+1))
		if r.status != http.StatusUnprocessableEntity || r.json(t)["field"] != field {
			t.Errorf("a %s that is too long: %d %s", field, r.status, r.body)
		}
	}
}

func TestDashboardPicks(t *testing.T) {
	s := newSite(t)
	b := s.host("alice@example.org")
	wantShows(t, b.get("/host"), http.StatusOK, "Start from a sample quiz", `-name="sort"`)
	sample := b.send("POST", "/host/quizzes/sample", nil)
	if sample.status != http.StatusSeeOther {
		t.Fatalf("%d %s", sample.status, sample.body)
	}
	title := quiz.Sample().Title
	wantShows(t, b.get("/host"), http.StatusOK, title, "-Start from a sample")
	written(t, b, quiz.Content{Title: "Advent <3", Tags: []string{"winter & snow"}, Rounds: []quiz.Round{}})
	wantShows(t, b.get("/host"), http.StatusOK, title, "Advent &lt;3", `href="/host?tag=winter%20%26%20snow"`)
	wantShows(t, b.get("/host?q=advent"), http.StatusOK, "Advent", "-"+title, `value="advent"`)
	wantShows(t, b.get("/host?tag=winter+%26+snow"), http.StatusOK, "Advent", "-"+title)
	wantShows(t, b.get("/host?q=%22%3E%3Cscript%3E"), http.StatusOK, "None of your quizzes is like that", "-<script>alert", "-"+title)
	byTitle := b.get("/host?sort=size").body
	if strings.Index(byTitle, title) > strings.Index(byTitle, "Advent") {
		t.Error("the longest does not come first")
	}
	copied := b.send("POST", sample.header.Get("Location")+"/copy", nil)
	if copied.status != http.StatusSeeOther {
		t.Fatalf("%d %s", copied.status, copied.body)
	}
	wantShows(t, b.get("/host"), http.StatusOK, "Copy of "+title)
	if r := s.host("bob@example.org").send("POST", sample.header.Get("Location")+"/copy", nil); r.status != http.StatusNotFound {
		t.Errorf("another host duplicates it: %d", r.status)
	}
}
