package browsertest

import "github.com/chromedp/cdproto/webauthn"

// Authenticator is what keeps the passkeys of a page's device and checks who is there, by a finger as it were.
type Authenticator struct {
	page *Page
	id   webauthn.AuthenticatorID
}

// Authenticator gives the device an authenticator. It knows its owner's finger until it is told otherwise.
func (p *Page) Authenticator() *Authenticator {
	p.t.Helper()
	call(p, webauthn.Enable, webauthn.EnableParams{})
	added := call(p, webauthn.AddVirtualAuthenticator, webauthn.AddVirtualAuthenticatorParams{Options: &webauthn.VirtualAuthenticatorOptions{
		Protocol: webauthn.AuthenticatorProtocolCtap2, Transport: webauthn.AuthenticatorTransportInternal,
		HasResidentKey: true, HasUserVerification: true, IsUserVerified: true, AutomaticPresenceSimulation: true,
	}})
	return &Authenticator{p, added.AuthenticatorID}
}

// Recognize says whether the finger on it is its owner's from now on.
func (a *Authenticator) Recognize(owner bool) {
	a.page.t.Helper()
	call(a.page, webauthn.SetUserVerified, webauthn.SetUserVerifiedParams{AuthenticatorID: a.id, IsUserVerified: owner})
}
