package web

import (
	"errors"
	"net"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"sync"
	"testing"

	"pubquiz/account"
	"pubquiz/ratelimit"
)

// from is a browser at another address of this machine.
func (s *site) from(address string) *browser {
	source := &net.TCPAddr{IP: net.ParseIP(address)}
	if l, err := net.ListenTCP("tcp", source); err != nil {
		s.t.Skipf("SKIPPED: this machine has no address %s: %v", address, err) // only Linux has the whole block
	} else {
		l.Close()
	}
	b := s.browser()
	b.http.Transport = &http.Transport{DialContext: (&net.Dialer{LocalAddr: source}).DialContext}
	s.t.Cleanup(b.http.CloseIdleConnections)
	return b
}

func wantRedirect(t *testing.T, r reply, to string) {
	t.Helper()
	if r.status != http.StatusSeeOther || r.header.Get("Location") != to {
		t.Errorf("%d to %q, want 303 to %q; %s", r.status, r.header.Get("Location"), to, r.body)
	}
}

// wantShows checks a page's status and what it must and (with a minus) must not contain.
func wantShows(t *testing.T, r reply, status int, parts ...string) {
	t.Helper()
	if r.status != status {
		t.Errorf("status %d, want %d", r.status, status)
	}
	for _, part := range parts {
		absent, unwanted := strings.CutPrefix(part, "-")
		if unwanted && strings.Contains(r.body, absent) || !unwanted && !strings.Contains(r.body, part) {
			t.Errorf("want %q on the page: %s", part, r.body)
		}
	}
}

func signUpForm(email string) url.Values {
	return url.Values{"email": {email}, "name": {"Alice"}, "password": {testPassword}}
}

func signInForm(email, password string) url.Values {
	return url.Values{"email": {email}, "password": {password}}
}

func TestSignUpAndIn(t *testing.T) {
	s := newSite(t)
	b := s.browser()
	wantShows(t, b.get("/signup"), http.StatusOK, `name="email"`, `autocomplete="new-password"`)
	r := b.send("POST", "/signup", signUpForm("alice@example.org"))
	wantRedirect(t, r, "/host")
	if cookie := r.header.Get("Set-Cookie"); !strings.Contains(cookie, "HttpOnly; SameSite=Lax") || !strings.Contains(cookie, "Path=/; Max-Age=2592000") {
		t.Errorf("the cookie is %q", cookie)
	}
	page := b.get("/host")
	wantShows(t, page, http.StatusOK, "<bdi>Alice</bdi>", "Nothing here yet")
	if got := page.header.Get("Cache-Control"); got != "no-store" {
		t.Errorf("Cache-Control is %q", got)
	}
	wantRedirect(t, b.get("/signin"), "/host")

	first := s.server.cookieOf(b)
	wantRedirect(t, b.send("POST", "/signin", signInForm("ALICE@example.org", testPassword)), "/host")
	second := s.server.cookieOf(b)
	if first == second {
		t.Error("signing in again gives no new token")
	}
	stolen := s.browser()
	stolen.cookie(hostCookie, first)
	wantRedirect(t, stolen.get("/host"), "/signin?next=%2Fhost")
	wantShows(t, b.get("/host"), http.StatusOK)
}

func TestSeenElsewhereLogoutLeavesTheSession(t *testing.T) {
	s := newSite(t)
	b := s.host("alice@example.org")
	token := s.server.cookieOf(b)
	wantRedirect(t, b.send("POST", "/signout", nil), "/")
	if s.server.cookieOf(b) != "" {
		t.Error("the browser still has its cookie")
	}
	b.cookie(hostCookie, token)
	wantRedirect(t, b.get("/host"), "/signin?next=%2Fhost")
	wantRedirect(t, s.browser().send("POST", "/signout", nil), "/")
}

// TestSigningInAgainEndsTheTokenBefore: a token that somebody planted in the browser, or that was left in it, is worth
// nothing afterwards.
func TestSigningInAgainEndsTheTokenBefore(t *testing.T) {
	s := newSite(t)
	b := s.host("alice@example.org")
	before := s.server.cookieOf(b)
	wantRedirect(t, b.send("POST", "/signin", signInForm("alice@example.org", testPassword)), "/host")
	if after := s.server.cookieOf(b); after == before {
		t.Error("the token is the same as before")
	}
	if _, err := s.server.accounts.Authenticate(t.Context(), before); !errors.Is(err, account.ErrNotSignedIn) {
		t.Errorf("the token from before: %v", err)
	}
}

