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
	seated sync.WaitGroup // until every phone that comes before the quiz is in or has given up
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
	arrivals := chance.arrivals(v.plan)
	fates := chance.fates(v.plan)
	r := &room{venue: v, entries: make([]entry, v.plan.Phones)}
	opened := time.Now()
	for i, arrival := range arrivals {
		p := newPhone(v, i+1, fates[i])
		r.phones = append(r.phones, p)
		early := arrival <= v.plan.Arrive
		if early {
			r.seated.Add(1)
		}
		r.left.Go(func() {
			defer p.browser.close()
			sleep(ctx, arrival)
			e := p.enter(ctx)
			r.note(i, e, time.Since(opened))
			if early {
				r.seated.Done()
			}
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
	sumsChecked     map[string]int // participants, by format
	sumsWrong       []string
	lanes           []Lane
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
		e.lanes = append(e.lanes, p.browser.lane.written())
		if entry.waited > 0 {
			e.delayed++
			e.longestWait = max(e.longestWait, entry.waited)
		}
		if entry.err != nil {
			e.keptOut = append(e.keptOut, entry.err.Error())
			continue
		}
		e.add(p, entry.seated, answers)
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

// add counts what a phone got of the evening. What was launched before it was seated it cannot have missed.
func (e *evening) add(p *phone, seated time.Time, stored map[place][]answer) {
	asked := p.venue.launchedSince(seated)
	p.mu.Lock()
	defer p.mu.Unlock()
	missed := 0
	for _, question := range asked {
		if !p.seen[question] {
			missed++
		}
		if !p.reveals[question] {
			e.revealsMissed++
		}
	}
	e.questionsMissed += missed
	if missed == 0 {
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
