package web

import (
	"mime"
	"net/http"
	"strings"
	"unicode"

	"pubquiz/internal/words"
	"pubquiz/quiz"
	"pubquiz/quiz/exchange"
)

// quizFile is a kind of file that a quiz can be taken away as.
type quizFile struct {
	contentType string
	suffix      string
	write       func(quiz.Content) ([]byte, error)
}

// quizFiles are told by the last segment of their address.
var quizFiles = map[string]quizFile{
	"json": {"application/json", ".json", exchange.WriteJSON},
	"csv":  {"text/csv; charset=utf-8", ".csv", exchange.WriteCSV},
	"gift": {"text/plain; charset=utf-8", ".gift.txt", func(c quiz.Content) ([]byte, error) { return exchange.WriteGIFT(c), nil }},
}

// exportQuiz sends a quiz as a file.
func (s *Server) exportQuiz(w http.ResponseWriter, r *request) error {
	file, ok := quizFiles[r.param("format")]
	if !ok {
		return s.notFound(w, r)
	}
	q, err := s.ownQuiz(r)
	if err != nil {
		return err
	}
	data, err := file.write(q.Content)
	if err != nil {
		return err
	}
	h := w.Header()
	h.Set("Content-Type", file.contentType)
	h.Set("Content-Disposition", mime.FormatMediaType("attachment", map[string]string{"filename": fileName(s.languageOf(r), q.Content.Title) + file.suffix}))
	h.Set("Cache-Control", "no-store")
	_, _ = w.Write(data) // a browser that went away needs no file
	return nil
}

// fileName makes a name that every system takes of a title.
func fileName(l *words.Language, title string) string {
	name := strings.Map(func(r rune) rune {
		if unicode.IsControl(r) || strings.ContainsRune(`/\:*?"<>|`, r) {
			return ' '
		}
		return r
	}, titleOf(l, title))
	if name = strings.Trim(strings.Join(strings.Fields(name), " "), ". "); name == "" {
		return "Quiz"
	}
	return name
}
