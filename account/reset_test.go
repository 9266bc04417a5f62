package account

import (
	"context"
	"errors"
	"strings"
	"sync"
	"testing"
	"time"
)

const otherPassword = "six pints of stout"

func TestAResetReplacesThePassword(t *testing.T) {
	t.Parallel()
	l := newLetters(t)
	l.owner()
	token := l.resetToken(2)
	if email, err := l.ResetLink(t.Context(), token); err != nil || email != "alice@example.org" {
		t.Errorf("the link is for %q, %v", email, err)
	}
	if err := l.ResetPassword(t.Context(), token, otherPassword); err != nil {
		t.Fatal(err)
	}
	if _, err := l.SignIn(t.Context(), "alice@example.org", password, laptop); !errors.Is(err, ErrWrongCredentials) {
		t.Errorf("the old password: %v", err)
	}
	l.signedIn(otherPassword)
	if notice := l.latest("alice@example.org", 3); notice.Subject != "Your password was changed" || notice.Link != "" {
		t.Errorf("the notice is %+v", notice)
	}
}

// A reset signs nobody in: whoever reads the mailbox does not get past a second factor.
func TestAResetSignsNobodyIn(t *testing.T) {
	t.Parallel()
	l := newLetters(t)
	l.owner()
	if err := l.ResetPassword(t.Context(), l.resetToken(2), otherPassword); err != nil {
		t.Fatal(err)
	}
	if n := count(t, l.pool, `SELECT count(*) FROM user_sessions`); n != 0 {
		t.Errorf("%d browsers are signed in", n)
	}
}

func TestSeenElsewhereResetLinkReusable(t *testing.T) {
	t.Parallel()
	l := newLetters(t)
	l.owner()
	token := l.resetToken(2)
	if err := l.ResetPassword(t.Context(), token, otherPassword); err != nil {
		t.Fatal(err)
	}
	if err := l.ResetPassword(t.Context(), token, "seven pints of stout"); !errors.Is(err, ErrLinkSpent) {
		t.Errorf("used again: %v", err)
	}
	if _, err := l.ResetLink(t.Context(), token); !errors.Is(err, ErrLinkSpent) {
		t.Errorf("looked at again: %v", err)
	}
	l.signedIn(otherPassword)
}

func TestSeenElsewhereResetLinkUsedTwiceAtOnce(t *testing.T) {
	t.Parallel()
	l := newLetters(t)
	l.owner()
	token := l.resetToken(2)
	errs := make(chan error, 4)
	var group sync.WaitGroup
	for i := range cap(errs) {
		group.Go(func() {
			errs <- l.ResetPassword(context.WithoutCancel(t.Context()), token, otherPassword+strings.Repeat("!", i))
		})
	}
	group.Wait()
	close(errs)
	worked := 0
	for err := range errs {
		if err == nil {
			worked++
		} else if !errors.Is(err, ErrLinkSpent) && !errors.Is(err, ErrBusy) {
			t.Error(err)
		}
	}
	if worked != 1 {
		t.Errorf("%d of them worked, want one", worked)
	}
}

func TestSeenElsewhereResetLinkSurvivesAPasswordChange(t *testing.T) {
	t.Parallel()
	l := newLetters(t)
	user, browser := l.owner()
	token := l.resetToken(2)
	if _, err := l.ChangePassword(t.Context(), user, browser, otherPassword, laptop); err != nil {
		t.Fatal(err)
	}
	if err := l.ResetPassword(t.Context(), token, "seven pints of stout"); !errors.Is(err, ErrLinkSpent) {
		t.Errorf("the link from before: %v", err)
	}
}

func TestSeenElsewhereResetLinkSurvivesAnAddressChange(t *testing.T) {
	t.Parallel()
	l := newLetters(t)
	user, browser := l.owner()
	token := l.resetToken(2) // in the old mailbox
	if err := l.AskToConfirm(t.Context(), user, "alice@new.example", neverFull); err != nil {
		t.Fatal(err)
	}
	if err := l.ConfirmAddress(t.Context(), user.ID, browser, l.tokenIn(l.latest("alice@new.example", 1))); err != nil {
		t.Fatal(err)
	}
	if err := l.ResetPassword(t.Context(), token, otherPassword); !errors.Is(err, ErrLinkSpent) {
		t.Errorf("the link in the old mailbox: %v", err)
	}
}

