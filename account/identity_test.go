package account

import (
	"context"
	"errors"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/jackc/pgx/v5/pgxpool"
)

const issuer = "https://issuer.example"

func alice() Identity {
	return Identity{Issuer: issuer, Subject: "alice-there", Email: "alice@example.org", EmailVerified: true, Name: "Alice"}
}

// signInWith signs in with an identity and returns the token.
func signInWith(t *testing.T, a *Accounts, identity Identity) string {
	t.Helper()
	token, err := a.SignInWithIdentity(t.Context(), identity, laptop)
	if err != nil {
		t.Fatal(err)
	}
	return token
}

// verify is what following the link in a letter does.
func verify(t *testing.T, pool *pgxpool.Pool, user UserID) {
	t.Helper()
	exec(t, pool, `UPDATE users SET email_verified_at = now() WHERE id = $1`, user)
}

func TestAnIdentityOpensOneAccount(t *testing.T) {
	t.Parallel()
	a, pool := newAccounts(t)
	first := wantSignedIn(t, a, signInWith(t, a, alice()))
	if first.Name != "Alice" || first.Email != "alice@example.org" {
		t.Errorf("user = %+v", first)
	}
	later := alice()
	later.Email, later.EmailVerified, later.Name = "alice@elsewhere.example", false, "Alice, married" // as people do
	if again := wantSignedIn(t, a, signInWith(t, a, later)); again != first {
		t.Errorf("then %+v, at first %+v", again, first)
	}
	stranger := alice()
	stranger.Subject = "another" // who got the address after her
	if _, err := a.SignInWithIdentity(t.Context(), stranger, laptop); !errors.Is(err, ErrNotLinked) {
		t.Errorf("another subject with her address: %v", err)
	}
	elsewhere := alice()
	elsewhere.Issuer = "https://other.example" // where subjects mean other people
	if _, err := a.SignInWithIdentity(t.Context(), elsewhere, laptop); !errors.Is(err, ErrNotLinked) {
		t.Errorf("the same subject of another issuer: %v", err)
	}
	if n := count(t, pool, `SELECT count(*) FROM users WHERE email_verified_at IS NOT NULL`); n != 1 {
		t.Errorf("%d users, want 1", n)
	}
}

func TestAnIdentityIsRefused(t *testing.T) {
	t.Parallel()
	a, pool := newAccounts(t)
	a.reserved = []string{"operator@quiz.example"}
	for name, test := range map[string]struct {
		change func(*Identity)
		want   error
	}{
		"unverified":        {func(i *Identity) { i.EmailVerified = false }, ErrEmailUnverified},
		"without address":   {func(i *Identity) { i.Email = "" }, errEmail},
		"two @":             {func(i *Identity) { i.Email = "alice@example.org@evil.example" }, errEmail},
		"full-width second": {func(i *Identity) { i.Email = "alice@example.org＠evil.example" }, errEmail},
		"reserved":          {func(i *Identity) { i.Email = "Operator@quiz.example" }, ErrAddressRefused},
	} {
		identity := alice()
		test.change(&identity)
		if token, err := a.SignInWithIdentity(t.Context(), identity, laptop); err == nil || !strings.HasSuffix(err.Error(), test.want.Error()) || token != "" {
			t.Errorf("%s: %q, %v; want %v", name, token, err, test.want)
		}
	}
	if n := count(t, pool, `SELECT count(*) FROM users`); n != 0 {
		t.Errorf("%d users, want none", n)
	}
}

func TestNamesFromProviders(t *testing.T) {
	t.Parallel()
	a, _ := newAccounts(t)
	names := map[string]string{"Ada": "Ada", "": "x", "\u202eevil": "x", strings.Repeat("x", 200): "x"}
	for name, want := range names {
		subject := strconv.Itoa(len(name))
		identity := Identity{Issuer: issuer, Subject: subject, Email: "x@" + subject + ".example", EmailVerified: true, Name: name}
		if got := wantSignedIn(t, a, signInWith(t, a, identity)).Name; got != want {
			t.Errorf("%q becomes %q, want %q", name, got, want)
		}
	}
}

