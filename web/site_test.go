package web

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"net/http"
	"net/http/cookiejar"
	"net/http/httptest"
	"net/netip"
	"net/url"
	"os"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/jackc/pgx/v5/pgxpool"

	"pubquiz/account"
	"pubquiz/internal/dbtest"
	"pubquiz/internal/mail"
	"pubquiz/internal/openidtest"
	"pubquiz/internal/stripetest"
	"pubquiz/quiz"
	"pubquiz/quiz/look"
	"pubquiz/ratelimit"
	"pubquiz/session"
)

func TestMain(m *testing.M) { os.Exit(dbtest.Run(m)) }

// site is the whole product on a port and a database of its own.
type site struct {
	t        *testing.T
	url      string
	server   *Server
	pool     *pgxpool.Pool
	sessions *session.Service
	keys     session.Keys
	outbox   *mail.Outbox // nil where no mail is sent
	tray     *mail.Tray
	stripe   *stripetest.Stripe // where plans are paid for

	twoStep        *account.TwoStep
	ahead          atomic.Int64       // seconds by which authenticator apps and what checks their codes are ahead
	brewery, other *openidtest.Issuer // with whom one may sign in
}

const (
	testPassword     = "correct horse battery"
	testPasswordHash = "$argon2id$v=19$m=19456,t=2,p=1$c2FsdCBvZiBhIHRlc3Qncw$++Vrz+LrsdGt79/pfkOE+8FDa3GwBDa3oXCFGFglebU"
	operatorEmail    = "operator@quiz.example"
)

// limitersOff runs the tests without limiters, which guarantee nothing: all that is not about the limits themselves
// must hold all the same.
var limitersOff = os.Getenv("TEST_LIMITERS") == "off"

// needsLimits skips a test of the limits themselves when they are off.
func needsLimits(t *testing.T) {
	t.Helper()
	if limitersOff {
		t.Skip("about the limits, which are off")
	}
}

// newSite starts a site with these limits. It sends no mail.
func newSite(t *testing.T, limits ...ratelimit.Option) *site {
	t.Helper()
	return startSite(t, nil, nil, limits...)
}

// startSite starts a site that sends its mail to a tray and bounds what hosts open by their plans, each unless it is nil.
func startSite(t *testing.T, tray *mail.Tray, allowance planReader, limits ...ratelimit.Option) *site {
	t.Helper()
	t.Parallel()
	if limitersOff {
		limits = append(limits, ratelimit.Unlimited())
	}
	s := &site{t: t, pool: dbtest.New(t)}
	limiters, err := ratelimit.New(ratelimit.Table, limits...)
	if err != nil {
		t.Fatal(err)
	}
	if s.keys, err = session.NewKeys(bytes.Repeat([]byte("k"), 32)); err != nil {
		t.Fatal(err)
	}
	httpServer := httptest.NewUnstartedServer(nil)
	base := &url.URL{Scheme: "http", Host: httpServer.Listener.Addr().String()}
	s.url = base.String()
	if s.tray = tray; tray != nil {
		if s.outbox, err = mail.NewOutbox(s.pool, s.keys...); err != nil {
			t.Fatal(err)
		}
	}
	s.sessions = session.New(s.pool, session.Config{Now: time.Now, Grace: 200 * time.Millisecond, BaseURL: base, VerifiedOnly: tray != nil, Allowance: allowance})
	accounts := account.New(s.pool, account.Config{Mail: s.outbox, BaseURL: base})
	if s.twoStep, err = account.NewTwoStep(accounts, s.appClock, s.keys...); err != nil {
		t.Fatal(err)
	}
	s.brewery, s.other = openidtest.New(t), openidtest.New(t)
	plans := s.sell(base)
	s.server, err = New(Config{
		Billing: plans,
		TwoStep: s.twoStep, Passkeys: s.passkeys(accounts), Providers: s.providers(base),
		Accounts: accounts, Mail: s.outbox, Tray: tray, Quizzes: quiz.NewStore(s.pool), Media: quiz.NewMediaStore(s.pool), Looks: look.NewStore(s.pool), Sessions: s.sessions, Keys: s.keys, Limiters: limiters,
		Operators: []string{operatorEmail}, BaseURL: base, Now: time.Now, Ready: []Check{{"database", s.pool.Ping}},
	})
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan struct{})
	go func() { s.sessions.Run(ctx); close(done) }()
	httpServer.Config.Handler = s.server
	httpServer.Start()
	t.Cleanup(func() {
		s.server.DrainSockets(context.WithoutCancel(t.Context()), time.Millisecond)
		httpServer.Close()
		cancel()
		<-done
	})
	return s
}

