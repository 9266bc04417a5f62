package account

import (
	"bytes"
	"errors"
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/pquerna/otp/totp"
)

// app is an authenticator app, with a clock that tests set.
type app struct {
	secret string
	now    time.Time
	left   []string // recovery codes
}

var (
	oldKey = bytes.Repeat([]byte("o"), 32)
	newKey = bytes.Repeat([]byte("n"), 32)
)

func newTwoStep(t *testing.T, a *Accounts) (*TwoStep, *app) {
	t.Helper()
	phone := &app{now: time.Date(2026, 3, 1, 20, 0, 0, 0, time.UTC)}
	steps, err := NewTwoStep(a, func() time.Time { return phone.now }, oldKey)
	if err != nil {
		t.Fatal(err)
	}
	return steps, phone
}

// code is what the app shows, so many steps from now.
func (p *app) code(t *testing.T, steps int) string {
	t.Helper()
	code, err := totp.GenerateCode(p.secret, p.now.Add(time.Duration(steps)*period))
	if err != nil {
		t.Fatal(err)
	}
	return code
}

// later lets steps go by.
func (p *app) later(steps int) { p.now = p.now.Add(time.Duration(steps) * period) }

// enable turns it on and returns the new token.
func (p *app) enable(t *testing.T, steps *TwoStep, user UserID) string {
	t.Helper()
	secret, err := steps.NewSecret("Live pub quiz", "alice@example.org")
	if err != nil {
		t.Fatal(err)
	}
	p.secret = secret.Text
	recovery, token, err := steps.Enable(t.Context(), user, secret.Text, p.code(t, 0), laptop)
	if err != nil {
		t.Fatal(err)
	}
	p.left = recovery
	p.later(1)
	return token
}

// first proves the password.
func first(t *testing.T, a *Accounts) FirstFactor {
	t.Helper()
	token, err := a.SignIn(t.Context(), "alice@example.org", password, laptop)
	needed, ok := errors.AsType[*SecondFactorNeeded](err)
	if !ok || token != "" {
		t.Fatalf("%q, %v; want a second factor to be needed", token, err)
	}
	return needed.First
}

func TestSecondFactor(t *testing.T) {
	t.Parallel()
	a, pool := newAccounts(t)
	before := signUp(t, a)
	user := wantSignedIn(t, a, before)
	steps, phone := newTwoStep(t, a)
	if state, err := steps.State(t.Context(), user.ID); err != nil || state.On {
		t.Errorf("at first: %+v, %v", state, err)
	}
	token := phone.enable(t, steps, user.ID)
	wantSignedOut(t, a, before)
	wantSignedIn(t, a, token)
	if state, err := steps.State(t.Context(), user.ID); err != nil || !state.On || state.RecoveryCodes != 10 {
		t.Errorf("then: %+v, %v", state, err)
	}
	if n := count(t, pool, `SELECT count(*) FROM user_totp WHERE position(convert_to($1, 'UTF8') IN secret_sealed) > 0`, phone.secret); n != 0 {
		t.Error("the secret can be read in the database")
	}
	factor := first(t, a)
	if factor.User != user.ID || factor.Email != "alice@example.org" {
		t.Errorf("first factor %+v", factor)
	}
	for name, code := range map[string]string{"none": "", "made up": "000000", "letters": "abcdef", "long": phone.code(t, 0) + "0", "too old": phone.code(t, -2), "too new": phone.code(t, 2)} {
		if token, err := steps.SignIn(t.Context(), factor, code, laptop); !errors.Is(err, ErrWrongCode) || token != "" {
			t.Errorf("%s: %q, %v", name, token, err)
		}
	}
	code := phone.code(t, 0)
	token, err := steps.SignIn(t.Context(), factor, code[:3]+" "+code[3:], laptop)
	if err != nil {
		t.Fatalf("the code: %v", err)
	}
	wantSignedIn(t, a, token)
}

