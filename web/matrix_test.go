package web

import (
	"bytes"
	"encoding/json"
	"fmt"
	"image"
	"image/gif"
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"testing"

	"github.com/gorilla/websocket"

	"pubquiz/internal/words"
	"pubquiz/quiz"
)

// signInFirst stands for the redirect of a page to the sign-in.
const signInFirst = -http.StatusSeeOther

// gets is the status that each role is answered with: of the API or of a page.
type gets func(role string, api bool) int

// everyone is answered alike.
func everyone(status int) gets { return func(string, bool) int { return status } }

// but is as before, except for these roles.
func (g gets) but(status int, roles ...string) gets {
	return func(role string, api bool) int {
		if slices.Contains(roles, role) {
			return status
		}
		return g(role, api)
	}
}

// outOfBounds is what is answered to whoever is no signed-in host: pages lead to the sign-in; the API says 401 to nobody in particular, and 404 to phones and big
// screens, for which there is nothing here.
func outOfBounds(role string, api bool) int {
	switch {
	case !api:
		return signInFirst
	case role == player || role == teammate || role == outsider || role == television:
		return http.StatusNotFound
	default:
		return http.StatusUnauthorized
	}
}

// signedInHosts are the roles that are.
var signedInHosts = slices.Collect(maps.Keys(hosts))

// anyHost is let in.
func anyHost(status int) gets { return gets(outOfBounds).but(status, signedInHosts...) }

// owning is for the host whose quiz it is. To others it is as if it did not exist.
func owning(status int) gets { return anyHost(http.StatusNotFound).but(status, theOwner) }

// driving is for the hosts of the session.
func driving(status int) gets { return owning(status).but(status, coHost) }

// inviting is for the host whose session it is. Its co-hosts know that it is there.
func inviting(status int) gets { return owning(status).but(http.StatusForbidden, coHost) }

// operating is for the operator.
func operating(status int) gets { return anyHost(http.StatusNotFound).but(status, theOperator) }

// playing is for phones of the session.
func playing(status int) gets {
	return everyone(http.StatusUnauthorized).but(status, player, teammate).but(http.StatusForbidden, removedPhone)
}

// watching is for the session's big screen.
func watching(status int) gets {
	return everyone(http.StatusUnauthorized).but(status, television).but(http.StatusNotFound, oldScreen)
}

// entry is a request, and what each role gets.
type entry struct {
	route   string // as in routes.go
	query   string
	body    any // chosen so that it does nothing, where the right role would otherwise end the evening
	gets    gets
	signOut bool // ends the sender's sign-in
}

var (
	wrongPassword = url.Values{"password": {"not the password"}, "code": {"000000"}}
	nameless      = map[string]string{"name": "", "attempt": "0123456789abcdef"}
)

