package session

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"pubquiz/quiz"
)

// everything is a quiz of all kinds with all that can count.
func everything() quiz.Content {
	options := []string{"a", "b", "c", "d"}
	questions := []quiz.Question{
		{Kind: quiz.Single, Text: "Which?", Options: options, Correct: []int{1}},
		{Kind: quiz.Multiple, Text: "Which ones?", Options: options, Correct: []int{1, 2}, Partial: true},
		{Kind: quiz.Text, Text: "What?", Accepted: []string{"gold"}, Wager: true},
		{Kind: quiz.NumberKind, Text: "How many?", Number: &quiz.Number{Value: 3, Nearest: true}},
		{Kind: quiz.Ordering, Text: "In which order?", Options: options, Partial: true},
		{Kind: quiz.Text, Text: "What else?", Accepted: []string{"silver"}},
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
	return quiz.Content{Title: "Everything", TiesByTime: true, Rounds: []quiz.Round{
		{Title: "Quick", Speed: true, Negative: 1, Joker: true, Questions: questions},
		{Title: "As on paper", Pacing: quiz.RoundsEnd, Weight: 3, Joker: true, Questions: questions[:6]},
	}}
}

// anyAnswer is one that somebody may give, often right and seldom alike.
func anyAnswer(r *rand.Rand, p *published) Answer {
	q, _, _ := p.question(p.Round, p.Question)
	a := Answer{ID: fmt.Sprint("a", r.IntN(1000)), Question: questionRef(p.Round, p.Question)}
	switch q.Kind {
	case quiz.Text:
		a.Given.Text = []string{"gold", "silver", "Golld", "lead", "a silver"}[r.IntN(5)]
	case quiz.NumberKind:
		a.Given.Text = fmt.Sprint(r.IntN(9))
	case quiz.Ordering:
		a.Given.Choices = r.Perm(len(q.Options))
	case quiz.Multiple:
		a.Given.Choices = r.Perm(len(q.Options))[:1+r.IntN(3)]
	default:
		a.Given.Choices = []int{r.IntN(len(q.Choices()))}
	}
	if q.Wager {
		a.Given.Wager = quiz.Points(r.IntN(12))
	}
	return a
}

// TestResultsAddUp plays whole evenings in which the host does whatever is possible, and after each step compares the
// sums of the results' rows with the standings.
func TestResultsAddUp(t *testing.T) {
	for seed := range uint64(3) {
		t.Run(fmt.Sprint("seed ", seed), func(t *testing.T) {
			e := newEvening(t, everything())
			r := rand.New(rand.NewPCG(seed, 1))
			phones := e.joinMany(5)
			ids := make([]string, len(phones))
			for i, v := range phones {
				ids[i] = e.publicID(v)
				if err := e.service.PlayJoker(t.Context(), v, r.IntN(3)); err != nil {
					t.Fatal(err)
				}
			}
			for step := 0; step < 150 && e.host.room.current.Load().Phase != Finished; step++ {
				e.anything(r, phones, ids)
				e.checkSums()
			}
			if p := e.host.room.current.Load(); p.Phase != Finished {
				t.Errorf("the evening ended in phase %s", p.Phase)
			}
		})
	}
}

// anything has the phones and the host do something that is possible.
func (e *evening) anything(r *rand.Rand, phones []Viewer, ids []string) {
	e.t.Helper()
	p := e.host.room.current.Load()
	if p.Phase == Open {
		for _, v := range phones {
			if r.IntN(5) > 0 && v.stillAllowed() == nil {
				if _, err := e.service.Answer(e.t.Context(), v, anyAnswer(r, p)); err != nil {
					e.t.Fatal(err)
				}
			}
		}
	}
	_, next := p.Allowed()
	c := sensible(next, p.Version)
	if r.IntN(3) == 0 {
		others := []CommandName{Back, Void, Unvoid, Adjust, Remove, LetBackIn, Reopen, ShowStandings, Mark}
		c = sensible(others[r.IntN(len(others))], p.Version)
		c.Participant, c.Points = ids[r.IntN(len(ids))], float64(1+r.IntN(6))/2-2
	}
	c.Question = questionRef(1+r.IntN(2), 1+r.IntN(6))
	if c.Command == Mark {
		d := GroupDecision{c.Question, []string{"gold", "silver", "golld", "lead"}[r.IntN(4)], []string{"right", "half", "wrong", "machine"}[r.IntN(4)]}
		_, err := e.service.Decide(e.t.Context(), e.host, d)
		e.mayBeRefused(c, err)
		return
	}
	if c.Command == Back && p.Phase == Finished {
		return
	}
	_, err := e.service.Command(e.t.Context(), e.host, c)
	e.mayBeRefused(c, err)
}

// mayBeRefused: what makes no sense at the moment is refused, and nothing goes wrong.
func (e *evening) mayBeRefused(c Command, err error) {
	e.t.Helper()
	if _, invalid := errors.AsType[*InvalidError](err); err != nil && !invalid && !errors.Is(err, ErrNotNow) && !errors.Is(err, ErrNoParticipant) {
		e.t.Fatalf("%+v: %v", c, err)
	}
}

// checkSums compares the rows of the results with the standings, and with the export.
func (e *evening) checkSums() {
	e.t.Helper()
	results, err := e.service.Results(e.t.Context(), e.host)
	if err != nil {
		e.t.Fatal(err)
	}
	v := e.host.room.current.Load()
	if results.Version != v.Version || len(results.Rows) != len(v.standings) {
		e.t.Fatalf("results of version %d with %d rows, standings of version %d with %d", results.Version, len(results.Rows), v.Version, len(v.standings))
	}
	for i, row := range results.Rows {
		var sum quiz.Points
		for j, a := range row.Answers {
			if a != nil && results.Questions[j].Counts() {
				sum += a.Earned
			}
		}
		for _, a := range row.Adjustments {
			sum += a.Points
		}
		if st := v.standings[i]; row.Name != st.Name || row.Points != st.Points || row.Rank != st.Rank || sum != st.Points {
			e.t.Fatalf("in version %d the row of %s says %v, rank %d, and adds up to %v; the standings say %s, %v, rank %d",
				v.Version, row.Name, row.Points, row.Rank, sum, st.Name, st.Points, st.Rank)
		}
	}
}

// TestWhoHasJustComeIsInResultsAndExport: a version's standings hold those who came before it, but what is read once and kept holds everybody.
func TestWhoHasJustComeIsInResultsAndExport(t *testing.T) {
	e := newEvening(t)
	e.launch()
	newcomer := e.publicID(e.join("Guest"))
	results, err := e.service.Results(t.Context(), e.host)
	if err != nil {
		t.Fatal(err)
	}
	if len(results.Rows) != 1 || results.Rows[0].PublicID != newcomer || results.Rows[0].Rank != 1 {
		t.Errorf("the results' rows are %+v, want the newcomer %s at rank 1", results.Rows, newcomer)
	}
	export, err := e.service.Export(t.Context(), e.host)
	if err != nil {
		t.Fatal(err)
	}
	if p := export.Participants; len(p) != 1 || p[0].ID != newcomer || p[0].Rank != 1 {
		t.Errorf("the export's participants are %+v, want the newcomer %s at rank 1", p, newcomer)
	}
}

// TestExportAddsUp: what is exported is enough to count everyone's points again.
func TestExportAddsUp(t *testing.T) {
	e := newEvening(t, everything())
	r := rand.New(rand.NewPCG(9, 9))
	phones := e.joinMany(4)
	ids := make([]string, len(phones))
	for i, v := range phones {
		ids[i] = e.publicID(v)
		if err := e.service.PlayJoker(t.Context(), v, 1+i%2); err != nil {
			t.Fatal(err)
		}
	}
	for range 60 {
		e.anything(r, phones, ids)
	}
	export, err := e.service.Export(t.Context(), e.host)
	if err != nil {
		t.Fatal(err)
	}
	counts := map[string]bool{}
	for _, q := range export.Questions {
		counts[q.ID] = q.Status == string(StatusRevealed) && !q.Voided
	}
	sums := map[string]quiz.Points{}
	for _, a := range export.Answers {
		if counts[a.Question] && a.Points != nil {
			sums[a.Participant] += *a.Points
		}
	}
	for i, p := range export.Participants {
		for _, a := range p.Adjustments {
			sums[p.ID] += a.Points
		}
		if !p.Removed && sums[p.ID] != p.Points || p.Joker != 1+i%2 || p.Phones != 1 {
			t.Errorf("%+v: the sum is %v", p, sums[p.ID])
		}
	}
	if len(export.Session.Rounds) != 2 || !export.Session.TiesByTime || export.Session.Rounds[1].Weight != 3 {
		t.Errorf("the session is exported as %+v", export.Session)
	}
}

// TestStatistics counts a typed question and one with options.
func TestStatistics(t *testing.T) {
	e := newEvening(t)
	phones := e.joinMany(4)
	e.launch()
	for i, option := range []int{1, 0, 0, 2} {
		e.answer(phones[i], choose("a", "1.1", option), Accepted)
	}
	e.do(Close)
	e.do(Reveal)
	e.launch()
	for i, text := range []string{"gold", "Lead", "lead!"} {
		e.answer(phones[i], write("a", "1.2", text), Accepted)
	}
	e.do(Close)
	if _, err := e.pool.Exec(t.Context(), `UPDATE answers SET elapsed_ms = 1000 * participant_id`); err != nil {
		t.Fatal(err)
	}
	results, err := e.service.Results(t.Context(), e.host)
	if err != nil {
		t.Fatal(err)
	}
	first := phones[0].Seat.Participant
	at := func(nth int64) time.Duration { return time.Duration(first+nth) * time.Second }
	want := []Statistics{
		{Answered: 4, Right: 1, Wrong: 3, Distribution: []int{2, 1, 1}, Times: []time.Duration{at(0), at(1), at(2), at(3)},
			CommonWrong: []CommonAnswer{{Given: quiz.Given{Choices: []int{0}}, Count: 2}, {Given: quiz.Given{Choices: []int{2}}, Count: 1}}},
		{Answered: 3, Right: 1, Wrong: 2, Times: []time.Duration{at(0), at(1), at(2)}, CommonWrong: []CommonAnswer{{Given: quiz.Given{Text: "Lead"}, Count: 2}}},
		{Distribution: []int{0, 0}},
	}
	var got []Statistics
	for _, q := range results.Questions {
		got = append(got, q.Statistics)
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("statistics (-want +got):\n%s", diff)
	}
	if m := got[0].MedianTime(); m != at(1)+500*time.Millisecond {
		t.Errorf("the median of four is %v", m)
	}
	if m := got[1].MedianTime(); m != at(1) {
		t.Errorf("the median of three is %v", m)
	}
	if _, err := e.service.Results(t.Context(), phones[0]); !errors.Is(err, ErrNotFound) {
		t.Errorf("for a phone: %v", err)
	}
}

// TestPublishedResultsWaitForTheEnd: a public link tells nothing that the room has not seen.
func TestPublishedResultsWaitForTheEnd(t *testing.T) {
	e := newEvening(t)
	alice := e.join("Alice")
	e.do(PublishResults)
	token := e.host.room.current.Load().ResultsToken
	e.launch()
	e.answer(alice, choose("a", "1.1", 1), Accepted)
	e.do(Close)
	e.do(Reveal)
	public, err := e.service.PublicResults(t.Context(), token)
	if err != nil || public.Title != "Small quiz" || len(public.Standings) != 0 || !public.FinishedAt.IsZero() {
		t.Errorf("before the end: %+v, %v", public, err)
	}
	e.do(Finish)
	public, err = e.service.PublicResults(t.Context(), token)
	if err != nil || len(public.Standings) != 1 || public.Standings[0].Points != 2 || public.FinishedAt.IsZero() {
		t.Errorf("after the end: %+v, %v", public, err)
	}
	e.do(HideResults)
	for _, token := range []string{token, "", "x", "\x00", strings.Repeat("A", 26)} {
		if _, err := e.service.PublicResults(t.Context(), token); !errors.Is(err, ErrNotFound) {
			t.Errorf("under %q: %v", token, err)
		}
	}
}
