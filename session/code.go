package session

import (
	"crypto/rand"
	"strings"
)

// joinCodeAlphabet has no vowels, so that a code spells nothing, and none of the letters and digits that are mistaken
// for one another.
const joinCodeAlphabet = "BCDFGHJKMPQRTVWXY2346789"

const (
	joinCodeLength   = 6
	rejoinCodeLength = 8
)

// ParseJoinCode reads a join code as a person types it: lower case, spaces and dashes do not matter. ok is false when
// it can be none.
func ParseJoinCode(typed string) (code string, ok bool) { return parseCode(typed, joinCodeLength) }

// ParseRejoinCode reads a rejoin code likewise.
func ParseRejoinCode(typed string) (code string, ok bool) { return parseCode(typed, rejoinCodeLength) }

func parseCode(typed string, length int) (code string, ok bool) {
	var b strings.Builder
	for _, r := range strings.ToUpper(typed) {
		switch {
		case r == ' ' || r == '-' || r == '–' || r == '—' || r == '\u00a0':
		case b.Len() < length && strings.ContainsRune(joinCodeAlphabet, r):
			b.WriteRune(r)
		default:
			return "", false
		}
	}
	return b.String(), b.Len() == length
}

const publicIDAlphabet = "ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz23456789"

// mayBeID reports whether the text can be a public id at all; Postgres would not even look for some that cannot.
func mayBeID(s string) bool {
	return s != "" && !strings.ContainsFunc(s, func(r rune) bool { return !strings.ContainsRune(publicIDAlphabet, r) })
}

func newJoinCode() string   { return randomText(joinCodeAlphabet, joinCodeLength) }
func newRejoinCode() string { return randomText(joinCodeAlphabet, rejoinCodeLength) }
func newPublicID() string   { return randomText(publicIDAlphabet, 12) }

// randomText draws n letters of the alphabet, each equally likely.
func randomText(alphabet string, n int) string {
	limit := 256 - 256%len(alphabet) // bytes from here on would favour the alphabet's beginning
	text := make([]byte, 0, n)
	var buffer [32]byte
	for {
		rand.Read(buffer[:])
		for _, b := range buffer {
			if int(b) < limit {
				text = append(text, alphabet[int(b)%len(alphabet)])
			}
			if len(text) == n {
				return string(text)
			}
		}
	}
}
