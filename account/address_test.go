package account

import (
	"errors"
	"testing"
	"time"
)

func TestSignUpByMail(t *testing.T) {
	t.Parallel()
	l := newLetters(t)
	if err := l.SignUpByMail(t.Context(), "Alice@Example.org", "Alice", password, neverFull); err != nil {
		t.Fatal(err)
	}
	letter := l.latest("Alice@Example.org", 1)
	if letter.Subject != "Confirm your address" {
		t.Errorf("the letter is about %q", letter.Subject)
	}
	token := l.signedIn(password)
	user := wantSignedIn(t, l.Accounts, token)
	if user.Verified || !user.HasPassword || user.Name != "Alice" {
		t.Errorf("the user is %+v", user)
	}
	link := l.tokenIn(letter)
	if email, err := l.ConfirmLink(t.Context(), user.ID, link); err != nil || email != "Alice@Example.org" {
		t.Errorf("the link is for %q, %v", email, err)
	}
	if err := l.ConfirmAddress(t.Context(), user.ID, token, link); err != nil {
		t.Fatal(err)
	}
	if user := wantSignedIn(t, l.Accounts, token); !user.Verified {
		t.Error("the address is not confirmed")
	}
	if err := l.ConfirmAddress(t.Context(), user.ID, token, link); !errors.Is(err, ErrLinkSpent) {
		t.Errorf("used again: %v", err)
	}
}

func TestSignUpByMailTellsOnlyTheOwner(t *testing.T) {
	t.Parallel()
	l := newLetters(t, "operator@example.org")
	l.owner()
	if err := l.SignUpByMail(t.Context(), "ALICE@example.org", "Mallory", otherPassword, neverFull); err != nil {
		t.Errorf("a taken address: %v", err)
	}
	if letter := l.latest("alice@example.org", 2); letter.Subject != "You have an account already" {
		t.Errorf("the letter is about %q", letter.Subject)
	}
	if user := wantSignedIn(t, l.Accounts, l.signedIn(password)); user.Name != "Alice" {
		t.Errorf("the account is now %+v", user)
	}
	if err := l.SignUpByMail(t.Context(), "operator@example.org", "Mallory", otherPassword, neverFull); err != nil {
		t.Errorf("a reserved address: %v", err)
	}
	l.latest("operator@example.org", 0)
	if err := l.SignUpByMail(t.Context(), "bob@example.org", "Bob", otherPassword, alwaysFull); err != nil {
		t.Errorf("an inbox that has had enough: %v", err)
	}
	l.latest("bob@example.org", 0)
	if n := count(t, l.pool, `SELECT count(*) FROM users`); n != 2 {
		t.Errorf("%d accounts, want alice's and bob's", n)
	}
	for field, in := range map[string][3]string{"email": {"bob", "Bob", password}, "name": {"bob@example.org", "", password}, "password": {"bob@example.org", "Bob", "short"}} {
		err := l.SignUpByMail(t.Context(), in[0], in[1], in[2], neverFull)
		if refused, ok := errors.AsType[FieldError](err); !ok || refused.Field != field {
			t.Errorf("%s: %v", field, err)
		}
	}
}

// Whoever has the mailbox but did not make the account cannot be tricked into confirming it for whoever did.
func TestOnlyTheUserConfirms(t *testing.T) {
	t.Parallel()
	l := newLetters(t)
	l.owner()
	if err := l.SignUpByMail(t.Context(), "bob@example.org", "Mallory", otherPassword, neverFull); err != nil {
		t.Fatal(err)
	}
	link := l.tokenIn(l.latest("bob@example.org", 1))
	browser := l.signedIn(password)
	alice := wantSignedIn(t, l.Accounts, browser)
	if err := l.ConfirmAddress(t.Context(), alice.ID, browser, link); !errors.Is(err, ErrLinkSpent) {
		t.Errorf("another user: %v", err)
	}
	if _, err := l.ConfirmLink(t.Context(), alice.ID, link); !errors.Is(err, ErrLinkSpent) {
		t.Errorf("another user's look: %v", err)
	}
	if n := count(t, l.pool, `SELECT count(*) FROM user_links WHERE purpose = 'confirm'`); n != 1 {
		t.Errorf("%d links, want bob's still", n)
	}
}

func TestAConfirmationLastsADay(t *testing.T) {
	t.Parallel()
	l := newLetters(t)
	user, browser := l.owner()
	if err := l.AskToConfirm(t.Context(), user, "alice@new.example", neverFull); err != nil {
		t.Fatal(err)
	}
	link := l.tokenIn(l.latest("alice@new.example", 1))
	l.later(23 * time.Hour)
	if _, err := l.ConfirmLink(t.Context(), user.ID, link); err != nil {
		t.Errorf("after 23 hours: %v", err)
	}
	l.later(time.Hour)
	if err := l.ConfirmAddress(t.Context(), user.ID, browser, link); !errors.Is(err, ErrLinkSpent) {
		t.Errorf("after a day: %v", err)
	}
}

