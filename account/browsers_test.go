package account

import (
	"errors"
	"testing"
)

func TestBrowsersAreListedAndEnded(t *testing.T) {
	t.Parallel()
	l := newLetters(t)
	user, here := l.owner()
	phone, err := l.SignIn(t.Context(), "alice@example.org", password, Device{Address: laptop.Address, Agent: "Phone/1.0"})
	if err != nil {
		t.Fatal(err)
	}
	exec(t, l.pool, `UPDATE user_sessions SET last_seen_at = now() + interval '1 second' WHERE agent = 'Phone/1.0'`)
	over := l.signedIn(password)
	exec(t, l.pool, `UPDATE user_sessions SET last_seen_at = now() - interval '7 days' WHERE token_hash = $1`, hashToken(over))

	list, err := l.Browsers(t.Context(), user.ID, here)
	if err != nil {
		t.Fatal(err)
	}
	if len(list) != 2 || !list[0].Current || list[1].Current || list[1].Agent != "Phone/1.0" || list[0].Address != laptop.Address || list[0].ID == list[1].ID {
		t.Fatalf("the browsers are %+v", list)
	}
	if err := l.EndBrowser(t.Context(), user.ID+1, list[1].ID); err != nil {
		t.Error(err)
	}
	wantSignedIn(t, l.Accounts, phone) // which another user cannot end
	if err := l.EndBrowser(t.Context(), user.ID, list[1].ID); err != nil {
		t.Error(err)
	}
	wantSignedOut(t, l.Accounts, phone)
	wantSignedIn(t, l.Accounts, here)
	if err := l.SignOutEverywhere(t.Context(), user.ID); err != nil {
		t.Error(err)
	}
	wantSignedOut(t, l.Accounts, here)
}

func TestWhatHasRunOutIsForgotten(t *testing.T) {
	t.Parallel()
	l := newLetters(t)
	user, here := l.owner()
	idle, old := l.signedIn(password), l.signedIn(password)
	exec(t, l.pool, `UPDATE user_sessions SET last_seen_at = now() - interval '7 days' WHERE token_hash = $1`, hashToken(idle))
	exec(t, l.pool, `UPDATE user_sessions SET created_at = now() - interval '30 days' WHERE token_hash = $1`, hashToken(old))
	l.resetToken(2)
	exec(t, l.pool, `UPDATE user_links SET expires_at = now()`)
	if _, err := l.CreateLink(t.Context(), user.ID); err != nil {
		t.Fatal(err)
	}
	if err := l.tidy(t.Context()); err != nil {
		t.Fatal(err)
	}
	if sessions, links := count(t, l.pool, `SELECT count(*) FROM user_sessions`), count(t, l.pool, `SELECT count(*) FROM user_links`); sessions != 1 || links != 1 {
		t.Errorf("%d sign-ins and %d links are left, want one each", sessions, links)
	}
	wantSignedIn(t, l.Accounts, here)
}

func TestDeletingAnAccount(t *testing.T) {
	t.Parallel()
	l := newLetters(t)
	user, here := l.owner()
	exec(t, l.pool, `INSERT INTO quizzes (owner_id, content) VALUES ($1, '{"title": "Q", "rounds": []}')`, user.ID)
	exec(t, l.pool, `INSERT INTO sessions (public_id, owner_id, title, rounds, join_code) VALUES ('session', $1, 'Q', '[]', 'BCDFGH')`, user.ID)
	if err := l.Delete(t.Context(), user.ID); !errors.Is(err, ErrSessionOpen) {
		t.Errorf("with an open session: %v", err)
	}
	exec(t, l.pool, `UPDATE sessions SET phase = 'finished', finished_at = now()`)
	profile, err := l.Profile(t.Context(), user.ID)
	if err != nil || profile.Email != "alice@example.org" || profile.EmailVerifiedAt == nil || len(profile.Browsers) != 1 {
		t.Errorf("the profile is %+v, %v", profile, err)
	}
	if err := l.Delete(t.Context(), user.ID); err != nil {
		t.Fatal(err)
	}
	wantSignedOut(t, l.Accounts, here)
	left := count(t, l.pool, `SELECT (SELECT count(*) FROM users) + (SELECT count(*) FROM quizzes) + (SELECT count(*) FROM sessions) + (SELECT count(*) FROM user_links)`)
	if left != 0 {
		t.Errorf("%d rows are left", left)
	}
	if letter := l.latest("alice@example.org", 2); letter.Subject != "Your account is deleted" {
		t.Errorf("the last letter is %+v", letter)
	}
	if err := l.Delete(t.Context(), user.ID); !errors.Is(err, ErrNotSignedIn) {
		t.Errorf("deleting it again: %v", err)
	}
}
