package web

import (
	"errors"
	"net/http"
	"strconv"

	"pubquiz/internal/words"
	"pubquiz/session"
)

// inviteCohost makes the link for a co-host. It is told this once: only its hash is stored.
func (s *Server) inviteCohost(w http.ResponseWriter, r *request) error {
	token, err := s.sessions.InviteCohost(r.Context(), r.driven)
	if err != nil {
		return err
	}
	w.Header().Set("Cache-Control", "no-store")
	return writeJSON(w, http.StatusCreated, map[string]string{"url": s.baseURL.JoinPath("cohost", token).String()})
}

// withdrawCohostLink ends the link that is open. That there is none any more is as good.
func (s *Server) withdrawCohostLink(w http.ResponseWriter, r *request) error {
	if err := s.sessions.WithdrawInvitation(r.Context(), r.driven); err != nil && !errors.Is(err, session.ErrNotNow) {
		return err
	}
	return writeJSON(w, http.StatusOK, struct{}{})
}

// removeCohost has the owner remove a co-host, or one leave.
func (s *Server) removeCohost(w http.ResponseWriter, r *request) error {
	number, err := strconv.Atoi(r.param("cohost"))
	if err != nil {
		return session.ErrNoCohost
	}
	if err := s.sessions.RemoveCohost(r.Context(), r.driven, number); err != nil {
		return err
	}
	return writeJSON(w, http.StatusOK, struct{}{})
}

// cohostPage asks a signed-in host before the link is used up: programs that look through mail open links, but press no buttons.
func (s *Server) cohostPage(w http.ResponseWriter, r *request) error {
	invitation, err := s.sessions.Invitation(r.Context(), r.param("link"), r.ownerID())
	if err != nil {
		return err
	}
	if invitation.Hosting {
		return toConsole(w, r, invitation.Session)
	}
	return s.render(w, r, http.StatusOK, "cohost.html", page{Title: words.T("Host together"), Data: struct {
		session.Invitation
		Path string
	}{invitation, r.URL.Path}})
}

func (s *Server) acceptCohostLink(w http.ResponseWriter, r *request) error {
	publicID, err := s.sessions.AcceptInvitation(r.Context(), r.param("link"), r.ownerID())
	if err != nil {
		return err
	}
	return toConsole(w, r, publicID)
}
