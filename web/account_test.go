package web

import (
	"archive/zip"
	"bytes"
	"encoding/json"
	"io"
	"maps"
	"net/http"
	"net/netip"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"pubquiz/account"
	"pubquiz/ratelimit"
)

func TestTheAccountPageIsItsOwners(t *testing.T) {
	s := newSite(t)
	for _, path := range []string{"/account", "/account/delete"} {
		wantRedirect(t, s.browser().get(path), "/signin?"+url.Values{"next": {path}}.Encode())
		if r := s.host(path[1:] + "@example.org").get(path); r.status != http.StatusOK || r.header.Get("Cache-Control") != "no-store" {
			t.Errorf("%s: %d, Cache-Control %q", path, r.status, r.header.Get("Cache-Control"))
		}
	}
	for path := range map[string]bool{"name": true, "email": true, "password": true, "confirmation": true, "browsers/1/end": true, "browsers/end": true, "takeaway": true, "delete": true} {
		wantRedirect(t, s.browser().send("POST", "/account/"+path, url.Values{"password": {testPassword}}), "/signin")
	}
}

func TestRenaming(t *testing.T) {
	s := newSite(t)
	b := s.host("alice@example.org")
	wantShows(t, b.send("POST", "/account/name", url.Values{"name": {strings.Repeat("x", 121)}}), http.StatusUnprocessableEntity,
		`id="rename-name-problem">Shorten`, "<details class=\"act\" open>", strings.Repeat("x", 121))
	wantRedirect(t, b.send("POST", "/account/name", url.Values{"name": {"The <Crown>"}}), "/account?done=name")
	wantShows(t, b.get("/account?done=name"), http.StatusOK, "Your name is changed.", "<bdi>The &lt;Crown&gt;</bdi>")
	wantShows(t, b.get("/account?done=%3Cb%3E"), http.StatusOK, "-&lt;b&gt;", `-role="status"`)
}

// TestWhatIsPrivilegedTakesThePassword: a browser that somebody left open is not enough.
func TestWhatIsPrivilegedTakesThePassword(t *testing.T) {
	s := newMailSite(t)
	b := s.host("alice@example.org")
	for _, path := range []string{"/account/email", "/account/password", "/account/takeaway", "/account/delete"} {
		in := url.Values{"email": {"alice@example.org"}, "new": {"a goose on a bicycle"}, "password": {"wrong password"}}
		wantShows(t, b.send("POST", path, in), http.StatusUnprocessableEntity, "That is not your password", "-a goose", "-wrong password")
	}
	wantShows(t, b.get("/host"), http.StatusOK)
	if letters := s.letters("alice@example.org"); len(letters) != 0 {
		t.Errorf("%+v", letters)
	}
	if _, err := s.server.accounts.SignIn(t.Context(), "alice@example.org", testPassword, account.Device{Address: netip.MustParseAddr("127.0.0.1")}); err != nil {
		t.Error(err)
	}
}

// TestThePasswordOfAnOpenBrowserCannotBeGuessed: guesses count as those at the sign-in do.
func TestThePasswordOfAnOpenBrowserCannotBeGuessed(t *testing.T) {
	needsLimits(t)
	s := newSite(t)
	b := s.host("alice@example.org")
	paths := []string{"/account/password", "/account/takeaway", "/account/delete"}
	for i := range ratelimit.AuthAccount.Budget {
		wantShows(t, b.send("POST", paths[i%3], url.Values{"password": {"wrong password"}}), http.StatusUnprocessableEntity)
	}
	wantShows(t, b.send("POST", "/account/takeaway", url.Values{"password": {testPassword}}), http.StatusTooManyRequests)
}

func TestChangingThePassword(t *testing.T) {
	s := newMailSite(t)
	b := s.host("alice@example.org")
	elsewhere := s.browser()
	wantRedirect(t, elsewhere.send("POST", "/signin", signInForm("alice@example.org", testPassword)), "/host")
	before := s.server.cookieOf(b)
	bad := url.Values{"password": {testPassword}, "new": {"qwertyuiop"}}
	wantShows(t, b.send("POST", "/account/password", bad), http.StatusUnprocessableEntity, `id="change-new-problem">Many people`, "-"+testPassword)
	wantRedirect(t, b.send("POST", "/account/password", url.Values{"password": {testPassword}, "new": {"a goose on a bicycle"}}), "/account?done=password")
	if after := s.server.cookieOf(b); after == before || after == "" {
		t.Error("the browser has no new token")
	}
	wantShows(t, b.get("/host"), http.StatusOK)
	wantRedirect(t, elsewhere.get("/host"), "/signin?next=%2Fhost")
	if letters := s.letters("alice@example.org"); len(letters) != 1 || letters[0].Subject != "Your password was changed" {
		t.Errorf("%+v", letters)
	}
}

