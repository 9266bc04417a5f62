package account

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/net/idna"
	"golang.org/x/text/cases"
	"golang.org/x/text/unicode/norm"

	"pubquiz/internal/words"
)

// email is a checked address.
type email struct {
	shown  string // as it was typed, in NFKC: where mail would go
	key    string // the same for all spellings of one address
	local  string // folded, before the @
	domain string // in its ASCII form, after the @
}

// EmailKey returns the form of an address by which accounts are unique and attempts on them are counted, whether or not
// there is an account. It has no case and no width, a domain in its ASCII form, and an i for every dotless ı, so that "mıke" is not
// somebody other than "mike". The error is a FieldError.
func EmailKey(address string) (string, error) {
	e, err := parseEmail(address)
	return e.key, err
}

var errEmail = FieldError{"email", words.T("Type the whole address, like name@example.org.")}

func parseEmail(address string) (email, error) {
	const longest, longestLocal = 254, 64 // bytes, as mail servers have it
	if len(address) > 4*longest || !utf8.ValidString(address) {
		return email{}, errEmail
	}
	shown := norm.NFKC.String(strings.TrimSpace(address)) // makes a full-width @ an @, so that there may be two now
	local, domain, found := strings.Cut(shown, "@")
	if !found || local == "" || strings.ContainsFunc(shown, unfitForAddress) || strings.Contains(domain, "@") {
		return email{}, errEmail
	}
	domain, err := idna.Lookup.ToASCII(domain)
	if err != nil || !strings.Contains(strings.Trim(domain, "."), ".") || strings.HasSuffix(domain, ".") {
		return email{}, errEmail
	}
	local = foldLocal(local)
	if len(shown) > longest || len(local) > longestLocal {
		return email{}, FieldError{"email", words.T("The address is too long. Check it for a mistake.")}
	}
	return email{shown: shown, key: local + "@" + domain, local: local, domain: domain}, nil
}

// unfitForAddress tells what only quoted addresses may contain. Nobody has one, and forgers like them.
func unfitForAddress(r rune) bool {
	return unicode.IsSpace(r) || !unicode.IsGraphic(r) || strings.ContainsRune(`"(),:;<>[\]`, r)
}

// foldLocal folds the part before the @. Providers may tell its cases apart, but none gives them to different people.
func foldLocal(local string) string {
	folded := strings.ToLower(cases.Fold().String(local)) // x/text folds the two cases of Cherokee into each other
	return norm.NFKC.String(strings.NewReplacer("ı", "i", "i\u0307", "i").Replace(folded))
}
