package web

import (
	"bytes"
	"log/slog"
	"net/http"
	"net/netip"
	"strings"
	"testing"
	"time"

	"pubquiz/ratelimit"
	"pubquiz/session"
)

func TestDoubtsAreCountedAndToldOnceAMinute(t *testing.T) {
	s := newSite(t)
	var log bytes.Buffer
	s.server.log = slog.New(slog.NewTextHandler(&log, nil))
	var err error
	if s.server.proxies, err = ratelimit.ParseProxies("127.0.0.1", ""); err != nil {
		t.Fatal(err)
	}
	b := s.browser()
	for range 3 {
		wantShows(t, b.get("/"), http.StatusOK)
		wantShows(t, b.get("/", "X-Forwarded-For", "unknown"), http.StatusOK)
		wantShows(t, b.get("/", "X-Forwarded-For", "192.0.2.9"), http.StatusOK)
	}
	if no, garbled := s.server.doubts.count(ratelimit.NoHeader), s.server.doubts.count(ratelimit.Garbled); no != 3 || garbled != 3 {
		t.Errorf("%d requests without the header and %d with a garbled one, want 3 and 3", no, garbled)
	}
	if lines := strings.Count(log.String(), "\n"); lines != 2 || !strings.Contains(log.String(), "doubt=no-header peer=127.0.0.1") {
		t.Errorf("%d lines, want one for each kind: %s", lines, &log)
	}

	var d doubts
	start := time.Now()
	for _, test := range []struct {
		after time.Duration
		want  bool
	}{{0, true}, {59 * time.Second, false}, {time.Minute, true}, {61 * time.Second, false}} {
		if got := d.note(ratelimit.Garbled, start.Add(test.after)); got != test.want {
			t.Errorf("after %v it is time for a warning: %v", test.after, got)
		}
	}
}

// crowdOf plays requests that come once a second, and says after how many the sign of a proxy was there; 0 for never.
func crowdOf(n int, client func(i int) string, participant func(i int) int64) int {
	var c crowd
	start := time.Now()
	for i := range n {
		if c.note(netip.MustParseAddr(client(i)), participant(i), start.Add(time.Duration(i)*time.Second)) {
			return i + 1
		}
	}
	return 0
}

func TestCrowdBehindOnePrivateAddress(t *testing.T) {
	always := func(address string) func(int) string { return func(int) string { return address } }
	phones := func(n int64) func(int) int64 { return func(i int) int64 { return 1 + int64(i)%n } }
	for _, test := range []struct {
		name        string
		client      func(int) string
		participant func(int) int64
		want        int
	}{
		{"a proxy's network", always("172.17.0.1"), phones(50), crowdRequests},
		{"a proxy on the machine", always("127.0.0.1"), phones(3), crowdRequests},
		{"a proxy with IPv6", always("fd00::1"), phones(3), crowdRequests},
		{"one person who tries it out", always("127.0.0.1"), phones(2), 0},
		{"nobody who plays", always("127.0.0.1"), func(int) int64 { return 0 }, 0},
		{"a pub with one public address", always("198.51.100.7"), phones(50), 0},
		{"phones of one network", func(i int) string { return []string{"192.168.1.20", "192.168.1.21"}[i%2] }, phones(50), 0},
		{"one visitor from elsewhere now and then", func(i int) string {
			if i%150 == 149 {
				return "203.0.113.9"
			}
			return "172.17.0.1"
		}, phones(50), 0},
		{"a proxy that somebody went around once", func(i int) string {
			if i == 30 {
				return "203.0.113.9"
			}
			return "172.17.0.1"
		}, phones(50), 31 + crowdRequests},
	} {
		if got := crowdOf(3*crowdRequests, test.client, test.participant); got != test.want {
			t.Errorf("%s: the sign is there after %d requests, want %d", test.name, got, test.want)
		}
	}
}

func TestCrowdTakesAMinuteAndIsToldOnce(t *testing.T) {
	var c crowd
	start, proxy := time.Now(), netip.MustParseAddr("10.0.0.2")
	c.note(proxy, 0, start)
	for i := range 10 * crowdRequests {
		if c.note(proxy, int64(i), start.Add(crowdWindow-1)) {
			t.Fatal("a rush of less than a minute is taken for a proxy")
		}
	}
	told := 0
	for range 10 {
		if c.note(proxy, 1, start.Add(crowdWindow)) {
			told++
		}
	}
	if told != 1 {
		t.Errorf("told %d times, want once", told)
	}
}

// Whom the server takes them for is told to those who hold its keys, and to nobody else.
func TestOperatorsAreToldWhoTheyAre(t *testing.T) {
	s := newSite(t)
	var err error
	if s.server.proxies, err = ratelimit.ParseProxies("127.0.0.1", ""); err != nil {
		t.Fatal(err)
	}
	b := s.browser()
	stranger := session.Keys{[]byte("this is not the key of this server")}
	for name, proof := range map[string]string{"nothing": "", "another key's proof": stranger.ProveOperator(time.Now()), "an old proof": s.server.keys.ProveOperator(time.Now().Add(-time.Hour))} {
		if r := b.get("/readyz", OperatorHeader, proof, "X-Forwarded-For", "192.0.2.9"); r.status != http.StatusOK || strings.Contains(r.body, "192.0.2.9") {
			t.Errorf("with %s: %d %s", name, r.status, r.body)
		}
	}
	r := b.get("/readyz", OperatorHeader, s.server.keys.ProveOperator(time.Now()), "X-Forwarded-For", "192.0.2.9")
	if want := `{"status":"ready","client":"192.0.2.9","peer":"127.0.0.1","doubt":"none"}`; strings.TrimSpace(r.body) != want || r.header.Get("Cache-Control") != "no-store" {
		t.Errorf("%s, %v, want %s", r.body, r.header, want)
	}
}
