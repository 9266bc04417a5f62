package session

import (
	"strings"
	"testing"
)

// FuzzParseCode: whatever is typed, a code is of its alphabet and length, is read of itself again, and is never both a join code and a rejoin code.
func FuzzParseCode(f *testing.F) {
	for _, typed := range []string{"BCDF23", "bcd-f23", " b c d f 2 3 ", "BCDF2346", "bcdf 2346", "ＢＣＤＦ２３", "BCDF2", "BCDF2O", "bcd–f23—", "\u00a0BCDF23", "ßBCDF2", "BCDF23\x00", strings.Repeat("-", 100)} {
		f.Add(typed)
	}
	f.Fuzz(func(t *testing.T, typed string) {
		join, isJoin := ParseJoinCode(typed)
		rejoin, isRejoin := ParseRejoinCode(typed)
		if isJoin && isRejoin {
			t.Errorf("%q is both %q and %q", typed, join, rejoin)
		}
		for _, parsed := range []struct {
			code   string
			ok     bool
			length int
			parse  func(string) (string, bool)
		}{{join, isJoin, joinCodeLength, ParseJoinCode}, {rejoin, isRejoin, rejoinCodeLength, ParseRejoinCode}} {
			if !parsed.ok {
				continue
			}
			if len(parsed.code) != parsed.length || strings.Trim(parsed.code, joinCodeAlphabet) != "" {
				t.Errorf("%q reads as %q", typed, parsed.code)
			}
			if again, ok := parsed.parse(strings.ToLower(parsed.code)); !ok || again != parsed.code {
				t.Errorf("%q reads as %q, and that as %q", typed, parsed.code, again)
			}
		}
	})
}
