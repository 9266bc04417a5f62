package web

import (
	"encoding/json"
	"net/http"
	"path"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"pubquiz/quiz"
)

// newQuiz makes a quiz as the button does, and returns its id.
func newQuiz(t *testing.T, b *browser) string {
	t.Helper()
	r := b.send("POST", "/host/quizzes", nil)
	if r.status != http.StatusSeeOther {
		t.Fatalf("%d %s", r.status, r.body)
	}
	return path.Base(r.header.Get("Location"))
}

func saveQuiz(b *browser, id string, revision int, content quiz.Content) reply {
	return b.send("PUT", "/api/v1/quizzes/"+id, map[string]any{"revision": revision, "content": content})
}

// savedQuiz is what the editor loads.
type savedQuiz struct {
	Revision int64         `json:"revision"`
	Content  quiz.Content  `json:"content"`
	Problems []saidProblem `json:"problems"`
}

func loadQuiz(t *testing.T, b *browser, id string) (q savedQuiz) {
	t.Helper()
	r := b.get("/api/v1/quizzes/" + id)
	if err := json.Unmarshal([]byte(r.body), &q); err != nil || r.status != http.StatusOK || r.header.Get("Cache-Control") != "no-store" {
		t.Fatalf("%d %v %s: %v", r.status, r.header, r.body, err)
	}
	return q
}

func TestWritingAQuiz(t *testing.T) {
	s := newSite(t)
	b := s.host("alice@example.org")
	id := newQuiz(t, b)
	if got := boot(t, b.get("/host/quizzes/"+id)); got["page"] != "editor" || got["quiz"] != id {
		t.Errorf("the editor begins with %v", got)
	}
	fresh := loadQuiz(t, b, id)
	if fresh.Revision != 1 || len(fresh.Problems) == 0 || len(fresh.Content.Rounds) != 1 {
		t.Errorf("a new quiz is %+v", fresh)
	}
	r := saveQuiz(b, id, 1, quiz.Sample())
	if want := `{"revision":2,"problems":[]}`; r.status != http.StatusOK || r.body != want {
		t.Errorf("%d %s, want %s", r.status, r.body, want)
	}
	if diff := cmp.Diff(savedQuiz{2, quiz.Sample(), []saidProblem{}}, loadQuiz(t, b, id)); diff != "" {
		t.Error(diff)
	}
	wantShows(t, b.get("/host"), http.StatusOK, quiz.Sample().Title, "3 rounds, 15 questions")

	draft := quiz.Content{Title: `<b>"bold"</b>`, Rounds: []quiz.Round{}}
	r = saveQuiz(b, id, 2, draft)
	if want := `{"revision":3,"problems":[{"path":"rounds","detail":"Add a round."}]}`; r.status != http.StatusOK || r.body != want {
		t.Errorf("%d %s, want %s", r.status, r.body, want)
	}
	wantShows(t, b.get("/host"), http.StatusOK, "&lt;b&gt;&#34;bold&#34;&lt;/b&gt;", "-<b>\"bold", "0 rounds, 0 questions")
}

func TestSavingAQuizIsRefused(t *testing.T) {
	s := newSite(t)
	b := s.host("alice@example.org")
	id := newQuiz(t, b)
	long := quiz.Content{Title: strings.Repeat("x", 121), Rounds: []quiz.Round{{Questions: []quiz.Question{{Kind: quiz.Text, Seconds: 601}}}}}
	for _, test := range []struct {
		name   string
		body   any
		status int
		slug   string
		field  string
	}{
		{"saved elsewhere", map[string]any{"revision": 7, "content": quiz.Sample()}, 409, "stale-revision", ""},
		{"out of bounds", map[string]any{"revision": 1, "content": long}, 422, "out-of-bounds", "title"},
		{"nothing in it", map[string]any{"revision": 1}, 400, "malformed", "content"},
		{"an unknown field", `{"revision":1,"content":{"title":"x","rounds":[],"colour":"red"}}`, 400, "malformed", "colour"},
		{"quarter points", `{"revision":1,"content":{"title":"x","rounds":[{"questions":[{"points":0.25}]}]}}`, 400, "malformed", ""},
		{"something after it", `{"revision":1,"content":{"title":"x","rounds":[]}} {}`, 400, "malformed", ""},
		{"too large", `"` + strings.Repeat("x", quizBody) + `"`, 413, "too-large", ""},
	} {
		t.Run(test.name, func(t *testing.T) {
			r := b.send("PUT", "/api/v1/quizzes/"+id, test.body)
			got := r.json(t)
			field, _ := got["field"].(string)
			if r.status != test.status || got["type"] != "/problems/"+test.slug || field != test.field {
				t.Errorf("%d %.300s, want %d %s about %q", r.status, r.body, test.status, test.slug, test.field)
			}
			if test.slug == "out-of-bounds" && len(got["problems"].([]any)) != 2 {
				t.Errorf("problems %v, want both", got["problems"])
			}
		})
	}
	if q := loadQuiz(t, b, id); q.Revision != 1 {
		t.Errorf("the quiz is now at revision %d", q.Revision)
	}
}

