package billing

import (
	"context"
	"time"

	"github.com/jackc/pgx/v5"

	"pubquiz/account"
	"pubquiz/internal/mail"
)

const noticeAge = 7 * 24 * time.Hour // after which nobody needs to be told any more

// tell writes a letter to a user, with the change that it is about. Where no mail is sent it does nothing.
func (b *Billing) tell(ctx context.Context, tx pgx.Tx, user account.UserID, l mail.Letter) error {
	if b.outbox == nil {
		return nil
	}
	var to string
	if err := tx.QueryRow(ctx, `SELECT email FROM users WHERE id = $1`, user).Scan(&to); err != nil {
		return err
	}
	return b.outbox.Put(ctx, tx, to, l, noticeAge)
}

// letterAbout is what a user is told when their subscription, of which was known what is in before, is as it now is. A failed payment is forgiven until then.
func (b *Billing) letterAbout(before stored, s subscription, until *time.Time) (mail.Letter, bool) {
	wasLive := subscription{Status: before.Status}.isLive()
	switch {
	case s.Status == "past_due" && before.Status != "past_due" && until != nil:
		return b.failedLetter(*until), true
	case s.isLive() && s.CancelAt != nil && before.CancelAt == nil:
		return b.cancelledLetter(*s.CancelAt), true
	case wasLive && !s.isLive():
		return b.endedLetter(), true
	}
	return mail.Letter{}, false
}

func day(t time.Time) string { return t.UTC().Format("2 January 2006") }

func (b *Billing) failedLetter(until time.Time) mail.Letter {
	return mail.Letter{
		Subject: "A payment for your plan did not go through",
		Text:    []string{"The payment for your pub quiz plan was refused, most likely by your bank. Your plan goes on until " + day(until) + ", and the payment is tried again in the meantime.", "If your card is new or out of date, enter it in your account."},
		Button:  "Look after it", Link: b.address(BackPath),
		After: []string{"Without a payment the account is on the free plan after that. Your quizzes and results stay."},
	}
}

func (b *Billing) cancelledLetter(at time.Time) mail.Letter {
	return mail.Letter{
		Subject: "Your plan ends on " + day(at),
		Text:    []string{"Your pub quiz plan is cancelled. It lasts until " + day(at) + "; nothing more is charged, and the account is on the free plan after that. Your quizzes and results stay."},
		Button:  "Change your mind", Link: b.address(BackPath),
	}
}

func (b *Billing) endedLetter() mail.Letter {
	return mail.Letter{
		Subject: "Your plan has ended",
		Text:    []string{"Your pub quiz plan has ended, and nothing more is charged for it. The account is on the free plan now. Your quizzes and results stay; an evening that is under way goes on as it is."},
		Button:  "See the plans", Link: b.address("pricing"),
	}
}

func (b *Billing) refundedLetter() mail.Letter {
	return mail.Letter{
		Subject: "You paid twice, and have the second payment back",
		Text:    []string{"You had a pub quiz plan already when you paid for another. The second one is cancelled, and all that was paid for it goes back to where it came from, within a few days. Your first plan goes on."},
		Button:  "See your plan", Link: b.address(BackPath),
		After: []string{"To change your plan, choose another one in your account."},
	}
}

func (b *Billing) invitedLetter() mail.Letter {
	return mail.Letter{
		Subject: "You are invited to host pub quizzes",
		Text: []string{"Somebody who hosts pub quizzes at " + b.settings.BaseURL.Host + " would like you to host some by their plan, which they pay for.",
			"Sign in with this address, or make an account with it and confirm it. There you see who it is, and say yes or no."},
		Button: "See the invitation", Link: b.address(BackPath),
		After: []string{"If you know nothing of it, do nothing: nothing happens."},
	}
}
