package web

import (
	"embed"
	"fmt"
	"html/template"
	"net/http"

	"pubquiz/internal/openid"
)

//go:embed templates/*.html
var templateFiles embed.FS

// page is what every template is given.
type page struct {
	Title string
	App   string // the script of an app page: "phone"; empty on pages that are forms
	Boot  any    // the first data of an app page, as docs/protocol.md tells
	Form  form   // what a form page shows again: what was typed, and what is wrong with it
	Data  any    // the page's own
}

// form is a form that is shown again. Values and Errors are by field name; the error of "" is about the form as a
// whole.
type form struct {
	Values map[string]string
	Errors map[string]string
}

// parseTemplates reads the pages. In them, asset "x.js" is the address of a bundled file, providers are those with whom one may sign in,
// passkeys says whether one may sign in with those, sendsMail whether letters can be sent, and plansSold whether there is anything to pay for. halves, signed and pointsWords write points, thousands a whole number.
func parseTemplates(assets *Assets, c Config) (*template.Template, error) {
	return template.New("").Funcs(template.FuncMap{
		"asset": assets.URL, "sendsMail": c.Accounts.SendsMail,
		"providers": func() []*openid.Provider { return c.Providers }, "passkeys": func() bool { return c.Passkeys != nil },
		"plansSold": func() bool { return c.Billing != nil },
		"halves":    halves, "signed": signed, "pointsWords": pointsWords, "thousands": thousands,
	}).ParseFS(templateFiles, "templates/*.html")
}

const pageType = "text/html; charset=utf-8"

// render sends a page. Pages of signed-in hosts and of phones are nobody else's: nothing in between may keep them.
func (s *Server) render(w http.ResponseWriter, status int, name string, p page) error {
	t := s.templates.Lookup(name)
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
func (s *Server) app(w http.ResponseWriter, status int, name, title string, boot any) error {
	return s.render(w, status, "app.html", page{Title: title, App: name, Boot: boot})
}

// limitedData is the page that waits out a limit. It shows what happened, counts down and tries again by itself.
type limitedData struct {
	Detail     string
	RetryAfter int    // seconds
	Again      string // where to try again; empty: back to the form that was sent, which still holds what was typed
}

// problemPage shows an error in place, at the address that was asked for.
func (s *Server) problemPage(w http.ResponseWriter, r *request, p *problem) {
	name, data := "problem.html", any(p)
	switch {
	case p.Slug == "not-signed-in":
		http.Redirect(w, r.Request, signInAddress(r), http.StatusSeeOther)
		return
	case p.RetryAfter > 0:
		limited := limitedData{Detail: p.Detail, RetryAfter: p.RetryAfter}
		if r.Method == http.MethodGet {
			limited.Again = "/"
			if again := r.URL.RequestURI(); isLocalPath(again) { // which "//other.example" is not
				limited.Again = again
			}
		}
		name, data = "limited.html", limited
	}
	if err := s.render(w, p.Status, name, page{Title: p.Title, Data: data}); err != nil {
		http.Error(w, p.Detail, p.Status)
	}
}

// limitedPage explains the limits to whoever asks, and is under none.
func (s *Server) limitedPage(w http.ResponseWriter, _ *request) error {
	return s.render(w, http.StatusOK, "limited.html", page{Title: "A moment, please",
		Data: limitedData{Detail: crowded, RetryAfter: 10, Again: "/"}})
}

func (s *Server) home(w http.ResponseWriter, _ *request) error {
	return s.render(w, http.StatusOK, "home.html", page{Title: "Live pub quiz"})
}
