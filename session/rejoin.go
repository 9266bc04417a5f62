package session

import (
	"bytes"
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"

	"pubquiz/internal/postgres"
)

// rejoinCodeAge is how long a rejoin code can be used.
const rejoinCodeAge = 10 * time.Minute

// rejoinCodesKept is how many codes lead to the same seat, or to new ones, at a time: more than anybody passes round. They are in every instance's memory, and read each
// second. The oldest goes.
const rejoinCodesKept = 20

// RejoinCode is a way in for one phone, once. It leads to a new seat, past locked doors, or to the seat of a
// participant who has changed phones.
type RejoinCode struct {
	Code      string
	ExpiresAt time.Time
}

// IssueRejoinCode makes a rejoin code. participant is the public id of whose seat it leads to; empty for a new seat. It
// fails with ErrNoParticipant, and with ErrNotNow when the session has finished.
func (s *Service) IssueRejoinCode(ctx context.Context, v Viewer, participant string) (RejoinCode, error) {
	if v.Role != RoleHost {
		return RejoinCode{}, ErrNotFound
	}
	if v.room.current.Load().Phase == Finished {
		return RejoinCode{}, ErrNotNow
	}
	var seat *int64
	if participant != "" {
		if !mayBeID(participant) {
			return RejoinCode{}, ErrNoParticipant
		}
		err := s.pool.QueryRow(ctx, `SELECT id FROM participants WHERE session_id = $1 AND public_id = $2 AND removed_at IS NULL`,
			v.room.id, participant).Scan(&seat)
		if errors.Is(err, pgx.ErrNoRows) {
			return RejoinCode{}, ErrNoParticipant
		}
		if err != nil {
			return RejoinCode{}, fmt.Errorf("session.IssueRejoinCode: %w", err)
		}
	}
	return s.insertRejoinCode(ctx, v.room.id, seat, false)
}

// insertRejoinCode makes a code that leads to the participant's seat, to a new one where that is nil, or to one beside it
// for a member of the participant's team.
func (s *Service) insertRejoinCode(ctx context.Context, id ID, participant *int64, member bool) (RejoinCode, error) {
	code := RejoinCode{Code: newRejoinCode()}
	// Those of the session that nobody can use any more go, so that they do not pile up; none that may be in use at this moment.
	err := s.pool.QueryRow(ctx, `
		WITH spent AS (DELETE FROM rejoin_codes WHERE session_id = $2 AND expires_at < clock_timestamp() - $5::interval)
		INSERT INTO rejoin_codes (code_hash, session_id, participant_id, member, expires_at) VALUES ($1, $2, $3, $4, clock_timestamp() + $5::interval)
		RETURNING expires_at`, hashOf(code.Code), id, participant, member, rejoinCodeAge).Scan(&code.ExpiresAt)
	if err != nil {
		return RejoinCode{}, fmt.Errorf("inserting a rejoin code: %w", err)
	}
	const dropOldest = `
		DELETE FROM rejoin_codes WHERE code_hash IN (
			SELECT code_hash FROM rejoin_codes WHERE session_id = $1 AND participant_id IS NOT DISTINCT FROM $2 AND member = $3 ORDER BY expires_at DESC OFFSET $4)`
	if _, err := s.pool.Exec(ctx, dropOldest, id, participant, member, rejoinCodesKept); err != nil {
		return RejoinCode{}, fmt.Errorf("dropping old rejoin codes: %w", err)
	}
	return code, s.readVenues(ctx) // from where its bearers are known at once
}

// Rejoinable is where a rejoin code leads.
type Rejoinable struct {
	Session ID
	Title   string
	Name    string // of the participant whose seat it is; empty for a new seat
	Member  bool   // to a seat beside theirs, in their team
}

// FindRejoinCode tells where a rejoin code leads, as ParseRejoinCode returns it. It fails with ErrUnknownCode when
// there is no such code, or it is too old, or its session has finished.
func (s *Service) FindRejoinCode(ctx context.Context, code string) (Rejoinable, error) {
	var found Rejoinable
	err := s.pool.QueryRow(ctx, `
		SELECT s.id, s.title, coalesce(p.name, ''), c.member
		FROM rejoin_codes c JOIN sessions s ON s.id = c.session_id LEFT JOIN participants p ON p.id = c.participant_id
		WHERE c.code_hash = $1 AND c.expires_at > clock_timestamp() AND s.finished_at IS NULL AND p.removed_at IS NULL`,
		hashOf(code)).Scan(&found.Session, &found.Title, &found.Name, &found.Member)
	if errors.Is(err, pgx.ErrNoRows) {
		return found, ErrUnknownCode
	}
	if err != nil {
		return found, fmt.Errorf("session.FindRejoinCode: %w", err)
	}
	return found, nil
}

