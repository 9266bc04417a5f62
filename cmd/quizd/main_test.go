package main

import (
	"net"
	"net/http"
	"os"
	"strconv"
	"testing"
	"time"

	"pubquiz/internal/dbtest"
	"pubquiz/ratelimit"
)

// TestMain also makes the test binary the command itself, for tests that need real processes.
func TestMain(m *testing.M) {
	if os.Getenv("QUIZD_TEST_MAIN") != "" {
		if patience, err := time.ParseDuration(os.Getenv("QUIZD_TEST_STORE_TIMEOUT")); err == nil {
			storeTimeout = patience
		}
		main()
		return
	}
	os.Exit(dbtest.Run(m))
}

// limitersOff runs the tests without limiters, which guarantee nothing: all that is not about the limits themselves must hold all the same.
var limitersOff = os.Getenv("TEST_LIMITERS") == "off"

// needsLimits skips a test of the limits themselves when they are off.
func needsLimits(t *testing.T) {
	t.Helper()
	if limitersOff {
		t.Skip("about the limits, which are off")
	}
}

// startTest starts a server on a database of the test's own and returns its base URL. It stops when the test ends.
func startTest(t *testing.T, limiters ...ratelimit.Option) (s *server, base string) {
	t.Helper()
	return startWith(t, nil, limiters...)
}

// startWith is startTest with settings.
func startWith(t *testing.T, settings environment, limiters ...ratelimit.Option) (s *server, base string) {
	t.Helper()
	return startConfigured(t, settings, func(c *config) { c.limiterOptions = limiters })
}

// startConfigured is startTest with settings, and with what is not the operator's to decide.
func startConfigured(t *testing.T, settings environment, decide func(*config)) (s *server, base string) {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	base = "http://localhost:" + strconv.Itoa(listener.Addr().(*net.TCPAddr).Port)
	defaults := environment{
		"DATABASE_URL":    dbtest.URL(t),
		"BASE_URL":        base,
		"SECRET_KEYS":     keyA,
		"METRICS_ADDRESS": "off",
	}
	c, err := readConfig(defaults.with(settings))
	if err != nil {
		t.Fatal(err)
	}
	c.lead = 0 // most tests are about something else, and wait for nothing
	decide(&c)
	if limitersOff {
		c.limiterOptions = append(c.limiterOptions, ratelimit.Unlimited())
	}
	s, err = start(t.Context(), c, listener)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := s.stop(); err != nil {
			t.Error(err)
		}
	})
	return s, base
}

func TestServerIsReady(t *testing.T) {
	t.Parallel()
	_, base := startTest(t)
	for _, path := range []string{"/healthz", "/readyz"} {
		answer, err := http.Get(base + path)
		if err != nil {
			t.Fatal(err)
		}
		answer.Body.Close()
		if answer.StatusCode != http.StatusOK {
			t.Errorf("%s: %s", path, answer.Status)
		}
	}
}

func TestHTTPServerBoundsEveryStep(t *testing.T) {
	s := newHTTPServer(http.NotFoundHandler())
	for name, timeout := range map[string]time.Duration{
		"ReadHeaderTimeout": s.ReadHeaderTimeout, "ReadTimeout": s.ReadTimeout, "WriteTimeout": s.WriteTimeout, "IdleTimeout": s.IdleTimeout,
	} {
		if timeout <= 0 || timeout > 2*time.Minute {
			t.Errorf("%s is %v", name, timeout)
		}
	}
	if s.MaxHeaderBytes <= 0 || s.MaxHeaderBytes > 64<<10 {
		t.Errorf("%d bytes of headers", s.MaxHeaderBytes)
	}
}
