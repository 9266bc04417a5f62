package account

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/jackc/pgx/v5/pgxpool"
)

// TestAnIdentityGoesWhileItSignsIn: when an identity is taken from an account and all its sign-ins are ended, the one that is
// under way at that moment does not stay.
func TestAnIdentityGoesWhileItSignsIn(t *testing.T) {
	t.Parallel()
	a, pool := newAccounts(t)
	user := wantSignedIn(t, a, signInWith(t, a, alice()))
	tx, err := pool.Begin(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	defer tx.Rollback(context.WithoutCancel(t.Context()))
	for _, take := range []string{
		`SELECT FROM users WHERE id = $1 FOR UPDATE`, `DELETE FROM user_identities WHERE user_id = $1`, `DELETE FROM user_sessions WHERE user_id = $1`,
	} {
		if _, err := tx.Exec(t.Context(), take, user.ID); err != nil {
			t.Fatal(err)
		}
	}
	signedIn := make(chan error, 1)
	go func() {
		_, err := a.SignInWithIdentity(context.WithoutCancel(t.Context()), alice(), laptop)
		signedIn <- err
	}()
	awaitBlocked(t, pool, signedIn)
	if err := tx.Commit(t.Context()); err != nil {
		t.Fatal(err)
	}
	if err := <-signedIn; !errors.Is(err, ErrNotLinked) {
		t.Errorf("signing in with what was taken away: %v", err)
	}
	if n := count(t, pool, `SELECT count(*) FROM user_sessions`); n != 0 {
		t.Errorf("%d sign-ins are left", n)
	}
}

// TestTheAccountIsLockedFirst: whatever changes several rows of an account has none of the others while it waits for the one in users. In two orders, two
// changes at once would wait for each other.
func TestTheAccountIsLockedFirst(t *testing.T) {
	t.Parallel()
	changes := map[string]func(l *letters, user User, browser string) func(context.Context) error{
		"resetting the password": func(l *letters, _ User, _ string) func(context.Context) error {
			link := l.resetToken(2)
			return func(ctx context.Context) error { return l.ResetPassword(ctx, link, otherPassword) }
		},
		"changing the password": func(l *letters, user User, browser string) func(context.Context) error {
			return func(ctx context.Context) error {
				_, err := l.ChangePassword(ctx, user, browser, otherPassword, laptop)
				return err
			}
		},
		"confirming the address": func(l *letters, user User, browser string) func(context.Context) error {
			link := l.confirmToken(user, "alice@example.org", 2)
			return func(ctx context.Context) error { return l.ConfirmAddress(ctx, user.ID, browser, link) }
		},
		"confirming another address": func(l *letters, user User, browser string) func(context.Context) error {
			link := l.confirmToken(user, "alice@new.example", 1)
			return func(ctx context.Context) error { return l.ConfirmAddress(ctx, user.ID, browser, link) }
		},
		"signing in by a link": func(l *letters, user User, _ string) func(context.Context) error {
			link, err := l.CreateLink(l.t.Context(), user.ID)
			if err != nil {
				l.t.Fatal(err)
			}
			return func(ctx context.Context) error {
				_, err := l.UseLink(ctx, link, laptop)
				return err
			}
		},
		"turning codes off": func(l *letters, user User, _ string) func(context.Context) error {
			steps, phone := newTwoStep(l.t, l.Accounts)
			phone.enable(l.t, steps, user.ID)
			code := phone.code(l.t, 0)
			return func(ctx context.Context) error {
				_, err := steps.Disable(ctx, user.ID, code, laptop)
				return err
			}
		},
		"renewing recovery codes": func(l *letters, user User, _ string) func(context.Context) error {
			steps, phone := newTwoStep(l.t, l.Accounts)
			phone.enable(l.t, steps, user.ID)
			return func(ctx context.Context) error {
				_, err := steps.RenewRecoveryCodes(ctx, user.ID, phone.left[0])
				return err
			}
		},
		"deleting the account": func(l *letters, user User, _ string) func(context.Context) error {
			return func(ctx context.Context) error { return l.Delete(ctx, user.ID) }
		},
	}
	for name, prepare := range changes {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			l := newLetters(t)
			user, browser := l.owner()
			change := prepare(l, user, browser)
			other, err := l.pool.Begin(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			defer other.Rollback(context.WithoutCancel(t.Context()))
			if _, err := other.Exec(t.Context(), `SELECT FROM users WHERE id = $1 FOR UPDATE`, user.ID); err != nil {
				t.Fatal(err)
			}
			changed := make(chan error, 1)
			go func() { changed <- change(context.WithoutCancel(t.Context())) }()
			awaitBlocked(t, l.pool, changed)
			for _, table := range []string{"user_links", "user_sessions", "user_totp", "user_recovery_codes"} {
				if _, err := other.Exec(t.Context(), `SELECT FROM `+table+` WHERE user_id = $1 FOR UPDATE NOWAIT`, user.ID); err != nil {
					t.Fatalf("it has locked %s: %v", table, err)
				}
			}
			if err := other.Commit(t.Context()); err != nil {
				t.Fatal(err)
			}
			if err := <-changed; err != nil {
				t.Error(err)
			}
		})
	}
}

// awaitBlocked waits until something waits for a lock, which must not end before.
func awaitBlocked(t *testing.T, pool *pgxpool.Pool, ended <-chan error) {
	t.Helper()
	timeout, tick := time.After(time.Minute), time.NewTicker(5*time.Millisecond)
	defer tick.Stop()
	for count(t, pool, `SELECT count(*) FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND datname = current_database()`) == 0 {
		select {
		case err := <-ended:
			t.Fatalf("it did not wait: %v", err)
		case <-timeout:
			t.Fatal("it neither waits nor ends")
		case <-tick.C:
		}
	}
}
