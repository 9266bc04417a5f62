package session

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"

	"pubquiz/quiz"
)

// Viewer is someone whose right to look at a session has been checked, and in which role. Only the Service makes them.
type Viewer struct {
	Role Role
	Seat Seat // of a participant; Session is set for every role

	room *room
}

// AsParticipant checks a verified seat against the session of this public id. It costs no query once the session's room is loaded. It fails with
// ErrNotParticipant when the token belongs to another session or was replaced by a newer one, and with ErrRemoved.
func (s *Service) AsParticipant(ctx context.Context, publicID string, seat Seat) (Viewer, error) {
	r, err := s.room(ctx, seat.Session)
	if errors.Is(err, ErrNotFound) || err == nil && r.publicID != publicID {
		return Viewer{}, ErrNotParticipant
	}
	if err != nil {
		return Viewer{}, err
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
	var generation int
	if err := s.pool.QueryRow(ctx, `SELECT screen_generation FROM sessions WHERE id = $1`, seat.Session).Scan(&generation); err != nil {
		return Viewer{}, fmt.Errorf("session.AsScreen: %w", err)
	}
	if r.publicID != publicID || generation != seat.Generation {
		return Viewer{}, ErrNotFound
	}
	return Viewer{Role: RoleScreen, Seat: Seat{Session: seat.Session}, room: r}, nil
}

// AsHost checks that the host owns the session of this public id. Another host's session is as unknown as one that does not exist.
func (s *Service) AsHost(ctx context.Context, publicID string, host quiz.OwnerID) (Viewer, error) {
	if !mayBeID(publicID) {
		return Viewer{}, ErrNotFound
	}
	var id ID
	err := s.pool.QueryRow(ctx, `SELECT id FROM sessions WHERE public_id = $1 AND owner_id = $2`, publicID, host).Scan(&id)
	if errors.Is(err, pgx.ErrNoRows) {
		return Viewer{}, ErrNotFound
	}
	if err != nil {
		return Viewer{}, fmt.Errorf("session.AsHost: %w", err)
	}
	r, err := s.room(ctx, id)
	return Viewer{Role: RoleHost, Seat: Seat{Session: id}, room: r}, err
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
func (s *Service) JoinCode(v Viewer) string { return v.room.joinCode }

// NameOf returns the public id and the name of a participant of the viewer's session, as far as this process knows them without a query.
func (s *Service) NameOf(v Viewer, participant int64) (publicID, name string) {
	if p, ok := v.room.current.Load().participants[participant]; ok {
		return p.publicID, p.name
	}
	return v.room.live.named(participant)
}

// stillAllowed fails when the participant was removed, or moved to another phone, by the latest version.
func (v Viewer) stillAllowed() error {
	if v.Role != RoleParticipant {
		return nil
	}
	p, known := v.room.current.Load().participants[v.Seat.Participant]
	switch {
	case !known: // joined since the latest version; a removal would have made a newer one
		return nil
	case p.removed:
		return ErrRemoved
	case p.generation != v.Seat.Generation:
		return ErrNotParticipant
	default:
		return nil
	}
}

// Sight is all that a viewer may see.
type Sight struct {
	Epoch   string
	Version int64
	Shared  *Frame // the snapshot, the same bytes for everyone in the role
	Own     *Frame // the personal part of a participant, the live part of host and big screen
	Open    bool   // a question is taking answers
}

// Pollers is how many participants of the viewer's session follow it by polling at the moment, as this process sees it.
func (s *Service) Pollers(v Viewer) int {
	now, n := time.Now(), 0
	v.room.mu.Lock()
	defer v.room.mu.Unlock()
	for _, p := range v.room.presence {
		if p.via(now) == ViaPoll {
			n++
		}
	}
	return n
}

// Look returns what a viewer may see now. A participant counts as present by polling until patience has passed without another look.
func (s *Service) Look(ctx context.Context, v Viewer, patience time.Duration) (Sight, error) {
	sight := v.room.sight(v.Role)
	if v.Role == RoleParticipant {
		v.room.sawPoll(v.Seat.Participant, patience)
		own, err := v.room.freshPersonal(ctx, v.Seat.Participant)
		sight.Own = own
		return sight, err
	}
	own, err := v.room.live.read(ctx, v.Role)
	sight.Own = own
	return sight, err
}

func (r *room) sight(role Role) Sight {
	p := r.current.Load()
	return Sight{Epoch: p.epoch, Version: p.Version, Shared: p.frames[role], Open: p.Phase == Open}
}

// freshPersonal reads from Postgres what the latest view cannot know: an answer to the open question, a participant who joined since.
func (r *room) freshPersonal(ctx context.Context, participant int64) (*Frame, error) {
	p := r.current.Load()
	if _, known := p.participants[participant]; known && p.Phase != Open {
		return r.personal(p, participant), nil
	}
	_, questionID, _ := r.question(p.Round, p.Question)
	var (
		publicID, name string
		answerID       *string
		given          *quiz.Given
	)
	err := r.service.pool.QueryRow(ctx, `
		SELECT p.public_id, p.name, a.answer_id, a.given
		FROM participants p LEFT JOIN answers a ON a.participant_id = p.id AND a.question_id = $3
		WHERE p.session_id = $1 AND p.id = $2 AND p.removed_at IS NULL`, r.id, participant, questionID).Scan(&publicID, &name, &answerID, &given)
	if errors.Is(err, pgx.ErrNoRows) {
		return nil, ErrNotParticipant
	}
	if err != nil {
		return nil, fmt.Errorf("reading participant %d: %w", participant, err)
	}
	var answer *answerView
	if answerID != nil {
		answer = &answerView{id: *answerID, given: *given}
		r.learn(participant, questionRef(p.Round, p.Question), *answer)
	}
	return newFrame(p.personalFor(publicID, name, p.standing(participant), answer)), nil
}

// personal cuts a participant's part from the view; nil when the view is older than they are.
func (r *room) personal(p *published, participant int64) *Frame {
	who, known := p.participants[participant]
	if !known {
		return nil
	}
	return newFrame(p.personalFor(who.publicID, who.name, p.standing(participant), r.answerOf(p, participant)))
}

// Watcher is a viewer who wants to know of every change. Its methods return the newest state, so that a watcher who is slow to look skips
// versions and never holds anyone up.
type Watcher struct {
	Viewer
	wake func()
}

// Watcher returns a watcher for the viewer, who hears of nothing before Start.
func (s *Service) Watcher(v Viewer) *Watcher { return &Watcher{Viewer: v} }

// Start has wake called on every change until Stop. wake must not block.
func (w *Watcher) Start(wake func()) {
	w.wake = wake
	w.room.enter(w)
}

// Stop ends what Start began.
func (w *Watcher) Stop() { w.room.leave(w) }

// Now returns the newest sight, and ErrRemoved or ErrNotParticipant when the viewer may no longer look. Own is nil where there is nothing
// newer than what First gave.
func (w *Watcher) Now() (Sight, error) {
	if err := w.stillAllowed(); err != nil {
		return Sight{}, err
	}
	sight := w.room.sight(w.Role)
	if w.Role == RoleParticipant {
		sight.Own = w.room.personal(w.room.current.Load(), w.Seat.Participant)
	} else {
		sight.Own = w.room.live.latest(w.Role)
	}
	return sight, nil
}

// First returns the sight to begin with, read as freshly as a poll's.
func (w *Watcher) First(ctx context.Context) (Sight, error) {
	err := w.stillAllowed() // it may have changed before Start
	if err != nil {
		return Sight{}, err
	}
	sight := w.room.sight(w.Role)
	if w.Role == RoleParticipant {
		sight.Own, err = w.room.freshPersonal(ctx, w.Seat.Participant)
	} else {
		sight.Own, err = w.room.live.read(ctx, w.Role)
	}
	return sight, err
}
