package web

import (
	"context"
	"errors"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"net/url"
	"slices"
	"strings"
	"testing"
	"time"

	"pubquiz/internal/mail"
	"pubquiz/ratelimit"
)

// newMailSite is newSite where mail is sent.
func newMailSite(t *testing.T, limits ...ratelimit.Option) *site {
	t.Helper()
	return startSite(t, new(mail.Tray), nil, limits...)
}

// letters delivers what was written and returns the letters to an address, the latest first.
func (s *site) letters(to string) []mail.Letter {
	s.t.Helper()
	if err := s.outbox.Deliver(s.t.Context(), s.tray); err != nil {
		s.t.Fatal(err)
	}
	var found []mail.Letter
	for _, delivered := range s.tray.Letters() {
		if delivered.To == to {
			found = append(found, delivered.Letter)
		}
	}
	return found
}

// link is the path and query of the link in the latest letter to an address, which must have had so many.
func (s *site) link(to string, number int) string {
	s.t.Helper()
	found := s.letters(to)
	if len(found) != number {
		s.t.Fatalf("%s has %d letters, want %d: %+v", to, len(found), number, found)
	}
	path, ours := strings.CutPrefix(found[0].Link, s.url)
	if !ours {
		s.t.Fatalf("the letter leads to %q", found[0].Link)
	}
	return path
}

func tokenOf(t *testing.T, path string) string {
	t.Helper()
	u, err := url.Parse(path)
	if err != nil || u.Query().Get("token") == "" {
		t.Fatalf("no token in %q", path)
	}
	return u.Query().Get("token")
}

func TestSignUpByMailFromTheFormToTheConfirmedAddress(t *testing.T) {
	s := newMailSite(t)
	b := s.browser()
	r := b.send("POST", "/signup", signUpForm("alice@example.org"))
	wantShows(t, r, http.StatusOK, "Look in your mail", "We have written to alice@example.org")
	if r.header.Get("Set-Cookie") != "" {
		t.Error("whoever signs up is signed in, and so told that the address was free")
	}
	link := s.link("alice@example.org", 1)
	for range 2 { // programs that look through mail open links
		r = b.get(link)
		wantRedirect(t, r, "/signin?"+url.Values{"next": {link}}.Encode())
	}
	in := signInForm("alice@example.org", testPassword)
	in.Set("next", link)
	wantRedirect(t, b.send("POST", "/signin", in), link)
	wantShows(t, b.get("/host"), http.StatusOK, "a session has 30 places at most")
	wantShows(t, b.get(link), http.StatusOK, "alice@example.org", `value="`+tokenOf(t, link)+`"`)
	wantRedirect(t, b.send("POST", "/verify", url.Values{"token": {tokenOf(t, link)}}), "/account?done=confirmed")
	wantShows(t, b.get("/account?done=confirmed"), http.StatusOK, "Your address is confirmed.", "Your address, confirmed")
	wantShows(t, b.get("/host"), http.StatusOK, "-30 places")
	wantShows(t, b.get(link), http.StatusGone, "no longer works")
	wantShows(t, b.send("POST", "/verify", url.Values{"token": {tokenOf(t, link)}}), http.StatusGone)
}

// TestSeenElsewhereSignUpTellsWhoHasAnAccount: what the form answers is the same, to the byte, with an account and without.
func TestSeenElsewhereSignUpTellsWhoHasAnAccount(t *testing.T) {
	s := newMailSite(t)
	s.host("taken@example.org")
	taken := s.browser().send("POST", "/signup", signUpForm("taken@example.org"))
	free := s.browser().send("POST", "/signup", signUpForm("new12@example.org"))
	wantSame(t, taken, free, "taken@", "new12@")
	if letters := s.letters("taken@example.org"); len(letters) != 1 || letters[0].Subject != "You have an account already" {
		t.Errorf("its owner is told %+v", letters)
	}
	s.link("new12@example.org", 1)
}

// TestSeenElsewhereResetTellsWhoHasAnAccount likewise.
func TestSeenElsewhereResetTellsWhoHasAnAccount(t *testing.T) {
	s := newMailSite(t)
	s.host("taken@example.org")
	taken := s.browser().send("POST", "/reset", url.Values{"email": {"taken@example.org"}})
	free := s.browser().send("POST", "/reset", url.Values{"email": {"nobody@example.org"}})
	wantSame(t, taken, free, "taken@", "nobody@")
	s.link("taken@example.org", 1)
	if letters := s.letters("nobody@example.org"); len(letters) != 0 {
		t.Errorf("nobody is told %+v", letters)
	}
}

