package web

import (
	"crypto/rand"
	"net/http"
	"strings"
	"time"
)

// The device cookie remembers in which accounts this browser has signed in before: a random id and, for each account, a
// seal that only the server can make. Attempts from it on one of these accounts have a budget of their own, so that a
// stranger who uses up the account's cannot lock its owner out.
const (
	deviceCookie    = "quizd_device"
	deviceCookieAge = 365 * 24 * time.Hour
	deviceAccounts  = 5  // the latest ones
	deviceIDLength  = 26 // that of rand.Text
)

// knownDevice returns the id of a browser that has signed in to the account before.
func (s *Server) knownDevice(r *request, account string) (id string, known bool) {
	id, seals, _ := strings.Cut(s.cookieValue(r, deviceCookie), ".")
	for seal := range strings.SplitSeq(seals, ".") {
		if s.keys.VerifyDevice(account, id, seal) {
			return id, true
		}
	}
	return "", false
}

// rememberDevice lets the browser prove that it has signed in to the account.
func (s *Server) rememberDevice(w http.ResponseWriter, r *request, account string) {
	id, old, _ := strings.Cut(s.cookieValue(r, deviceCookie), ".")
	if len(id) != deviceIDLength {
		id, old = rand.Text(), ""
	}
	latest := s.keys.SealDevice(account, id)
	seals := []string{latest}
	for seal := range strings.SplitSeq(old, ".") {
		if len(seals) < deviceAccounts && len(seal) == len(latest) && !s.keys.VerifyDevice(account, id, seal) {
			seals = append(seals, seal)
		}
	}
	s.setCookie(w, deviceCookie, id+"."+strings.Join(seals, "."), deviceCookieAge)
}
