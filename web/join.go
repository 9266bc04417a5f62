package web

import (
	"encoding/json"
	"errors"
	"net/http"
	"net/url"

	"github.com/piglig/go-qr"

	"pubquiz/internal/words"
	"pubquiz/ratelimit"
	"pubquiz/session"
)

// joinBoot is the first data of the phone's app on the join page.
type joinBoot struct {
	Page    string          `json:"page"`
	Code    string          `json:"code"`
	Title   string          `json:"title,omitempty"`
	Rejoin  bool            `json:"rejoin,omitempty"` // the code is a rejoin code
	Name    string          `json:"name,omitempty"`   // of the participant to whose seat a rejoin code leads
	Team    bool            `json:"team,omitempty"`   // it leads to one more phone of theirs
	Problem json.RawMessage `json:"problem,omitempty"`
}

// typedCode leads from a code that was typed on the home page to the join page.
func (s *Server) typedCode(w http.ResponseWriter, r *request) error {
	code := r.FormValue("code")
	for _, parse := range []func(string) (string, bool){session.ParseJoinCode, session.ParseRejoinCode} {
		if parsed, ok := parse(code); ok {
			code = parsed
		}
	}
	if code == "" {
		http.Redirect(w, r.Request, "/", http.StatusSeeOther)
		return nil
	}
	http.Redirect(w, r.Request, "/j/"+url.PathEscape(code), http.StatusSeeOther)
	return nil
}

// joinPage asks for a name. A phone that is already in goes on to its game.
func (s *Server) joinPage(w http.ResponseWriter, r *request) error {
	if code, ok := session.ParseRejoinCode(r.param("code")); ok {
		return s.rejoinPage(w, r, code)
	}
	code, title, publicID, err := s.findByCode(r, r.param("code"))
	if err != nil {
		return s.noSuchCode(w, r, err)
	}
	if seat, ok := s.keys.VerifySeat(s.cookieValue(r, participantCookie(publicID))); ok {
		if _, err := s.sessions.AsParticipant(r.Context(), publicID, seat); err == nil {
			http.Redirect(w, r.Request, "/play/"+publicID, http.StatusSeeOther)
			return nil
		}
	}
	return s.app(w, r, http.StatusOK, "phone", words.T("{quiz}", "quiz", title), joinBoot{Page: "join", Code: code, Title: title})
}

// noSuchCode shows the join page again for a code that leads nowhere, with a field for another. Other errors it passes
// on.
func (s *Server) noSuchCode(w http.ResponseWriter, r *request, err error) error {
	if !errors.Is(err, session.ErrUnknownCode) {
		return err
	}
	p := problemOf(err)
	said, err := p.in(s.languageOf(r))
	if err != nil {
		return err
	}
	return s.app(w, r, p.Status, "phone", words.T("Join a quiz"), joinBoot{Page: "join", Code: r.param("code"), Problem: said})
}

// findByCode finds a live session by its code as it was typed. Codes that lead nowhere have a budget of their own,
// against guessing; an address that has used it up is told nothing about right codes either, unless the session's host
// has vouched for it.
func (s *Server) findByCode(r *request, typed string) (code, title, publicID string, err error) {
	if r.standing != entering {
		d, err := s.limiters.Peek(r.Context(), ratelimit.JoinMiss.For(ratelimit.AddressKey(r.client)))
		if err != nil {
			return "", "", "", err
		}
		if !d.Allowed {
			return "", "", "", s.missed(r)
		}
	}
	code, ok := session.ParseJoinCode(typed)
	if !ok {
		return "", "", "", s.missed(r)
	}
	title, publicID, err = s.sessions.TitleByCode(r.Context(), code)
	if errors.Is(err, session.ErrUnknownCode) {
		return "", "", "", s.missed(r)
	}
	return code, title, publicID, err
}

// missed charges a code that leads nowhere.
func (s *Server) missed(r *request) error {
	if err := s.charge(r, ratelimit.JoinMiss.For(ratelimit.AddressKey(r.client))); err != nil {
		return err
	}
	return session.ErrUnknownCode
}

// join makes the phone a participant.
func (s *Server) join(w http.ResponseWriter, r *request) error {
	if err := r.mustBeLimited(ratelimit.JoinSession); err != nil {
		return err
	}
	var in joinBody
	if err := readJSON(w, r, smallBody, &in); err != nil {
		return err
	}
	code, _, publicID, err := s.findByCode(r, r.param("code"))
	if err != nil {
		return err
	}
	if joined, ok := s.alreadyIn(r, publicID); ok {
		return writeJSON(w, http.StatusOK, joined)
	}
	joined, err := s.sessions.Join(r.Context(), code, in.Name, in.Attempt)
	return s.seat(w, r, joined, err)
}

// joinBody is what a phone that wants in sends.
type joinBody struct {
	Name    string `json:"name"`
	Attempt string `json:"attempt"`
}

// seat gives a phone that got in the token of its seat.
func (s *Server) seat(w http.ResponseWriter, r *request, joined session.Joined, err error) error {
	if errors.Is(err, session.ErrUnknownCode) {
		return s.missed(r)
	}
	if err != nil {
		return err
	}
	token := s.keys.SignSeat(joined.Seat)
	s.setCookie(w, participantCookie(joined.Session), token, eveningCookieAge)
	return writeJSON(w, http.StatusCreated, joinedJSON{Session: joined.Session, Participant: joined.PublicID, Name: joined.Name, Token: token})
}

type joinedJSON struct {
	Session     string `json:"session"`
	Participant string `json:"participant"`
	Name        string `json:"name"`
	Token       string `json:"token"`
}

// alreadyIn recognizes a phone that holds a valid token for the session: the same phone is the same participant.
func (s *Server) alreadyIn(r *request, publicID string) (joinedJSON, bool) {
	token := s.cookieValue(r, participantCookie(publicID))
	seat, ok := s.keys.VerifySeat(token)
	if !ok {
		return joinedJSON{}, false
	}
	viewer, err := s.sessions.AsParticipant(r.Context(), publicID, seat)
	if err != nil {
		return joinedJSON{}, false
	}
	id, name, err := s.sessions.Participant(r.Context(), viewer)
	return joinedJSON{Session: publicID, Participant: id, Name: name, Token: token}, err == nil
}

// joinQR draws the address that a join code or a rejoin code has. It does not look whether the code leads anywhere.
func (s *Server) joinQR(w http.ResponseWriter, r *request) error {
	code, ok := session.ParseJoinCode(r.param("code"))
	if !ok {
		code, ok = session.ParseRejoinCode(r.param("code"))
	}
	if !ok {
		return session.ErrUnknownCode
	}
	svg, err := drawQR(s.sessions.JoinURL(code))
	if err != nil {
		return err
	}
	w.Header().Set("Content-Type", "image/svg+xml")
	w.Header().Set("Cache-Control", "public, max-age=86400")
	_, _ = w.Write(svg)
	return nil
}

// drawQR draws text as an SVG that scales to any size, black on white whatever the page's colours: that is what every
// phone can read.
func drawQR(text string) ([]byte, error) {
	code, err := go_qr.EncodeText(text, go_qr.Medium)
	if err != nil {
		return nil, err
	}
	return code.ToSVGBytes(go_qr.NewQrCodeImgConfig(1, 2, go_qr.WithOptimalSVG()))
}
