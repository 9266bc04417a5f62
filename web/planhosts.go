package web

import (
	"net/http"

	"pubquiz/account"
)

// The hosts of a plan that has several. Everything here is about the sender's own plan, or about the sender: ids of others lead nowhere.

func (s *Server) inviteHost(w http.ResponseWriter, r *request) error {
	in, err := readForm(w, r)
	if err != nil {
		return err
	}
	if err := s.billing.Invite(r.Context(), r.user.ID, in.Get("email"), s.inboxFull(r)); err != nil {
		return s.planAgain(w, r, in, err)
	}
	return planDone(w, r, "invited")
}

func (s *Server) withdrawInvitation(w http.ResponseWriter, r *request) error {
	id, err := r.number("invitation")
	if err != nil {
		return s.notFound(w, r)
	}
	if err := s.billing.Withdraw(r.Context(), r.user.ID, id); err != nil {
		return err
	}
	return planDone(w, r, "withdrawn")
}

func (s *Server) acceptInvitation(w http.ResponseWriter, r *request) error {
	id, err := r.number("invitation")
	if err != nil {
		return s.notFound(w, r)
	}
	if err := s.billing.Accept(r.Context(), r.user.ID, id); err != nil {
		return s.planAgain(w, r, nil, err)
	}
	return planDone(w, r, "accepted")
}

func (s *Server) declineInvitation(w http.ResponseWriter, r *request) error {
	id, err := r.number("invitation")
	if err != nil {
		return s.notFound(w, r)
	}
	if err := s.billing.Decline(r.Context(), r.user.ID, id); err != nil {
		return s.planAgain(w, r, nil, err)
	}
	return planDone(w, r, "declined")
}

func (s *Server) removeHost(w http.ResponseWriter, r *request) error {
	id, err := r.number("host")
	if err != nil {
		return s.notFound(w, r)
	}
	if err := s.billing.RemoveHost(r.Context(), r.user.ID, account.UserID(id)); err != nil {
		return err
	}
	return planDone(w, r, "removed")
}

func (s *Server) leavePlan(w http.ResponseWriter, r *request) error {
	if err := s.billing.Leave(r.Context(), r.user.ID); err != nil {
		return err
	}
	return planDone(w, r, "left")
}
