package session

import (
	"bytes"
	"slices"
	"strings"
	"testing"
	"time"
)

func testKeys(t *testing.T, letters ...string) Keys {
	t.Helper()
	var keys [][]byte
	for _, letter := range letters {
		keys = append(keys, bytes.Repeat([]byte(letter), 32))
	}
	k, err := NewKeys(keys...)
	if err != nil {
		t.Fatal(err)
	}
	return k
}

// TestTokensOutliveAKey: a new key goes in front, and what the old one signed is good until it is taken away.
func TestTokensOutliveAKey(t *testing.T) {
	old, both, renewed := testKeys(t, "a"), testKeys(t, "b", "a"), testKeys(t, "b")
	seat, screen := Seat{Session: 3, Participant: 1 << 40, Generation: 2}, ScreenSeat{Session: 3, Generation: 2}
	good := func(k Keys, by Keys) bool {
		gotSeat, ok1 := k.VerifySeat(by.SignSeat(seat))
		gotScreen, ok2 := k.VerifyScreen(by.SignScreen(screen))
		signIn, ok3 := k.OpenHost(by.SealHost("sign-in"))
		ok4 := k.VerifyDevice("alice@quiz.example", "device", by.SealDevice("alice@quiz.example", "device"))
		if ok1 != ok2 || ok2 != ok3 || ok3 != ok4 {
			t.Errorf("seat %v, screen %v, host %v, device %v", ok1, ok2, ok3, ok4)
		}
		if ok1 && (gotSeat != seat || gotScreen != screen || signIn != "sign-in") {
			t.Errorf("read as %+v, %+v, %q", gotSeat, gotScreen, signIn)
		}
		return ok1
	}
	if !good(both, old) || !good(both, both) || !good(renewed, both) {
		t.Error("a token of a key that is in use is refused")
	}
	if good(renewed, old) || good(old, both) {
		t.Error("a token of a key that is not in use is accepted")
	}
}

// TestTokensAreForOnePurpose: no token passes for another kind, nor with any of its letters changed.
func TestTokensAreForOnePurpose(t *testing.T) {
	k := testKeys(t, "a")
	token := k.SignSeat(Seat{Session: 3, Participant: 4, Generation: 1})
	if _, ok := k.VerifyScreen(token); ok {
		t.Error("a participant's token opens the big screen")
	}
	if _, ok := k.VerifySeat(k.SignScreen(ScreenSeat{Session: 3, Generation: 1})); ok {
		t.Error("a big screen's token is a seat")
	}
	for i := range token {
		forged := token[:i] + strings.Map(func(r rune) rune {
			if r == 'A' {
				return 'B'
			}
			return 'A'
		}, token[i:i+1]) + token[i+1:]
		if _, ok := k.VerifySeat(forged); ok {
			t.Errorf("a token with letter %d changed is accepted", i)
		}
	}
	for _, invented := range []string{"", "AAAA", token + "A", token[:len(token)-1]} {
		if _, ok := k.VerifySeat(invented); ok {
			t.Errorf("%q is accepted", invented)
		}
	}
}

func TestKeysMustBeLong(t *testing.T) {
	if _, err := NewKeys(); err == nil {
		t.Error("no key at all is accepted")
	}
	if _, err := NewKeys(bytes.Repeat([]byte("a"), 32), []byte("short")); err == nil {
		t.Error("a short key is accepted")
	}
}

// A proof that an operator asks is worth something for minutes, and only with a key of the server's.
func TestOperatorsProof(t *testing.T) {
	now := time.Date(2026, 11, 30, 20, 0, 0, 0, time.UTC)
	ours, others := Keys{[]byte("0123456789abcdef0123456789abcdef")}, Keys{[]byte("fedcba9876543210fedcba9876543210")}
	proof := ours.ProveOperator(now)
	for name, test := range map[string]struct {
		keys  Keys
		proof string
		at    time.Time
		want  bool
	}{
		"at once":                    {ours, proof, now, true},
		"a clock that is behind":     {ours, proof, now.Add(-4 * time.Minute), true},
		"the key was replaced since": {append(slices.Clone(others), ours...), proof, now, true},
		"too late":                   {ours, proof, now.Add(6 * time.Minute), false},
		"too early":                  {ours, proof, now.Add(-6 * time.Minute), false},
		"another's key":              {others, proof, now, false},
		"none":                       {ours, "", now, false},
		"a part of one":              {ours, proof[:20], now, false},
		"another token":              {ours, ours.SignSeat(Seat{Session: 1, Participant: 2}), now, false},
	} {
		if got := test.keys.IsOperator(test.proof, test.at); got != test.want {
			t.Errorf("%s: %v", name, got)
		}
	}
}