func wantSame(t *testing.T, one, other reply, this, that string) {
	t.Helper()
	if one.status != http.StatusOK || one.status != other.status || one.body != strings.ReplaceAll(other.body, that, this) {
		t.Errorf("with an account: %d %s\nwithout: %d %s", one.status, one.body, other.status, other.body)
	}
	for _, r := range []reply{one, other} {
		r.header.Del("Date")
		r.header.Del("Ratelimit-Remaining")
		r.header.Del("Ratelimit-Reset")
		r.header.Del("Content-Length")
	}
	if got, want := len(one.header), len(other.header); got != want {
		t.Errorf("%v, and %v", one.header, other.header)
	}
}

// TestSeenElsewhereResetTimeTellsWhoHasAnAccount: a miss does the work of a hit.
func TestSeenElsewhereResetTimeTellsWhoHasAnAccount(t *testing.T) {
	s := newMailSite(t, ratelimit.Unlimited())
	s.host("taken@example.org")
	b := s.browser()
	wantAlikeInTime(t, 40, func(address string) {
		if r := b.send("POST", "/reset", url.Values{"email": {address}}); r.status != http.StatusOK {
			t.Fatalf("%s: %d", address, r.status)
		}
	})
}

// TestSeenElsewhereLoginTiming: a sign-in without an account hashes as one with an account does.
func TestSeenElsewhereLoginTiming(t *testing.T) {
	s := newMailSite(t, ratelimit.Unlimited())
	s.host("taken@example.org")
	b := s.browser()
	wantAlikeInTime(t, 8, func(address string) { b.send("POST", "/signin", signInForm(address, "wrong password")) })
}

// wantAlikeInTime asks for an address with an account and for one without, so many times each, and compares what is usual. What a busy machine brings between them
// is gone in another attempt; work that only one of them does is not.
func wantAlikeInTime(t *testing.T, rounds int, ask func(address string)) {
	t.Helper()
	var hit, miss time.Duration
	for range 5 {
		times := map[string][]time.Duration{}
		for range rounds {
			for _, address := range []string{"taken@example.org", "nobody@example.org"} {
				began := time.Now()
				ask(address)
				times[address] = append(times[address], time.Since(began))
			}
		}
		hit, miss = median(times["taken@example.org"]), median(times["nobody@example.org"])
		if 2*min(hit, miss) >= max(hit, miss) {
			return
		}
	}
	t.Errorf("with an account %v, without %v, also after several attempts", hit, miss)
}

func median(times []time.Duration) time.Duration {
	slices.Sort(times)
	return times[len(times)/2]
}

func TestResetFromTheFormToTheNewPassword(t *testing.T) {
	s := newMailSite(t)
	other := s.host("alice@example.org")
	const newPassword = "a goose on a bicycle"
	b := s.browser()
	wantShows(t, b.get("/signin"), http.StatusOK, `href="/reset"`)
	wantShows(t, b.get("/reset"), http.StatusOK, `action="/reset"`)
	wantShows(t, b.send("POST", "/reset", url.Values{"email": {"alice"}}), http.StatusUnprocessableEntity, `value="alice"`, `id="email-problem">Type the whole address`)
	wantShows(t, b.send("POST", "/reset", url.Values{"email": {"Alice@example.org"}}), http.StatusOK, "If there is an account")
	link := s.link("alice@example.org", 1)
	for range 3 {
		wantShows(t, s.browser().get(link), http.StatusOK, "alice@example.org", `autocomplete="new-password"`)
	}
	token := tokenOf(t, link)
	wantShows(t, b.send("POST", "/reset/password", url.Values{"token": {token}, "password": {"short"}}), http.StatusUnprocessableEntity,
		`id="password-problem">Use at least 10`, `value="`+token+`"`)
	r := b.send("POST", "/reset/password", url.Values{"token": {token}, "password": {newPassword}})
	wantShows(t, r, http.StatusOK, "Your new password is set")
	if s.server.cookieOf(b) != "" {
		t.Error("the reset signs in")
	}
	wantRedirect(t, other.get("/host"), "/signin?next=%2Fhost")
	wantShows(t, b.send("POST", "/reset/password", url.Values{"token": {token}, "password": {newPassword}}), http.StatusGone, "no longer works")
	wantShows(t, b.get(link), http.StatusGone)
	wantShows(t, b.send("POST", "/signin", signInForm("alice@example.org", testPassword)), http.StatusUnprocessableEntity)
	wantRedirect(t, b.send("POST", "/signin", signInForm("alice@example.org", newPassword)), "/host")
}

