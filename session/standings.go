package session

import (
	"cmp"
	"context"
	"fmt"

	"github.com/jackc/pgx/v5"
)

// counted is every number that counts: what answers to revealed questions earned that are not void, and what the host gave
// and took. overtime is how much longer than its question's time an answer took, in milliseconds.
const counted = `
	SELECT a.participant_id, a.half_points, CASE WHEN a.verdict IS NULL THEN 0 ELSE a.elapsed_ms - 1000 * q.seconds END AS overtime
	FROM answers a JOIN session_questions q ON q.id = a.question_id
	WHERE a.session_id = $1 AND q.session_id = $1 AND q.status = 'revealed' AND NOT q.voided
	UNION ALL
	SELECT participant_id, half_points, 0 FROM adjustments WHERE session_id = $1`

// readParticipants reads everyone who ever joined, and the standings of those who are still in and came before the session had this version.
func readParticipants(ctx context.Context, db querier, f *frozen, s State, version int64) (map[int64]participantView, []Standing, error) {
	shown := s.Shown
	if s.showsStandings() { // showing them has written their ranks down
		shown--
	}
	rows, err := db.Query(ctx, `
		SELECT p.id, p.public_id, p.name, p.generation, p.joined_in, p.removed_at IS NOT NULL, coalesce(p.shown_ranks[$2], 0),
			coalesce(c.points, 0), coalesce(c.overtime, 0), coalesce(j.round, 0), 1 + coalesce(team.members, 0)
		FROM participants p
		LEFT JOIN (
			SELECT participant_id, sum(half_points) AS points, sum(overtime) AS overtime FROM (`+counted+`) AS c GROUP BY participant_id
		) c ON c.participant_id = p.id
		LEFT JOIN jokers j ON j.participant_id = p.id
		LEFT JOIN (
			SELECT participant_id, count(*) AS members FROM members WHERE session_id = $1 GROUP BY participant_id
		) team ON team.participant_id = p.id
		WHERE p.session_id = $1`, f.id, shown)
	if err != nil {
		return nil, nil, fmt.Errorf("reading the participants of session %d: %w", f.id, err)
	}
	participants := map[int64]participantView{}
	var (
		standings []Standing
		p         participantView
		joinedIn  int64
		st        Standing
	)
	_, err = pgx.ForEachRow(rows, []any{&st.participantID, &p.publicID, &p.name, &p.generation, &joinedIn, &p.removed, &st.Was,
		&st.Points, &st.overtime, &p.joker, &p.phones}, func() error {
		participants[st.participantID] = p
		if !p.removed && joinedIn < version {
			st.Name = p.name
			standings = append(standings, st)
		}
		return nil
	})
	if err != nil {
		return nil, nil, fmt.Errorf("reading the participants of session %d: %w", f.id, err)
	}
	if err := addTieBreaks(ctx, db, f, s, standings); err != nil {
		return nil, nil, err
	}
	rank(standings, f.options.TiesByTime)
	return participants, standings, nil
}

// addTieBreaks adds to the standings how everyone did in the tie-breaks that have been revealed.
func addTieBreaks(ctx context.Context, db querier, f *frozen, s State, standings []Standing) error {
	for _, at := range f.tieBreaks() {
		if state := s.Rounds[at.round-1].Questions[at.number-1]; state.Status != StatusRevealed || state.Voided {
			continue
		}
		q, questionID, _ := f.question(at.round, at.number)
		answers, err := readAnswers(ctx, db, f.id, questionID)
		if err != nil {
			return err
		}
		ranks := tieBreakRanks(q, answers)
		for i := range standings {
			st := &standings[i]
			st.tieBreaks = append(st.tieBreaks, cmp.Or(ranks[st.participantID], noTieBreak))
		}
	}
	return nil
}

// writeShownRanks remembers the standings that are being shown, so that the next ones can show the movement.
func writeShownRanks(ctx context.Context, tx pgx.Tx, f *frozen, s State) error {
	_, standings, err := readParticipants(ctx, tx, f, s, s.Version)
	if err != nil {
		return err
	}
	participants, ranks := make([]int64, len(standings)), make([]int32, len(standings))
	for i, st := range standings {
		participants[i], ranks[i] = st.participantID, int32(st.Rank)
	}
	_, err = tx.Exec(ctx, `
		UPDATE participants p SET shown_ranks[$4] = r.rank
		FROM unnest($2::bigint[], $3::int[]) AS r (id, rank)
		WHERE p.session_id = $1 AND p.id = r.id`, f.id, participants, ranks, s.Shown)
	if err != nil {
		return fmt.Errorf("writing the ranks of session %d: %w", f.id, err)
	}
	return nil
}

// forgetShownRanks takes back what was written of standings that are not to have been shown.
func forgetShownRanks(ctx context.Context, tx pgx.Tx, f *frozen, s State) error {
	_, err := tx.Exec(ctx, `UPDATE participants SET shown_ranks = shown_ranks[:$2] WHERE session_id = $1 AND cardinality(shown_ranks) > $2`, f.id, s.Shown)
	if err != nil {
		return fmt.Errorf("taking back the ranks of session %d: %w", f.id, err)
	}
	return nil
}
