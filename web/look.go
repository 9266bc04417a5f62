package web

import (
	"net/http"

	"pubquiz/internal/words"
	"pubquiz/quiz/look"
	"pubquiz/ratelimit"
)

// lookBody is room for a look of as many pictures as there may be.
const lookBody = smallBody

// shownLook is a look with the colours that its accent becomes; docs/protocol.md has it.
type shownLook struct {
	look.Look
	Light *look.Palette `json:"light,omitempty"`
	Dark  *look.Palette `json:"dark,omitempty"`
}

func newShownLook(l look.Look) *shownLook {
	light, dark := l.Colours()
	return &shownLook{l, light, dark}
}

func (s *Server) lookPage(w http.ResponseWriter, r *request) error {
	found, err := s.looks.Of(r.Context(), r.ownerID())
	if err != nil {
		return err
	}
	style, err := assetURL(s.languageOf(r), "screen.css")
	if err != nil {
		return err
	}
	return s.app(w, r, http.StatusOK, "look", words.T("Your pub’s look"), struct {
		Page   string     `json:"page"`
		Look   *shownLook `json:"look"`
		Screen string     `json:"screen"` // the style sheet of the big screen that is shown in miniature
	}{"look", newShownLook(found), style})
}

// saveLook replaces the host's look, and tells what became of its accent.
func (s *Server) saveLook(w http.ResponseWriter, r *request) error {
	if err := r.mustBeLimited(ratelimit.HostEdit); err != nil {
		return err
	}
	wanted := look.Look{}
	if err := readJSON(w, r, lookBody, &wanted); err != nil {
		return err
	}
	if err := s.looks.Save(r.Context(), r.ownerID(), wanted); err != nil {
		return err
	}
	if wanted.Pictures == nil {
		wanted.Pictures = []string{}
	}
	return writeJSON(w, http.StatusOK, newShownLook(wanted))
}
