package web

import (
	"net/url"
	"path"
	"strings"
	"testing"
)

func TestSeenElsewhereRedirectToAHost(t *testing.T) {
	for _, good := range []string{"/", "/host", "/host/quizzes/17", "/host/", "/host?tab=a%2Fb", "/host?next=//evil.example", "/host#top", "/caf%C3%A9"} {
		if !isLocalPath(good) {
			t.Errorf("isLocalPath(%q) = false", good)
		}
	}
	for _, bad := range []string{
		"", "host", "//evil.example", "///evil.example", "/\\evil.example", "\\\\evil.example", "https://evil.example", "https:evil.example", "javascript:alert(1)",
		"/%2Fevil.example", "/%2f%2fevil.example", "/%5Cevil.example", "/host//x", "/..//evil.example", "/../x", "/host/./x", "/host/%2e%2e/x", "/%252Fevil.example",
		"/\tevil", "/\nevil", "/%0d%0aSet-Cookie:x", "\t/host", " /host", "/\u0085x", "//user@evil.example", "/%zz",
	} {
		if isLocalPath(bad) {
			t.Errorf("isLocalPath(%q) = true", bad)
		}
	}
}

func FuzzIsLocalPath(f *testing.F) {
	for _, s := range []string{"/host?x=1", "//evil.example", "/%2F", "/\\", "/.."} {
		f.Add(s)
	}
	base, err := url.Parse("https://quiz.example/signin")
	if err != nil {
		f.Fatal(err)
	}
	f.Fuzz(func(t *testing.T, next string) {
		if !isLocalPath(next) {
			return
		}
		// As a browser would: backslashes are slashes, tabs and line ends are not there.
		lenient := strings.NewReplacer("\\", "/", "\t", "", "\n", "", "\r", "").Replace(strings.TrimSpace(next))
		to, err := base.Parse(lenient)
		if err != nil || to.Host != base.Host || to.Scheme != base.Scheme {
			t.Errorf("%q leads to %v, %v", next, to, err)
		}
		if strings.HasPrefix(path.Clean(to.Path), "//") {
			t.Errorf("%q leads to the path %q", next, to.Path)
		}
	})
}
