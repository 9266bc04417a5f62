package session

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"

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
		SELECT s.public_id, s.owner_id, s.title, s.join_code, s.created_at, s.options, s.rounds, e.epoch
		FROM sessions s CROSS JOIN epoch e WHERE s.id = $1`, id).
		Scan(&f.publicID, &f.owner, &f.title, &f.joinCode, &f.createdAt, &f.options, &f.rounds, &f.epoch)
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
	query := `
		SELECT version, phase, round, question, coalesce(round_from, ''), coalesce(finished_from, ''), standings_shown,
			doors_locked, capacity, screen_generation, coalesce(results_token, '')
		FROM sessions WHERE id = $1`
	if lock {
		query += ` FOR NO KEY UPDATE`
	}
	s := State{Rounds: f.waiting()}
	err := db.QueryRow(ctx, query, f.id).Scan(&s.Version, &s.Phase, &s.Round, &s.Question, &s.RoundFrom, &s.FinishedFrom, &s.Shown,
		&s.DoorsLocked, &s.Capacity, &s.ScreenGeneration, &s.ResultsToken)
	if errors.Is(err, pgx.ErrNoRows) {
		return s, ErrNotFound
	}
	if err != nil {
		return s, fmt.Errorf("reading the state of session %d: %w", f.id, err)
	}
	// Not in one statement with the row: that would not see what a command changed for which it waited.
	if s.Cohosts, s.Invited, err = readCohosts(ctx, db, f.id); err != nil {
		return s, err
	}
	rows, err := db.Query(ctx, `
		SELECT round, number, status, opens_at, closes_at, paused_at, paused_for, voided
		FROM session_questions WHERE session_id = $1 AND (status <> 'waiting' OR voided)`, f.id)
	if err != nil {
		return s, fmt.Errorf("reading the questions of session %d: %w", f.id, err)
	}
	var (
		at                          place
		status                      Status
		opensAt, closesAt, pausedAt *time.Time
		pausedFor                   time.Duration
		voided                      bool
	)
	_, err = pgx.ForEachRow(rows, []any{&at.round, &at.number, &status, &opensAt, &closesAt, &pausedAt, &pausedFor, &voided}, func() error {
		q := &s.Rounds[at.round-1].Questions[at.number-1]
		q.Status, q.PausedFor, q.Voided = status, pausedFor, voided
		q.OpensAt, q.ClosesAt, q.PausedAt = orZero(opensAt), orZero(closesAt), orZero(pausedAt)
		return nil
	})
	if err != nil {
		return s, fmt.Errorf("reading the questions of session %d: %w", f.id, err)
	}
	return s, nil
}

func orZero(t *time.Time) time.Time {
	if t == nil {
		return time.Time{}
	}
	return *t
}

func orNull(t time.Time) *time.Time {
	if t.IsZero() {
		return nil
	}
	return &t
}

// readOnly reads everything as of one moment.
func (s *Service) readOnly(ctx context.Context, read func(pgx.Tx) error) error {
	return pgx.BeginTxFunc(ctx, s.pool, pgx.TxOptions{IsoLevel: pgx.RepeatableRead, AccessMode: pgx.ReadOnly}, read)
}

// readView reads a session at one version.
func (s *Service) readView(ctx context.Context, f *frozen) (*view, error) {
	v := &view{frozen: f}
	err := s.readOnly(ctx, func(tx pgx.Tx) (err error) {
		if v.State, err = readState(ctx, tx, f, false); err != nil {
			return err
		}
		if v.participants, v.standings, err = readParticipants(ctx, tx, f, v.State, v.Version); err != nil {
			return err
		}
		for i, st := range v.standings {
			p := v.participants[st.participantID]
			p.place = i + 1
			v.participants[st.participantID] = p
		}
		q, questionID, ok := f.question(v.Round, v.Question)
		if !ok || !v.onScreen() {
			return nil
		}
		if v.answers, err = readAnswers(ctx, tx, f.id, questionID); err != nil {
			return err
		}
		if q.Wager && v.Phase == Open {
			v.staked, err = readStaked(ctx, tx, f.id, questionID)
		}
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("readView: %w", err)
	}
	return v, nil
}

// readAnswers reads the answers to one question, by participant, without those of the removed.
func readAnswers(ctx context.Context, db querier, id ID, questionID int64) (map[int64]answerView, error) {
	rows, err := db.Query(ctx, `
		SELECT a.participant_id, a.answer_id, a.given, a.elapsed_ms, a.half_points, coalesce(a.verdict, ''), coalesce(a.verdict_by, ''), a.stake
		FROM answers a JOIN participants p ON p.id = a.participant_id
		WHERE a.session_id = $1 AND a.question_id = $2 AND p.removed_at IS NULL`, id, questionID)
	if err != nil {
		return nil, fmt.Errorf("reading the answers to question %d: %w", questionID, err)
	}
	answers := map[int64]answerView{}
	var (
		participantID, elapsedMS int64
		a                        answerView
	)
	_, err = pgx.ForEachRow(rows, []any{&participantID, &a.id, &a.given, &elapsedMS, &a.earned, &a.verdict, &a.by, &a.stake}, func() error {
		a.elapsed = time.Duration(elapsedMS) * time.Millisecond
		answers[participantID] = a
		a = answerView{} // the next row must not be decoded into this one's slices
		return nil
	})
	if err != nil {
		return nil, fmt.Errorf("reading the answers to question %d: %w", questionID, err)
	}
	return answers, nil
}

// noWayBack are the constraints that keep a session from coming back from its end: by now its code leads to another session, or its names and answers were deleted.
var noWayBack = []string{"uq_sessions_live_join_code", "ck_sessions_forgotten"}

// writeState writes what a command changed, bumps nothing by itself (Apply did), and tells every instance. It fails with
// ErrNotNow when a session that had finished cannot go on.
func writeState(ctx context.Context, tx pgx.Tx, f *frozen, before, after State) error {
	_, err := tx.Exec(ctx, `
		UPDATE sessions SET version = $2, phase = $3, round = $4, question = $5, round_from = nullif($6, ''), finished_from = nullif($7, ''),
			standings_shown = $8, doors_locked = $9, capacity = $10, screen_generation = $11, results_token = nullif($12, ''),
			changed_at = clock_timestamp(), finished_at = CASE WHEN $3 = 'finished' THEN coalesce(finished_at, clock_timestamp()) END
		WHERE id = $1`, f.id, after.Version, after.Phase, after.Round, after.Question, after.RoundFrom, after.FinishedFrom,
		after.Shown, after.DoorsLocked, after.Capacity, after.ScreenGeneration, after.ResultsToken)
	if broken, ok := errors.AsType[*pgconn.PgError](err); ok && slices.Contains(noWayBack, broken.ConstraintName) {
		return ErrNotNow
	}
	if err != nil {
		return fmt.Errorf("writing the state of session %d: %w", f.id, err)
	}
	for i, r := range after.Rounds {
		for j, q := range r.Questions {
			if q == before.Rounds[i].Questions[j] {
				continue
			}
			if err := writeQuestion(ctx, tx, f.questions[i][j], q); err != nil {
				return err
			}
		}
	}
	return announce(ctx, tx, f.id, after.Version)
}

// announce tells all instances, once the transaction has committed, that the session has a new version.
func announce(ctx context.Context, tx pgx.Tx, id ID, version int64) error {
	if _, err := tx.Exec(ctx, `SELECT pg_notify($1, $2)`, changedChannel, fmt.Sprintf("%d:%d", id, version)); err != nil {
		return fmt.Errorf("announcing session %d: %w", id, err)
	}
	return nil
}

// writeQuestion writes how far a question has come. For a close, this waits for the answers that are being stored, which
// hold the row FOR SHARE; later ones find it closed.
func writeQuestion(ctx context.Context, tx pgx.Tx, id int64, q QuestionState) error {
	_, err := tx.Exec(ctx, `
		UPDATE session_questions SET status = $2, opens_at = $3, closes_at = $4, paused_at = $5, paused_for = $6, voided = $7 WHERE id = $1`,
		id, q.Status, orNull(q.OpensAt), orNull(q.ClosesAt), orNull(q.PausedAt), q.PausedFor, q.Voided)
	if err != nil {
		return fmt.Errorf("writing question %d: %w", id, err)
	}
	return nil
}

// databaseNow reads the clock that decides, after whatever the transaction had to wait for.
func databaseNow(ctx context.Context, db querier) (now time.Time, err error) {
	if err := db.QueryRow(ctx, `SELECT clock_timestamp()`).Scan(&now); err != nil {
		return now, fmt.Errorf("reading the database's clock: %w", err)
	}
	return now, nil
}
