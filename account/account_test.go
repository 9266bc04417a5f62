package account

import (
	"context"
	"errors"
	"net/netip"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/jackc/pgx/v5/pgxpool"

	"pubquiz/internal/dbtest"
)

const password = "four pints of stout"

var laptop = Device{Address: netip.MustParseAddr("127.0.0.1"), Agent: "Browser/1.0"}

func newAccounts(t *testing.T) (*Accounts, *pgxpool.Pool) {
	t.Helper()
	pool := dbtest.New(t)
	return New(pool, Config{}), pool
}

// signUp makes an account for alice and returns the token of its first sign-in.
func signUp(t *testing.T, a *Accounts) string {
	t.Helper()
	token, err := a.SignUp(t.Context(), "Alice@Example.org", " Alice  of the Crown ", password, laptop)
	if err != nil {
		t.Fatal(err)
	}
	return token
}

func wantSignedIn(t *testing.T, a *Accounts, token string) User {
	t.Helper()
	user, err := a.Authenticate(t.Context(), token)
	if err != nil {
		t.Fatal(err)
	}
	return user
}

func wantSignedOut(t *testing.T, a *Accounts, token string) {
	t.Helper()
	if user, err := a.Authenticate(t.Context(), token); !errors.Is(err, ErrNotSignedIn) {
		t.Errorf("Authenticate(%.8q) = %+v, %v; want ErrNotSignedIn", token, user, err)
	}
}

// exec changes the database behind the account's back, as time would.
func exec(t *testing.T, pool *pgxpool.Pool, sql string, args ...any) {
	t.Helper()
	if _, err := pool.Exec(t.Context(), sql, args...); err != nil {
		t.Fatal(err)
	}
}

func count(t *testing.T, pool *pgxpool.Pool, sql string, args ...any) (n int) {
	t.Helper()
	if err := pool.QueryRow(t.Context(), sql, args...).Scan(&n); err != nil {
		t.Fatal(err)
	}
	return n
}

func TestSignUpSignsIn(t *testing.T) {
	t.Parallel()
	a, pool := newAccounts(t)
	user := wantSignedIn(t, a, signUp(t, a))
	if user.ID == 0 || user.Email != "Alice@Example.org" || user.Name != "Alice of the Crown" {
		t.Errorf("user = %+v", user)
	}
	if n := count(t, pool, `SELECT count(*) FROM users WHERE email_key = 'alice@example.org' AND password_hash LIKE '$argon2id$%'`); n != 1 {
		t.Errorf("%d such users, want 1", n)
	}
}

func TestSignUpRefuses(t *testing.T) {
	t.Parallel()
	a, pool := newAccounts(t)
	for _, test := range []struct{ email, name, password, field string }{
		{"alice", "Alice", password, "email"},
		{"a@evil.example＠example.org", "Alice", password, "email"},
		{"alice@example.org", " \t", password, "name"},
		{"alice@example.org", strings.Repeat("é", 121), password, "name"},
		{"alice@example.org", "Al\u202eice", password, "name"},
		{"alice@example.org", "Alice", "short", "password"},
		{"alice@example.org", "Alice", "qwertyuiop", "password"},
	} {
		_, err := a.SignUp(t.Context(), test.email, test.name, test.password, laptop)
		refused, ok := errors.AsType[FieldError](err)
		if !ok || refused.Field != test.field || !strings.HasSuffix(refused.Detail.String(), ".") {
			t.Errorf("SignUp(%q, %.9q, %q) error = %v, want a sentence about the %s", test.email, test.name, test.password, err, test.field)
		}
	}
	if n := count(t, pool, `SELECT count(*) FROM users`); n != 0 {
		t.Errorf("%d users, want none", n)
	}
}

