package openid

import (
	"context"
	"crypto/rand"
	"crypto/rsa"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"net/url"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"pubquiz/internal/openidtest"
)

var redirect = &url.URL{Scheme: "https", Host: "quiz.example", Path: "/back"}

func provider(i *openidtest.Issuer) *Provider {
	return New(Settings{Name: "brewery", Label: "Brewery", Issuer: i.URL, ClientID: openidtest.ClientID, ClientSecret: openidtest.ClientSecret}, redirect)
}

// goThere is what a browser does at the provider: it comes back with these parameters.
func goThere(t *testing.T, address string) url.Values {
	t.Helper()
	browser := http.Client{CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
	answer, err := browser.Get(address)
	if err != nil {
		t.Fatal(err)
	}
	answer.Body.Close()
	back, err := url.Parse(answer.Header.Get("Location"))
	if err != nil || answer.StatusCode != http.StatusFound || back.Host != redirect.Host || back.Path != redirect.Path {
		t.Fatalf("%s to %q", answer.Status, answer.Header.Get("Location"))
	}
	return back.Query()
}

// try goes all the way.
func try(t *testing.T, p *Provider) (Identity, error) {
	t.Helper()
	attempt, address, err := p.Begin(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	return p.Finish(t.Context(), attempt, goThere(t, address))
}

func TestFinishTellsWhoItIs(t *testing.T) {
	for name, test := range map[string]struct {
		change   func(*openidtest.State)
		verified bool
	}{
		"in the ID token":         {func(*openidtest.State) {}, true},
		"where it is asked":       {func(s *openidtest.State) { s.Elsewhere = true }, true},
		"naming itself":           {func(s *openidtest.State) { s.TellsIss = true }, true},
		"several audiences":       {lie("aud", []string{"quizd", "another"}, "azp", "quizd"), true},
		"not verified":            {claim("email_verified", false), false},
		"verified as text":        {claim("email_verified", "true"), false},
		"not verified as text":    {claim("email_verified", "false"), false},
		"verified as a number":    {claim("email_verified", 1), false},
		"nothing about verifying": {claim("email_verified", nil), false},
	} {
		t.Run(name, func(t *testing.T) {
			issuer := openidtest.New(t)
			issuer.Now(test.change)
			got, err := try(t, provider(issuer))
			want := Identity{issuer.URL, "alice-at-the-issuer", "alice@example.org", test.verified, "Alice"}
			if err != nil || got != want {
				t.Errorf("%+v, %v; want %+v", got, err, want)
			}
		})
	}
}

func claim(name string, value any) func(*openidtest.State) {
	return func(s *openidtest.State) { s.Claims[name] = value }
}

// lie changes the ID token's claims: name, value, name, value.
func lie(pairs ...any) func(*openidtest.State) {
	return func(s *openidtest.State) {
		s.Lie = func(claims map[string]any) {
			for i := 0; i < len(pairs); i += 2 {
				claims[pairs[i].(string)] = pairs[i+1]
			}
		}
	}
}

func sendBack(change func(url.Values)) func(*openidtest.State) {
	return func(s *openidtest.State) { s.Back = change }
}

func TestHostileAnswersProveNothing(t *testing.T) {
	foreignKey, err := rsa.GenerateKey(rand.Reader, 2048)
	if err != nil {
		t.Fatal(err)
	}
	for name, change := range map[string]func(*openidtest.State){
		"another nonce":              lie("nonce", "another"),
		"no nonce":                   lie("nonce", ""),
		"for another client":         lie("aud", "another"),
		"for others too":             lie("aud", []string{"quizd", "another"}),
		"issued to another client":   lie("azp", "another"),
		"from another issuer":        lie("iss", "https://issuer.example"),
		"expired":                    lie("exp", time.Now().Add(-time.Minute).Unix()),
		"not valid yet":              lie("nbf", time.Now().Add(time.Hour).Unix()),
		"about somebody unspeakable": lie("sub", "alice\x00"),
		"about nobody":               lie("sub", ""),
		"for another access token":   lie("at_hash", "AAAAAAAAAAAAAAAAAAAAAA"),
		"unsigned": func(s *openidtest.State) {
			s.Header = map[string]any{"alg": "none"}
			s.Sign = func(_, _ string) string { return "" }
		},
		"signature left out": func(s *openidtest.State) { s.Sign = func(_, _ string) string { return "" } },
		"signed by somebody else": func(s *openidtest.State) {
			s.Sign = func(h, b string) string { return openidtest.SignWith(foreignKey, h, b) }
		},
		"signed with a shared key":   func(s *openidtest.State) { s.Header = map[string]any{"alg": "HS256", "kid": "key"} },
		"another state":              sendBack(func(v url.Values) { v.Set("state", "another") }),
		"no state":                   sendBack(func(v url.Values) { v.Del("state") }),
		"no code":                    sendBack(func(v url.Values) { v.Del("code") }),
		"a made-up code":             sendBack(func(v url.Values) { v.Set("code", "made-up") }),
		"mixed up":                   sendBack(func(v url.Values) { v.Set("iss", "https://issuer.example") }),
		"mixed up, both named":       sendBack(func(v url.Values) { v.Add("iss", "https://issuer.example") }),
		"named nobody where it does": func(s *openidtest.State) { s.TellsIss = true; s.Back = func(v url.Values) { v.Del("iss") } },
		"an error of its own":        sendBack(func(v url.Values) { v.Set("error", "server_error") }),
		"tells of somebody else": func(s *openidtest.State) {
			s.Elsewhere, s.Info = true, func(claims map[string]any) { claims["sub"] = "bob" }
		},
	} {
		t.Run(name, func(t *testing.T) {
			issuer := openidtest.New(t)
			issuer.Now(change)
			if got, err := try(t, provider(issuer)); !errors.Is(err, ErrRefused) || got != (Identity{}) {
				t.Errorf("%+v, %v; want ErrRefused", got, err)
			}
		})
	}
}

func TestACodeWorksOnce(t *testing.T) {
	issuer := openidtest.New(t)
	p := provider(issuer)
	attempt, address, err := p.Begin(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	back := goThere(t, address)
	if _, err := p.Finish(t.Context(), attempt, back); err != nil {
		t.Fatal(err)
	}
	if _, err := p.Finish(t.Context(), attempt, back); !errors.Is(err, ErrRefused) {
		t.Errorf("a second time: %v", err)
	}
}

// A code that was stolen on its way is worth nothing without the verifier, which never leaves the one browser.
func TestAStolenCodeIsWorthNothingInAnotherAttempt(t *testing.T) {
	issuer := openidtest.New(t)
	p := provider(issuer)
	_, victims, err := p.Begin(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	thief, _, err := p.Begin(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	stolen := goThere(t, victims)
	stolen.Set("state", thief.State)
	if _, err := p.Finish(t.Context(), thief, stolen); !errors.Is(err, ErrRefused) {
		t.Errorf("error = %v", err)
	}
	if _, err := p.Finish(t.Context(), Attempt{}, url.Values{"code": {"code"}, "state": {""}}); !errors.Is(err, ErrRefused) {
		t.Errorf("with an empty state: %v", err)
	}
}

func TestDeclined(t *testing.T) {
	issuer := openidtest.New(t)
	issuer.Now(sendBack(func(v url.Values) { v.Del("code"); v.Set("error", "access_denied") }))
	if _, err := try(t, provider(issuer)); !errors.Is(err, ErrDeclined) {
		t.Errorf("error = %v", err)
	}
}

func TestAProviderMayBeDownAtFirst(t *testing.T) {
	issuer := openidtest.New(t)
	issuer.Now(func(s *openidtest.State) { s.Down = true })
	p := provider(issuer)
	if _, _, err := p.Begin(t.Context()); !errors.Is(err, ErrUnavailable) {
		t.Fatalf("while it is down: %v", err)
	}
	issuer.Now(func(s *openidtest.State) { s.Down = false })
	if _, _, err := p.Begin(t.Context()); !errors.Is(err, ErrUnavailable) {
		t.Errorf("it is asked again at once: %v", err)
	}
	p.failedAt = time.Now().Add(-respite)
	attempt, address, err := p.Begin(t.Context())
	if err != nil {
		t.Fatalf("when it is back: %v", err)
	}
	issuer.Now(func(s *openidtest.State) { s.Down = true })
	if _, err := p.Finish(t.Context(), attempt, url.Values{"code": {"c"}, "state": {attempt.State}}); !errors.Is(err, ErrUnavailable) {
		t.Errorf("when it goes down in between: %v (%s)", err, address)
	}
}

type roundTrip func(*http.Request) (*http.Response, error)

func (r roundTrip) RoundTrip(request *http.Request) (*http.Response, error) { return r(request) }

// TestAProviderMayHang: whoever waits is told before they give up, and the next ones need not wait. Somebody who goes away says nothing about it.
func TestAProviderMayHang(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		asked := 0
		p := New(Settings{Issuer: "https://issuer.example", Transport: roundTrip(func(r *http.Request) (*http.Response, error) {
			asked++
			<-r.Context().Done()
			return nil, r.Context().Err()
		})}, redirect)
		gone, leave := context.WithCancel(t.Context())
		time.AfterFunc(time.Second, leave)
		if _, _, err := p.Begin(gone); !errors.Is(err, context.Canceled) || errors.Is(err, ErrUnavailable) {
			t.Errorf("who went away: %v", err)
		}
		for _, patient := range []time.Duration{8 * time.Second, time.Second} {
			time.Sleep(respite)
			visit, leave := context.WithTimeout(t.Context(), patient)
			defer leave()
			for who := range 2 {
				if _, _, err := p.Begin(visit); !errors.Is(err, ErrUnavailable) {
					t.Errorf("who waits for %v, visitor %d: %v", patient, who+1, err)
				}
			}
		}
		if asked != 3 {
			t.Errorf("it was asked %d times", asked)
		}
	})
}

func TestBeginAsksForWhatItMust(t *testing.T) {
	issuer := openidtest.New(t)
	attempt, address, err := provider(issuer).Begin(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	u, err := url.Parse(address)
	if err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]string{
		"response_type": "code", "client_id": "quizd", "redirect_uri": redirect.String(), "state": attempt.State, "nonce": attempt.Nonce,
		"code_challenge_method": "S256", "scope": "openid email profile",
	} {
		if got := u.Query().Get(name); got != want {
			t.Errorf("%s is %q, want %q", name, got, want)
		}
	}
	if strings.Contains(address, attempt.Verifier) || len(attempt.State) < 26 || len(attempt.Nonce) < 26 {
		t.Errorf("%+v is too short, or told: %s", attempt, address)
	}
}

func TestSecretsDoNotPrint(t *testing.T) {
	settings := Settings{Name: "brewery", ClientSecret: "hunter5"}
	var log strings.Builder
	slog.New(slog.NewJSONHandler(&log, nil)).Info("start", "settings", settings, "secret", settings.ClientSecret)
	printed := log.String() + fmt.Sprintf("%v %+v %#v %s %q %x", settings, settings, settings, settings.ClientSecret, settings.ClientSecret, settings.ClientSecret)
	if strings.Contains(printed, "hunter5") || strings.Contains(printed, fmt.Sprintf("%x", "hunter5")) {
		t.Error(printed)
	}
}
