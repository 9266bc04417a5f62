package session

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/jackc/pgx/v5"

	"pubquiz/internal/words"
)

// maxNotepad is how much fits on a notepad, in characters.
const maxNotepad = 5000

// Notepad is what the hosts of a session have written down for themselves. Its JSON form is the protocol's.
type Notepad struct {
	Revision int    `json:"revision"` // how often it was saved
	Text     string `json:"text"`
}

// Notepad returns what the hosts have written down.
func (s *Service) Notepad(ctx context.Context, v Viewer) (Notepad, error) {
	if v.Role != RoleHost {
		return Notepad{}, ErrNotFound
	}
	n, err := readNotepad(ctx, s.pool, v.room.id)
	if err != nil {
		return n, fmt.Errorf("session.Notepad: %w", err)
	}
	return n, nil
}

// WriteNotepad saves the notepad over the revision that n names, and returns the new one. It fails with ErrStaleNotepad when another console has saved meanwhile,
// and with *InvalidError.
func (s *Service) WriteNotepad(ctx context.Context, v Viewer, n Notepad) (revision int, err error) {
	if v.Role != RoleHost {
		return 0, ErrNotFound
	}
	if utf8.RuneCountInString(n.Text) > maxNotepad {
		return 0, &InvalidError{"text", words.T("The notepad holds up to {most} characters.", "most", maxNotepad)}
	}
	if strings.ContainsRune(n.Text, 0) {
		return 0, &InvalidError{"text", notStored}
	}
	err = s.pool.QueryRow(ctx, `
		INSERT INTO notepads AS held (session_id, revision, text) VALUES ($1, 1, $2)
		ON CONFLICT (session_id) DO UPDATE SET revision = held.revision + 1, text = excluded.text WHERE held.revision = $3
		RETURNING revision`, v.room.id, n.Text, n.Revision).Scan(&revision)
	if errors.Is(err, pgx.ErrNoRows) {
		return 0, ErrStaleNotepad
	}
	if err != nil {
		return 0, fmt.Errorf("session.WriteNotepad: %w", err)
	}
	v.room.live.changed()
	return revision, nil
}

// readNotepad reads a session's notepad; revision 0 where nothing was ever written.
func readNotepad(ctx context.Context, db querier, id ID) (n Notepad, err error) {
	err = db.QueryRow(ctx, `SELECT revision, text FROM notepads WHERE session_id = $1`, id).Scan(&n.Revision, &n.Text)
	if errors.Is(err, pgx.ErrNoRows) {
		return n, nil
	}
	return n, err
}
