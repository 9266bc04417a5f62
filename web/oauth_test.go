package web

import (
	"errors"
	"html"
	"maps"
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"pubquiz/account"
	"pubquiz/internal/openid"
	"pubquiz/internal/openidtest"
	"pubquiz/ratelimit"
)

// appClock is the clock of authenticator apps and of what checks their codes.
func (s *site) appClock() time.Time {
	return time.Now().Add(time.Duration(s.ahead.Load()) * time.Second)
}

// providers are those with whom one may sign in: "brewery", called Brewery, and "other", called Other.
func (s *site) providers(base *url.URL) []*openid.Provider {
	provider := func(name, label string, issuer *openidtest.Issuer) *openid.Provider {
		return openid.New(openid.Settings{
			Name: name, Label: label, Issuer: issuer.URL, ClientID: openidtest.ClientID, ClientSecret: openidtest.ClientSecret,
		}, base.JoinPath(ProviderReturn(name)))
	}
	return []*openid.Provider{provider("brewery", "Brewery", s.brewery), provider("other", "Other", s.other)}
}

// claim changes what the issuer says of whoever signs in there.
func claim(issuer *openidtest.Issuer, name string, value any) {
	issuer.Now(func(s *openidtest.State) {
		s.Claims = maps.Clone(s.Claims)
		s.Claims[name] = value
	})
}

// setOut presses a provider's button and returns where the browser goes from there.
func (b *browser) setOut(provider, next string) (address string) {
	b.site.t.Helper()
	return b.leads(b.send("POST", "/signin/with/"+provider, url.Values{"next": {next}}))
}

func (b *browser) leads(r reply) (address string) {
	b.site.t.Helper()
	address, ok := strings.CutPrefix(r.header.Get("Refresh"), "0;url=")
	if r.status != http.StatusOK || !ok {
		b.site.t.Fatalf("%d, Refresh %q: %s", r.status, r.header.Get("Refresh"), r.body)
	}
	return address
}

