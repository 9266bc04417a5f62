package web

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"net/http"
	"net/netip"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/xuri/excelize/v2"

	"pubquiz/internal/words"
	"pubquiz/quiz"
	"pubquiz/session"
)

// party is a session that is played without waiting for anybody.
type party struct {
	*live
	random *rand.Rand
	viewer session.Viewer // the host
	phones []session.Viewer
	ids    []string
	given  int
}

// hostile are texts that a spreadsheet would run, and which people can all the same type.
var hostile = []string{"=1+1", "+49 30", "-5", "@here", "＝1", "＋1", "－1", "＠x", "'=1", `=HYPERLINK("x")`}

// allKinds is a quiz of all kinds with all that can count, written by somebody with a taste for formulas.
func allKinds() quiz.Content {
	options := []string{"=a", "+b", "-c", "@d"}
	questions := []quiz.Question{
		{Kind: quiz.Single, Text: "=Which?", Options: options, Correct: []int{1}},
		{Kind: quiz.Multiple, Text: "Which ones?", Options: options, Correct: []int{1, 2}, Partial: true},
		{Kind: quiz.TrueFalse, Text: "Is it so?", Correct: []int{0}},
		{Kind: quiz.Text, Text: "What?", Accepted: []string{"=1+1"}, Wager: true},
		{Kind: quiz.NumberKind, Text: "How many?", Number: &quiz.Number{Value: -5, Tolerance: 1}},
		{Kind: quiz.Ordering, Text: "In which order?", Options: options, Partial: true},
		{Kind: quiz.Poll, Text: "What do you like?", Options: options},
		{Kind: quiz.Slide, Text: "Read this."},
		{Kind: quiz.NumberKind, Text: "And who wins?", Number: &quiz.Number{Value: 5}, TieBreak: true},
	}
	for i := range questions {
		questions[i].Seconds = 60
		if questions[i].Kind != quiz.Poll && questions[i].Kind != quiz.Slide && !questions[i].TieBreak {
			questions[i].Points = 3
		}
	}
	return quiz.Content{Title: "=All <b>kinds</b>", Rounds: []quiz.Round{
		{Title: "=Quick", Speed: true, Negative: 1, Joker: true, Questions: questions},
		{Title: "As on paper", Pacing: quiz.RoundsEnd, Weight: 3, Joker: true, Questions: questions[:6]},
	}}
}

// newParty opens a session in which everybody who has a hostile name takes part.
func (s *site) newParty(host *browser, seed uint64) *party {
	s.t.Helper()
	p := &party{live: s.openQuiz(host, allKinds()), random: rand.New(rand.NewPCG(seed, 1))}
	user, err := s.server.accounts.Authenticate(s.t.Context(), s.server.cookieOf(host))
	if err != nil {
		s.t.Fatal(err)
	}
	if p.viewer, err = s.sessions.AsHost(s.t.Context(), p.id, quiz.OwnerID(user.ID)); err != nil {
		s.t.Fatal(err)
	}
	for i, name := range []string{"=cmd|' /C calc'!A0", "@SUM(1)", "-2+3", "Owls & <i>co</i>", "+1"} {
		joined, err := s.sessions.Join(s.t.Context(), p.code, name, fmt.Sprintf("attempt-of-table-number-%d", i))
		if err != nil {
			s.t.Fatal(err)
		}
		phone, err := s.sessions.AsParticipant(s.t.Context(), joined.Session, joined.Seat)
		if err != nil {
			s.t.Fatal(err)
		}
		if err := s.sessions.PlayJoker(s.t.Context(), phone, p.random.IntN(3)); err != nil {
			s.t.Fatal(err)
		}
		p.phones, p.ids = append(p.phones, phone), append(p.ids, joined.PublicID)
	}
	return p
}

// stand is where the session is, as its console is told.
type stand struct {
	Version  int64               `json:"version"`
	Phase    session.Phase       `json:"phase"`
	Next     session.CommandName `json:"next"`
	Question struct {
		ID      string    `json:"id"`
		Kind    quiz.Kind `json:"kind"`
		Options []string  `json:"options"`
	} `json:"question"`
}

