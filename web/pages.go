package web

import (
	"embed"
	"fmt"
	"net/http"
	"net/url"
	"slices"

	"pubquiz/internal/words"
)

//go:embed templates/*.html
var templateFiles embed.FS

// page is what every template is given.
type page struct {
	Title words.Text
	App   string // the script of an app page: "phone"; empty on pages that are forms
	Boot  any    // the first data of an app page, as docs/protocol.md tells
	Form  form   // what a form page shows again: what was typed, and what is wrong with it
	Data  any    // the page's own

	Languages string // where another language is chosen, which leads back; empty where none is
}

// form is a form that is shown again. Values and Errors are by field name; the error of "" is about the form as a
// whole.
type form struct {
	Values map[string]string
	Errors map[string]words.Text
}

const pageType = "text/html; charset=utf-8"

// englishPages are those for programmers and operators, who read the same words in the documentation and in the log.
var englishPages = []string{"api.html", "operator.html"}

// languagesAddress is where another language is chosen, from a page that one can come back to.
func languagesAddress(r *request) string {
	here := r.URL.RequestURI()
	if r.Method != http.MethodGet || !isLocalPath(here) {
		return "/language"
	}
	return "/language?" + url.Values{"next": {here}}.Encode()
}

// render sends a page. Pages of signed-in hosts and of phones are nobody else's: nothing in between may keep them.
func (s *Server) render(w http.ResponseWriter, r *request, status int, name string, p page) error {
	e, err := s.edition(r)
	if slices.Contains(englishPages, name) {
		e, err = s.editions[words.English]()
	} else if name != "language.html" {
		p.Languages = languagesAddress(r)
	}
	if err != nil {
		return err
	}
	t := e.templates.Lookup(name)
	if t == nil {
		return fmt.Errorf("no template is called %s", name)
	}
	h := w.Header()
	h.Set("Content-Type", pageType)
	if h.Get("Cache-Control") == "" {
		h.Set("Cache-Control", "no-store")
	}
	w.WriteHeader(status)
	return t.Execute(w, p)
}

// app sends a page that runs one of the apps.
func (s *Server) app(w http.ResponseWriter, r *request, status int, name string, title words.Text, boot any) error {
	return s.render(w, r, status, "app.html", page{Title: title, App: name, Boot: boot})
}

// limitedData is the page that waits out a limit. It shows what happened, counts down and tries again by itself.
type limitedData struct {
	Detail     words.Text
	RetryAfter int    // seconds
	Again      string // where to try again; empty: back to the form that was sent, which still holds what was typed
	Request    string // by which the log knows what was asked; empty where nothing failed
}

// problemPage shows an error in place, at the address that was asked for.
func (s *Server) problemPage(w http.ResponseWriter, r *request, p *problem) {
	name, data := "problem.html", any(p)
	switch {
	case p.Slug == "not-signed-in":
		http.Redirect(w, r.Request, signInAddress(r), http.StatusSeeOther)
		return
	case p.RetryAfter > 0:
		limited := limitedData{Detail: p.Detail, RetryAfter: p.RetryAfter, Request: p.Request}
		if r.Method == http.MethodGet {
			limited.Again = "/"
			if again := r.URL.RequestURI(); isLocalPath(again) { // which "//other.example" is not
				limited.Again = again
			}
		}
		name, data = "limited.html", limited
	}
	if err := s.render(w, r, p.Status, name, page{Title: p.Title, Data: data}); err != nil {
		http.Error(w, s.languageOf(r).Say(p.Detail), p.Status)
	}
}

// limitedPage explains the limits to whoever asks, and is under none.
func (s *Server) limitedPage(w http.ResponseWriter, r *request) error {
	return s.render(w, r, http.StatusOK, "limited.html", page{Title: words.T("A moment, please"),
		Data: limitedData{Detail: crowded, RetryAfter: 10, Again: "/"}})
}

func (s *Server) home(w http.ResponseWriter, r *request) error {
	return s.render(w, r, http.StatusOK, "home.html", page{Title: words.T("Live pub quiz")})
}
