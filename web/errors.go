package web

import (
	"context"
	"encoding/json"
	"errors"
	"log/slog"
	"net/http"
	"strconv"
	"strings"

	"pubquiz/account"
	"pubquiz/billing"
	"pubquiz/internal/postgres"
	"pubquiz/internal/words"
	"pubquiz/quiz"
	"pubquiz/session"
)

// problem is an error that a client is told about, as problem+json (RFC 9457) or as a page.
type problem struct {
	Status int
	Slug   string // the last segment of the type; stable, for programs
	Title  words.Text
	Detail words.Text // a sentence for a person: what happened and what to do

	Field      string
	Suggestion string
	Version    int64
	RetryAfter int // seconds
	Limiter    string
	Given      *quiz.Given
	Problems   []quiz.Problem
	Request    string // by which the log knows it

	cause error
}

func (p *problem) Error() string {
	if p.cause != nil {
		return p.Slug + ": " + p.cause.Error()
	}
	return p.Slug
}

func (p *problem) Unwrap() error { return p.cause }

// quotaExceeded is the registered problem type of a refusal by a limit (draft-ietf-httpapi-ratelimit-headers).
const quotaExceeded = "https://iana.org/assignments/http-problem-types#quota-exceeded"

// in is the problem as problem+json, said in a language.
func (p *problem) in(l *words.Language) ([]byte, error) {
	kind := "/problems/" + p.Slug
	var violated []string
	if p.Limiter != "" {
		kind, violated = quotaExceeded, []string{p.Limiter}
	}
	return json.Marshal(struct {
		Type       string        `json:"type"`
		Title      string        `json:"title"`
		Status     int           `json:"status"`
		Detail     string        `json:"detail"`
		Field      string        `json:"field,omitempty"`
		Suggestion string        `json:"suggestion,omitempty"`
		Version    int64         `json:"version,omitempty"`
		RetryAfter int           `json:"retryAfter,omitempty"`
		Limiter    string        `json:"limiter,omitempty"`
		Violated   []string      `json:"violated-policies,omitempty"` // the limiter, as the registered type has it
		Given      *quiz.Given   `json:"given,omitempty"`
		Problems   []saidProblem `json:"problems,omitempty"`
		Request    string        `json:"request,omitempty"`
	}{kind, l.Say(p.Title), p.Status, l.Say(p.Detail), p.Field, p.Suggestion, p.Version, p.RetryAfter, p.Limiter, violated, p.Given, problemsIn(l, p.Problems), p.Request})
}

// saidProblem is a quiz.Problem, said in a language.
type saidProblem struct {
	Path   string `json:"path"`
	Detail string `json:"detail"`
}

func problemsIn(l *words.Language, problems []quiz.Problem) []saidProblem {
	said := make([]saidProblem, len(problems))
	for i, p := range problems {
		said[i] = saidProblem{p.Path, l.Say(p.Detail)}
	}
	return said
}

