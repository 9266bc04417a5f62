package seal

import (
	"bytes"
	"errors"
	"testing"
)

func box(t *testing.T, purpose string, keys ...string) Box {
	t.Helper()
	var secrets [][]byte
	for _, key := range keys {
		secrets = append(secrets, bytes.Repeat([]byte(key), 32))
	}
	b, err := New(purpose, secrets...)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

func TestOnlyTheSameBoxOpensAtTheSamePlace(t *testing.T) {
	sealed := box(t, "cookies", "a").Seal([]byte("plain"), "here")
	changed := bytes.Clone(sealed)
	changed[len(changed)-1] ^= 1
	for name, test := range map[string]struct {
		box    Box
		sealed []byte
		place  string
		opens  bool
		older  bool
	}{
		"same":            {box: box(t, "cookies", "a"), sealed: sealed, place: "here", opens: true},
		"rotated":         {box: box(t, "cookies", "b", "a"), sealed: sealed, place: "here", opens: true, older: true},
		"another place":   {box: box(t, "cookies", "a"), sealed: sealed, place: "there"},
		"another purpose": {box: box(t, "secrets", "a"), sealed: sealed, place: "here"},
		"another key":     {box: box(t, "cookies", "b"), sealed: sealed, place: "here"},
		"changed":         {box: box(t, "cookies", "a"), sealed: changed, place: "here"},
		"cut off":         {box: box(t, "cookies", "a"), sealed: sealed[:5], place: "here"},
		"empty":           {box: box(t, "cookies", "a"), place: "here"},
	} {
		t.Run(name, func(t *testing.T) {
			plain, current, err := test.box.Open(test.sealed, test.place)
			if !test.opens {
				if !errors.Is(err, ErrNotOurs) || plain != nil {
					t.Errorf("%q, %v; want ErrNotOurs", plain, err)
				}
				return
			}
			if err != nil || string(plain) != "plain" || current == test.older {
				t.Errorf("%q, current %v, %v", plain, current, err)
			}
		})
	}
}

func TestNoTwoSealsAreAlike(t *testing.T) {
	b := box(t, "cookies", "a")
	if bytes.Equal(b.Seal([]byte("plain"), "here"), b.Seal([]byte("plain"), "here")) {
		t.Error("the same text is sealed the same way twice")
	}
}

func TestABoxNeedsAKey(t *testing.T) {
	if _, err := New("cookies"); err == nil {
		t.Error("a box without a key")
	}
}
