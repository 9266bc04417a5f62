package web

import (
	"fmt"
	"net/http"
	"strings"

	"pubquiz/internal/words"
	"pubquiz/quiz"
)

// quizID reads the id in the path. What is no number names no quiz.
func (r *request) quizID() (quiz.ID, error) {
	id, err := r.number("quiz")
	if err != nil {
		return 0, quiz.ErrNotFound
	}
	return quiz.ID(id), nil
}

// ownQuiz reads the quiz in the path from among the host's own.
func (s *Server) ownQuiz(r *request) (quiz.Quiz, error) {
	id, err := r.quizID()
	if err != nil {
		return quiz.Quiz{}, err
	}
	return s.quizzes.Get(r.Context(), r.ownerID(), id)
}

func quizPath(id quiz.ID) string { return fmt.Sprintf("/host/quizzes/%d", id) }

// emptyQuiz is what the editor begins with: a place to write the first question. What it is called is the host's from then on, in the language that they read.
func emptyQuiz(l *words.Language) quiz.Content {
	return quiz.Content{Rounds: []quiz.Round{{
		Title:     l.Say(words.T("Round {number}", "number", 1)),
		Questions: []quiz.Question{{Kind: quiz.Single, Options: []string{"", "", "", ""}, Correct: []int{0}, Seconds: 30, Points: 2}},
	}}}
}

func (s *Server) createQuiz(w http.ResponseWriter, r *request) error {
	return s.beginQuiz(w, r, emptyQuiz(s.languageOf(r)))
}

func (s *Server) createSample(w http.ResponseWriter, r *request) error {
	return s.beginQuiz(w, r, quiz.Sample())
}

// beginQuiz stores a new quiz and opens it in the editor.
func (s *Server) beginQuiz(w http.ResponseWriter, r *request, content quiz.Content) error {
	id, err := s.quizzes.Create(r.Context(), r.ownerID(), content)
	if err != nil {
		return err
	}
	http.Redirect(w, r.Request, quizPath(id), http.StatusSeeOther)
	return nil
}

func (s *Server) editorPage(w http.ResponseWriter, r *request) error {
	q, err := s.ownQuiz(r)
	if err != nil {
		return err
	}
	styles := map[string]string{} // of the screens, for their previews
	for _, screen := range []string{"phone", "screen"} {
		if styles[screen], err = assetURL(s.languageOf(r), screen+".css"); err != nil {
			return err
		}
	}
	return s.app(w, r, http.StatusOK, "editor", words.T("{quiz}", "quiz", titleOf(s.languageOf(r), q.Content.Title)), struct {
		Page   string            `json:"page"`
		Quiz   string            `json:"quiz"`
		Styles map[string]string `json:"styles"`
	}{"editor", r.param("quiz"), styles})
}

func (s *Server) deleteQuiz(w http.ResponseWriter, r *request) error {
	id, err := r.quizID()
	if err != nil {
		return err
	}
	if err := s.quizzes.Delete(r.Context(), r.ownerID(), id); err != nil {
		return err
	}
	http.Redirect(w, r.Request, homeOfHosts, http.StatusSeeOther)
	return nil
}

// readQuiz sends a quiz to the editor.
func (s *Server) readQuiz(w http.ResponseWriter, r *request) error {
	q, err := s.ownQuiz(r)
	if err != nil {
		return err
	}
	token, err := s.quizzes.ShareToken(r.Context(), r.ownerID(), q.ID)
	if err != nil {
		return err
	}
	w.Header().Set("Cache-Control", "no-store")
	return writeJSON(w, http.StatusOK, struct {
		Revision int64         `json:"revision"`
		Content  quiz.Content  `json:"content"`
		Problems []saidProblem `json:"problems"`
		ShareURL string        `json:"shareURL,omitempty"`
	}{q.Revision, q.Content, problemsIn(s.languageOf(r), q.Content.Problems()), s.sharedURL(token)})
}

var errNoContent = &problem{Status: http.StatusBadRequest, Slug: "malformed", Title: words.T("The request cannot be read"), Field: "content",
	Detail: words.T("The quiz's content is missing.")}

// saveQuiz replaces a quiz's content.
func (s *Server) saveQuiz(w http.ResponseWriter, r *request) error {
	id, err := r.quizID()
	if err != nil {
		return err
	}
	end, err := s.contents.receive(r)
	if err != nil {
		return err
	}
	defer end()
	var in struct {
		Revision int64         `json:"revision"`
		Content  *quiz.Content `json:"content"` // must be there: a body without it would empty the quiz
	}
	if err := readJSON(w, r, quizBody, &in); err != nil {
		return err
	}
	if in.Content == nil {
		return errNoContent
	}
	revision, err := s.quizzes.Save(r.Context(), r.ownerID(), id, in.Revision, *in.Content)
	if err != nil {
		return err
	}
	return writeJSON(w, http.StatusOK, struct {
		Revision int64         `json:"revision"`
		Problems []saidProblem `json:"problems"`
	}{revision, problemsIn(s.languageOf(r), in.Content.Problems())})
}

// titleOf is how a quiz without a title is called.
func titleOf(l *words.Language, title string) string {
	if strings.TrimSpace(title) == "" {
		return l.Say(words.T("Untitled quiz"))
	}
	return title
}
