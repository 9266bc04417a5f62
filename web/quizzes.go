package web

import (
	"fmt"
	"net/http"
	"strconv"
	"strings"

	"pubquiz/quiz"
)

// quizID reads the id in the path. What is no number names no quiz.
func (r *request) quizID() (quiz.ID, error) {
	id, err := strconv.ParseInt(r.param("quiz"), 10, 64)
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

// emptyQuiz is what the editor begins with: a place to write the first question.
func emptyQuiz() quiz.Content {
	return quiz.Content{Rounds: []quiz.Round{{
		Title:     "Round 1",
		Questions: []quiz.Question{{Kind: quiz.Single, Options: []string{"", "", "", ""}, Correct: []int{0}, Seconds: 30, Points: 2}},
	}}}
}

// createQuiz makes a quiz and opens it in the editor.
func (s *Server) createQuiz(w http.ResponseWriter, r *request) error {
	id, err := s.quizzes.Create(r.Context(), r.ownerID(), emptyQuiz())
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
		if styles[screen], err = s.assets.URL(screen + ".css"); err != nil {
			return err
		}
	}
	return s.app(w, http.StatusOK, "editor", titleOf(q.Content.Title), struct {
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
		Revision int64          `json:"revision"`
		Content  quiz.Content   `json:"content"`
		Problems []quiz.Problem `json:"problems"`
		ShareURL string         `json:"shareURL,omitempty"`
	}{q.Revision, q.Content, q.Content.Problems(), s.sharedURL(token)})
}

// saveQuiz replaces a quiz's content.
func (s *Server) saveQuiz(w http.ResponseWriter, r *request) error {
	id, err := r.quizID()
	if err != nil {
		return err
	}
	end, err := s.contents.begin(r.user.ID)
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
		return &problem{Status: http.StatusBadRequest, Slug: "malformed", Title: "The request cannot be read", Field: "content",
			Detail: "The quiz's content is missing."}
	}
	revision, err := s.quizzes.Save(r.Context(), r.ownerID(), id, in.Revision, *in.Content)
	if err != nil {
		return err
	}
	return writeJSON(w, http.StatusOK, struct {
		Revision int64          `json:"revision"`
		Problems []quiz.Problem `json:"problems"`
	}{revision, in.Content.Problems()})
}

// titleOf is how a quiz without a title is called.
func titleOf(title string) string {
	if strings.TrimSpace(title) == "" {
		return "Untitled quiz"
	}
	return title
}