// Whoever signs up first with an address that stands for an operator would be taken for one.
func TestReservedAddressesCannotSignUp(t *testing.T) {
	t.Parallel()
	pool := dbtest.New(t)
	a := New(pool, Config{Reserved: []string{"operator@example.org"}})
	for _, spelling := range []string{"operator@example.org", "Operator@EXAMPLE.org"} {
		if _, err := a.SignUp(t.Context(), spelling, "Mallory", password, laptop); !errors.Is(err, ErrAddressRefused) {
			t.Errorf("%s: %v, want ErrAddressRefused", spelling, err)
		}
	}
	signUp(t, a)
	// Who has the account already keeps it.
	if _, err := New(pool, Config{Reserved: []string{"alice@example.org"}}).SignIn(t.Context(), "alice@example.org", password, laptop); err != nil {
		t.Error(err)
	}
}

func TestOneAccountForAllSpellingsOfAnAddress(t *testing.T) {
	t.Parallel()
	a, pool := newAccounts(t)
	var group sync.WaitGroup
	for _, spelling := range []string{"mike@example.org", "MIKE@EXAMPLE.ORG", "mıke@example.org", "ｍｉｋｅ＠example.org", "mike@example。org"} {
		group.Go(func() {
			// Hashing takes its turn, so one may also be told to come back.
			_, err := a.SignUp(context.WithoutCancel(t.Context()), spelling, "Mike", password, laptop)
			if err != nil && !errors.Is(err, ErrAddressRefused) && !errors.Is(err, ErrBusy) {
				t.Errorf("SignUp(%q): %v", spelling, err)
			}
		})
	}
	group.Wait()
	if users, sessions := count(t, pool, `SELECT count(*) FROM users`), count(t, pool, `SELECT count(*) FROM user_sessions`); users != 1 || sessions != 1 {
		t.Errorf("%d users with %d sessions, want 1 with 1", users, sessions)
	}
}

func TestSignIn(t *testing.T) {
	t.Parallel()
	a, _ := newAccounts(t)
	first := signUp(t, a)
	second, err := a.SignIn(t.Context(), "ALICE@example.org", "ｆｏｕｒ pints of stout", laptop)
	if err != nil {
		t.Fatal(err)
	}
	if first == second || len(second) != 43 {
		t.Errorf("tokens %q and %q, want two of 32 bytes", first, second)
	}
	if one, two := wantSignedIn(t, a, first), wantSignedIn(t, a, second); one != two {
		t.Errorf("%+v and %+v", one, two)
	}
	for _, wrong := range [][2]string{
		{"alice@example.org", "four pints of Stout"}, {"alice@example.org", ""}, {"alice@example.org", strings.Repeat("x", 5000)},
		{"nobody@example.org", password}, {"not an address", password}, {"", ""},
	} {
		if token, err := a.SignIn(t.Context(), wrong[0], wrong[1], laptop); !errors.Is(err, ErrWrongCredentials) || token != "" {
			t.Errorf("SignIn(%q, %.20q) = %q, %v; want ErrWrongCredentials", wrong[0], wrong[1], token, err)
		}
	}
}

// Without a hash for addresses that have no account, the time would tell which have one. Here every slot is taken, so whatever
// hashes says so.
func TestSignInHashesForNobodyToo(t *testing.T) {
	t.Parallel()
	a, _ := newAccounts(t)
	signUp(t, a)
	for range cap(a.hasher.slots) {
		a.hasher.slots <- struct{}{}
	}
	for _, address := range []string{"alice@example.org", "nobody@example.org", "not an address"} {
		if _, err := a.SignIn(t.Context(), address, password, laptop); !errors.Is(err, ErrBusy) {
			t.Errorf("SignIn(%q) error = %v, want ErrBusy", address, err)
		}
	}
	if _, err := a.SignUp(t.Context(), "alice@example.org", "Alice", password, laptop); !errors.Is(err, ErrBusy) {
		t.Errorf("SignUp of a taken address: error = %v, want ErrBusy", err)
	}
}