func TestSignUpShowsWhatIsWrongAndKeepsWhatWasTyped(t *testing.T) {
	s := newSite(t)
	s.host("taken@example.org")
	for _, test := range []struct {
		name, field, value string
		want               []string
	}{
		{"address", "email", `al"<ice`, []string{`value="al&#34;&lt;ice"`, `aria-describedby="email-problem"`, `id="email-problem">Type the whole address`}},
		{"name", "name", " ", []string{`id="name-problem">Type your name`, `value="alice@example.org"`}},
		{"password", "password", "short-one", []string{`id="password-problem">Use at least 10`, `value="Alice"`, `value="alice@example.org"`, "-short-one"}},
		{"common password", "password", "qwertyuiop", []string{`id="password-problem">Many people`, "-qwertyuiop"}},
		{"taken address", "email", "Taken@example.org", []string{`role="alert">This address cannot be used`, `value="Taken@example.org"`, "-" + testPassword}},
	} {
		t.Run(test.name, func(t *testing.T) {
			in := signUpForm("alice@example.org")
			in.Set(test.field, test.value)
			r := s.browser().send("POST", "/signup", in)
			wantShows(t, r, http.StatusUnprocessableEntity, append(test.want, `action="/signup"`)...)
			if r.header.Get("Set-Cookie") != "" {
				t.Error("a cookie is set")
			}
		})
	}
}

func TestSignInDoesNotTellWhoHasAnAccount(t *testing.T) {
	s := newSite(t)
	s.host("alice@example.org")
	known := s.browser().send("POST", "/signin", signInForm("alice@example.org", "wrong password"))
	unknown := s.browser().send("POST", "/signin", signInForm("nobody@example.org", "wrong password"))
	wantShows(t, known, http.StatusUnprocessableEntity, `role="alert">The address or the password is not right`, `value="alice@example.org"`, "-wrong password")
	if same := strings.ReplaceAll(unknown.body, "nobody@", "alice@"); same != known.body || unknown.status != known.status {
		t.Errorf("with an account: %d %s\nwithout: %d %s", known.status, known.body, unknown.status, unknown.body)
	}
	wantShows(t, s.browser().send("POST", "/signin", signInForm("alice", "x")), http.StatusUnprocessableEntity, `id="email-problem">Type the whole address`)
}

func TestFormsAreSmall(t *testing.T) {
	s := newSite(t)
	for _, path := range []string{"/signup", "/signin", "/signin/link"} {
		in := signUpForm("alice@example.org")
		in.Set("name", strings.Repeat("x", smallBody))
		wantShows(t, s.browser().send("POST", path, in), http.StatusRequestEntityTooLarge)
	}
}

func TestSignInLeadsBack(t *testing.T) {
	s := newSite(t)
	s.host("alice@example.org")
	r := s.browser().get("/host/quizzes/17?x=1")
	wantRedirect(t, r, "/signin?next=%2Fhost%2Fquizzes%2F17%3Fx%3D1")
	wantShows(t, s.browser().get(r.header.Get("Location")), http.StatusOK, `name="next" value="/host/quizzes/17?x=1"`,
		`href="/signup?next=%2fhost%2fquizzes%2f17%3fx%3d1"`)
	for next, want := range map[string]string{
		"/host/quizzes/17?x=1": "/host/quizzes/17?x=1", "": "/host", "//evil.example/host": "/host", "https://evil.example": "/host", "/\\evil.example": "/host",
	} {
		in := signInForm("alice@example.org", testPassword)
		in.Set("next", next)
		b := s.browser()
		wantRedirect(t, b.send("POST", "/signin", in), want)
		wantRedirect(t, b.get("/signin?"+url.Values{"next": {next}}.Encode()), want)
	}
	wantRedirect(t, s.browser().send("POST", "/host/quizzes", nil), "/signin")
}

