package session

import (
	"context"
	"errors"
	"fmt"

	"github.com/jackc/pgx/v5"

	"pubquiz/internal/postgres"
	"pubquiz/internal/words"
	"pubquiz/quiz"
)

// PlayJoker has the participant double a round, or none with 0, and takes back what they chose before. It fails with
// *InvalidError when that round cannot be doubled, ErrTooLate when it has begun, or the one chosen before, ErrNotCaptain
// when another phone decides, and ErrRemoved.
func (s *Service) PlayJoker(ctx context.Context, v Viewer, round int) error {
	if err := v.stillAllowed(); err != nil {
		return err
	}
	f := v.room.frozen
	if !v.decides() {
		return ErrNotCaptain
	}
	if round < 0 || round > len(f.rounds) || round > 0 && !f.rounds[round-1].Joker {
		return &InvalidError{"round", words.T("There is no joker for this round.")}
	}
	var changed meanwhile
	err := postgres.InTx(ctx, s.pool, func(tx pgx.Tx) (err error) {
		// A shared lock: no round begins in the meantime, and nobody waits for another's joker.
		state := State{}
		err = tx.QueryRow(ctx, `SELECT version, phase, round, question FROM sessions WHERE id = $1 FOR SHARE`, f.id).
			Scan(&state.Version, &state.Phase, &state.Round, &state.Question)
		if err != nil {
			return fmt.Errorf("locking session %d: %w", f.id, err)
		}
		if err := writeJoker(ctx, tx, v.Seat, state, round); err != nil {
			return err
		}
		changed.version = state.Version
		changed.participantView, err = readWho(ctx, tx, f.id, v.Seat.Participant)
		return err
	})
	if err != nil {
		return err
	}
	v.room.heardOf(v.Seat.Participant, changed)
	return nil
}

func writeJoker(ctx context.Context, tx pgx.Tx, seat Seat, state State, round int) error {
	var chosen int
	err := tx.QueryRow(ctx, `SELECT round FROM jokers WHERE participant_id = $1 FOR UPDATE`, seat.Participant).Scan(&chosen)
	if err != nil && !errors.Is(err, pgx.ErrNoRows) {
		return fmt.Errorf("reading a joker: %w", err)
	}
	switch {
	case chosen == round:
		return nil
	case chosen > 0 && state.begun(chosen), round > 0 && state.begun(round):
		return ErrTooLate
	case round == 0:
		_, err = tx.Exec(ctx, `DELETE FROM jokers WHERE participant_id = $1`, seat.Participant)
	default:
		_, err = tx.Exec(ctx, `
			INSERT INTO jokers (session_id, participant_id, round) VALUES ($1, $2, $3)
			ON CONFLICT ON CONSTRAINT uq_jokers_participant DO UPDATE SET round = excluded.round`, seat.Session, seat.Participant, round)
	}
	if err != nil {
		return fmt.Errorf("writing a joker: %w", err)
	}
	return nil
}

// decides reports whether it is for this phone to answer for its participant.
func (v Viewer) decides() bool { return v.Seat.Member == 0 || v.room.options.Teams != quiz.Captain }