// Rejoin uses a rejoin code. Into the seat of a participant it brings the phone in their place: the name is not used,
// and tokens given out before end; those of the team's other phones do not. A team's code brings one phone more. To a new seat it leads as Join does, past locked doors. Sent again with the same
// attempt it gives the same seat. It fails like Join, and with ErrUnknownCode when another phone has used the code.
func (s *Service) Rejoin(ctx context.Context, code, name, attempt string) (Joined, error) {
	if !joinAttempt.MatchString(attempt) {
		return Joined{}, errMalformedAttempt
	}
	found, err := s.FindRejoinCode(ctx, code)
	if err != nil {
		return Joined{}, err
	}
	w := wish{attempt: hashOf(attempt)}
	if found.Name == "" {
		if w.name, w.key, err = cleanName(name); err != nil {
			return Joined{}, err
		}
	}
	r, err := s.room(ctx, found.Session)
	if err != nil {
		return Joined{}, err
	}
	end, err := r.toJoin(ctx)
	if err != nil {
		return Joined{}, err
	}
	defer end()
	var joined Joined
	var changed meanwhile
	version := r.version()
	err = postgres.InTx(ctx, s.pool, func(tx pgx.Tx) error {
		joined = Joined{Session: r.publicID, Seat: Seat{Session: r.id}}
		doors, err := lockDoorway(ctx, tx, r.id)
		if err != nil {
			return err
		}
		seat, again, err := useRejoinCode(ctx, tx, code, w.attempt)
		if err != nil {
			return err
		}
		if seat == nil {
			doors.locked = false
			if err := takeSeat(ctx, tx, &joined, doors, w); err != nil {
				return err
			}
			return keepSeat(ctx, tx, code, joined.Seat.Participant)
		}
		if found.Member {
			changed, err = joinTeam(ctx, tx, &joined, *seat, w.attempt)
			return err
		}
		if !again {
			if version, err = s.moveSeat(ctx, tx, r.frozen, *seat, code); err != nil {
				return err
			}
		}
		joined.Seat.Participant = *seat
		return readSeat(ctx, tx, &joined)
	})
	if err != nil {
		return Joined{}, err
	}
	if found.Member {
		r.heardOf(joined.Seat.Participant, changed)
		return joined, nil
	}
	r.live.changed()
	r.wrote(ctx, version)
	return joined, nil
}

// useRejoinCode spends the code on the attempt and returns whose seat it leads to, nil for a new one. again says that
// this attempt had spent it before.
func useRejoinCode(ctx context.Context, tx pgx.Tx, code string, attempt []byte) (seat *int64, again bool, err error) {
	var usedBy []byte
	err = tx.QueryRow(ctx, `SELECT participant_id, attempt_hash FROM rejoin_codes WHERE code_hash = $1 FOR UPDATE`, hashOf(code)).
		Scan(&seat, &usedBy)
	if errors.Is(err, pgx.ErrNoRows) || err == nil && usedBy != nil && !bytes.Equal(usedBy, attempt) {
		return nil, false, ErrUnknownCode
	}
	if err != nil {
		return nil, false, fmt.Errorf("reading a rejoin code: %w", err)
	}
	if usedBy != nil {
		return seat, true, nil
	}
	if _, err := tx.Exec(ctx, `UPDATE rejoin_codes SET attempt_hash = $2 WHERE code_hash = $1`, hashOf(code), attempt); err != nil {
		return nil, false, fmt.Errorf("spending a rejoin code: %w", err)
	}
	return seat, false, nil
}

// keepSeat has a code that led to a new seat lead to that one from now on, as one does that was made for it: it ends when the seat is moved. Otherwise the attempt would
// find its seat no more then, and be given another, past locked doors.
func keepSeat(ctx context.Context, tx pgx.Tx, code string, participant int64) error {
	if _, err := tx.Exec(ctx, `UPDATE rejoin_codes SET participant_id = $2 WHERE code_hash = $1`, hashOf(code), participant); err != nil {
		return fmt.Errorf("keeping where a rejoin code led: %w", err)
	}
	return nil
}

// moveSeat ends the tokens of a participant and all that a phone got in with before, and makes a version of it, so that
// every instance cuts the old phone off. code is the one that moves it.
func (s *Service) moveSeat(ctx context.Context, tx pgx.Tx, f *frozen, participant int64, code string) (version int64, err error) {
	nobodys := hashOf(rand.Text()) // an attempt that nobody made
	_, err = tx.Exec(ctx, `UPDATE participants SET generation = generation + 1, attempt_hash = $2 WHERE id = $1`, participant, nobodys)
	if err != nil {
		return 0, fmt.Errorf("moving participant %d: %w", participant, err)
	}
	_, err = tx.Exec(ctx, `DELETE FROM rejoin_codes WHERE participant_id = $1 AND attempt_hash IS NOT NULL AND code_hash <> $2 AND NOT member`,
		participant, hashOf(code))
	if err != nil {
		return 0, fmt.Errorf("ending the rejoin codes of participant %d: %w", participant, err)
	}
	return s.transition(ctx, tx, f, nil, func(now State) Command { return Command{Command: MoveSeat, Version: now.Version} })
}

func readSeat(ctx context.Context, tx pgx.Tx, joined *Joined) error {
	err := tx.QueryRow(ctx, `SELECT public_id, name, generation FROM participants WHERE id = $1`, joined.Seat.Participant).
		Scan(&joined.PublicID, &joined.Name, &joined.Seat.Generation)
	if err != nil {
		return fmt.Errorf("reading participant %d: %w", joined.Seat.Participant, err)
	}
	return nil
}
