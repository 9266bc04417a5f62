package main

import (
	"bytes"
	"context"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"log/slog"
	"math/big"
	"net"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"os"
	"os/exec"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"pubquiz/billing"
	"pubquiz/internal/dbtest"
	"pubquiz/internal/mailtest"
	"pubquiz/internal/openidtest"
	"pubquiz/internal/redistest"
)

// said lists what was found about something, its level before it.
func said(found []finding, about string) string {
	var all strings.Builder
	for _, f := range found {
		if f.About == about {
			all.WriteString(string(f.Is) + ": " + f.Says + ". " + f.Do + "\n")
		}
	}
	return all.String()
}

// expect checks what is said about something: that it is of a level, and has these words.
func expect(t *testing.T, found []finding, about string, is level, words string) {
	t.Helper()
	for line := range strings.Lines(said(found, about)) {
		if strings.HasPrefix(line, string(is)+": ") && strings.Contains(line, words) {
			return
		}
	}
	t.Errorf("of the %s is said\n%s, want %s: %s", about, said(found, about), is, words)
}

// withProvider are the variables of hosts who sign in at an issuer.
func withProvider(issuer string) environment {
	return environment{"OIDC_PROVIDERS": "brewery", "OIDC_BREWERY_ISSUER": issuer, "OIDC_BREWERY_CLIENT_ID": openidtest.ClientID, "OIDC_BREWERY_CLIENT_SECRET": openidtest.ClientSecret}
}

// TestDoctorFindsNothingWrong has the command look at an installation in which everything is as it should be.
func TestDoctorFindsNothingWrong(t *testing.T) {
	t.Parallel()
	c := &cluster{t: t, folder: dbtest.Folder(t)}
	c.startDatabase()
	t.Cleanup(func() { _ = c.database.Stop() })
	if err := c.database.Create(t.Context(), "quizd"); err != nil {
		t.Fatal(err)
	}
	port := freePort(t)
	settings := environment{
		"DATABASE_URL": c.database.URL("quizd"), "REDIS_URL": redistest.Start(t).URL, "SMTP_URL": "smtp://" + mailtest.Start(t).SMTP + "?tls=none", "MAIL_FROM": "quiz@example.org",
		"BASE_URL": "http://localhost:" + port, "LISTEN_ADDRESS": "127.0.0.1:" + port, "SECRET_KEYS": keyA,
	}.with(withProvider(openidtest.New(t).URL))
	startInstance(t, settings)
	out, errs, code := output(t, quizd(t, settings, "doctor"))
	if code != 0 || strings.Contains(out, "WRONG") {
		t.Errorf("exit status %d, %s\n%s", code, errs, out)
	}
	for _, about := range []string{"configuration", "files", "database", "redis", "mail", "sign-in: brewery", "site", "client address"} {
		if !strings.Contains(out, about) {
			t.Errorf("nothing is said about %s:\n%s", about, out)
		}
	}
	if strings.Contains(out, "\x1b") || strings.Contains(out, keyA) || strings.Contains(out, openidtest.ClientSecret) {
		t.Errorf("colours or secrets are in\n%s", out)
	}
	if !strings.Contains(out, "instances running: 1") {
		t.Errorf("the instance is not noticed:\n%s", out)
	}
}

func TestDoctorNamesEveryMistake(t *testing.T) {
	t.Parallel()
	out, errs, code := output(t, quizd(t, environment{
		"BASE_URL": "quiz.example.org", "SECRET_KEYS": "short", "ANSWER_GRACE": "soon", "TRUSTED_PROXIES": "everybody", "MAIL_FROM": "quiz@example.org", "STRIPE_WEBHOOK_SECRET": "whsec_1", "OIDC_PROVIDERS": "brewery",
	}, "doctor"))
	if code != 1 || !strings.Contains(errs, "things are wrong") {
		t.Errorf("exit status %d: %s", code, errs)
	}
	for _, mistake := range []string{
		"DATABASE_URL is not set", "BASE_URL: it must begin with", "SECRET_KEYS: key 1 has 5 characters", "ANSWER_GRACE: it must be a duration", "TRUSTED_PROXIES: ", "MAIL_FROM is set, but neither",
		"STRIPE_WEBHOOK_SECRET is set, but neither", "OIDC_BREWERY_CLIENT_ID is not set",
	} {
		if strings.Count(out, mistake) != 1 {
			t.Errorf("%q is not said once:\n%s", mistake, out)
		}
	}
	if strings.Contains(out, "SECRET_KEYS is not set") {
		t.Errorf("a key that cannot be read is said not to be there:\n%s", out)
	}
}