func TestChangingTheAddress(t *testing.T) {
	s := newMailSite(t)
	b := s.host("alice@example.org")
	in := url.Values{"password": {testPassword}, "email": {"alice at new.example"}}
	wantShows(t, b.send("POST", "/account/email", in), http.StatusUnprocessableEntity, `id="move-email-problem">Type the whole`, "alice at new.example")
	in.Set("email", "alice@new.example")
	wantRedirect(t, b.send("POST", "/account/email", in), "/account?done=new-address")
	link := s.link("alice@new.example", 1)
	wantShows(t, b.get("/account"), http.StatusOK, "<bdi>alice@example.org</bdi>")
	wantShows(t, s.host("mallory@example.org").get(link), http.StatusGone, "for the account that it was sent for")
	wantRedirect(t, b.send("POST", "/verify", url.Values{"token": {tokenOf(t, link)}}), "/account?done=confirmed")
	wantShows(t, b.get("/account"), http.StatusOK, "<bdi>alice@new.example</bdi>", "confirmed")
	if letters := s.letters("alice@example.org"); len(letters) != 1 || letters[0].Subject != "Your account has a new address" {
		t.Errorf("the old address is told %+v", letters)
	}
}

func TestTheConfirmationIsSentAgain(t *testing.T) {
	s := newMailSite(t)
	b := s.host("alice@example.org")
	wantRedirect(t, b.send("POST", "/account/confirmation", nil), "/account?done=letter")
	wantRedirect(t, b.send("POST", "/verify", url.Values{"token": {tokenOf(t, s.link("alice@example.org", 1))}}), "/account?done=confirmed")
}

var endOnPage = regexp.MustCompile(`action="(/account/browsers/\d+/end)"`)

func TestTheListOfBrowsers(t *testing.T) {
	s := newSite(t)
	b := s.host("alice@example.org")
	const firefox = "Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:141.0) Gecko/20100101 Firefox/141.0"
	phone := s.from("127.0.0.7")
	wantRedirect(t, phone.send("POST", "/signin", signInForm("alice@example.org", testPassword), "User-Agent", firefox), "/host")
	page := b.get("/account")
	wantShows(t, page, http.StatusOK, "Firefox on Windows", "127.0.0.7", "this one", "Seen just now")
	ends := endOnPage.FindAllStringSubmatch(page.body, -1)
	if len(ends) != 2 {
		t.Fatalf("%d browsers: %s", len(ends), page.body)
	}
	stranger := s.host("mallory@example.org")
	wantRedirect(t, stranger.send("POST", ends[1][1], nil), "/account?done=browser")
	wantShows(t, phone.get("/host"), http.StatusOK) // which is not hers to end
	wantRedirect(t, b.send("POST", ends[1][1], nil), "/account?done=browser")
	wantRedirect(t, phone.get("/host"), "/signin?next=%2Fhost")
	wantShows(t, b.send("POST", "/account/browsers/all/end", nil), http.StatusNotFound)
	wantShows(t, b.send("POST", "/account/browsers/end", nil), http.StatusOK, "Signed out everywhere")
	wantRedirect(t, b.get("/host"), "/signin?next=%2Fhost")
	wantShows(t, stranger.get("/host"), http.StatusOK)
}

func TestAgentsInWords(t *testing.T) {
	for agent, want := range map[string]string{
		"Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:141.0) Gecko/20100101 Firefox/141.0":                                                                   "Firefox on Windows",
		"Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/139.0.0.0 Safari/537.36":                                    "Chrome on Windows",
		"Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/139.0.0.0 Safari/537.36 Edg/139.0.0.0":                      "Edge on Windows",
		"Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.5 Safari/605.1.15":                              "Safari on a Mac",
		"Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.5 Mobile/15E148 Safari/604.1":            "Safari on an iPhone",
		"Mozilla/5.0 (iPad; CPU OS 18_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.5 Mobile/15E148 Safari/604.1":                     "Safari on an iPad",
		"Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/139.0.0.0 Mobile Safari/537.36":                                    "Chrome on an Android device",
		"Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/139.0.0.0 Safari/537.36":                                           "Chrome on an Android device",
		"Mozilla/5.0 (X11; CrOS x86_64 14541.0.0) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/139.0.0.0 Safari/537.36":                                     "Chrome on a Chromebook",
		"Mozilla/5.0 (X11; Linux x86_64; rv:141.0) Gecko/20100101 Firefox/141.0":                                                                             "Firefox on Linux",
		"Mozilla/5.0 (Linux; Android 15; SAMSUNG SM-S938B) AppleWebKit/537.36 (KHTML, like Gecko) SamsungBrowser/28.0 Chrome/130.0.0.0 Mobile Safari/537.36": "Samsung Browser on an Android device",
		"": "A browser that does not say which",
		"<script>alert(1)</script>" + strings.Repeat("x", 300): "A browser that does not say which",
	} {
		if got := agentInWords(agent).String(); got != want {
			t.Errorf("%q is %q, want %q", agent, got, want)
		}
	}
}

