package session

import (
	"context"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"

	"pubquiz/quiz"
)

// Results is the whole of a session for its host: who answered what, what it earned, and what the host added. Each row's
// points are the sum of what its answers to questions that count earned, and of its adjustments.
type Results struct {
	PublicID   string
	Title      string
	Phase      Phase
	CreatedAt  time.Time
	FinishedAt time.Time // zero before that

	ForgetsAt   time.Time // when its names and answers are deleted; zero while it is on, and where they are kept
	ForgottenAt time.Time // when they were; zero before that
	Forgotten   int       // how many had taken part

	Version   int64
	PublicURL string            // of the final standings; empty while they are not public
	Questions []ResultsQuestion // all of the quiz, in its order
	Rows      []ResultsRow      // those who are in, by rank
}

// ResultsQuestion is a question with what became of it.
type ResultsQuestion struct {
	ID         string // "2.4"
	Round      int
	RoundTitle string
	Number     int
	Question   quiz.Question // as the session asked it
	Status     Status
	Voided     bool
	Statistics Statistics
}

// Counts reports whether what the question's answers earned is part of the points.
func (q ResultsQuestion) Counts() bool { return q.Status == StatusRevealed && !q.Voided }

// ResultsRow is what one participant did.
type ResultsRow struct {
	PublicID    string
	Name        string
	Rank        int
	Points      quiz.Points
	Joker       int              // the round that they doubled; 0 for none
	Answers     []*ResultsAnswer // one for each question, nil where they gave none
	Adjustments []Adjustment
}

// ResultsAnswer is one participant's answer to one question.
type ResultsAnswer struct {
	Given   quiz.Given
	Verdict quiz.Verdict // "" before its question has closed, and for a poll
	By      quiz.By
	Earned  quiz.Points  // whether or not the question counts
	Stake   *quiz.Points // on a question that asks for a wager, once it has closed
	Elapsed time.Duration
}

// Adjustment is what a host gave or took. Its JSON form is a part of the export.
type Adjustment struct {
	Points quiz.Points `json:"points"`
	Reason string      `json:"reason"`
	At     time.Time   `json:"at"`
}

// Results reads the whole of a session, at one moment. It is for its host.
func (s *Service) Results(ctx context.Context, v Viewer) (Results, error) {
	if v.Role != RoleHost {
		return Results{}, ErrNotFound
	}
	f := v.room.frozen
	r := Results{PublicID: f.publicID, Title: f.title, CreatedAt: f.createdAt}
	err := s.readOnly(ctx, func(tx pgx.Tx) error {
		state, err := readState(ctx, tx, f, false)
		if err != nil {
			return err
		}
		r.Phase, r.Version, r.Questions = state.Phase, state.Version, resultsQuestions(f, state)
		if state.ResultsToken != "" {
			r.PublicURL = s.ResultsURL(state.ResultsToken)
		}
		participants, standings, err := readParticipants(ctx, tx, f, state, state.Version+1)
		if err != nil {
			return err
		}
		adjustments, err := readAdjustments(ctx, tx, f.id)
		if err != nil {
			return err
		}
		rows := make(map[int64]*ResultsRow, len(standings))
		r.Rows = make([]ResultsRow, len(standings))
		for i, st := range standings {
			p := participants[st.participantID]
			r.Rows[i] = ResultsRow{PublicID: p.publicID, Name: st.Name, Rank: st.Rank, Points: st.Points, Joker: p.joker,
				Answers: make([]*ResultsAnswer, len(r.Questions)), Adjustments: adjustments[st.participantID]}
			rows[st.participantID] = &r.Rows[i]
		}
		if err := readResultsAnswers(ctx, tx, f, rows); err != nil {
			return err
		}
		var finishedAt, forgottenAt *time.Time
		err = tx.QueryRow(ctx, `SELECT finished_at, forgotten_at, forgotten_participants FROM sessions WHERE id = $1`, f.id).Scan(&finishedAt, &forgottenAt, &r.Forgotten)
		r.FinishedAt, r.ForgottenAt = orZero(finishedAt), orZero(forgottenAt)
		if s.retention > 0 && finishedAt != nil && forgottenAt == nil {
			r.ForgetsAt = finishedAt.Add(s.retention)
		}
		return err
	})
	if err != nil {
		return Results{}, fmt.Errorf("session.Results: %w", err)
	}
	for i := range r.Questions {
		r.Questions[i].Statistics = r.statistics(i)
	}
	return r, nil
}

func resultsQuestions(f *frozen, s State) (questions []ResultsQuestion) {
	for i, r := range f.rounds {
		for j, q := range r.Questions {
			state := s.Rounds[i].Questions[j]
			questions = append(questions, ResultsQuestion{
				ID: questionRef(i+1, j+1), Round: i + 1, RoundTitle: r.Title, Number: j + 1, Question: q, Status: state.Status, Voided: state.Voided,
			})
		}
	}
	return questions
}

// readResultsAnswers puts every answer of a session into its row.
func readResultsAnswers(ctx context.Context, db querier, f *frozen, into map[int64]*ResultsRow) error {
	column := map[int64]int{}
	for _, round := range f.questions {
		for _, questionID := range round {
			column[questionID] = len(column)
		}
	}
	rows, err := db.Query(ctx, `
		SELECT participant_id, question_id, given, coalesce(verdict, ''), coalesce(verdict_by, ''), coalesce(half_points, 0), stake, elapsed_ms
		FROM answers WHERE session_id = $1`, f.id)
	if err != nil {
		return fmt.Errorf("reading the answers of session %d: %w", f.id, err)
	}
	var (
		participantID, questionID, elapsedMS int64
		a                                    ResultsAnswer
	)
	_, err = pgx.ForEachRow(rows, []any{&participantID, &questionID, &a.Given, &a.Verdict, &a.By, &a.Earned, &a.Stake, &elapsedMS}, func() error {
		if row := into[participantID]; row != nil {
			answer := a
			answer.Elapsed = time.Duration(elapsedMS) * time.Millisecond
			row.Answers[column[questionID]] = &answer
		}
		a = ResultsAnswer{} // the next row must not be decoded into this one's slices
		return nil
	})
	if err != nil {
		return fmt.Errorf("reading the answers of session %d: %w", f.id, err)
	}
	return nil
}

// readAdjustments reads what the hosts gave and took, by participant, the removed too.
func readAdjustments(ctx context.Context, db querier, id ID) (map[int64][]Adjustment, error) {
	rows, err := db.Query(ctx, `SELECT participant_id, half_points, reason, at FROM adjustments WHERE session_id = $1 ORDER BY id`, id)
	if err != nil {
		return nil, fmt.Errorf("reading the adjustments of session %d: %w", id, err)
	}
	adjustments := map[int64][]Adjustment{}
	var (
		participantID int64
		a             Adjustment
	)
	_, err = pgx.ForEachRow(rows, []any{&participantID, &a.Points, &a.Reason, &a.At}, func() error {
		adjustments[participantID] = append(adjustments[participantID], a)
		return nil
	})
	if err != nil {
		return nil, fmt.Errorf("reading the adjustments of session %d: %w", id, err)
	}
	return adjustments, nil
}
