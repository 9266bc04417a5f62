package session

import (
	"context"
	"errors"
	"fmt"
	"net/netip"
	"time"

	"github.com/jackc/pgx/v5"

	"pubquiz/quiz"
)

// Viewer is someone whose right to look at a session has been checked, and in which role. Only the Service makes them.
type Viewer struct {
	Role Role
	Seat Seat         // of a participant; Session is set for every role
	Host quiz.OwnerID // of a host: who it is

	room *room
}

// AsParticipant checks a verified seat against the session of this public id. It costs no query once the session's room
// is loaded. It fails with ErrNotParticipant when the token belongs to another session or was replaced by a newer one,
// with ErrRemoved, and with ErrSeatLost when the session is gone.
func (s *Service) AsParticipant(ctx context.Context, publicID string, seat Seat) (Viewer, error) {
	r, err := s.room(ctx, seat.Session)
	switch {
	case errors.Is(err, ErrNotFound):
		return Viewer{}, ErrSeatLost
	case err != nil:
		return Viewer{}, err
	case r.publicID != publicID:
		return Viewer{}, ErrNotParticipant
	}
	v := Viewer{Role: RoleParticipant, Seat: seat, room: r}
	return v, v.stillAllowed()
}

// AsScreen checks a verified big screen's token against the session of this public id.
func (s *Service) AsScreen(ctx context.Context, publicID string, seat ScreenSeat) (Viewer, error) {
	r, err := s.room(ctx, seat.Session)
	if err != nil {
		return Viewer{}, err
	}
	v := Viewer{Role: RoleScreen, Seat: Seat{Session: seat.Session, Generation: seat.Generation}, room: r}
	err = v.stillAllowed()
	if r.publicID != publicID || errors.Is(err, ErrNotParticipant) {
		return Viewer{}, ErrNotFound
	}
	return v, err
}

// ScreenSeat returns what the token of the big screen of the host's session is to say.
func (v Viewer) ScreenSeat() ScreenSeat {
	return ScreenSeat{Session: v.room.id, Generation: v.room.current.Load().ScreenGeneration}
}

// AsHost checks that the host owns the session of this public id, or is one of its co-hosts. Another host's session is as
// unknown as one that does not exist.
func (s *Service) AsHost(ctx context.Context, publicID string, host quiz.OwnerID) (Viewer, error) {
	if !mayBeID(publicID) {
		return Viewer{}, ErrNotFound
	}
	var (
		id      ID
		version int64
	)
	err := s.pool.QueryRow(ctx, `
		SELECT id, version FROM sessions s WHERE public_id = $1
			AND (owner_id = $2 OR EXISTS (SELECT FROM cohosts c WHERE c.session_id = s.id AND c.user_id = $2))`, publicID, host).Scan(&id, &version)
	if errors.Is(err, pgx.ErrNoRows) {
		return Viewer{}, ErrNotFound
	}
	if err != nil {
		return Viewer{}, fmt.Errorf("session.AsHost: %w", err)
	}
	r, err := s.room(ctx, id)
	if err != nil {
		return Viewer{}, err
	}
	v := Viewer{Role: RoleHost, Seat: Seat{Session: id}, Host: host, room: r}
	if v.stillAllowed() != nil { // this process has yet to hear of a new co-host
		err = r.catchUp(ctx, version)
	}
	return v, err
}

// Participant returns a participant's public id and name.
func (s *Service) Participant(ctx context.Context, v Viewer) (publicID, name string, err error) {
	err = s.pool.QueryRow(ctx, `SELECT public_id, name FROM participants WHERE id = $1`, v.Seat.Participant).Scan(&publicID, &name)
	if err != nil {
		return "", "", fmt.Errorf("reading participant %d: %w", v.Seat.Participant, err)
	}
	return publicID, name, nil
}

// JoinCode returns the join code of the viewer's session.
func (v Viewer) JoinCode() string { return v.room.joinCode }

