package session

import (
	"context"
	"fmt"
	"strings"

	"github.com/jackc/pgx/v5"

	"pubquiz/quiz"
)

// HistoryPage is how many sessions a page of the history has.
const HistoryPage = 20

// History returns one page, from 1, of those of a host's sessions whose titles contain every word of words, the newest
// first; and how many there are on all pages.
func (s *Service) History(ctx context.Context, host quiz.OwnerID, words string, page int) (found []Summary, total int, err error) {
	wanted := strings.Fields(strings.ReplaceAll(strings.ToValidUTF8(words, " "), "\x00", " ")) // what Postgres takes for text
	// Whatever the database's own locale is, letters have their small forms in every language.
	const matching = `
		FROM sessions s WHERE s.owner_id = $1
			AND NOT EXISTS (SELECT FROM unnest($2::text[]) AS word WHERE strpos(lower(s.title COLLATE "und-x-icu"), lower(word COLLATE "und-x-icu")) = 0)`
	err = s.readOnly(ctx, func(tx pgx.Tx) error {
		if err := tx.QueryRow(ctx, `SELECT count(*)`+matching, host, wanted).Scan(&total); err != nil {
			return err
		}
		rows, err := tx.Query(ctx, `SELECT `+summaryColumns+matching+` ORDER BY s.created_at DESC, s.id DESC LIMIT $3 OFFSET $4`, host, wanted, HistoryPage, HistoryPage*(max(page, 1)-1))
		if err != nil {
			return err
		}
		found, err = pgx.CollectRows(rows, pgx.RowToStructByName[Summary])
		return err
	})
	if err != nil {
		return nil, 0, fmt.Errorf("session.History: %w", err)
	}
	return found, total, nil
}