func (p *party) stand() (now stand) {
	p.t.Helper()
	sight, err := p.sessions.Look(p.t.Context(), p.viewer, netip.Prefix{}, time.Minute)
	if err != nil {
		p.t.Fatal(err)
	}
	if err := json.Unmarshal(sight.Shared.Body, &now); err != nil {
		p.t.Fatal(err)
	}
	return now
}

// orders carries out a command unless it makes no sense at the moment.
func (p *party) orders(c session.Command) {
	p.t.Helper()
	c.Version = p.stand().Version
	_, err := p.sessions.Command(p.t.Context(), p.viewer, c)
	p.mayBeRefused(err)
}

func (p *party) mayBeRefused(err error) {
	p.t.Helper()
	if _, invalid := errors.AsType[*session.InvalidError](err); err != nil && !invalid && !errors.Is(err, session.ErrNotNow) {
		p.t.Fatal(err)
	}
}

// answers has most phones answer the open question.
func (p *party) answers(now stand) {
	p.t.Helper()
	for _, phone := range p.phones {
		var given quiz.Given
		switch now.Question.Kind {
		case quiz.Text:
			given = quiz.Given{Text: hostile[p.random.IntN(len(hostile))], Wager: quiz.Points(p.random.IntN(9))}
		case quiz.NumberKind:
			given.Text = strconv.Itoa(-p.random.IntN(9))
		case quiz.TrueFalse:
			given.Choices = []int{p.random.IntN(2)}
		case quiz.Ordering:
			given.Choices = p.random.Perm(4)
		case quiz.Multiple:
			given.Choices = p.random.Perm(4)[:1+p.random.IntN(3)]
		default:
			given.Choices = []int{p.random.IntN(4)}
		}
		if p.given++; p.random.IntN(6) > 0 {
			_, err := p.sessions.Answer(p.t.Context(), phone, session.Answer{ID: fmt.Sprint("a", p.given), Question: now.Question.ID, Given: given})
			if err != nil {
				p.t.Fatal(err)
			}
		}
	}
}

// play plays to the end, marking, marking again, voiding and adjusting on the way.
func (p *party) play() {
	p.t.Helper()
	for range 100 {
		now := p.stand()
		switch now.Phase {
		case session.Finished:
			return
		case session.Open:
			p.answers(now)
		}
		p.orders(session.Command{Command: now.Next})
		question := fmt.Sprintf("%d.%d", 1+p.random.IntN(2), 1+p.random.IntN(6))
		switch p.random.IntN(5) {
		case 0:
			p.orders(session.Command{Command: session.Adjust, Participant: p.ids[p.random.IntN(len(p.ids))], Points: float64(1+p.random.IntN(6))/2 - 2,
				Reason: hostile[p.random.IntN(len(hostile))]})
		case 1:
			p.orders(session.Command{Command: []session.CommandName{session.Void, session.Unvoid}[p.random.IntN(2)], Question: question})
		case 2:
			group := quiz.Fold(hostile[p.random.IntN(len(hostile))])
			_, err := p.sessions.Decide(p.t.Context(), p.viewer, session.GroupDecision{Question: "1.4", Group: group, Verdict: []string{"right", "half", "wrong", "machine"}[p.random.IntN(4)]})
			p.mayBeRefused(err)
		}
	}
	p.t.Fatalf("the party does not end: %+v", p.stand())
}

// published makes the link to the final standings, and returns what is under it.
func (p *party) published() (address string, standings []session.Standing) {
	p.t.Helper()
	p.orders(session.Command{Command: session.PublishResults})
	results, err := p.sessions.Results(p.t.Context(), p.viewer)
	if err != nil {
		p.t.Fatal(err)
	}
	address = strings.TrimPrefix(results.PublicURL, p.url)
	public, err := p.sessions.PublicResults(p.t.Context(), strings.TrimPrefix(address, "/results/"))
	if err != nil {
		p.t.Fatal(err)
	}
	return address, public.Standings
}

