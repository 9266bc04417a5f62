package session

import (
	"context"
	"fmt"

	"github.com/jackc/pgx/v5"

	"pubquiz/internal/words"
	"pubquiz/quiz"
)

// freezeStakes writes what is at stake of each wager on a question that has just closed, or is not void any more: from then on it stays that, whatever
// is marked again. What is at stake elsewhere cannot be staked again: the session's row is locked, so of two questions one
// closes first. Those who were removed have theirs frozen too, as they may be let back in.
func freezeStakes(ctx context.Context, tx pgx.Tx, f *frozen, q *quiz.Question, questionID int64) error {
	if !q.Wager {
		return nil
	}
	purse, err := readPoints(ctx, tx, f.id)
	if err != nil {
		return err
	}
	staked, err := readStaked(ctx, tx, f.id, questionID)
	if err != nil {
		return err
	}
	rows, err := tx.Query(ctx, `SELECT participant_id, given FROM answers WHERE session_id = $1 AND question_id = $2`, f.id, questionID)
	if err != nil {
		return fmt.Errorf("reading the wagers on question %d: %w", questionID, err)
	}
	type wager struct {
		Participant int64
		Given       quiz.Given
	}
	wagers, err := pgx.CollectRows(rows, pgx.RowToStructByPos[wager])
	if err != nil {
		return fmt.Errorf("reading the wagers on question %d: %w", questionID, err)
	}
	participants, stakes := make([]int64, len(wagers)), make([]int32, len(wagers))
	for i, w := range wagers {
		participants[i], stakes[i] = w.Participant, int32(stakeOf(w.Given.Wager, purse[w.Participant]-staked[w.Participant]))
	}
	_, err = tx.Exec(ctx, `
		UPDATE answers a SET stake = s.stake FROM unnest($2::bigint[], $3::int[]) AS s (participant_id, stake)
		WHERE a.question_id = $1 AND a.participant_id = s.participant_id`, questionID, participants, stakes)
	if err != nil {
		return fmt.Errorf("freezing the stakes on question %d: %w", questionID, err)
	}
	return nil
}

// markClosed marks a question that has just closed, or is not void any more.
func markClosed(ctx context.Context, tx pgx.Tx, f *frozen, at place) error {
	q, questionID, ok := f.question(at.round, at.number)
	if !ok {
		return fmt.Errorf("session %d has no question %s", f.id, questionRef(at.round, at.number))
	}
	if err := freezeStakes(ctx, tx, f, q, questionID); err != nil {
		return err
	}
	return markQuestion(ctx, tx, f, at)
}

// markQuestion writes what every answer to a question that has closed earned, of those who are in.
func markQuestion(ctx context.Context, tx pgx.Tx, f *frozen, at place) error {
	q, questionID, ok := f.question(at.round, at.number)
	if !ok {
		return fmt.Errorf("session %d has no question %s", f.id, questionRef(at.round, at.number))
	}
	answers, err := readAnswers(ctx, tx, f.id, questionID)
	if err != nil {
		return err
	}
	decided, err := readMarkings(ctx, tx, q, questionID)
	if err != nil {
		return err
	}
	r := &f.rounds[at.round-1]
	jokers, err := readJokers(ctx, tx, f.id, r, at.round)
	if err != nil {
		return err
	}
	participants, given := make([]int64, 0, len(answers)), make([]quiz.Given, 0, len(answers))
	for id, a := range answers {
		participants = append(participants, id)
		given = append(given, a.given)
	}
	n := len(answers)
	points, verdicts, by := make([]int32, n), make([]string, n), make([]string, n)
	for i, mark := range q.Mark(given, decided) {
		id := participants[i]
		a := scored{mark: mark, elapsed: answers[id].elapsed, joker: jokers[id]}
		if stake := answers[id].stake; stake != nil {
			a.stake = *stake
		}
		points[i], verdicts[i], by[i] = int32(score(r, q, a)), string(mark.Verdict), string(mark.By)
	}
	_, err = tx.Exec(ctx, `
		UPDATE answers a SET half_points = m.half_points, verdict = nullif(m.verdict, ''), verdict_by = nullif(m.verdict_by, '')
		FROM unnest($2::bigint[], $3::int[], $4::text[], $5::text[]) AS m (participant_id, half_points, verdict, verdict_by)
		WHERE a.question_id = $1 AND a.participant_id = m.participant_id`, questionID, participants, points, verdicts, by)
	if err != nil {
		return fmt.Errorf("marking the answers to question %d: %w", questionID, err)
	}
	return nil
}

// markAgain marks the questions of a kind that have closed.
func markAgain(ctx context.Context, tx pgx.Tx, f *frozen, s State, like func(*quiz.Question) bool) error {
	for i, r := range s.Rounds {
		for j, state := range r.Questions {
			closed := state.Status == StatusClosed || state.Status == StatusRevealed
			if !closed || state.Slide || !like(&f.rounds[i].Questions[j]) {
				continue
			}
			if err := markQuestion(ctx, tx, f, place{i + 1, j + 1}); err != nil {
				return err
			}
		}
	}
	return nil
}