func TestChangingTheAddress(t *testing.T) {
	t.Parallel()
	l := newLetters(t)
	user, browser := l.owner()
	phone := l.signedIn(password)
	if err := l.AskToConfirm(t.Context(), user, "first@new.example", neverFull); err != nil {
		t.Fatal(err)
	}
	first := l.tokenIn(l.latest("first@new.example", 1))
	if err := l.AskToConfirm(t.Context(), user, "Alice@New.example", neverFull); err != nil {
		t.Fatal(err)
	}
	letter := l.latest("Alice@New.example", 1)
	if letter.Subject != "Confirm your new address" {
		t.Errorf("the letter is about %q", letter.Subject)
	}
	if got := wantSignedIn(t, l.Accounts, browser).Email; got != "alice@example.org" {
		t.Errorf("before it is confirmed the address is %q", got)
	}
	if err := l.ConfirmAddress(t.Context(), user.ID, browser, first); !errors.Is(err, ErrLinkSpent) {
		t.Errorf("the link from before: %v", err)
	}
	if err := l.ConfirmAddress(t.Context(), user.ID, browser, l.tokenIn(letter)); err != nil {
		t.Fatal(err)
	}
	if user := wantSignedIn(t, l.Accounts, browser); user.Email != "Alice@New.example" || !user.Verified {
		t.Errorf("the user is %+v", user)
	}
	wantSignedOut(t, l.Accounts, phone)
	if notice := l.latest("alice@example.org", 2); notice.Subject != "Your account has a new address" {
		t.Errorf("the old address is told %+v", notice)
	}
	if _, err := l.SignIn(t.Context(), "alice@new.example", password, laptop); err != nil {
		t.Errorf("signing in with the new address: %v", err)
	}
}

func TestChangingToATakenAddressTellsOnlyItsOwner(t *testing.T) {
	t.Parallel()
	l := newLetters(t)
	user, browser := l.owner()
	if err := l.AskToConfirm(t.Context(), user, "bob@example.org", neverFull); err != nil {
		t.Fatal(err)
	}
	link := l.tokenIn(l.latest("bob@example.org", 1))
	if err := l.SignUpByMail(t.Context(), "bob@example.org", "Bob", password, neverFull); err != nil { // in between
		t.Fatal(err)
	}
	l.latest("bob@example.org", 2)
	if err := l.ConfirmAddress(t.Context(), user.ID, browser, link); !errors.Is(err, ErrAddressRefused) {
		t.Errorf("taken in between: %v", err)
	}
	if err := l.AskToConfirm(t.Context(), user, "BOB@example.org", neverFull); err != nil {
		t.Errorf("taken before: %v", err)
	}
	if letter := l.latest("bob@example.org", 3); letter.Subject != "You have an account already" {
		t.Errorf("its owner is told %+v", letter)
	}
}

func TestAskingForTheConfirmationAgain(t *testing.T) {
	t.Parallel()
	l := newLetters(t)
	if err := l.SignUpByMail(t.Context(), "alice@example.org", "Alice", password, neverFull); err != nil {
		t.Fatal(err)
	}
	browser := l.signedIn(password)
	user := wantSignedIn(t, l.Accounts, browser)
	for _, full := range []InboxFull{neverFull, alwaysFull} { // the second is not heard
		if err := l.AskToConfirm(t.Context(), user, user.Email, full); err != nil {
			t.Fatal(err)
		}
	}
	letter := l.latest("alice@example.org", 2)
	if letter.Subject != "Confirm your address" {
		t.Errorf("the letter is about %q", letter.Subject)
	}
	if err := l.ConfirmAddress(t.Context(), user.ID, browser, l.tokenIn(letter)); err != nil {
		t.Error(err)
	}
}

func TestRename(t *testing.T) {
	t.Parallel()
	l := newLetters(t)
	user, browser := l.owner()
	if err := l.Rename(t.Context(), user.ID, "  The  Crown "); err != nil || wantSignedIn(t, l.Accounts, browser).Name != "The Crown" {
		t.Errorf("%v, %+v", err, wantSignedIn(t, l.Accounts, browser))
	}
	if refused, ok := errors.AsType[FieldError](l.Rename(t.Context(), user.ID, " ")); !ok || refused.Field != "name" {
		t.Errorf("no name: %v", refused)
	}
}