// known says what each expected error is to a client. Whatever is not here is the server's own fault.
var known = []struct {
	err error
	problem
}{
	{session.ErrNotFound, problem{Status: 404, Slug: "not-found", Title: words.T("Not found"),
		Detail: words.T("There is no such session, or it is another host's.")}},
	{quiz.ErrNotFound, problem{Status: 404, Slug: "not-found", Title: words.T("Not found"),
		Detail: words.T("There is no such quiz, or it is another host's.")}},
	{quiz.ErrNoMedia, problem{Status: 404, Slug: "not-found", Title: words.T("Not found"),
		Detail: words.T("There is no such picture, sound or film.")}},
	{quiz.ErrMediaBusy, problem{Status: 503, Slug: "busy", Title: words.T("Busy"), RetryAfter: 5,
		Detail: words.T("Many pictures are coming in at this moment. Try again in a few seconds.")}},
	{session.ErrUnknownCode, problem{Status: 404, Slug: "unknown-code", Title: words.T("No quiz under this code"), Field: "code",
		Detail: words.T("No quiz is running under this code: it may have ended. If not, check the code on the big screen and type it again.")}},
	{session.ErrDoorsLocked, problem{Status: 409, Slug: "doors-locked", Title: words.T("The doors are locked"),
		Detail: words.T("The host has closed the doors. Ask them: they can give you a code that lets you in.")}},
	{session.ErrFull, problem{Status: 409, Slug: "session-full", Title: words.T("The quiz is full"),
		Detail: words.T("Every place in this quiz is taken. Tell the host, who can make room.")}},
	{session.ErrNotParticipant, problem{Status: 401, Slug: "not-a-participant", Title: words.T("Not in this quiz"),
		Detail: words.T("This phone is not in this quiz. Scan the code on the big screen to join.")}},
	{session.ErrSeatLost, problem{Status: 401, Slug: "seat-lost", Title: words.T("Your place is gone"),
		Detail: words.T("The quiz had to go back to a moment before this phone joined, or it was over long ago. Scan the code on the big screen to join.")}},
	{session.ErrRestored, problem{Status: 503, Slug: restartingSlug, Title: words.T("Put back"),
		Detail: words.T("The quiz was put back to an earlier state. Look where it is now.")}},
	{session.ErrRemoved, problem{Status: 403, Slug: "removed", Title: words.T("Removed"),
		Detail: words.T("The host has taken you out of this quiz.")}},
	{session.ErrNotNow, problem{Status: 409, Slug: "not-now", Title: words.T("Not possible now"),
		Detail: words.T("That step does not fit where the quiz is. Look at the screen and try the step that is offered.")}},
	{session.ErrTimeIsUp, problem{Status: 409, Slug: "time-is-up", Title: words.T("Time is up"),
		Detail: words.T("The question's time was up before this arrived. Once it has closed, you can reopen it and give more.")}},
	{session.ErrUnknownCommand, problem{Status: 422, Slug: "unknown-command", Title: words.T("Unknown command"), Field: "command",
		Detail: words.T("There is no such command.")}},
	{session.ErrNoParticipant, problem{Status: 404, Slug: "no-such-participant", Title: words.T("No such participant"), Field: "participant",
		Detail: words.T("This participant is not in the session any more.")}},
	{session.ErrNotOwner, problem{Status: 403, Slug: "not-the-owner", Title: words.T("The owner’s alone"),
		Detail: words.T("Only the host whose session this is can do that.")}},
	{session.ErrNoCohost, problem{Status: 404, Slug: "no-such-cohost", Title: words.T("No such co-host"),
		Detail: words.T("This co-host is not among the session’s hosts any more.")}},
	{session.ErrNoInvitation, problem{Status: 410, Slug: "link-spent", Title: words.T("This link no longer works"),
		Detail: words.T("It makes one co-host, once, and ends with its session. Ask whoever sent it for a new one.")}},
	{session.ErrStaleNotepad, problem{Status: 409, Slug: "stale-revision", Title: words.T("Written elsewhere"),
		Detail: words.T("Another console has written on the notepad meanwhile. Read it again before you write over it.")}},
	{session.ErrTooLate, problem{Status: 409, Slug: "too-late", Title: words.T("Too late"),
		Detail: words.T("That round has begun, so a joker can no longer be played on it or taken back.")}},
	{session.ErrNotCaptain, notCaptain},
	{session.ErrNoTeams, problem{Status: 409, Slug: "no-teams", Title: words.T("One phone each"),
		Detail: words.T("In this quiz everyone plays with one phone.")}},
	{session.ErrTeamFull, problem{Status: 409, Slug: "team-full", Title: words.T("The team is full"),
		Detail: words.T("This team has ten phones, which is as many as it may have.")}},
	{session.ErrNotPlayable, problem{Status: 422, Slug: "not-playable", Title: words.T("Not ready to play"),
		Detail: words.T("The quiz is not ready to play yet. Its editor shows what is missing.")}},
	{session.ErrBusy, problem{Status: 503, Slug: "busy", Title: words.T("Busy"), RetryAfter: 2,
		Detail: words.T("The server is busy and has not confirmed your answer. It will be sent again.")}},
	{billing.ErrUnavailable, problem{Status: 503, Slug: "payments-unavailable", Title: words.T("Payments cannot be reached"), RetryAfter: 60,
		Detail: words.T("Stripe, which takes the payments, does not answer. Try again in a few minutes.")}},
	{quiz.ErrStaleRevision, problem{Status: 409, Slug: "stale-revision", Title: words.T("Saved elsewhere"),
		Detail: words.T("This quiz was saved in another window meanwhile. Load it again to go on from there.")}},
	{account.ErrBusy, problem{Status: 503, Slug: "busy", Title: words.T("Busy"), RetryAfter: 2,
		Detail: words.T("Many people are signing in at this moment. Try again in a few seconds.")}},
	{account.ErrNotSignedIn, problem{Status: 401, Slug: "not-signed-in", Title: words.T("Not signed in"),
		Detail: words.T("Sign in to go on.")}},
}

