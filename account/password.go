package account

import (
	"bytes"
	"compress/gzip"
	_ "embed"
	"io"
	"strings"
	"sync"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"

	"pubquiz/internal/words"
)

// The length of a password's NFKC form. There are no other rules, and nothing is cut off.
const (
	minPassword = 10  // characters: fewer are guessed, however many bytes a script takes for each
	maxPassword = 256 // bytes
)

// productWords are what comes to mind first in front of the sign-up form.
var productWords = []string{"pubquiz", "pub quiz", "pub-quiz", "quizd"}

// normalPassword returns the form that is hashed, so that one password is one, whichever keyboard it is typed on. What is too long to
// be a password of ours becomes one that nobody has.
func normalPassword(password string) string {
	if len(password) > 4*maxPassword {
		return ""
	}
	if normal := norm.NFKC.String(password); len(normal) <= maxPassword {
		return normal
	}
	return ""
}

// checkPassword refuses a new password that is too short, too long or easily guessed, and otherwise returns its normal form.
func checkPassword(password string, of email) (string, error) {
	refuse := func(detail words.Text) (string, error) { return "", FieldError{"password", detail} }
	normal := normalPassword(password)
	switch {
	case normal == "" && password != "":
		return refuse(words.T("Shorten the password to {most} characters.", "most", maxPassword))
	case utf8.RuneCountInString(normal) < minPassword:
		return refuse(words.T("Use at least {least} characters. A few words are easy to remember.", "least", minPassword))
	case isCommon(normal):
		return refuse(words.T("Many people use this password, so it is tried first. Choose another."))
	case isMadeOf(normal, append([]string{of.key, of.local, of.domain}, productWords...)):
		return refuse(words.T("This is close to your address or to the name of this place. Choose another."))
	}
	return normal, nil
}

// isMadeOf tells whether hardly anything is left of the password without the words.
func isMadeOf(password string, words []string) bool {
	const enough = 6
	left := strings.ToLower(password)
	for _, word := range words {
		if len(word) >= 3 {
			left = strings.ReplaceAll(left, word, "")
		}
	}
	return len(left) < enough && len(left) < len(password)
}

// commonPasswords are the 10,000 most used ones of at least ten bytes, in lower case, one a line, sorted: a matter of public
// record from old leaks. Compressed, because many of them are not for reading.
//
//go:embed common.txt.gz
var commonPasswords []byte

func isCommon(password string) bool {
	_, found := commonSet()[strings.ToLower(password)]
	return found
}

var commonSet = sync.OnceValue(func() map[string]struct{} {
	unzipped, err := gzip.NewReader(bytes.NewReader(commonPasswords))
	if err != nil {
		panic("account: the embedded list of passwords: " + err.Error())
	}
	list, err := io.ReadAll(unzipped)
	if err != nil {
		panic("account: the embedded list of passwords: " + err.Error())
	}
	set := map[string]struct{}{}
	for line := range strings.Lines(string(list)) {
		set[strings.TrimSuffix(line, "\n")] = struct{}{}
	}
	return set
})
