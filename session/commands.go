package session

import (
	"cmp"
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/jackc/pgx/v5"

	"pubquiz/internal/postgres"
	"pubquiz/quiz"
)

// Command carries out the host's command in one transaction and returns the version it led to. Besides the errors of
// Apply it fails with ErrNoParticipant, for a rename with *NameTakenError or *InvalidError, and for what the host's plan
// does not include with *InvalidError or *TooManyOpenError.
func (s *Service) Command(ctx context.Context, v Viewer, c Command) (version int64, err error) {
	if v.Role != RoleHost {
		return 0, ErrNotFound
	}
	switch {
	case !slices.Contains(hostCommands, c.Command):
		return 0, ErrUnknownCommand
	case c.Participant != "" && !mayBeID(c.Participant), slices.ContainsFunc(c.Participants, func(id string) bool { return !mayBeID(id) }):
		return 0, ErrNoParticipant
	}
	for field, text := range map[string]string{"name": c.NewName, "question": c.Question, "reason": c.Reason} {
		if strings.ContainsRune(text, 0) { // which the log could not store
			return 0, &InvalidError{Field: field, Detail: notStored}
		}
	}
	switch c.Command {
	case Launch:
		c.lead = s.lead
	case PublishResults:
		c.token = rand.Text()
	}
	version, err = s.carryOut(ctx, v.room, &v.Host, func(State) Command { return c })
	if err != nil {
		return 0, err
	}
	if c.Command == SetCapacity { // which is also the budget of the room's venue
		_ = s.readVenues(ctx) // the sweep reads them, too
	}
	v.room.wrote(ctx, version)
	return version, nil
}

// timeUp closes the open question if its time and grace are over, and does nothing otherwise.
func (s *Service) timeUp(ctx context.Context, id ID) error {
	r, err := s.room(ctx, id)
	if err != nil {
		return err
	}
	_, err = s.atAnyVersion(ctx, r, nil, func(State) Command { return Command{Command: TimeUp} })
	if errors.Is(err, ErrNotNow) {
		return nil // the host, or another instance, was first
	}
	return err
}

// atAnyVersion carries out a command that does not depend on how far the quiz is, and returns the version it led to.
func (s *Service) atAnyVersion(ctx context.Context, r *room, actor *quiz.OwnerID, choose func(State) Command) (version int64, err error) {
	version, err = s.carryOut(ctx, r, actor, func(now State) Command {
		c := choose(now)
		c.Version = now.Version
		return c
	})
	if err != nil {
		return 0, err
	}
	r.wrote(ctx, version)
	return version, nil
}

// carryOut locks the session, lets Apply decide, and writes what follows. choose is told the locked state. actor is nil
// for what no host ordered.
func (s *Service) carryOut(ctx context.Context, r *room, actor *quiz.OwnerID, choose func(State) Command) (version int64, err error) {
	end, err := r.changes.take(ctx)
	if err != nil {
		return 0, err
	}
	defer end()
	err = postgres.InTx(ctx, s.pool, func(tx pgx.Tx) error {
		version, err = s.transition(ctx, tx, r.frozen, actor, choose)
		return err
	})
	return version, err
}

// transition is the one way by which a command leads to the next version. Forgetting makes one without a command.
func (s *Service) transition(ctx context.Context, tx pgx.Tx, f *frozen, actor *quiz.OwnerID, choose func(State) Command) (version int64, err error) {
	before, err := readState(ctx, tx, f, true)
	if err != nil {
		return 0, err
	}
	now, err := databaseNow(ctx, tx)
	if err != nil {
		return 0, err
	}
	c := choose(before)
	if actor != nil && *actor != f.owner && !before.hasCohost(*actor) && c.Command != AdmitCohost {
		return 0, ErrNotFound // removed while the command was on its way
	}
	after, err := Apply(before, c, now, s.grace)
	if err != nil {
		return 0, err
	}
	if err := s.applyAllowance(ctx, tx, f.owner, before, &after); err != nil {
		return 0, err
	}
	if err := writeState(ctx, tx, f, before, after); err != nil {
		return 0, err
	}
	names, err := namesOf(ctx, tx, f.id, c)
	if err != nil {
		return 0, err
	}
	if err := writeEffects(ctx, tx, f, before, after, actor, c); err != nil {
		return 0, err
	}
	return after.Version, writeLog(ctx, tx, f, after, actor, c, names)
}