func TestACodeIsUsedOnce(t *testing.T) {
	t.Parallel()
	a, _ := newAccounts(t)
	user := wantSignedIn(t, a, signUp(t, a))
	steps, phone := newTwoStep(t, a)
	phone.enable(t, steps, user.ID)
	factor := first(t, a)
	enter := func(code string) error {
		_, err := steps.SignIn(t.Context(), factor, code, laptop)
		return err
	}
	if err := enter(phone.code(t, -1)); !errors.Is(err, ErrWrongCode) {
		t.Errorf("the code that turned it on: %v", err)
	}
	next := phone.code(t, 1)
	if err := enter(next); err != nil {
		t.Errorf("a code of a clock that is ahead: %v", err)
	}
	for name, code := range map[string]string{"the same": next, "an older one, not used": phone.code(t, 0)} {
		if err := enter(code); !errors.Is(err, ErrWrongCode) {
			t.Errorf("%s: %v", name, err)
		}
	}
	phone.later(2)
	if err := enter(phone.code(t, 0)); err != nil {
		t.Errorf("the next: %v", err)
	}
}

func TestOfManyUsesAtOnceOneSucceeds(t *testing.T) {
	t.Parallel()
	a, pool := newAccounts(t)
	user := wantSignedIn(t, a, signUp(t, a))
	steps, phone := newTwoStep(t, a)
	phone.enable(t, steps, user.ID)
	factor := first(t, a)
	exec(t, pool, `DELETE FROM user_sessions`)
	for _, code := range []string{phone.code(t, 0), phone.left[0]} {
		var group sync.WaitGroup
		for range 8 {
			group.Go(func() {
				if _, err := steps.SignIn(t.Context(), factor, code, laptop); err != nil && !errors.Is(err, ErrWrongCode) {
					t.Error(err)
				}
			})
		}
		group.Wait()
	}
	if n := count(t, pool, `SELECT count(*) FROM user_sessions`); n != 2 {
		t.Errorf("%d sign-ins, want one with each code", n)
	}
}

func TestRecoveryCodes(t *testing.T) {
	t.Parallel()
	a, pool := newAccounts(t)
	user := wantSignedIn(t, a, signUp(t, a))
	steps, phone := newTwoStep(t, a)
	phone.enable(t, steps, user.ID)
	factor, shape, seen := first(t, a), regexp.MustCompile(`^([BCDFGHJKMPQRTVWXY2346789]{4}-){3}[BCDFGHJKMPQRTVWXY2346789]{4}$`), map[string]bool{}
	for _, code := range phone.left {
		if !shape.MatchString(code) || seen[code] {
			t.Errorf("the code %q", code)
		}
		seen[code] = true
	}
	if n := count(t, pool, `SELECT count(*) FROM user_recovery_codes WHERE code_hash = ANY ($1)`, [][]byte{[]byte(phone.left[0])}); n != 0 || len(phone.left) != 10 {
		t.Errorf("%d codes", len(phone.left))
	}
	typed := strings.ToLower(strings.ReplaceAll(phone.left[0], "-", " ")) + " "
	token, err := steps.SignIn(t.Context(), factor, typed, laptop)
	if err != nil {
		t.Fatal(err)
	}
	wantSignedIn(t, a, token)
	if _, err := steps.SignIn(t.Context(), factor, typed, laptop); !errors.Is(err, ErrWrongCode) {
		t.Errorf("a second time: %v", err)
	}
	renewed, err := steps.RenewRecoveryCodes(t.Context(), user.ID, phone.code(t, 0))
	if err != nil || len(renewed) != 10 {
		t.Fatalf("%d codes, %v", len(renewed), err)
	}
	if _, err := steps.SignIn(t.Context(), factor, phone.left[1], laptop); !errors.Is(err, ErrWrongCode) {
		t.Errorf("a replaced one: %v", err)
	}
	if _, err := steps.SignIn(t.Context(), factor, renewed[1], laptop); err != nil {
		t.Errorf("a new one: %v", err)
	}
}

// The first factor is of its moment: whoever knows the old password is not let in by a code after it was changed.
func TestTheFirstFactorGoesOutOfDate(t *testing.T) {
	t.Parallel()
	for name, change := range map[string]string{
		"the password was changed":   `UPDATE users SET password_hash = '$changed'`,
		"another app was turned on":  `UPDATE user_totp SET enabled_at = now() + interval '1 second'`,
		"it was turned off":          `DELETE FROM user_totp`,
		"the account was taken away": `DELETE FROM users`,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			a, pool := newAccounts(t)
			user := wantSignedIn(t, a, signUp(t, a))
			steps, phone := newTwoStep(t, a)
			phone.enable(t, steps, user.ID)
			factor := first(t, a)
			exec(t, pool, change)
			if token, err := steps.SignIn(t.Context(), factor, phone.code(t, 0), laptop); !errors.Is(err, ErrNotSignedIn) || token != "" {
				t.Errorf("%q, %v", token, err)
			}
		})
	}
}