// TestSeenElsewhereResetLinkBuiltFromHost: a request with somebody else's Host, or headers that claim one, still leads its reader here.
func TestSeenElsewhereResetLinkBuiltFromHost(t *testing.T) {
	s := newMailSite(t)
	s.host("alice@example.org")
	in := strings.NewReader(url.Values{"email": {"alice@example.org"}}.Encode())
	req := httptest.NewRequest("POST", "/reset", in)
	req.Host, req.RemoteAddr = "evil.example", "127.0.0.1:1234"
	for name, value := range map[string]string{
		"Content-Type": "application/x-www-form-urlencoded", "X-Forwarded-Host": "evil.example", "Forwarded": "host=evil.example", "X-Forwarded-Proto": "http",
	} {
		req.Header.Set(name, value)
	}
	answer := httptest.NewRecorder()
	s.server.ServeHTTP(answer, req)
	if answer.Code != http.StatusOK {
		t.Fatalf("%d %s", answer.Code, answer.Body)
	}
	if link := s.link("alice@example.org", 1); !strings.HasPrefix(link, "/reset/password?token=") || strings.Contains(answer.Body.String(), "evil") {
		t.Errorf("the link is %q", link)
	}
}

// TestSeenElsewhereAddresses: two @, a full-width @ and a dotless i are never somebody else's inbox.
func TestSeenElsewhereAddresses(t *testing.T) {
	s := newMailSite(t)
	s.host("mike@example.org")
	for _, address := range []string{"mike@example.org@evil.example", "evil@evil.example＠example.org", "mike@example.org,evil@evil.example", "mike@example.org\r\nBcc: evil@evil.example"} {
		r := s.browser().send("POST", "/reset", url.Values{"email": {address}})
		if r.status != http.StatusUnprocessableEntity && r.status != http.StatusTooManyRequests {
			t.Errorf("%q: %d", address, r.status)
		}
	}
	s.from("127.0.0.7").send("POST", "/reset", url.Values{"email": {"mıke@example.org"}})
	s.link("mike@example.org", 1) // the address that is stored, not the one that was typed
	if all := s.tray.Letters(); len(all) != 1 {
		t.Errorf("%d letters: %+v", len(all), all)
	}
}

func TestFiveResetsFromOneAddress(t *testing.T) {
	needsLimits(t)
	s := newMailSite(t)
	for i := range ratelimit.PasswordReset.Budget {
		if r := s.browser().send("POST", "/reset", url.Values{"email": {string(rune('a'+i)) + "@example.org"}}); r.status != http.StatusOK {
			t.Fatalf("request %d: %d", i+1, r.status)
		}
	}
	r := s.browser().send("POST", "/reset", url.Values{"email": {"z@example.org"}})
	wantShows(t, r, http.StatusTooManyRequests)
	wantShows(t, s.from("127.0.0.9").send("POST", "/reset", url.Values{"email": {"z@example.org"}}), http.StatusOK)
}

// TestThreeLettersToOneInbox: from however many addresses they are asked for, and nobody is told that there were more. Links to a new password are counted apart, so that
// whoever signs up with a host's address does not take away the host's way back in.
func TestThreeLettersToOneInbox(t *testing.T) {
	needsLimits(t)
	s := newMailSite(t)
	s.host("alice@example.org")
	addresses := []string{"127.0.0.2", "127.0.0.3", "127.0.0.4", "127.0.0.5", "127.0.0.6"}
	for i, form := range []struct {
		path string
		in   url.Values
	}{{"/signup", signUpForm("alice@example.org")}, {"/reset", url.Values{"email": {"ALICE@example.org"}}}} {
		for _, from := range addresses {
			wantShows(t, s.from(from).send("POST", form.path, form.in), http.StatusOK, "Look in your mail")
		}
		if letters, want := s.letters("alice@example.org"), (i+1)*ratelimit.ResetAccount.Budget; len(letters) != want {
			t.Errorf("%d letters after %s, want %d", len(letters), form.path, want)
		}
	}
	// The last link that was sent still works: what was not sent has not replaced it.
	wantShows(t, s.browser().get(s.link("alice@example.org", 6)), http.StatusOK)
	// A mistake in the form is no letter.
	bad := signUpForm("bob@example.org")
	bad.Set("password", "short")
	for _, from := range addresses {
		wantShows(t, s.from(from).send("POST", "/signup", bad), http.StatusUnprocessableEntity)
	}
	wantShows(t, s.from("127.0.0.8").send("POST", "/signup", signUpForm("bob@example.org")), http.StatusOK)
	s.link("bob@example.org", 1)
}

