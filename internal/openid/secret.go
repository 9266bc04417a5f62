package openid

import (
	"fmt"
	"log/slog"
)

// Secret is a client's secret. It does not print, however it is printed.
type Secret string

func (s Secret) String() string {
	if s == "" {
		return ""
	}
	return "xxxxx"
}

// Format prints String for every verb.
func (s Secret) Format(f fmt.State, _ rune) { fmt.Fprint(f, s.String()) }

func (s Secret) LogValue() slog.Value         { return slog.StringValue(s.String()) }
func (s Secret) MarshalText() ([]byte, error) { return []byte(s.String()), nil }