func (p *party) results() string { return "/host/sessions/" + p.id + "/results" }

// TestResultsAddUpEverywhere: on the page and in each file a participant's row adds up to what the standings say.
func TestResultsAddUpEverywhere(t *testing.T) {
	s := newSite(t)
	p := s.newParty(s.host("host@quiz.example"), 7)
	p.play()
	_, want := p.published()

	results, err := s.sessions.Results(t.Context(), p.viewer)
	if err != nil {
		t.Fatal(err)
	}
	voided, adjusted := 0, 0
	for _, q := range results.Questions {
		if q.Voided {
			voided++
		}
	}
	got := map[string]quiz.Points{}
	for _, row := range newResultsView(words.English, results, "", "answers", 0).Rows {
		got[row.Name] = row.Given
		for _, in := range row.Rounds {
			got[row.Name] += in.Points
		}
		adjusted += len(row.Adjustments)
	}
	mustMatch(t, "the page", want, got)
	if voided == 0 || adjusted == 0 {
		t.Errorf("%d questions are voided and %d times points were given: the party was too tame", voided, adjusted)
	}

	mustMatch(t, "the CSV file", want, sumsOf(t, readCSV(t, p.host.get(p.results()+"/csv").body)))
	book := openBook(t, p.host.get(p.results()+"/xlsx").body)
	for _, sheet := range []string{"Answers", "Standings"} {
		rows, err := book.GetRows(sheet, excelize.Options{RawCellValue: true})
		if err != nil {
			t.Fatal(err)
		}
		mustMatch(t, "the workbook's sheet "+sheet, want, sumsOf(t, rows))
	}
	mustMatch(t, "the JSON file", want, sumsOfExport(t, p.host.get(p.results()+"/json").body))
}

func mustMatch(t *testing.T, where string, want []session.Standing, got map[string]quiz.Points) {
	t.Helper()
	if len(want) != 5 || len(got) != len(want) {
		t.Errorf("%s has %d rows, the standings %d", where, len(got), len(want))
	}
	for _, st := range want {
		if sum, ok := got[st.Name]; !ok || sum != st.Points {
			t.Errorf("in %s the row of %s adds up to %v, the standings say %v", where, st.Name, sum, st.Points)
		}
	}
}

// sumsOf adds up each row of a sheet, whose last cell must say the same.
func sumsOf(t *testing.T, rows [][]string) map[string]quiz.Points {
	t.Helper()
	sums := map[string]quiz.Points{}
	header := rows[0]
	for _, row := range rows[1:] {
		name := strings.TrimPrefix(row[1], "'")
		for i, cell := range row[:len(header)-1] {
			if counts := strings.HasSuffix(header[i], " points") || strings.HasPrefix(header[i], "Round ") || header[i] == "Adjustments"; counts && cell != "" {
				sums[name] += halvesOf(t, cell)
			}
		}
		if last := halvesOf(t, row[len(header)-1]); last != sums[name] {
			t.Errorf("the row of %s says %v and adds up to %v", name, last, sums[name])
		}
	}
	return sums
}

func halvesOf(t *testing.T, cell string) quiz.Points {
	t.Helper()
	f, err := strconv.ParseFloat(cell, 64)
	if err != nil {
		t.Errorf("%q is no number of points", cell)
	}
	return quiz.Points(2 * f)
}