func TestDoctorOnDatabases(t *testing.T) {
	t.Parallel()
	look := func(address string) []finding {
		return config{Database: Database{DatabaseURL: databaseURL(address)}}.checkDatabase(t.Context())
	}
	change := func(address string, change func(*url.URL, url.Values)) string {
		t.Helper()
		u, err := url.Parse(address)
		if err != nil {
			t.Fatal(err)
		}
		query := u.Query()
		change(u, query)
		u.RawQuery = query.Encode()
		return u.String()
	}
	run := func(address string, sql ...string) {
		t.Helper()
		conn, err := pgx.Connect(t.Context(), address)
		if err != nil {
			t.Fatal(err)
		}
		defer conn.Close(t.Context())
		for _, s := range sql {
			if _, err := conn.Exec(t.Context(), s); err != nil {
				t.Fatal(err)
			}
		}
	}
	good := dbtest.URL(t)
	found := look(good)
	expect(t, found, aboutDatabase, fineLevel, "Postgres ")
	expect(t, found, aboutDatabase, fineLevel, "its schema is at the newest step")
	expect(t, found, aboutDatabase, fineLevel, "may do what a server does")
	expect(t, found, aboutDatabase, fineLevel, "its clock and this machine's are")
	if os.Getenv("TEST_DATABASE_URL") == "" { // a test's own server gives safety up for speed
		expect(t, found, aboutDatabase, wrongLevel, "a power cut loses answers")
	}
	expect(t, look("postgres://quizd@localhost:"+freePort(t)+"/quizd"), aboutDatabase, wrongLevel, "it does not answer")
	expect(t, look("postgres://quizd@nowhere.invalid/quizd"), aboutDatabase, wrongLevel, "nobody knows the host nowhere.invalid")
	expect(t, look(change(good, func(u *url.URL, _ url.Values) { u.Path = "/nothing" })), aboutDatabase, wrongLevel, "make the database")
	expect(t, look(change(good, func(u *url.URL, q url.Values) { u.User = nil; q.Set("user", "stranger") })), aboutDatabase, wrongLevel, "the user and the password that Postgres knows")
	expect(t, look(change(good, func(_ *url.URL, q url.Values) { q.Set("pool_max_conns", "5000") })), aboutDatabase, wrongLevel, "lower the pool")
	expect(t, look(emptyDatabase(t)), aboutDatabase, lookLevel, "it is empty")

	restored := dbtest.URL(t) // as pg_restore leaves it to a superuser
	role := "stranger_" + strings.ToLower(rand.Text())
	another := "another_" + strings.ToLower(rand.Text())
	run(restored, "CREATE ROLE "+role+" LOGIN", "CREATE ROLE "+another)
	t.Cleanup(func() {
		conn, err := pgx.Connect(context.WithoutCancel(t.Context()), good)
		if err == nil {
			_, err = conn.Exec(context.WithoutCancel(t.Context()), "DROP ROLE "+role+", "+another)
			conn.Close(context.WithoutCancel(t.Context()))
		}
		if err != nil {
			t.Error(err)
		}
	})
	asRole := change(restored, func(u *url.URL, q url.Values) {
		if u.User != nil {
			u.User = url.User(role)
		}
		q.Set("user", role)
	})
	found = look(asRole)
	expect(t, found, aboutDatabase, wrongLevel, "createdb --owner="+role)
	expect(t, found, aboutDatabase, wrongLevel, "may not read which step")
	run(restored, "GRANT CREATE ON SCHEMA public TO "+role, `DO $$ DECLARE t record; BEGIN
		FOR t IN SELECT oid::regclass AS name FROM pg_class WHERE relnamespace = 'public'::regnamespace
			AND (relkind = 'r' OR relkind = 'S' AND NOT EXISTS (SELECT FROM pg_depend WHERE objid = pg_class.oid AND deptype IN ('a', 'i'))) LOOP -- the columns' own follow their tables
			EXECUTE format('ALTER TABLE %s OWNER TO `+another+`', t.name);
		END LOOP;
	END $$`)
	found = look(asRole)
	expect(t, found, aboutDatabase, wrongLevel, "REASSIGN OWNED BY")
	for _, f := range found {
		if _, advice, ok := strings.Cut(f.Do, "in this database: "); ok {
			run(restored, advice)
		}
	}
	expect(t, look(asRole), aboutDatabase, fineLevel, "may do what a server does")
	run(restored, "REASSIGN OWNED BY "+role+" TO CURRENT_USER", "DROP OWNED BY "+role)

	dirty := dbtest.URL(t)
	run(dirty, "UPDATE schema_migrations SET dirty = true")
	expect(t, look(dirty), aboutDatabase, wrongLevel, "was begun")
	run(dirty, "UPDATE schema_migrations SET dirty = false, version = 999999")
	expect(t, look(dirty), aboutDatabase, lookLevel, "newer than this program's")
	run(dirty, "UPDATE schema_migrations SET version = 1")
	expect(t, look(dirty), aboutDatabase, fineLevel, "serve brings it to")
}

