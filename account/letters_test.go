package account

import (
	"bytes"
	"net/url"
	"testing"
	"time"

	"github.com/jackc/pgx/v5/pgxpool"

	"pubquiz/internal/dbtest"
	"pubquiz/internal/mail"
)

// letters is accounts that write letters, and where those go.
type letters struct {
	*Accounts
	t      *testing.T
	pool   *pgxpool.Pool
	outbox *mail.Outbox
	tray   mail.Tray
}

func newLetters(t *testing.T, reserved ...string) *letters {
	t.Helper()
	l := &letters{t: t, pool: dbtest.New(t)}
	var err error
	if l.outbox, err = mail.NewOutbox(l.pool, bytes.Repeat([]byte("k"), 32)); err != nil {
		t.Fatal(err)
	}
	base := &url.URL{Scheme: "https", Host: "quiz.example"}
	l.Accounts = New(l.pool, Config{Reserved: reserved, Mail: l.outbox, BaseURL: base})
	return l
}

// latest delivers what was written and returns the latest letter to an address, which must have had so many.
func (l *letters) latest(to string, number int) mail.Letter {
	l.t.Helper()
	if err := l.outbox.Deliver(l.t.Context(), &l.tray); err != nil {
		l.t.Fatal(err)
	}
	var found []mail.Letter
	for _, delivered := range l.tray.Letters() {
		if delivered.To == to {
			found = append(found, delivered.Letter)
		}
	}
	if len(found) != number {
		l.t.Fatalf("%s has %d letters, want %d: %+v", to, len(found), number, found)
	}
	if number == 0 {
		return mail.Letter{}
	}
	return found[0]
}

// tokenIn is the token of a letter's link.
func (l *letters) tokenIn(letter mail.Letter) string {
	l.t.Helper()
	link, err := url.Parse(letter.Link)
	if err != nil || link.Scheme != "https" || link.Host != "quiz.example" {
		l.t.Fatalf("the link of %q is %q", letter.Subject, letter.Link)
	}
	token := link.Query().Get("token")
	if len(token) != 43 {
		l.t.Fatalf("the token of %q is %q, want 32 bytes", letter.Subject, token)
	}
	return token
}

func neverFull(string) (bool, error) { return false, nil }

func alwaysFull(string) (bool, error) { return true, nil }

// owner signs alice up, confirms her address and signs her in.
func (l *letters) owner() (user User, token string) {
	l.t.Helper()
	if err := l.SignUpByMail(l.t.Context(), "alice@example.org", "Alice", password, neverFull); err != nil {
		l.t.Fatal(err)
	}
	token = l.signedIn(password)
	user = wantSignedIn(l.t, l.Accounts, token)
	if err := l.ConfirmAddress(l.t.Context(), user.ID, token, l.tokenIn(l.latest("alice@example.org", 1))); err != nil {
		l.t.Fatal(err)
	}
	return wantSignedIn(l.t, l.Accounts, token), token
}

// signedIn is alice's token from signing in with a password.
func (l *letters) signedIn(with string) string {
	l.t.Helper()
	token, err := l.SignIn(l.t.Context(), "alice@example.org", with, laptop)
	if err != nil {
		l.t.Fatal(err)
	}
	return token
}

// resetToken asks for a reset of alice's password, who has so many letters then, and returns the link's token.
func (l *letters) resetToken(number int) string {
	l.t.Helper()
	if err := l.RequestReset(l.t.Context(), "Alice@EXAMPLE.org", neverFull); err != nil {
		l.t.Fatal(err)
	}
	letter := l.latest("alice@example.org", number)
	if letter.Subject != "Choose a new password" {
		l.t.Fatalf("the letter is about %q", letter.Subject)
	}
	return l.tokenIn(letter)
}

// confirmToken asks to confirm an address for a user, which has so many letters then, and returns the link's token.
func (l *letters) confirmToken(user User, address string, number int) string {
	l.t.Helper()
	if err := l.AskToConfirm(l.t.Context(), user, address, neverFull); err != nil {
		l.t.Fatal(err)
	}
	return l.tokenIn(l.latest(address, number))
}

// later lets all links and letters be older.
func (l *letters) later(d time.Duration) {
	l.t.Helper()
	exec(l.t, l.pool, `UPDATE user_links SET expires_at = expires_at - $1::interval`, d)
}