func TestAgesInWords(t *testing.T) {
	at := time.Date(2026, 3, 4, 5, 6, 7, 0, time.UTC)
	for ago, want := range map[time.Duration]string{
		-time.Second: "Seen just now", 119 * time.Second: "Seen just now", 2 * time.Minute: "Seen 2 minutes ago", 59 * time.Minute: "Seen 59 minutes ago",
		time.Hour: "Seen 1 hour ago", 23*time.Hour + 59*time.Minute: "Seen 23 hours ago", 24 * time.Hour: "Seen on 4 March",
	} {
		if got := seenInWords(ago, at).String(); got != want {
			t.Errorf("%v ago is %q, want %q", ago, got, want)
		}
	}
}

// TestEverythingInOneFile: what is a host's, and nothing of what proves who they are, nor of others.
func TestEverythingInOneFile(t *testing.T) {
	s := newSite(t)
	l := s.open(s.host("alice@example.org"))
	l.phone("The Owls")
	s.exec(`INSERT INTO user_identities (user_id, issuer, subject, email) VALUES (1, 'https://brewery.example', 'secret subject', 'alice@brewery.example')`)
	s.exec(`INSERT INTO user_passkeys (user_id, name, credential_id, credential) VALUES (1, 'My phone', '\x01', '{"publicKey": "secret key"}')`)
	s.exec(`INSERT INTO user_totp (user_id, secret_sealed, last_step, enabled_at) VALUES (1, 'secret', 0, '2026-11-05T19:00:00Z')`)
	clip := film(300_000) // in several pieces
	mine := l.host.send("POST", "/api/v1/media", bytes.NewReader(clip)).json(t)["id"].(string)
	others := s.open(s.host("mallory@example.org"))
	mallory := others.host
	s.exec(`INSERT INTO cohosts (session_id, number, owner_id, user_id, token_hash) SELECT id, 1, owner_id, 1, sha256('secret') FROM sessions WHERE public_id = '` + others.id + `'`)
	mallory.send("POST", "/api/v1/media", bytes.NewReader(film(200)))

	l.host.send("PUT", "/api/v1/look", map[string]any{"accent": "#7a1f3d"})
	r := l.host.send("POST", "/account/takeaway", url.Values{"password": {testPassword}})
	if r.status != http.StatusOK || r.header.Get("Content-Type") != "application/zip" || !strings.Contains(r.header.Get("Content-Disposition"), "attachment") ||
		r.header.Get("Cache-Control") != "no-store" {
		t.Fatalf("%d %v", r.status, r.header)
	}
	folder, err := zip.NewReader(strings.NewReader(r.body), int64(len(r.body)))
	if err != nil {
		t.Fatal(err)
	}
	files := map[string]string{}
	for _, file := range folder.File {
		opened, err := file.Open()
		if err != nil {
			t.Fatal(err)
		}
		content, err := io.ReadAll(opened)
		if err != nil || strings.HasSuffix(file.Name, ".json") && !json.Valid(content) {
			t.Errorf("%s: %v", file.Name, err)
		}
		files[file.Name] = string(content)
	}
	profile, evening, media := "account.json", "sessions/"+l.id+".json", "media/"+mine+".mp4"
	if want := []string{profile, "cohosted.json", "look.json", media, "plan.json", "quizzes/1.json", evening}; !slices.Equal(slices.Sorted(maps.Keys(files)), want) {
		t.Errorf("the files are %v, want %v", slices.Sorted(maps.Keys(files)), want)
	}
	for name, wants := range map[string][]string{
		profile: {`"alice@example.org"`, `"https://brewery.example"`, `"alice@brewery.example"`, `"My phone"`, `"twoStepSince": "2026-11-05T19:00:00Z"`},
		evening: {"The Owls"},
		media:   {string(clip)},

		"cohosted.json": {others.id},

		"look.json": {`"#7a1f3d"`},
		"plan.json": {`"free"`},
	} {
		for _, want := range wants {
			if !strings.Contains(files[name], want) {
				t.Errorf("%s has no %.80q", name, want)
			}
		}
	}
	for name, content := range files {
		for _, secret := range []string{"argon2id", "secret", "mallory"} {
			if strings.Contains(content, secret) {
				t.Errorf("%s tells of %s", name, secret)
			}
		}
	}
}

