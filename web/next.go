package web

import (
	"net/http"
	"net/url"
	"path"
	"strings"
	"unicode"
)

// homeOfHosts is where a host comes in.
const homeOfHosts = "/host"

// signInAddress is the sign-in page, which leads back to the page that was asked for. What was sent with a form is
// lost: it is not done unasked.
func signInAddress(r *request) string {
	if r.Method != http.MethodGet {
		return "/signin"
	}
	return "/signin?" + url.Values{"next": {r.URL.RequestURI()}}.Encode()
}

// nextOr returns next if it is a path on this site, and otherwise the other. A link to the sign-in page with
// somebody else's next must not lead away from here.
func nextOr(next, otherwise string) string {
	if isLocalPath(next) {
		return next
	}
	return otherwise
}

// isLocalPath is strict about what browsers are lenient about: several slashes, backslashes, controls and dot segments,
// plain or escaped.
func isLocalPath(s string) bool {
	if !strings.HasPrefix(s, "/") || strings.ContainsRune(s, '\\') || strings.ContainsFunc(s, unicode.IsControl) {
		return false
	}
	u, err := url.Parse(s)
	if err != nil || u.Scheme != "" || u.Host != "" || u.User != nil {
		return false
	}
	decoded := u.Path // with escapes resolved once
	if strings.Contains(decoded, "//") || strings.ContainsAny(decoded, `\%`) || strings.ContainsFunc(decoded, unicode.IsControl) {
		return false
	}
	return decoded == "/" || path.Clean(decoded) == strings.TrimSuffix(decoded, "/")
}
