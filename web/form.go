package web

import (
	"net/http"
	"net/url"
)

// readForm reads a small form from the body.
func readForm(w http.ResponseWriter, r *request) (url.Values, error) {
	r.Body = http.MaxBytesReader(bare(w), r.Body, smallBody)
	if err := r.ParseForm(); err != nil {
		return nil, bodyProblem(err)
	}
	return r.PostForm, nil
}
