// Package openid proves who somebody is by an OpenID provider: OpenID Connect's authorization code flow with state, nonce and PKCE
// (OpenID Connect Core 1.0, RFC 7636, RFC 9207).
package openid

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"sync"
	"time"

	"github.com/coreos/go-oidc/v3/oidc"
	"golang.org/x/oauth2"
)

// GoogleIssuer is Google's.
const GoogleIssuer = "https://accounts.google.com"

// Settings are what an operator says about one provider.
type Settings struct {
	Name         string // in addresses: lower-case letters, digits and dashes
	Label        string // on buttons
	Issuer       string // an address: https, or http on this machine
	ClientID     string
	ClientSecret Secret // empty for a public client
}

const (
	patience = 10 * time.Second // with a provider, for one answer
	respite  = 5 * time.Second  // for a provider that did not answer when it was asked about itself
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
	return &Provider{Settings: settings, redirect: redirect.String(), client: &http.Client{Timeout: patience}}
}

// discover returns what the provider says about itself, and asks it if it has not said yet. One that just failed is left alone for a
// moment. The error is ErrUnavailable or the context's.
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
		if ctx.Err() != nil { // the visitor went away, which says nothing about the provider
			return nil, ctx.Err()
		}
		p.failed, p.failedAt = fmt.Errorf("%w: %s: %w", ErrUnavailable, p.Issuer, err), time.Now()
		return nil, p.failed
	}
	p.found, p.failed = found, nil
	return found, nil
}

func (p *Provider) ask(ctx context.Context) (*discovery, error) {
	provider, err := oidc.NewProvider(oidc.ClientContext(ctx, p.client), p.Issuer)
	if err != nil {
		return nil, err
	}
	var says struct {
		TellsIss bool `json:"authorization_response_iss_parameter_supported"`
	}
	if err := provider.Claims(&says); err != nil {
		return nil, err
	}
	endpoint := provider.Endpoint()
	if endpoint.AuthURL == "" || endpoint.TokenURL == "" {
		return nil, errors.New("it names no address to sign in at")
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