func TestClockFinding(t *testing.T) {
	for ahead, want := range map[time.Duration]level{0: fineLevel, -time.Second: fineLevel, time.Minute: lookLevel, -time.Minute: lookLevel} {
		if got := clockFinding(ahead); got.Is != want {
			t.Errorf("%v ahead: %+v, want %s", ahead, got, want)
		}
	}
}

func TestDoctorOnPeers(t *testing.T) {
	t.Parallel()
	t.Run("Redis", func(t *testing.T) {
		t.Parallel()
		redis := redistest.Start(t)
		c := config{RedisURL: redisURL(redis.URL)}
		expect(t, c.checkRedis(t.Context()), "redis", fineLevel, "")
		redis.Signal(syscall.SIGSTOP)
		expect(t, c.checkRedis(t.Context()), "redis", wrongLevel, "cannot be used")
		redis.Signal(syscall.SIGCONT)
		redis.Kill()
		expect(t, c.checkRedis(t.Context()), "redis", wrongLevel, "cannot be used")
	})
	t.Run("mail", func(t *testing.T) {
		t.Parallel()
		look := func(address string) []finding {
			t.Helper()
			sender, err := Mail{SMTPURL: smtpURL(address), MailFrom: "quiz@example.org"}.sender()
			if err != nil {
				t.Fatal(err)
			}
			return config{letters: sender}.checkMail(t.Context())
		}
		server := mailtest.Start(t)
		expect(t, look("smtp://"+server.SMTP+"?tls=none"), "mail", fineLevel, "no letter was sent")
		expect(t, look("smtp://"+server.SMTP), "mail", wrongLevel, "STARTTLS")
		expect(t, look("smtp://quiz:hunter2@"+server.SMTP+"?tls=none"), "mail", wrongLevel, "AUTH")
		expect(t, look("smtps://localhost:"+freePort(t)), "mail", wrongLevel, "refused")
	})
	t.Run("provider", func(t *testing.T) {
		t.Parallel()
		issuer := openidtest.New(t)
		look := func() []finding {
			t.Helper()
			c, err := readConfig(environment(complete()).with(withProvider(issuer.URL)))
			if err != nil {
				t.Fatal(err)
			}
			return checkProvider(t.Context(), c.signInProviders(nil)[0])
		}
		expect(t, look(), "sign-in: brewery", fineLevel, "")
		issuer.Now(func(s *openidtest.State) { s.Down = true })
		expect(t, look(), "sign-in: brewery", wrongLevel, "503")
	})
	t.Run("Stripe", func(t *testing.T) {
		t.Parallel()
		c, err := readConfig(environment(complete()).with(sold))
		if err != nil {
			t.Fatal(err)
		}
		fake := stripeOf(t, &c)
		const hook = "https://quiz.example.org/webhooks/stripe"
		expect(t, c.checkStripe(t.Context()), "stripe", wrongLevel, "no webhook endpoint at Stripe is "+hook)
		fake.AddEndpoint("https://elsewhere.example/hook", "enabled", "*")
		fake.AddEndpoint(hook, "disabled", billing.Events()[1:]...)
		found := c.checkStripe(t.Context())
		expect(t, found, "stripe", wrongLevel, "is disabled at Stripe")
		expect(t, found, "stripe", wrongLevel, "is not sent "+billing.Events()[0])

		second, err := readConfig(environment(complete()).with(sold))
		if err != nil {
			t.Fatal(err)
		}
		good := stripeOf(t, &second)
		good.AddEndpoint(hook, "enabled", billing.Events()...)
		expect(t, second.checkStripe(t.Context()), "stripe", fineLevel, "")
		second.sold.Prices.Prices = slices.Clone(second.sold.Prices.Prices)
		second.sold.Prices.Prices[0].ID = "price_of_nobody"
		expect(t, second.checkStripe(t.Context()), "stripe", wrongLevel, "price_of_nobody, is not at Stripe")
		second.sold.SecretKey = "sk_test_wrong"
		expect(t, second.checkStripe(t.Context()), "stripe", wrongLevel, "Invalid API Key")
	})
	t.Run("files", func(t *testing.T) {
		t.Parallel()
		shell := quizd(t, nil, "doctor")
		limited := exec.CommandContext(t.Context(), "sh", "-c", "ulimit -n 200 && exec "+shell.Path+" doctor")
		limited.Env = shell.Env
		if out, _, code := output(t, limited); code != 1 || !strings.Contains(out, "WRONG  200 may be open here") {
			t.Errorf("exit status %d: %s", code, out)
		}
	})
}

