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

// stripeKey is a secret key of Stripe's API, which does not print itself.
type stripeKey string

func (k *stripeKey) UnmarshalText(text []byte) error {
	key := strings.TrimSpace(string(text)) // of a file, too
	if !strings.HasPrefix(key, "sk_") && !strings.HasPrefix(key, "rk_") {
		return errors.New("it must be a secret key, which begins with sk_, or a restricted one, rk_")
	}
	*k = stripeKey(key)
	return nil
}

func (k stripeKey) String() string { return hidden(string(k)) }

// Format prints String for every verb.
func (k stripeKey) Format(f fmt.State, _ rune) { fmt.Fprint(f, k.String()) }

func (k stripeKey) LogValue() slog.Value         { return slog.StringValue(k.String()) }
func (k stripeKey) MarshalText() ([]byte, error) { return []byte(k.String()), nil }

// webhookSecret is what Stripe signs its events with, and does not print itself.
type webhookSecret string

func (s *webhookSecret) UnmarshalText(text []byte) error {
	secret := strings.TrimSpace(string(text))
	if !strings.HasPrefix(secret, "whsec_") {
		return errors.New("it must be the signing secret of an endpoint, which begins with whsec_")
	}
	*s = webhookSecret(secret)
	return nil
}

func (s webhookSecret) String() string { return hidden(string(s)) }

// Format prints String for every verb.
func (s webhookSecret) Format(f fmt.State, _ rune) { fmt.Fprint(f, s.String()) }

func (s webhookSecret) LogValue() slog.Value         { return slog.StringValue(s.String()) }
func (s webhookSecret) MarshalText() ([]byte, error) { return []byte(s.String()), nil }

// hidden stands for a secret, and tells whether it is set.
func hidden(secret string) string {
	if secret == "" {
		return ""
	}
	return "xxxxx"
}
