package account

import (
	"context"
	"net/url"

	"github.com/jackc/pgx/v5"

	"pubquiz/internal/mail"
	"pubquiz/internal/words"
)

// tell writes a letter to the address of a user, with the change of what opens their account that it is about.
func (a *Accounts) tell(ctx context.Context, tx pgx.Tx, user UserID, l mail.Draft) error {
	if a.mail == nil {
		return nil
	}
	var to string
	if err := tx.QueryRow(ctx, `SELECT email FROM users WHERE id = $1`, user).Scan(&to); err != nil {
		return err
	}
	l.After = append(l.After, words.T("If it wasn’t you, choose a new password at {reset} and look at {security}.", "reset", a.address("reset", ""), "security", a.address("account/security", "")))
	return a.write(ctx, tx, to, l, noticeAge)
}

var (
	twoStepOnLetter = mail.Draft{
		Subject: words.T("Signing in now takes a code"),
		Text:    []words.Text{words.T("From now on signing in to your account takes a code from an app, too. All other browsers have been signed out. Keep your recovery codes where you find them without your phone.")},
	}
	twoStepOffLetter = mail.Draft{
		Subject: words.T("Signing in takes no code any more"),
		Text:    []words.Text{words.T("Signing in to your account takes no code from an app any more. All other browsers have been signed out.")},
	}
	recoveredLetter = mail.Draft{
		Subject: words.T("A recovery code was used"),
		Text:    []words.Text{words.T("Somebody, most likely you, has just signed in to your account with one of its recovery codes. That code is used up; you can make new ones in your account.")},
	}
)

var (
	passkeyLetter = mail.Draft{
		Subject: words.T("Your account has a new passkey"),
		Text:    []words.Text{words.T("A passkey was added to your account. It opens the account from now on, without a password.")},
	}
	passkeyGoneLetter = mail.Draft{
		Subject: words.T("Your account has one passkey less"),
		Text:    []words.Text{words.T("A passkey was removed from your account. It does not open the account any more.")},
	}
)

// The providers in these letters are those that the operator has configured, by the names of their hosts.

func linkedLetter(issuer string) mail.Draft {
	return mail.Draft{
		Subject: words.T("Your account has another way in"),
		Text:    []words.Text{words.T("An account at {provider} opens your account from now on.", "provider", hostOf(issuer))},
	}
}

func unlinkedLetter(issuer string) mail.Draft {
	return mail.Draft{
		Subject: words.T("Your account has one way in less"),
		Text:    []words.Text{words.T("No account at {provider} opens your account any more.", "provider", hostOf(issuer))},
	}
}

func hostOf(issuer string) string {
	address, err := url.Parse(issuer)
	if err != nil || address.Host == "" {
		return issuer
	}
	return address.Host
}
