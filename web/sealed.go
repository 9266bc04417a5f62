package web

import (
	"encoding/base64"
	"encoding/json"
	"net/http"
	"time"

	"pubquiz/internal/seal"
	"pubquiz/session"
)

// newCookieBox seals what a browser only carries for us: it can neither read nor change it.
func newCookieBox(keys session.Keys) (seal.Box, error) { return seal.New("quizd: cookies", keys...) }

// sealed is what is in a sealed cookie.
type sealed struct {
	Until time.Time
	Value json.RawMessage
}

// setSealed lets the browser carry v for a while.
func (s *Server) setSealed(w http.ResponseWriter, name string, v any, age time.Duration) error {
	value, err := json.Marshal(v)
	if err != nil {
		return err
	}
	plain, err := json.Marshal(sealed{s.now().Add(age), value})
	if err != nil {
		return err
	}
	s.setCookie(w, name, base64.RawURLEncoding.EncodeToString(s.cookieBox.Seal(plain, name)), age)
	return nil
}

// openSealed reads into v what the browser carries, and reports whether it carries something of ours that has not run out.
func (s *Server) openSealed(r *request, name string, v any) bool {
	raw, err := base64.RawURLEncoding.Strict().DecodeString(s.cookieValue(r, name))
	if err != nil {
		return false
	}
	plain, _, err := s.cookieBox.Open(raw, name)
	if err != nil {
		return false
	}
	var in sealed
	return json.Unmarshal(plain, &in) == nil && s.now().Before(in.Until) && json.Unmarshal(in.Value, v) == nil
}
