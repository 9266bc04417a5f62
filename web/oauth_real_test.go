package web

import (
	"io"
	"net/http"
	"net/http/cookiejar"
	"net/url"
	"regexp"
	"strings"
	"testing"

	"pubquiz/internal/oidctest"
	"pubquiz/internal/openid"
)

// TestARealProvider signs in with a provider that we did not write.
func TestARealProvider(t *testing.T) {
	s := newSite(t)
	base, err := url.Parse(s.url)
	if err != nil {
		t.Fatal(err)
	}
	back := base.JoinPath(ProviderReturn("real"))
	there := oidctest.New(t)
	there.Start(t, back.String(),
		oidctest.Person{ID: "1", Username: "alice", FirstName: "Alice", LastName: "of the Crown", Email: "alice@example.org", EmailVerified: true},
		oidctest.Person{ID: "2", Username: "bob", FirstName: "Bob", LastName: "Unverified", Email: "bob@example.org"},
	)
	s.server.providers = append(s.server.providers, openid.New(openid.Settings{
		Name: "real", Label: "The real one", Issuer: there.Issuer, ClientID: oidctest.ClientID, ClientSecret: oidctest.ClientSecret,
	}, back))

	b := s.browser()
	wantRedirect(t, b.get(s.atRealProvider(b.setOut("real", "/host/quizzes/17"), "alice")), "/host/quizzes/17")
	wantShows(t, b.get("/host"), http.StatusOK, "<bdi>Alice of the Crown</bdi>")
	again := s.browser()
	path := s.atRealProvider(again.setOut("real", ""), "alice")
	wantRedirect(t, again.get(path), "/host")
	wantShows(t, again.get(path), http.StatusUnprocessableEntity, "took too long")
	if n := s.count(`SELECT count(*) FROM users WHERE email = 'alice@example.org' AND email_verified_at IS NOT NULL`); n != 1 {
		t.Errorf("%d accounts, want 1", n)
	}
	unverified := s.browser()
	wantShows(t, unverified.get(s.atRealProvider(unverified.setOut("real", ""), "bob")), http.StatusUnprocessableEntity, "The real one has not confirmed your address")
}

var requestID = regexp.MustCompile(`name="id" value="([^"]+)"`)

// atRealProvider signs in there, and returns the path with which the browser comes back.
func (s *site) atRealProvider(address, username string) (path string) {
	s.t.Helper()
	jar, err := cookiejar.New(nil)
	if err != nil {
		s.t.Fatal(err)
	}
	browser := &http.Client{Jar: jar, CheckRedirect: func(to *http.Request, _ []*http.Request) error {
		if strings.HasPrefix(to.URL.String(), s.url) {
			return http.ErrUseLastResponse
		}
		return nil
	}}
	answer, err := browser.Get(address)
	if err != nil {
		s.t.Fatal(err)
	}
	form, err := io.ReadAll(answer.Body)
	answer.Body.Close()
	id := requestID.FindSubmatch(form)
	if err != nil || id == nil {
		s.t.Fatalf("%s: %s", answer.Status, form)
	}
	answer, err = browser.PostForm(answer.Request.URL.String(), url.Values{"id": {string(id[1])}, "username": {username}, "password": {oidctest.Password}})
	if err != nil {
		s.t.Fatal(err)
	}
	answer.Body.Close()
	path, ok := strings.CutPrefix(answer.Header.Get("Location"), s.url)
	if !ok {
		s.t.Fatalf("%s to %q", answer.Status, answer.Header.Get("Location"))
	}
	return path
}
