package web

import (
	"log/slog"

	"github.com/go-chi/chi/v5"

	"pubquiz/account"
)

// logSignIn logs that a host has signed in. The route tells by what.
func (s *Server) logSignIn(r *request, host account.UserID) {
	s.log.LogAttrs(r.Context(), slog.LevelInfo, "a host signed in", s.whoTried(r, host)...)
}

// logRefused logs that somebody did not prove who they are, in signing in or, if there is a host, in confirming something. What was typed is not in the log, not even
// the address: it may be a password in the wrong field.
func (s *Server) logRefused(r *request) {
	s.log.LogAttrs(r.Context(), slog.LevelWarn, "a proof was refused", s.whoTried(r, r.user.ID)...)
}

func (s *Server) whoTried(r *request, host account.UserID) []slog.Attr {
	return []slog.Attr{
		slog.String("route", chi.RouteContext(r.Context()).RoutePattern()), slog.Int64("host", int64(host)), slog.String("address", r.client.String()),
	}
}