// TestTakingAwayCannotFillTheMemory: a host whose line is slow, or who makes it so, holds no more than a few evenings in memory.
func TestTakingAwayCannotFillTheMemory(t *testing.T) {
	s := newSite(t)
	b, other := s.host("host@quiz.example"), s.host("other@quiz.example")
	take := func(b *browser) int {
		return b.send("POST", "/account/takeaway", url.Values{"password": {testPassword}}).status
	}
	var ends []func()
	for range transfersOfOne {
		end, err := s.server.takeaways.begin(1)
		if err != nil {
			t.Fatal(err)
		}
		ends = append(ends, end)
	}
	if status := take(b); status != http.StatusServiceUnavailable {
		t.Errorf("one more of the host: %d", status)
	}
	if status := take(other); status != http.StatusOK {
		t.Errorf("another host: %d", status)
	}
	for _, end := range ends {
		end()
	}
	if status := take(b); status != http.StatusOK {
		t.Errorf("afterwards: %d", status)
	}
}

func TestLeaving(t *testing.T) {
	s := newMailSite(t)
	l := s.open(s.host("alice@example.org"))
	wantShows(t, l.host.get("/account/delete"), http.StatusOK, "Quizzes", "Sessions", "You have none that is paid for", "cannot be taken back")
	leave := func(email string) reply {
		return l.host.send("POST", "/account/delete", url.Values{"email": {email}, "password": {testPassword}})
	}
	wantShows(t, leave("bob@example.org"), http.StatusUnprocessableEntity, `id="email-problem">That is not the address`)
	wantShows(t, leave("alice"), http.StatusUnprocessableEntity, `id="email-problem">Type the whole`)
	wantShows(t, leave("Alice@Example.org"), http.StatusUnprocessableEntity, "One of your sessions is still open")
	l.command("finish")
	wantShows(t, leave("Alice@Example.org"), http.StatusOK, "Your account is deleted")
	wantRedirect(t, l.host.get("/host"), "/signin?next=%2Fhost")
	if letters := s.letters("alice@example.org"); len(letters) != 1 || letters[0].Subject != "Your account is deleted" {
		t.Errorf("%+v", letters)
	}
	wantShows(t, s.browser().send("POST", "/signin", signInForm("alice@example.org", testPassword)), http.StatusUnprocessableEntity)
}

// TestAnUnconfirmedHostHasThirtyPlaces, where the address could be confirmed.
func TestAnUnconfirmedHostHasThirtyPlaces(t *testing.T) {
	s := newMailSite(t)
	l := s.open(s.host("alice@example.org"))
	if capacity := l.poll(l.host, "host")["shared"].(map[string]any)["capacity"]; capacity != 30.0 {
		t.Errorf("the session has %v places", capacity)
	}
	places := func(n int) reply {
		return l.host.send("POST", l.path("commands"), map[string]any{"version": l.version, "command": "setCapacity", "capacity": n})
	}
	r := places(31)
	if problem := r.json(t); r.status != http.StatusUnprocessableEntity || problem["field"] != "capacity" || !strings.Contains(problem["detail"].(string), "30 places until you have confirmed") {
		t.Errorf("31 places: %d %v", r.status, problem)
	}
	if r := places(30); r.status != http.StatusOK {
		t.Fatalf("30 places: %d %s", r.status, r.body)
	}
	l.version++
	wantRedirect(t, l.host.send("POST", "/account/confirmation", nil), "/account?done=letter")
	wantRedirect(t, l.host.send("POST", "/verify", url.Values{"token": {tokenOf(t, s.link("alice@example.org", 1))}}), "/account?done=confirmed")
	if r := places(500); r.status != http.StatusOK {
		t.Errorf("500 places, confirmed: %d %s", r.status, r.body)
	}
	unmailed := s.open(l.host)
	if capacity := unmailed.poll(l.host, "host")["shared"].(map[string]any)["capacity"]; capacity != 100.0 {
		t.Errorf("the next session has %v places", capacity)
	}
}