// matrix is who may do what, while a question is open. A new route must be entered here.
var matrix = []entry{
	{route: "GET /", gets: everyone(200)},
	{route: "GET /j", gets: everyone(303)},
	{route: "GET /j/{code}", gets: everyone(200).but(303, player, teammate)},
	{route: "GET /j/{code}/qr.svg", gets: everyone(200)},
	{route: "POST /api/v1/join/{code}", body: nameless, gets: everyone(422).but(200, player, teammate)},
	{route: "POST /api/v1/rejoin/{code}", body: nameless, gets: everyone(404)},
	{route: "GET /play/{session}", gets: everyone(200)},
	{route: "GET /api/v1/sessions/{session}/participant", gets: playing(200)},
	{route: "GET /api/v1/sessions/{session}/participant/socket", gets: playing(400).but(400, outsider, removedPhone, movedPhone)}, // no handshake: TestWhoMayOpenASocket has one,
	{route: "POST /api/v1/sessions/{session}/answers", body: map[string]any{"id": "a", "question": "1.1", "given": map[string]any{}}, gets: playing(422)},
	{route: "POST /api/v1/sessions/{session}/joker", body: map[string]int{"round": 9}, gets: playing(422)},
	{route: "POST /api/v1/sessions/{session}/team-code", body: map[string]any{}, gets: playing(201).but(409, teammate)},

	{route: "GET /screen/{session}", gets: everyone(200)},
	{route: "GET /api/v1/sessions/{session}/screen", gets: watching(200)},
	{route: "GET /api/v1/sessions/{session}/screen/socket", gets: watching(400).but(400, oldScreen)},

	{route: "GET /language", gets: everyone(200)},
	{route: "POST /language", body: url.Values{"language": {"de"}}, gets: everyone(303)},
	{route: "GET /signup", gets: everyone(200).but(303, signedInHosts...)},
	{route: "POST /signup", body: url.Values{}, gets: everyone(422)},
	{route: "GET /signin", gets: everyone(200).but(303, signedInHosts...)},
	{route: "POST /signin", body: url.Values{}, gets: everyone(422)},
	{route: "GET /signin/link", gets: everyone(200)},
	{route: "POST /signin/link", body: url.Values{}, gets: everyone(410)},
	{route: "GET /signin/code", gets: everyone(signInFirst).but(200, halfSignedIn)},
	{route: "POST /signin/code", body: wrongPassword, gets: everyone(422)},
	{route: "POST /signin/with/{provider}", body: url.Values{}, gets: everyone(200)},
	{route: "GET /signin/with/{provider}/back", gets: everyone(422)},
	{route: "POST /api/v1/signin/passkey/begin", body: map[string]any{}, gets: everyone(200)},
	{route: "POST /api/v1/signin/passkey", body: map[string]any{}, gets: everyone(422)},
	{route: "POST /signout", gets: everyone(303), signOut: true},

	{route: "GET /account/security", gets: anyHost(200)},
	{route: "POST /account/identities/{provider}", body: wrongPassword, gets: anyHost(422)},
	{route: "POST /account/identities/{provider}/unlink", body: wrongPassword, gets: anyHost(422)},
	{route: "POST /api/v1/passkeys/begin", body: map[string]string{"password": "not the password"}, gets: anyHost(422)},
	{route: "POST /api/v1/passkeys", body: map[string]any{}, gets: anyHost(410)},
	{route: "POST /account/passkeys/{passkey}/remove", body: wrongPassword, gets: anyHost(422)},
	{route: "POST /account/two-step", body: wrongPassword, gets: anyHost(422)},
	{route: "GET /account/two-step", gets: anyHost(303)},
	{route: "POST /account/two-step/on", body: wrongPassword, gets: anyHost(422)},
	{route: "POST /account/two-step/off", body: wrongPassword, gets: anyHost(422)},
	{route: "POST /account/two-step/recovery-codes", body: wrongPassword, gets: anyHost(422)},

	{route: "GET /reset", gets: everyone(404)}, // this site sends no mail
	{route: "POST /reset", body: url.Values{}, gets: everyone(404)},
	{route: "GET /reset/password", gets: everyone(410)},
	{route: "POST /reset/password", body: url.Values{}, gets: everyone(410)},
	{route: "GET /verify", gets: anyHost(410)},
	{route: "POST /verify", body: url.Values{}, gets: anyHost(410)},
	{route: "GET /demo/mail", gets: everyone(404)}, // and is no demo

	{route: "GET /account", gets: anyHost(200)},
	{route: "POST /account/name", body: url.Values{"name": {"Host"}}, gets: anyHost(303)},
	{route: "POST /account/confirmation", body: url.Values{}, gets: anyHost(404)},
	{route: "POST /account/email", body: wrongPassword, gets: anyHost(422)},
	{route: "POST /account/password", body: wrongPassword, gets: anyHost(422)},
	{route: "POST /account/browsers/{browser}/end", gets: anyHost(303)},
	{route: "POST /account/browsers/end", gets: anyHost(200), signOut: true},
	{route: "POST /account/takeaway", body: wrongPassword, gets: anyHost(422)},
	{route: "GET /account/delete", gets: anyHost(200)},
	{route: "POST /account/delete", body: wrongPassword, gets: anyHost(422)},

	{route: "GET /pricing", gets: everyone(200)},
	{route: "GET /api/v1/pricing", gets: everyone(200)},
	{route: "GET /account/billing", gets: anyHost(200)},
	{route: "POST /account/billing/checkout", body: url.Values{"plan": {"free"}, "interval": {"month"}}, gets: anyHost(422)},
	{route: "GET /account/billing/thanks", gets: anyHost(200)},
	{route: "GET /account/billing/cancelled", gets: anyHost(200)},
	{route: "POST /account/billing/portal", gets: anyHost(409)}, // nobody here has paid
	{route: "GET /account/billing/invoices", gets: anyHost(200)},
	{route: "POST /account/billing/invitations", body: url.Values{"email": {"bob@quiz.example"}}, gets: anyHost(409)},
	{route: "POST /account/billing/invitations/{invitation}/withdraw", gets: anyHost(303)}, // whether there is one is not told
	{route: "POST /account/billing/invitations/{invitation}/accept", gets: anyHost(409)},
	{route: "POST /account/billing/invitations/{invitation}/decline", gets: anyHost(409)},
	{route: "POST /account/billing/hosts/{host}/remove", gets: anyHost(303)},
	{route: "POST /account/billing/leave", gets: anyHost(303)},
	{route: "POST /webhooks/stripe", body: map[string]string{"id": "evt_1"}, gets: everyone(400)},

	{route: "GET /host", gets: anyHost(200)},
	{route: "POST /host/quizzes", gets: anyHost(303)},
	{route: "GET /host/quizzes/{quiz}", gets: owning(200)},
	{route: "POST /host/quizzes/{quiz}/delete", gets: owning(303)},
	{route: "POST /host/quizzes/{quiz}/sessions", gets: owning(303)},
	{route: "GET /api/v1/quizzes/{quiz}", gets: owning(200)},
	{route: "GET /host/import", gets: anyHost(200)},
	{route: "GET /host/quizzes/{quiz}/export/{format}", gets: owning(200)},
	{route: "GET /host/quizzes/{quiz}/print", gets: owning(200)},
	{route: "POST /api/v1/imports", query: "?name=quiz.txt", body: "no quiz", gets: anyHost(422)},
	{route: "POST /api/v1/quizzes", body: map[string]any{}, gets: anyHost(400)},
	{route: "PUT /api/v1/quizzes/{quiz}", body: map[string]any{"revision": 99, "content": guardedQuiz()}, gets: owning(409)},
	{route: "PUT /api/v1/quizzes/{quiz}/share", body: map[string]bool{"shared": true}, gets: owning(200)},
	{route: "GET /api/v1/questions", gets: anyHost(200)},
	{route: "GET /quiz/{token}", gets: everyone(200)},
	{route: "POST /quiz/{token}/copy", gets: anyHost(303)},
	{route: "POST /host/quizzes/sample", gets: anyHost(303)},
	{route: "POST /host/quizzes/{quiz}/copy", gets: owning(303)},

	{route: "GET /host/look", gets: anyHost(200)},
	{route: "PUT /api/v1/look", body: map[string]any{"accent": "#ffb52e", "pictures": []string{}}, gets: anyHost(200)},

	{route: "POST /api/v1/media", body: "no picture", gets: anyHost(422)},
	{route: "GET /media/{media}", gets: everyone(200)},

	{route: "GET /host/sessions/{session}", gets: driving(200)},
	{route: "GET /api/v1/sessions/{session}/host", gets: driving(200)},
	{route: "GET /api/v1/sessions/{session}/host/socket", gets: driving(400)},
	{route: "POST /api/v1/sessions/{session}/commands", body: map[string]any{"version": 0, "command": "finish"}, gets: driving(409)},
	{route: "POST /api/v1/sessions/{session}/rejoin-codes", body: map[string]any{}, gets: driving(201)},
	{route: "POST /api/v1/sessions/{session}/markings", body: map[string]any{"question": "1.1", "group": "x", "verdict": "right"}, gets: driving(409)},
	{route: "GET /api/v1/sessions/{session}/marking", query: "?round=1", gets: driving(200)},
	{route: "GET /api/v1/sessions/{session}/log", gets: driving(200)},
	{route: "GET /api/v1/sessions/{session}/export", gets: driving(200)},

	{route: "GET /api/v1/sessions/{session}/notepad", gets: driving(200)},
	{route: "PUT /api/v1/sessions/{session}/notepad", body: map[string]any{"revision": 99, "text": "x"}, gets: driving(409)},
	{route: "POST /api/v1/sessions/{session}/cohost-link", gets: inviting(201)},
	{route: "POST /api/v1/sessions/{session}/cohost-link/withdraw", gets: inviting(200)},
	{route: "POST /api/v1/sessions/{session}/cohosts/{cohost}/remove", gets: driving(404).but(403, coHost)},
	{route: "GET /cohost/{link}", gets: anyHost(410)},
	{route: "POST /cohost/{link}", gets: anyHost(410)},

	{route: "GET /host/sessions", gets: anyHost(200)},
	{route: "GET /host/sessions/{session}/results", gets: driving(200)},
	{route: "GET /host/sessions/{session}/results/{format}", gets: driving(200)},
	{route: "POST /host/sessions/{session}/results/publish", body: url.Values{"version": {"0"}}, gets: driving(303)},
	{route: "POST /host/sessions/{session}/results/hide", body: url.Values{"version": {"0"}}, gets: driving(303)},
	{route: "GET /results/{token}", gets: everyone(404)}, // until they are published

	{route: "GET /api", gets: everyone(200)},
	{route: "GET /api/v1/openapi.json", gets: everyone(200)},

	{route: "GET /operator", gets: operating(200)},

	{route: "GET /too-many-requests", gets: everyone(200)},
	{route: "GET /play/worker.js", gets: everyone(200)},
	{route: "GET /static/*", gets: everyone(200)},
	{route: "GET /healthz", gets: everyone(200)},
	{route: "GET /readyz", gets: everyone(200)},
}

