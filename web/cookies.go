package web

import (
	"net/http"
	"strings"
	"time"

	"pubquiz/account"
)

// The names of the cookies. On https, and on localhost, where browsers treat http alike, they carry the __Host- prefix
// and are Secure; on plain http elsewhere, as on a pub's own network, browsers would not store them so.
const hostCookie = "quizd_host"

func participantCookie(session string) string { return "quizd_participant_" + session }
func screenCookie(session string) string      { return "quizd_screen_" + session }

// eveningCookieAge is how long a phone or a big screen stays in its session.
const eveningCookieAge = 36 * time.Hour

func (s *Server) secureCookies() bool {
	return s.baseURL.Scheme == "https" || s.baseURL.Hostname() == "localhost"
}

func (s *Server) cookieName(name string) string {
	if s.secureCookies() {
		return "__Host-" + name
	}
	return name
}

// setCookie sets a cookie that scripts cannot read and other sites cannot send.
func (s *Server) setCookie(w http.ResponseWriter, name, value string, age time.Duration) {
	http.SetCookie(w, &http.Cookie{
		Name: s.cookieName(name), Value: value, Path: "/", MaxAge: int(age / time.Second),
		HttpOnly: true, SameSite: http.SameSiteLaxMode, Secure: s.secureCookies(),
	})
}

// clearCookie removes a cookie from the browser.
func (s *Server) clearCookie(w http.ResponseWriter, name string) {
	s.setCookie(w, name, "", -time.Second)
}

// cookieValue reads a cookie that setCookie set; empty if there is none.
func (s *Server) cookieValue(r *request, name string) string {
	c, err := r.Cookie(s.cookieName(name))
	if err != nil {
		return ""
	}
	return c.Value
}

// hostToken is the sign-in from a host's cookie; empty if there is none or the seal on it is not ours.
func (s *Server) hostToken(r *request) string {
	token, _ := s.keys.OpenHost(s.cookieValue(r, hostCookie))
	return token
}

func (s *Server) setHostToken(w http.ResponseWriter, token string) {
	s.setCookie(w, hostCookie, s.keys.SealHost(token), account.MaxAge)
}

// participantToken is the token from the cookie of the session in the path or, for API clients, from the Authorization
// header.
func (s *Server) participantToken(r *request) string {
	if bearer, ok := strings.CutPrefix(r.Header.Get("Authorization"), "Bearer "); ok {
		return bearer
	}
	return s.cookieValue(r, participantCookie(r.param("session")))
}
