package billing

import (
	"context"
	"time"

	"github.com/jackc/pgx/v5"

	"pubquiz/account"
	"pubquiz/internal/mail"
	"pubquiz/internal/words"
	"pubquiz/internal/words/when"
)

const noticeAge = 7 * 24 * time.Hour // after which nobody needs to be told any more

// tell writes a letter to a user, in the language that they chose last: most often Stripe has caused it. It is written with the change that it is about. Where no mail is sent it does nothing.
func (b *Billing) tell(ctx context.Context, tx pgx.Tx, user account.UserID, l mail.Draft) error {
	if b.outbox == nil {
		return nil
	}
	var to, reads string
	if err := tx.QueryRow(ctx, `SELECT email, coalesce(language, '') FROM users WHERE id = $1`, user).Scan(&to, &reads); err != nil {
		return err
	}
	language, ok := words.Find(reads)
	if !ok {
		language = words.English
	}
	return b.outbox.Put(ctx, tx, to, l.In(language), noticeAge)
}

// letterAbout is what a user is told when their subscription, of which was known what is in before, is as it now is. A failed payment is forgiven until then.
func (b *Billing) letterAbout(before stored, s subscription, until *time.Time) (mail.Draft, bool) {
	switch {
	case s.Status == "past_due" && before.Status != "past_due" && until != nil:
		return b.failedLetter(*until), true
	case s.Status.isLive() && s.CancelAt != nil && before.CancelAt == nil:
		return b.cancelledLetter(*s.CancelAt), true
	case before.Status.isLive() && !s.Status.isLive():
		return b.endedLetter(), true
	}
	return mail.Draft{}, false
}

func (b *Billing) failedLetter(until time.Time) mail.Draft {
	return mail.Draft{
		Subject: words.T("A payment for your plan did not go through"),
		Text:    []words.Text{words.T("The payment for your pub quiz plan was refused, most likely by your bank. Your plan goes on until {day}, and the payment is tried again in the meantime.", "day", when.Day(until)), words.T("If your card is new or out of date, enter it in your account.")},
		Button:  words.T("Look after it"), Link: b.address(BackPath),
		After: []words.Text{words.T("Without a payment the account is on the free plan after that. Your quizzes and results stay.")},
	}
}

func (b *Billing) cancelledLetter(at time.Time) mail.Draft {
	return mail.Draft{
		Subject: words.T("Your plan ends on {day}", "day", when.Day(at)),
		Text:    []words.Text{words.T("Your pub quiz plan is cancelled. It lasts until {day}; nothing more is charged, and the account is on the free plan after that. Your quizzes and results stay.", "day", when.Day(at))},
		Button:  words.T("Change your mind"), Link: b.address(BackPath),
	}
}

func (b *Billing) endedLetter() mail.Draft {
	return mail.Draft{
		Subject: words.T("Your plan has ended"),
		Text:    []words.Text{words.T("Your pub quiz plan has ended, and nothing more is charged for it. The account is on the free plan now. Your quizzes and results stay; an evening that is under way goes on as it is.")},
		Button:  words.T("See the plans"), Link: b.address("pricing"),
	}
}

func (b *Billing) refundedLetter() mail.Draft {
	return mail.Draft{
		Subject: words.T("You paid twice, and have the second payment back"),
		Text:    []words.Text{words.T("You had a pub quiz plan already when you paid for another. The second one is cancelled, and all that was paid for it goes back to where it came from, within a few days. Your first plan goes on.")},
		Button:  words.T("See your plan"), Link: b.address(BackPath),
		After: []words.Text{words.T("To change your plan, choose another one in your account.")},
	}
}

func (b *Billing) invitedLetter() mail.Draft {
	return mail.Draft{
		Subject: words.T("You are invited to host pub quizzes"),
		Text: []words.Text{words.T("Somebody who hosts pub quizzes at {site} would like you to host some by their plan, which they pay for.", "site", b.settings.BaseURL.Host),
			words.T("Sign in with this address, or make an account with it and confirm it. There you see who it is, and say yes or no.")},
		Button: words.T("See the invitation"), Link: b.address(BackPath),
		After: []words.Text{words.T("If you know nothing of it, do nothing: nothing happens.")},
	}
}