func sumsOfExport(t *testing.T, body string) map[string]quiz.Points {
	t.Helper()
	var export struct {
		Session      struct{ FinishedAt time.Time }
		Participants []struct {
			ID, Name    string
			Adjustments []struct{ Points quiz.Points }
		}
		Questions []struct {
			ID, Status string
			Voided     bool
		}
		Answers []struct {
			Participant, Question string
			Points                quiz.Points
		}
	}
	if err := json.Unmarshal([]byte(body), &export); err != nil {
		t.Fatal(err)
	}
	if export.Session.FinishedAt.IsZero() {
		t.Error("the JSON file does not say when the session finished")
	}
	counts := map[string]bool{}
	for _, q := range export.Questions {
		counts[q.ID] = q.Status == "revealed" && !q.Voided
	}
	sums := map[string]quiz.Points{}
	for _, p := range export.Participants {
		sums[p.Name] = 0
		for _, a := range p.Adjustments {
			sums[p.Name] += a.Points
		}
		for _, a := range export.Answers {
			if a.Participant == p.ID && counts[a.Question] {
				sums[p.Name] += a.Points
			}
		}
	}
	return sums
}

func readCSV(t *testing.T, body string) [][]string {
	t.Helper()
	text, marked := strings.CutPrefix(body, "\uFEFF")
	rows, err := csv.NewReader(strings.NewReader(text)).ReadAll()
	if err != nil || !marked {
		t.Fatalf("%v in %s", err, body)
	}
	return rows
}

func openBook(t *testing.T, body string) *excelize.File {
	t.Helper()
	book, err := excelize.OpenReader(bytes.NewReader([]byte(body)))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = book.Close() })
	return book
}

// TestResultFilesRunNoFormulas: whatever people are called, answer and give as a reason is shown by a spreadsheet.
func TestResultFilesRunNoFormulas(t *testing.T) {
	s := newSite(t)
	p := s.newParty(s.host("host@quiz.example"), 2)
	for _, reason := range hostile {
		p.orders(session.Command{Command: session.Adjust, Participant: p.ids[0], Points: 1, Reason: reason})
	}
	p.play()
	check := func(where, cell string) bool {
		_, notNumber := strconv.ParseFloat(cell, 64)
		if cell != "" && strings.ContainsRune("=+-@\t\r＝＋－＠", []rune(cell)[0]) && notNumber != nil {
			t.Errorf("%s has the cell %q", where, cell)
		}
		return strings.HasPrefix(cell, "'")
	}
	guarded := 0
	for _, row := range readCSV(t, p.host.get(p.results()+"/csv").body) {
		for _, cell := range row {
			if check("the CSV file", cell) {
				guarded++
			}
		}
	}
	book := openBook(t, p.host.get(p.results()+"/xlsx").body)
	for _, sheet := range []string{"Standings", "Answers", "Questions", "Adjustments"} {
		rows, err := book.GetRows(sheet, excelize.Options{RawCellValue: true})
		if err != nil {
			t.Fatal(err)
		}
		for i, row := range rows {
			for j, cell := range row {
				at, _ := excelize.CoordinatesToCellName(j+1, i+1)
				if formula, err := book.GetCellFormula(sheet, at); err != nil || formula != "" {
					t.Errorf("%s of %s has the formula %q, %v", at, sheet, formula, err)
				}
				if kind, _ := book.GetCellType(sheet, at); kind != excelize.CellTypeUnset && kind != excelize.CellTypeNumber && check(sheet, cell) {
					guarded++
				}
			}
		}
	}
	if guarded < 50 {
		t.Errorf("only %d cells had to be guarded: the party was too tame", guarded)
	}
}

