package account

import (
	"context"
	"net/url"
	"time"

	"pubquiz/internal/mail"
	"pubquiz/internal/words"
)

const (
	confirmAge = 24 * time.Hour     // of a link that confirms an address
	noticeAge  = 3 * 24 * time.Hour // after which nobody needs to be told any more
)

// SendsMail reports whether letters can be sent: only then can an address be confirmed, or a forgotten password be replaced.
func (a *Accounts) SendsMail() bool { return a.mail != nil }

// InboxFull reports whether an address, by its EmailKey, has been sent enough letters for now. Then none is written, and whoever asks is told nothing of it. It is asked once all else about
// a request is right.
type InboxFull func(emailKey string) (bool, error)

// write puts a letter into the outbox, in the language of whoever caused it, with the change that it is about. Where no mail is sent it does nothing.
func (a *Accounts) write(ctx context.Context, tx execer, to string, l mail.Draft, lifetime time.Duration) error {
	if a.mail == nil {
		return nil
	}
	return a.mail.Put(ctx, tx, to, l.In(words.Of(ctx)), lifetime)
}

// address is that of a page, perhaps with the token of a link.
func (a *Accounts) address(path, token string) string {
	page := a.baseURL.JoinPath(path)
	if token != "" {
		page.RawQuery = url.Values{"token": {token}}.Encode()
	}
	return page.String()
}

// What the letters say. Most can be brought about by somebody else than the one who reads them, so they hold nothing that was typed.

func (a *Accounts) confirmLetter(token string) mail.Draft {
	return mail.Draft{
		Subject: words.T("Confirm your address"),
		Text:    []words.Text{words.T("Somebody, most likely you, made an account with this address to host pub quizzes. Confirm that the address is yours, and your evenings can have as many players as fit in.")},
		Button:  words.T("Confirm this address"), Link: a.address("verify", token),
		After: []words.Text{words.T("You will be asked for the password that you chose. The link works once, within a day."), words.T("If it wasn’t you, do nothing: whoever it was cannot confirm your address.")},
	}
}

func (a *Accounts) newAddressLetter(token string) mail.Draft {
	return mail.Draft{
		Subject: words.T("Confirm your new address"),
		Text:    []words.Text{words.T("Somebody, most likely you, wants to use this address for an account that hosts pub quizzes.")},
		Button:  words.T("Use this address"), Link: a.address("verify", token),
		After: []words.Text{words.T("The link works once, within a day. Until then the account keeps the address it has, and that is the one to sign in with."), words.T("If it wasn’t you, do nothing, and nothing changes.")},
	}
}

func (a *Accounts) takenLetter() mail.Draft {
	return mail.Draft{
		Subject: words.T("You have an account already"),
		Text:    []words.Text{words.T("Somebody, most likely you, tried to use this address for an account that hosts pub quizzes. There is one with this address already, and nothing about it was changed."), words.T("Sign in with the password you have. If you don’t know it any more, choose a new one.")},
		Button:  words.T("Choose a new password"), Link: a.address("reset", ""),
		After: []words.Text{words.T("If it wasn’t you, there is nothing to do.")},
	}
}

func (a *Accounts) resetLetter(token string) mail.Draft {
	return mail.Draft{
		Subject: words.T("Choose a new password"),
		Text:    []words.Text{words.T("Somebody, most likely you, asked for a new password for the account with this address.")},
		Button:  words.T("Choose a new password"), Link: a.address("reset/password", token),
		After: []words.Text{words.T("The link works once, within half an hour. A newer one replaces it."), words.T("If it wasn’t you, do nothing: your password stays as it is.")},
	}
}

func (a *Accounts) passwordLetter() mail.Draft {
	return mail.Draft{
		Subject: words.T("Your password was changed"),
		Text:    []words.Text{words.T("The password of your account has just been changed. Every browser that was signed in with the old one has been signed out.")},
		After:   []words.Text{words.T("If it wasn’t you, somebody may be reading your mail or know your password. Choose a new one at {address} and make sure that nobody else can read this mailbox.", "address", a.address("reset", ""))},
	}
}

func (a *Accounts) movedLetter() mail.Draft {
	return mail.Draft{
		Subject: words.T("Your account has a new address"),
		Text:    []words.Text{words.T("The account that had this address has another one now, which was confirmed. Letters go there from now on, and all other browsers were signed out.")},
		After:   []words.Text{words.T("If it wasn’t you, somebody knows your password. Tell whoever runs {site}.", "site", a.baseURL.Host)},
	}
}

func (a *Accounts) deletedLetter() mail.Draft {
	return mail.Draft{
		Subject: words.T("Your account is deleted"),
		Text:    []words.Text{words.T("Your account, its quizzes and all that was kept of its sessions have been deleted, as you asked. This is the last letter about it.")},
	}
}
