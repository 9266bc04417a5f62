// Package secret keeps what must not be printed from being printed.
package secret

import (
	"fmt"
	"log/slog"
	"strings"
)

// Text is a secret. It does not print, however it is printed, but tells whether it is set.
type Text string

// UnmarshalText takes a secret as it stands in a variable, or in a file that ends with a line break.
func (t *Text) UnmarshalText(text []byte) error {
	*t = Text(strings.TrimSpace(string(text)))
	return nil
}

func (t Text) String() string {
	if t == "" {
		return ""
	}
	return "xxxxx"
}

// Format prints String for every verb.
func (t Text) Format(f fmt.State, _ rune) { fmt.Fprint(f, t.String()) }

func (t Text) LogValue() slog.Value         { return slog.StringValue(t.String()) }
func (t Text) MarshalText() ([]byte, error) { return []byte(t.String()), nil }
