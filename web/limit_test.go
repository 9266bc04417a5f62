package web

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"strings"
	"testing"

	"pubquiz/ratelimit"
	"pubquiz/session"
)

// TestSeenElsewhereLimiterMountedNowhere is the specification's side of routes.go: each address with the limit that is to guard it.
// A new route must be entered here, and a limit of the table must be mounted wherever it belongs.
func TestSeenElsewhereLimiterMountedNowhere(t *testing.T) {
	want := map[string]ratelimit.Name{
		"GET /":                      "playerPageLoad",
		"GET /j":                     "playerPageLoad",
		"GET /j/{code}":              "playerPageLoad",
		"GET /j/{code}/qr.svg":       "global only",
		"POST /api/v1/join/{code}":   "joinSession",
		"POST /api/v1/rejoin/{code}": "joinSession",
		"POST /api/v1/sessions/{session}/rejoin-codes":      "hostEdit",
		"POST /api/v1/sessions/{session}/markings":          "hostEdit",
		"GET /api/v1/sessions/{session}/marking":            "hostEdit",
		"GET /api/v1/sessions/{session}/log":                "hostEdit",
		"POST /api/v1/sessions/{session}/joker":             "participantAction",
		"POST /api/v1/sessions/{session}/team-code":         "participantAction",
		"GET /play/{session}":                               "playerPageLoad",
		"GET /api/v1/sessions/{session}/participant":        "sessionPoll",
		"GET /api/v1/sessions/{session}/participant/socket": "socketOpen",
		"POST /api/v1/sessions/{session}/answers":           "submitAnswer",
		"GET /screen/{session}":                             "playerPageLoad",
		"GET /api/v1/sessions/{session}/screen":             "sessionPoll",
		"GET /api/v1/sessions/{session}/screen/socket":      "socketOpen",
		"GET /language":                              "global only",
		"POST /language":                             "global only",
		"GET /signup":                                "global only",
		"POST /signup":                               "auth",
		"GET /signin":                                "global only",
		"POST /signin":                               "auth",
		"GET /signin/link":                           "global only",
		"POST /signin/link":                          "auth",
		"POST /signout":                              "global only",
		"GET /signin/code":                           "global only",
		"POST /signin/code":                          "auth",
		"POST /signin/with/{provider}":               "auth",
		"GET /signin/with/{provider}/back":           "global only",
		"POST /api/v1/signin/passkey/begin":          "auth",
		"POST /api/v1/signin/passkey":                "global only",
		"POST /api/v1/passkeys/begin":                "auth",
		"POST /api/v1/passkeys":                      "hostEdit",
		"POST /account/passkeys/{passkey}/remove":    "auth",
		"GET /account/security":                      "global only",
		"POST /account/identities/{provider}":        "auth",
		"POST /account/identities/{provider}/unlink": "auth",
		"POST /account/two-step":                     "auth",
		"GET /account/two-step":                      "global only",
		"POST /account/two-step/on":                  "hostEdit",
		"POST /account/two-step/off":                 "auth",
		"POST /account/two-step/recovery-codes":      "auth",
		"GET /reset":                                 "global only",
		"POST /reset":                                "passwordReset",
		"GET /reset/password":                        "global only",
		"POST /reset/password":                       "auth",
		"GET /verify":                                "global only",
		"POST /verify":                               "auth",
		"GET /demo/mail":                             "global only",
		"GET /account":                               "global only",
		"POST /account/name":                         "hostEdit",
		"POST /account/confirmation":                 "passwordReset",
		"POST /account/email":                        "auth",
		"POST /account/password":                     "auth",
		"POST /account/browsers/{browser}/end":       "global only",
		"POST /account/browsers/end":                 "global only",
		"POST /account/takeaway":                     "hostEdit",
		"GET /account/delete":                        "global only",
		"POST /account/delete":                       "auth",
		"GET /host":                                  "global only",
		"POST /host/quizzes":                         "hostEdit",
		"GET /host/quizzes/{quiz}":                   "global only",
		"POST /host/quizzes/{quiz}/delete":           "hostEdit",
		"POST /host/quizzes/{quiz}/sessions":         "hostAction",
		"GET /api/v1/quizzes/{quiz}":                 "hostEdit",
		"PUT /api/v1/quizzes/{quiz}":                 "hostEdit",
		"PUT /api/v1/quizzes/{quiz}/share":           "hostEdit",
		"GET /host/import":                           "global only",
		"POST /api/v1/imports":                       "hostEdit",
		"POST /api/v1/quizzes":                       "hostEdit",
		"GET /host/quizzes/{quiz}/export/{format}":   "hostEdit",
		"GET /host/quizzes/{quiz}/print":             "global only",
		"GET /api/v1/questions":                      "hostEdit",
		"GET /quiz/{token}":                          "global only",
		"POST /quiz/{token}/copy":                    "hostEdit",
		"POST /host/quizzes/sample":                  "hostEdit",
		"POST /host/quizzes/{quiz}/copy":             "hostEdit",
		"POST /api/v1/media":                         "hostEdit",
		"GET /media/{media}":                         "global only",
		"GET /host/sessions/{session}":               "global only",
		"GET /api/v1/sessions/{session}/host":        "sessionPoll",
		"GET /api/v1/sessions/{session}/host/socket": "socketOpen",
		"POST /api/v1/sessions/{session}/commands":   "hostAction",
		"GET /api/v1/sessions/{session}/export":      "hostEdit",
		"GET /operator":                              "hostEdit",

		"GET /api/v1/sessions/{session}/notepad":                  "hostEdit",
		"PUT /api/v1/sessions/{session}/notepad":                  "hostEdit",
		"POST /api/v1/sessions/{session}/cohost-link":             "hostEdit",
		"POST /api/v1/sessions/{session}/cohost-link/withdraw":    "hostEdit",
		"POST /api/v1/sessions/{session}/cohosts/{cohost}/remove": "hostEdit",
		"GET /cohost/{link}":                                      "global only",
		"POST /cohost/{link}":                                     "hostEdit",

		"GET /host/look":           "global only",
		"PUT /api/v1/look":         "hostEdit",
		"GET /api":                 "global only",
		"GET /api/v1/openapi.json": "global only",

		"GET /too-many-requests": "exempt",
		"GET /play/worker.js":    "exempt",
		"GET /static/*":          "exempt",
		"GET /healthz":           "exempt",
		"GET /readyz":            "exempt",

		"GET /pricing":                                            "global only",
		"GET /api/v1/pricing":                                     "pricing",
		"GET /account/billing":                                    "global only",
		"POST /account/billing/checkout":                          "stripeCheckout",
		"POST /account/billing/portal":                            "stripeCheckout",
		"GET /account/billing/thanks":                             "global only",
		"GET /account/billing/cancelled":                          "global only",
		"GET /account/billing/invoices":                           "hostAction",
		"POST /account/billing/invitations":                       "hostAction",
		"POST /account/billing/invitations/{invitation}/withdraw": "hostEdit",
		"POST /account/billing/invitations/{invitation}/accept":   "hostEdit",
		"POST /account/billing/invitations/{invitation}/decline":  "hostEdit",
		"POST /account/billing/hosts/{host}/remove":               "hostEdit",
		"POST /account/billing/leave":                             "hostEdit",
		"POST /webhooks/stripe":                                   "exempt",

		"GET /host/sessions":                            "global only",
		"GET /host/sessions/{session}/results":          "hostEdit",
		"GET /host/sessions/{session}/results/{format}": "hostEdit",
		"POST /host/sessions/{session}/results/publish": "hostAction",
		"POST /host/sessions/{session}/results/hide":    "hostAction",
		"GET /results/{token}":                          "global only",
	}
	var s Server
	for _, rt := range s.routes() {
		name := rt.method + " " + rt.pattern
		got := rt.limit.Name
		switch {
		case rt.exempt:
			got = "exempt"
		case got == "":
			got = "global only"
		}
		if got != want[name] {
			t.Errorf("%s is guarded by %q, want %q", name, got, want[name])
		}
		if rt.limit.Name == "" && rt.reason == "" {
			t.Errorf("%s has no limit of its own and gives no reason", name)
		}
		if rt.limit.Key == ratelimit.ByParticipant && rt.access != participant && rt.access != screen && rt.access != driver {
			t.Errorf("%s has a limit by participant, and verifies none", name)
		}
		if rt.limit.Key == ratelimit.ByUser && !rt.access.byHost() {
			t.Errorf("%s has a limit by user, and verifies none", name)
		}
		delete(want, name)
	}
	for name := range want {
		t.Errorf("%s is not routed", name)
	}
}