// TestResultsPages looks at each view, and at who may.
func TestResultsPages(t *testing.T) {
	s := newSite(t)
	p := s.newParty(s.host("host@quiz.example"), 3)
	other, stranger := s.host("other@quiz.example"), s.browser()
	wantShows(t, p.host.get(p.results()), http.StatusOK, "not finished yet", "The quiz is still on", "Make a link")
	p.play()
	wantShows(t, p.host.get(p.results()), http.StatusOK, "=All &lt;b&gt;kinds&lt;/b&gt;", "Owls &amp; &lt;i&gt;co&lt;/i&gt;", "final", "-The quiz is still on")
	wantShows(t, p.host.get(p.results()+"?view=answers"), http.StatusOK, `id="round-1"`, `id="round-2"`, "All rounds", "Right", "Wrong", "No answer", "staked")
	wantShows(t, p.host.get(p.results()+"?view=answers&round=2"), http.StatusOK, `-id="round-1"`, `id="round-2"`)
	wantShows(t, p.host.get(p.results()+"?view=questions"), http.StatusOK, "Time to answer", "What they chose", "Most common of those not right", "median")
	wantShows(t, p.host.get(p.results()+"?view=log"), http.StatusOK, "Reading the log")
	wantShows(t, p.host.get(p.results()+"?view=none&round=x"), http.StatusOK, "A link for everybody")
	for _, format := range []string{"csv", "xlsx", "json"} {
		r := p.host.get(p.results() + "/" + format)
		if r.status != http.StatusOK || r.header.Get("Cache-Control") != "no-store" || !strings.Contains(r.header.Get("Content-Disposition"), "=All b kinds b results."+format) {
			t.Errorf("%s: %d %v", format, r.status, r.header)
		}
	}
	wantShows(t, p.host.get(p.results()+"/pdf"), http.StatusNotFound)
	for _, path := range []string{"", "?view=answers", "/csv", "/xlsx", "/json"} {
		if r := other.get(p.results() + path); r.status != http.StatusNotFound {
			t.Errorf("another host, %s: %d", path, r.status)
		}
		wantRedirect(t, stranger.get(p.results()+path), "/signin?next="+url.QueryEscape(p.results()+path))
	}
	for _, path := range []string{"/publish", "/hide"} {
		if r := other.send("POST", p.results()+path, url.Values{"version": {"1"}}); r.status != http.StatusNotFound {
			t.Errorf("another host, %s: %d", path, r.status)
		}
	}
}

// TestPublicResultsPage: whoever has the link sees names, points and ranks, as long as the host lets them.
func TestPublicResultsPage(t *testing.T) {
	s := newSite(t)
	p := s.newParty(s.host("host@quiz.example"), 4)
	stranger := s.browser()
	version := func() url.Values { return url.Values{"version": {fmt.Sprint(p.stand().Version)}} }
	link := func() string {
		results, err := s.sessions.Results(t.Context(), p.viewer)
		if err != nil {
			t.Fatal(err)
		}
		return strings.TrimPrefix(results.PublicURL, s.url)
	}
	wantRedirect(t, p.host.send("POST", p.results()+"/publish", url.Values{"version": {"0"}}), p.results())
	if link() != "" {
		t.Error("a stale page published the results")
	}
	if r := p.host.send("POST", p.results()+"/publish", url.Values{}); r.status != http.StatusUnprocessableEntity {
		t.Errorf("without a version: %d", r.status)
	}
	wantRedirect(t, p.host.send("POST", p.results()+"/publish", version()), p.results())
	address := link()
	wantShows(t, p.host.get(p.results()), http.StatusOK, s.url+address, "Take it down")
	wantShows(t, stranger.get(address), http.StatusOK, "The quiz is still on", "-Owls")
	p.play()
	r := stranger.get(address)
	wantShows(t, r, http.StatusOK, "Final standings", "Owls &amp; &lt;i&gt;co&lt;/i&gt;", "-Which", "-/host/")
	if r.header.Get("X-Robots-Tag") != "noindex, nofollow" || r.header.Get("Cache-Control") != "no-store" {
		t.Errorf("%v", r.header)
	}
	wantRedirect(t, p.host.send("POST", p.results()+"/hide", version()), p.results())
	wantShows(t, stranger.get(address), http.StatusNotFound, "No results here")
	wantShows(t, stranger.get("/results/x"), http.StatusNotFound, "No results here")
}