// TestNoResetsWhileTheStoreIsDown: what must not go uncounted is refused.
func TestNoResetsWhileTheStoreIsDown(t *testing.T) {
	needsLimits(t)
	s := newMailSite(t, ratelimit.SharedIn(deadStore{}))
	for path, in := range map[string]url.Values{"/reset": {"email": {"alice@example.org"}}, "/signup": signUpForm("alice@example.org")} {
		r := s.browser().send("POST", path, in)
		if r.status != http.StatusServiceUnavailable || r.header.Get("Retry-After") == "" {
			t.Errorf("%s: %d, Retry-After %q", path, r.status, r.header.Get("Retry-After"))
		}
	}
	if letters := s.letters("alice@example.org"); len(letters) != 0 {
		t.Errorf("%+v", letters)
	}
}

func TestWithoutMailThereIsNothingToReset(t *testing.T) {
	s := newSite(t)
	b := s.host("alice@example.org")
	wantShows(t, b.get("/reset"), http.StatusNotFound, "sends no mail")
	wantShows(t, s.browser().send("POST", "/reset", url.Values{"email": {"alice@example.org"}}), http.StatusNotFound, "sends no mail")
	wantShows(t, s.browser().get("/signin"), http.StatusOK, "-/reset")
	wantShows(t, b.get("/account"), http.StatusOK, "-/account/email", "-confirmed")
	wantShows(t, b.send("POST", "/account/confirmation", nil), http.StatusNotFound)
	wantShows(t, b.send("POST", "/account/email", url.Values{"email": {"new@example.org"}, "password": {testPassword}}), http.StatusNotFound)
}

func TestTheDemosMailIsForItsOwnMachine(t *testing.T) {
	s := newMailSite(t)
	s.browser().send("POST", "/signup", signUpForm("alice@example.org"))
	link := s.link("alice@example.org", 1)
	wantShows(t, s.browser().get("/demo/mail"), http.StatusOK, "Confirm your address", strings.ReplaceAll(link, "&", "&amp;"))
	for client, status := range map[string]int{"192.0.2.7:1234": http.StatusNotFound, "[::1]:1234": http.StatusOK} {
		req := httptest.NewRequest("GET", s.url+"/demo/mail", nil)
		req.RemoteAddr = netip.MustParseAddrPort(client).String()
		answer := httptest.NewRecorder()
		s.server.ServeHTTP(answer, req)
		if answer.Code != status {
			t.Errorf("from %s: %d, want %d", client, answer.Code, status)
		}
	}
}

func TestNoServerButADemoShowsItsMail(t *testing.T) {
	s := newSite(t)
	wantShows(t, s.browser().get("/demo/mail"), http.StatusNotFound)
}

// deadStore is a shared store that does not answer.
type deadStore struct{}

var errDead = errors.New("the store is away")

func (deadStore) Take(context.Context, []ratelimit.Charge, bool) ([]ratelimit.Count, int64, error) {
	return nil, 0, errDead
}
func (deadStore) Refund(context.Context, string, int64) error { return errDead }
func (deadStore) Forget(context.Context, string) error        { return errDead }

func TestTheOperatorSeesHowTheMailStands(t *testing.T) {
	s := newMailSite(t)
	b := s.host(operatorEmail)
	wantShows(t, b.get("/operator"), http.StatusNotFound) // the address is not confirmed: anybody might have typed it
	if _, err := s.pool.Exec(t.Context(), `UPDATE users SET email_verified_at = now()`); err != nil {
		t.Fatal(err)
	}
	wantShows(t, b.get("/operator"), http.StatusOK, "this instance has sent", "-could not be sent", "-to be sent")
	s.browser().send("POST", "/reset", url.Values{"email": {operatorEmail}})
	if _, err := s.pool.Exec(t.Context(), `UPDATE mail_outbox SET last_error = 'the <server> is away'`); err != nil {
		t.Fatal(err)
	}
	wantShows(t, b.get("/operator"), http.StatusOK, "1 letter waits to be sent", "the &lt;server&gt; is away")
	got := s.scrape()
	for name, want := range map[string]float64{"quizd_mail_waiting{}": 1, "quizd_mail_given_up{}": 0, "quizd_mail_attempts_total{result=sent}": 0} {
		if value, ok := got[name]; !ok || value != want {
			t.Errorf("%s is %v (there: %v), want %v", name, value, ok, want)
		}
	}
	s.letters(operatorEmail)
	wantShows(t, b.get("/operator"), http.StatusOK, "-to be sent", `<b class="tabular">1</b> letter`)
}
