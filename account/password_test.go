package account

import (
	"errors"
	"strings"
	"testing"
)

func TestCheckPassword(t *testing.T) {
	alice, err := parseEmail("Alice.Smith@Brewery.example")
	if err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct {
		name, password string
		good           bool
	}{
		{"some words", "four pints of stout", true},
		{"ten characters", "kx7#qP!w2z", true},
		{"nine characters", "kx7#qP!w2", false},
		{"ten bytes of five letters", "ñøåßé", false},
		{"many bytes of few characters", "啤酒问答", false},
		{"ten characters of another script", "四品脱黑啤酒在吧台上", true},
		{"the longest", strings.Repeat("long and ", 28) + "done", true},
		{"too long", strings.Repeat("x", 257), false},
		{"far too long", strings.Repeat("x", 4000), false},
		{"too long once composed forms are taken apart", strings.Repeat("ﷺ", 80), false},
		{"none", "", false},
		{"common", "1234567890", false},
		{"common in capitals", "QWERTYUIOP", false},
		{"common in full width", "ｑｗｅｒｔｙｕｉｏｐ", false},
		{"the address", "alice.smith@brewery.example", false},
		{"the address and a digit", "Alice.Smith@Brewery.example1", false},
		{"the name in the address", "alice.smith1", false},
		{"the domain", "brewery.example", false},
		{"the product's name", "PubQuizPubQuiz", false},
		{"the product's name and a year", "pub quiz 2026", false},
		{"the product's name in a sentence", "pub quiz on every tuesday", true},
	} {
		t.Run(test.name, func(t *testing.T) {
			_, err := checkPassword(test.password, alice)
			if refused, ok := errors.AsType[FieldError](err); ok == test.good || ok && refused.Field != "password" {
				t.Errorf("checkPassword(%.30q) error = %v; want it good: %v", test.password, err, test.good)
			}
		})
	}
}

func TestCommonPasswordsAreThere(t *testing.T) {
	if n := len(commonSet()); n != 10_000 {
		t.Errorf("%d common passwords, want 10000", n)
	}
	for password := range commonSet() {
		if len(password) < minPassword || password != strings.ToLower(normalPassword(password)) {
			t.Errorf("%q can never be asked for", password)
		}
	}
}
