// Package openid proves who somebody is by an OpenID provider: OpenID Connect's authorization code flow with state, nonce and PKCE
// (OpenID Connect Core 1.0, RFC 7636, RFC 9207).
package openid

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"sync"
	"time"

	"github.com/coreos/go-oidc/v3/oidc"
	"golang.org/x/oauth2"

	"pubquiz/internal/secret"
)

// GoogleIssuer is Google's.
const GoogleIssuer = "https://accounts.google.com"

// Settings are what an operator says about one provider.
type Settings struct {
	Name         string // in addresses: lower-case letters, digits and dashes
	Label        string // on buttons
	Issuer       string // an address: https, or http on this machine
	ClientID     string
	ClientSecret secret.Text // empty for a public client

	Transport http.RoundTripper // by which it is asked; nil for the ordinary one
}

const (
	patience      = 5 * time.Second // with a provider, for one answer: shorter than a visitor's, who is to be told who it is that does not answer
	respite       = 5 * time.Second // for a provider that did not answer when it was asked about itself
	longestAnswer = 1 << 20         // bytes; what providers say about themselves, their keys and people is a few thousand
)

// ErrUnavailable says that the provider does not answer, or not as one.
var ErrUnavailable = errors.New("the provider does not answer")

// Provider is one OpenID provider. What it says about itself is read when it is first needed, so that the server starts without it. It
// is safe for concurrent use.
type Provider struct {
	Settings
	redirect string
	client   *http.Client

	mu       sync.Mutex
	found    *discovery // nil until the provider has answered
	failed   error      // why it had not, at the last try
	failedAt time.Time
}

// discovery is what a provider says about itself.
type discovery struct {
	provider *oidc.Provider
	oauth    oauth2.Config
	verifier *oidc.IDTokenVerifier
	tellsIss bool // its answers name their issuer (RFC 9207)
}

// New returns the provider that people come back from to the address redirect.
func New(settings Settings, redirect *url.URL) *Provider {
	transport := settings.Transport
	if transport == nil {
		transport = http.DefaultTransport
	}
	client := &http.Client{Timeout: patience, Transport: bounded{transport}, CheckRedirect: goNowhere}
	return &Provider{Settings: settings, redirect: redirect.String(), client: client}
}

// goNowhere takes a redirect as the answer. None of a provider's addresses leads on to another, and the client's secret must not.
func goNowhere(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }

// bounded breaks off answers that do not come to an end.
type bounded struct{ http.RoundTripper }

func (b bounded) RoundTrip(r *http.Request) (*http.Response, error) {
	answer, err := b.RoundTripper.RoundTrip(r)
	if err == nil {
		answer.Body = http.MaxBytesReader(nil, answer.Body, longestAnswer)
	}
	return answer, err
}

// discover returns what the provider says about itself, and asks it if it has not said yet. One that just failed is left alone for a
// moment. The error is ErrUnavailable, or context.Canceled.
func (p *Provider) discover(ctx context.Context) (*discovery, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.found != nil {
		return p.found, nil
	}
	if p.failed != nil && time.Since(p.failedAt) < respite {
		return nil, p.failed
	}
	found, err := p.ask(ctx)
	if err != nil {
		if errors.Is(ctx.Err(), context.Canceled) { // the visitor went away, which says nothing about the provider
			return nil, ctx.Err()
		}
		p.failed, p.failedAt = fmt.Errorf("%w: %s: %w", ErrUnavailable, p.Issuer, err), time.Now()
		return nil, p.failed
	}
	p.found, p.failed = found, nil
	return found, nil
}

// Check asks the provider about itself, unless it has said so before.
func (p *Provider) Check(ctx context.Context) error {
	_, err := p.discover(ctx)
	return err
}

func (p *Provider) ask(ctx context.Context) (*discovery, error) {
	provider, err := oidc.NewProvider(oidc.ClientContext(ctx, p.client), p.Issuer)
	if err != nil {
		return nil, err
	}
	var says struct {
		TellsIss bool   `json:"authorization_response_iss_parameter_supported"`
		Keys     string `json:"jwks_uri"`
	}
	if err := provider.Claims(&says); err != nil {
		return nil, err
	}
	endpoint := provider.Endpoint()
	if endpoint.AuthURL == "" || endpoint.TokenURL == "" {
		return nil, errors.New("it names no address to sign in at")
	}
	for _, address := range []string{endpoint.AuthURL, endpoint.TokenURL, says.Keys, cmp.Or(provider.UserInfoEndpoint(), p.Issuer)} {
		if !p.asSafe(address) {
			return nil, fmt.Errorf("its address %q is less safe than its issuer's", address)
		}
	}
	return &discovery{
		provider: provider,
		oauth: oauth2.Config{
			ClientID: p.ClientID, ClientSecret: string(p.ClientSecret), Endpoint: endpoint, RedirectURL: p.redirect,
			Scopes: []string{oidc.ScopeOpenID, "email", "profile"},
		},
		verifier: provider.Verifier(&oidc.Config{ClientID: p.ClientID}),
		tellsIss: says.TellsIss,
	}, nil
}

// asSafe tells whether an address that the provider names is encrypted, as its issuer's is but on this machine.
func (p *Provider) asSafe(address string) bool {
	named, err := url.Parse(address)
	issuer, err2 := url.Parse(p.Issuer)
	return err == nil && err2 == nil && named.Host != "" && (named.Scheme == "https" || named.Scheme == "http" && issuer.Scheme == "http")
}
