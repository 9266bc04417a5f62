package session

import (
	"context"
	"fmt"
	"log/slog"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"pubquiz/internal/coalesce"
)

// room is one session inside this process: the latest view, encoded for each role, and who watches it. Rooms hold
// nothing that is not in Postgres, apart from presence; losing one costs a read.
type room struct {
	*frozen
	service *Service
	refresh *coalesce.Runner
	wanted  atomic.Int64 // the newest version heard of
	current atomic.Pointer[published]
	reading turns       // by whoever reads a view, so that versions are published in their order
	past    atomic.Bool // of another epoch: the database was restored since
	changes turns       // by whoever changes the session: to wait for its row would take a connection to the database from everybody's sessions
	joins   turns       // by whoever joins, before that

	live livePart

	mu        sync.Mutex
	staff     []*Watcher // hosts and big screens
	presence  map[int64]*presence
	accepted  map[int64]answerView // answers to the question openedTo that this process has taken or read since the view
	openedTo  string               // the question on screen, "2.4"
	meanwhile map[int64]meanwhile  // whom their own phones have changed since the view
	deadline  *time.Timer
	usedAt    time.Time

	// What is shared with other instances.
	staffUntil     time.Time // a host or a big screen polls, unless it does not again
	moved          bool      // somebody came or went since the last exchange
	vouching       bool      // the last exchange named somebody
	sharedAt       time.Time
	elsewhere      map[int64]Via
	elsewhereUntil time.Time
}

// published is a view and its frames.
type published struct {
	*view
	participant, screen, host *Frame
}

// frame is the snapshot for a role.
func (p *published) frame(role Role) *Frame {
	switch role {
	case RoleParticipant:
		return p.participant
	case RoleScreen:
		return p.screen
	default:
		return p.host
	}
}

func newRoom(s *Service, f *frozen) *room {
	r := &room{frozen: f, service: s, presence: map[int64]*presence{}, accepted: map[int64]answerView{}, meanwhile: map[int64]meanwhile{}, reading: make(turns, 1), changes: make(turns, 1), joins: make(turns, 1)}
	r.refresh = coalesce.New(func() {
		ctx, cancel := context.WithTimeout(context.Background(), 5*time.Second)
		defer cancel()
		if err := r.catchUp(ctx, r.wanted.Load()); err != nil && !s.stopped.Load() {
			slog.Warn("reading a session failed; the next version check tries again", "session", r.publicID, "error", err)
		}
	})
	r.live.init(r)
	return r
}

// turns lets in one at a time, in the order in which they come.
type turns chan struct{}

// take waits for a turn, which is over when end is called.
func (t turns) take(ctx context.Context) (end func(), err error) {
	select {
	case t <- struct{}{}:
		return func() { <-t }, nil
	case <-ctx.Done():
		return nil, fmt.Errorf("waiting for a turn at a session: %w", ctx.Err())
	}
}

// toJoin is a turn to change the session for a join. Joins wait for each other first, so that a host's command waits for one of them and not for a whole pub.
func (r *room) toJoin(ctx context.Context) (end func(), err error) {
	endJoin, err := r.joins.take(ctx)
	if err != nil {
		return nil, err
	}
	endChange, err := r.changes.take(ctx)
	if err != nil {
		endJoin()
		return nil, err
	}
	return func() { endChange(); endJoin() }, nil
}

// heard is told that the session is at this version, or a later one.
func (r *room) heard(version int64) {
	for {
		wanted := r.wanted.Load()
		if version <= wanted && version <= r.version() {
			return
		}
		if version <= wanted || r.wanted.CompareAndSwap(wanted, version) {
			r.refresh.Signal()
			return
		}
	}
}

// catchUp reads and publishes the session unless this version, or a later one, has been published already.
func (r *room) catchUp(ctx context.Context, version int64) error {
	if r.version() >= version {
		return nil // without waiting for whoever reads the next
	}
	end, err := r.reading.take(ctx)
	if err != nil {
		return err
	}
	defer end()
	if r.version() >= version {
		return nil
	}
	began := time.Now()
	v, err := r.service.readView(ctx, r.frozen)
	if err != nil {
		return err
	}
	r.publish(v)
	r.service.metrics.views.Observe(time.Since(began).Seconds())
	return nil
}

// wrote publishes a version that has been committed. Where it cannot be read at the moment, the room reads it as soon as it can: what has been done must not look
// as if it had failed, or it is done again.
func (r *room) wrote(ctx context.Context, version int64) {
	if r.catchUp(ctx, version) != nil {
		r.heard(version)
	}
}

// publish encodes the view once for each role and wakes everyone who watches.
func (r *room) publish(v *view) {
	encode := func(role Role) *Frame { return newFrame(v.snapshotFor(role, r.service)) }
	p := &published{view: v, participant: encode(RoleParticipant), screen: encode(RoleScreen), host: encode(RoleHost)}
	r.mu.Lock()
	r.current.Store(p)
	if ref := questionRef(v.Round, v.Question); ref != r.openedTo {
		r.openedTo = ref
		clear(r.accepted)
	}
	r.forgetMeanwhile(v.Version)
	r.setDeadline(v)
	watchers := r.everyone()
	r.mu.Unlock()
	wakeAll(watchers)
	r.live.changed()
}

// clockSlack is by how much this process may think the database's clock to be ahead of what it is.
const clockSlack = 20 * time.Millisecond

// setDeadline makes the close of an open question prompt. It is a hint: the sweep closes what this timer misses.
func (r *room) setDeadline(v *view) {
	if r.deadline != nil {
		r.deadline.Stop()
	}
	at, open := v.deadline(r.service.grace)
	if !open {
		return
	}
	r.deadline = time.AfterFunc(at.Sub(r.service.now())+clockSlack, func() { r.service.closeExpired(context.Background(), r.id) })
}

func (r *room) version() int64 {
	if p := r.current.Load(); p != nil {
		return p.Version
	}
	return 0
}

// took remembers an answer that was accepted here, so that a view read just before it does not seem to say otherwise,
// and tells the participant's sockets: there may be a second tab.
func (r *room) took(participant int64, a Answer) {
	r.learn(participant, a.Question, answerView{id: a.ID, given: a.Given})
	r.mu.Lock()
	watchers := slices.Clone(r.presenceOf(participant).watchers)
	r.mu.Unlock()
	for _, w := range watchers {
		w.waker.Signal()
	}
	r.live.changed()
}

// learn keeps an answer that the latest view does not have.
func (r *room) learn(participant int64, question string, a answerView) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if question == r.openedTo {
		r.accepted[participant] = a
	}
}

// answerOf is the participant's answer to the question on screen, as far as this process knows.
func (r *room) answerOf(p *published, participant int64) *answerView {
	if a := find(p.answers, participant); a != nil || p.Phase != Open {
		return a
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	a := find(r.accepted, participant)
	if a == nil || r.openedTo != questionRef(p.Round, p.Question) {
		return nil
	}
	return a
}

// find is a copy of the participant's answer, made only where there is one: it is looked for once for every phone and version.
func find(answers map[int64]answerView, participant int64) *answerView {
	a, ok := answers[participant]
	if !ok {
		return nil
	}
	found := a
	return &found
}

// idle reports whether the room can be forgotten.
func (r *room) idle(since time.Time) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	return len(r.everyone()) == 0 && r.usedAt.Before(since)
}

func (r *room) touch() {
	r.mu.Lock()
	r.usedAt = time.Now()
	r.mu.Unlock()
}

func (r *room) stopDeadline() {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.deadline != nil {
		r.deadline.Stop()
	}
}
