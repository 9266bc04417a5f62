package web

import (
	"net/http"
	"testing"
	"time"

	"pubquiz/session"
)

// TestResultsAfterTheyWereDeleted: every page on which names were says that they are gone, and why, and not that nobody was there.
func TestResultsAfterTheyWereDeleted(t *testing.T) {
	s := newSite(t)
	l := s.openQuiz(s.host("host@quiz.example"), teamQuiz())
	for _, name := range []string{"Owls", "Larks", "Wrens"} {
		l.phone(name)
	}
	l.command("publishResults")
	l.command("finish")
	results := "/host/sessions/" + l.id + "/results"
	wantShows(t, l.host.get(results), http.StatusOK, "Owls", "3 participants", "-names and answers are deleted")
	var token string
	var finished time.Time
	if err := s.pool.QueryRow(t.Context(), `SELECT results_token, finished_at FROM sessions`).Scan(&token, &finished); err != nil {
		t.Fatal(err)
	}
	wantShows(t, s.browser().get("/results/"+token), http.StatusOK, "Owls")

	// From now on they are kept for thirty days.
	s.server.sessions = session.New(s.pool, session.Config{Now: time.Now, BaseURL: s.server.baseURL, Retention: 30 * 24 * time.Hour})
	wantShows(t, l.host.get(results), http.StatusOK, "Owls", "its names and answers are deleted", finished.UTC().AddDate(0, 0, 30).Format("2 January 2006"))
	wantShows(t, l.host.get("/host/sessions"), http.StatusOK, "deleted 30 days after the end of a session", "3 participants")

	const forget = `
		DELETE FROM participants;
		UPDATE sessions SET finished_at = now() - interval '31 days', forgotten_at = now() - interval '1 day', forgotten_participants = 3, version = version + 1`
	if _, err := s.pool.Exec(t.Context(), forget); err != nil {
		t.Fatal(err)
	}
	s.server.sessions = session.New(s.pool, session.Config{Now: time.Now, BaseURL: s.server.baseURL}) // which has nothing in memory
	for _, view := range []string{"standings", "answers", "questions"} {
		wantShows(t, l.host.get(results+"?view="+view), http.StatusOK, "Names and answers were deleted 30 days after the end", "3 participants", "-Nobody", "-Owls")
	}
	wantShows(t, l.host.get(results+"?view=log"), http.StatusOK, "session-log", "-Names and answers")
	wantShows(t, l.host.get("/host/sessions"), http.StatusOK, "3 participants")
	wantShows(t, s.browser().get("/results/"+token), http.StatusOK, "by now these are deleted", "-Nobody", "-Owls")
	wantShows(t, l.host.get(results+"/json"), http.StatusOK, "forgottenAt", "-Owls")
}