// NameOf returns the public id and the name of a participant of the viewer's session, as far as this process knows them
// without a query.
func (v Viewer) NameOf(participant int64) (publicID, name string) {
	if p, ok := v.room.current.Load().participants[participant]; ok {
		return p.publicID, p.name
	}
	return v.room.live.named(participant)
}

// stillAllowed fails when the participant was removed or moved to another phone, the co-host was removed, or the big
// screen's token ended, by the latest version.
func (v Viewer) stillAllowed() error { return v.allowedBy(v.room.current.Load().view) }

func (v Viewer) allowedBy(latest *view) error {
	if v.room.past.Load() {
		return ErrRestored
	}
	switch v.Role {
	case RoleHost:
		if v.Host != v.room.owner && !latest.hasCohost(v.Host) {
			return ErrRemoved
		}
		return nil
	case RoleScreen:
		if v.Seat.Generation < latest.ScreenGeneration {
			return ErrNotParticipant
		}
		return nil
	}
	p, known := latest.participants[v.Seat.Participant]
	switch {
	case !known: // joined since the latest version; a removal would have made a newer one
		return nil
	case p.removed:
		return ErrRemoved
	case v.Seat.Member == 0 && p.generation != v.Seat.Generation: // a team's other phones do not move
		return ErrNotParticipant
	default:
		return nil
	}
}

// Gone reports whether this process knows, without a query, that a seat is nobody's any more: the participant was
// removed, or moved to another phone.
func (s *Service) Gone(seat Seat) bool { return s.gone(Viewer{Role: RoleParticipant, Seat: seat}) }

// GoneScreen is Gone for a big screen, whose link may have been renewed.
func (s *Service) GoneScreen(seat ScreenSeat) bool {
	return s.gone(Viewer{Role: RoleScreen, Seat: Seat{Session: seat.Session, Generation: seat.Generation}})
}

func (s *Service) gone(v Viewer) bool {
	v.room = s.loadedRoom(v.Seat.Session)
	if v.room == nil {
		return false
	}
	latest := v.room.current.Load()
	return latest != nil && v.allowedBy(latest.view) != nil
}

// Sight is all that a viewer may see.
type Sight struct {
	Epoch   string
	Version int64
	Shared  *Frame // the snapshot, the same bytes for everyone in the role
	Own     *Frame // the personal part of a participant, the live part of host and big screen
	Open    bool   // a question is taking answers
}

// Look returns what a viewer may see now, who asks from a network. They count as present by polling until patience has passed
// without another look.
func (s *Service) Look(ctx context.Context, v Viewer, from netip.Prefix, patience time.Duration) (Sight, error) {
	sight := v.room.current.Load().sight(v.Role)
	if v.Role == RoleParticipant {
		v.room.sawPoll(v.Seat.Participant, from, patience)
		own, err := v.room.freshPersonal(ctx, v.Seat)
		if err != nil {
			return Sight{}, err
		}
		sight.Own = newFrame(own)
		return sight, nil
	}
	v.room.sawStaffPoll(patience)
	own, err := v.room.live.read(ctx, v.Role)
	sight.Own = own
	return sight, err
}

func (p *published) sight(role Role) Sight {
	return Sight{Epoch: p.epoch, Version: p.Version, Shared: p.frame(role), Open: p.Phase == Open}
}

