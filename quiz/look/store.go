package look

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"pubquiz/internal/postgres"
	"pubquiz/quiz"
)

// Store keeps the looks of all pubs.
type Store struct{ pool *pgxpool.Pool }

// NewStore returns the store in the database of pool.
func NewStore(pool *pgxpool.Pool) *Store { return &Store{pool} }

// Of returns a host's look.
func (s *Store) Of(ctx context.Context, owner quiz.OwnerID) (Look, error) {
	return s.read(ctx, `SELECT $1::bigint`, owner)
}

// OfSession returns the look of whoever owns a session, by its public id. Of no session it is nobody's look.
func (s *Store) OfSession(ctx context.Context, publicID string) (Look, error) {
	return s.read(ctx, `SELECT owner_id FROM sessions WHERE public_id = $1`, publicID)
}

// read returns the look of the one host that a query selects, for what the query is about.
func (s *Store) read(ctx context.Context, owner string, about any) (Look, error) {
	l := Look{Pictures: []string{}}
	rows, err := s.pool.Query(ctx, `
		WITH owner (id) AS (`+owner+`)
		SELECT coalesce(accent, ''), coalesce(place, 0), coalesce(media.id, '')
		FROM owner LEFT JOIN pub_looks ON pub_looks.owner_id = owner.id
			LEFT JOIN pub_pictures ON pub_pictures.owner_id = owner.id LEFT JOIN media ON media.number = media
		ORDER BY place`, about)
	if err != nil {
		return l, fmt.Errorf("look.Store: %w", err)
	}
	var (
		place   int
		picture string
	)
	_, err = pgx.ForEachRow(rows, []any{&l.Accent, &place, &picture}, func() error {
		if place == 0 {
			l.Logo = picture
		} else {
			l.Pictures = append(l.Pictures, picture)
		}
		return nil
	})
	if err != nil {
		return l, fmt.Errorf("look.Store: %w", err)
	}
	return l, nil
}

// Save replaces a host's look. What is wrong with it, such as a picture that is not the host's own, comes back as a quiz.Problem.
func (s *Store) Save(ctx context.Context, owner quiz.OwnerID, l Look) error {
	if err := l.Check(); err != nil {
		return err
	}
	ids := append([]string{l.Logo}, l.Pictures...) // by place
	err := postgres.InTx(ctx, s.pool, func(tx pgx.Tx) error {
		// The row also keeps those who save at the same time from each other.
		const accent = `INSERT INTO pub_looks (owner_id, accent) VALUES ($1, nullif($2, '')) ON CONFLICT (owner_id) DO UPDATE SET accent = excluded.accent`
		if _, err := tx.Exec(ctx, accent, owner, l.Accent); err != nil {
			return err
		}
		if _, err := tx.Exec(ctx, `DELETE FROM pub_pictures WHERE owner_id = $1`, owner); err != nil {
			return err
		}
		const show = `
			WITH kept AS (
				UPDATE media_owners SET unused_since = NULL FROM media
				WHERE owner_id = $1 AND media.number = media AND media.id = ANY($2) AND kind = 'image' RETURNING media, media.id)
			INSERT INTO pub_pictures (owner_id, place, media)
			SELECT $1, place - 1, media FROM unnest($2::text[]) WITH ORDINALITY AS wanted (id, place) JOIN kept USING (id) RETURNING place`
		rows, err := tx.Query(ctx, show, owner, ids)
		if err != nil {
			return err
		}
		shown, err := pgx.CollectRows(rows, pgx.RowTo[int])
		if err != nil {
			return err
		}
		return allShown(ids, shown)
	})
	if _, wrong := errors.AsType[quiz.Problem](err); err != nil && !wrong {
		return fmt.Errorf("look.Store.Save: %w", err)
	}
	return err
}

// allShown fails for the first picture that is not in its place.
func allShown(ids []string, shown []int) error {
	for place, id := range ids {
		switch {
		case id == "" || slices.Contains(shown, place):
		case place == 0:
			return quiz.Problem{Path: "logo", Detail: uploadAgain}
		default:
			return notHere(place - 1)
		}
	}
	return nil
}
