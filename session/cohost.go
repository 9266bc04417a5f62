package session

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"

	"pubquiz/quiz"
)

// maxCohosts is how many co-hosts a session has at most.
const maxCohosts = 5

// Cohost is a host whom a session's owner has invited to drive it with them.
type Cohost struct {
	Number int // from 1 to maxCohosts: what the session's hosts know them by
	User   quiz.OwnerID
	Name   string
}

// Invitation is what the link of a co-host leads to.
type Invitation struct {
	Session string // public id
	Title   string
	Owner   string // the name of whoever has invited
	Hosting bool   // whoever asks hosts it already

	id ID
}

// Owns reports whether the viewer is the host whose session it is.
func (v Viewer) Owns() bool { return v.Role == RoleHost && v.Host == v.room.owner }

// Owner is the host whose session a host looks at.
func (v Viewer) Owner() quiz.OwnerID { return v.room.owner }

// CohostNumber is what the session's hosts know a co-host by; 0 for its owner.
func (v Viewer) CohostNumber() int {
	if cohost := v.room.current.Load().cohostOf(v.Host); cohost != nil {
		return cohost.Number
	}
	return 0
}

// InviteCohost makes a link, and returns its token: whoever uses it first becomes a co-host. A link that was made before ends. It fails with ErrNotOwner, with
// ErrNotNow when the session has finished, and with *InvalidError when it has as many co-hosts as it may.
func (s *Service) InviteCohost(ctx context.Context, v Viewer) (token string, err error) {
	token = rand.Text()
	return token, s.asOwner(ctx, v, Command{Command: InviteCohost, token: token})
}

// WithdrawInvitation ends the link that is open. It fails with ErrNotOwner, and with ErrNotNow when there is none.
func (s *Service) WithdrawInvitation(ctx context.Context, v Viewer) error {
	return s.asOwner(ctx, v, Command{Command: WithdrawInvitation})
}

// RemoveCohost ends what a co-host may do, at once and everywhere. The owner may remove every co-host, a co-host only themselves: others fail with ErrNotOwner.
// It fails with ErrNoCohost.
func (s *Service) RemoveCohost(ctx context.Context, v Viewer, number int) error {
	if !v.Owns() && (number == 0 || number != v.CohostNumber()) {
		return ErrNotOwner
	}
	_, err := s.atAnyVersion(ctx, v.room, &v.Host, func(now State) Command {
		c := Command{Command: RemoveCohost}
		if cohost := now.cohost(number); cohost != nil {
			c.cohost = *cohost
		}
		return c
	})
	return err
}

// Invitation tells where a link leads, by its token. It fails with ErrNoInvitation when it was withdrawn, or used by another host, or its session has finished.
func (s *Service) Invitation(ctx context.Context, token string, host quiz.OwnerID) (i Invitation, err error) {
	err = s.pool.QueryRow(ctx, `
		SELECT s.id, s.public_id, s.title, u.name, s.owner_id = $2 OR EXISTS (SELECT FROM cohosts c WHERE c.session_id = s.id AND c.user_id = $2)
		FROM sessions s JOIN users u ON u.id = s.owner_id
		WHERE s.id IN (SELECT session_id FROM cohosts WHERE token_hash = $1 AND user_id = $2)
			OR s.finished_at IS NULL AND s.id IN (SELECT session_id FROM cohost_links WHERE token_hash = $1)`, hashOf(token), host).
		Scan(&i.id, &i.Session, &i.Title, &i.Owner, &i.Hosting)
	if errors.Is(err, pgx.ErrNoRows) {
		return i, ErrNoInvitation
	}
	if err != nil {
		return i, fmt.Errorf("session.Invitation: %w", err)
	}
	return i, nil
}

// AcceptInvitation makes the host a co-host of the session that the link leads to, which uses it up. Whoever hosts that session already leaves the link as it
// is. It returns the session's public id, and fails like Invitation.
func (s *Service) AcceptInvitation(ctx context.Context, token string, host quiz.OwnerID) (publicID string, err error) {
	i, err := s.Invitation(ctx, token, host)
	if err != nil || i.Hosting {
		return i.Session, err
	}
	r, err := s.room(ctx, i.id)
	if err != nil {
		return "", err
	}
	newcomer := Cohost{User: host}
	if err := s.pool.QueryRow(ctx, `SELECT name FROM users WHERE id = $1`, host).Scan(&newcomer.Name); err != nil {
		return "", fmt.Errorf("session.AcceptInvitation: %w", err)
	}
	_, err = s.atAnyVersion(ctx, r, &host, func(State) Command { return Command{Command: AdmitCohost, token: token, cohost: newcomer} })
	if errors.Is(err, ErrNotNow) || errors.Is(err, ErrNoInvitation) { // it was used, perhaps by a second click, or the session has finished
		i, err = s.Invitation(ctx, token, host)
		if err == nil && !i.Hosting {
			err = ErrNoInvitation
		}
	}
	return i.Session, err
}

// asOwner carries out a command that only the session's owner may give.
func (s *Service) asOwner(ctx context.Context, v Viewer, c Command) error {
	if !v.Owns() {
		return ErrNotOwner
	}
	_, err := s.atAnyVersion(ctx, v.room, &v.Host, func(State) Command { return c })
	return err
}

// CohostedSession is a session in the list of a host who drives it with its owner.
type CohostedSession struct {
	Summary
	Owner string // name
}

// Cohosted returns the sessions of which the host is a co-host, the newest first, at most 100.
func (s *Service) Cohosted(ctx context.Context, host quiz.OwnerID) ([]CohostedSession, error) {
	rows, err := s.pool.Query(ctx, `
		SELECT `+summaryColumns+`, u.name AS owner FROM cohosts c JOIN sessions s ON s.id = c.session_id JOIN users u ON u.id = s.owner_id
		WHERE c.user_id = $1 ORDER BY s.created_at DESC, s.id DESC LIMIT 100`, host)
	if err != nil {
		return nil, fmt.Errorf("session.Cohosted: %w", err)
	}
	list, err := pgx.CollectRows(rows, pgx.RowToStructByName[CohostedSession])
	if err != nil {
		return nil, fmt.Errorf("session.Cohosted: %w", err)
	}
	return list, nil
}

// Cohosting is a session of somebody else's that a host has driven. Its JSON form is a part of the export.
type Cohosting struct {
	Session string    `json:"session"`
	Title   string    `json:"title"`
	Owner   string    `json:"owner"`
	Since   time.Time `json:"since"`
}

// Cohostings returns the sessions of others that a host drives with them, the oldest first.
func (s *Service) Cohostings(ctx context.Context, host quiz.OwnerID) ([]Cohosting, error) {
	rows, err := s.pool.Query(ctx, `
		SELECT s.public_id, s.title, u.name, c.since FROM cohosts c JOIN sessions s ON s.id = c.session_id JOIN users u ON u.id = s.owner_id
		WHERE c.user_id = $1 ORDER BY c.since`, host)
	if err != nil {
		return nil, fmt.Errorf("session.Cohostings: %w", err)
	}
	list, err := pgx.CollectRows(rows, pgx.RowToStructByPos[Cohosting])
	if err != nil {
		return nil, fmt.Errorf("session.Cohostings: %w", err)
	}
	return list, nil
}

// OwnerName returns the name of the host whose session it is.
func (s *Service) OwnerName(ctx context.Context, v Viewer) (name string, err error) {
	if err := s.pool.QueryRow(ctx, `SELECT name FROM users WHERE id = $1`, v.room.owner).Scan(&name); err != nil {
		return "", fmt.Errorf("session.OwnerName: %w", err)
	}
	return name, nil
}
