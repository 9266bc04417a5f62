package main

import (
	"testing"
	"time"

	"github.com/piglig/go-qr"
	"github.com/pquerna/otp"
	"github.com/pquerna/otp/totp"

	"pubquiz/internal/browsertest"
	"pubquiz/internal/oidctest"
)

// TestSigningInInBrowsers signs in with a provider that we did not write, and with a code after that.
func TestSigningInInBrowsers(t *testing.T) {
	t.Parallel()
	browser, provider := browsertest.Start(t), oidctest.New(t)
	s, base := startWith(t, environment{
		"OIDC_PROVIDERS": "brewery", "OIDC_BREWERY_LABEL": "The Brewery", "OIDC_BREWERY_ISSUER": provider.Issuer,
		"LIMITS": "auth=1000", "OIDC_BREWERY_CLIENT_ID": oidctest.ClientID, "OIDC_BREWERY_CLIENT_SECRET": oidctest.ClientSecret,
	})
	laptop := browser.Person("a host", browsertest.Laptop)
	laptop.Tolerate("status of 404", "status of 422", "status of 503")
	laptop.Open(base + "/signin")
	laptop.Click("Go on with The Brewery")
	laptop.See(".form-problem", "The Brewery does not answer at the moment")
	show(laptop, "sign-in-provider-down")

	provider.Start(t, base+"/signin/with/brewery/back",
		oidctest.Person{ID: "1", Username: "alice", FirstName: "Alice", LastName: "Ale", Email: "alice@example.org", EmailVerified: true},
		oidctest.Person{ID: "2", Username: "bob", FirstName: "Bob", LastName: "Bitter", Email: "bob@example.org"},
	)
	atProvider := func(p *browsertest.Page, username string) {
		t.Helper()
		p.Click("Go on with The Brewery")
		p.Fill("Username", username)
		p.Fill("Password", oidctest.Password)
		p.Click("Login")
	}
	again := time.Now().Add(ampleTime) // a provider that did not answer is left alone for a moment
	for there := false; !there; {
		if time.Now().After(again) {
			t.Fatal("the provider is still taken to be down")
		}
		laptop.Open(base + "/signin")
		laptop.Click("Go on with The Brewery")
		laptop.Await("an answer", `!!document.querySelector("input[name=username], .form-problem:not([hidden])")`, nil)
		laptop.Ask(`!!document.querySelector("input[name=username]")`, &there)
	}
	laptop.Fill("Username", "alice")
	laptop.Fill("Password", oidctest.Password)
	laptop.Click("Login")
	laptop.See("h1", "Your quizzes")
	laptop.See("bdi", "Alice Ale")

	laptop.Open(base + "/account/security")
	show(laptop, "ways-in")
	laptop.Click("Unlink The Brewery")
	laptop.Click("Unlink The Brewery")
	laptop.See(".form-problem", "Nothing else opens your account")
	show(laptop, "ways-in-last")
	laptop.Click("Turn on")
	laptop.Click("Set up your app")
	laptop.See("h1", "Set up your app")
	show(laptop, "app-secret")
	scanned, err := go_qr.Decode(laptop.Photograph(".qr"))
	if err != nil {
		t.Fatal(err)
	}
	key, err := otp.NewKeyFromURL(scanned)
	if err != nil {
		t.Fatalf("%q: %v", scanned, err)
	}
	codeOf := func(moment time.Time) string {
		t.Helper()
		code, err := totp.GenerateCode(key.Secret(), moment)
		if err != nil {
			t.Fatal(err)
		}
		return code
	}
	first := time.Now()
	laptop.Fill("The code that the app shows now", codeOf(first))
	laptop.Click("Turn it on")
	laptop.See("h1", "Keep these codes")
	show(laptop, "recovery-codes")
	recovery := laptop.Read(".codes code")
	laptop.Click("I have them")
	laptop.See(".title", "10 recovery codes left")
	laptop.Click("New codes")
	show(laptop, "ways-in-on")
	laptop.MustShowFocus()

	phone := browser.Person("the host's phone", browsertest.Phone)
	phone.Tolerate("status of 404", "status of 422")
	phone.Open(base + "/host")
	phone.See("h1", "Sign in")
	show(phone, "phone-sign-in-providers")
	atProvider(phone, "bob")
	phone.See(".form-problem", "The Brewery has not confirmed your address")
	show(phone, "phone-sign-in-refused")
	phone.Open(base + "/signup")
	show(phone, "phone-sign-up-providers")
	atProvider(phone, "alice")
	phone.See("h1", "Your code")
	show(phone, "phone-code")
	// As if the code that was used were the present one: an old one is refused, used or not.
	const step, bring = 30, `UPDATE user_totp SET last_step = $2 WHERE last_step = $1`
	present := time.Now()
	if tag, err := s.pool.Exec(t.Context(), bring, first.Unix()/step, present.Unix()/step); err != nil || tag.RowsAffected() != 1 {
		t.Fatalf("%v, %v: the code that was used is not the last one", tag, err)
	}
	phone.Fill("Code", codeOf(present))
	phone.Click("Sign in")
	phone.See(".field-problem", "was used before")
	show(phone, "phone-code-refused")
	phone.Click("No phone at hand?")
	show(phone, "phone-code-recovery")
	phone.Fill("Recovery code", recovery)
	phone.Click("Sign in with it")
	phone.See("h1", "Your quizzes")
	phone.Open(base + "/account/security")
	phone.See(".title", "9 recovery codes left")
	phone.Click("Turn off")
	show(phone, "phone-ways-in")
}