// TestDoctorOnSites looks at addresses at which something else is than a server in order.
func TestDoctorOnSites(t *testing.T) {
	t.Parallel()
	look := func(base string) []finding {
		return config{BaseURL: baseURL(base), AddressHeader: "X-Forwarded-For", SecretKeys: secretKeys{[]byte(keyA)}}.checkSite(t.Context())
	}
	serve := func(handle http.HandlerFunc) string {
		server := httptest.NewServer(handle)
		t.Cleanup(server.Close)
		return server.URL
	}
	expect(t, look("http://localhost:"+freePort(t)), "site", wrongLevel, "nobody answers")
	expect(t, look("http://nowhere.invalid"), "site", wrongLevel, "nobody knows the host nowhere.invalid")
	expect(t, look(serve(http.NotFound)), "site", wrongLevel, "no quizd")
	expect(t, look(serve(func(w http.ResponseWriter, _ *http.Request) { _, _ = w.Write([]byte("<h1>Welcome to nginx</h1>")) })), "site", wrongLevel, "something else than quizd")
	expect(t, look(serve(func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusServiceUnavailable) })), "site", wrongLevel, "not ready")
	expect(t, look(serve(func(w http.ResponseWriter, r *http.Request) {
		http.Redirect(w, r, "https://quiz.example.org/readyz", http.StatusMovedPermanently)
	})), "site", wrongLevel, "leads on to https://quiz.example.org/readyz")

	secure := func(until time.Time) string {
		t.Helper()
		server := httptest.NewUnstartedServer(http.NotFoundHandler())
		server.TLS = &tls.Config{Certificates: []tls.Certificate{certificate(t, until)}}
		server.Config.ErrorLog = slog.NewLogLogger(slog.DiscardHandler, slog.LevelDebug) // the doctor hangs up
		server.StartTLS()
		t.Cleanup(server.Close)
		return server.URL
	}
	expect(t, look(secure(time.Now().Add(24*time.Hour))), "site", wrongLevel, "browsers will warn of its certificate")
	for left, want := range map[time.Duration]level{time.Hour: wrongLevel, 10 * 24 * time.Hour: lookLevel, 80 * 24 * time.Hour: fineLevel} {
		now := time.Now()
		if got := certificateFinding(&x509.Certificate{NotAfter: now.Add(left)}, now); got.Is != want {
			t.Errorf("%v left: %+v, want %s", left, got, want)
		}
	}
	expired := &tls.CertificateVerificationError{Err: x509.CertificateInvalidError{Cert: &x509.Certificate{NotAfter: time.Date(2026, 1, 2, 0, 0, 0, 0, time.UTC)}, Reason: x509.Expired}}
	expect(t, []finding{siteAway(expired)}, "site", wrongLevel, "ran out on 2 January 2026")
}

