package web

import (
	"net/http"
	"net/url"

	"pubquiz/account"
)

// readForm reads a small form from the body.
func readForm(w http.ResponseWriter, r *request) (url.Values, error) {
	r.Body = http.MaxBytesReader(w, r.Body, smallBody)
	if err := r.ParseForm(); err != nil {
		return nil, bodyProblem(err)
	}
	return r.PostForm, nil
}

// device is the browser that a request came from.
func (r *request) device() account.Device {
	return account.Device{Address: r.client, Agent: r.UserAgent()}
}
