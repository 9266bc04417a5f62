package account

import (
	"strings"
	"testing"
)

// Whoever owns the account is told by mail what somebody else might do to it.
func TestTheOwnerIsToldOfNewWaysIn(t *testing.T) {
	t.Parallel()
	l := newLetters(t)
	user := wantSignedIn(t, l.Accounts, signUp(t, l.Accounts))
	told := 0
	wantTold := func(subject string) {
		t.Helper()
		told++
		letter := l.latest("Alice@Example.org", told)
		if letter.Subject != subject || !strings.Contains(strings.Join(letter.After, " "), "https://quiz.example/reset") {
			t.Errorf("%+v, want %q", letter, subject)
		}
	}
	if err := l.LinkIdentity(t.Context(), user.ID, alice()); err != nil {
		t.Fatal(err)
	}
	wantTold("Your account has another way in")
	if err := l.LinkIdentity(t.Context(), user.ID, alice()); err != nil {
		t.Fatal(err)
	}
	for range 2 { // the second time there is nothing to unlink, and nothing to tell
		if err := l.UnlinkIdentity(t.Context(), user.ID, issuer, Usable{Issuers: []string{issuer}}); err != nil {
			t.Fatal(err)
		}
	}
	wantTold("Your account has one way in less")
	steps, phone := newTwoStep(t, l.Accounts)
	phone.enable(t, steps, user.ID)
	wantTold("Signing in now takes a code")
	if _, err := steps.SignIn(t.Context(), first(t, l.Accounts), phone.code(t, 0), laptop); err != nil {
		t.Fatal(err)
	}
	if _, err := steps.SignIn(t.Context(), first(t, l.Accounts), phone.left[0], laptop); err != nil {
		t.Fatal(err)
	}
	wantTold("A recovery code was used")
	phone.later(1)
	if _, err := steps.Disable(t.Context(), user.ID, phone.code(t, 0), laptop); err != nil {
		t.Fatal(err)
	}
	wantTold("Signing in takes no code any more")
}
