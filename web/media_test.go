package web

import (
	"bytes"
	"image"
	"image/png"
	"io"
	"net"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"testing"

	"pubquiz/quiz"
)

func film(n int) []byte {
	film := bytes.Repeat([]byte("frame "), n/6+1)[:n]
	copy(film, "\x00\x00\x00\x18ftypmp42\x00\x00\x00\x00isommp42")
	return film
}

func TestMediaForEveryoneInTheRoom(t *testing.T) {
	s := newSite(t)
	host := s.host("host@example.org")
	var drawing bytes.Buffer
	if err := png.Encode(&drawing, image.NewRGBA(image.Rect(0, 0, 30, 20))); err != nil {
		t.Fatal(err)
	}
	r := host.send("POST", "/api/v1/media", &drawing, "Content-Type", "image/jpeg") // what it says it is does not count
	stored := r.json(t)
	if r.status != http.StatusCreated || stored["kind"] != "image" || stored["type"] != "image/png" || stored["width"] != 30.0 || stored["height"] != 20.0 {
		t.Fatalf("%d %s", r.status, r.body)
	}
	path := "/media/" + stored["id"].(string)
	phone := s.browser()
	got := phone.get(path)
	for name, want := range map[string]string{
		"Content-Type": "image/png", "X-Content-Type-Options": "nosniff", "Cache-Control": "public, max-age=31536000, immutable",
		"Content-Security-Policy": "default-src 'none'; sandbox", "Content-Disposition": "inline", "Cross-Origin-Resource-Policy": "same-origin",
		"Etag": strconv.Quote(stored["id"].(string)), "Accept-Ranges": "bytes",
	} {
		if got.header.Get(name) != want {
			t.Errorf("%s: %q, want %q", name, got.header.Get(name), want)
		}
	}
	if size, err := png.DecodeConfig(strings.NewReader(got.body)); err != nil || got.status != http.StatusOK || size.Width != 30 {
		t.Errorf("%d, %v", got.status, err)
	}
	if again := phone.get(path, "If-None-Match", got.header.Get("ETag")); again.status != http.StatusNotModified || again.body != "" {
		t.Errorf("asked for again: %d with %d bytes", again.status, len(again.body))
	}
	if head := phone.send("HEAD", path, nil); head.status != http.StatusOK || head.header.Get("Content-Length") != strconv.Itoa(len(got.body)) {
		t.Errorf("HEAD: %d %v", head.status, head.header)
	}
	for _, none := range []string{"/media/" + strings.Repeat("0", 64), "/media/x", "/media/" + strings.ToUpper(stored["id"].(string))} {
		if r := phone.get(none); r.status != http.StatusNotFound || r.header.Get("Cache-Control") != "no-store" {
			t.Errorf("%s: %d %v", none, r.status, r.header)
		}
	}
}

func TestFilmsInParts(t *testing.T) {
	s := newSite(t)
	whole := film(700_001)
	stored := s.host("host@example.org").send("POST", "/api/v1/media", bytes.NewReader(whole)).json(t)
	if stored["type"] != "video/mp4" {
		t.Fatal(stored)
	}
	path := "/media/" + stored["id"].(string)
	phone := s.browser()
	for asked, want := range map[string]struct{ from, to int }{
		"bytes=0-1": {0, 2}, "bytes=131071-131072": {131071, 131073}, "bytes=200000-600000": {200_000, 600_001},
		"bytes=700000-": {700_000, 700_001}, "bytes=-5": {699_996, 700_001},
	} {
		r := phone.get(path, "Range", asked)
		if r.status != http.StatusPartialContent || r.body != string(whole[want.from:want.to]) {
			t.Errorf("%s: %d with %d bytes, %s", asked, r.status, len(r.body), r.header.Get("Content-Range"))
		}
	}
	if r := phone.get(path, "Range", "bytes=700001-"); r.status != http.StatusRequestedRangeNotSatisfiable {
		t.Errorf("beyond the end: %d", r.status)
	}
	if r := phone.get(path, "Range", "bytes=0-1", "If-Range", `"another"`); r.status != http.StatusOK || r.body != string(whole) {
		t.Errorf("a part of something else: %d with %d bytes", r.status, len(r.body))
	}
}

func TestUploadsAreRefused(t *testing.T) {
	s := newSite(t)
	host := s.host("host@example.org")
	if r := s.browser().send("POST", "/api/v1/media", strings.NewReader("GIF89a")); r.status != http.StatusUnauthorized {
		t.Errorf("a stranger: %d", r.status)
	}
	for name, file := range map[string]io.Reader{
		"a page":   strings.NewReader("<html>" + strings.Repeat("<p>long</p>", 1000)),
		"too long": bytes.NewReader(film(quiz.MaxVideo + 1)),
	} {
		r := host.send("POST", "/api/v1/media", file)
		if problem := r.json(t); r.status != http.StatusUnprocessableEntity || problem["field"] != "file" || problem["type"] != "/problems/invalid" {
			t.Errorf("%s: %d %s", name, r.status, r.body)
		}
	}
	if r := host.send("POST", "/api/v1/media", bytes.NewReader(film(1000)), "Origin", "https://elsewhere.example", "Sec-Fetch-Site", "cross-site"); r.status != http.StatusForbidden {
		t.Errorf("another site's page: %d", r.status)
	}
}

// TestUploadsThatBreakOff sends half of what it promised.
func TestUploadsThatBreakOff(t *testing.T) {
	s := newSite(t)
	host := s.host("host@example.org")
	at, err := url.Parse(s.url)
	if err != nil {
		t.Fatal(err)
	}
	connection, err := net.Dial("tcp", at.Host)
	if err != nil {
		t.Fatal(err)
	}
	defer connection.Close()
	request := "POST /api/v1/media HTTP/1.1\r\nHost: " + at.Host + "\r\nContent-Length: 400000\r\nCookie: " +
		s.server.cookieName(hostCookie) + "=" + host.value(hostCookie) + "\r\n\r\n" + string(film(200_000))
	if _, err := io.WriteString(connection, request); err != nil {
		t.Fatal(err)
	}
	if err := connection.(*net.TCPConn).CloseWrite(); err != nil {
		t.Fatal(err)
	}
	reply, err := io.ReadAll(connection)
	if err != nil || !strings.HasPrefix(string(reply), "HTTP/1.1 400") || !strings.Contains(string(reply), "did not arrive whole") {
		t.Errorf("%v %s", err, reply)
	}
	var rows int
	if err := s.pool.QueryRow(t.Context(), `SELECT count(*) FROM media`).Scan(&rows); err != nil || rows != 0 {
		t.Errorf("%d rows are left, %v", rows, err)
	}
}

// TestPicturesAreNotForStrangersToUseUp: whoever hammers from the same network, and is in no session, stands in nobody's way.
func TestPicturesAreNotForStrangersToUseUp(t *testing.T) {
	needsLimits(t)
	s := newSite(t)
	l := s.open(s.host("host@example.org"))
	phone := l.phone("Late Loaders")
	stranger := s.browser()
	nothing := "/media/" + strings.Repeat("0", 64)
	for stranger.get(nothing).status != http.StatusTooManyRequests {
	}
	for who, b := range map[string]*browser{"a phone that is in": phone, "the host": l.host} {
		if r := b.get(nothing); r.status != http.StatusNotFound {
			t.Errorf("%s: %d", who, r.status)
		}
	}
}