// TestSeenElsewherePreHijack: somebody makes an account with another's address and waits inside for its owner to come with their identity.
func TestSeenElsewherePreHijack(t *testing.T) {
	t.Parallel()
	a, pool := newAccounts(t)
	waiting := signUp(t, a)
	mallory := wantSignedIn(t, a, waiting)
	link, err := a.CreateLink(t.Context(), mallory.ID)
	if err != nil {
		t.Fatal(err)
	}
	back := Identity{Issuer: issuer, Subject: "mallory", Email: "mallory@evil.example", EmailVerified: true}
	if err := a.LinkIdentity(t.Context(), mallory.ID, back); err != nil {
		t.Fatal(err)
	}
	steps, app := newTwoStep(t, a)
	waiting = app.enable(t, steps, mallory.ID)

	owner := wantSignedIn(t, a, signInWith(t, a, alice()))
	if owner.ID != mallory.ID {
		t.Errorf("the owner has account %d, want that of the address, %d", owner.ID, mallory.ID)
	}
	wantSignedOut(t, a, waiting)
	if _, err := a.SignIn(t.Context(), "alice@example.org", password, laptop); !errors.Is(err, ErrWrongCredentials) {
		t.Errorf("the password still opens it: %v", err)
	}
	if _, err := a.UseLink(t.Context(), link, laptop); !errors.Is(err, ErrLinkSpent) {
		t.Errorf("the link still opens it: %v", err)
	}
	if user := wantSignedIn(t, a, signInWith(t, a, back)); user.ID == owner.ID {
		t.Error("the other's identity still opens it")
	}
	if n := count(t, pool, `SELECT count(*) FROM user_totp WHERE user_id = $1`, owner.ID); n != 0 {
		t.Error("the other's app is still asked for")
	}
}

// TestSeenElsewhereLinkedByAddressAlone: whoever has an address at a provider is not for that reason the owner of the account here.
func TestSeenElsewhereLinkedByAddressAlone(t *testing.T) {
	t.Parallel()
	a, pool := newAccounts(t)
	signedIn := signUp(t, a)
	verify(t, pool, wantSignedIn(t, a, signedIn).ID)
	if _, err := a.SignInWithIdentity(t.Context(), alice(), laptop); !errors.Is(err, ErrNotLinked) {
		t.Fatalf("error = %v", err)
	}
	wantSignedIn(t, a, signedIn)
	if _, err := a.SignIn(t.Context(), "alice@example.org", password, laptop); err != nil {
		t.Errorf("the password: %v", err)
	}
}

func TestLinkIdentity(t *testing.T) {
	t.Parallel()
	a, pool := newAccounts(t)
	user := wantSignedIn(t, a, signUp(t, a))
	for range 2 {
		if err := a.LinkIdentity(t.Context(), user.ID, alice()); err != nil {
			t.Fatal(err)
		}
	}
	if got := wantSignedIn(t, a, signInWith(t, a, alice())); got.ID != user.ID {
		t.Errorf("it opens account %d, want %d", got.ID, user.ID)
	}
	if n := count(t, pool, `SELECT count(*) FROM users WHERE email_verified_at IS NOT NULL`); n != 1 {
		t.Error("the address that the provider has verified is not verified here")
	}
	second := alice()
	second.Subject = "her other one"
	if err := a.LinkIdentity(t.Context(), user.ID, second); !errors.Is(err, ErrIdentityTaken) {
		t.Errorf("a second identity of the provider: %v", err)
	}
	other := wantSignedIn(t, a, signInWith(t, a, Identity{Issuer: issuer, Subject: "bob", Email: "bob@example.org", EmailVerified: true, Name: "Bob"}))
	if err := a.LinkIdentity(t.Context(), other.ID, alice()); !errors.Is(err, ErrIdentityTaken) {
		t.Errorf("another's identity: %v", err)
	}
	identities, err := a.Identities(t.Context(), user.ID)
	if err != nil || len(identities) != 1 || identities[0].Issuer != issuer || identities[0].Email != "alice@example.org" {
		t.Errorf("identities %+v, %v", identities, err)
	}
}

func TestLinkingAnotherAddressVerifiesNothing(t *testing.T) {
	t.Parallel()
	a, pool := newAccounts(t)
	user := wantSignedIn(t, a, signUp(t, a))
	for _, change := range []func(*Identity){
		func(i *Identity) { i.Email = "alice@elsewhere.example" },
		func(i *Identity) { i.EmailVerified = false },
	} {
		identity := alice()
		change(&identity)
		exec(t, pool, `DELETE FROM user_identities`)
		if err := a.LinkIdentity(t.Context(), user.ID, identity); err != nil {
			t.Fatal(err)
		}
		if n := count(t, pool, `SELECT count(*) FROM users WHERE email_verified_at IS NOT NULL`); n != 0 {
			t.Errorf("%+v verifies the account's address", identity)
		}
	}
}

