package session

import (
	"context"
	"encoding/json"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"

	"pubquiz/quiz"
)

// Export is everything stored about a session, for its host. Its JSON form is the protocol's.
type Export struct {
	Session      exportedSession       `json:"session"`
	Participants []exportedParticipant `json:"participants"`
	Questions    []exportedQuestion    `json:"questions"`
	Answers      []exportedAnswer      `json:"answers"`
	Log          []exportedCommand     `json:"log"`
}

type exportedSession struct {
	ID        string    `json:"id"`
	Title     string    `json:"title"`
	Phase     Phase     `json:"phase"`
	Version   int64     `json:"version"`
	CreatedAt time.Time `json:"createdAt"`
}

type exportedParticipant struct {
	ID       string      `json:"id"`
	Name     string      `json:"name"`
	JoinedAt time.Time   `json:"joinedAt"`
	Removed  bool        `json:"removed"`
	Points   quiz.Points `json:"points"`
	Rank     int         `json:"rank,omitempty"` // absent for the removed
}

type exportedQuestion struct {
	ID       string        `json:"id"`
	Status   string        `json:"status"`
	OpensAt  *time.Time    `json:"opensAt,omitempty"`
	ClosesAt *time.Time    `json:"closesAt,omitempty"`
	Content  quiz.Question `json:"content"`
}

type exportedAnswer struct {
	Participant string       `json:"participant"`
	Question    string       `json:"question"`
	ID          string       `json:"id"`
	Given       quiz.Given   `json:"given"`
	AnsweredAt  time.Time    `json:"answeredAt"`
	Points      *quiz.Points `json:"points,omitempty"` // absent until the question has closed
}

type exportedCommand struct {
	Version int64           `json:"version"`
	At      time.Time       `json:"at"`
	By      string          `json:"by"` // "host", "participant" or "clock"
	Command CommandName     `json:"command"`
	Detail  json.RawMessage `json:"detail"`
}

// Export reads everything stored about the host's session, at one moment.
func (s *Service) Export(ctx context.Context, v Viewer) (Export, error) {
	if v.Role != RoleHost {
		return Export{}, ErrNotFound
	}
	r := v.room
	var e Export
	err := pgx.BeginTxFunc(ctx, s.pool, pgx.TxOptions{IsoLevel: pgx.RepeatableRead, AccessMode: pgx.ReadOnly}, func(tx pgx.Tx) error {
		state, err := readState(ctx, tx, r.frozen, false)
		if err != nil {
			return err
		}
		e.Session = exportedSession{ID: r.publicID, Title: r.title, Phase: state.Phase, Version: state.Version, CreatedAt: r.createdAt}
		if e.Participants, err = exportParticipants(ctx, tx, r.frozen, state); err != nil {
			return err
		}
		if e.Questions, err = exportQuestions(ctx, tx, r.id); err != nil {
			return err
		}
		if e.Answers, err = exportAnswers(ctx, tx, r.id); err != nil {
			return err
		}
		e.Log, err = exportLog(ctx, tx, r.id)
		return err
	})
	if err != nil {
		return Export{}, fmt.Errorf("session.Export: %w", err)
	}
	return e, nil
}

func exportParticipants(ctx context.Context, tx pgx.Tx, f *frozen, s State) ([]exportedParticipant, error) {
	_, standings, err := readParticipants(ctx, tx, f, s)
	if err != nil {
		return nil, err
	}
	places := make(map[int64]Standing, len(standings))
	for _, st := range standings {
		places[st.participantID] = st
	}
	rows, err := tx.Query(ctx, `SELECT id, public_id, name, joined_at, removed_at IS NOT NULL FROM participants WHERE session_id = $1 ORDER BY id`, f.id)
	if err != nil {
		return nil, err
	}
	return pgx.CollectRows(rows, func(row pgx.CollectableRow) (p exportedParticipant, err error) {
		var participantID int64
		err = row.Scan(&participantID, &p.ID, &p.Name, &p.JoinedAt, &p.Removed)
		p.Points, p.Rank = places[participantID].Points, places[participantID].Rank
		return p, err
	})
}

func exportQuestions(ctx context.Context, tx pgx.Tx, id ID) ([]exportedQuestion, error) {
	rows, err := tx.Query(ctx, `
		SELECT round || '.' || number, status, opens_at, closes_at, content FROM session_questions WHERE session_id = $1 ORDER BY round, number`, id)
	if err != nil {
		return nil, err
	}
	return pgx.CollectRows(rows, pgx.RowToStructByPos[exportedQuestion])
}

func exportAnswers(ctx context.Context, tx pgx.Tx, id ID) ([]exportedAnswer, error) {
	rows, err := tx.Query(ctx, `
		SELECT p.public_id, q.round || '.' || q.number, a.answer_id, a.given, a.answered_at, a.half_points
		FROM answers a JOIN participants p ON p.id = a.participant_id JOIN session_questions q ON q.id = a.question_id
		WHERE a.session_id = $1 ORDER BY a.answered_at, p.id`, id)
	if err != nil {
		return nil, err
	}
	return pgx.CollectRows(rows, pgx.RowToStructByPos[exportedAnswer])
}

func exportLog(ctx context.Context, tx pgx.Tx, id ID) ([]exportedCommand, error) {
	rows, err := tx.Query(ctx, `
		SELECT version, at, CASE WHEN actor_id IS NOT NULL THEN 'host' WHEN command = 'moveSeat' THEN 'participant' ELSE 'clock' END, command, detail
		FROM session_log WHERE session_id = $1 ORDER BY version`, id)
	if err != nil {
		return nil, err
	}
	return pgx.CollectRows(rows, pgx.RowToStructByPos[exportedCommand])
}
