package account

import (
	"context"
	"errors"
	"strings"
	"testing"
	"testing/synctest"
	"time"
)

func TestHashRoundTrip(t *testing.T) {
	t.Parallel()
	h := newHasher()
	hash, err := h.hash(t.Context(), "four pints of stout")
	if err != nil || !strings.HasPrefix(hash, "$argon2id$v=19$m=19456,t=2,p=1$") {
		t.Fatalf("hash = %q, %v", hash, err)
	}
	if other, _ := h.hash(t.Context(), "four pints of stout"); other == hash {
		t.Error("the salt is the same every time")
	}
	for _, test := range []struct {
		password, hash string
		want           bool
	}{
		{"four pints of stout", hash, true},
		{"four pints of Stout", hash, false},
		{"", hash, false},
		{"four pints of stout", "", false}, // nobody's
		{"", "", false},
	} {
		right, better, err := h.verify(t.Context(), test.password, test.hash)
		if err != nil || right != test.want || better != "" {
			t.Errorf("verify(%q, %q) = %v, %q, %v; want %v", test.password, test.hash, right, better, err, test.want)
		}
	}
}

// From the reference implementation's command line: echo -n password | argon2 somesalt -id -t 2 -k 65536 -p 1 -l 32 -e
func TestVerifyReadsOldHashesAndMakesBetterOnes(t *testing.T) {
	t.Parallel()
	const old = "$argon2id$v=19$m=65536,t=2,p=1$c29tZXNhbHQ$CTFhFdXPJO1aFaMaO6Mm5c8y7cJHAph8ArZWb2GRPPc"
	h := newHasher()
	right, better, err := h.verify(t.Context(), "password", old)
	if err != nil || !right || !strings.HasPrefix(better, "$argon2id$v=19$m=19456,") {
		t.Fatalf("verify = %v, %q, %v", right, better, err)
	}
	if right, again, err := h.verify(t.Context(), "password", better); err != nil || !right || again != "" {
		t.Errorf("verify of the better hash = %v, %q, %v", right, again, err)
	}
	if right, better, err := h.verify(t.Context(), "Password", old); err != nil || right || better != "" {
		t.Errorf("verify of a wrong password = %v, %q, %v", right, better, err)
	}
}

func TestVerifyReportsDamage(t *testing.T) {
	h := newHasher()
	for _, damaged := range []string{
		"x", "$2b$10$abc", "$argon2id$v=19$m=19456,t=2,p=1$", "$argon2id$v=19$m=19456,t=0,p=1$c29tZXNhbHQ$CTFhFdXPJO1aFaMaO6Mm5c8y7cJHAph8ArZWb2GRPPc",
		"$argon2id$v=16$m=19456,t=2,p=1$c29tZXNhbHQ$CTFhFdXPJO1aFaMaO6Mm5c8y7cJHAph8ArZWb2GRPPc", "$argon2id$v=19$m=19456,t=2,p=1$c29tZXNhbHQ$", "$argon2id$v=19$m=19456,t=2,p=1$c29tZXNhbHQ$é",
	} {
		if right, _, err := h.verify(t.Context(), "password", damaged); right || err == nil {
			t.Errorf("verify(%q) = %v, %v; want an error", damaged, right, err)
		}
	}
}

func TestHashingWaitsItsTurnForASecond(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := hasher{make(chan struct{}, 1)}
		leave, err := h.enter(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		began := time.Now()
		if _, _, err := h.verify(t.Context(), "password", ""); !errors.Is(err, ErrBusy) || time.Since(began) != patience {
			t.Errorf("with no slot free: %v after %v, want ErrBusy after %v", err, time.Since(began), patience)
		}
		time.AfterFunc(patience/2, leave)
		if _, _, err := h.verify(t.Context(), "password", ""); err != nil {
			t.Errorf("with a slot in time: %v", err)
		}
		if len(h.slots) != 0 {
			t.Error("a slot is not given back")
		}
	})
}

func TestHashingStopsWaitingForWhoHasLeft(t *testing.T) {
	h := hasher{make(chan struct{})}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := h.hash(ctx, "password"); !errors.Is(err, context.Canceled) {
		t.Errorf("error = %v, want the context's", err)
	}
}
