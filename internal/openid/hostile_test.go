package openid

import (
	"encoding/json"
	"errors"
	"net/http"
	"net/http/httptest"
	"net/url"
	"sync/atomic"
	"testing"
)

// hostile is a provider that says about itself what it is told to, and answers at each of its other addresses with handle.
func hostile(t *testing.T, says func(base string, about map[string]any), handle http.HandlerFunc) *Provider {
	t.Helper()
	var server *httptest.Server
	server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path != "/.well-known/openid-configuration" || says == nil {
			handle(w, r)
			return
		}
		about := map[string]any{
			"issuer": server.URL, "authorization_endpoint": server.URL + "/authorize", "token_endpoint": server.URL + "/token", "jwks_uri": server.URL + "/keys",
		}
		says(server.URL, about)
		_ = json.NewEncoder(w).Encode(about)
	}))
	t.Cleanup(server.Close)
	return New(Settings{Name: "brewery", Issuer: server.URL, ClientID: "quizd", ClientSecret: "secret"}, redirect)
}

func honest(string, map[string]any) {}

// comesBack is a browser that comes back with a code.
func comesBack(t *testing.T, p *Provider) error {
	t.Helper()
	attempt, _, err := p.Begin(t.Context())
	if err != nil {
		return err
	}
	_, err = p.Finish(t.Context(), attempt, url.Values{"code": {"code"}, "state": {attempt.State}})
	return err
}

// TestAProviderLeadsTheServerNowhere: it cannot have the server ask, or tell the client's secret to, whatever else is in its network.
func TestAProviderLeadsTheServerNowhere(t *testing.T) {
	var asked atomic.Int32
	inside := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { asked.Add(1) }))
	defer inside.Close()
	for _, status := range []int{http.StatusFound, http.StatusTemporaryRedirect, http.StatusPermanentRedirect} {
		leadOn := func(w http.ResponseWriter, r *http.Request) { http.Redirect(w, r, inside.URL, status) }
		for name, p := range map[string]*Provider{"about itself": hostile(t, nil, leadOn), "for a token": hostile(t, honest, leadOn)} {
			if err := comesBack(t, p); !errors.Is(err, ErrUnavailable) && !errors.Is(err, ErrRefused) {
				t.Errorf("%d, asked %s: %v", status, name, err)
			}
		}
	}
	if asked.Load() > 0 {
		t.Errorf("the server was led on %d times", asked.Load())
	}
}

// TestAProviderThatNeverEndsIsBrokenOff: an answer fills no memory.
func TestAProviderThatNeverEndsIsBrokenOff(t *testing.T) {
	var sent atomic.Int64
	endless := func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		_, _ = w.Write([]byte(`{"access_token":"`))
		for n, err := 0, error(nil); err == nil && sent.Load() < 64<<20; sent.Add(int64(n)) {
			n, err = w.Write(make([]byte, 64<<10))
		}
	}
	for name, p := range map[string]*Provider{"about itself": hostile(t, nil, endless), "for a token": hostile(t, honest, endless)} {
		sent.Store(0)
		if err := comesBack(t, p); err == nil {
			t.Errorf("asked %s: no error", name)
		}
		if sent.Load() >= 64<<20 {
			t.Errorf("asked %s, it was listened to for %d bytes", name, sent.Load())
		}
	}
}

// TestAProvidersAddressesAreAsSafeAsItself: what it says about itself cannot take the encryption away, or a browser somewhere that is no page.
func TestAProvidersAddressesAreAsSafeAsItself(t *testing.T) {
	for _, field := range []string{"authorization_endpoint", "token_endpoint", "jwks_uri", "userinfo_endpoint"} {
		for _, address := range []string{"javascript:alert(1)", "file:///etc/passwd", "//other.example", "relative"} {
			p := hostile(t, func(_ string, about map[string]any) { about[field] = address }, http.NotFound)
			if _, _, err := p.Begin(t.Context()); !errors.Is(err, ErrUnavailable) {
				t.Errorf("%s %q: %v", field, address, err)
			}
		}
	}
	encrypted := Provider{Settings: Settings{Issuer: "https://login.example"}}
	for address, want := range map[string]bool{"https://login.example/token": true, "https://api.example/token": true, "http://login.example/token": false, "": false} {
		if got := encrypted.asSafe(address); got != want {
			t.Errorf("%q beside an https issuer: %v", address, got)
		}
	}
}
