package web

import (
	"net/http"
	"net/url"
	"strings"
	"testing"

	"pubquiz/account"
)

// passkeys are those of the site as browsers on this machine would know it. What a passkey does is tried in a real browser (cmd/quizd).
func (s *site) passkeys(accounts *account.Accounts) *account.Passkeys {
	s.t.Helper()
	passkeys, err := account.NewPasskeys(accounts, ProductName, &url.URL{Scheme: "http", Host: "localhost"})
	if err != nil {
		s.t.Fatal(err)
	}
	return passkeys
}

func wantProblem(t *testing.T, r reply, status int, part string) {
	t.Helper()
	if r.status != status || !strings.Contains(r.body, part) {
		t.Errorf("%d %s, want %d and %q in it", r.status, r.body, status, part)
	}
}

func TestAPasskeyIsAddedByItsHostOnly(t *testing.T) {
	s := newSite(t)
	alice, bob := s.host("alice@example.org"), s.host("bob@example.org")
	begin := func(b *browser, password string) reply {
		return b.send("POST", "/api/v1/passkeys/begin", map[string]string{"password": password})
	}
	wantProblem(t, begin(alice, "wrong password"), http.StatusUnprocessableEntity, "That is not your password")
	wantProblem(t, begin(s.browser(), testPassword), http.StatusUnauthorized, "Sign in")
	options := begin(alice, testPassword)
	wantProblem(t, options, http.StatusOK, `"userVerification":"required"`)
	if name := options.json(t)["user"].(map[string]any)["name"]; name != "alice@example.org" {
		t.Errorf("the passkey is for %v", name)
	}
	made := map[string]any{"name": "My phone", "credential": map[string]string{"id": "made up"}}
	bob.cookie(ceremonyCookie, alice.value(ceremonyCookie))
	wantProblem(t, bob.send("POST", "/api/v1/passkeys", made), http.StatusGone, "went on in another window")
	kept := alice.value(ceremonyCookie)
	wantProblem(t, alice.send("POST", "/api/v1/passkeys", made), http.StatusUnprocessableEntity, "passkey-refused")
	alice.cookie(ceremonyCookie, kept)
	wantProblem(t, alice.send("POST", "/api/v1/passkeys", made), http.StatusGone, "Try again")
}

func TestSigningInTakesARealPasskey(t *testing.T) {
	s := newSite(t)
	b := s.browser()
	made := map[string]any{"next": "/host", "credential": map[string]string{"id": "made up"}}
	wantProblem(t, b.send("POST", "/api/v1/signin/passkey", made), http.StatusGone, "Try again")
	wantProblem(t, b.send("POST", "/api/v1/signin/passkey/begin", map[string]string{}), http.StatusOK, `"challenge"`)
	wantProblem(t, b.send("POST", "/api/v1/signin/passkey", made), http.StatusUnprocessableEntity, "passkey-refused")
	wantShows(t, b.get("/signin"), http.StatusOK, `data-passkey="sign-in" data-with-passkeys hidden`)
	if s.server.cookieOf(b) != "" {
		t.Error("signed in")
	}
}