// afterwards is who may do what when the session has ended: see, read and mark, but not play.
var afterwards = []entry{
	{route: "GET /j/{code}", gets: everyone(404)},
	{route: "POST /api/v1/join/{code}", body: nameless, gets: everyone(404)},
	{route: "GET /api/v1/sessions/{session}/participant", gets: playing(200)},
	{route: "POST /api/v1/sessions/{session}/answers", body: map[string]any{"id": "a", "question": "1.1", "given": map[string]string{"text": "x"}}, gets: playing(409)},
	{route: "POST /api/v1/sessions/{session}/joker", body: map[string]int{"round": 1}, gets: playing(409)},
	{route: "POST /api/v1/sessions/{session}/team-code", body: map[string]any{}, gets: playing(409)},
	{route: "GET /api/v1/sessions/{session}/screen", gets: watching(200)},
	{route: "GET /api/v1/sessions/{session}/host", gets: driving(200)},
	{route: "POST /api/v1/sessions/{session}/commands", body: map[string]any{"version": 0, "command": "next"}, gets: driving(409)},
	{route: "POST /api/v1/sessions/{session}/rejoin-codes", body: map[string]any{}, gets: driving(409)},
	{route: "GET /api/v1/sessions/{session}/marking", query: "?round=1", gets: driving(200)},
	{route: "GET /api/v1/sessions/{session}/log", gets: driving(200)},
	{route: "GET /api/v1/sessions/{session}/export", gets: driving(200)},
	{route: "GET /api/v1/sessions/{session}/notepad", gets: driving(200)},
	{route: "POST /api/v1/sessions/{session}/cohost-link", gets: inviting(409)},
}