// finish ends a session, whatever it is doing: an open question is closed first. version is 0 when it had finished before. actor is as in carryOut.
func (s *Service) finish(ctx context.Context, tx pgx.Tx, f *frozen, actor *quiz.OwnerID) (version int64, err error) {
	for _, c := range []CommandName{Close, Finish} {
		reached, err := s.transition(ctx, tx, f, actor, func(now State) Command { return Command{Command: c, Version: now.Version} })
		if errors.Is(err, ErrNotNow) {
			continue // nothing is open, or somebody else was first
		}
		if err != nil {
			return 0, err
		}
		version = reached
	}
	return version, nil
}

// writeEffects writes what a command means beyond the session's and the questions' own rows.
func writeEffects(ctx context.Context, tx pgx.Tx, f *frozen, before, after State, actor *quiz.OwnerID, c Command) error {
	switch c.Command {
	case Close, TimeUp:
		return markClosed(ctx, tx, f, place{after.Round, after.Question})
	case Unvoid: // what was at stake on it may be at stake elsewhere by now; what was won or lost stays
		round, number, _ := parseQuestionRef(c.Question)
		if after.find(c.Question).Status != StatusClosed {
			return nil
		}
		return markClosed(ctx, tx, f, place{round, number})
	case ShowStandings, Finish:
		return writeShownRanks(ctx, tx, f, after)
	case Back:
		if before.showsStandings() {
			return forgetShownRanks(ctx, tx, f, after)
		}
		return nil
	case Mark:
		return writeMarking(ctx, tx, f, c)
	case Adjust:
		return insertAdjustment(ctx, tx, f.id, actor, c)
	case Rename:
		return renameParticipant(ctx, tx, f.id, c)
	case Remove:
		return removeParticipants(ctx, tx, f, after, []string{c.Participant})
	case ShutOut:
		return removeParticipants(ctx, tx, f, after, c.Participants)
	case LetBackIn:
		return letBackIn(ctx, tx, f, after, c)
	case InviteCohost, WithdrawInvitation, AdmitCohost, RemoveCohost:
		return writeCohosts(ctx, tx, f, after, c)
	default:
		return nil
	}
}

// logged is what the log says of a command beyond its name. Names are those that the participants had before it, or the
// co-host's.
type logged struct {
	Participant  string   `json:"participant,omitempty"`
	Participants []string `json:"participants,omitempty"`
	Names        []string `json:"names,omitempty"`
	Name         string   `json:"name,omitempty"`
	Capacity     int      `json:"capacity,omitempty"`
	Seconds      int      `json:"seconds,omitempty"`
	Question     string   `json:"question,omitempty"`
	Points       float64  `json:"points,omitempty"`
	Reason       string   `json:"reason,omitempty"`
	Group        string   `json:"group,omitempty"`
	Verdict      string   `json:"verdict,omitempty"`
}

func writeLog(ctx context.Context, tx pgx.Tx, f *frozen, after State, actor *quiz.OwnerID, c Command, names []string) error {
	l := logged{
		Participant: c.Participant, Participants: c.Participants, Names: names, Name: c.NewName, Capacity: c.Capacity, Seconds: c.Seconds,
		Question: c.Question, Points: c.Points, Reason: c.Reason,
	}
	switch c.Command {
	case Launch, Close, TimeUp, Reveal, Reopen, Extend, Pause, Resume:
		l.Question = questionRef(after.Round, after.Question)
	case AdmitCohost, RemoveCohost:
		l.Names = []string{c.cohost.Name}
	case Mark:
		l.Group, l.Verdict = c.folded, string(cmp.Or(c.decision, leaveToMachine))
	}
	detail, err := json.Marshal(l)
	if err != nil {
		return err
	}
	_, err = tx.Exec(ctx, `INSERT INTO session_log (session_id, version, actor_id, command, detail) VALUES ($1, $2, $3, $4, $5)`,
		f.id, after.Version, actor, c.Command, detail)
	if err != nil {
		return fmt.Errorf("writing the log of session %d: %w", f.id, err)
	}
	return nil
}
