package web

import (
	"net/http"
	"strings"
	"testing"

	"pubquiz/ratelimit"
)

func TestOperatorPageIsForOperators(t *testing.T) {
	s := newSite(t)
	wantRedirect(t, s.browser().get("/operator"), "/signin?next=%2Foperator")
	other := s.host("host@quiz.example")
	wantShows(t, other.get("/operator"), http.StatusNotFound, "-joinSession")
	wantShows(t, other.get("/host"), http.StatusOK, "-/operator")
	operator := s.host("Operator@Quiz.example")
	wantShows(t, operator.get("/host"), http.StatusOK, `href="/operator"`)
	wantShows(t, operator.get("/operator"), http.StatusOK, "100 a minute for each address", "10 in 15 minutes for each account", "3 an hour for each account")
}

// The page shows who is refused and how much of a budget the busiest have used, and of accounts only a hash.
func TestOperatorPageShowsTheBusiest(t *testing.T) {
	needsLimits(t)
	s := newSite(t)
	victim, stranger := "victim@example.org", s.from("127.0.0.7")
	for range ratelimit.Auth.Budget + 3 {
		stranger.send("POST", "/signin", signInForm(victim, "wrong password"))
	}
	l := s.open(s.host(operatorEmail))
	l.phone("Alice")
	page := l.host.get("/operator")
	wantShows(t, page, http.StatusOK, "127.0.0.7/32", "10 of 10", "127.0.0.1/32, as a venue", "1 of 100",
		"account "+hashShown(victim), "-"+victim, "<b class=\"tabular\">1</b> session ")
	row := page.body[strings.Index(page.body, `<th scope="row">auth</th>`):]
	row = row[:strings.Index(row, "</tr>")]
	for _, want := range []string{`<td class="number">10</td>`, `<td class="number some">3</td>`, "<td>memory</td>"} {
		if !strings.Contains(row, want) {
			t.Errorf("%q is not in the row of auth: %s", want, row)
		}
	}
}

// hashShown is the part of an account's hash that stands for it.
func hashShown(account string) string {
	_, hash, _ := strings.Cut(ratelimit.AccountKey(account).String(), " ")
	return hash
}

// A limit in shadow mode admits, and the page says what it would have refused.
func TestOperatorPageMarksShadowMode(t *testing.T) {
	table, err := ratelimit.Override(ratelimit.Table, "playerPageLoad=1+shadow")
	if err != nil {
		t.Fatal(err)
	}
	s := newSite(t)
	if s.server.limiters, err = ratelimit.New(table); err != nil {
		t.Fatal(err)
	}
	for range 3 {
		wantShows(t, s.browser().get("/"), http.StatusOK)
	}
	page := s.host(operatorEmail).get("/operator").body
	row := page[strings.Index(page, `<th scope="row">playerPageLoad <span class="badge">shadow</span>`):]
	row = row[:strings.Index(row, "</tr>")]
	if !strings.Contains(row, `<td class="number">3</td>`) || !strings.Contains(row, `<td class="number some">2</td>`) {
		t.Errorf("want 3 admitted, of them 2 against the limit: %s", row)
	}
}