// certificate makes one that nobody has vouched for.
func certificate(t *testing.T, until time.Time) tls.Certificate {
	t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	template := &x509.Certificate{SerialNumber: big.NewInt(1), NotAfter: until, IPAddresses: []net.IP{net.IPv4(127, 0, 0, 1)}}
	made, err := x509.CreateCertificate(rand.Reader, template, template, &key.PublicKey, key)
	if err != nil {
		t.Fatal(err)
	}
	return tls.Certificate{Certificate: [][]byte{made}, PrivateKey: key}
}

// TestDoctorOnProxies asks a server whom it takes us for, with a proxy between that is known to it or not, and honest or not.
func TestDoctorOnProxies(t *testing.T) {
	t.Parallel()
	const proxyAddress = "127.0.0.2" // of the loopback's network, but not ours
	if listener, err := net.Listen("tcp", proxyAddress+":0"); err != nil {
		t.Skip("this system has one loopback address only: ", err)
	} else {
		listener.Close()
	}
	appends := func(r *httputil.ProxyRequest) {
		r.Out.Header["X-Forwarded-For"] = r.In.Header["X-Forwarded-For"]
		r.SetXForwarded()
	}
	passesOn := func(r *httputil.ProxyRequest) { r.Out.Header["X-Forwarded-For"] = r.In.Header["X-Forwarded-For"] }
	for name, test := range map[string]struct {
		trusted string
		forward func(*httputil.ProxyRequest) // nil: there is no proxy
		is      level
		says    string
	}{
		"no proxy":                       {"", nil, fineLevel, "takes this machine for 127.0.0.1"},
		"no proxy, but we are one":       {"127.0.0.1", nil, lookLevel, "is itself one of the TRUSTED_PROXIES"},
		"a proxy that appends":           {proxyAddress, appends, fineLevel, "takes this machine for 127.0.0.1"},
		"a proxy that replaces":          {proxyAddress, func(r *httputil.ProxyRequest) { r.SetXForwarded() }, fineLevel, "takes this machine for 127.0.0.1"},
		"a proxy that nobody named":      {"", appends, wrongLevel, "takes 127.0.0.2 for this machine"},
		"a proxy that believes anything": {proxyAddress, passesOn, wrongLevel, "believes whoever claims"},
		"a proxy that says nothing":      {proxyAddress, func(*httputil.ProxyRequest) {}, wrongLevel, "does not say who is connected"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			_, base := startWith(t, environment{"TRUSTED_PROXIES": test.trusted})
			c := config{BaseURL: baseURL(strings.Replace(base, "localhost", "127.0.0.1", 1)), AddressHeader: "X-Forwarded-For", SecretKeys: secretKeys{[]byte(keyA)}}
			if test.forward != nil {
				target, err := url.Parse(string(c.BaseURL))
				if err != nil {
					t.Fatal(err)
				}
				from := &net.Dialer{LocalAddr: &net.TCPAddr{IP: net.ParseIP(proxyAddress)}}
				proxy := httptest.NewServer(&httputil.ReverseProxy{
					Rewrite:   func(r *httputil.ProxyRequest) { r.SetURL(target); test.forward(r) },
					Transport: &http.Transport{DialContext: from.DialContext, DisableKeepAlives: true},
				})
				defer proxy.Close()
				c.BaseURL = baseURL(proxy.URL)
			}
			expect(t, c.checkSite(t.Context()), "client address", test.is, test.says)
			c.SecretKeys = secretKeys{[]byte(keyB)}
			expect(t, c.checkSite(t.Context()), "client address", lookLevel, "does not say whom")
		})
	}
}

func TestFindingsArePrinted(t *testing.T) {
	found := append(configFindings(errors.New("BASE_URL is not set\nLIMITS: nothing")), finding{"mail", fineLevel, "it lets us in", ""})
	for coloured, want := range map[bool]string{false: "mail           ok     it lets us in.\n", true: "\x1b[1;31mWRONG\x1b[0m  BASE_URL is not set.\n"} {
		var out bytes.Buffer
		printFindings(&out, found, coloured)
		if !strings.Contains(out.String(), want) || strings.Contains(out.String(), "\x1b") != coloured {
			t.Errorf("coloured %v:\n%q\nwant in it %q", coloured, out.String(), want)
		}
	}
}