// freshPersonal reads from Postgres what the latest view cannot know: an answer to the open question, a participant who
// joined since, and what their phones have changed.
func (r *room) freshPersonal(ctx context.Context, seat Seat) (personal, error) {
	p := r.current.Load()
	if who, known := p.participants[seat.Participant]; known && !p.phonesChange() {
		return p.personalFor(seat, who, r.answerOf(p, seat.Participant)), nil
	}
	_, questionID, _ := r.question(p.Round, p.Question)
	var (
		who      participantView
		removed  bool
		answerID *string
		given    *quiz.Given
	)
	err := r.service.pool.QueryRow(ctx, `
		SELECT p.public_id, p.name, p.removed_at IS NOT NULL, coalesce(j.round, 0), 1 + (SELECT count(*) FROM members m WHERE m.participant_id = p.id), a.answer_id, a.given
		FROM participants p LEFT JOIN jokers j ON j.participant_id = p.id LEFT JOIN answers a ON a.participant_id = p.id AND a.question_id = $3
		WHERE p.session_id = $1 AND p.id = $2`, r.id, seat.Participant, questionID).
		Scan(&who.publicID, &who.name, &removed, &who.joker, &who.phones, &answerID, &given)
	switch {
	case errors.Is(err, pgx.ErrNoRows):
		return personal{}, ErrSeatLost
	case err != nil:
		return personal{}, fmt.Errorf("reading participant %d: %w", seat.Participant, err)
	case removed:
		return personal{}, ErrRemoved // which the room is about to hear, too
	}
	answer := r.answerOf(p, seat.Participant)
	if answerID != nil && p.Phase == Open {
		answer = &answerView{id: *answerID, given: *given}
		r.learn(seat.Participant, questionRef(p.Round, p.Question), *answer)
	}
	return p.personalFor(seat, who, answer), nil
}

// personal cuts a participant's part from the view; known is false for who has joined since.
func (r *room) personal(p *published, seat Seat) (own personal, known bool) {
	who, known := r.who(p, seat.Participant)
	return p.personalFor(seat, who, r.answerOf(p, seat.Participant)), known
}

// Watcher is a viewer who wants to know of every change. Its methods return the newest state, so that a watcher who is
// slow to look skips versions and never holds anyone up. Only one goroutine may look at a time.
type Watcher struct {
	Viewer
	waker Waker
	told  uint64 // the digest of the own part that was given last
}

// Waker is told of changes, and has the watcher look again. Neither waits for anything: Signal leaves it to another
// goroutine, Run looks and passes on what it saw, or has somebody else pass it on.
type Waker interface {
	Signal()
	Run()
}

// Watcher returns a watcher for the viewer, who hears of nothing before Start.
func (s *Service) Watcher(v Viewer) *Watcher { return &Watcher{Viewer: v} }

// Start has the waker told of every change until Stop.
func (w *Watcher) Start(waker Waker) {
	w.waker = waker
	w.room.enter(w)
}

// Stop ends what Start began.
func (w *Watcher) Stop() { w.room.leave(w) }

// Now returns the newest sight, and ErrRemoved, ErrNotParticipant or ErrRestored when the viewer may no longer look. Own is nil
// where there is nothing newer than what First or Now gave before.
func (w *Watcher) Now() (Sight, error) {
	p := w.room.current.Load()
	if err := w.allowedBy(p.view); err != nil {
		return Sight{}, err
	}
	sight := p.sight(w.Role)
	if w.Role != RoleParticipant {
		if live := w.room.live.latest(w.Role); live != nil && w.news(live.digest()) {
			sight.Own = live
		}
		return sight, nil
	}
	// At most versions nothing has changed for most phones, so that is found out before anything is encoded.
	if own, known := w.room.personal(p, w.Seat); known && w.news(own.digest()) {
		sight.Own = newFrame(own)
	}
	return sight, nil
}

// First returns the sight to begin with, read as freshly as a poll's.
func (w *Watcher) First(ctx context.Context) (Sight, error) {
	p := w.room.current.Load()
	if err := w.allowedBy(p.view); err != nil { // it may have changed before Start
		return Sight{}, err
	}
	sight := p.sight(w.Role)
	if w.Role != RoleParticipant {
		live, err := w.room.live.read(ctx, w.Role)
		if err != nil {
			return Sight{}, err
		}
		w.told, sight.Own = live.digest(), live
		return sight, nil
	}
	own, err := w.room.freshPersonal(ctx, w.Seat)
	if err != nil {
		return Sight{}, err
	}
	w.told, sight.Own = own.digest(), newFrame(own)
	return sight, nil
}

// news reports whether the digest is not the one of last time.
func (w *Watcher) news(digest uint64) bool {
	if digest == w.told {
		return false
	}
	w.told = digest
	return true
}
