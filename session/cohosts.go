package session

import (
	"context"
	"fmt"
	"slices"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"

	"pubquiz/internal/words"
	"pubquiz/quiz"
)

// hasCohost reports whether the host is one of the session's co-hosts.
func (s State) hasCohost(host quiz.OwnerID) bool { return s.cohostOf(host) != nil }

// cohostOf finds a co-host by their account; nil if there is none.
func (s State) cohostOf(host quiz.OwnerID) *Cohost {
	if i := slices.IndexFunc(s.Cohosts, func(c Cohost) bool { return c.User == host }); i >= 0 {
		return &s.Cohosts[i]
	}
	return nil
}

// cohost finds a co-host by their number; nil if there is none.
func (s State) cohost(number int) *Cohost {
	if i := slices.IndexFunc(s.Cohosts, func(c Cohost) bool { return c.Number == number }); i >= 0 {
		return &s.Cohosts[i]
	}
	return nil
}

// admit adds a co-host under the lowest number that is free.
func (s *State) admit(c Cohost) {
	for c.Number = 1; s.cohost(c.Number) != nil; c.Number++ {
	}
	s.Cohosts = append(s.Cohosts, c)
}

// checkCohost refuses one co-host more than there may be, and to remove one who is none.
func (c Command) checkCohost(s State) error {
	switch {
	case c.Command != RemoveCohost && len(s.Cohosts) >= maxCohosts:
		return &InvalidError{"cohosts", words.T("A session has up to {most} co-hosts. Remove one of them first.", "most", maxCohosts)}
	case c.Command == RemoveCohost && s.cohost(c.cohost.Number) == nil:
		return ErrNoCohost
	}
	return nil
}

// readCohosts reads who hosts a session with its owner, and whether a link is open.
func readCohosts(ctx context.Context, db querier, id ID) (cohosts []Cohost, invited bool, err error) {
	rows, err := db.Query(ctx, `
		SELECT c.number, c.user_id, u.name, false FROM cohosts c JOIN users u ON u.id = c.user_id WHERE c.session_id = $1
		UNION ALL SELECT 0, 0, '', true FROM cohost_links WHERE session_id = $1
		ORDER BY number`, id)
	if err != nil {
		return nil, false, fmt.Errorf("reading the co-hosts of session %d: %w", id, err)
	}
	var (
		c    Cohost
		link bool
	)
	_, err = pgx.ForEachRow(rows, []any{&c.Number, &c.User, &c.Name, &link}, func() error {
		if link {
			invited = true
		} else {
			cohosts = append(cohosts, c)
		}
		return nil
	})
	if err != nil {
		return nil, false, fmt.Errorf("reading the co-hosts of session %d: %w", id, err)
	}
	return cohosts, invited, nil
}

// writeCohosts writes what a command changes about who hosts a session. Its row is locked. It fails with ErrNoInvitation when the link that a co-host comes by
// is not the one that is open.
func writeCohosts(ctx context.Context, tx pgx.Tx, f *frozen, after State, c Command) (err error) {
	var tag pgconn.CommandTag
	switch c.Command {
	case InviteCohost:
		_, err = tx.Exec(ctx, `
			INSERT INTO cohost_links (session_id, token_hash) VALUES ($1, $2) ON CONFLICT (session_id) DO UPDATE SET token_hash = excluded.token_hash`,
			f.id, hashOf(c.token))
	case WithdrawInvitation:
		_, err = tx.Exec(ctx, `DELETE FROM cohost_links WHERE session_id = $1`, f.id)
	case AdmitCohost:
		newcomer := after.cohostOf(c.cohost.User)
		tag, err = tx.Exec(ctx, `
			WITH used AS (DELETE FROM cohost_links WHERE session_id = $1 AND token_hash = $2 RETURNING token_hash)
			INSERT INTO cohosts (session_id, number, owner_id, user_id, token_hash) SELECT $1, $3, $4, $5, token_hash FROM used`,
			f.id, hashOf(c.token), newcomer.Number, f.owner, newcomer.User)
		if err == nil && tag.RowsAffected() == 0 {
			return ErrNoInvitation
		}
	case RemoveCohost:
		_, err = tx.Exec(ctx, `DELETE FROM cohosts WHERE session_id = $1 AND number = $2`, f.id, c.cohost.Number)
	}
	if err != nil {
		return fmt.Errorf("writing the co-hosts of session %d: %w", f.id, err)
	}
	return nil
}
