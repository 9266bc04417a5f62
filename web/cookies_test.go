package web

import (
	"net/http"
	"net/http/httptest"
	"net/url"
	"testing"
	"time"
)

// TestCookies: scripts read none of our cookies and other sites send none; where the browser can know that the
// connection is safe, they go over no other, and no other host can set them.
func TestCookies(t *testing.T) {
	for base, want := range map[string]struct {
		name   string
		secure bool
	}{
		"https://quiz.example":     {"__Host-quizd_host", true},
		"http://localhost:8080":    {"__Host-quizd_host", true},
		"http://192.168.1.20:8080": {"quizd_host", false},
	} {
		baseURL, err := url.Parse(base)
		if err != nil {
			t.Fatal(err)
		}
		recorder := httptest.NewRecorder()
		s := &Server{baseURL: baseURL}
		s.setCookie(recorder, hostCookie, "token", time.Hour)
		c := recorder.Result().Cookies()[0]
		if c.Name != want.name || c.Secure != want.secure || !c.HttpOnly || c.SameSite != http.SameSiteLaxMode || c.Path != "/" || c.Domain != "" || c.MaxAge != 3600 {
			t.Errorf("%s: %v", base, c)
		}
	}
}

// TestHTTPSIsRemembered: browsers that have come by https come by nothing else for a year.
func TestHTTPSIsRemembered(t *testing.T) {
	for scheme, want := range map[string]string{"https": "max-age=31536000; includeSubDomains", "http": ""} {
		header := http.Header{}
		s := &Server{baseURL: &url.URL{Scheme: scheme, Host: "quiz.example"}}
		s.securityHeaders(header)
		if got := header.Get("Strict-Transport-Security"); got != want {
			t.Errorf("%s: %q, want %q", scheme, got, want)
		}
	}
}