// through is what a browser does at a provider: it returns the path and query with which it comes back.
func (b *browser) through(address string) (back string) {
	b.site.t.Helper()
	abroad := http.Client{CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
	answer, err := abroad.Get(address)
	if err != nil {
		b.site.t.Fatal(err)
	}
	answer.Body.Close()
	back, ok := strings.CutPrefix(answer.Header.Get("Location"), b.site.url)
	if !ok {
		b.site.t.Fatalf("%s, to %q", answer.Status, answer.Header.Get("Location"))
	}
	return back
}

// signInAt goes all the way.
func (b *browser) signInAt(provider, next string) reply {
	b.site.t.Helper()
	return b.get(b.through(b.setOut(provider, next)))
}

func (s *site) count(sql string, args ...any) (n int) {
	s.t.Helper()
	if err := s.pool.QueryRow(s.t.Context(), sql, args...).Scan(&n); err != nil {
		s.t.Fatal(err)
	}
	return n
}

func (s *site) exec(sql string, args ...any) {
	s.t.Helper()
	if _, err := s.pool.Exec(s.t.Context(), sql, args...); err != nil {
		s.t.Fatal(err)
	}
}

func TestSignInWithAProvider(t *testing.T) {
	s := newSite(t)
	b := s.browser()
	for _, page := range []string{"/signin?next=/host/quizzes/17", "/signup?next=/host/quizzes/17"} {
		wantShows(t, b.get(page), http.StatusOK, `action="/signin/with/brewery"`, "Go on with Brewery", "Go on with Other", `name="next" value="/host/quizzes/17"`)
	}
	r := b.signInAt("brewery", "/host/quizzes/17")
	wantRedirect(t, r, "/host/quizzes/17")
	wantShows(t, b.get("/host"), http.StatusOK, "<bdi>Alice</bdi>")
	if b.value(attemptCookie) != "" {
		t.Error("the attempt is still in its cookie")
	}

	first := s.server.cookieOf(b)
	claim(s.brewery, "email", "married@example.org") // she is who she was, whatever her address
	claim(s.brewery, "email_verified", false)
	wantRedirect(t, b.signInAt("brewery", ""), "/host")
	if second := s.server.cookieOf(b); second == first {
		t.Error("signing in again gives no new token")
	}
	if _, err := s.server.accounts.Authenticate(t.Context(), first); !errors.Is(err, account.ErrNotSignedIn) {
		t.Errorf("the token from before: %v", err)
	}
	if n := s.count(`SELECT count(*) FROM users`); n != 1 {
		t.Errorf("%d accounts, want 1", n)
	}
}

func TestTheWayToAProviderIsTold(t *testing.T) {
	s := newSite(t)
	b := s.browser()
	r := b.send("POST", "/signin/with/brewery", nil)
	address := b.leads(r)
	if r.body = html.UnescapeString(r.body); !strings.Contains(r.body, `href="`+address+`"`) {
		t.Errorf("no link to %s: %s", address, r.body)
	}
	u, err := url.Parse(address)
	if err != nil {
		t.Fatal(err)
	}
	if q := u.Query(); q.Get("state") == "" || q.Get("nonce") == "" || q.Get("code_challenge") == "" || q.Get("redirect_uri") != s.url+"/signin/with/brewery/back" {
		t.Errorf("address %s", address)
	}
	if cookie := r.header.Get("Set-Cookie"); !strings.Contains(cookie, "Max-Age=600; HttpOnly; SameSite=Lax") || strings.Contains(cookie, u.Query().Get("state")) {
		t.Errorf("cookie %s", cookie)
	}
	wantShows(t, b.send("POST", "/signin/with/nobody", nil), http.StatusNotFound)
	wantShows(t, b.get("/signin/with/nobody/back"), http.StatusNotFound)
	wantShows(t, b.get("/signin/with/brewery"), http.StatusMethodNotAllowed)
	wantShows(t, b.send("POST", "/signin/with/brewery", nil, "Sec-Fetch-Site", "cross-site"), http.StatusForbidden)
}

// What comes back without having been begun in this browser, or a second time, gets nowhere and does not reach the provider.
func TestOnlyWhatWasBegunHereComesToAnEnd(t *testing.T) {
	s := newSite(t)
	victim, attacker := s.browser(), s.browser()
	attackers := attacker.through(attacker.setOut("brewery", ""))
	const late = "took too long"
	for name, test := range map[string]struct {
		by   *browser
		back string
	}{
		"nothing begun":               {s.browser(), attackers},
		"no parameters":               {s.browser(), "/signin/with/brewery/back"},
		"another's code in a browser": {victim, attackers},
		"an empty state":              {victim, "/signin/with/brewery/back?code=code&state="},
	} {
		t.Run(name, func(t *testing.T) {
			if name == "another's code in a browser" {
				victim.setOut("brewery", "")
			}
			wantShows(t, test.by.get(test.back), http.StatusUnprocessableEntity, late, `action="/signin"`)
			if s.server.cookieOf(test.by) != "" {
				t.Error("signed in")
			}
		})
	}
	if n := s.brewery.Asked(); n != 0 {
		t.Errorf("the provider was asked %d times", n)
	}

	kept := attacker.value(attemptCookie)
	wantRedirect(t, attacker.get(attackers), "/host")
	again := s.browser()
	again.cookie(attemptCookie, kept) // even with the cookie put back
	wantShows(t, again.get(attackers), http.StatusUnprocessableEntity, late)
	if n := s.brewery.Asked(); n != 1 {
		t.Errorf("the provider was asked %d times, want once", n)
	}
}

// An answer of one provider is not taken for another's.
func TestProvidersAreNotMixedUp(t *testing.T) {
	s := newSite(t)
	b := s.browser()
	back := b.through(b.setOut("brewery", ""))
	wantShows(t, b.get(strings.Replace(back, "/brewery/", "/other/", 1)), http.StatusUnprocessableEntity, "took too long")

	mixed := s.browser()
	s.brewery.Now(func(state *openidtest.State) { state.Back = func(v url.Values) { v.Set("iss", s.other.URL) } })
	wantShows(t, mixed.signInAt("brewery", ""), http.StatusUnprocessableEntity, "cannot be trusted")
	if n := s.brewery.Asked() + s.other.Asked(); n != 0 {
		t.Errorf("the code was sent %d times", n)
	}
}

func TestAnAttemptRunsOut(t *testing.T) {
	s := newSite(t)
	b := s.browser()
	back := b.through(b.setOut("brewery", ""))
	began := s.server.now
	s.server.now = func() time.Time { return began().Add(attemptCookieAge) }
	wantShows(t, b.get(back), http.StatusUnprocessableEntity, "took too long")
}

func TestWhatAProviderRefuses(t *testing.T) {
	for name, test := range map[string]struct {
		change func(*openidtest.State)
		status int
		want   string
	}{
		"declined":        {func(s *openidtest.State) { s.Back = func(v url.Values) { v.Set("error", "access_denied") } }, 422, "without going through with it"},
		"fails":           {func(s *openidtest.State) { s.Back = func(v url.Values) { v.Set("error", "server_error") } }, 422, "cannot be trusted"},
		"another's nonce": {func(s *openidtest.State) { s.Lie = func(c map[string]any) { c["nonce"] = "another" } }, 422, "cannot be trusted"},
		"no address":      {func(s *openidtest.State) { s.Claims["email"] = "" }, 422, "Brewery tells an address that cannot be used here"},
		"two @":           {func(s *openidtest.State) { s.Claims["email"] = "a@b.example@c.example" }, 422, "Brewery tells an address that cannot be used here"},
	} {
		t.Run(name, func(t *testing.T) {
			s := newSite(t)
			s.brewery.Now(test.change)
			b := s.browser()
			wantShows(t, b.signInAt("brewery", "/host/quizzes/17"), test.status, test.want, `role="alert"`, `name="next" value="/host/quizzes/17"`)
			if n := s.count(`SELECT count(*) FROM users`); n != 0 || s.server.cookieOf(b) != "" {
				t.Errorf("%d accounts", n)
			}
		})
	}
}

func TestAProviderThatIsDownStopsNothingElse(t *testing.T) {
	s := newSite(t)
	s.brewery.Now(func(state *openidtest.State) { state.Down = true })
	b := s.browser()
	r := b.send("POST", "/signin/with/brewery", url.Values{"next": {"/host/quizzes/17"}})
	wantShows(t, r, http.StatusServiceUnavailable, "Brewery does not answer at the moment", `name="next" value="/host/quizzes/17"`)
	if r.header.Get("Retry-After") == "" {
		t.Error("nothing says when to try again")
	}
	wantRedirect(t, b.signInAt("other", ""), "/host")
}

// TestSeenElsewhereEmailVerifiedAsText: a provider's "false" is text, and text is true in many a language.
func TestSeenElsewhereEmailVerifiedAsText(t *testing.T) {
	s := newSite(t)
	for _, value := range []any{"false", "true", "", 0, 1, nil, false} {
		claim(s.brewery, "email_verified", value)
		wantShows(t, s.browser().signInAt("brewery", ""), http.StatusUnprocessableEntity, "Brewery has not confirmed your address")
	}
	if n := s.count(`SELECT count(*) FROM users`); n != 0 {
		t.Errorf("%d accounts, want none", n)
	}
}

// TestSeenElsewherePreHijack: whoever made an account with another's address is out when its owner comes with an identity.
func TestSeenElsewherePreHijack(t *testing.T) {
	s := newSite(t)
	mallory := s.host("alice@example.org")
	wantShows(t, mallory.get("/host"), http.StatusOK)
	owner := s.browser()
	wantRedirect(t, owner.signInAt("brewery", ""), "/host")
	wantRedirect(t, mallory.get("/host"), "/signin?next=%2Fhost")
	wantShows(t, s.browser().send("POST", "/signin", signInForm("alice@example.org", testPassword)), http.StatusUnprocessableEntity, "not right")
	if n := s.count(`SELECT count(*) FROM users`); n != 1 {
		t.Errorf("%d accounts, want 1", n)
	}
}

// TestSeenElsewhereLinkedByAddressAlone: an account whose owner has shown that the address is theirs is opened by a provider only after they have linked it.
func TestSeenElsewhereLinkedByAddressAlone(t *testing.T) {
	s := newSite(t)
	owner := s.host("alice@example.org")
	s.exec(`UPDATE users SET email_verified_at = now()`)
	wantShows(t, s.browser().signInAt("brewery", ""), http.StatusUnprocessableEntity, "You have an account here already", "link Brewery")
	wantShows(t, owner.get("/host"), http.StatusOK)

	wantShows(t, owner.get(securityPath), http.StatusOK, "Not linked", `action="/account/identities/brewery"`)
	owner.linkTo("brewery", testPassword)
	wantShows(t, owner.get(securityPath), http.StatusOK, "<bdi>alice@example.org</bdi>", `action="/account/identities/brewery/unlink"`)
	b := s.browser()
	wantRedirect(t, b.signInAt("brewery", ""), "/host")
	wantShows(t, b.get("/host"), http.StatusOK, "<bdi>Host</bdi>")
}

// linkTo links the identity at the provider.
func (b *browser) linkTo(provider, password string) {
	b.site.t.Helper()
	r := b.send("POST", "/account/identities/"+provider, url.Values{"password": {password}})
	wantRedirect(b.site.t, b.get(b.through(b.leads(r))), securityPath)
}

func TestLinkingTakesTheHostThemselves(t *testing.T) {
	s := newSite(t)
	alice, mallory := s.host("alice@example.org"), s.host("mallory@evil.example")
	for _, password := range []string{"", "wrong password"} {
		r := alice.send("POST", "/account/identities/brewery", url.Values{"password": {password}})
		wantShows(t, r, http.StatusUnprocessableEntity, "That is not your password", `action="/account/identities/brewery"`, "<details class=\"act\" open>")
	}
	// What somebody began in one account does not end in another's, though it is the same browser.
	begun := mallory.through(mallory.leads(mallory.send("POST", "/account/identities/brewery", url.Values{"password": {testPassword}})))
	alice.cookie(attemptCookie, mallory.value(attemptCookie))
	wantShows(t, alice.get(begun), http.StatusUnprocessableEntity, "went on in another window")
	if n := s.count(`SELECT count(*) FROM user_identities`); n != 0 {
		t.Errorf("%d identities are linked", n)
	}
	alice.linkTo("brewery", testPassword)
	r := mallory.send("POST", "/account/identities/brewery", url.Values{"password": {testPassword}})
	wantShows(t, mallory.get(mallory.through(mallory.leads(r))), http.StatusUnprocessableEntity, "already opens another account here")
	signedOut := s.browser()
	wantRedirect(t, signedOut.send("POST", "/account/identities/brewery", nil), "/signin")
}

func TestUnlink(t *testing.T) {
	s := newSite(t)
	b := s.browser()
	wantRedirect(t, b.signInAt("brewery", ""), "/host") // an account without a password
	wantShows(t, b.get(securityPath), http.StatusOK, `-type="password"`)
	r := b.send("POST", "/account/identities/brewery/unlink", nil)
	wantShows(t, r, http.StatusUnprocessableEntity, "Nothing else opens your account")
	b.linkTo("other", "")
	wantRedirect(t, b.send("POST", "/account/identities/brewery/unlink", nil), securityPath)
	if n := s.count(`SELECT count(*) FROM user_identities WHERE issuer = $1`, s.brewery.URL); n != 0 {
		t.Error("it is still linked")
	}
	s.exec(`UPDATE user_sessions SET created_at = now() - interval '11 minutes'`)
	wantShows(t, b.send("POST", "/account/identities/brewery", nil), http.StatusUnprocessableEntity, "older than ten minutes")
}

// TestSeenElsewhereProvidersOutsideTheLimiter: the way by a provider is no way around the limit on signing in. It is charged where it begins: whoever
// comes back has been charged already.
func TestSeenElsewhereProvidersOutsideTheLimiter(t *testing.T) {
	needsLimits(t)
	s := newSite(t)
	b := s.browser()
	for i := range ratelimit.Auth.Budget {
		wantRedirect(t, b.signInAt([]string{"brewery", "other"}[i/5], ""), "/host")
		s.other.Now(func(state *openidtest.State) {
			state.Claims = map[string]any{"sub": "bob", "email": "bob@example.org", "email_verified": true}
		})
	}
	for _, path := range []string{"/signin/with/brewery", "/signin/with/other"} {
		wantShows(t, s.browser().send("POST", path, nil), http.StatusTooManyRequests)
	}
	wantShows(t, s.browser().send("POST", "/signin", signInForm("alice@example.org", testPassword)), http.StatusTooManyRequests)
	if err := s.server.goToProvider(nil, &request{Request: &http.Request{URL: &url.URL{}}}); err == nil || !strings.Contains(err.Error(), "auth has not decided") {
		t.Errorf("without its limit: %v", err)
	}
}

// TestSeenElsewhereNextAfterAProvider: where the way leads in the end is on this site, even if somebody else's page said where it began.
func TestSeenElsewhereNextAfterAProvider(t *testing.T) {
	s := newSite(t)
	for _, next := range []string{"//evil.example/host", "https://evil.example", `/\evil.example`, "/%2f/evil.example", "javascript:alert(1)"} {
		wantRedirect(t, s.browser().signInAt("brewery", next), "/host")
	}
}