func TestTheLastWayInStays(t *testing.T) {
	t.Parallel()
	a, _ := newAccounts(t)
	user := wantSignedIn(t, a, signInWith(t, a, alice()))
	other := Identity{Issuer: "https://other.example", Subject: "alice", Email: "", EmailVerified: false}
	if err := a.LinkIdentity(t.Context(), user.ID, other); err != nil {
		t.Fatal(err)
	}
	unlink := func(from string, usable ...string) error {
		return a.UnlinkIdentity(t.Context(), user.ID, from, Usable{Issuers: usable})
	}
	if err := unlink(issuer, issuer); !errors.Is(err, ErrLastWayIn) {
		t.Errorf("when the other provider is not in use any more: %v", err)
	}
	for what, err := range map[string]error{
		"what is not linked": unlink("https://third.example", issuer),
		"what is not linked, when nothing opens the account": unlink("https://third.example"),
	} {
		if err != nil {
			t.Errorf("%s: %v, want nothing to be said of what is the last way in", what, err)
		}
	}
	errs := make(chan error, 2)
	var group sync.WaitGroup
	for _, from := range []string{issuer, other.Issuer} { // at once
		group.Go(func() { errs <- unlink(from, issuer, other.Issuer) })
	}
	group.Wait()
	if one, two := <-errs, <-errs; (one == nil) == (two == nil) || !errors.Is(errors.Join(one, two), ErrLastWayIn) {
		t.Errorf("%v and %v, want one to be refused", one, two)
	}
	identities, err := a.Identities(t.Context(), user.ID)
	if err != nil || len(identities) != 1 {
		t.Errorf("identities %+v, %v; want one", identities, err)
	}
}

func TestAnIdentityComesTwiceAtOnce(t *testing.T) {
	t.Parallel()
	a, pool := newAccounts(t)
	var group sync.WaitGroup
	for range 8 {
		group.Go(func() {
			if _, err := a.SignInWithIdentity(context.WithoutCancel(t.Context()), alice(), laptop); err != nil {
				t.Error(err)
			}
		})
	}
	group.Wait()
	if n := count(t, pool, `SELECT count(*) FROM users`); n != 1 {
		t.Errorf("%d users, want 1", n)
	}
}

func TestAnAttemptEndsOnce(t *testing.T) {
	t.Parallel()
	a, pool := newAccounts(t)
	if err := a.SpendAttempt(t.Context(), "one"); err != nil {
		t.Fatal(err)
	}
	if err := a.SpendAttempt(t.Context(), "one"); !errors.Is(err, ErrAttemptSpent) {
		t.Errorf("a second time: %v", err)
	}
	exec(t, pool, `UPDATE spent_attempts SET spent_at = now() - interval '2 hours'`)
	if err := a.SpendAttempt(t.Context(), "two"); err != nil {
		t.Fatal(err)
	}
	if n := count(t, pool, `SELECT count(*) FROM spent_attempts`); n != 1 {
		t.Errorf("%d attempts are kept, want the new one", n)
	}
}

func TestConfirm(t *testing.T) {
	t.Parallel()
	a, pool := newAccounts(t)
	token := signUp(t, a)
	user := wantSignedIn(t, a, token)
	if err := a.Confirm(t.Context(), user.ID, token, password); err != nil {
		t.Errorf("the password: %v", err)
	}
	for _, wrong := range []string{"", "wrong password"} {
		if err := a.Confirm(t.Context(), user.ID, token, wrong); !errors.Is(err, ErrWrongCredentials) {
			t.Errorf("%q: %v", wrong, err)
		}
	}
	fresh := signInWith(t, a, Identity{Issuer: issuer, Subject: "bob", Email: "bob@example.org", EmailVerified: true, Name: "Bob"})
	bob := wantSignedIn(t, a, fresh)
	if err := a.Confirm(t.Context(), bob.ID, fresh, ""); err != nil {
		t.Errorf("a fresh sign-in without a password: %v", err)
	}
	if err := a.Confirm(t.Context(), user.ID, fresh, password); !errors.Is(err, ErrNotSignedIn) {
		t.Errorf("another's sign-in: %v", err)
	}
	exec(t, pool, `UPDATE user_sessions SET created_at = now() - interval '11 minutes' WHERE user_id = $1`, bob.ID)
	if err := a.Confirm(t.Context(), bob.ID, fresh, ""); !errors.Is(err, ErrNotFresh) {
		t.Errorf("an old sign-in: %v", err)
	}
}