func TestTurningOffTakesACode(t *testing.T) {
	t.Parallel()
	a, pool := newAccounts(t)
	user := wantSignedIn(t, a, signUp(t, a))
	steps, phone := newTwoStep(t, a)
	before := phone.enable(t, steps, user.ID)
	if _, err := steps.Disable(t.Context(), user.ID, "000000", laptop); !errors.Is(err, ErrWrongCode) {
		t.Fatalf("a made-up code: %v", err)
	}
	wantSignedIn(t, a, before)
	token, err := steps.Disable(t.Context(), user.ID, phone.code(t, 0), laptop)
	if err != nil {
		t.Fatal(err)
	}
	wantSignedOut(t, a, before)
	wantSignedIn(t, a, token)
	if _, err := a.SignIn(t.Context(), "alice@example.org", password, laptop); err != nil {
		t.Errorf("the password alone: %v", err)
	}
	if n := count(t, pool, `SELECT count(*) FROM user_recovery_codes`); n != 0 {
		t.Errorf("%d recovery codes are left", n)
	}
	if _, err := steps.Disable(t.Context(), user.ID, phone.code(t, 0), laptop); !errors.Is(err, ErrWrongCode) {
		t.Errorf("what is off: %v", err)
	}
}

func TestEnableTakesTheAppsCode(t *testing.T) {
	t.Parallel()
	a, _ := newAccounts(t)
	token := signUp(t, a)
	user := wantSignedIn(t, a, token)
	steps, phone := newTwoStep(t, a)
	secret, err := steps.NewSecret("Live pub quiz", user.Email)
	if err != nil {
		t.Fatal(err)
	}
	if want := "otpauth://totp/Live%20pub%20quiz:Alice@Example.org?"; !strings.HasPrefix(secret.URL, want) {
		t.Errorf("%s, want it to begin with %s", secret.URL, want)
	}
	for _, code := range []string{"", "000000", "abcdef"} {
		if _, _, err := steps.Enable(t.Context(), user.ID, secret.Text, code, laptop); !errors.Is(err, ErrWrongCode) {
			t.Errorf("%q: %v", code, err)
		}
	}
	wantSignedIn(t, a, token)
	phone.enable(t, steps, user.ID)
	phone.secret = secret.Text
	if _, _, err := steps.Enable(t.Context(), user.ID, secret.Text, phone.code(t, 0), laptop); !errors.Is(err, ErrAlreadyOn) {
		t.Errorf("a second app: %v", err)
	}
}

// A key can be retired once the secrets are sealed with its successor.
func TestReseal(t *testing.T) {
	t.Parallel()
	a, _ := newAccounts(t)
	user := wantSignedIn(t, a, signUp(t, a))
	steps, phone := newTwoStep(t, a)
	phone.enable(t, steps, user.ID)
	factor := first(t, a)
	for _, keys := range [][][]byte{{newKey, oldKey}, {newKey}} {
		rotated, err := NewTwoStep(a, steps.now, keys...)
		if err != nil {
			t.Fatal(err)
		}
		if lost, err := rotated.Reseal(t.Context()); err != nil || lost != 0 {
			t.Fatalf("%d lost, %v", lost, err)
		}
		if _, err := rotated.SignIn(t.Context(), factor, phone.code(t, 0), laptop); err != nil {
			t.Errorf("with %d keys: %v", len(keys), err)
		}
		phone.later(1)
	}
	if lost, err := steps.Reseal(t.Context()); err != nil || lost != 1 {
		t.Errorf("with the old key alone: %d lost, %v", lost, err)
	}
}

// The tables of RFC 6238, appendix B, in their last six digits.
func TestStepsAreThoseOfTheRFC(t *testing.T) {
	const secret = "GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ" // 12345678901234567890
	for unix, code := range map[int64]string{59: "287082", 1111111109: "081804", 1111111111: "050471", 1234567890: "005924", 2000000000: "279037", 20000000000: "353130"} {
		if step, found := stepOf(code, secret, time.Unix(unix, 0)); !found || step != unix/30 {
			t.Errorf("at %d: step %d, %v", unix, step, found)
		}
	}
}