func TestOneAddressGuessesTenTimes(t *testing.T) {
	needsLimits(t)
	s := newSite(t)
	budget := ratelimit.Auth.Budget
	statuses := make(chan int, 3*budget)
	var group sync.WaitGroup
	for i := range cap(statuses) { // at once, each for another account
		group.Go(func() {
			in := signInForm("victim"+strconv.Itoa(i)+"@example.org", "wrong password")
			statuses <- s.browser().send("POST", "/signin", in).status
		})
	}
	group.Wait()
	close(statuses)
	counts := map[int]int{}
	for status := range statuses {
		counts[status]++
	}
	// Hashing takes its turn, so some of those that were let through may have been told to come back.
	if let := counts[http.StatusUnprocessableEntity] + counts[http.StatusServiceUnavailable]; let != budget || counts[http.StatusTooManyRequests] != 2*budget {
		t.Errorf("statuses %v, want %d let through and %d refused", counts, budget, 2*budget)
	}
	wantShows(t, s.from("127.0.0.9").send("POST", "/signin", signInForm("victim1@example.org", "wrong password")), http.StatusUnprocessableEntity)
}

func TestOneAccountIsGuessedTenTimes(t *testing.T) {
	needsLimits(t)
	s := newSite(t)
	s.host("alice@example.org")
	guess := func(b *browser, email, password string) reply {
		return b.send("POST", "/signin", signInForm(email, password))
	}
	attacker, owner := []*browser{s.from("127.0.0.2"), s.from("127.0.0.3")}, s.from("127.0.0.4")
	for i := range ratelimit.AuthAccount.Budget {
		wantShows(t, guess(attacker[i%2], "Alice@example.org", "wrong password"), http.StatusUnprocessableEntity)
		if i == 4 { // a right password in between counts for nothing and forgives nothing
			wantRedirect(t, guess(owner, "alice@example.org", testPassword), "/host")
		}
	}
	for range 3 {
		r := guess(s.from("127.0.0.5"), "ａlice@example.org", testPassword)
		wantShows(t, r, http.StatusTooManyRequests, "too many attempts to sign in")
		if r.header.Get("Retry-After") == "" || r.header.Get("RateLimit-Limit") != "10" || r.header.Get("RateLimit-Remaining") != "10" {
			t.Errorf("headers %v, want those of the address, which is charged nothing", r.header)
		}
	}
	wantShows(t, guess(s.from("127.0.0.5"), "bob@example.org", "wrong password"), http.StatusUnprocessableEntity)
}

func TestASignInLinkIsUsedByItsButtonOnly(t *testing.T) {
	s := newSite(t)
	host, err := s.server.accounts.EnsureUser(t.Context(), "demo@example.org", "Demo host")
	if err != nil {
		t.Fatal(err)
	}
	token, err := s.server.accounts.CreateLink(t.Context(), host)
	if err != nil {
		t.Fatal(err)
	}
	for range 3 {
		wantShows(t, s.browser().get("/signin/link?token="+token), http.StatusOK, `value="`+token+`"`)
	}
	b := s.browser()
	wantRedirect(t, b.send("POST", "/signin/link", url.Values{"token": {token}}), "/host")
	wantShows(t, b.get("/host"), http.StatusOK, "Demo host")
	wantShows(t, s.browser().send("POST", "/signin/link", url.Values{"token": {token}}), http.StatusGone, "no longer works")
	wantShows(t, s.browser().send("POST", "/signin/link", nil), http.StatusGone)
}

// A handler that is reached on another way than its limited route must not check passwords without a limit.
func TestAccountFormsRefuseToWorkUnlimited(t *testing.T) {
	s := newSite(t)
	for name, handle := range map[string]func(http.ResponseWriter, *request) error{"signUp": s.server.signUp, "useLink": s.server.useLink} {
		in := strings.NewReader(signUpForm("alice@example.org").Encode())
		httpRequest, err := http.NewRequestWithContext(t.Context(), "POST", "/elsewhere", in)
		if err != nil {
			t.Fatal(err)
		}
		if err := handle(nil, &request{Request: httpRequest}); err == nil || !strings.Contains(err.Error(), "auth has not decided") {
			t.Errorf("%s: error = %v", name, err)
		}
	}
	var users int
	if err := s.pool.QueryRow(t.Context(), `SELECT count(*) FROM users`).Scan(&users); err != nil || users != 0 {
		t.Errorf("%d users, %v; want none", users, err)
	}
}
