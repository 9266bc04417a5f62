package loadtest

import (
	"context"
	"crypto/rand"
	"errors"
	"net/http"
	"time"
)

// tooEarly is the wait before an answer is sent again that came before its question had opened.
const tooEarly = 300 * time.Millisecond

// answer waits until the question is shown, thinks, answers, and goes on until the server has said what became of the answer.
func (p *phone) answer(ctx context.Context, q question, opensAt, closesAt time.Time) {
	if !sleep(ctx, opensAt.Sub(p.link.serverTime())) || !sleep(ctx, p.human.thought(closesAt.Sub(p.link.serverTime()), p.venue.plan.LastSecond)) {
		return
	}
	a := answer{ID: rand.Text(), Question: q.ID, Given: p.choose(q)}
	for n := 0; ; n++ {
		o, err := p.deliver(ctx, a, n == 0)
		if err == nil && o.Outcome != "limited" && o.Outcome != "busy" && o.Outcome != "too-early" {
			p.settle(a, o)
			return
		}
		pause, again := p.machine.afterRefusal(n, o.retryAfter()), true
		switch {
		case err != nil:
			pause, again = p.machine.pause(n, err)
		case o.Outcome == "too-early":
			pause = tooEarly
		}
		if !again || !sleep(ctx, pause) {
			p.venue.rec.outcome("none")
			return
		}
	}
}

// deliver sends the answer, except that before it is sent again the server is asked what it has: ten questions and ten
// blind retries would be twenty answers.
func (p *phone) deliver(ctx context.Context, a answer, first bool) (outcome, error) {
	if first {
		if w := p.link.current(); w != nil {
			return p.sendBySocket(ctx, w, a)
		}
		return p.post(ctx, a)
	}
	own, err := p.link.poll(ctx)
	switch {
	case err != nil:
		return outcome{}, err
	case own.Answer == nil || own.Answer.Question != a.Question:
		return p.post(ctx, a)
	case own.Answer.ID != a.ID:
		return outcome{Outcome: "already-answered"}, nil
	default:
		return outcome{Outcome: "accepted"}, nil
	}
}

func (p *phone) settle(a answer, o outcome) {
	p.venue.rec.outcome(o.Outcome)
	if o.Outcome != "accepted" {
		return
	}
	p.browser.lane.mark(Answered)
	p.mu.Lock()
	defer p.mu.Unlock()
	p.accepted[a.Question] = a
}

// sendBySocket returns an error if no outcome came.
func (p *phone) sendBySocket(ctx context.Context, w *wire, a answer) (outcome, error) {
	began := time.Now()
	o, err := w.send(ctx, a)
	switch {
	case err == nil:
		p.browser.timed(socketAnswer, time.Since(began))
		p.noteLimit(o)
	case ctx.Err() == nil:
		p.venue.rec.failure(socketAnswer)
	}
	return o, err
}

// post returns an error if no outcome came.
func (p *phone) post(ctx context.Context, a answer) (outcome, error) {
	var o outcome
	err := p.browser.call(ctx, postAnswer, http.MethodPost, p.venue.apiPath("answers"), a, &o)
	if refused, ok := errors.AsType[*refusal](err); ok {
		return refused.outcome()
	}
	return o, err
}

// noteLimit counts a refusal that came as an outcome and not as a status.
func (p *phone) noteLimit(o outcome) {
	switch o.Outcome {
	case "limited":
		p.browser.refused(&refusal{kind: socketAnswer, status: http.StatusTooManyRequests, Limiter: "submitAnswer"})
	case "busy":
		p.browser.refused(&refusal{kind: socketAnswer, status: http.StatusServiceUnavailable})
	}
}

// outcome reads a refusal of an answer. Statuses that mean no outcome stay errors.
func (f *refusal) outcome() (outcome, error) {
	switch {
	case f.status == http.StatusTooManyRequests:
		return outcome{Outcome: "limited", RetryAfter: f.wait().Seconds()}, nil
	case f.status == http.StatusServiceUnavailable:
		return outcome{Outcome: "busy", RetryAfter: f.wait().Seconds()}, nil
	case f.status >= http.StatusInternalServerError || f.code() == "":
		return outcome{}, f
	default:
		return outcome{Outcome: f.code()}, nil
	}
}