// TestRoutesAreRefusedByTheirLimit exhausts the budget behind every limited route, and looks for the refusal of that
// limit.
func TestRoutesAreRefusedByTheirLimit(t *testing.T) {
	needsLimits(t)
	s := newSite(t)
	l := s.open(s.host("host@quiz.example"))
	phone := l.phone("Tireless")
	television := s.browser()
	screenURL := consoleBoot(t, l)["screenURL"].(string)
	if r := television.get(screenURL); r.status != http.StatusSeeOther {
		t.Fatalf("the big screen's link: %d", r.status)
	}
	theOperator := s.host(operatorEmail)
	path := strings.NewReplacer("{session}", l.id, "{code}", l.code, "{quiz}", "1", "{provider}", "brewery", "{passkey}", "1", "{invitation}", "1", "{cohost}", "1", "{link}", "1", "{host}", "1")
	for _, rt := range s.server.routes() {
		if rt.limit.Name == "" {
			continue
		}
		t.Run(rt.method+" "+rt.pattern, func(t *testing.T) {
			b := map[access]*browser{anyone: s.browser(), participant: phone, screen: television, host: l.host, driver: l.host, owner: l.host, operator: theOperator}[rt.access]
			header := []string{}
			if rt.socket {
				header = []string{"Connection", "Upgrade", "Upgrade", "none"} // a plain request is enough for the limit
			}
			for n := range max(rt.limit.Budget, 100) + 1 { // 100: the capacity, which is the room's budget at its venue
				r := b.send(rt.method, path.Replace(rt.pattern), nil, header...)
				if r.status != http.StatusTooManyRequests {
					continue
				}
				if rt.isAPI() && r.json(t)["limiter"] != string(rt.limit.Name) {
					t.Errorf("after %d requests refused by %v", n, r.json(t)["limiter"])
				}
				checkRefusal(t, r, rt.isAPI())
				return
			}
			t.Error("no refusal")
		})
	}
}

