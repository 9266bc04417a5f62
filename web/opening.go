package web

import (
	"errors"
	"net/http"

	"pubquiz/billing"
	"pubquiz/internal/words"
	"pubquiz/quiz"
	"pubquiz/ratelimit"
	"pubquiz/session"
)

// openSession opens a session of the quiz and leads to its console, after it has ended the one that the form names, if it names one. A quiz that cannot be
// played yet leads back with what is missing, and where the host may have no session more, a page shows what is open.
func (s *Server) openSession(w http.ResponseWriter, r *request) error {
	if err := r.mustBeLimited(ratelimit.HostAction); err != nil {
		return err
	}
	in, err := readForm(w, r)
	if err != nil {
		return err
	}
	q, err := s.ownQuiz(r)
	if err != nil {
		return err
	}
	var publicID string
	if instead := in.Get("instead"); instead != "" {
		publicID, err = s.sessions.OpenInstead(r.Context(), r.ownerID(), q.ID, q.Content, instead)
	} else {
		publicID, err = s.sessions.Open(r.Context(), r.ownerID(), q.ID, q.Content)
	}
	tooMany, isTooMany := errors.AsType[*session.TooManyOpenError](err)
	switch {
	case isTooMany:
		return s.render(w, r, http.StatusConflict, "too-many-open.html", page{Title: openInWords(len(tooMany.Open)), Data: tooManyOpenData{tooMany, q, s.languageOf(r)}})
	case errors.Is(err, session.ErrNotPlayable):
		return s.showDashboard(w, r, http.StatusUnprocessableEntity, form{
			Values: map[string]string{"quiz": r.param("quiz")},
			Errors: map[string]words.Text{"quiz": notReady(q.Content.Problems())},
		})
	case err != nil:
		return err
	}
	return toConsole(w, r, publicID)
}

func toConsole(w http.ResponseWriter, r *request, publicID string) error {
	http.Redirect(w, r.Request, "/host/sessions/"+publicID, http.StatusSeeOther)
	return nil
}

// tooManyOpenData is the page of what is open, instead of the session that was to be opened.
type tooManyOpenData struct {
	*session.TooManyOpenError
	quiz   quiz.Quiz
	reader *words.Language
}

// Path is where the form goes that opens the session after all.
func (d tooManyOpenData) Path() string { return quizPath(d.quiz.ID) + "/sessions" }

// Quiz is what was to be opened.
func (d tooManyOpenData) Quiz() string { return titleOf(d.reader, d.quiz.Content.Title) }

// Instead tells that ending one of them makes room. After a change of plans more can be open than it allows.
func (d tooManyOpenData) Instead() bool { return len(d.Open) == d.Allowed }

// Larger tells that there is a larger plan.
func (d tooManyOpenData) Larger() bool {
	plans := billing.Plans()
	return !d.Plan.IsZero() && d.Plan.English != plans[len(plans)-1].Name
}

func openInWords(n int) words.Text {
	return words.N(n, "A session is open already", "{n} sessions are open already")
}

// notReady says what to mend first, and how much more there is.
func notReady(problems []quiz.Problem) words.Text {
	first, more := problems[0].Detail, len(problems)-1
	if more == 0 {
		return words.T("This quiz is not ready to play. {first}", "first", first)
	}
	return words.N(more, "This quiz is not ready to play. {first} And one more thing.", "This quiz is not ready to play. {first} And {n} more things.", "first", first)
}
