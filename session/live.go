package session

import (
	"cmp"
	"context"
	"fmt"
	"log/slog"
	"slices"
	"sync"
	"time"

	"github.com/jackc/pgx/v5"

	"pubquiz/internal/coalesce"
	"pubquiz/quiz"
)

// liveSpacing bounds the live part to four updates a second.
const liveSpacing = 250 * time.Millisecond

// liveSnapshot is the JSON form of what moves between versions.
type liveSnapshot struct {
	Joined       int               `json:"joined"`
	Connected    int               `json:"connected"`
	Answered     int               `json:"answered"`
	Names        []string          `json:"names,omitempty"`        // big screen, in the lobby
	Participants []liveParticipant `json:"participants,omitempty"` // host
	Notepad      int               `json:"notepad,omitempty"`      // host: its revision
}

type liveParticipant struct {
	participant int64

	ID       string      `json:"id"`
	Name     string      `json:"name"`
	Via      Via         `json:"via"`
	Answered bool        `json:"answered"`
	Points   quiz.Points `json:"points"`
	Joker    int         `json:"joker,omitempty"`  // the round that they double
	Stake    quiz.Points `json:"stake,omitempty"`  // on the question on screen
	Phones   int         `json:"phones,omitempty"` // of a team that has several
}

// livePart keeps the live part of a room, read at most four times a second and only while somebody looks at it.
type livePart struct {
	room    *room
	refresh *coalesce.Runner

	reading sync.Mutex // held while it is read
	mu      sync.Mutex
	frames  map[Role]*Frame
	seated  []liveParticipant
	readAt  time.Time
	timer   *time.Timer
}

func (l *livePart) init(r *room) {
	l.room = r
	l.frames = map[Role]*Frame{}
	l.refresh = coalesce.New(func() {
		ctx, cancel := context.WithTimeout(context.Background(), 5*time.Second)
		defer cancel()
		if err := l.update(ctx, time.Now()); err != nil && !r.service.stopped.Load() {
			slog.Warn("reading who has answered failed", "session", r.publicID, "error", err)
		}
	})
}

// changed says that something moved. Watchers hear of it at the next of the four moments in a second.
func (l *livePart) changed() {
	if !l.room.staffWatches() {
		return
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.timer != nil {
		return
	}
	wait := max(0, liveSpacing-time.Since(l.readAt))
	l.timer = time.AfterFunc(wait, func() {
		l.mu.Lock()
		l.timer = nil
		l.mu.Unlock()
		l.refresh.Signal()
	})
}

// latest is the live part as last read; nil before that.
func (l *livePart) latest(role Role) *Frame {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.frames[role]
}

// named finds a participant among those who were in when the live part was last read.
func (l *livePart) named(participant int64) (publicID, name string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, p := range l.seated {
		if p.participant == participant {
			return p.ID, p.Name
		}
	}
	return "", ""
}

// read returns the live part, at most a quarter of a second old.
func (l *livePart) read(ctx context.Context, role Role) (*Frame, error) {
	if err := l.update(ctx, time.Now().Add(-liveSpacing)); err != nil {
		return nil, err
	}
	return l.latest(role), nil
}

// update reads the live part, unless that was begun since then: of many who ask at once, one reads.
func (l *livePart) update(ctx context.Context, since time.Time) error {
	l.reading.Lock()
	defer l.reading.Unlock()
	l.mu.Lock()
	fresh := l.readAt.After(since)
	l.mu.Unlock()
	if fresh {
		return nil
	}
	began := time.Now()
	p := l.room.current.Load()
	host, err := l.room.readLive(ctx, p)
	if err != nil {
		return err
	}
	screen := liveSnapshot{Joined: host.Joined, Connected: host.Connected, Answered: host.Answered}
	if p.Phase == Lobby {
		for _, participant := range host.Participants {
			screen.Names = append(screen.Names, participant.Name)
		}
	}
	changed := false
	l.mu.Lock()
	l.readAt, l.seated = began, host.Participants
	for role, frame := range map[Role]*Frame{RoleHost: newFrame(host), RoleScreen: newFrame(screen)} {
		if old := l.frames[role]; old == nil || string(old.Body) != string(frame.Body) {
			l.frames[role] = frame
			changed = true
		}
	}
	l.mu.Unlock()
	if changed {
		l.room.wakeStaff()
	}
	return nil
}

// readLive reads who is in and who has answered the question on screen, in order of joining.
func (r *room) readLive(ctx context.Context, p *published) (liveSnapshot, error) {
	_, questionID, _ := r.question(p.Round, p.Question)
	rows, err := r.service.pool.Query(ctx, `
		SELECT p.id, p.public_id, p.name, a.participant_id IS NOT NULL, coalesce(j.round, 0),
			coalesce(a.stake, (2 * (a.given ->> 'wager')::numeric)::integer, 0), coalesce(team.phones, 0)
		FROM participants p LEFT JOIN answers a ON a.participant_id = p.id AND a.question_id = $2
			LEFT JOIN jokers j ON j.participant_id = p.id
			LEFT JOIN (
				SELECT participant_id, 1 + count(*) AS phones FROM members WHERE session_id = $1 GROUP BY participant_id
			) team ON team.participant_id = p.id
		WHERE p.session_id = $1 AND p.removed_at IS NULL
		ORDER BY p.id`, r.id, questionID)
	if err != nil {
		return liveSnapshot{}, fmt.Errorf("readLive: %w", err)
	}
	live := liveSnapshot{Participants: []liveParticipant{}}
	present := r.present(time.Now())
	var lp liveParticipant
	_, err = pgx.ForEachRow(rows, []any{&lp.participant, &lp.ID, &lp.Name, &lp.Answered, &lp.Joker, &lp.Stake, &lp.Phones}, func() error {
		lp.Via, lp.Points = cmp.Or(present[lp.participant], ViaAway), 0
		if st := p.standing(p.participants[lp.participant]); st != nil {
			lp.Points = st.Points
		}
		live.Joined++
		if lp.Via != ViaAway {
			live.Connected++
		}
		if lp.Answered {
			live.Answered++
		}
		live.Participants = append(live.Participants, lp)
		return nil
	})
	if err != nil {
		return liveSnapshot{}, fmt.Errorf("readLive: %w", err)
	}
	notepad, err := readNotepad(ctx, r.service.pool, r.id)
	if err != nil {
		return liveSnapshot{}, fmt.Errorf("readLive: %w", err)
	}
	live.Notepad = notepad.Revision
	return live, nil
}

// staffWatches reports whether a host or a big screen watches.
func (r *room) staffWatches() bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	return len(r.staff) > 0
}

func (r *room) wakeStaff() {
	r.mu.Lock()
	staff := slices.Clone(r.staff)
	r.mu.Unlock()
	for _, w := range staff {
		w.waker.Signal()
	}
}

// everyone lists all watchers.
func (r *room) everyone() []*Watcher {
	all := slices.Clone(r.staff)
	for _, p := range r.presence {
		all = append(all, p.watchers...)
	}
	return all
}
