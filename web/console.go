package web

import (
	"context"
	"errors"
	"net/http"
	"net/netip"

	"pubquiz/internal/words"
	"pubquiz/ratelimit"
	"pubquiz/session"
)

// asCohost is what a co-host's console is told besides.
type asCohost struct {
	Owner  string `json:"owner"`  // the name of the host whose session it is
	Cohost int    `json:"cohost"` // the co-host's own number
}

// consolePage is the host's page for driving a session.
func (s *Server) consolePage(w http.ResponseWriter, r *request) error {
	places, err := s.sessions.PlacesFor(r.Context(), r.driven.Owner())
	if err != nil {
		return err
	}
	publicID := r.param("session")
	drawn, err := s.sights(r, publicID)
	if err != nil {
		return err
	}
	boot := struct {
		Page      string `json:"page"`
		Session   string `json:"session"`
		ScreenURL string `json:"screenURL"`
		Places    int    `json:"places"`            // that the session may have at this moment
		Pricing   string `json:"pricing,omitempty"` // where there are plans with more, for the owner
		Sights    sights `json:"sights"`
		*asCohost
	}{Page: "console", Session: publicID, ScreenURL: "/screen/" + publicID + "?token=" + s.keys.SignScreen(r.driven.ScreenSeat()), Places: places.Most, Sights: drawn}
	switch {
	case !r.driven.Owns():
		owner, err := s.sessions.OwnerName(r.Context(), r.driven)
		if err != nil {
			return err
		}
		boot.asCohost = &asCohost{owner, r.driven.CohostNumber()}
	case places.Bound == session.BoundOfPlan:
		boot.Pricing = pricingPath
	}
	return s.app(w, r, http.StatusOK, "console", words.T("Console"), boot)
}

// sights is what the console draws the screens in miniature with. It loads the script once it can be used.
type sights struct {
	Script     string     `json:"script"`
	PhoneStyle string     `json:"phoneStyle"`
	Look       *shownLook `json:"look,omitempty"` // of the pub
}

func (s *Server) sights(r *request, publicID string) (found sights, err error) {
	own, err := s.looks.OfSession(r.Context(), publicID)
	if err != nil {
		return found, err
	}
	found.Look = newShownLook(own)
	if found.Script, err = assetURL(s.languageOf(r), "sights.js"); err != nil {
		return found, err
	}
	found.PhoneStyle, err = assetURL(s.languageOf(r), "phone.css")
	return found, err
}

func (s *Server) pollAsHost(w http.ResponseWriter, r *request) error {
	s.drivenFrom(r.Context(), r.driven, network(r.client), false)
	return s.poll(w, r, r.driven)
}

// command drives the session one step.
func (s *Server) command(w http.ResponseWriter, r *request) error {
	if err := r.mustBeLimited(ratelimit.HostAction); err != nil {
		return err
	}
	var c session.Command
	if err := readJSON(w, r, commandBody, &c); err != nil {
		return err
	}
	version, err := s.sessions.Command(r.Context(), r.driven, c)
	if errors.Is(err, session.ErrFull) { // letting somebody back in
		return &problem{Status: http.StatusConflict, Slug: "session-full", Title: words.T("Every place is taken"), cause: err,
			Detail: words.T("There is no place to let anybody back to. Raise the places first, or take somebody out.")}
	}
	if err != nil {
		return err
	}
	s.drivenFrom(r.Context(), r.driven, network(r.client), true)
	return writeJSON(w, http.StatusOK, map[string]int64{"version": version})
}

// drivenFrom makes the network from which the host drives the session its venue. Failing costs the room nothing but its
// allowance.
func (s *Server) drivenFrom(ctx context.Context, viewer session.Viewer, from netip.Prefix, command bool) {
	if err := s.sessions.DrivenFrom(ctx, viewer, from, command); err != nil {
		s.log.WarnContext(ctx, "recording a venue failed", "error", err)
	}
}

// export sends everything stored about the session.
func (s *Server) export(w http.ResponseWriter, r *request) error {
	e, err := s.sessions.Export(r.Context(), r.driven)
	if err != nil {
		return err
	}
	w.Header().Set("Cache-Control", "no-store")
	return writeJSON(w, http.StatusOK, e)
}

// notepad shows what the session's hosts have written down for themselves.
func (s *Server) notepad(w http.ResponseWriter, r *request) error {
	n, err := s.sessions.Notepad(r.Context(), r.driven)
	if err != nil {
		return err
	}
	w.Header().Set("Cache-Control", "no-store")
	return writeJSON(w, http.StatusOK, n)
}

// writeNotepad saves it.
func (s *Server) writeNotepad(w http.ResponseWriter, r *request) error {
	var n session.Notepad
	if err := readJSON(w, r, commandBody, &n); err != nil {
		return err
	}
	revision, err := s.sessions.WriteNotepad(r.Context(), r.driven, n)
	if err != nil {
		return err
	}
	return writeJSON(w, http.StatusOK, map[string]int{"revision": revision})
}