// checkRefusal checks what every refusal must say.
func checkRefusal(t *testing.T, r reply, api bool) {
	t.Helper()
	for _, name := range []string{"Retry-After", "Ratelimit-Limit", "Ratelimit-Remaining", "Ratelimit-Reset"} {
		if r.header.Get(name) == "" {
			t.Errorf("the refusal has no %s", name)
		}
	}
	if r.header.Get("Cache-Control") != "no-store" {
		t.Errorf("Cache-Control is %q", r.header.Get("Cache-Control"))
	}
	if !api {
		if !strings.HasPrefix(r.header.Get("Content-Type"), "text/html") || !strings.Contains(r.body, "<html") {
			t.Errorf("a browser is told %s %s", r.header.Get("Content-Type"), r.body)
		}
		return
	}
	problem := r.json(t)
	if r.header.Get("Content-Type") != "application/problem+json" || problem["type"] != quotaExceeded ||
		fmt.Sprint(problem["retryAfter"]) != r.header.Get("Retry-After") {
		t.Errorf("the refusal is %s %v", r.header.Get("Content-Type"), problem)
	}
}

// TestSeenElsewhereLimitedPage: with everything exhausted the explanation is still there, without a redirect, and so
// are the probes.
func TestSeenElsewhereLimitedPage(t *testing.T) {
	needsLimits(t)
	s := newSite(t)
	b := s.browser()
	exhausted := false
	for range ratelimit.Global.Budget + 1 {
		exhausted = b.get("/nothing").status == http.StatusTooManyRequests
	}
	if !exhausted {
		t.Fatal("the global budget is not exhausted")
	}
	r := b.get("/signin")
	if r.status != http.StatusTooManyRequests || r.header.Get("Location") != "" {
		t.Errorf("a page: %d %s", r.status, r.header.Get("Location"))
	}
	checkRefusal(t, r, false)
	for _, path := range []string{"/too-many-requests", "/healthz", "/readyz"} {
		if r := b.get(path); r.status != http.StatusOK {
			t.Errorf("%s: %d", path, r.status)
		}
	}
}

// TestStrangersCannotSilenceSeatedPhones: requests with a verified token have a budget of their own.
func TestStrangersCannotSilenceSeatedPhones(t *testing.T) {
	needsLimits(t)
	s := newSite(t)
	l := s.open(s.host("host@quiz.example"))
	phone := l.phone("Seated")
	stranger := s.browser()
	for range ratelimit.Global.Budget + 1 {
		stranger.get(l.path("participant")) // without a token, so charged as a stranger
	}
	if r := stranger.get("/"); r.status != http.StatusTooManyRequests {
		t.Fatalf("the stranger's budget is not exhausted: %d", r.status)
	}
	if r := phone.get(l.path("participant")); r.status != http.StatusOK {
		t.Errorf("the seated phone's poll: %d %s", r.status, r.body)
	}
}

