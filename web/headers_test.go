package web

import (
	"net/http"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// inline is what the policy would not let run, and what tells too much.
var inline = regexp.MustCompile(`(?i)<script(?:>| [^>]*>)[^<]|<style| style=| on[a-z]+=|javascript:`)

// dataBlock is a page's first data, which is no script.
var dataBlock = regexp.MustCompile(`(?s)<script type="application/json" id="boot">.*?</script>`)

// checkHeaders looks at what every answer must say, whoever asked for whatever. The matrix calls it for all routes and roles.
func (c *cast) checkHeaders(rt route, r reply) {
	c.t.Helper()
	where := rt.method + " " + rt.pattern
	for name, want := range map[string]string{
		"X-Content-Type-Options": "nosniff", "Referrer-Policy": "no-referrer", "Cross-Origin-Opener-Policy": "same-origin", "Server": "", "X-Powered-By": "",
		"Access-Control-Allow-Origin": "",
	} {
		if got := r.header.Get(name); got != want {
			c.t.Errorf("%s: %s is %q, want %q", where, name, got, want)
		}
	}
	policy := r.header.Get("Content-Security-Policy")
	switch {
	case strings.HasPrefix(rt.pattern, "/media/"):
		if policy != "default-src 'none'; sandbox" {
			c.t.Errorf("%s: the policy is %q", where, policy)
		}
	case policy != c.server.contentPolicy:
		c.t.Errorf("%s: the policy is %q", where, policy)
	}
	kind := r.header.Get("Content-Type")
	switch html := strings.HasPrefix(kind, "text/html"); {
	case html && rt.isAPI():
		c.t.Errorf("%s: the API answers with a page", where)
	case html:
		if found := inline.FindString(dataBlock.ReplaceAllString(r.body, "")); found != "" {
			c.t.Errorf("%s has %q in it", where, found)
		}
		if redirect := r.status/100 == 3; !redirect && rt.access.byHost() && r.header.Get("Cache-Control") != "no-store" {
			c.t.Errorf("%s may be kept: Cache-Control is %q", where, r.header.Get("Cache-Control"))
		}
	case r.status >= 400 && rt.isAPI() && kind != "application/problem+json":
		c.t.Errorf("%s: the error is %q", where, kind)
	}
	if r.status >= 400 && r.header.Get("Cache-Control") != "no-store" {
		c.t.Errorf("%s: an error may be kept: Cache-Control is %q", where, r.header.Get("Cache-Control"))
	}
	for _, set := range r.header.Values("Set-Cookie") {
		cookie, err := http.ParseSetCookie(set)
		if err != nil || !cookie.HttpOnly || cookie.SameSite != http.SameSiteLaxMode || cookie.Path != "/" || cookie.Domain != "" || cookie.MaxAge == 0 {
			c.t.Errorf("%s: the cookie %q, %v", where, set, err)
		}
	}
}

// TestContentPolicy: nothing but our own files runs or is loaded, and nobody frames us. The sockets' origins are exact.
func TestContentPolicy(t *testing.T) {
	got := contentPolicy(map[string]bool{"https://quiz.example": true})
	const want = "default-src 'none'; script-src 'self'; style-src 'self'; font-src 'self'; img-src 'self' data: blob:; media-src 'self' blob:; " +
		"connect-src 'self' wss://quiz.example; worker-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
	if got != want {
		t.Errorf("the policy is\n%s, want\n%s", got, want)
	}
}

// changing are the routes that change something, with a browser that may use each.
func (c *cast) changing(t *testing.T, each func(rt route, address string, b *browser)) {
	path := c.addresses()
	for _, rt := range c.server.routes() {
		if rt.method == http.MethodGet {
			continue
		}
		role := map[access]string{anyone: nobody, participant: player, screen: television, host: theOwner, driver: theOwner, owner: theOwner, operator: theOperator}[rt.access]
		address := strings.NewReplacer("{quiz}", "1").Replace(path.Replace(rt.pattern))
		t.Run(rt.method+" "+rt.pattern, func(t *testing.T) {
			c.t = t
			each(rt, address, c.browsers[role])
		})
	}
}

// TestNoOtherSiteChangesAnything: whatever a page of another site sends with its reader's cookies, to whichever route, is refused before anybody looks at it.
func TestNoOtherSiteChangesAnything(t *testing.T) {
	c := newCast(t)
	c.changing(t, func(rt route, address string, b *browser) {
		t := c.t
		for _, header := range [][]string{
			{"Sec-Fetch-Site", "cross-site"}, {"Sec-Fetch-Site", "same-site"}, {"Origin", "null"}, {"Origin", "https://evil.example"},
			{"Origin", c.url + ".evil.example"}, {"Origin", c.url + "0"},
		} {
			if r := b.send(rt.method, address, map[string]any{}, header...); r.status != http.StatusForbidden || r.header.Get("Set-Cookie") != "" || !strings.Contains(r.body, "another site") {
				t.Errorf("%v: %d %.200s", header, r.status, r.body)
			}
		}
	})
}

// takesNoBody are the routes that read none, and takesFiles those that read files, or what is signed as it is, whose bounds their own tests try.
var (
	takesNoBody = []string{
		"/signout", "/account/browsers/{browser}/end", "/account/browsers/end", "/account/confirmation", "/host/quizzes", "/host/quizzes/{quiz}/delete",
		"/host/quizzes/{quiz}/sessions", "/host/quizzes/sample", "/host/quizzes/{quiz}/copy", "/quiz/{token}/copy", "/api/v1/signin/passkey/begin", "/reset",
		"/account/billing/portal", "/account/billing/invitations/{invitation}/withdraw", "/account/billing/invitations/{invitation}/accept",
		"/account/billing/invitations/{invitation}/decline", "/account/billing/hosts/{host}/remove", "/account/billing/leave",
		"/api/v1/sessions/{session}/cohost-link", "/api/v1/sessions/{session}/cohost-link/withdraw", "/api/v1/sessions/{session}/cohosts/{cohost}/remove", "/cohost/{link}",
	}
	takesFiles = []string{"/api/v1/media", "/api/v1/imports", "/webhooks/stripe"}
)

// TestBodiesAreBounded sends more than any body may have, and bodies with what nobody asked for.
func TestBodiesAreBounded(t *testing.T) {
	c := newCast(t)
	tooMuch := `{"x":"` + strings.Repeat("x", quizBody) + `"}`
	c.changing(t, func(rt route, address string, b *browser) {
		t := c.t
		if slices.Contains(append(takesNoBody, takesFiles...), rt.pattern) {
			return
		}
		if !rt.isAPI() {
			if r := b.send(rt.method, address, "x="+strings.Repeat("x", quizBody), "Content-Type", "application/x-www-form-urlencoded"); r.status != http.StatusRequestEntityTooLarge {
				t.Errorf("a large form: %d %.200s", r.status, r.body)
			}
			return
		}
		for _, test := range []struct {
			what, body, kind string
			status           int
			field            any
		}{
			{"a large body", `{"surprise":` + tooMuch + `}`, "application/json", http.StatusRequestEntityTooLarge, nil},
			{"an unknown member", `{"surprise":1}`, "application/json", http.StatusBadRequest, "surprise"},
			{"two values", `{} {}`, "application/json", http.StatusBadRequest, nil},
			{"half a value", `{"`, "application/json", http.StatusBadRequest, nil},
			{"another type", `[]`, "application/json", http.StatusBadRequest, nil},
			{"nothing", ``, "application/json", http.StatusBadRequest, nil},
			{"a form", `{}`, "application/x-www-form-urlencoded", http.StatusUnsupportedMediaType, nil},
			{"text", `{}`, "text/plain", http.StatusUnsupportedMediaType, nil},
		} {
			r := b.send(rt.method, address, test.body, "Content-Type", test.kind)
			if r.status != test.status || r.json(t)["field"] != test.field && test.field != nil {
				t.Errorf("%s: %d %.300s, want %d", test.what, r.status, r.body, test.status)
			}
		}
	})
}