// readMarkings reads what the host has decided about typed answers, by what they fold to.
func readMarkings(ctx context.Context, db querier, q *quiz.Question, questionID int64) (map[string]quiz.Decision, error) {
	if q.Kind != quiz.Text {
		return nil, nil
	}
	rows, err := db.Query(ctx, `SELECT folded, verdict FROM markings WHERE question_id = $1`, questionID)
	if err != nil {
		return nil, fmt.Errorf("reading the markings of question %d: %w", questionID, err)
	}
	decided := map[string]quiz.Decision{}
	var (
		folded   string
		decision quiz.Decision
	)
	_, err = pgx.ForEachRow(rows, []any{&folded, &decision}, func() error {
		decided[folded] = decision
		return nil
	})
	if err != nil {
		return nil, fmt.Errorf("reading the markings of question %d: %w", questionID, err)
	}
	return decided, nil
}

// readJokers reads who doubles the round.
func readJokers(ctx context.Context, db querier, id ID, r *quiz.Round, round int) (map[int64]bool, error) {
	if !r.Joker {
		return nil, nil
	}
	rows, err := db.Query(ctx, `SELECT participant_id FROM jokers WHERE session_id = $1 AND round = $2`, id, round)
	if err != nil {
		return nil, fmt.Errorf("reading the jokers of session %d: %w", id, err)
	}
	jokers := map[int64]bool{}
	var participantID int64
	_, err = pgx.ForEachRow(rows, []any{&participantID}, func() error {
		jokers[participantID] = true
		return nil
	})
	if err != nil {
		return nil, fmt.Errorf("reading the jokers of session %d: %w", id, err)
	}
	return jokers, nil
}

// readPoints reads what everyone has, as the standings count it.
func readPoints(ctx context.Context, db querier, id ID) (map[int64]quiz.Points, error) {
	rows, err := db.Query(ctx, `SELECT participant_id, coalesce(sum(half_points), 0) FROM (`+counted+`) AS c GROUP BY participant_id`, id)
	if err != nil {
		return nil, fmt.Errorf("reading the points of session %d: %w", id, err)
	}
	points := map[int64]quiz.Points{}
	var (
		participantID int64
		sum           quiz.Points
	)
	_, err = pgx.ForEachRow(rows, []any{&participantID, &sum}, func() error {
		points[participantID] = sum
		return nil
	})
	if err != nil {
		return nil, fmt.Errorf("reading the points of session %d: %w", id, err)
	}
	return points, nil
}

// readStaked reads what everyone has at stake on questions that have closed and are not void, and whose answer has not been shown, but for this one. There are
// such questions only where a round is revealed at its end.
func readStaked(ctx context.Context, db querier, id ID, but int64) (map[int64]quiz.Points, error) {
	rows, err := db.Query(ctx, `
		SELECT a.participant_id, sum(a.stake) FROM answers a JOIN session_questions q ON q.id = a.question_id
		WHERE a.session_id = $1 AND q.session_id = $1 AND q.id <> $2 AND q.status = 'closed' AND NOT q.voided AND a.stake > 0
		GROUP BY a.participant_id`, id, but)
	if err != nil {
		return nil, fmt.Errorf("reading what is at stake in session %d: %w", id, err)
	}
	staked := map[int64]quiz.Points{}
	var (
		participantID int64
		sum           quiz.Points
	)
	_, err = pgx.ForEachRow(rows, []any{&participantID, &sum}, func() error {
		staked[participantID] = sum
		return nil
	})
	if err != nil {
		return nil, fmt.Errorf("reading what is at stake in session %d: %w", id, err)
	}
	return staked, nil
}

// writeMarking writes a host's decision, or takes it back, and marks the question again. It fails with *InvalidError when
// nobody's answer folds to that text.
func writeMarking(ctx context.Context, tx pgx.Tx, f *frozen, c Command) error {
	round, number, _ := parseQuestionRef(c.Question)
	q, questionID, _ := f.question(round, number)
	if q.Kind != quiz.Text {
		return &InvalidError{"question", words.T("Only typed answers can be marked by hand.")}
	}
	answers, err := readAnswers(ctx, tx, f.id, questionID)
	if err != nil {
		return err
	}
	if !anyFolds(answers, c.folded) {
		return &InvalidError{"group", words.T("Nobody has given this answer.")}
	}
	if c.decision == "" {
		_, err = tx.Exec(ctx, `DELETE FROM markings WHERE question_id = $1 AND folded = $2`, questionID, c.folded)
	} else {
		_, err = tx.Exec(ctx, `
			INSERT INTO markings (session_id, question_id, folded, verdict) VALUES ($1, $2, $3, $4)
			ON CONFLICT (question_id, folded) DO UPDATE SET verdict = excluded.verdict`, f.id, questionID, c.folded, c.decision)
	}
	if err != nil {
		return fmt.Errorf("writing a marking of question %d: %w", questionID, err)
	}
	return markQuestion(ctx, tx, f, place{round, number})
}

func anyFolds(answers map[int64]answerView, folded string) bool {
	for _, a := range answers {
		if quiz.Fold(a.given.Text) == folded {
			return true
		}
	}
	return false
}
