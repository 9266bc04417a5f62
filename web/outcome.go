package web

import (
	"context"
	"errors"
	"net/http"

	"pubquiz/internal/words"
	"pubquiz/quiz"
	"pubquiz/session"
)

// outcome is what became of an answer: the socket's message, and over HTTP the body or, where problem is set, the
// error.
type outcome struct {
	ID         string          `json:"id"`
	Question   string          `json:"question"`
	Outcome    session.Outcome `json:"outcome"`
	Given      *quiz.Given     `json:"given,omitempty"`
	Field      string          `json:"field,omitempty"`
	Detail     string          `json:"detail,omitempty"`
	RetryAfter int             `json:"retryAfter,omitempty"`

	problem *problem
}

// in is the outcome with its detail said in a language.
func (out outcome) in(l *words.Language) outcome {
	if out.problem != nil {
		out.Detail = l.Say(out.problem.Detail)
	}
	return out
}

// The outcomes that are decided before the store is asked.
const (
	outcomeInvalid session.Outcome = "invalid"
	outcomeLimited session.Outcome = "limited"
	outcomeBusy    session.Outcome = "busy"
)

// refusedAnswers says how each outcome but accepted is told over HTTP.
var refusedAnswers = map[session.Outcome]problem{
	session.AlreadyAnswered: {Status: http.StatusConflict, Slug: "already-answered", Title: words.T("Already answered"),
		Detail: words.T("Your answer to this question was in before; the first one counts.")},
	session.TooLate: {Status: http.StatusConflict, Slug: "too-late", Title: words.T("Too late"),
		Detail: words.T("The question had closed when your answer arrived.")},
	session.TooEarly: {Status: http.StatusConflict, Slug: "too-early", Title: words.T("Too early"),
		Detail: words.T("The question opens in a moment. Send your answer again then.")},
	session.NotThisQuestion: {Status: http.StatusConflict, Slug: "not-this-question", Title: words.T("Not this question"),
		Detail: words.T("That question takes no answers now.")},
	session.NotCaptain: notCaptain,
	session.WasRemoved: {Status: http.StatusForbidden, Slug: "removed", Title: words.T("Removed"),
		Detail: words.T("The host has taken you out of this quiz.")},
}

// notCaptain is told to a team's phone that does not decide.
var notCaptain = problem{Status: http.StatusConflict, Slug: "not-captain", Title: words.T("Your captain answers"),
	Detail: words.T("Your team answers on your captain's phone. Tell them what you think!")}

// takeAnswer stores an answer and says what became of it. Its limit must have been charged.
func (s *Server) takeAnswer(ctx context.Context, viewer session.Viewer, a session.Answer) outcome {
	out := outcome{ID: a.ID, Question: a.Question}
	reply, err := s.sessions.Answer(ctx, viewer, a)
	if err != nil {
		return out.refused(err)
	}
	out.Outcome = reply.Outcome
	if p, refused := refusedAnswers[reply.Outcome]; refused {
		out.problem = &p
	}
	if reply.Outcome == session.AlreadyAnswered {
		out.Given, out.problem.Given = &reply.Given, &reply.Given
	}
	return out
}

// refused turns an error into an outcome.
func (out outcome) refused(err error) outcome {
	p := problemOf(err)
	switch {
	case p.Limiter != "":
		out.Outcome = outcomeLimited
	case errors.Is(err, session.ErrRemoved):
		out.Outcome = session.WasRemoved
	case p.Status < http.StatusInternalServerError:
		out.Outcome = outcomeInvalid
	default:
		out.Outcome = outcomeBusy
		p.RetryAfter = max(p.RetryAfter, 1)
	}
	out.Field, out.RetryAfter, out.problem = p.Field, p.RetryAfter, p
	return out
}
