package account

import (
	"context"
	"errors"
	"testing"
	"time"
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
	timeout, tick := time.After(time.Minute), time.NewTicker(5*time.Millisecond)
	defer tick.Stop()
	for count(t, pool, `SELECT count(*) FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND datname = current_database()`) == 0 {
		select {
		case err := <-signedIn:
			t.Fatalf("it did not wait: %v", err)
		case <-timeout:
			t.Fatal("it neither waits nor ends")
		case <-tick.C:
		}
	}
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
