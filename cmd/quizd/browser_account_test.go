package main

import (
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"

	"pubquiz/internal/browsertest"
	"pubquiz/internal/mail"
	"pubquiz/internal/mailtest"
)

// TestAccountInBrowsers goes with a host from the sign-up to the end of the account, by the letters that a real mail server gets.
func TestAccountInBrowsers(t *testing.T) {
	t.Parallel()
	post := mailtest.Start(t)
	_, base := startWith(t, environment{"SMTP_URL": "smtp://" + post.SMTP + "?tls=none", "MAIL_FROM": "Pub quiz <quiz@example.org>"})
	b := browsertest.Start(t)
	laptop, phone := b.Person("the host", browsertest.Laptop), b.Person("the host's phone", browsertest.Phone)
	laptop.Tolerate("status of 422", "status of 410", "status of 404")
	phone.Tolerate("status of 422", "status of 410", "status of 404")
	const email, password, newPassword = "alice@crown.example", "four pints of stout", "a goose on a bicycle"
	letters := 0
	letter := func(name, subject string) string {
		t.Helper()
		letters++
		m := post.Await(email, letters)
		if m.Subject != subject {
			t.Fatalf("the letter is about %q, want %q", m.Subject, subject)
		}
		showLetter(t, b, name, m.HTML)
		_, link, _ := strings.Cut(m.Text, base)
		link, _, _ = strings.Cut(link, "\r\n")
		return base + link
	}
	both := func(name string) {
		t.Helper()
		var address string
		laptop.Ask("location.href", &address)
		show(laptop, name)
		phone.Open(address)
		show(phone, "phone-"+name)
	}

	laptop.Open(base + "/signup")
	laptop.Fill("Your name, or your pub’s", "The Crown")
	laptop.Fill("E-mail address", email)
	laptop.Fill("Password", password)
	laptop.Click("Sign up")
	laptop.See("h1", "Look in your mail")
	show(laptop, "sign-up-sent")
	link := letter("confirm", "Confirm your address")

	for _, page := range []*browsertest.Page{phone, laptop} {
		page.Open(link)
		page.See("h1", "Sign in")
		page.Fill("E-mail address", email)
		page.Fill("Password", password)
		page.Click("Sign in")
		page.See("h1", "Confirm your address")
	}
	both("confirm-address")
	laptop.Click("Not now")
	laptop.See("h1", "Your account")
	both("account-unconfirmed")
	laptop.Click("Your quizzes")
	laptop.See(".notice", "30 places")
	both("dashboard-unconfirmed")
	laptop.Open(link)
	laptop.Click("Confirm this address")
	laptop.See(".notice", "Your address is confirmed")
	both("account")
	laptop.MustShowFocus()

	laptop.Click("Change your password")
	laptop.Fill("Your password", "not my password")
	laptop.Fill("New password", newPassword)
	laptop.Click("Set the new password")
	laptop.See(".field-problem", "That is not your password")
	show(laptop, "account-wrong-password")
	phone.Click("Change your address")
	phone.Fill("New address", "alice")
	show(phone, "phone-account-address")

	laptop.Open(base + "/reset")
	both("reset")
	laptop.Fill("E-mail address", email)
	laptop.Click("Send the link")
	laptop.See("h1", "Look in your mail")
	show(laptop, "reset-sent")
	link = letter("reset", "Choose a new password")
	laptop.Open(link)
	laptop.See("h1", "Choose a new password")
	both("choose-password")
	laptop.Fill("New password", "qwertyuiop")
	laptop.Click("Set the password")
	laptop.See(".field-problem", "Many people use this password")
	show(laptop, "choose-password-refused")
	laptop.Fill("New password", newPassword)
	laptop.Click("Set the password")
	laptop.See("h1", "Your new password is set")
	show(laptop, "password-set")
	letter("password-changed", "Your password was changed")
	laptop.Open(link)
	laptop.See("h1", "This link no longer works")
	show(laptop, "link-spent")
	phone.Open(base + "/account")
	phone.See("h1", "Sign in") // the reset has signed it out

	laptop.Open(base + "/account/delete")
	laptop.Fill("E-mail address", email)
	laptop.Fill("Password", newPassword)
	laptop.Click("Sign in")
	laptop.See("h1", "Delete your account")
	laptop.MustShowFocus()
	show(laptop, "delete-account")
	phone.Fill("E-mail address", email)
	phone.Fill("Password", newPassword)
	phone.Click("Sign in")
	phone.See("h1", "Your account")
	phone.Open(base + "/account/delete")
	show(phone, "phone-delete-account")
	laptop.Fill("The e-mail address of this account, typed out", email)
	laptop.Fill("Your password", newPassword)
	laptop.Click("Delete my account for good")
	laptop.See("h1", "Your account is deleted")
	show(laptop, "account-deleted")
	letter("account-deleted", "Your account is deleted")
}

// showLetter shows a letter's page as a mail program does: with nothing of the site around it.
func showLetter(t *testing.T, b *browsertest.Browser, name, html string) {
	t.Helper()
	reader := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		w.Header().Set("Content-Security-Policy", "default-src 'none'; style-src 'unsafe-inline'; img-src data:")
		if r.URL.Path == "/letter" {
			_, _ = w.Write([]byte(html))
		}
	}))
	defer reader.Close()
	for device, size := range map[string]browsertest.Device{"": browsertest.Laptop, "phone-": browsertest.Phone} {
		page := b.PersonFor(t, "a reader of "+name, size)
		page.Open(reader.URL + "/letter")
		show(page, device+"letter-"+name)
		page.Close()
	}
}

// TestDemoMailInBrowsers looks at what a demo does not send.
func TestDemoMailInBrowsers(t *testing.T) {
	t.Parallel()
	s, base := startConfigured(t, nil, func(c *config) { c.tray = new(mail.Tray) })
	if _, err := s.accounts.EnsureUser(t.Context(), demoEmail, demoName); err != nil {
		t.Fatal(err)
	}
	b := browsertest.Start(t)
	early := b.Person("somebody before any letter", browsertest.Laptop)
	early.Open(base + "/demo/mail")
	early.See(".empty", "No letters yet")
	show(early, "demo-mail-empty")
	for name, device := range map[string]browsertest.Device{"": browsertest.Laptop, "phone-": browsertest.Phone} {
		page := b.Person("somebody at the demo", device)
		page.Open(base + "/reset?email=" + url.QueryEscape(demoEmail))
		page.Click("Send the link")
		page.Click("Look into the demo’s mail")
		page.See("h1", "The demo’s mail")
		page.ClickUntil("Look again", ".letters", "Choose a new password")
		show(page, name+"demo-mail")
	}
}
