package main

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"net/netip"
	"strconv"
	"strings"
	"testing"
	"time"

	"pubquiz/internal/browsertest"
	"pubquiz/quiz"
	"pubquiz/session"
)

// played plays a quiz to its end with these tables, of which none is looked at, and returns its host and its public id.
func (e *evening) played(content quiz.Content, names ...string) (host session.Viewer, id string) {
	e.t.Helper()
	ctx := e.t.Context()
	user, err := e.server.accounts.EnsureUser(ctx, demoEmail, demoName)
	if err != nil {
		e.t.Fatal(err)
	}
	owner := quiz.OwnerID(user)
	quizID, err := e.server.quizzes.Create(ctx, owner, content)
	if err != nil {
		e.t.Fatal(err)
	}
	if id, err = e.server.sessions.Open(ctx, owner, quizID, content); err != nil {
		e.t.Fatal(err)
	}
	if host, err = e.server.sessions.AsHost(ctx, id, owner); err != nil {
		e.t.Fatal(err)
	}
	e.code = e.stand(host).JoinCode
	e.othersJoin(names...)
	random := rand.New(rand.NewPCG(1, 2))
	for i, table := range e.others {
		if err := e.server.sessions.PlayJoker(ctx, table, i%3); err != nil {
			e.t.Fatal(err)
		}
	}
	for now := e.stand(host); now.Phase != session.Finished; now = e.stand(host) {
		if now.Phase == session.Open {
			e.tablesAnswer(host, now.Question.ID, random)
		}
		e.orders(host, session.Command{Command: now.Next})
	}
	return host, id
}

// stand is where a session is, as its console is told.
type stand struct {
	Version  int64               `json:"version"`
	Phase    session.Phase       `json:"phase"`
	Next     session.CommandName `json:"next"`
	OpensAt  int64               `json:"opensAt"`
	JoinCode string              `json:"joinCode"`
	Question struct {
		ID      string    `json:"id"`
		Kind    quiz.Kind `json:"kind"`
		Text    string    `json:"text"`
		Options []string  `json:"options"`
		Wager   bool      `json:"wager"`
	} `json:"question"`
}

func (e *evening) stand(host session.Viewer) (now stand) {
	e.t.Helper()
	sight, err := e.server.sessions.Look(e.t.Context(), host, netip.Prefix{}, time.Minute)
	if err != nil {
		e.t.Fatal(err)
	}
	if err := json.Unmarshal(sight.Shared.Body, &now); err != nil {
		e.t.Fatal(err)
	}
	return now
}

func (e *evening) orders(host session.Viewer, c session.Command) {
	e.t.Helper()
	c.Version = e.stand(host).Version
	if _, err := e.server.sessions.Command(e.t.Context(), host, c); err != nil {
		e.t.Fatalf("%+v: %v", c, err)
	}
}

// tablesAnswer has most tables answer, the first of them oftener right than the last.
func (e *evening) tablesAnswer(host session.Viewer, id string, random *rand.Rand) {
	e.t.Helper()
	results, err := e.server.sessions.Results(e.t.Context(), host)
	if err != nil {
		e.t.Fatal(err)
	}
	for _, q := range results.Questions {
		if q.ID != id {
			continue
		}
		for i, table := range e.others {
			if e.answers++; random.IntN(12) == 0 {
				continue
			}
			given := guess(q.Question, random, random.IntN(len(e.others)+6) > i)
			if _, err := e.server.sessions.Answer(e.t.Context(), table, session.Answer{ID: fmt.Sprintf("table-%d", e.answers), Question: id, Given: given}); err != nil {
				e.t.Fatal(err)
			}
		}
	}
}

// guess is an answer, right if the table knows.
func guess(q quiz.Question, random *rand.Rand, knows bool) quiz.Given {
	var stake quiz.Points
	if q.Wager {
		stake = quiz.Points(random.IntN(8))
	}
	switch {
	case q.Kind == quiz.Text && knows:
		return quiz.Given{Text: q.Accepted[0], Wager: stake}
	case q.Kind == quiz.Text:
		return quiz.Given{Text: []string{"No idea", "Leonardo da Vinci", "=SUM(A1)", "the one with the beard, whatever he was called again"}[random.IntN(4)], Wager: stake}
	case q.Kind == quiz.NumberKind && knows:
		return quiz.Given{Text: strconv.FormatFloat(q.Number.Value, 'f', -1, 64)}
	case q.Kind == quiz.NumberKind:
		return quiz.Given{Text: strconv.Itoa(random.IntN(2 * int(q.Number.Value)))}
	case q.Kind == quiz.Ordering && !knows:
		return quiz.Given{Choices: random.Perm(len(q.Options))}
	case knows && len(q.Correct) > 0:
		return quiz.Given{Choices: q.Correct}
	default:
		return choice(random.IntN(len(q.Choices())))
	}
}

