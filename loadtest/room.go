package loadtest

import (
	"context"
	"fmt"
	"sync"
	"time"
)

// room is a venue's phones.
type room struct {
	venue  *venue
	phones []*phone
	seated sync.WaitGroup // until every phone is in or has given up
	left   sync.WaitGroup // until every phone has seen the end

	mu      sync.Mutex
	entries []entry // by phone
	lastIn  time.Duration
	joined  int
	shutOut []error // phones that were in
}

// fill lets the phones arrive and play.
func fill(ctx context.Context, v *venue) *room {
	chance := newDice(v.plan.Seed, uint64(v.number)<<32)
	arrivals := chance.arrivals(v.plan.Phones, v.plan.Arrive)
	doomed := chance.chosen(v.plan.Phones, v.plan.CutSocket)
	r := &room{venue: v, entries: make([]entry, v.plan.Phones)}
	opened := time.Now()
	for i, arrival := range arrivals {
		p := newPhone(v, i+1, doomed[i])
		r.phones = append(r.phones, p)
		r.seated.Add(1)
		r.left.Go(func() {
			defer p.browser.close()
			sleep(ctx, arrival)
			e := p.enter(ctx)
			r.note(i, e, time.Since(opened))
			r.seated.Done()
			if e.err != nil {
				return
			}
			if err := p.play(ctx); err != nil {
				r.lost(err)
			}
		})
	}
	return r
}

func (r *room) note(i int, e entry, at time.Duration) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.entries[i] = e
	if e.err != nil {
		return
	}
	r.joined++
	r.lastIn = max(r.lastIn, at)
	r.venue.rec.join.add(e.took)
	r.venue.progress.Joined(r.venue.number, r.joined)
}

func (r *room) lost(err error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.shutOut = append(r.shutOut, err)
}

// receive returns when everybody is in or has given up.
func (h *host) receive(ctx context.Context, r *room) error {
	seated := make(chan struct{})
	go func() {
		r.seated.Wait()
		close(seated)
	}()
	if h.venue.doors != nil {
		if err := h.guard(ctx, seated); err != nil {
			return err
		}
	}
	<-seated
	return nil
}

// evening is what became of a venue's evening.
type evening struct {
	joined          int
	keptOut         []string // why, for each phone that never got in or was shut out
	delayed         int      // phones that had to wait to get in
	longestWait     time.Duration
	lastIn          time.Duration // since the doors opened
	acknowledged    int
	stored          int
	missing         []string // answers acknowledged, and not stored as they were given
	questionsMissed int      // over all phones that were in
	revealsMissed   int
	sawEverything   int // phones that saw every question
	screenMissed    int
	botJoins        int
	botJoinsMinute  int // the most within a minute
}

// evening sums up, once everybody has left, and holds what the phones were told against what the server stored.
func (r *room) evening(stored exported) evening {
	r.mu.Lock()
	defer r.mu.Unlock()
	e := evening{joined: r.joined, lastIn: r.lastIn, stored: len(stored.Answers)}
	e.botJoins, e.botJoinsMinute = r.venue.intruders.count()
	for _, err := range r.shutOut {
		e.keptOut = append(e.keptOut, err.Error())
	}
	answers := stored.byPlace()
	for i, p := range r.phones {
		entry := r.entries[i]
		if entry.waited > 0 {
			e.delayed++
			e.longestWait = max(e.longestWait, entry.waited)
		}
		if entry.err != nil {
			e.keptOut = append(e.keptOut, entry.err.Error())
			continue
		}
		e.add(p, answers)
	}
	return e
}

// place is where one answer goes: a participant's, to a question.
type place struct{ participant, question string }

func (s exported) byPlace() map[place][]answer {
	by := map[place][]answer{}
	for _, a := range s.Answers {
		at := place{a.Participant, a.Question}
		by[at] = append(by[at], a.answer)
	}
	return by
}

func (e *evening) add(p *phone, stored map[place][]answer) {
	p.mu.Lock()
	defer p.mu.Unlock()
	questions := p.venue.plan.Questions
	e.questionsMissed += questions - len(p.seen)
	e.revealsMissed += questions - len(p.reveals)
	if len(p.seen) == questions {
		e.sawEverything++
	}
	for id, told := range p.accepted {
		e.acknowledged++
		found := stored[place{p.participant, id}]
		if len(found) != 1 || found[0].ID != told.ID || !found[0].Given.equal(told.Given) {
			e.missing = append(e.missing, fmt.Sprintf("participant %s, question %s: told that %s was stored, found %+v",
				p.participant, id, told.ID, found))
		}
	}
}