func TestSeenElsewhereSessionsSurviveAReset(t *testing.T) {
	t.Parallel()
	l := newLetters(t)
	user, browser := l.owner()
	phone := l.signedIn(password)
	link, err := l.CreateLink(t.Context(), user.ID)
	if err != nil {
		t.Fatal(err)
	}
	if err := l.AskToConfirm(t.Context(), user, "mallory@example.org", neverFull); err != nil {
		t.Fatal(err)
	}
	change := l.tokenIn(l.latest("mallory@example.org", 1))
	if err := l.ResetPassword(t.Context(), l.resetToken(2), otherPassword); err != nil {
		t.Fatal(err)
	}
	wantSignedOut(t, l.Accounts, browser)
	wantSignedOut(t, l.Accounts, phone)
	if _, err := l.UseLink(t.Context(), link, laptop); !errors.Is(err, ErrLinkSpent) {
		t.Errorf("a link that signs in: %v", err)
	}
	if err := l.ConfirmAddress(t.Context(), user.ID, l.signedIn(otherPassword), change); !errors.Is(err, ErrLinkSpent) {
		t.Errorf("a link that changes the address: %v", err)
	}
}

// A sign-in that has checked the old password and is about to begin when the reset comes would survive it.
func TestSeenElsewhereSignInOvertakenByAReset(t *testing.T) {
	t.Parallel()
	l := newLetters(t)
	user, _ := l.owner()
	late, lateHash := newToken()
	if err := l.ResetPassword(t.Context(), l.resetToken(2), otherPassword); err != nil {
		t.Fatal(err)
	}
	if err := insertSession(t.Context(), l.pool, user.ID, lateHash, laptop); err != nil {
		t.Fatal(err)
	}
	if err := l.unlessChanged(t.Context(), user.ID, "the hash that was checked", late); !errors.Is(err, ErrWrongCredentials) {
		t.Errorf("error = %v", err)
	}
	wantSignedOut(t, l.Accounts, late)
}

func TestOneResetLinkIsLive(t *testing.T) {
	t.Parallel()
	l := newLetters(t)
	l.owner()
	first := l.resetToken(2)
	second := l.resetToken(3)
	if err := l.RequestReset(t.Context(), "alice@example.org", alwaysFull); err != nil { // the inbox has had enough
		t.Fatal(err)
	}
	l.latest("alice@example.org", 3)
	if err := l.ResetPassword(t.Context(), first, otherPassword); !errors.Is(err, ErrLinkSpent) {
		t.Errorf("the first: %v", err)
	}
	if err := l.ResetPassword(t.Context(), second, otherPassword); err != nil {
		t.Errorf("the second, after a request that was not heard: %v", err)
	}
}

func TestAResetLinkLastsHalfAnHour(t *testing.T) {
	t.Parallel()
	l := newLetters(t)
	l.owner()
	token := l.resetToken(2)
	l.later(29 * time.Minute)
	if _, err := l.ResetLink(t.Context(), token); err != nil {
		t.Errorf("after 29 minutes: %v", err)
	}
	l.later(time.Minute)
	if err := l.ResetPassword(t.Context(), token, otherPassword); !errors.Is(err, ErrLinkSpent) {
		t.Errorf("after 30 minutes: %v", err)
	}
}

// A password that is not taken costs the link nothing.
func TestAResetLinkOutlivesABadPassword(t *testing.T) {
	t.Parallel()
	l := newLetters(t)
	l.owner()
	token := l.resetToken(2)
	for _, bad := range []string{"", "short", "qwertyuiop", "alice@example.org"} {
		if refused, ok := errors.AsType[FieldError](l.ResetPassword(t.Context(), token, bad)); !ok || refused.Field != "password" {
			t.Errorf("%q: %v", bad, refused)
		}
	}
	if err := l.ResetPassword(t.Context(), token, otherPassword); err != nil {
		t.Error(err)
	}
}

