package main

import (
	"crypto/hmac"
	"crypto/sha256"
	"errors"
	"fmt"
	"log/slog"
	"strings"
)

// shortestKey is what HMAC-SHA-256 needs to be as strong as it can be.
const shortestKey = 32

// secretKeys is a list of keys that does not print them, however it is printed.
type secretKeys [][]byte

// UnmarshalText reads keys separated by commas or line breaks.
func (k *secretKeys) UnmarshalText(text []byte) error {
	for i, key := range strings.FieldsFunc(string(text), func(r rune) bool { return r == ',' || r == '\n' || r == '\r' }) {
		key = strings.TrimSpace(key)
		if len(key) < shortestKey {
			return fmt.Errorf("key %d has %d characters; at least %d are needed", i+1, len(key), shortestKey)
		}
		*k = append(*k, []byte(key))
	}
	if len(*k) == 0 {
		return errors.New("there is no key in it")
	}
	return nil
}

// derive makes a key for one purpose of its own from the current key.
func (k secretKeys) derive(purpose string) []byte {
	mac := hmac.New(sha256.New, k[0])
	mac.Write([]byte("quizd: " + purpose))
	return mac.Sum(nil)
}

// Format prints a placeholder for every verb, so that no %v of a struct that holds keys gives them away.
func (k secretKeys) Format(f fmt.State, _ rune) { fmt.Fprintf(f, "[%d secret keys]", len(k)) }

func (k secretKeys) String() string               { return fmt.Sprint(k) }
func (k secretKeys) LogValue() slog.Value         { return slog.StringValue(k.String()) }
func (k secretKeys) MarshalText() ([]byte, error) { return []byte(k.String()), nil }
