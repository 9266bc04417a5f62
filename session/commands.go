package session

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/jackc/pgx/v5"

	"pubquiz/internal/postgres"
	"pubquiz/quiz"
)

// Command carries out the host's command in one transaction and returns the version it led to. Besides the errors of
// Apply it fails with ErrNoParticipant, and for a rename with *NameTakenError or *InvalidError.
func (s *Service) Command(ctx context.Context, v Viewer, c Command) (version int64, err error) {
	if v.Role != RoleHost {
		return 0, ErrNotFound
	}
	switch {
	case !slices.Contains(hostCommands, c.Command):
		return 0, ErrUnknownCommand
	case c.Participant != "" && !mayBeID(c.Participant), slices.ContainsFunc(c.Participants, func(id string) bool { return !mayBeID(id) }):
		return 0, ErrNoParticipant
	case strings.ContainsRune(c.NewName, 0): // which the log could not store
		return 0, &InvalidError{Field: "name", Detail: errUnreadable.Error()}
	}
	version, err = s.carryOut(ctx, v.room.frozen, &v.room.owner, func(State) Command { return c })
	if err != nil {
		return 0, err
	}
	if c.Command == SetCapacity { // which is also the budget of the room's venue
		if err := s.readVenues(ctx); err != nil {
			return 0, err
		}
	}
	return version, v.room.catchUp(ctx, version)
}

// timeUp closes the open question if its time and grace are over, and does nothing otherwise.
func (s *Service) timeUp(ctx context.Context, id ID) error {
	r, err := s.room(ctx, id)
	if err != nil {
		return err
	}
	version, err := s.carryOut(ctx, r.frozen, nil, func(now State) Command { return Command{Command: TimeUp, Version: now.Version} })
	if errors.Is(err, ErrNotNow) {
		return nil // the host, or another instance, was first
	}
	if err != nil {
		return err
	}
	return r.catchUp(ctx, version)
}

// carryOut locks the session, lets Apply decide, and writes what follows. choose is told the locked state. actor is nil
// for what no host ordered.
func (s *Service) carryOut(ctx context.Context, f *frozen, actor *quiz.OwnerID, choose func(State) Command) (version int64, err error) {
	err = postgres.InTx(ctx, s.pool, func(tx pgx.Tx) error {
		version, err = s.transition(ctx, tx, f, actor, choose)
		return err
	})
	return version, err
}

// transition is the one way from a version to the next.
func (s *Service) transition(ctx context.Context, tx pgx.Tx, f *frozen, actor *quiz.OwnerID, choose func(State) Command) (version int64, err error) {
	before, err := readState(ctx, tx, f, true)
	if err != nil {
		return 0, err
	}
	now, err := databaseNow(ctx, tx)
	if err != nil {
		return 0, err
	}
	c := choose(before)
	after, err := Apply(before, c, now, s.grace)
	if err != nil {
		return 0, err
	}
	if err := writeState(ctx, tx, f, before, after); err != nil {
		return 0, err
	}
	if err := s.writeEffects(ctx, tx, f, after, c); err != nil {
		return 0, err
	}
	return after.Version, writeLog(ctx, tx, f.id, after.Version, actor, c)
}

// writeEffects writes what a command means beyond the session's own row.
func (s *Service) writeEffects(ctx context.Context, tx pgx.Tx, f *frozen, after State, c Command) error {
	switch c.Command {
	case Close, TimeUp:
		return markAnswers(ctx, tx, f, after)
	case ShowStandings, Finish:
		return writeShownRanks(ctx, tx, f.id, after.Phase)
	case Rename:
		return renameParticipant(ctx, tx, f.id, c)
	case Remove:
		return removeParticipants(ctx, tx, f.id, []string{c.Participant})
	case ShutOut:
		return removeParticipants(ctx, tx, f.id, c.Participants)
	default:
		return nil
	}
}