// TestResultsInBrowsers looks at the results of a whole evening: on a laptop, a phone and paper; and at what everybody may see of them.
func TestResultsInBrowsers(t *testing.T) {
	t.Parallel()
	e := newEvening(t)
	host, id := e.played(quiz.Showcase(), "The Night Owls", "Quizzly Bears", "Les Quizérables", "Agatha Quiztie", "WWWWWWWWWWWWWWWWWWWWWWWW", "Tequila Mockingbird", "فريق النخيل",
		"E = mc Hammered", "Table 9", "Universally Challenged", "The Late Ones", "🦉 and 🦆")
	results, err := e.server.sessions.Results(t.Context(), host)
	if err != nil {
		t.Fatal(err)
	}
	e.orders(host, session.Command{Command: session.Void, Question: "2.4"})
	e.orders(host, session.Command{Command: session.Adjust, Participant: results.Rows[1].PublicID, Points: 2, Reason: "for the best team name of the evening"})
	e.orders(host, session.Command{Command: session.Adjust, Participant: results.Rows[4].PublicID, Points: -0.5, Reason: "phones under the table"})
	if _, err := e.server.sessions.Decide(t.Context(), host, session.GroupDecision{Question: "1.3", Group: quiz.Fold("Leonardo da Vinci"), Verdict: "half"}); err != nil {
		t.Fatal(err)
	}
	// Nobody here thinks before they answer.
	if _, err := e.server.pool.Exec(t.Context(), `UPDATE answers SET elapsed_ms = 2000 + (participant_id * 7919 + question_id * 104729) % 17000`); err != nil {
		t.Fatal(err)
	}
	laptop := e.browser.Person("the host", browsertest.Laptop)
	e.signsIn(laptop)
	laptop.Click("All sessions")
	laptop.See("h1", "Your sessions")
	show(laptop, "history")
	laptop.Click("Results of " + quiz.Showcase().Title)
	laptop.See("h1", quiz.Showcase().Title)
	laptop.Miss(".adjustments time", "UTC") // the script shows the reader's own time
	adapts(laptop, "results-standings")
	laptop.MustShowFocus()
	path := "/host/sessions/" + id + "/results"
	for _, view := range []struct{ label, selector, text string }{
		{"Answers who said what", ".round-answers h2", "One of each"}, {"Questions how each went", ".went-card h3", "fruits"}, {"Log what was done", ".session-log", "for the best team name"},
	} {
		laptop.Click(view.label)
		laptop.See(view.selector, view.text)
		name, _, _ := strings.Cut(strings.ToLower(view.label), " ")
		adapts(laptop, "results-"+name)
	}
	for _, view := range []string{"standings", "answers", "questions"} {
		laptop.Open(e.base + path + "?view=" + view)
		if sheets := laptop.Print("results-"+view, browsertest.A4); sheets < 1 || sheets > 8 {
			t.Errorf("%s take %d sheets", view, sheets)
		}
	}
	laptop.Open(e.base + path + "?view=answers&round=3")
	laptop.See(".round-answers h2", "Double or quits")
	show(laptop, "results-answers-round")
	laptop.Click("Mark answers")
	laptop.See(".marking", "Mark what was typed")
	show(laptop, "console-marking-afterwards")
	laptop.Press("m")
	laptop.Miss(".marking", "")
	show(laptop, "console-afterwards")
	laptop.PressUntil("m", ".marking", "Mark what was typed")
	laptop.Press("m")
	laptop.Click("See the results")
	laptop.See(".public", "Make a link") // the console has the same title
	laptop.Click("Make a link")
	laptop.See(".public", "Take it down")
	adapts(laptop, "results-published")
	var address string
	laptop.Ask(`document.querySelector(".public-link a").href`, &address)
	phone := e.browser.Person("a guest", browsertest.Phone)
	phone.Tolerate("status of 404")
	phone.Open(address)
	phone.See(".honours", "The Night Owls")
	show(phone, "phone-results-public")
	phone.Print("results-public", browsertest.A4)
	laptop.Click("Take it down")
	laptop.See(".public", "Make a link")
	phone.Reload()
	phone.See("h1", "No results here")

	e.samePages(phone, path)
}

// signsIn signs the host in, without any session or quiz that was not there.
func (e *evening) signsIn(page *browsertest.Page) {
	e.t.Helper()
	host, err := e.server.accounts.EnsureUser(e.t.Context(), demoEmail, demoName)
	if err != nil {
		e.t.Fatal(err)
	}
	token, err := e.server.accounts.CreateLink(e.t.Context(), host)
	if err != nil {
		e.t.Fatal(err)
	}
	page.Open(e.base + "/signin/link?token=" + token)
	page.Click("Sign in")
	page.See("h2", "Played")
}

// samePages looks at the host's pages on their phone.
func (e *evening) samePages(phone *browsertest.Page, path string) {
	e.t.Helper()
	e.signsIn(phone)
	for _, view := range []string{"standings", "answers", "questions", "log"} {
		phone.Open(e.base + path + "?view=" + view)
		phone.See("h1", quiz.Showcase().Title)
		show(phone, "phone-results-"+view)
	}
	phone.Open(e.base + "/host/sessions")
	phone.See("h1", "Your sessions")
	show(phone, "phone-history")
}
