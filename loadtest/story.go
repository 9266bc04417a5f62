package loadtest

import (
	"sync"
	"time"
)

// Story is what happened in a run, moment by moment. Times count from its beginning.
type Story struct {
	Began      time.Time
	Lanes      []Lane   // of all phones, by venue and number
	Moments    []Moment // in order
	Samples    []Sample // the phones' requests, in no order
	Refused    BySecond // by limiter: all but bots
	BotRefused BySecond // by limiter
}

// Lane is what one phone went through.
type Lane struct {
	Venue, Phone int // from 1
	Changes      []Change
	Marks        []Mark
}

// longestOut is the longest that the phone, once it had a socket, was without one until it had one again.
func (l Lane) longestOut() (longest time.Duration) {
	var lost time.Duration // 0: it has one, or had none yet
	had := false
	for _, c := range l.Changes {
		switch {
		case c.To == OnSocket && lost > 0:
			longest, lost = max(longest, c.At-lost), 0
		case c.To == OnSocket:
			had = true
		case had && lost == 0:
			lost = c.At
		}
	}
	return longest
}

// Change says how a phone is from a moment on.
type Change struct {
	At time.Duration
	To State
}

// State is how a phone is.
type State string

const (
	Scanning State = "scanning" // loads the page and joins
	Waiting  State = "waiting"  // to get in, as it was asked to
	Polling  State = "polling"  // is in, without a socket
	OnSocket State = "socket"
	Left     State = "left"
)

// Mark is what a phone did or was told at one moment: "answered", or the limiter that refused it.
type Mark struct {
	At   time.Duration
	What string
}

// Launched is the kind of the samples that are no requests: from a launch until the question is on a phone, by socket.
const Launched = "launched"

// Answered is the mark of an accepted answer.
const Answered = "answered"

// Moment is something that everybody in a venue saw: a launch, or a misfortune that lasted for a while.
type Moment struct {
	At    time.Duration
	Until time.Duration // 0 for a launch
	Venue int           // from 1; 0: all
	What  string
}

// Sample is one request that got a reply.
type Sample struct {
	At   time.Duration // of the reply
	Took time.Duration
	Kind string
}

// BySecond counts things by name, for each second of the run.
type BySecond map[string][]int

func (b BySecond) add(at time.Duration, name string) {
	second := int(max(at, 0) / time.Second)
	for len(b[name]) <= second {
		b[name] = append(b[name], 0)
	}
	b[name][second]++
}

// lane writes a phone's lane. The lane of others, nil, keeps nothing.
type lane struct {
	began time.Time // the run
	mu    sync.Mutex
	lane  Lane
}

func (l *lane) is(s State) {
	if l == nil {
		return
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	if n := len(l.lane.Changes); n > 0 && l.lane.Changes[n-1].To == s {
		return
	}
	l.lane.Changes = append(l.lane.Changes, Change{time.Since(l.began), s})
}

func (l *lane) mark(what string) {
	if l == nil {
		return
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	l.lane.Marks = append(l.lane.Marks, Mark{time.Since(l.began), what})
}

func (l *lane) written() Lane {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.lane
}
