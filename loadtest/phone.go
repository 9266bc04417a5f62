package loadtest

import (
	"context"
	"sync"
	"time"
)

// phone is one table's phone in a venue.
type phone struct {
	venue   *venue
	number  int // from 1
	browser *browser
	human   *dice // what its people do
	machine *dice // the jitter of its waits
	fate    fate
	link    *link

	participant string
	answering   sync.WaitGroup
	finished    chan struct{} // closed when it has seen the quiz's end

	mu       sync.Mutex // guards the rest, which is read when the evening is over
	seen     map[string]bool
	reveals  map[string]bool
	accepted map[string]answer // by question
	joked    bool
}

// fate is what happens to a phone.
type fate struct {
	cut     bool // loses its socket halfway through the quiz
	stalled bool // stops reading from it then
	slow    bool
}

func newPhone(v *venue, number int, f fate) *phone {
	stream := uint64(v.number)<<32 | uint64(number)<<8
	b := v.browser()
	b.lane = &lane{began: v.rec.began, lane: Lane{Venue: v.number + 1, Phone: number}}
	return &phone{
		venue: v, number: number, fate: f,
		browser:  b,
		human:    newDice(v.plan.Seed, stream|1),
		machine:  newDice(v.plan.Seed, stream|2),
		finished: make(chan struct{}),
		seen:     map[string]bool{}, reveals: map[string]bool{}, accepted: map[string]answer{},
	}
}

// play follows the quiz to its end, or until ctx ends. An error says why the phone was shut out.
func (p *phone) play(ctx context.Context) error {
	// A last answer may still be on its way when the end has been seen.
	ctx, leave := context.WithCancel(ctx)
	defer leave()
	p.link = newLink(p.browser, p.venue.apiPath("participant"), phonePoll, phoneSocket, p.machine,
		func(f frame, w way) { p.see(ctx, f.Shared, w) })
	if p.fate.slow {
		p.link.lag = longestLag
	}
	go func() {
		select {
		case <-ctx.Done():
		case <-p.finished:
			p.answering.Wait()
			leave()
		}
	}()
	err := p.link.run(ctx)
	p.answering.Wait()
	p.browser.lane.is(Left)
	return err
}

// see reacts to a newer snapshot; s is nil where there is none.
func (p *phone) see(ctx context.Context, s *snapshot, w way) {
	if s == nil {
		return
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if len(s.JokerRounds) > 0 && !p.joked {
		p.joked = true
		p.answering.Go(func() { p.playJoker(ctx, s.JokerRounds[p.human.below(len(s.JokerRounds))].Number) })
	}
	switch {
	case s.Phase == "open" && s.Question != nil && !p.seen[s.Question.ID]:
		p.seen[s.Question.ID] = true
		p.venue.arrived(s.Question.ID, w, time.Now())
		p.answering.Go(func() { p.answer(ctx, *s.Question, time.UnixMilli(s.OpensAt), time.UnixMilli(s.ClosesAt)) })
		if p.venue.plan.Together {
			p.answering.Go(func() { p.pollTogether(ctx, time.UnixMilli(s.OpensAt)) })
		}
		if s.Question.ID == p.venue.halfwayQuestion() {
			p.answering.Go(func() { p.sufferFate(ctx) })
		}
	case s.Question != nil && s.Question.Kind == slide:
		if !p.seen[s.Question.ID] {
			p.venue.arrived(s.Question.ID, w, time.Now())
		}
		p.seen[s.Question.ID], p.reveals[s.Question.ID] = true, true
	case s.Phase == "revealed" && s.Question != nil:
		p.reveals[s.Question.ID] = true
	case s.Phase == "finished":
		select {
		case <-p.finished:
		default:
			close(p.finished)
		}
	}
}

// longestLag is the most that a slow phone takes over a frame.
const longestLag = 3 * time.Second

// together is when during a question all phones poll at once, if they do.
const together = 3 * time.Second

// pollTogether polls at the same moment as everybody else who sees the question.
func (p *phone) pollTogether(ctx context.Context, opened time.Time) {
	if sleep(ctx, opened.Add(together).Sub(p.link.serverTime())) {
		p.link.pollSoon(0)
	}
}

// sufferFate lets happen what is to happen, at some moment of the first half of a question.
func (p *phone) sufferFate(ctx context.Context) {
	if !sleep(ctx, p.machine.upTo(time.Duration(p.venue.plan.Seconds)*time.Second/2)) {
		return
	}
	if p.fate.stalled {
		p.link.stalled.Store(true)
	}
	if p.fate.cut {
		p.link.cut()
	}
}
