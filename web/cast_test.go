package web

import (
	"net/http"
	"net/netip"
	"net/url"
	"slices"
	"strings"
	"testing"

	"pubquiz/account"
	"pubquiz/quiz"
	"pubquiz/ratelimit"
)

// Who may send a request: everybody that the matrix of who may do what tells apart.
const (
	nobody       = "nobody in particular"
	player       = "a participant"
	teammate     = "a second phone of the participant's team"
	outsider     = "a participant of another session, with that token"
	removedPhone = "a participant whom the host has removed"
	movedPhone   = "the old phone of a participant who has moved"
	television   = "a big screen"
	oldScreen    = "a big screen whose link was renewed"
	theOwner     = "the session's host"
	coHost       = "a co-host of the session"
	formerHost   = "a co-host whom the owner has removed"
	otherHost    = "another host"
	theOperator  = "the operator"
	signedOut    = "a host who has signed out, with the old token"
	halfSignedIn = "a host who has yet to give a code"
)

var everybody = []string{
	nobody, player, teammate, outsider, removedPhone, movedPhone, television, oldScreen, theOwner, coHost, formerHost, otherHost, theOperator, signedOut, halfSignedIn,
}

// What only the session's hosts may know while its first question is open.
const (
	secretAnswer = "Zanzibarium"
	secretNote   = "Whisper this to nobody"
	secretPad    = "Table four has been at it again"
)

// guardedQuiz has what must not leak.
func guardedQuiz() quiz.Content {
	return quiz.Content{Title: "Guarded", Teams: quiz.FirstAnswer, Rounds: []quiz.Round{{Title: "Only", Joker: true, Questions: []quiz.Question{
		{Kind: quiz.Text, Text: "What is it?", Accepted: []string{secretAnswer}, Notes: secretNote, Seconds: 600, Points: 2},
	}}}}
}

// cast is a session with its first question open, and a browser for each role.
type cast struct {
	*live
	browsers map[string]*browser
	secrets  map[string]string // what opens something for a role: nobody else may be told it
}

// newCast fills the roles. No limits are in the way.
func newCast(t *testing.T) *cast {
	s := newSite(t, ratelimit.Unlimited())
	c := &cast{live: s.openQuiz(s.host(hosts[theOwner]), guardedQuiz()), browsers: map[string]*browser{nobody: s.browser()}, secrets: map[string]string{}}
	b := c.browsers
	b[theOwner], b[otherHost], b[theOperator] = c.host, s.host(hosts[otherHost]), s.host(operatorEmail)
	b[coHost], b[formerHost] = c.cohost(hosts[coHost]), c.cohost(hosts[formerHost])
	if r := c.host.send("POST", c.path("cohosts/2/remove"), nil); r.status != http.StatusOK {
		t.Fatal(r.body)
	}
	if r := c.host.send("PUT", c.path("notepad"), map[string]any{"revision": 0, "text": secretPad}); r.status != http.StatusOK {
		t.Fatal(r.body)
	}
	c.version = c.now()

	b[player], b[removedPhone], b[movedPhone] = c.phone("Players"), c.phone("Rowdy"), c.phone("Movers")
	b[teammate] = c.comesBy(b[player].send("POST", c.path("team-code"), map[string]any{}))
	c.move(movedPhone)
	if r := c.commandWith(map[string]any{"command": "remove", "participant": c.participantID(b[removedPhone])}); r.status != http.StatusOK {
		t.Fatal(r.body)
	}
	second := s.open(b[otherHost])
	b[outsider] = second.phone("Elsewhere")
	b[outsider].cookie(participantCookie(c.id), b[outsider].value(participantCookie(second.id)))
	for _, role := range []string{player, teammate, outsider, removedPhone, movedPhone} {
		c.secrets[role] = b[role].value(participantCookie(c.id))
	}

	for _, role := range []string{oldScreen, television} {
		b[role] = s.browser()
		if r := b[role].get(consoleBoot(t, c.live)["screenURL"].(string)); r.status != http.StatusSeeOther {
			t.Fatalf("%s: %d %s", role, r.status, r.body)
		}
		c.secrets[role] = b[role].value(screenCookie(c.id))
		if role == oldScreen {
			c.command("renewScreen")
		}
	}

	b[signedOut] = s.host("gone@quiz.example")
	old := b[signedOut].value(hostCookie)
	b[signedOut].send("POST", "/signout", nil)
	b[signedOut].cookie(hostCookie, old)

	s.turnOn(s.host("careful@quiz.example"))
	b[halfSignedIn] = s.browser()
	wantRedirect(t, b[halfSignedIn].send("POST", "/signin", signInForm("careful@quiz.example", testPassword)), "/signin/code")

	c.command("next")
	c.command("launch")
	c.noteSignIns()
	return c
}

