package session

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"

	"pubquiz/quiz"
)

// querier is a pool or a transaction.
type querier interface {
	Query(ctx context.Context, sql string, args ...any) (pgx.Rows, error)
	QueryRow(ctx context.Context, sql string, args ...any) pgx.Row
}

// readFrozen reads what never changes of a session.
func readFrozen(ctx context.Context, db querier, id ID) (*frozen, error) {
	f := &frozen{id: id}
	err := db.QueryRow(ctx, `
		SELECT s.public_id, s.owner_id, s.title, s.join_code, s.created_at, s.rounds, e.epoch
		FROM sessions s CROSS JOIN epoch e WHERE s.id = $1`, id).
		Scan(&f.publicID, &f.owner, &f.title, &f.joinCode, &f.createdAt, &f.rounds, &f.epoch)
	if errors.Is(err, pgx.ErrNoRows) {
		return nil, ErrNotFound
	}
	if err != nil {
		return nil, fmt.Errorf("reading session %d: %w", id, err)
	}
	rows, err := db.Query(ctx, `SELECT round, id, content FROM session_questions WHERE session_id = $1 ORDER BY round, number`, id)
	if err != nil {
		return nil, fmt.Errorf("reading the questions of session %d: %w", id, err)
	}
	f.questions = make([][]int64, len(f.rounds))
	var (
		round      int
		questionID int64
		content    quiz.Question
	)
	_, err = pgx.ForEachRow(rows, []any{&round, &questionID, &content}, func() error {
		r := &f.rounds[round-1]
		r.Questions = append(r.Questions, content)
		f.questions[round-1] = append(f.questions[round-1], questionID)
		content = quiz.Question{} // the next row must not be decoded into this one's slices
		return nil
	})
	if err != nil {
		return nil, fmt.Errorf("reading the questions of session %d: %w", id, err)
	}
	return f, nil
}

// readState reads the changing part of a session. With lock, the row stays locked against other commands and joins
// until the transaction ends.
func readState(ctx context.Context, db querier, f *frozen, lock bool) (State, error) {
	query := `SELECT version, phase, round, question, doors_locked, capacity, screen_generation FROM sessions WHERE id = $1`
	if lock {
		query += ` FOR NO KEY UPDATE`
	}
	s := State{Program: f.program()}
	err := db.QueryRow(ctx, query, f.id).Scan(&s.Version, &s.Phase, &s.Round, &s.Question, &s.DoorsLocked, &s.Capacity, &s.ScreenGeneration)
	if errors.Is(err, pgx.ErrNoRows) {
		return s, ErrNotFound
	}
	if err != nil {
		return s, fmt.Errorf("reading the state of session %d: %w", f.id, err)
	}
	if _, questionID, ok := f.question(s.Round, s.Question); ok && s.onScreen() {
		err := db.QueryRow(ctx, `SELECT opens_at, closes_at FROM session_questions WHERE id = $1`, questionID).Scan(&s.OpensAt, &s.ClosesAt)
		if err != nil {
			return s, fmt.Errorf("reading the times of question %d: %w", questionID, err)
		}
	}
	return s, nil
}