// Where there is no such account, the same is written to nobody.
func TestAResetForNobodyIsWrittenToNobody(t *testing.T) {
	t.Parallel()
	l := newLetters(t)
	if err := l.RequestReset(t.Context(), "nobody@example.org", neverFull); err != nil {
		t.Fatal(err)
	}
	if n := count(t, l.pool, `SELECT count(*) FROM mail_outbox WHERE recipient IS NULL AND length(letter) > 100`); n != 1 {
		t.Errorf("%d letters to nobody, want 1", n)
	}
	l.latest("nobody@example.org", 0)
	if refused, ok := errors.AsType[FieldError](l.RequestReset(t.Context(), "nobody", neverFull)); !ok || refused.Field != "email" {
		t.Errorf("no address: %v", refused)
	}
}

// Whoever signs up with somebody else's address waits in vain: when its owner takes the account, all that the other put there to get in by goes.
func TestSeenElsewhereSignUpWithAVictimsAddress(t *testing.T) {
	t.Parallel()
	l := newLetters(t)
	if err := l.SignUpByMail(t.Context(), "alice@example.org", "Mallory", password, neverFull); err != nil {
		t.Fatal(err)
	}
	mallory := l.signedIn(password)
	user := wantSignedIn(t, l.Accounts, mallory)
	identity := Identity{Issuer: "https://idp.example", Subject: "mallory", Email: "mallory@example.org", EmailVerified: true}
	if err := l.LinkIdentity(t.Context(), user.ID, identity); err != nil {
		t.Fatal(err)
	}
	exec(t, l.pool, `INSERT INTO user_totp (user_id, secret_sealed, last_step) VALUES ($1, 'secret', 0)`, user.ID)

	// The owner's own sign-up brings a letter that says how to get in.
	if err := l.SignUpByMail(t.Context(), "alice@example.org", "Alice", otherPassword, neverFull); err != nil {
		t.Fatal(err)
	}
	if letter := l.latest("alice@example.org", 3); letter.Link != "https://quiz.example/reset" {
		t.Fatalf("the letter is %+v", letter)
	}
	if err := l.ResetPassword(t.Context(), l.resetToken(4), otherPassword); err != nil {
		t.Fatal(err)
	}
	wantSignedOut(t, l.Accounts, mallory)
	if _, err := l.SignIn(t.Context(), "alice@example.org", password, laptop); !errors.Is(err, ErrWrongCredentials) {
		t.Errorf("the stranger's password: %v", err)
	}
	if n := count(t, l.pool, `SELECT (SELECT count(*) FROM user_identities) + (SELECT count(*) FROM user_totp)`); n != 0 {
		t.Errorf("%d other ways in are left", n)
	}
	if user := wantSignedIn(t, l.Accounts, l.signedIn(otherPassword)); !user.Verified {
		t.Error("the link came by mail, and yet the address does not count as shown")
	}
}

// An account that was shown to be its owner's keeps its second factor and its identities through a reset.
func TestAResetKeepsTheSecondFactor(t *testing.T) {
	t.Parallel()
	l := newLetters(t)
	user, _ := l.owner()
	exec(t, l.pool, `INSERT INTO user_totp (user_id, secret_sealed, last_step) VALUES ($1, 'secret', 0)`, user.ID)
	if err := l.ResetPassword(t.Context(), l.resetToken(2), otherPassword); err != nil {
		t.Fatal(err)
	}
	if n := count(t, l.pool, `SELECT count(*) FROM user_totp`); n != 1 {
		t.Error("the second factor is gone")
	}
}

func TestChangingThePassword(t *testing.T) {
	t.Parallel()
	l := newLetters(t)
	user, browser := l.owner()
	phone := l.signedIn(password)
	if _, err := l.ChangePassword(t.Context(), user, browser, "short", laptop); err == nil {
		t.Error("a short one is taken")
	}
	fresh, err := l.ChangePassword(t.Context(), user, browser, otherPassword, laptop)
	if err != nil {
		t.Fatal(err)
	}
	wantSignedOut(t, l.Accounts, browser)
	wantSignedOut(t, l.Accounts, phone)
	wantSignedIn(t, l.Accounts, fresh)
	l.signedIn(otherPassword)
	if notice := l.latest("alice@example.org", 2); notice.Subject != "Your password was changed" {
		t.Errorf("the notice is %+v", notice)
	}
	// A browser that was signed out in the meantime changes nothing.
	if _, err := l.ChangePassword(t.Context(), user, browser, "seven pints of stout", laptop); !errors.Is(err, ErrNotSignedIn) {
		t.Errorf("from a browser that is signed out: %v", err)
	}
	l.signedIn(otherPassword)
}
