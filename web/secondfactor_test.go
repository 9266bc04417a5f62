package web

import (
	"encoding/base64"
	"net/http"
	"net/url"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/pquerna/otp"
	"github.com/pquerna/otp/totp"

	"pubquiz/ratelimit"
)

// app is somebody's authenticator app.
type app struct {
	site   *site
	secret string
}

// code is what the app shows: each time a new one, as if half a minute had gone by.
func (a *app) code() string {
	a.site.t.Helper()
	a.site.ahead.Add(30)
	code, err := totp.GenerateCode(a.secret, a.site.appClock())
	if err != nil {
		a.site.t.Fatal(err)
	}
	return code
}

var keyOnPage = regexp.MustCompile(`<code class="key">([A-Z2-7 ]+)</code>`)

// turnOn turns the second factor on, and returns the app and the recovery codes.
func (s *site) turnOn(b *browser) (phone *app, recovery []string) {
	s.t.Helper()
	wantRedirect(s.t, b.send("POST", "/account/two-step", url.Values{"password": {testPassword}}), "/account/two-step")
	page := b.get("/account/two-step")
	key := keyOnPage.FindStringSubmatch(page.body)
	if page.status != http.StatusOK || key == nil {
		s.t.Fatalf("%d %s", page.status, page.body)
	}
	phone = &app{s, strings.ReplaceAll(key[1], " ", "")}
	r := b.send("POST", "/account/two-step/on", url.Values{"code": {phone.code()}})
	for _, code := range regexp.MustCompile(`<li><code>([A-Z2-9-]+)</code>`).FindAllStringSubmatch(r.body, -1) {
		recovery = append(recovery, code[1])
	}
	if r.status != http.StatusOK || len(recovery) != 10 {
		s.t.Fatalf("%d %s", r.status, r.body)
	}
	return phone, recovery
}

func TestTwoStepFromTheFirstScanToTheLastCode(t *testing.T) {
	s := newSite(t)
	b := s.host("alice@example.org")
	before := s.server.cookieOf(b)
	wantShows(t, b.get(securityPath), http.StatusOK, `action="/account/two-step"`, "Off")
	phone, recovery := s.turnOn(b)
	if s.server.cookieOf(b) == before {
		t.Error("the browser has the token from before")
	}
	stolen := s.browser()
	stolen.cookie(hostCookie, s.keys.SealHost(before))
	wantRedirect(t, stolen.get("/host"), "/signin?next=%2Fhost")
	wantShows(t, b.get(securityPath), http.StatusOK, "10 recovery codes left", `action="/account/two-step/off"`)

	in := signInForm("alice@example.org", testPassword)
	in.Set("next", "/host/quizzes/17")
	elsewhere := s.browser()
	wantRedirect(t, elsewhere.send("POST", "/signin", in), "/signin/code")
	if s.server.cookieOf(elsewhere) != "" {
		t.Error("signed in without a code")
	}
	wantRedirect(t, elsewhere.get("/host"), "/signin?next=%2Fhost")
	wantShows(t, elsewhere.get("/signin/code"), http.StatusOK, `autocomplete="one-time-code"`, `inputmode="numeric"`)
	wantShows(t, elsewhere.send("POST", "/signin/code", url.Values{"code": {"000000"}}), http.StatusUnprocessableEntity, `id="code-problem">That code is not right`)
	wantRedirect(t, elsewhere.send("POST", "/signin/code", url.Values{"code": {phone.code()}}), "/host/quizzes/17")
	wantShows(t, elsewhere.get("/host"), http.StatusOK)

	third := s.browser()
	wantRedirect(t, third.send("POST", "/signin", signInForm("alice@example.org", testPassword)), "/signin/code")
	wantShows(t, third.send("POST", "/signin/code", url.Values{"code": {""}, "recovery": {"XXXX-XXXX"}}), http.StatusUnprocessableEntity, `id="recovery-problem">That is none of your codes`, `<details class="more" open>`)
	wantRedirect(t, third.send("POST", "/signin/code", url.Values{"code": {""}, "recovery": {recovery[0]}}), "/host")
	wantShows(t, third.get(securityPath), http.StatusOK, "9 recovery codes left")

	renewed := third.send("POST", "/account/two-step/recovery-codes", url.Values{"password": {testPassword}, "code": {phone.code()}})
	wantShows(t, renewed, http.StatusOK, "Keep these codes", "-"+recovery[1], "-signed out")
	off := func(password, code string) reply {
		return third.send("POST", "/account/two-step/off", url.Values{"password": {password}, "code": {code}})
	}
	wantShows(t, off("wrong password", phone.code()), http.StatusUnprocessableEntity, "That is not your password")
	wantShows(t, off(testPassword, recovery[1]), http.StatusUnprocessableEntity, "That code is not right")
	wantRedirect(t, off(testPassword, phone.code()), securityPath)
	wantShows(t, third.get(securityPath), http.StatusOK, "Off")
	wantRedirect(t, b.get("/host"), "/signin?next=%2Fhost")
	wantRedirect(t, s.browser().send("POST", "/signin", signInForm("alice@example.org", testPassword)), "/host")
}