// TestHistoryPage lists sessions, live and finished, and finds them by their titles.
func TestHistoryPage(t *testing.T) {
	s := newSite(t)
	host := s.host("host@quiz.example")
	wantShows(t, host.get("/host/sessions"), http.StatusOK, "You have not opened a session yet")
	l := s.open(host)
	title := quiz.Sample().Title
	wantShows(t, host.get("/host/sessions"), http.StatusOK, title, "in the lobby", `href="/host/sessions/`+l.id+`/results"`, "-Page 1")
	wantShows(t, host.get("/host/sessions?q=no+such"), http.StatusOK, "None of your sessions is called that", "-"+title)
	wantShows(t, host.get("/host/sessions?page=9"), http.StatusOK, "There is nothing on this page", "-"+title)
	wantShows(t, s.host("other@quiz.example").get("/host/sessions"), http.StatusOK, "-"+title)
	wantRedirect(t, s.browser().get("/host/sessions"), "/signin?next="+url.QueryEscape("/host/sessions"))
}

func TestHalves(t *testing.T) {
	arabic, _ := words.Find("ar")
	for p, want := range map[quiz.Points]string{0: "0", 1: "½", -1: "−½", 2: "1", -2: "−1", 3: "1½", 9: "4½", -9: "−4½"} {
		if got := halves(words.English, p); got != want {
			t.Errorf("%d half points are written %q, want %q", int(p), got, want)
		}
		// Among words that run from right to left, the sign would stand behind the digits and the half in front of them.
		if got := halves(arabic, p); got != "\u200e"+want+"\u200e" {
			t.Errorf("%d half points are written %q in Arabic", int(p), got)
		}
	}
	if got := signed(arabic, 5); got != "\u200e+2½\u200e" {
		t.Errorf("2½ points that were given are written %q in Arabic", got)
	}
}

// TestPodium: the first three ranks stand on it, unless too many share one or nobody has earned anything.
func TestPodium(t *testing.T) {
	standings := func(ranks ...int) (list []session.Standing) {
		for _, rank := range ranks {
			list = append(list, session.Standing{Rank: rank, Points: quiz.Points(20 - rank)})
		}
		return list
	}
	for _, test := range []struct {
		standings []session.Standing
		steps     []int // how many are on each
		rest      int
	}{
		{standings(1, 2, 3, 4), []int{1, 1, 1}, 1},
		{standings(1, 1, 3, 4), []int{2, 1}, 1},
		{standings(1, 2, 2, 2, 5), []int{1, 3}, 1},
		{standings(1, 2, 2, 2, 2), nil, 5},
		{standings(1), []int{1}, 0},
		{[]session.Standing{{Rank: 1}, {Rank: 1}}, nil, 2},
		{nil, nil, 0},
	} {
		h := newHonours(session.PublicResults{Standings: test.standings})
		var steps []int
		for _, step := range h.Podium {
			steps = append(steps, len(step.Teams))
		}
		if !slices.Equal(steps, test.steps) || len(h.Rest) != test.rest {
			t.Errorf("%v: steps of %v and %d below, want %v and %d", test.standings, steps, len(h.Rest), test.steps, test.rest)
		}
	}
}

// TestHistogram: every answer is in one bar, and the axis is long enough.
func TestHistogram(t *testing.T) {
	for _, test := range []struct {
		open  time.Duration
		times []time.Duration
		bars  int
		end   string
		first int
	}{
		{10 * time.Second, []time.Duration{0, time.Second, 9900 * time.Millisecond}, 10, "10 s", 1},
		{30 * time.Second, []time.Duration{4 * time.Second, 5 * time.Second, 30 * time.Second}, 6, "30 s", 1},
		{0, []time.Duration{0}, 1, "1 s", 1},
		{60 * time.Second, []time.Duration{5 * time.Hour}, 12, "18000 s", 0},
	} {
		h := newHistogram(words.English, session.Statistics{Answered: len(test.times), Times: test.times}, test.open)
		n := 0
		for _, bar := range h.Bars {
			n += bar.Count
		}
		if len(h.Bars) != test.bars || h.End != test.end || n != len(test.times) || h.Bars[0].Count != test.first {
			t.Errorf("%v in %v: %d answers in %d bars to %s, %d in the first", test.times, test.open, n, len(h.Bars), h.End, h.Bars[0].Count)
		}
	}
}