// TestNoSeatUsesUpTheRoomsBudget: on whatever route a seat makes a difference, a phone or a big screen that hammers is stopped by a limit of its own, long before
// the budget of all that are seated there is used up.
func TestNoSeatUsesUpTheRoomsBudget(t *testing.T) {
	needsLimits(t)
	s := newSite(t)
	l := s.open(s.host("host@quiz.example"))
	s.exec(`UPDATE sessions SET venue = NULL, venue_until = NULL`) // the host is elsewhere, so that nothing is within a share
	here := netip.MustParseAddr("127.0.0.1")
	until(t, "the venue's end", func() bool { return s.sessions.VenueAt(network(here)).Session == 0 })
	var id session.ID
	if err := s.pool.QueryRow(t.Context(), `SELECT id FROM sessions`).Scan(&id); err != nil {
		t.Fatal(err)
	}
	left := func() int {
		d, err := s.server.limiters.Peek(t.Context(), ratelimit.Global.For(ratelimit.SeatedKey(here)))
		if err != nil {
			t.Fatal(err)
		}
		return d.Remaining
	}
	const enough = 100 // requests of one seat, of the 1,200 that all have
	path := strings.NewReplacer("{session}", l.id, "{media}", strings.Repeat("0", 64))
	opened := map[string]bool{}
	for i, rt := range s.server.routes() {
		phone, bigScreen := s.browser(), s.browser() // with seats that are nobody else's
		phone.cookie(participantCookie(l.id), s.server.keys.SignSeat(session.Seat{Session: id, Participant: int64(1000 + i)}))
		bigScreen.cookie(screenCookie(l.id), s.server.keys.SignScreen(session.ScreenSeat{Session: id, Generation: 1000 + i}))
		header := []string{}
		if rt.socket {
			header = []string{"Connection", "Upgrade", "Upgrade", "none"}
		}
		for who, b := range map[string]*browser{"phone": phone, "big screen": bigScreen} {
			before, sent := left(), 1
			status := b.send(rt.method, path.Replace(rt.pattern), nil, header...).status
			if left() == before {
				continue
			}
			opened[rt.pattern] = true
			for ; status != http.StatusTooManyRequests && sent <= enough; sent++ {
				status = b.send(rt.method, path.Replace(rt.pattern), nil, header...).status
			}
			if spent := before - left(); status != http.StatusTooManyRequests || spent > enough {
				t.Errorf("%s %s: a %s was told %d after %d requests, and spent %d of the room's budget", rt.method, rt.pattern, who, status, sent, spent)
			}
		}
	}
	if want := 10; len(opened) != want { // those for phones and big screens, their pages, and the pictures
		t.Errorf("a seat makes a difference on %d routes, want %d: %v", len(opened), want, opened)
	}
}

// TestOneKeyForAllCodes: the path is no part of a key, and guessing codes has a budget of its own.
func TestOneKeyForAllCodes(t *testing.T) {
	needsLimits(t)
	s := newSite(t)
	b := s.browser()
	statuses := map[int]int{}
	for i := range ratelimit.JoinMiss.Budget + 5 {
		statuses[b.get(fmt.Sprintf("/j/BBBB%c%c", "BCDFGH"[i/6%6], "BCDFGH"[i%6])).status]++
	}
	if statuses[http.StatusNotFound] != ratelimit.JoinMiss.Budget || statuses[http.StatusTooManyRequests] != 5 {
		t.Errorf("guessing codes gave %v", statuses)
	}
	l := s.open(s.host("host@quiz.example"))
	if _, err := s.pool.Exec(t.Context(), `UPDATE sessions SET venue = NULL, venue_until = NULL`); err != nil {
		t.Fatal(err)
	}
	until(t, "the venue's end", func() bool {
		_, ok := s.sessions.VenueOf(l.code)
		return !ok
	})
	if r := b.get("/j/" + l.code); r.status != http.StatusTooManyRequests {
		t.Errorf("a right guess after all the wrong ones: %d", r.status)
	}
}

// TestHandlersRefuseToWorkUnlimited: a handler that drives a session, seats a phone or takes an answer does nothing
// when it is reached on another way than its limited route.
func TestHandlersRefuseToWorkUnlimited(t *testing.T) {
	var s Server
	for limit, handlers := range map[ratelimit.Name][]func(http.ResponseWriter, *request) error{
		"joinSession":  {s.join, s.rejoin},
		"submitAnswer": {s.answer},
		"hostAction":   {s.command, s.openSession},
		// What could flood an inbox, or guess at links.
		"passwordReset": {s.requestReset, s.sendConfirmation},
		"auth":          {s.signUp, s.useLink, s.choosePassword, s.confirmAddress},
	} {
		for _, handle := range handlers {
			r := &request{Request: httptest.NewRequest("POST", "/elsewhere", nil)}
			if err := handle(nil, r); err == nil || !strings.Contains(err.Error(), string(limit)+" has not decided") {
				t.Errorf("without %s: %v", limit, err)
			}
		}
	}
}
