package main

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"net/http/cookiejar"
	"net/url"
	"path"
	"regexp"
	"strings"
	"time"

	"pubquiz/internal/history"
	"pubquiz/quiz"
)

// quizmaster is a host's console, which also drives the session.
type quizmaster struct {
	screen
	content     quiz.Content
	joinCode    string
	screenToken string
	closes      map[string]time.Duration // as a phone's
}

// openSession signs a host up at the first server, writes the quiz and opens a session of it.
func openSession(ctx context.Context, c *cluster, content quiz.Content, h *history.History, random *rand.Rand) (*quizmaster, error) {
	in := c.members[0]
	jar, err := cookiejar.New(nil)
	if err != nil {
		return nil, err
	}
	browser := &http.Client{Jar: jar}
	var page []byte // where the latest submission led
	submit := func(to string, form url.Values) (*url.URL, error) {
		req, err := http.NewRequestWithContext(ctx, http.MethodPost, in.base+to, strings.NewReader(form.Encode()))
		if err != nil {
			return nil, err
		}
		req.Header.Set("Content-Type", "application/x-www-form-urlencoded")
		req.Header.Set("Origin", in.origin)
		res, err := browser.Do(req)
		if err != nil {
			return nil, err
		}
		defer res.Body.Close()
		if page, err = io.ReadAll(res.Body); err != nil || res.StatusCode != http.StatusOK {
			return nil, fmt.Errorf("%s: %s: %s %w", to, res.Status, page, err)
		}
		return res.Request.URL, nil
	}
	way, form := "/signup", url.Values{"email": {"host@quiz.example"}, "name": {"Host"}, "password": {"a long enough passphrase"}}
	if c.signIn != nil {
		token, err := c.signIn(ctx)
		if err != nil {
			return nil, err
		}
		way, form = "/signin/link", url.Values{"token": {token}}
	}
	if _, err := submit(way, form); err != nil {
		return nil, err
	}
	base, err := url.Parse(in.base)
	if err != nil {
		return nil, err
	}
	var cookies []string
	for _, cookie := range jar.Cookies(base) {
		cookies = append(cookies, cookie.String())
	}
	q := &quizmaster{content: content, screen: screen{
		name: "host", role: "host", history: h, random: random, members: c.members,
		header: http.Header{"Origin": {in.origin}, "Cookie": {strings.Join(cookies, "; ")}},
	}}
	editor, err := submit("/host/quizzes", nil)
	if err != nil {
		return nil, err
	}
	id := path.Base(editor.Path)
	var saved json.RawMessage
	status, err := q.call(ctx, in, http.MethodPut, "/api/v1/quizzes/"+id, map[string]any{"revision": 1, "content": content}, &saved)
	if err != nil || status != http.StatusOK {
		return nil, fmt.Errorf("saving the quiz: %d %s %w", status, saved, err)
	}
	console, err := submit("/host/quizzes/"+id+"/sessions", nil)
	if err != nil {
		return nil, err
	}
	q.path = "/api/v1/sessions/" + path.Base(console.Path) + "/"
	var first struct {
		Shared snapshotSeen `json:"shared"`
	}
	if status, err := q.call(ctx, in, http.MethodGet, q.path+"host", nil, &first); err != nil || status != http.StatusOK {
		return nil, fmt.Errorf("the console: %d %w", status, err)
	}
	q.joinCode = first.Shared.JoinCode // the history begins when all are in: who joins makes no version
	found := screenToken.FindSubmatch(page)
	if found == nil {
		return nil, fmt.Errorf("the console leads to no big screen: %s", page)
	}
	q.screenToken = string(found[1])
	return q, nil
}

var screenToken = regexp.MustCompile(`"screenURL":"[^"?]+\?token=([^"]+)"`)

// television is the session's big screen.
func (q *quizmaster) television(random *rand.Rand) *screen {
	cookie := "quizd_screen_" + path.Base(q.path)
	if strings.HasPrefix(q.header.Get("Cookie"), "__Host-") { // as localhost's are
		cookie = "__Host-" + cookie
	}
	return &screen{
		name: "big screen", role: "screen", path: q.path, history: q.history, random: random, members: q.members,
		header: http.Header{"Origin": q.header["Origin"], "Cookie": {cookie + "=" + q.screenToken}},
	}
}

// seat has a phone join.
func (q *quizmaster) seat(ctx context.Context, name string, random *rand.Rand) (*phone, error) {
	var joined struct {
		Participant string `json:"participant"`
		Token       string `json:"token"`
	}
	status, err := q.call(ctx, q.members[0], http.MethodPost, "/api/v1/join/"+q.joinCode,
		map[string]string{"name": name, "attempt": fmt.Sprintf("%016x", random.Uint64())}, &joined)
	if err != nil || status != http.StatusCreated {
		return nil, fmt.Errorf("%s cannot join: %d %w", name, status, err)
	}
	p := &phone{
		screen: screen{
			name: name, role: "participant", path: q.path, history: q.history, random: random, members: q.members,
			header:   http.Header{"Origin": q.header["Origin"], "Authorization": {"Bearer " + joined.Token}},
			outcomes: map[string]chan outcomeSeen{},
		},
		participant: joined.Participant, closes: q.closes, answered: map[string]bool{}, dice: rand.New(rand.NewPCG(random.Uint64(), 1)),
	}
	p.seen = p.see
	return p, nil
}

