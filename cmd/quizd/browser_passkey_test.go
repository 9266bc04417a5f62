package main

import (
	"testing"

	"pubquiz/internal/browsertest"
)

// TestPasskeysInBrowsers adds a passkey to an account, signs in with it, and takes it away again.
func TestPasskeysInBrowsers(t *testing.T) {
	t.Parallel()
	browser := browsertest.Start(t)
	_, base := startTest(t)
	phone := browser.Person("a host's phone", browsertest.Phone)
	phone.Tolerate("status of 422", "status of 410")
	authenticator := phone.Authenticator()
	phone.Open(base + "/signup")
	phone.Fill("Your name", "The Crown")
	phone.Fill("E-mail address", "crown@example.org")
	phone.Fill("Password", "a few words to remember")
	phone.Click("Sign up")
	phone.See("h1", "Your quizzes")

	phone.Open(base + "/account/security")
	phone.Click("Add a passkey")
	phone.Fill("A name for it", "My phone")
	phone.Fill("Your password", "not the password")
	phone.Click("Add it")
	phone.See(".form-problem", "That is not your password")
	show(phone, "phone-passkey-wrong")
	phone.Fill("Your password", "a few words to remember")
	phone.Click("Add it")
	phone.See(".title", "My phone")
	phone.See(".aside", "not used yet")
	show(phone, "phone-passkeys")
	phone.MustShowFocus()

	phone.Open(base + "/host")
	phone.Click("Sign out")
	phone.See("h1", "Join the quiz")
	phone.Open(base + "/account/security")
	phone.See("h1", "Sign in")
	show(phone, "phone-sign-in-passkey")
	authenticator.Recognize(false)
	phone.Click("Use a passkey")
	phone.See(".form-problem", "Nothing was done")
	show(phone, "phone-sign-in-passkey-refused")
	authenticator.Recognize(true)
	phone.Click("Use a passkey")
	phone.See("h1", "Ways in")
	phone.See(".aside", "last used on")

	phone.Click("Remove My phone")
	phone.Fill("Your password", "a few words to remember")
	phone.Click("Remove the passkey")
	phone.See(".title", "None yet")
	phone.Open(base + "/host")
	phone.Click("Sign out")
	phone.See("h1", "Join the quiz")
	phone.Open(base + "/signin")
	phone.Click("Use a passkey")
	phone.See(".form-problem", "This passkey is not known here")

	laptop := browser.Person("a visitor", browsertest.Laptop)
	laptop.Open(base + "/signin")
	laptop.See("button", "Use a passkey")
	show(laptop, "sign-in-passkey")
	laptop.MustShowFocus()
}
