package web

import (
	"bytes"
	"crypto/sha256"
	"fmt"
	"net/http"
	"sync"
	"time"

	"pubquiz/internal/words"
	"pubquiz/ratelimit"
	"pubquiz/web/openapi"
)

// apiDocument is the API's description, and openapiETag the name of its very bytes: both are the same for every server of the process.
var (
	apiDocument = sync.OnceValues(openapi.Read)
	openapiETag = sync.OnceValue(func() string { return fmt.Sprintf(`"%x"`, sha256.Sum256(openapi.JSON)) })
)

// describe sends the API's description to programs.
func (s *Server) describe(w http.ResponseWriter, r *request) error {
	h := w.Header()
	h.Set("Content-Type", "application/json")
	h.Set("Cache-Control", "public, no-cache")
	h.Set("ETag", openapiETag())
	http.ServeContent(w, r.Request, "", time.Time{}, bytes.NewReader(openapi.JSON))
	return nil
}

// limitInForce is a limit as this server has it.
type limitInForce struct {
	Name   ratelimit.Name
	Budget string
}

// apiPage shows it to people, with the limits that are in force here.
func (s *Server) apiPage(w http.ResponseWriter, r *request) error {
	doc, err := apiDocument()
	if err != nil {
		return err
	}
	data := struct {
		*openapi.Document
		Limits []limitInForce
	}{Document: doc}
	for _, limit := range s.limiters.Table() {
		data.Limits = append(data.Limits, limitInForce{limit.Name, inWords(limit)})
	}
	return s.render(w, r, http.StatusOK, "api.html", page{Title: words.T("The API"), Data: data})
}
