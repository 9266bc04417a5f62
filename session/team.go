package session

import (
	"context"
	"errors"
	"fmt"

	"github.com/jackc/pgx/v5"

	"pubquiz/quiz"
)

// maxMembers is how many phones a team may have beside its captain's.
const maxMembers = 9

// IssueTeamCode makes a code with which one more phone plays for the participant. It fails with ErrNoTeams when a
// participant is one phone in this quiz, ErrNotCaptain for any but the participant's own phone, ErrTeamFull, ErrRemoved,
// and ErrNotNow when the session has finished.
func (s *Service) IssueTeamCode(ctx context.Context, v Viewer) (RejoinCode, error) {
	switch err := v.stillAllowed(); {
	case err != nil:
		return RejoinCode{}, err
	case v.room.options.Teams == quiz.OnePhone:
		return RejoinCode{}, ErrNoTeams
	case v.Seat.Member != 0:
		return RejoinCode{}, ErrNotCaptain
	case v.room.current.Load().Phase == Finished:
		return RejoinCode{}, ErrNotNow
	}
	who, err := readWho(ctx, s.pool, v.room.id, v.Seat.Participant)
	switch {
	case err != nil:
		return RejoinCode{}, err
	case who.phones > maxMembers:
		return RejoinCode{}, ErrTeamFull
	}
	return s.insertRejoinCode(ctx, v.room.id, &v.Seat.Participant, true)
}

// joinTeam makes the phone with this attempt one more of the participant's, or finds that it is.
func joinTeam(ctx context.Context, tx pgx.Tx, joined *Joined, participant int64, attempt []byte) (changed meanwhile, err error) {
	id := joined.Seat.Session
	seat := Seat{Session: id}
	err = tx.QueryRow(ctx, `SELECT participant_id, number FROM members WHERE session_id = $1 AND attempt_hash = $2`, id, attempt).Scan(&seat.Participant, &seat.Member)
	if err == nil && seat.Participant != participant { // the attempt that led into another team
		return changed, ErrUnknownCode
	}
	if errors.Is(err, pgx.ErrNoRows) {
		seat.Participant = participant
		joined.New = true
		// Joins of one session come one after the other, so the number is free.
		err = tx.QueryRow(ctx, `
			INSERT INTO members (session_id, participant_id, number, attempt_hash)
			SELECT $1, $2, n, $3 FROM (SELECT 1 + coalesce(max(number), 0) AS n FROM members WHERE participant_id = $2) AS next WHERE n <= $4
			RETURNING number`, id, participant, attempt, maxMembers).Scan(&seat.Member)
		if errors.Is(err, pgx.ErrNoRows) {
			return changed, ErrTeamFull
		}
	}
	if err != nil {
		return changed, fmt.Errorf("adding a phone to participant %d: %w", participant, err)
	}
	if changed.participantView, err = readWho(ctx, tx, id, participant); err != nil {
		return changed, err
	}
	joined.Seat, joined.PublicID, joined.Name = seat, changed.publicID, changed.name
	if err := tx.QueryRow(ctx, `SELECT version FROM sessions WHERE id = $1`, id).Scan(&changed.version); err != nil {
		return changed, fmt.Errorf("reading the version of session %d: %w", id, err)
	}
	return changed, nil
}