// markAnswers writes what every answer to the question that has just closed earned.
func markAnswers(ctx context.Context, tx pgx.Tx, f *frozen, s State) error {
	q, questionID, ok := f.question(s.Round, s.Question)
	if !ok {
		return fmt.Errorf("session %d has no question %s", f.id, questionRef(s.Round, s.Question))
	}
	answers, err := readAnswers(ctx, tx, questionID)
	if err != nil {
		return err
	}
	participants, given := make([]int64, 0, len(answers)), make([]quiz.Given, 0, len(answers))
	for id, a := range answers {
		participants = append(participants, id)
		given = append(given, a.given)
	}
	points := make([]int32, len(given))
	for i, mark := range q.Mark(given, nil) {
		points[i] = int32(mark.Points)
	}
	_, err = tx.Exec(ctx, `
		UPDATE answers a SET half_points = m.half_points
		FROM unnest($2::bigint[], $3::int[]) AS m (participant_id, half_points)
		WHERE a.question_id = $1 AND a.participant_id = m.participant_id`, questionID, participants, points)
	if err != nil {
		return fmt.Errorf("marking the answers to question %d: %w", questionID, err)
	}
	return nil
}

// writeShownRanks remembers the standings that are being shown, so that the next ones can show the movement.
func writeShownRanks(ctx context.Context, tx pgx.Tx, id ID, phase Phase) error {
	_, standings, err := readParticipants(ctx, tx, id, phase)
	if err != nil {
		return err
	}
	participants, ranks := make([]int64, len(standings)), make([]int32, len(standings))
	for i, st := range standings {
		participants[i], ranks[i] = st.participantID, int32(st.Rank)
	}
	_, err = tx.Exec(ctx, `
		UPDATE participants p SET previous_rank = p.shown_rank, shown_rank = r.rank
		FROM unnest($2::bigint[], $3::int[]) AS r (id, rank)
		WHERE p.session_id = $1 AND p.id = r.id`, id, participants, ranks)
	if err != nil {
		return fmt.Errorf("writing the ranks of session %d: %w", id, err)
	}
	return nil
}

func renameParticipant(ctx context.Context, tx pgx.Tx, id ID, c Command) error {
	name, key, err := CleanName(c.NewName)
	if err != nil {
		return err
	}
	var taken bool
	err = tx.QueryRow(ctx, `
		SELECT EXISTS (SELECT FROM participants WHERE session_id = $1 AND name_key = $2 AND removed_at IS NULL AND public_id <> $3)`,
		id, key, c.Participant).Scan(&taken)
	if err != nil {
		return fmt.Errorf("looking for the name: %w", err)
	}
	if taken {
		return takenError(ctx, tx, id, name)
	}
	tag, err := tx.Exec(ctx, `UPDATE participants SET name = $3, name_key = $4 WHERE session_id = $1 AND public_id = $2 AND removed_at IS NULL`,
		id, c.Participant, name, key)
	if err != nil {
		return fmt.Errorf("renaming a participant: %w", err)
	}
	if tag.RowsAffected() == 0 {
		return ErrNoParticipant
	}
	return nil
}

// removeParticipants removes those of the named who are still in, and fails when there are none.
func removeParticipants(ctx context.Context, tx pgx.Tx, id ID, publicIDs []string) error {
	tag, err := tx.Exec(ctx, `
		UPDATE participants SET removed_at = clock_timestamp() WHERE session_id = $1 AND public_id = ANY ($2) AND removed_at IS NULL`, id, publicIDs)
	if err != nil {
		return fmt.Errorf("removing participants: %w", err)
	}
	if tag.RowsAffected() == 0 {
		return ErrNoParticipant
	}
	return nil
}

func writeLog(ctx context.Context, tx pgx.Tx, id ID, version int64, actor *quiz.OwnerID, c Command) error {
	detail, err := json.Marshal(struct {
		Participant  string   `json:"participant,omitempty"`
		Participants []string `json:"participants,omitempty"`
		Name         string   `json:"name,omitempty"`
		Capacity     int      `json:"capacity,omitempty"`
	}{c.Participant, c.Participants, c.NewName, c.Capacity})
	if err != nil {
		return err
	}
	_, err = tx.Exec(ctx, `INSERT INTO session_log (session_id, version, actor_id, command, detail) VALUES ($1, $2, $3, $4, $5)`,
		id, version, actor, c.Command, detail)
	if err != nil {
		return fmt.Errorf("writing the log of session %d: %w", id, err)
	}
	return nil
}
