package web

import (
	"errors"
	"net/http"

	"pubquiz/account"
	"pubquiz/internal/words"
	"pubquiz/quiz"
)

// shareQuiz switches the link of a quiz on or off, and tells it.
func (s *Server) shareQuiz(w http.ResponseWriter, r *request) error {
	id, err := r.quizID()
	if err != nil {
		return err
	}
	var in struct {
		Shared *bool `json:"shared"`
	}
	if err := readJSON(w, r, smallBody, &in); err != nil {
		return err
	}
	if in.Shared == nil {
		return &problem{Status: http.StatusBadRequest, Slug: "malformed", Title: words.T("The request cannot be read"), Field: "shared",
			Detail: words.T("Say whether the quiz is shared: true or false.")}
	}
	var token string
	if *in.Shared {
		token, err = s.quizzes.Share(r.Context(), r.ownerID(), id)
	} else {
		err = s.quizzes.Unshare(r.Context(), r.ownerID(), id)
	}
	if err != nil {
		return err
	}
	return writeJSON(w, http.StatusOK, struct {
		URL string `json:"url,omitempty"`
	}{s.sharedURL(token)})
}

// sharedURL is the address of a shared quiz; "" without a token.
func (s *Server) sharedURL(token string) string {
	if token == "" {
		return ""
	}
	return s.baseURL.JoinPath("quiz", token).String()
}

// reading is what whoever reads a shared quiz can do with it.
type reading struct {
	Copy   string // where a signed-in host's copy is made; empty for others
	SignIn string // the way there for whoever is not signed in
	Own    bool   // the reader has written it
}

// sharedPage shows a shared quiz with its answers, for reading and printing. No search engine keeps it.
func (s *Server) sharedPage(w http.ResponseWriter, r *request) error {
	shared, err := s.quizzes.Read(r.Context(), r.param("token"))
	if err != nil {
		return err
	}
	p, err := s.onPaper(s.languageOf(r), quiz.Quiz{ID: shared.ID, Content: shared.Content})
	if err != nil {
		return err
	}
	p.Reading = &reading{}
	address := "/quiz/" + r.param("token")
	reader, err := s.accounts.Authenticate(r.Context(), s.hostToken(r))
	switch {
	case errors.Is(err, account.ErrNotSignedIn):
		p.Reading.SignIn = signInAddress(r)
	case err != nil:
		return err
	case quiz.OwnerID(reader.ID) == shared.OwnerID:
		p.Reading.Own = true
	default:
		p.Reading.Copy = address + "/copy"
	}
	p.choose(r.URL.Query().Get("sheet"), "script")
	w.Header().Set("X-Robots-Tag", "noindex, nofollow")
	return s.render(w, r, http.StatusOK, "print.html", page{Title: words.T("{quiz}", "quiz", p.Title), Data: p})
}

// copyShared puts a copy of a shared quiz among the host's own.
func (s *Server) copyShared(w http.ResponseWriter, r *request) error {
	shared, err := s.quizzes.Read(r.Context(), r.param("token"))
	if err != nil {
		return err
	}
	return s.openCopy(w, r, shared.Content)
}

// duplicateQuiz puts a copy of one's own quiz beside it.
func (s *Server) duplicateQuiz(w http.ResponseWriter, r *request) error {
	q, err := s.ownQuiz(r)
	if err != nil {
		return err
	}
	return s.openCopy(w, r, q.Content)
}

// openCopy stores a copy and leads to its editor.
func (s *Server) openCopy(w http.ResponseWriter, r *request, content quiz.Content) error {
	id, err := s.quizzes.Copy(r.Context(), r.ownerID(), content)
	if err != nil {
		return err
	}
	http.Redirect(w, r.Request, quizPath(id), http.StatusSeeOther)
	return nil
}
