package web

import (
	"errors"
	"net/http"
	"strconv"

	"pubquiz/internal/words"
	"pubquiz/ratelimit"
	"pubquiz/session"
)

// resultsPath is where the results of the request's session are.
func (r *request) resultsPath() string { return "/host/sessions/" + r.param("session") + "/results" }

// resultsPage shows the results of a session, one view at a time.
func (s *Server) resultsPage(w http.ResponseWriter, r *request) error {
	results, err := s.sessions.Results(r.Context(), r.driven)
	if err != nil {
		return err
	}
	asked := r.URL.Query()
	round, _ := strconv.Atoi(asked.Get("round")) // what is no number is no round
	return s.render(w, r, http.StatusOK, "results.html", page{Title: words.T("Results of {quiz}", "quiz", titleOf(s.languageOf(r), results.Title)), Data: newResultsView(s.languageOf(r), results, r.resultsPath(), asked.Get("view"), round)})
}

// publishResults makes a public link to the final standings.
func (s *Server) publishResults(w http.ResponseWriter, r *request) error {
	return s.switchResults(w, r, session.PublishResults)
}

// hideResults takes the link down again.
func (s *Server) hideResults(w http.ResponseWriter, r *request) error {
	return s.switchResults(w, r, session.HideResults)
}

// switchResults carries out a command of the results' page and shows that again: with what it led to or, where the
// session has moved on or it is done already, with what is.
func (s *Server) switchResults(w http.ResponseWriter, r *request, name session.CommandName) error {
	if err := r.mustBeLimited(ratelimit.HostAction); err != nil {
		return err
	}
	in, err := readForm(w, r)
	if err != nil {
		return err
	}
	version, err := strconv.ParseInt(in.Get("version"), 10, 64)
	if err != nil {
		return &session.InvalidError{Field: "version", Detail: words.T("Say which version the page has shown, as a number.")}
	}
	_, err = s.sessions.Command(r.Context(), r.driven, session.Command{Version: version, Command: name})
	if _, stale := errors.AsType[*session.StaleVersionError](err); err != nil && !stale && !errors.Is(err, session.ErrNotNow) {
		return err
	}
	http.Redirect(w, r.Request, r.resultsPath(), http.StatusSeeOther)
	return nil
}

// publicResultsPage shows everybody who has the link the final standings. No search engine keeps them.
func (s *Server) publicResultsPage(w http.ResponseWriter, r *request) error {
	results, err := s.sessions.PublicResults(r.Context(), r.param("token"))
	if errors.Is(err, session.ErrNotFound) {
		return &problem{Status: http.StatusNotFound, Slug: "not-found", Title: words.T("No results here"), cause: err,
			Detail: words.T("The host has taken them down, or the link is not complete. Ask whoever sent it to you.")}
	}
	if err != nil {
		return err
	}
	w.Header().Set("X-Robots-Tag", "noindex, nofollow")
	return s.render(w, r, http.StatusOK, "results-public.html", page{Title: words.T("{quiz}", "quiz", titleOf(s.languageOf(r), results.Title)), Data: newHonours(results)})
}

// honours are the final standings as everybody sees them.
type honours struct {
	session.PublicResults
	Podium []podiumStep
	Rest   []session.Standing // those who are not on it
}

// podiumStep is those who share one of the first three ranks.
type podiumStep struct {
	Rank  int
	Teams []session.Standing
}

// fullStep is how many share a step of the podium at most.
const fullStep = 3

// newHonours puts the first three ranks on a podium, unless they are so many that none would stand out or nobody has
// earned anything.
func newHonours(results session.PublicResults) honours {
	h := honours{PublicResults: results, Rest: results.Standings}
	var podium []podiumStep
	on := 0
	for _, st := range results.Standings {
		if st.Rank > 3 || st.Points <= 0 {
			break
		}
		if len(podium) == 0 || podium[len(podium)-1].Rank != st.Rank {
			podium = append(podium, podiumStep{Rank: st.Rank})
		}
		step := &podium[len(podium)-1]
		if step.Teams = append(step.Teams, st); len(step.Teams) > fullStep {
			return h
		}
		on++
	}
	h.Podium, h.Rest = podium, results.Standings[on:]
	return h
}
