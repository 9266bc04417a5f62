package account

import (
	"errors"
	"strings"
	"unicode"
	"unicode/utf8"

	"pubquiz/internal/words"
)

var (
	// ErrWrongCredentials refuses a sign-in, and does not say whether the account exists.
	ErrWrongCredentials = errors.New("the address or the password is wrong")

	// ErrAddressRefused refuses a sign-up with an address that cannot have a new account, since it has one or is reserved.
	ErrAddressRefused = errors.New("the address cannot be used for a new account")

	// ErrNotSignedIn says that a token is unknown, ended or too old.
	ErrNotSignedIn = errors.New("not signed in")

	// ErrLinkSpent says that a one-time link is unknown, was used, replaced by a newer one, or is too old.
	ErrLinkSpent = errors.New("the link is no longer valid")

	// ErrBusy says that too many passwords are being checked to begin with another. Nothing was checked; a second later is fine.
	ErrBusy = errors.New("too many passwords are being checked at once")
)

// FieldError refuses one field of a form. Detail is a sentence for a person.
type FieldError struct {
	Field  string // as the form calls it; empty where it is not one alone
	Detail words.Text
}

func (e FieldError) Error() string { return e.Field + ": " + e.Detail.String() }

// printable refuses what would show as nothing or as a box, and what turns the direction of the text around it.
func printable(s string) bool {
	return utf8.ValidString(s) && !strings.ContainsFunc(s, func(r rune) bool {
		return !unicode.IsGraphic(r) && r != '\u200d' // the joiner of emoji and Indic letters
	})
}
