package web

import (
	"net/http"
	"strings"
	"sync"
	"testing"

	"pubquiz/ratelimit"
)

// attackAccount uses up an account's budget from addresses of strangers.
func (s *site) attackAccount(email string) {
	s.t.Helper()
	attackers := []*browser{s.from("127.0.0.2"), s.from("127.0.0.3")}
	for i := range ratelimit.AuthAccount.Budget {
		wantShows(s.t, attackers[i%2].send("POST", "/signin", signInForm(email, "wrong password")), http.StatusUnprocessableEntity)
	}
	wantShows(s.t, attackers[0].send("POST", "/signin", signInForm(email, testPassword)), http.StatusTooManyRequests)
}

func TestStrangersDoNotLockTheOwnerOut(t *testing.T) {
	needsLimits(t)
	s := newSite(t)
	s.host("alice@example.org")
	laptop := s.from("127.0.0.4")
	wantRedirect(t, laptop.send("POST", "/signin", signInForm("alice@example.org", testPassword)), "/host")
	wantRedirect(t, laptop.send("POST", "/signout", nil), "/")
	s.attackAccount("alice@example.org")

	newPhone := s.from("127.0.0.4")
	wantShows(t, newPhone.send("POST", "/signin", signInForm("alice@example.org", testPassword)), http.StatusTooManyRequests)
	wantRedirect(t, laptop.send("POST", "/signin", signInForm("Alice@Example.org", testPassword)), "/host")
	// That success forgives the strangers nothing.
	wantShows(t, s.from("127.0.0.5").send("POST", "/signin", signInForm("alice@example.org", testPassword)), http.StatusTooManyRequests)
}

// A stranger in the same network, who has used up the address's budget, does not lock the owner out either.
func TestStrangersInTheSameNetworkDoNotLockTheOwnerOut(t *testing.T) {
	needsLimits(t)
	s := newSite(t)
	laptop := s.browser()
	wantRedirect(t, laptop.send("POST", "/signup", signUpForm("alice@example.org")), "/host")
	for range ratelimit.Auth.Budget {
		s.browser().send("POST", "/signin", signInForm("somebody@example.org", "wrong password"))
	}
	wantShows(t, s.browser().send("POST", "/signin", signInForm("alice@example.org", testPassword)), http.StatusTooManyRequests)
	for range ratelimit.AuthAccount.Budget {
		wantRedirect(t, laptop.send("POST", "/signin", signInForm("alice@example.org", testPassword)), "/host")
	}
	// There, the device's budget is the only one, so what it used is not given back.
	wantShows(t, laptop.send("POST", "/signin", signInForm("alice@example.org", testPassword)), http.StatusTooManyRequests)
}

// A device guesses no more often than a stranger: its budget is the account's, of its own.
func TestKnownDeviceGuessesTenTimesAtOnce(t *testing.T) {
	needsLimits(t)
	s := newSite(t)
	laptop := s.from("127.0.0.4")
	wantRedirect(t, laptop.send("POST", "/signup", signUpForm("alice@example.org")), "/host")
	seal := laptop.value(deviceCookie)
	statuses := make(chan int, 3*ratelimit.AuthAccount.Budget)
	var group sync.WaitGroup
	for i := range cap(statuses) { // from several addresses, as a stolen cookie would be used
		group.Go(func() {
			thief := s.from("127.0.0." + itoa(int64(10+i)))
			thief.cookie(deviceCookie, seal)
			statuses <- thief.send("POST", "/signin", signInForm("alice@example.org", "wrong password")).status
		})
	}
	group.Wait()
	close(statuses)
	counts := map[int]int{}
	for status := range statuses {
		counts[status]++
	}
	if let := counts[http.StatusUnprocessableEntity] + counts[http.StatusServiceUnavailable]; let > ratelimit.AuthAccount.Budget {
		t.Errorf("statuses %v: %d passwords were let through", counts, let)
	}
}

func TestDeviceOfAnotherAccountGivesNothing(t *testing.T) {
	needsLimits(t)
	s := newSite(t)
	s.host("alice@example.org")
	mallory := s.from("127.0.0.6")
	wantRedirect(t, mallory.send("POST", "/signup", signUpForm("mallory@example.org")), "/host")
	s.attackAccount("alice@example.org")
	own := mallory.value(deviceCookie)
	id, seal, _ := strings.Cut(own, ".")
	for _, forged := range []string{own, id + "." + seal + "." + seal, id + ".", "." + seal, id + "." + strings.Repeat("A", len(seal)), "x"} {
		mallory.cookie(deviceCookie, forged)
		wantShows(t, mallory.send("POST", "/signin", signInForm("alice@example.org", testPassword)), http.StatusTooManyRequests)
	}
}

// One browser may be several hosts', and keeps the latest few.
func TestDeviceRemembersSeveralAccounts(t *testing.T) {
	s := newSite(t)
	shared := s.from("127.0.0.4")
	emails := []string{"a@example.org", "b@example.org", "c@example.org", "d@example.org", "e@example.org", "f@example.org"}
	for _, email := range emails {
		wantRedirect(t, shared.send("POST", "/signup", signUpForm(email)), "/host")
	}
	id, _, _ := strings.Cut(shared.value(deviceCookie), ".")
	r := &request{Request: &http.Request{Header: http.Header{"Cookie": {s.server.cookieName(deviceCookie) + "=" + shared.value(deviceCookie)}}}}
	for i, email := range emails {
		got, known := s.server.knownDevice(r, email)
		if want := i > 0; known != want || known && got != id {
			t.Errorf("%s: known %v as %q, want %v as %q", email, known, got, want, id)
		}
	}
}