// problemOf says what an error is to a client.
func problemOf(err error) *problem {
	if p, ok := errors.AsType[*problem](err); ok {
		return p
	}
	if stale, ok := errors.AsType[*session.StaleVersionError](err); ok {
		return &problem{Status: 409, Slug: "stale-version", Title: words.T("The quiz has moved on"), Version: stale.Version,
			Detail: words.T("The quiz had already moved on when you pressed. Look where it is now.")}
	}
	if tooMany, ok := errors.AsType[*session.TooManyOpenError](err); ok {
		detail := words.T("End what else is open first: your quizzes’ page lists it.")
		if !tooMany.Plan.IsZero() {
			detail = words.N(tooMany.Allowed, "Your plan, {plan}, runs one session at a time. End what else is open first: your quizzes’ page lists it.", "Your plan, {plan}, runs {n} sessions at a time. End what else is open first: your quizzes’ page lists it.", "plan", tooMany.Plan)
		}
		return &problem{Status: 409, Slug: "too-many-open", Title: openInWords(len(tooMany.Open)), Detail: detail}
	}
	if taken, ok := errors.AsType[*session.NameTakenError](err); ok {
		return &problem{Status: 409, Slug: "name-taken", Title: words.T("The name is taken"), Field: "name", Suggestion: taken.Suggestion,
			Detail: words.T("Somebody here is called that already. How about {suggestion}?", "suggestion", taken.Suggestion)}
	}
	if invalid, ok := errors.AsType[*session.InvalidError](err); ok {
		slug := "invalid"
		if invalid.Field == "name" {
			slug = "name-invalid"
		}
		return &problem{Status: 422, Slug: slug, Title: words.T("That does not fit"), Field: invalid.Field, Detail: invalid.Detail}
	}
	if invalid, ok := errors.AsType[*billing.InvalidError](err); ok {
		return &problem{Status: 422, Slug: "invalid", Title: words.T("That does not fit"), Field: invalid.Field, Detail: invalid.Detail}
	}
	if invalid, ok := errors.AsType[quiz.Problem](err); ok {
		return &problem{Status: 422, Slug: "invalid", Title: words.T("That does not fit"), Field: invalid.Path, Detail: invalid.Detail}
	}
	if outOfBounds, ok := errors.AsType[*quiz.OutOfBoundsError](err); ok {
		first := outOfBounds.Problems[0]
		return &problem{Status: 422, Slug: "out-of-bounds", Title: words.T("That does not fit"), Field: first.Path, Detail: first.Detail,
			Problems: outOfBounds.Problems}
	}
	for _, k := range known {
		if errors.Is(err, k.err) {
			p := k.problem
			p.cause = err
			return &p
		}
	}
	if postgres.Unavailable(err) {
		return &problem{Status: 503, Slug: "busy", Title: words.T("Busy"), RetryAfter: 2, cause: err,
			Detail: words.T("The server cannot reach what it stores everything in. Try again in a few seconds.")}
	}
	return &problem{Status: 500, Slug: "internal", Title: words.T("Something went wrong"), cause: err,
		Detail: words.T("That is our fault, not yours. Try again in a moment.")}
}

// fail answers a request with an error: problem+json on the API, a page elsewhere.
func (s *Server) fail(w http.ResponseWriter, r *request, rt *route, err error) {
	p := new(*problemOf(err)) // a copy, since some are the same for everybody
	left := errors.Is(r.Context().Err(), context.Canceled)
	if p.Status >= 500 && !left {
		level := slog.LevelError
		if p.RetryAfter > 0 { // nothing is broken; there is too much to do
			level = slog.LevelWarn
		}
		s.log.Log(r.Context(), level, "request failed", "method", r.Method, "route", rt.pattern, "status", p.Status, "error", err)
	}
	h := w.Header()
	p.Request = h.Get(requestIDHeader)
	h.Set("Cache-Control", "no-store")
	h.Del("ETag")
	if p.RetryAfter > 0 {
		h.Set("Retry-After", strconv.Itoa(p.RetryAfter))
	}
	if rt.isAPI() {
		body, err := p.in(s.languageOf(r))
		if err != nil {
			body = nil // of members that cannot be encoded, there are none
		}
		h.Set("Content-Type", "application/problem+json")
		w.WriteHeader(p.Status)
		_, _ = w.Write(body) // a client that went away needs no answer
		return
	}
	s.problemPage(w, r, p)
}

// isAPI tells that programs send the route's requests.
func (rt *route) isAPI() bool {
	return strings.HasPrefix(rt.pattern, "/api/") || strings.HasPrefix(rt.pattern, "/webhooks/")
}

func itoa(n int64) string { return strconv.FormatInt(n, 10) }
