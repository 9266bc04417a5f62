package main

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"net/http"
	"strings"
	"sync"
	"time"

	"pubquiz/internal/history"
)

// phone is a screen that answers.
type phone struct {
	screen
	participant string
	closes      map[string]time.Duration // how long after its opening the host means to close a question; absent for those that the clock closes
	answering   sync.WaitGroup

	planning sync.Mutex
	answered map[string]bool
	dice     *rand.Rand
}

func (p *phone) see(ctx context.Context, s snapshotSeen) {
	if s.Phase != "open" || s.Question == nil {
		return
	}
	p.planning.Lock()
	defer p.planning.Unlock()
	if p.answered[s.Question.ID] {
		return
	}
	p.answered[s.Question.ID] = true
	// Its own dice: what the others do must not change what this one does.
	dice := rand.New(rand.NewPCG(p.dice.Uint64(), p.dice.Uint64()))
	closesAt := time.UnixMilli(s.ClosesAt)
	if d, byHost := p.closes[s.Question.ID]; byHost {
		closesAt = time.UnixMilli(s.OpensAt).Add(d)
	}
	p.answering.Go(func() { p.answer(ctx, s.Question.ID, closesAt, dice) })
}

// answer answers a question as people do: most at some time, many in the last moment, some twice, some on two tabs at once. Those who do so before it is shown have
// made their phone believe in another clock.
func (p *phone) answer(ctx context.Context, question string, closesAt time.Time, dice *rand.Rand) {
	left := time.Until(closesAt)
	wait := time.Duration(dice.Float64() * float64(max(left, time.Millisecond)))
	if dice.Float64() < 0.5 {
		wait = left + time.Duration(dice.NormFloat64()*float64(30*time.Millisecond))
	}
	if !pause(ctx, wait) {
		return
	}
	again := dice.Float64()
	if again < 0.15 {
		other := rand.New(rand.NewPCG(dice.Uint64(), dice.Uint64()))
		p.answering.Go(func() { p.insist(ctx, question, other) })
	}
	p.insist(ctx, question, dice)
	if again > 0.85 {
		p.insist(ctx, question, dice)
	}
}

// insist sends an answer until it has an outcome.
func (p *phone) insist(ctx context.Context, question string, dice *rand.Rand) {
	p.insistOn(ctx, question, fmt.Sprintf("answer-%x", dice.Uint64()), dice.IntN(4), dice)
}

func (p *phone) insistOn(ctx context.Context, question, id string, choice int, dice *rand.Rand) {
	for ctx.Err() == nil {
		sending := history.Sending{Participant: p.participant, Question: question, Answer: id, Choice: choice, Began: time.Now()}
		told, err := p.send(ctx, question, id, choice, dice)
		if err == nil {
			sending.Outcome = told.Outcome
			if len(told.Given.Choices) == 1 {
				sending.Told = told.Given.Choices[0]
			}
		}
		sending.Ended = time.Now()
		p.history.Sent(sending)
		if sending.Outcome != "" && sending.Outcome != "busy" && sending.Outcome != "too-early" {
			return
		}
		pause(ctx, time.Duration(20+dice.IntN(200))*time.Millisecond)
	}
}

var errNoOutcome = errors.New("no outcome came")

// send sends an answer once, over the socket or by POST.
func (p *phone) send(ctx context.Context, question, id string, choice int, dice *rand.Rand) (outcomeSeen, error) {
	body := map[string]any{"id": id, "question": question, "given": map[string]any{"choices": []int{choice}}}
	if dice.Float64() < 0.6 {
		if arrived, ok := p.sendBySocket(id, body); ok {
			select {
			case o := <-arrived:
				return o, nil
			case <-time.After(requestTimeout):
			case <-ctx.Done():
			}
			return outcomeSeen{}, errNoOutcome
		}
	}
	ctx, cancel := context.WithTimeout(ctx, requestTimeout)
	defer cancel()
	return p.post(ctx, p.members[dice.IntN(len(p.members))], body)
}

// post sends an answer over HTTP.
func (p *phone) post(ctx context.Context, in *member, body any) (o outcomeSeen, err error) {
	status, err := p.call(ctx, in, http.MethodPost, p.path+"answers", body, &o)
	if err != nil {
		return o, err
	}
	if status != http.StatusOK {
		o.Outcome = strings.TrimPrefix(o.Type, "/problems/")
	}
	if status >= http.StatusInternalServerError {
		o.Outcome = "busy"
	}
	return o, nil
}

func (p *phone) sendBySocket(id string, body any) (<-chan outcomeSeen, bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.socket == nil {
		return nil, false
	}
	arrived := make(chan outcomeSeen, 1)
	p.outcomes[id] = arrived
	_ = p.socket.SetWriteDeadline(time.Now().Add(time.Second))
	return arrived, p.socket.WriteJSON(map[string]any{"answer": body}) == nil
}