// drive plays the whole quiz, through whichever server it reaches, and whatever fails. It returns when the session has finished.
func (q *quizmaster) drive(ctx context.Context, dice *rand.Rand) error {
	for {
		s := q.now()
		command, wait := q.next(s)
		if s.Phase == "finished" {
			return nil
		}
		if !q.unchanged(ctx, s, wait) {
			if ctx.Err() != nil {
				return fmt.Errorf("the quiz stands still at version %d, %s: %w", s.Version, s.Phase, ctx.Err())
			}
			continue
		}
		if err := q.order(ctx, q.members[dice.IntN(len(q.members))], command, s.Version, requestTimeout); err != nil {
			pause(ctx, 50*time.Millisecond)
			q.poll(ctx, q.members[dice.IntN(len(q.members))]) // it may have been carried out all the same, or have been meant for another version
			continue
		}
		q.unchanged(ctx, s, time.Second) // the console sees what it has done
	}
}

// order sends one command, and waits for its answer for so long.
func (q *quizmaster) order(ctx context.Context, in *member, command string, version int64, patience time.Duration) error {
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	var answer json.RawMessage
	status, err := q.call(ctx, in, http.MethodPost, q.path+"commands", map[string]any{"version": version, "command": command}, &answer)
	if err == nil && status != http.StatusOK {
		err = fmt.Errorf("%s: %d %s", command, status, answer)
	}
	return err
}

// unchanged waits and reports whether the console still shows what it did.
func (q *quizmaster) unchanged(ctx context.Context, s snapshotSeen, wait time.Duration) bool {
	for until := time.Now().Add(wait); time.Now().Before(until); {
		if q.now().Version != s.Version || !pause(ctx, min(time.Until(until), 2*time.Millisecond)) {
			return false
		}
	}
	return q.now().Version == s.Version && ctx.Err() == nil
}

const betweenSteps = 30 * time.Millisecond

// next is what the host does next, and how long after seeing this.
func (q *quizmaster) next(s snapshotSeen) (command string, wait time.Duration) {
	round, number := q.position(s)
	switch s.Phase {
	case "lobby":
		return "next", betweenSteps
	case "round":
		return "launch", betweenSteps
	case "open":
		if d, byHost := q.closes[s.Question.ID]; byHost {
			return "close", max(0, time.Until(time.UnixMilli(s.OpensAt).Add(d)))
		}
		return "close", time.Until(time.UnixMilli(s.ClosesAt)) + time.Minute // the clock does it
	case "closed":
		return "reveal", betweenSteps
	case "revealed":
		if number%3 == 0 {
			return "showStandings", betweenSteps
		}
		fallthrough
	case "standings":
		switch {
		case number < len(q.content.Rounds[round-1].Questions):
			return "launch", betweenSteps
		case round < len(q.content.Rounds):
			return "next", betweenSteps
		default:
			return "finish", betweenSteps
		}
	default: // nothing has been seen yet
		return "", time.Minute
	}
}

// position is the place of the question on screen.
func (q *quizmaster) position(s snapshotSeen) (round, number int) {
	if s.Question != nil {
		_, _ = fmt.Sscanf(s.Question.ID, "%d.%d", &round, &number)
	}
	return round, number
}

// stored fetches what the server has in the end.
func (q *quizmaster) stored(ctx context.Context) (history.Stored, error) {
	var e struct {
		Participants []history.Participant
		Questions    []struct {
			ID, Status        string
			OpensAt, ClosesAt time.Time
			Content           struct {
				Correct []int
				Points  float64
			}
		}
		Answers []struct {
			Participant, Question, ID string
			Given                     struct{ Choices []int }
			AnsweredAt                time.Time
			Points                    *float64
		}
	}
	status, err := q.call(ctx, q.members[0], http.MethodGet, q.path+"export", nil, &e)
	if err != nil || status != http.StatusOK {
		return history.Stored{}, fmt.Errorf("the export: %d %w", status, err)
	}
	s := history.Stored{Participants: e.Participants}
	for _, question := range e.Questions {
		s.Questions = append(s.Questions, history.Question{
			ID: question.ID, Status: question.Status, OpensAt: question.OpensAt, ClosesAt: question.ClosesAt,
			Correct: question.Content.Correct[0], Points: question.Content.Points,
		})
	}
	for _, a := range e.Answers {
		s.Answers = append(s.Answers, history.Answer{
			Participant: a.Participant, Question: a.Question, ID: a.ID, Choice: a.Given.Choices[0], AnsweredAt: a.AnsweredAt, Points: a.Points,
		})
	}
	return s, nil
}