// readView reads a session at one version.
func (s *Service) readView(ctx context.Context, f *frozen) (*view, error) {
	v := &view{frozen: f}
	err := pgx.BeginTxFunc(ctx, s.pool, pgx.TxOptions{IsoLevel: pgx.RepeatableRead, AccessMode: pgx.ReadOnly}, func(tx pgx.Tx) (err error) {
		if v.State, err = readState(ctx, tx, f, false); err != nil {
			return err
		}
		if v.participants, v.standings, err = readParticipants(ctx, tx, f.id, v.Phase); err != nil {
			return err
		}
		for i, st := range v.standings {
			p := v.participants[st.participantID]
			p.place = i + 1
			v.participants[st.participantID] = p
		}
		if _, questionID, ok := f.question(v.Round, v.Question); ok && v.onScreen() {
			v.answers, err = readAnswers(ctx, tx, questionID)
		}
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("readView: %w", err)
	}
	return v, nil
}

// readParticipants reads everyone who ever joined, and the standings of those who are still in. Points are the sum of
// what revealed questions earned.
func readParticipants(ctx context.Context, db querier, id ID, phase Phase) (map[int64]participantView, []Standing, error) {
	rows, err := db.Query(ctx, `
		SELECT p.id, p.public_id, p.name, p.generation, p.removed_at IS NOT NULL, coalesce(p.shown_rank, 0), coalesce(p.previous_rank, 0),
			coalesce(sum(a.half_points) FILTER (WHERE q.status = 'revealed'), 0)
		FROM participants p
		LEFT JOIN answers a ON a.participant_id = p.id
		LEFT JOIN session_questions q ON q.id = a.question_id
		WHERE p.session_id = $1
		GROUP BY p.id`, id)
	if err != nil {
		return nil, nil, fmt.Errorf("reading the participants of session %d: %w", id, err)
	}
	participants := map[int64]participantView{}
	var (
		standings               []Standing
		participantID           int64
		p                       participantView
		shownRank, previousRank int
		points                  quiz.Points
	)
	_, err = pgx.ForEachRow(rows, []any{&participantID, &p.publicID, &p.name, &p.generation, &p.removed, &shownRank, &previousRank, &points}, func() error {
		participants[participantID] = p
		if p.removed {
			return nil
		}
		was := shownRank
		if phase == Standings || phase == Finished { // showing them has moved the ranks on
			was = previousRank
		}
		standings = append(standings, Standing{participantID: participantID, Name: p.name, Points: points, Was: was})
		return nil
	})
	if err != nil {
		return nil, nil, fmt.Errorf("reading the participants of session %d: %w", id, err)
	}
	rank(standings)
	return participants, standings, nil
}

// readAnswers reads the answers to one question, by participant, without those of the removed.
func readAnswers(ctx context.Context, db querier, questionID int64) (map[int64]answerView, error) {
	rows, err := db.Query(ctx, `
		SELECT a.participant_id, a.answer_id, a.given, a.half_points
		FROM answers a JOIN participants p ON p.id = a.participant_id
		WHERE a.question_id = $1 AND p.removed_at IS NULL`, questionID)
	if err != nil {
		return nil, fmt.Errorf("reading the answers to question %d: %w", questionID, err)
	}
	answers := map[int64]answerView{}
	var (
		participantID int64
		id            string
		given         quiz.Given
		half          *quiz.Points
	)
	_, err = pgx.ForEachRow(rows, []any{&participantID, &id, &given, &half}, func() error {
		answers[participantID] = answerView{id: id, given: given, half: half}
		given, half = quiz.Given{}, nil
		return nil
	})
	if err != nil {
		return nil, fmt.Errorf("reading the answers to question %d: %w", questionID, err)
	}
	return answers, nil
}

// writeState writes what a command changed, bumps nothing by itself (Apply did), and tells every instance.
func writeState(ctx context.Context, tx pgx.Tx, f *frozen, before, after State) error {
	_, err := tx.Exec(ctx, `
		UPDATE sessions SET version = $2, phase = $3, round = $4, question = $5, doors_locked = $6, capacity = $7, screen_generation = $8, changed_at = clock_timestamp(),
			finished_at = CASE WHEN $3 = 'finished' THEN coalesce(finished_at, clock_timestamp()) END
		WHERE id = $1`, f.id, after.Version, after.Phase, after.Round, after.Question, after.DoorsLocked, after.Capacity, after.ScreenGeneration)
	if err != nil {
		return fmt.Errorf("writing the state of session %d: %w", f.id, err)
	}
	if status, changed := questionStatus(before, after); changed {
		_, questionID, _ := f.question(after.Round, after.Question)
		// For a close, this waits for the answers that are being stored, which hold the row FOR SHARE; later ones find
		// it closed.
		_, err := tx.Exec(ctx, `UPDATE session_questions SET status = $2, opens_at = $3, closes_at = $4 WHERE id = $1`,
			questionID, status, after.OpensAt, after.ClosesAt)
		if err != nil {
			return fmt.Errorf("writing question %d: %w", questionID, err)
		}
	}
	if _, err := tx.Exec(ctx, `SELECT pg_notify($1, $2)`, changedChannel, fmt.Sprintf("%d:%d", f.id, after.Version)); err != nil {
		return fmt.Errorf("announcing session %d: %w", f.id, err)
	}
	return nil
}

// questionStatus says what becomes of the question on screen.
func questionStatus(before, after State) (status Phase, changed bool) {
	switch after.Phase {
	case Open, Closed, Revealed:
		return after.Phase, after.Phase != before.Phase
	default:
		return "", false
	}
}

// databaseNow reads the clock that decides, after whatever the transaction had to wait for.
func databaseNow(ctx context.Context, db querier) (now time.Time, err error) {
	if err := db.QueryRow(ctx, `SELECT clock_timestamp()`).Scan(&now); err != nil {
		return now, fmt.Errorf("reading the database's clock: %w", err)
	}
	return now, nil
}