func TestSignInRenewsAnOldHash(t *testing.T) {
	t.Parallel()
	a, pool := newAccounts(t)
	signUp(t, a)
	const old = "$argon2id$v=19$m=65536,t=2,p=1$c29tZXNhbHQ$CTFhFdXPJO1aFaMaO6Mm5c8y7cJHAph8ArZWb2GRPPc" // "password"
	exec(t, pool, `UPDATE users SET password_hash = $1`, old)
	for range 2 {
		if _, err := a.SignIn(t.Context(), "alice@example.org", "password", laptop); err != nil {
			t.Fatal(err)
		}
		if n := count(t, pool, `SELECT count(*) FROM users WHERE password_hash LIKE '$argon2id$v=19$m=19456,t=2,p=1$%'`); n != 1 {
			t.Fatal("the hash is still the old one")
		}
	}
}

func TestTokensAreNotInTheDatabase(t *testing.T) {
	t.Parallel()
	a, pool := newAccounts(t)
	token := signUp(t, a)
	link, err := a.CreateLink(t.Context(), wantSignedIn(t, a, token).ID)
	if err != nil {
		t.Fatal(err)
	}
	for _, secret := range []string{token, link} {
		const find = `SELECT count(*) FROM (SELECT token_hash FROM user_sessions UNION ALL SELECT token_hash FROM user_links) AS t
			WHERE encode(token_hash, 'escape') LIKE '%' || $1 || '%' OR token_hash = $1::bytea`
		if n := count(t, pool, find, secret); n != 0 {
			t.Error("a token is in the database as it is")
		}
	}
}

func TestSignOut(t *testing.T) {
	t.Parallel()
	a, _ := newAccounts(t)
	here := signUp(t, a)
	there, err := a.SignIn(t.Context(), "alice@example.org", password, laptop)
	if err != nil {
		t.Fatal(err)
	}
	for range 2 {
		if err := a.SignOut(t.Context(), here); err != nil {
			t.Fatal(err)
		}
	}
	wantSignedOut(t, a, here)
	wantSignedIn(t, a, there)
	for _, token := range []string{"", "x", here + "x", strings.Repeat("x", 10_000)} {
		wantSignedOut(t, a, token)
	}
}

func TestASignInRunsOut(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		name           string
		idle, age      time.Duration
		stillSignedIn  bool
		lastSeenAtNext string // as the next use leaves it
	}{
		{"in use", 30 * time.Second, time.Hour, true, "untouched"},
		{"back after a while", 2 * time.Minute, time.Hour, true, "now"},
		{"back within a week", 7*24*time.Hour - time.Minute, 20 * 24 * time.Hour, true, "now"},
		{"back after a week", 7*24*time.Hour + time.Minute, 20 * 24 * time.Hour, false, "untouched"},
		{"used daily for almost a month", time.Hour, 30*24*time.Hour - time.Minute, true, "now"},
		{"used daily for a month", time.Hour, 30*24*time.Hour + time.Minute, false, "untouched"},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			a, pool := newAccounts(t)
			token := signUp(t, a)
			exec(t, pool, `UPDATE user_sessions SET last_seen_at = now() - $1::interval, created_at = now() - $2::interval`, test.idle, test.age)
			if test.stillSignedIn {
				wantSignedIn(t, a, token)
			} else {
				wantSignedOut(t, a, token)
			}
			touched := count(t, pool, `SELECT count(*) FROM user_sessions WHERE last_seen_at > now() - interval '20 seconds'`) == 1
			if want := test.lastSeenAtNext == "now"; touched != want {
				t.Errorf("last seen moved: %v, want %v", touched, want)
			}
			if _, err := a.SignIn(t.Context(), "alice@example.org", password, laptop); err != nil {
				t.Fatal(err)
			}
			kept := count(t, pool, `SELECT count(*) FROM user_sessions`) == 2
			if kept != test.stillSignedIn {
				t.Errorf("kept after the next sign-in: %v, want %v", kept, test.stillSignedIn)
			}
		})
	}
}