func TestOtherHostsFindNoQuiz(t *testing.T) {
	s := newSite(t)
	alice, bob := s.host("alice@example.org"), s.host("bob@example.org")
	id := newQuiz(t, alice)
	for _, where := range []struct {
		method, path string
		body         any
	}{
		{"GET", "/host/quizzes/" + id, nil},
		{"POST", "/host/quizzes/" + id + "/delete", nil},
		{"POST", "/host/quizzes/" + id + "/sessions", nil},
		{"GET", "/api/v1/quizzes/" + id, nil},
		{"PUT", "/api/v1/quizzes/" + id, map[string]any{"revision": 1, "content": quiz.Sample()}},
	} {
		if r := bob.send(where.method, where.path, where.body); r.status != http.StatusNotFound {
			t.Errorf("another host: %s %s: %d", where.method, where.path, r.status)
		}
		none := strings.Replace(where.path, id, "many", 1)
		if r := alice.send(where.method, none, where.body); r.status != http.StatusNotFound {
			t.Errorf("no number: %s %s: %d", where.method, none, r.status)
		}
		want := http.StatusSeeOther
		if strings.HasPrefix(where.path, "/api/") {
			want = http.StatusUnauthorized
		}
		if r := s.browser().send(where.method, where.path, where.body); r.status != want {
			t.Errorf("a stranger: %s %s: %d, want %d", where.method, where.path, r.status, want)
		}
	}
	wantShows(t, bob.get("/host"), http.StatusOK, "Nothing here yet")
	if q := loadQuiz(t, alice, id); q.Revision != 1 {
		t.Errorf("the quiz is now at revision %d", q.Revision)
	}
}

func TestOpeningASession(t *testing.T) {
	s := newSite(t)
	b := s.host("alice@example.org")
	id := newQuiz(t, b)
	wantShows(t, b.send("POST", "/host/quizzes/"+id+"/sessions", nil), http.StatusUnprocessableEntity,
		`role="alert">This quiz is not ready to play. Give the quiz a title. And`, "-On now")
	if r := saveQuiz(b, id, 1, quiz.Sample()); r.status != http.StatusOK {
		t.Fatalf("%d %s", r.status, r.body)
	}
	r := b.send("POST", "/host/quizzes/"+id+"/sessions", nil)
	console := r.header.Get("Location")
	if r.status != http.StatusSeeOther || !strings.HasPrefix(console, "/host/sessions/") {
		t.Fatalf("%d to %q", r.status, console)
	}
	wantShows(t, b.get(console), http.StatusOK)
	wantShows(t, b.get("/host"), http.StatusOK, "On now", "In the lobby", "0 participants", `href="`+console+`"`, "-Played")

	wantRedirect(t, b.send("POST", "/host/quizzes/"+id+"/delete", nil), "/host")
	if r := b.get("/host/quizzes/" + id); r.status != http.StatusNotFound {
		t.Errorf("the deleted quiz: %d", r.status)
	}
	wantShows(t, b.get(console), http.StatusOK) // the session has its own copy
	session := boot(t, b.get(console))["session"].(string)
	finish := map[string]any{"version": 1, "command": "finish"}
	if r := b.send("POST", "/api/v1/sessions/"+session+"/commands", finish); r.status != http.StatusOK {
		t.Fatalf("%d %s", r.status, r.body)
	}
	wantShows(t, b.get("/host"), http.StatusOK, "-On now", "Played", `href="`+console+`/results"`, "Nothing here yet")
}
