package session

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"

	"github.com/jackc/pgx/v5"

	"pubquiz/quiz"
)

// meanwhile is a participant as their own phones have changed them without a new version: which round they double, how
// many they are.
type meanwhile struct {
	participantView
	version int64 // the session's when that was written: a later one has it
}

// heardOf remembers what a participant's phone has changed, and tells all of their sockets here.
func (r *room) heardOf(participant int64, m meanwhile) {
	r.mu.Lock()
	r.meanwhile[participant] = m
	watchers := slices.Clone(r.presenceOf(participant).watchers)
	r.mu.Unlock()
	for _, w := range watchers {
		w.waker.Signal()
	}
	r.live.changed()
}

// forgetMeanwhile forgets what a view has.
func (r *room) forgetMeanwhile(version int64) {
	maps.DeleteFunc(r.meanwhile, func(_ int64, m meanwhile) bool { return m.version < version })
}

// who is a participant as far as this process knows.
func (r *room) who(p *published, participant int64) (who participantView, known bool) {
	r.mu.Lock()
	m, changed := r.meanwhile[participant]
	r.mu.Unlock()
	if changed && m.version >= p.Version {
		return m.participantView, true
	}
	who, known = p.participants[participant]
	return who, known
}

// readWho reads a participant who is in, as of now. It fails with ErrRemoved when they are not.
func readWho(ctx context.Context, db querier, id ID, participant int64) (who participantView, err error) {
	err = db.QueryRow(ctx, `
		SELECT p.public_id, p.name, p.generation, coalesce(j.round, 0), 1 + (SELECT count(*) FROM members m WHERE m.participant_id = p.id)
		FROM participants p LEFT JOIN jokers j ON j.participant_id = p.id
		WHERE p.session_id = $1 AND p.id = $2 AND p.removed_at IS NULL`, id, participant).
		Scan(&who.publicID, &who.name, &who.generation, &who.joker, &who.phones)
	if errors.Is(err, pgx.ErrNoRows) {
		return who, ErrRemoved
	}
	if err != nil {
		return who, fmt.Errorf("reading participant %d: %w", participant, err)
	}
	return who, nil
}

// phonesChange reports whether phones may change something of their participant at this moment, so that only Postgres
// knows how it is.
func (v *view) phonesChange() bool {
	return v.Phase == Open || v.options.Teams != quiz.OnePhone || len(v.jokerRounds()) > 0
}
