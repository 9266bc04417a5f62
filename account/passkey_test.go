package account

import (
	"encoding/base64"
	"errors"
	"fmt"
	"net/url"
	"testing"
)

func TestPasskeysWork(t *testing.T) {
	for address, want := range map[string]bool{
		"https://quiz.example.org": true, "https://quiz.example.org:8443": true, "http://localhost:8080": true, "http://quiz.example.org": false,
		"http://192.0.2.1:8080": false, "https://192.0.2.1": false, "https://[2001:db8::1]": false,
	} {
		base, err := url.Parse(address)
		if err != nil {
			t.Fatal(err)
		}
		if got := PasskeysWork(base); got != want {
			t.Errorf("%s: %v", address, got)
		}
	}
}

// What opens an account counts only where it does: a passkey is no way in where browsers allow none.
func TestAPasskeyIsAWayIn(t *testing.T) {
	t.Parallel()
	a, pool := newAccounts(t)
	user := wantSignedIn(t, a, signInWith(t, a, alice()))
	exec(t, pool, `INSERT INTO user_passkeys (user_id, name, credential_id, credential) VALUES ($1, 'My phone', '\x01', '{}')`, user.ID)
	if err := a.UnlinkIdentity(t.Context(), user.ID, issuer, Usable{Issuers: []string{issuer}}); !errors.Is(err, ErrLastWayIn) {
		t.Errorf("where there are no passkeys: %v", err)
	}
	usable := Usable{Issuers: []string{issuer}, Passkeys: true}
	if err := a.UnlinkIdentity(t.Context(), user.ID, issuer, usable); err != nil {
		t.Fatal(err)
	}
	passkeys, err := NewPasskeys(a, "Live pub quiz", &url.URL{Scheme: "http", Host: "localhost"})
	if err != nil {
		t.Fatal(err)
	}
	list, err := a.Passkeys(t.Context(), user.ID)
	if err != nil || len(list) != 1 || list[0].Name != "My phone" || list[0].UsedAt != nil {
		t.Fatalf("%+v, %v", list, err)
	}
	if err := passkeys.Remove(t.Context(), user.ID, list[0].ID, usable); !errors.Is(err, ErrLastWayIn) {
		t.Errorf("the last way in: %v", err)
	}
	mallory := wantSignedIn(t, a, signInWith(t, a, Identity{Issuer: issuer, Subject: "mallory", Email: "mallory@example.org", EmailVerified: true}))
	if err := passkeys.Remove(t.Context(), mallory.ID, list[0].ID, usable); err != nil {
		t.Errorf("what is not theirs to remove: %v", err)
	}
	if list, err := a.Passkeys(t.Context(), user.ID); err != nil || len(list) != 1 {
		t.Errorf("after another has tried to remove it: %+v, %v", list, err)
	}
}

// A passkey is refused for what it is, and not because the database fails.
func TestNoPasskeyIsRefusedWhereTheDatabaseFails(t *testing.T) {
	t.Parallel()
	a, pool := newAccounts(t)
	passkeys, err := NewPasskeys(a, "Live pub quiz", &url.URL{Scheme: "http", Host: "localhost"})
	if err != nil {
		t.Fatal(err)
	}
	_, ceremony, err := passkeys.BeginSignIn()
	if err != nil {
		t.Fatal(err)
	}
	encode := base64.RawURLEncoding.EncodeToString
	answer := fmt.Appendf(nil, `{"id": %[1]q, "rawId": %[1]q, "type": "public-key", "response": {"clientDataJSON": %q, "authenticatorData": %q, "signature": %q, "userHandle": %q}}`,
		encode([]byte("key")), encode([]byte(`{"type": "webauthn.get"}`)), encode(make([]byte, 37)), encode([]byte("signature")), encode(make([]byte, 16)))
	if _, err := passkeys.SignIn(t.Context(), ceremony, answer, Device{}); !errors.Is(err, ErrPasskeyRefused) {
		t.Errorf("one that nobody has: %v", err)
	}
	exec(t, pool, `ALTER TABLE users RENAME COLUMN passkey_handle TO lost`)
	if _, err := passkeys.SignIn(t.Context(), ceremony, answer, Device{}); err == nil || errors.Is(err, ErrPasskeyRefused) {
		t.Errorf("while nobody can be looked up: %v", err)
	}
}

// TestSeenElsewherePreHijackByPasskey: nor does a passkey of whoever made the account wait inside.
func TestSeenElsewherePreHijackByPasskey(t *testing.T) {
	t.Parallel()
	a, pool := newAccounts(t)
	mallory := wantSignedIn(t, a, signUp(t, a))
	exec(t, pool, `INSERT INTO user_passkeys (user_id, name, credential_id, credential) VALUES ($1, 'My phone', '\x01', '{}')`, mallory.ID)
	signInWith(t, a, alice())
	if n := count(t, pool, `SELECT count(*) FROM user_passkeys`); n != 0 {
		t.Error("the other's passkey still opens it")
	}
}
