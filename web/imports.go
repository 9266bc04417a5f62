package web

import (
	"context"
	"errors"
	"io"
	"net/http"
	"time"

	"pubquiz/internal/words"
	"pubquiz/quiz"
	"pubquiz/quiz/exchange"
	"pubquiz/ratelimit"
)

// importing lets one file be read at a time: unpacking a spreadsheet may take a second and 150 MB.
var importing = make(chan struct{}, 1)

const importWait = 5 * time.Second // for the files of others

func (s *Server) importPage(w http.ResponseWriter, r *request) error {
	return s.app(w, r, http.StatusOK, "importer", words.T("New quiz from files"), struct {
		Page string `json:"page"`
	}{"importer"})
}

// readImport tells what is in the file that is the body. Nothing of it is stored.
func (s *Server) readImport(w http.ResponseWriter, r *request) error {
	if err := r.mustBeLimited(ratelimit.HostEdit); err != nil {
		return err
	}
	end, err := s.files.receive(r)
	if err != nil {
		return err
	}
	defer end()
	control := http.NewResponseController(w)
	body := &steady{from: http.MaxBytesReader(bare(w), r.Body, exchange.MaxBytes), began: time.Now(), extend: control.SetReadDeadline}
	data, err := io.ReadAll(body)
	if failed := control.SetWriteDeadline(time.Now().Add(mediaStall)); failed != nil {
		return failed
	}
	if err != nil {
		return importProblem(err)
	}
	found, err := readFile(r.Context(), r.URL.Query().Get("name"), data)
	if err != nil {
		return importProblem(err)
	}
	w.Header().Set("Cache-Control", "no-store")
	return writeJSON(w, http.StatusOK, found.Say(s.languageOf(r)))
}

// readFile reads a file once it is its turn.
func readFile(ctx context.Context, name string, data []byte) (exchange.Import, error) {
	ctx, cancel := context.WithTimeout(ctx, importWait)
	defer cancel()
	select {
	case importing <- struct{}{}:
		defer func() { <-importing }()
		return exchange.Read(words.Of(ctx), name, data)
	case <-ctx.Done():
		return exchange.Import{}, &problem{Status: http.StatusServiceUnavailable, Slug: "busy", Title: words.T("Busy"), RetryAfter: 5,
			Detail: words.T("Other files are being read at this moment. Try again in a few seconds.")}
	}
}

// importProblem says why a file was not read.
func importProblem(err error) error {
	if tooLarge, ok := errors.AsType[*http.MaxBytesError](err); ok {
		return &problem{Status: http.StatusRequestEntityTooLarge, Slug: "too-large", Title: words.T("Too large"), Field: "file", cause: err,
			Detail: words.T("This file is larger than {most}. Split it into smaller files.", "most", bytesInWords(tooLarge.Limit))}
	}
	if file, ok := errors.AsType[*exchange.RefusedError](err); ok {
		return &problem{Status: http.StatusUnprocessableEntity, Slug: "file-refused", Title: words.T("This file cannot be read"), Field: "file", cause: err, Detail: file.Detail}
	}
	return err
}

// createWritten stores a quiz that is there already, such as an imported one.
func (s *Server) createWritten(w http.ResponseWriter, r *request) error {
	end, err := s.contents.receive(r)
	if err != nil {
		return err
	}
	defer end()
	var in struct {
		Content *quiz.Content `json:"content"`
	}
	if err := readJSON(w, r, quizBody, &in); err != nil {
		return err
	}
	if in.Content == nil {
		return errNoContent
	}
	id, err := s.quizzes.Create(r.Context(), r.ownerID(), *in.Content)
	if err != nil {
		return err
	}
	w.Header().Set("Location", quizPath(id))
	return writeJSON(w, http.StatusCreated, struct {
		Quiz string `json:"quiz"`
	}{itoa(int64(id))})
}
