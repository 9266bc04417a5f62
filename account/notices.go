package account

import (
	"context"
	"net/url"

	"github.com/jackc/pgx/v5"

	"pubquiz/internal/mail"
)

// tell writes a letter to the address of a user, with the change of what opens their account that it is about.
func (a *Accounts) tell(ctx context.Context, tx pgx.Tx, user UserID, l mail.Letter) error {
	if a.mail == nil {
		return nil
	}
	var to string
	if err := tx.QueryRow(ctx, `SELECT email FROM users WHERE id = $1`, user).Scan(&to); err != nil {
		return err
	}
	l.After = append(l.After, "If it wasn’t you, choose a new password at "+a.address("reset", "")+" and look at "+a.address("account/security", "")+".")
	return a.write(ctx, tx, to, l, noticeAge)
}

var (
	twoStepOnLetter = mail.Letter{
		Subject: "Signing in now takes a code",
		Text:    []string{"From now on signing in to your account takes a code from an app, too. All other browsers have been signed out. Keep your recovery codes where you find them without your phone."},
	}
	twoStepOffLetter = mail.Letter{
		Subject: "Signing in takes no code any more",
		Text:    []string{"Signing in to your account takes no code from an app any more. All other browsers have been signed out."},
	}
	recoveredLetter = mail.Letter{
		Subject: "A recovery code was used",
		Text:    []string{"Somebody, most likely you, has just signed in to your account with one of its recovery codes. That code is used up; you can make new ones in your account."},
	}
)

var (
	passkeyLetter = mail.Letter{
		Subject: "Your account has a new passkey",
		Text:    []string{"A passkey was added to your account. It opens the account from now on, without a password."},
	}
	passkeyGoneLetter = mail.Letter{
		Subject: "Your account has one passkey less",
		Text:    []string{"A passkey was removed from your account. It does not open the account any more."},
	}
)

// The providers in these letters are those that the operator has configured, by the names of their hosts.

func linkedLetter(issuer string) mail.Letter {
	return mail.Letter{
		Subject: "Your account has another way in",
		Text:    []string{"An account at " + hostOf(issuer) + " opens your account from now on."},
	}
}

func unlinkedLetter(issuer string) mail.Letter {
	return mail.Letter{
		Subject: "Your account has one way in less",
		Text:    []string{"No account at " + hostOf(issuer) + " opens your account any more."},
	}
}

func hostOf(issuer string) string {
	address, err := url.Parse(issuer)
	if err != nil || address.Host == "" {
		return issuer
	}
	return address.Host
}