func TestTheAppsSecretIsShownToItsOwnerOnly(t *testing.T) {
	s := newSite(t)
	alice, bob := s.host("alice@example.org"), s.host("bob@example.org")
	wantShows(t, alice.send("POST", "/account/two-step", url.Values{"password": {"wrong password"}}), http.StatusUnprocessableEntity, "That is not your password")
	wantRedirect(t, alice.get("/account/two-step"), securityPath)
	wantRedirect(t, alice.send("POST", "/account/two-step", url.Values{"password": {testPassword}}), "/account/two-step")
	page := alice.get("/account/two-step")
	wantShows(t, page, http.StatusOK, `src="data:image/svg`, "Cannot scan it?")
	if n := s.count(`SELECT count(*) FROM user_totp`); n != 0 {
		t.Error("it is on before the app has shown a code")
	}
	bob.cookie(secretCookie, alice.value(secretCookie))
	wantRedirect(t, bob.get("/account/two-step"), securityPath)
	wantShows(t, bob.send("POST", "/account/two-step/on", url.Values{"code": {"000000"}}), http.StatusUnprocessableEntity, "That took too long")
	wantShows(t, alice.send("POST", "/account/two-step/on", url.Values{"code": {"000000"}}), http.StatusUnprocessableEntity, "That code is not right", `src="data:image/svg`)
}

// The QR code says what an authenticator app needs.
func TestTheQRCodeIsAnApps(t *testing.T) {
	svg, err := drawQR("otpauth://totp/x")
	if err != nil {
		t.Fatal(err)
	}
	encoded, ok := strings.CutPrefix(string(picture(svg)), "data:image/svg+xml;base64,")
	drawn, err := base64.StdEncoding.DecodeString(encoded)
	if !ok || err != nil || string(drawn) != string(svg) {
		t.Errorf("%.60q, %v", encoded, err)
	}
	s := newSite(t)
	secret, err := s.twoStep.NewSecret(ProductName, "alice@example.org")
	if err != nil {
		t.Fatal(err)
	}
	key, err := otp.NewKeyFromURL(secret.URL)
	if err != nil || key.Issuer() != "Live pub quiz" || key.AccountName() != "alice@example.org" || key.Secret() != secret.Text || key.Period() != 30 || key.Digits() != 6 {
		t.Errorf("%s, %v", secret.URL, err)
	}
}

func TestTheFirstFactorAloneOpensNothing(t *testing.T) {
	s := newSite(t)
	phone, _ := s.turnOn(s.host("alice@example.org"))
	b := s.browser()
	wantRedirect(t, b.get("/signin/code"), "/signin")
	const again = "Sign in once more"
	wantShows(t, b.send("POST", "/signin/code", url.Values{"code": {phone.code()}}), http.StatusUnprocessableEntity, again)
	wantRedirect(t, b.send("POST", "/signin", signInForm("alice@example.org", testPassword)), "/signin/code")
	s.exec(`UPDATE users SET password_hash = '$changed'`)
	wantShows(t, b.send("POST", "/signin/code", url.Values{"code": {phone.code()}}), http.StatusUnprocessableEntity, again)
}

func TestTheFirstFactorRunsOut(t *testing.T) {
	s := newSite(t)
	phone, _ := s.turnOn(s.host("alice@example.org"))
	b := s.browser()
	wantRedirect(t, b.send("POST", "/signin", signInForm("alice@example.org", testPassword)), "/signin/code")
	began := s.server.now
	s.server.now = func() time.Time { return began().Add(firstFactorCookieAge) }
	wantShows(t, b.send("POST", "/signin/code", url.Values{"code": {phone.code()}}), http.StatusUnprocessableEntity, "Sign in once more")
}

// A provider is one factor too: what asks for a code after the password asks for one after the provider.
func TestAProviderIsOneFactor(t *testing.T) {
	s := newSite(t)
	owner := s.host("alice@example.org")
	owner.linkTo("brewery", testPassword)
	phone, _ := s.turnOn(owner)
	b := s.browser()
	wantRedirect(t, b.signInAt("brewery", "/host/quizzes/17"), "/signin/code")
	wantRedirect(t, b.send("POST", "/signin/code", url.Values{"code": {phone.code()}}), "/host/quizzes/17")
}

// Whoever knows the password guesses ten codes in a quarter of an hour, from however many addresses, and right codes cost nothing.
func TestCodesAreGuessedTenTimes(t *testing.T) {
	needsLimits(t)
	s := newSite(t)
	phone, _ := s.turnOn(s.host("alice@example.org"))
	first := s.from("127.0.0.4")
	wantRedirect(t, first.send("POST", "/signin", signInForm("alice@example.org", testPassword)), "/signin/code")
	proof := first.value(firstFactorCookie)
	guess := func(address, code string) reply {
		b := s.from(address)
		b.cookie(firstFactorCookie, proof)
		return b.send("POST", "/signin/code", url.Values{"code": {code}})
	}
	for range 3 {
		wantRedirect(t, guess("127.0.0.5", phone.code()), "/host")
	}
	for i := range ratelimit.AuthAccount.Budget {
		wantShows(t, guess("127.0.0."+itoa(int64(10+i%2)), "000000"), http.StatusUnprocessableEntity)
	}
	wantShows(t, guess("127.0.0.6", phone.code()), http.StatusTooManyRequests, "too many attempts to sign in")
}