// comesBy is the phone of whoever uses the rejoin code that was given out.
func (c *cast) comesBy(given reply) *browser {
	c.t.Helper()
	code, _ := given.json(c.t)["code"].(string)
	phone := c.browser()
	if r := phone.send("POST", "/api/v1/rejoin/"+code, map[string]string{"attempt": "attempt-" + code}); r.status != http.StatusCreated {
		c.t.Fatalf("%s\n%d %s", given.body, r.status, r.body)
	}
	return phone
}

func (c *cast) participantID(phone *browser) string {
	c.t.Helper()
	return c.poll(phone, "participant")["personal"].(map[string]any)["participant"].(string)
}

// move has the role's participant go on at another phone.
func (c *cast) move(role string) {
	c.t.Helper()
	c.comesBy(c.host.send("POST", c.path("rejoin-codes"), map[string]any{"participant": c.participantID(c.browsers[role])}))
	c.version = c.now()
}

// now is the session's version.
func (l *live) now() int64 {
	l.t.Helper()
	return int64(l.poll(l.host, "host")["shared"].(map[string]any)["version"].(float64))
}

// cohost signs a host up, who comes to the session by a link.
func (l *live) cohost(email string) *browser {
	l.t.Helper()
	b := l.site.host(email)
	given := l.host.send("POST", l.path("cohost-link"), nil)
	link, _ := given.json(l.t)["url"].(string)
	wantRedirect(l.t, b.send("POST", strings.TrimPrefix(link, l.url), nil), "/host/sessions/"+l.id)
	return b
}

// hosts are the roles that are signed in, by address.
var hosts = map[string]string{
	theOwner: "host@quiz.example", coHost: "co@quiz.example", formerHost: "former@quiz.example", otherHost: "other@quiz.example", theOperator: operatorEmail,
}

// signIn signs the role in again, if it is a host's.
func (c *cast) signIn(role string) {
	c.t.Helper()
	email, ok := hosts[role]
	if !ok {
		return
	}
	token, err := c.server.accounts.SignIn(c.t.Context(), email, testPassword, account.Device{Address: netip.MustParseAddr("127.0.0.1"), Agent: "test"})
	if err != nil {
		c.t.Fatal(err)
	}
	c.browsers[role].cookie(hostCookie, c.keys.SealHost(token))
	c.noteSignIns()
}

func (c *cast) noteSignIns() {
	for role := range hosts {
		c.secrets[role] = c.browsers[role].value(hostCookie)
	}
}

// ownerID is the session's host.
func (l *live) ownerID() quiz.OwnerID { return l.ownerOf(l.host) }

// checkLeaks fails for what a role is told and may not know: the right answer, the hosts' notes, and what opens something for another role.
func (c *cast) checkLeaks(role string, r reply) {
	c.t.Helper()
	var told strings.Builder
	told.WriteString(r.body)
	for name, values := range r.header {
		told.WriteString("\n" + name + ": " + strings.Join(values, "\n"))
	}
	for _, secret := range []string{secretAnswer, secretNote, secretPad} {
		if role != theOwner && role != coHost && strings.Contains(told.String(), secret) {
			c.t.Errorf("%s is told %q: %s", role, secret, told.String())
		}
	}
	for of, secret := range c.secrets {
		mayKnow := of == role || of == television && (role == theOwner || role == coHost) // whose console leads to it
		if !mayKnow && (strings.Contains(told.String(), secret) || strings.Contains(told.String(), url.QueryEscape(secret))) {
			c.t.Errorf("%s is told what belongs to %s: %s", role, of, told.String())
		}
	}
}

// TestLeaksAreFound: the check of the matrix fails where it should.
func TestLeaksAreFound(t *testing.T) {
	c := &cast{live: &live{site: &site{t: new(testing.T)}}, secrets: map[string]string{player: "t0ken", television: "scr33n"}}
	for _, test := range []struct {
		role string
		told reply
		leak bool
	}{
		{theOwner, reply{body: secretAnswer + secretNote + "scr33n"}, false},
		{player, reply{body: "t0ken"}, false},
		{player, reply{body: secretAnswer}, true},
		{television, reply{body: secretNote}, true},
		{theOwner, reply{body: "t0ken"}, true},
		{coHost, reply{body: secretAnswer + secretPad + "scr33n"}, false},
		{formerHost, reply{body: secretPad}, true},
		{formerHost, reply{body: "scr33n"}, true},
		{otherHost, reply{header: http.Header{"Location": {"/?token=scr33n"}}}, true},
	} {
		c.t = new(testing.T)
		if c.checkLeaks(test.role, test.told); c.t.Failed() != test.leak {
			t.Errorf("%s, told %+v: found is %v", test.role, test.told, c.t.Failed())
		}
	}
	if roles := slices.Compact(slices.Sorted(slices.Values(everybody))); len(roles) != len(everybody) {
		t.Error("a role is there twice")
	}
}