// TestWhoMayDoWhat sends the request of every route in every role, and looks at the status and at everything that comes back.
func TestWhoMayDoWhat(t *testing.T) {
	c := newCast(t)
	routes := map[string]route{}
	for _, rt := range c.server.routes() {
		routes[rt.method+" "+rt.pattern] = rt
	}
	path := c.addresses()
	for _, l := range matrix {
		c.try(l, routes[l.route], path)
	}
	c.version = c.now() // the links have led to new ones
	c.command("close")
	c.command("finish")
	for _, l := range afterwards {
		c.try(l, routes[l.route], path)
	}
	c.command("publishResults")
	published := c.poll(c.host, "host")["shared"].(map[string]any)["resultsURL"].(string)
	c.try(entry{route: "GET /results/{token}", gets: everyone(200)}, routes["GET /results/{token}"],
		strings.NewReplacer("/results/{token}", strings.TrimPrefix(published, c.url)))
	for _, l := range matrix {
		delete(routes, l.route)
	}
	for name := range routes {
		t.Errorf("%s is not in the matrix", name)
	}
}

// addresses makes addresses of patterns, all of something that is there.
func (c *cast) addresses() *strings.Replacer {
	c.t.Helper()
	owner := c.ownerID()
	id, err := c.server.quizzes.Create(c.t.Context(), owner, quiz.Sample()) // whoever has the link may read its answers
	if err != nil {
		c.t.Fatal(err)
	}
	token, err := c.server.quizzes.Share(c.t.Context(), owner, id)
	if err != nil {
		c.t.Fatal(err)
	}
	var picture bytes.Buffer
	if err := gif.Encode(&picture, image.NewGray(image.Rect(0, 0, 1, 1)), nil); err != nil {
		c.t.Fatal(err)
	}
	media, err := c.server.media.Add(c.t.Context(), owner, &picture)
	if err != nil {
		c.t.Fatal(err)
	}
	script, err := assetURL(words.English, "phone.js")
	if err != nil {
		c.t.Fatal(err)
	}
	return strings.NewReplacer("{session}", c.id, "{code}", c.code, "{token}", token, "{media}", media.ID, "{provider}", c.server.providers[0].Name,
		"{passkey}", "1", "{cohost}", "9", "{link}", "used-or-never-made", "{browser}", "0", "{invitation}", "1", "{host}", "1", "{format}", "csv", "/static/*", script)
}

