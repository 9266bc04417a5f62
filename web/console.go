package web

import (
	"context"
	"log/slog"
	"net/http"
	"net/netip"

	"pubquiz/ratelimit"
	"pubquiz/session"
)

// consolePage is the host's page for driving a session.
func (s *Server) consolePage(w http.ResponseWriter, r *request) error {
	places, err := s.sessions.PlacesFor(r.Context(), r.ownerID())
	if err != nil {
		return err
	}
	publicID := r.param("session")
	boot := struct {
		Page      string `json:"page"`
		Session   string `json:"session"`
		ScreenURL string `json:"screenURL"`
		Places    int    `json:"places"`            // that the session may have at this moment
		Pricing   string `json:"pricing,omitempty"` // where there are plans with more
	}{Page: "console", Session: publicID, ScreenURL: "/screen/" + publicID + "?token=" + s.keys.SignScreen(r.owned.ScreenSeat()), Places: places.Most}
	if places.Bound == session.BoundOfPlan {
		boot.Pricing = pricingPath
	}
	return s.app(w, http.StatusOK, "console", "Console", boot)
}

func (s *Server) pollAsHost(w http.ResponseWriter, r *request) error {
	s.drivenFrom(r.Context(), r.owned, network(r.client), false)
	return s.poll(w, r, r.owned)
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
	version, err := s.sessions.Command(r.Context(), r.owned, c)
	if err != nil {
		return err
	}
	s.drivenFrom(r.Context(), r.owned, network(r.client), true)
	return writeJSON(w, http.StatusOK, map[string]int64{"version": version})
}

// drivenFrom makes the network from which the host drives the session its venue. Failing costs the room nothing but its
// allowance.
func (s *Server) drivenFrom(ctx context.Context, viewer session.Viewer, from netip.Prefix, command bool) {
	if err := s.sessions.DrivenFrom(ctx, viewer, from, command); err != nil {
		slog.WarnContext(ctx, "recording a venue failed", "error", err)
	}
}

// export sends everything stored about the session.
func (s *Server) export(w http.ResponseWriter, r *request) error {
	e, err := s.sessions.Export(r.Context(), r.owned)
	if err != nil {
		return err
	}
	w.Header().Set("Cache-Control", "no-store")
	return writeJSON(w, http.StatusOK, e)
}
