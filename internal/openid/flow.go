package openid

import (
	"context"
	"crypto/rand"
	"crypto/subtle"
	"encoding/json"
	"errors"
	"fmt"
	"net/url"
	"strings"
	"unicode"

	"github.com/coreos/go-oidc/v3/oidc"
	"golang.org/x/oauth2"
)

// Attempt is what the browser must bring back for an attempt to come to an end. Nobody else may see or change it.
type Attempt struct {
	State    string
	Nonce    string
	Verifier string
}

// Identity is who somebody is at a provider. Issuer and Subject together never change and never pass to somebody else; the rest may.
type Identity struct {
	Issuer        string
	Subject       string
	Email         string
	EmailVerified bool // by the provider, which said so with the boolean true and nothing else
	Name          string
}

var (
	// ErrDeclined says that somebody came back from the provider without going through with it.
	ErrDeclined = errors.New("the sign-in was broken off at the provider")

	// ErrRefused says that an answer does not prove anything: it belongs to no attempt or to another, was changed, or is not the provider's.
	ErrRefused = errors.New("the provider's answer is not accepted")
)

// Begin begins an attempt. The browser is to go on to the address. The error is ErrUnavailable or the context's.
func (p *Provider) Begin(ctx context.Context) (a Attempt, address string, err error) {
	d, err := p.discover(ctx)
	if err != nil {
		return Attempt{}, "", err
	}
	a = Attempt{State: rand.Text(), Nonce: rand.Text(), Verifier: oauth2.GenerateVerifier()}
	return a, d.oauth.AuthCodeURL(a.State, oidc.Nonce(a.Nonce), oauth2.S256ChallengeOption(a.Verifier)), nil
}

// Finish ends an attempt with the parameters with which the browser came back. The error is ErrDeclined, ErrRefused, ErrUnavailable
// or the context's.
func (p *Provider) Finish(ctx context.Context, a Attempt, back url.Values) (Identity, error) {
	d, err := p.discover(ctx)
	if err != nil {
		return Identity{}, err
	}
	if err := p.check(d, a, back); err != nil {
		return Identity{}, err
	}
	ctx = oidc.ClientContext(ctx, p.client)
	token, err := d.oauth.Exchange(ctx, back.Get("code"), oauth2.VerifierOption(a.Verifier))
	if refused, ok := errors.AsType[*oauth2.RetrieveError](err); ok && refused.Response.StatusCode < 500 {
		return Identity{}, fmt.Errorf("%w: the code: %w", ErrRefused, err)
	}
	if err != nil {
		return Identity{}, fmt.Errorf("%w: the code: %w", ErrUnavailable, err)
	}
	raw, _ := token.Extra("id_token").(string)
	proof, err := d.verifier.Verify(ctx, raw)
	if err != nil {
		return Identity{}, fmt.Errorf("%w: %w", ErrRefused, err)
	}
	if err := p.checkProof(proof, a, token); err != nil {
		return Identity{}, err
	}
	return p.identity(ctx, d, proof, token)
}

// check says whether the browser came back from the attempt it set out on.
func (p *Provider) check(d *discovery, a Attempt, back url.Values) error {
	if a.State == "" || subtle.ConstantTimeCompare([]byte(back.Get("state")), []byte(a.State)) != 1 {
		return fmt.Errorf("%w: the state is another", ErrRefused)
	}
	if issuer, told := back["iss"]; (told || d.tellsIss) && (len(issuer) != 1 || issuer[0] != p.Issuer) {
		return fmt.Errorf("%w: the answer is from %q", ErrRefused, issuer) // RFC 9207: it was mixed up with another provider's
	}
	switch failure := back.Get("error"); {
	case failure == "access_denied":
		return ErrDeclined
	case failure != "":
		return fmt.Errorf("%w: it says %q: %q", ErrRefused, failure, back.Get("error_description"))
	case back.Get("code") == "":
		return fmt.Errorf("%w: there is no code", ErrRefused)
	}
	return nil
}

// checkProof checks what the verifier, which knows signatures, issuers, audiences and times, does not.
func (p *Provider) checkProof(proof *oidc.IDToken, a Attempt, token *oauth2.Token) error {
	if a.Nonce == "" || subtle.ConstantTimeCompare([]byte(proof.Nonce), []byte(a.Nonce)) != 1 {
		return fmt.Errorf("%w: the nonce is another", ErrRefused)
	}
	var to struct {
		AuthorizedParty string `json:"azp"`
	}
	if err := proof.Claims(&to); err != nil {
		return fmt.Errorf("%w: %w", ErrRefused, err)
	}
	if (len(proof.Audience) > 1 || to.AuthorizedParty != "") && to.AuthorizedParty != p.ClientID {
		return fmt.Errorf("%w: it was issued to %q", ErrRefused, to.AuthorizedParty)
	}
	if proof.AccessTokenHash != "" {
		if err := proof.VerifyAccessToken(token.AccessToken); err != nil {
			return fmt.Errorf("%w: %w", ErrRefused, err)
		}
	}
	const longest = 255
	if proof.Subject == "" || len(proof.Subject) > longest || strings.ContainsFunc(proof.Subject, unicode.IsControl) {
		return fmt.Errorf("%w: it names nobody", ErrRefused)
	}
	return nil
}

// claims are what a provider says of somebody, in the ID token or where it is asked.
type claims struct {
	Email         string          `json:"email"`
	EmailVerified json.RawMessage `json:"email_verified"` // some send "false", which is not false
	Name          string          `json:"name"`
}

// identity puts together who somebody is. Providers may keep all but the subject out of the ID token, and are asked for it then.
func (p *Provider) identity(ctx context.Context, d *discovery, proof *oidc.IDToken, token *oauth2.Token) (Identity, error) {
	var c claims
	if err := proof.Claims(&c); err != nil {
		return Identity{}, fmt.Errorf("%w: %w", ErrRefused, err)
	}
	if c.Email == "" && d.provider.UserInfoEndpoint() != "" {
		info, err := d.provider.UserInfo(ctx, oauth2.StaticTokenSource(token))
		if err != nil {
			return Identity{}, fmt.Errorf("%w: asking who it is: %w", ErrUnavailable, err)
		}
		if info.Subject != proof.Subject {
			return Identity{}, fmt.Errorf("%w: it tells of somebody else", ErrRefused)
		}
		if err := info.Claims(&c); err != nil {
			return Identity{}, fmt.Errorf("%w: %w", ErrRefused, err)
		}
	}
	return Identity{
		Issuer: p.Issuer, Subject: proof.Subject, Email: c.Email, EmailVerified: string(c.EmailVerified) == "true", Name: c.Name,
	}, nil
}