// try sends an entry's request in every role.
func (c *cast) try(l entry, rt route, path *strings.Replacer) {
	c.t.Helper()
	method, pattern, _ := strings.Cut(l.route, " ")
	if rt.handle == nil {
		c.t.Errorf("%s is not routed", l.route)
		return
	}
	address := path.Replace(pattern) + l.query
	if strings.Contains(address, "{quiz}") {
		id, err := c.server.quizzes.Create(c.t.Context(), c.ownerID(), guardedQuiz())
		if err != nil {
			c.t.Fatal(err)
		}
		address = strings.ReplaceAll(address, "{quiz}", itoa(int64(id)))
	}
	for _, role := range everybody {
		r := c.browsers[role].send(method, address, l.body)
		want := l.gets(role, rt.isAPI())
		switch {
		case want == signInFirst:
			if !strings.HasPrefix(r.header.Get("Location"), "/signin") || r.status != http.StatusSeeOther {
				c.t.Errorf("%s as %s: %d to %q, want the sign-in", l.route, role, r.status, r.header.Get("Location"))
			}
		case r.status != want || strings.HasPrefix(r.header.Get("Location"), "/signin"):
			c.t.Errorf("%s as %s: %d to %q, want %d; %.200s", l.route, role, r.status, r.header.Get("Location"), want, r.body)
		}
		c.checkLeaks(role, r)
		c.checkHeaders(rt, r)
		if l.signOut {
			c.signIn(role)
		}
	}
}

// TestWhoMayOpenASocket opens every socket in every role: with a close code, or a snapshot of that role.
func TestWhoMayOpenASocket(t *testing.T) {
	c := newCast(t)
	for socketOf, open := range map[string]gets{"participant": playing(0).but(closeRemoved, removedPhone), "screen": watching(0), "host": driving(0)} {
		for _, role := range everybody {
			want := open(role, true)
			if want != 0 && want != closeRemoved {
				want = closeInvalidToken
			}
			s := c.dial(c.browsers[role], socketOf)
			if want != 0 {
				if code, reason := s.closeCode(); code != want || reason != "" {
					t.Errorf("the socket of %s as %s: closed with %d %q, want %d", socketOf, role, code, reason, want)
				}
				continue
			}
			message := s.raw("shared")
			if !strings.Contains(message, fmt.Sprintf(`"role":%q`, socketOf)) {
				t.Errorf("the socket of %s as %s: %s", socketOf, role, message)
			}
			c.checkLeaks(role, reply{body: message})
			_ = s.ws.Close()
		}
	}
}