// browser is somebody's browser: it keeps cookies and follows no redirects.
type browser struct {
	site *site
	http *http.Client
}

func (s *site) browser() *browser {
	jar, err := cookiejar.New(nil)
	if err != nil {
		s.t.Fatal(err)
	}
	return &browser{s, &http.Client{Jar: jar, CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}}
}

// reply is an answer, read to its end.
type reply struct {
	status int
	header http.Header
	body   string
}

// json decodes the body.
func (r reply) json(t *testing.T) map[string]any {
	t.Helper()
	var m map[string]any
	if err := json.Unmarshal([]byte(r.body), &m); err != nil {
		t.Fatalf("%d %s: %v", r.status, r.body, err)
	}
	return m
}

// send makes a request: with a body that is a url.Values a form, with an io.Reader a file as it is, with any other a JSON body.
func (b *browser) send(method, path string, body any, header ...string) reply {
	b.site.t.Helper()
	var reader io.Reader
	kind := ""
	switch body := body.(type) {
	case nil:
	case io.Reader:
		reader = body
	case url.Values:
		reader, kind = strings.NewReader(body.Encode()), "application/x-www-form-urlencoded"
	case string:
		reader, kind = strings.NewReader(body), "application/json"
	default:
		encoded, err := json.Marshal(body)
		if err != nil {
			b.site.t.Fatal(err)
		}
		reader, kind = bytes.NewReader(encoded), "application/json"
	}
	req, err := http.NewRequestWithContext(b.site.t.Context(), method, b.site.url+path, reader)
	if err != nil {
		b.site.t.Fatal(err)
	}
	if kind != "" {
		req.Header.Set("Content-Type", kind)
	}
	for i := 0; i+1 < len(header); i += 2 {
		req.Header.Set(header[i], header[i+1])
	}
	res, err := b.http.Do(req)
	if err != nil {
		b.site.t.Fatal(err)
	}
	defer res.Body.Close()
	text, err := io.ReadAll(res.Body)
	if err != nil {
		b.site.t.Fatal(err)
	}
	r := reply{res.StatusCode, res.Header, string(text)}
	if err := undescribed(req, r); err != nil {
		b.site.t.Errorf("%s %s is not as the API's description has it: %v", method, path, err)
	}
	return r
}

func (b *browser) get(path string, header ...string) reply {
	return b.send("GET", path, nil, header...)
}

// cookie sets a cookie as the server would.
func (b *browser) cookie(name, value string) {
	b.site.t.Helper()
	u, err := url.Parse(b.site.url)
	if err != nil {
		b.site.t.Fatal(err)
	}
	b.http.Jar.SetCookies(u, []*http.Cookie{{Name: b.site.server.cookieName(name), Value: value, Path: "/"}})
}

// value is that of a cookie which the browser holds.
func (b *browser) value(name string) string {
	b.site.t.Helper()
	u, err := url.Parse(b.site.url)
	if err != nil {
		b.site.t.Fatal(err)
	}
	for _, c := range b.http.Jar.Cookies(u) {
		if c.Name == b.site.server.cookieName(name) {
			return c.Value
		}
	}
	return ""
}

