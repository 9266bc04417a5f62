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
	Markings     []exportedMarking     `json:"markings"`
	Log          []exportedCommand     `json:"log"`
	Notepad      string                `json:"notepad,omitempty"` // what the hosts have written down for themselves
}

type exportedSession struct {
	ID          string     `json:"id"`
	Title       string     `json:"title"`
	Phase       Phase      `json:"phase"`
	Version     int64      `json:"version"`
	CreatedAt   time.Time  `json:"createdAt"`
	FinishedAt  *time.Time `json:"finishedAt,omitempty"`
	ForgottenAt *time.Time `json:"forgottenAt,omitempty"` // when names and answers were deleted, some time after the end
	options
	Rounds []*roundPart `json:"rounds"`
}

type exportedParticipant struct {
	ID       string      `json:"id"`
	Name     string      `json:"name"`
	JoinedAt time.Time   `json:"joinedAt"`
	Removed  bool        `json:"removed"`
	Points   quiz.Points `json:"points"`
	Rank     int         `json:"rank,omitempty"` // absent for the removed
	Joker    int         `json:"joker,omitempty"`
	Phones   int         `json:"phones"`

	Adjustments []Adjustment `json:"adjustments,omitempty"`
}

type exportedQuestion struct {
	ID       string        `json:"id"`
	Status   string        `json:"status"`
	OpensAt  *time.Time    `json:"opensAt,omitempty"`
	ClosesAt *time.Time    `json:"closesAt,omitempty"`
	Voided   bool          `json:"voided,omitempty"`
	Content  quiz.Question `json:"content"`
}

type exportedAnswer struct {
	Participant string       `json:"participant"`
	Question    string       `json:"question"`
	ID          string       `json:"id"`
	Given       quiz.Given   `json:"given"`
	AnsweredAt  time.Time    `json:"answeredAt"`
	ElapsedMS   int          `json:"elapsedMs"`
	Points      *quiz.Points `json:"points,omitempty"` // absent until the question has closed, as are the others
	Verdict     quiz.Verdict `json:"verdict,omitempty"`
	By          quiz.By      `json:"by,omitempty"`
	Stake       *quiz.Points `json:"stake,omitempty"`
}

// exportedMarking is what the host decided about a group of typed answers.
type exportedMarking struct {
	Question string        `json:"question"`
	Group    string        `json:"group"`
	Verdict  quiz.Decision `json:"verdict"`
}

type exportedCommand struct {
	Version int64           `json:"version"`
	At      time.Time       `json:"at"`
	By      string          `json:"by"`              // "host", "participant" or "clock"
	Actor   string          `json:"actor,omitempty"` // of a host: the name
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
	err := s.readOnly(ctx, func(tx pgx.Tx) error {
		state, err := readState(ctx, tx, r.frozen, false)
		if err != nil {
			return err
		}
		e.Session = exportedSession{ID: r.publicID, Title: r.title, Phase: state.Phase, Version: state.Version, CreatedAt: r.createdAt, options: r.options}
		for number := range r.rounds {
			e.Session.Rounds = append(e.Session.Rounds, r.roundPart(number+1))
		}
		if err := tx.QueryRow(ctx, `SELECT finished_at, forgotten_at FROM sessions WHERE id = $1`, r.id).Scan(&e.Session.FinishedAt, &e.Session.ForgottenAt); err != nil {
			return err
		}
		if e.Participants, err = exportParticipants(ctx, tx, r.frozen, state); err != nil {
			return err
		}
		if e.Questions, err = exportQuestions(ctx, tx, r.id); err != nil {
			return err
		}
		if e.Answers, err = exportAnswers(ctx, tx, r.id); err != nil {
			return err
		}
		if e.Markings, err = exportMarkings(ctx, tx, r.id); err != nil {
			return err
		}
		if e.Log, err = exportLog(ctx, tx, r.id); err != nil {
			return err
		}
		notepad, err := readNotepad(ctx, tx, r.id)
		e.Notepad = notepad.Text
		return err
	})
	if err != nil {
		return Export{}, fmt.Errorf("session.Export: %w", err)
	}
	return e, nil
}

func exportParticipants(ctx context.Context, tx pgx.Tx, f *frozen, s State) ([]exportedParticipant, error) {
	known, standings, err := readParticipants(ctx, tx, f, s, s.Version+1)
	if err != nil {
		return nil, err
	}
	places := make(map[int64]Standing, len(standings))
	for _, st := range standings {
		places[st.participantID] = st
	}
	adjustments, err := readAdjustments(ctx, tx, f.id)
	if err != nil {
		return nil, err
	}
	rows, err := tx.Query(ctx, `SELECT id, public_id, name, joined_at, removed_at IS NOT NULL FROM participants WHERE session_id = $1 ORDER BY id`, f.id)
	if err != nil {
		return nil, err
	}
	return pgx.CollectRows(rows, func(row pgx.CollectableRow) (p exportedParticipant, err error) {
		var id int64
		err = row.Scan(&id, &p.ID, &p.Name, &p.JoinedAt, &p.Removed)
		p.Points, p.Rank = places[id].Points, places[id].Rank
		p.Joker, p.Phones, p.Adjustments = known[id].joker, known[id].phones, adjustments[id]
		return p, err
	})
}

func exportQuestions(ctx context.Context, tx pgx.Tx, id ID) ([]exportedQuestion, error) {
	rows, err := tx.Query(ctx, `
		SELECT round || '.' || number, status, opens_at, closes_at, voided, content FROM session_questions WHERE session_id = $1 ORDER BY round, number`, id)
	if err != nil {
		return nil, err
	}
	return pgx.CollectRows(rows, pgx.RowToStructByPos[exportedQuestion])
}

func exportAnswers(ctx context.Context, tx pgx.Tx, id ID) ([]exportedAnswer, error) {
	rows, err := tx.Query(ctx, `
		SELECT p.public_id, q.round || '.' || q.number, a.answer_id, a.given, a.answered_at, a.elapsed_ms, a.half_points,
			coalesce(a.verdict, ''), coalesce(a.verdict_by, ''), a.stake
		FROM answers a JOIN participants p ON p.id = a.participant_id JOIN session_questions q ON q.id = a.question_id
		WHERE a.session_id = $1 ORDER BY a.answered_at, p.id`, id)
	if err != nil {
		return nil, err
	}
	return pgx.CollectRows(rows, pgx.RowToStructByPos[exportedAnswer])
}

func exportMarkings(ctx context.Context, tx pgx.Tx, id ID) ([]exportedMarking, error) {
	rows, err := tx.Query(ctx, `
		SELECT q.round || '.' || q.number, m.folded, m.verdict
		FROM markings m JOIN session_questions q ON q.id = m.question_id
		WHERE m.session_id = $1 ORDER BY q.round, q.number, m.folded`, id)
	if err != nil {
		return nil, err
	}
	return pgx.CollectRows(rows, pgx.RowToStructByPos[exportedMarking])
}

func exportLog(ctx context.Context, tx pgx.Tx, id ID) ([]exportedCommand, error) {
	rows, err := tx.Query(ctx, `
		SELECT l.version, l.at, CASE WHEN l.actor_id IS NOT NULL THEN 'host' WHEN l.command = 'moveSeat' THEN 'participant' ELSE 'clock' END,
			coalesce(u.name, ''), l.command, l.detail
		FROM session_log l LEFT JOIN users u ON u.id = l.actor_id WHERE l.session_id = $1 ORDER BY l.version`, id)
	if err != nil {
		return nil, err
	}
	return pgx.CollectRows(rows, pgx.RowToStructByPos[exportedCommand])
}