// TestWhatMayBeSaidOnASocket says everything on every socket: only a phone's answer is taken, and all else closes it.
func TestWhatMayBeSaidOnASocket(t *testing.T) {
	c := newCast(t)
	answer, err := json.Marshal(map[string]any{"answer": map[string]any{"id": "a", "question": "1.1", "given": map[string]string{"text": "x"}}})
	if err != nil {
		t.Fatal(err)
	}
	said := []struct {
		kind    int
		message string
		taken   bool // from a phone
	}{
		{websocket.TextMessage, string(answer), true},
		{websocket.BinaryMessage, string(answer), false},
		{websocket.TextMessage, "", false},
		{websocket.TextMessage, "null", false},
		{websocket.TextMessage, "[]", false},
		{websocket.TextMessage, "{}", false},
		{websocket.TextMessage, `{"answer":null}`, false},
		{websocket.TextMessage, `{"answer":{"id":"a","question":"1.1","given":{"text":"x"},"participant":"another"}}`, false},
		{websocket.TextMessage, `{"command":"close","version":1}`, false},
		{websocket.TextMessage, `{"role":"host"}`, false},
		{websocket.TextMessage, `{"is_admin":true}`, false},
		{websocket.TextMessage, `{"shared":{}}`, false},
		{websocket.TextMessage, strings.Repeat("[", socketReadLimit), false},
	}
	for role, socketOf := range map[string]string{player: "participant", teammate: "participant", television: "screen", theOwner: "host", coHost: "host"} {
		for _, say := range said {
			s := c.dial(c.browsers[role], socketOf)
			s.next("shared")
			if err := s.ws.WriteMessage(say.kind, []byte(say.message)); err != nil {
				t.Fatal(err)
			}
			if say.taken && socketOf == "participant" {
				if out := s.next("outcome"); out["id"] != "a" {
					t.Errorf("%s says %.80s: %v", role, say.message, out)
				}
			} else if code, _ := s.closeCode(); code != closeMalformed {
				t.Errorf("%s says %.80s: closed with %d", role, say.message, code)
			}
			_ = s.ws.Close()
		}
		until(t, "the sockets' end", func() bool {
			open := 0
			for _, n := range c.server.sockets.count() {
				open += n
			}
			return open == 0
		})
	}
}

// TestTheRemovedAreCutInTheMiddle: whoever loses a role while their socket is open hears nothing more on it.
func TestTheRemovedAreCutInTheMiddle(t *testing.T) {
	c := newCast(t)
	screen := c.dial(c.browsers[television], "screen")
	screen.next("shared")
	c.command("renewScreen")
	if code, _ := screen.closeCode(); code != closeInvalidToken {
		t.Errorf("the big screen whose link is renewed: closed with %d", code)
	}
	phone := c.dial(c.browsers[player], "participant")
	phone.next("shared")
	c.move(player)
	if code, _ := phone.closeCode(); code != closeInvalidToken {
		t.Errorf("the phone that was moved from: closed with %d", code)
	}
	console := c.dial(c.browsers[coHost], "host")
	console.next("shared")
	if r := c.host.send("POST", c.path("cohosts/1/remove"), nil); r.status != http.StatusOK {
		t.Fatal(r.body)
	}
	if code, _ := console.closeCode(); code != closeRemoved {
		t.Errorf("the console of the co-host who is removed: closed with %d", code)
	}
	if r := c.browsers[coHost].get(c.path("host")); r.status != http.StatusNotFound {
		t.Errorf("their next poll: %d", r.status)
	}
}