// host is a signed-in host's browser. To sign up hashes a password, which takes longer than most tests have otherwise to do.
func (s *site) host(email string) *browser {
	s.t.Helper()
	device := account.Device{Address: netip.MustParseAddr("127.0.0.1"), Agent: "test"}
	user, err := s.server.accounts.EnsureUser(s.t.Context(), email, "Host")
	if err != nil {
		s.t.Fatal(err)
	}
	s.exec(`UPDATE users SET password_hash = $2, email_verified_at = NULL WHERE id = $1`, user, testPasswordHash)
	link, err := s.server.accounts.CreateLink(s.t.Context(), user)
	if err != nil {
		s.t.Fatal(err)
	}
	token, err := s.server.accounts.UseLink(s.t.Context(), link, device)
	if err != nil {
		s.t.Fatal(err)
	}
	b := s.browser()
	b.cookie(hostCookie, s.keys.SealHost(token))
	return b
}

// live is a session with its host at the console.
type live struct {
	*site
	host    *browser
	id      string
	code    string
	version int64
}

// open opens a session of the sample quiz.
func (s *site) open(host *browser) *live {
	s.t.Helper()
	return s.openQuiz(host, quiz.Sample())
}

// openQuiz opens a session of a quiz.
func (s *site) openQuiz(host *browser, content quiz.Content) *live {
	s.t.Helper()
	owner := s.ownerOf(host)
	quizID, err := s.server.quizzes.Create(s.t.Context(), owner, content)
	if err != nil {
		s.t.Fatal(err)
	}
	l := &live{site: s, host: host}
	if l.id, err = s.sessions.Open(s.t.Context(), owner, quizID, content); err != nil {
		s.t.Fatal(err)
	}
	shared := l.poll(host, "host")["shared"].(map[string]any)
	l.code, l.version = shared["joinCode"].(string), int64(shared["version"].(float64))
	return l
}

// ownerOf is the host whose browser it is.
func (s *site) ownerOf(b *browser) quiz.OwnerID {
	s.t.Helper()
	user, err := s.server.accounts.Authenticate(s.t.Context(), s.server.cookieOf(b))
	if err != nil {
		s.t.Fatal(err)
	}
	return quiz.OwnerID(user.ID)
}

// cookieOf is the sign-in that a browser holds.
func (s *Server) cookieOf(b *browser) string {
	u, _ := url.Parse(b.site.url)
	for _, c := range b.http.Jar.Cookies(u) {
		if c.Name == s.cookieName(hostCookie) {
			token, _ := s.keys.OpenHost(c.Value)
			return token
		}
	}
	return ""
}

func (l *live) path(rest string) string { return "/api/v1/sessions/" + l.id + "/" + rest }

// poll polls in a role and fails the test unless it is answered.
func (l *live) poll(b *browser, role string) map[string]any {
	l.t.Helper()
	r := b.get(l.path(role))
	if r.status != http.StatusOK {
		l.t.Fatalf("polling as %s: %d %s", role, r.status, r.body)
	}
	return r.json(l.t)
}

// command drives the session one step.
func (l *live) command(name string) {
	l.t.Helper()
	r := l.host.send("POST", l.path("commands"), map[string]any{"version": l.version, "command": name})
	if r.status != http.StatusOK {
		l.t.Fatalf("%s: %d %s", name, r.status, r.body)
	}
	l.version = int64(r.json(l.t)["version"].(float64))
}

// phone is a phone that has joined.
func (l *live) phone(name string) *browser {
	l.t.Helper()
	b := l.browser()
	if r := l.joins(b, name); r.status != http.StatusCreated {
		l.t.Fatalf("%s joins: %d %s", name, r.status, r.body)
	}
	return b
}

func (l *live) joins(b *browser, name string) reply {
	l.t.Helper()
	return b.send("POST", "/api/v1/join/"+l.code, map[string]string{"name": name, "attempt": strings.ReplaceAll(name, " ", "_") + "-0123456789abcdef"})
}

// ampleTime is how long a test waits for what happens by itself, which is far longer than that takes, also on a busy machine.
const ampleTime = time.Minute

// until waits for something that happens by itself, and fails the test if it does not.
func until(t *testing.T, what string, happened func() bool) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), ampleTime)
	defer cancel()
	tick := time.NewTicker(5 * time.Millisecond)
	defer tick.Stop()
	for !happened() {
		select {
		case <-ctx.Done():
			t.Fatalf("%s did not happen", what)
		case <-tick.C:
		}
	}
}
