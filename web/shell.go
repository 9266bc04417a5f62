package web

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"html/template"
	"net/http"

	"github.com/evanw/esbuild/pkg/api"

	"pubquiz/internal/words"
)

// shell is the phone's page without a game in it: the same for everybody who reads its language, and every session, so that a phone may keep it. Its worker is the script
// that does so, and shows it where there is no network.
type shell struct {
	page   []byte
	worker asset
}

// newShell makes the page and its worker, in which all of a version is written: the page, the headers it comes under, and the files it loads.
func newShell(l *words.Language, templates *template.Template, headers http.Header) (shell, error) {
	var html bytes.Buffer
	boot := struct {
		Page string `json:"page"`
	}{"play"}
	if err := templates.ExecuteTemplate(&html, "app.html", page{Title: words.T("Live pub quiz"), App: "phone", Boot: boot}); err != nil {
		return shell{}, err
	}
	kept := struct {
		Version string            `json:"version"`
		Page    string            `json:"page"`
		Headers map[string]string `json:"headers"`
		Files   []string          `json:"files"`
	}{Page: html.String(), Headers: map[string]string{"Content-Type": pageType}}
	for name := range headers {
		kept.Headers[name] = headers.Get(name)
	}
	for _, name := range append(firstFonts(l), "phone.css", "phone.js", "icon.svg") {
		url, err := assetURL(l, name)
		if err != nil {
			return shell{}, err
		}
		kept.Files = append(kept.Files, url)
	}
	content, err := json.Marshal(kept)
	if err != nil {
		return shell{}, err
	}
	sum := sha256.Sum256(content)
	kept.Version = hex.EncodeToString(sum[:8])
	if content, err = json.Marshal(kept); err != nil {
		return shell{}, err
	}
	options := small()
	options.Define = map[string]string{"shell": string(content)}
	out, err := bundle([]api.EntryPoint{{InputPath: "app/phone/worker.ts", OutputPath: "worker"}}, options, l, "/static")
	if err != nil {
		return shell{}, err
	}
	worker, err := newAsset(out[0])
	if err != nil {
		return shell{}, fmt.Errorf("compressing the worker: %w", err)
	}
	return shell{html.Bytes(), worker}, nil
}

// playPage is the phone's page. It shows nothing of the session by itself, so it asks for no token.
func (s *Server) playPage(w http.ResponseWriter, r *request) error {
	e, err := s.edition(r)
	if err != nil {
		return err
	}
	w.Header().Set("Content-Type", pageType)
	w.Header().Set("Cache-Control", "no-store")
	_, _ = w.Write(e.shell.page) // a browser that went away needs no answer
	return nil
}

// shellWorker is the script that keeps the phone's page. A worker governs the folder that its script is in, and no more: here, the pages of play.
func (s *Server) shellWorker(w http.ResponseWriter, r *request) error {
	e, err := s.edition(r)
	if err != nil {
		return err
	}
	w.Header().Set("Cache-Control", "no-cache") // so that a new version is noticed at the next visit
	e.shell.worker.serve(w, r.Request)
	return nil
}