func TestAgentsMayHoldAnything(t *testing.T) {
	t.Parallel()
	a, pool := newAccounts(t)
	signUp(t, a)
	for _, agent := range []string{"", strings.Repeat("é", 5000), "a\x00b\xff"} {
		if _, err := a.SignIn(t.Context(), "alice@example.org", password, Device{Address: netip.MustParseAddr("fe80::1%eth0"), Agent: agent}); err != nil {
			t.Errorf("with the agent %.9q: %v", agent, err)
		}
	}
	if n := count(t, pool, `SELECT count(*) FROM user_sessions WHERE agent IN ('', repeat('é', 300), 'ab')`); n != 3 {
		t.Errorf("%d of 3 agents kept as they should be", n)
	}
}

func TestALinkSignsInOnce(t *testing.T) {
	t.Parallel()
	a, _ := newAccounts(t)
	user := wantSignedIn(t, a, signUp(t, a))
	link, err := a.CreateLink(t.Context(), user.ID)
	if err != nil {
		t.Fatal(err)
	}
	tokens := make(chan string, 8)
	var group sync.WaitGroup
	for range cap(tokens) {
		group.Go(func() {
			token, err := a.UseLink(context.WithoutCancel(t.Context()), link, laptop)
			if err == nil {
				tokens <- token
			} else if !errors.Is(err, ErrLinkSpent) {
				t.Error(err)
			}
		})
	}
	group.Wait()
	if len(tokens) != 1 {
		t.Fatalf("signed in %d times", len(tokens))
	}
	if got := wantSignedIn(t, a, <-tokens); got != user {
		t.Errorf("signed in as %+v, want %+v", got, user)
	}
}

func TestALinkIsSpent(t *testing.T) {
	t.Parallel()
	a, pool := newAccounts(t)
	user := wantSignedIn(t, a, signUp(t, a))
	create := func() string {
		t.Helper()
		link, err := a.CreateLink(t.Context(), user.ID)
		if err != nil {
			t.Fatal(err)
		}
		return link
	}
	wantSpent := func(why, link string) {
		t.Helper()
		if _, err := a.UseLink(t.Context(), link, laptop); !errors.Is(err, ErrLinkSpent) {
			t.Errorf("a link that %s: error = %v, want ErrLinkSpent", why, err)
		}
	}
	replaced, old := create(), create()
	wantSpent("was replaced", replaced)
	exec(t, pool, `UPDATE user_links SET expires_at = now()`)
	wantSpent("is too old", old)
	wantSpent("never was", "x")
	wantSpent("is empty", "")
}

func TestEnsureUser(t *testing.T) {
	t.Parallel()
	a, _ := newAccounts(t)
	id, err := a.EnsureUser(t.Context(), "host@demo.example", "Demo host")
	if err != nil {
		t.Fatal(err)
	}
	if again, err := a.EnsureUser(t.Context(), "HOST@demo.example", "Somebody"); err != nil || again != id {
		t.Errorf("EnsureUser again = %d, %v; want %d", again, err, id)
	}
	for _, guess := range []string{"", password} {
		if _, err := a.SignIn(t.Context(), "host@demo.example", guess, laptop); !errors.Is(err, ErrWrongCredentials) {
			t.Errorf("SignIn(%q) error = %v, want ErrWrongCredentials", guess, err)
		}
	}
	link, err := a.CreateLink(t.Context(), id)
	if err != nil {
		t.Fatal(err)
	}
	token, err := a.UseLink(t.Context(), link, laptop)
	if err != nil {
		t.Fatal(err)
	}
	if user := wantSignedIn(t, a, token); user != (User{ID: id, Email: "host@demo.example", Name: "Demo host", Verified: true}) {
		t.Errorf("user = %+v", user)
	}
}
