package web

import (
	"net/http"

	"pubquiz/internal/words"
	"pubquiz/quiz"
)

// searchQuestions finds questions among the host's own quizzes: those with all words of q in them, and with the tag.
func (s *Server) searchQuestions(w http.ResponseWriter, r *request) error {
	asked := r.URL.Query()
	for _, field := range []string{"q", "tag"} {
		if len(asked.Get(field)) > smallBody {
			return &problem{Status: http.StatusUnprocessableEntity, Slug: "invalid", Title: words.T("That does not fit"), Field: field,
				Detail: words.T("Search for a few words.")}
		}
	}
	found, more, err := s.quizzes.Search(r.Context(), r.ownerID(), asked.Get("q"), asked.Get("tag"))
	if err != nil {
		return err
	}
	tags, err := s.quizzes.Tags(r.Context(), r.ownerID())
	if err != nil {
		return err
	}
	type (
		quizPart struct {
			ID    string `json:"id"`
			Title string `json:"title"`
		}
		roundPart struct {
			Number int    `json:"number"`
			Title  string `json:"title"`
		}
		foundPart struct {
			Quiz     quizPart      `json:"quiz"`
			Round    roundPart     `json:"round"`
			Number   int           `json:"number"`
			Question quiz.Question `json:"question"`
		}
	)
	questions := make([]foundPart, len(found))
	for i, f := range found {
		questions[i] = foundPart{quizPart{itoa(int64(f.Quiz)), f.QuizTitle}, roundPart{f.Round, f.RoundTitle}, f.Number, f.Question}
	}
	w.Header().Set("Cache-Control", "no-store")
	return writeJSON(w, http.StatusOK, struct {
		Questions []foundPart `json:"questions"`
		More      bool        `json:"more"`
		Tags      []string    `json:"tags"`
	}{questions, more, tags})
}
