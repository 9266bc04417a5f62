package quiz

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"pubquiz/internal/postgres"
	"pubquiz/internal/words"
)

var (
	// ErrNotFound says that there is no such quiz, or that it is somebody else's, which looks the same.
	ErrNotFound = errors.New("no such quiz")

	// ErrStaleRevision says that the quiz was saved elsewhere since it was read.
	ErrStaleRevision = errors.New("the quiz was saved elsewhere meanwhile")
)

// OutOfBoundsError refuses content. Nothing was stored.
type OutOfBoundsError struct{ Problems []Problem }

func (e *OutOfBoundsError) Error() string {
	return "quiz content out of bounds: " + e.Problems[0].Error()
}

// Quiz is a stored quiz. Revision goes up with every save.
type Quiz struct {
	ID       ID
	Revision int64
	Content  Content
}

// Summary is a quiz in its owner's list.
type Summary struct {
	ID        ID
	Title     string
	Rounds    int
	Questions int
	Tags      []string
	UpdatedAt time.Time
}

// Store keeps quizzes. Every method takes the owner, to whom alone a quiz exists.
type Store struct{ pool *pgxpool.Pool }

// NewStore returns the store in the database of pool.
func NewStore(pool *pgxpool.Pool) *Store { return &Store{pool} }

// holdMedia makes owner $1 an owner of the media $2 if the quiz that has them was saved, wherever it has them from: they stay as long as the quiz
// needs them.
const holdMedia = `
	INSERT INTO media_owners (owner_id, media) SELECT $1, number FROM media WHERE id = ANY($2) AND EXISTS (SELECT FROM saved)
	ON CONFLICT (owner_id, media) DO UPDATE SET unused_since = NULL WHERE media_owners.unused_since IS NOT NULL`

// MaxQuizzes is how many one host may keep: one for every week of ten years.
const MaxQuizzes = 500

// Create stores a new quiz. Content out of bounds gives an OutOfBoundsError, and one quiz too many a Problem.
func (s *Store) Create(ctx context.Context, owner OwnerID, content Content) (ID, error) {
	if found := content.Check(); len(found) > 0 {
		return 0, &OutOfBoundsError{found}
	}
	var id ID
	const insert = `
		WITH saved AS (
			INSERT INTO quizzes (owner_id, content) SELECT $1, $3 WHERE (SELECT count(*) FROM quizzes WHERE owner_id = $1) < $4 RETURNING id
		), held AS (` + holdMedia + `)
		SELECT id FROM saved`
	err := postgres.InTx(ctx, s.pool, func(tx pgx.Tx) error {
		if _, err := tx.Exec(ctx, `SELECT FROM users WHERE id = $1 FOR NO KEY UPDATE`, owner); err != nil { // one of an owner at a time, so that the count holds
			return err
		}
		return tx.QueryRow(ctx, insert, owner, content.mediaIDs(), content.Whole(), MaxQuizzes).Scan(&id)
	})
	if errors.Is(err, pgx.ErrNoRows) {
		return 0, Problem{"quizzes", words.T("You have {most} quizzes, which is as many as one account can keep. Delete one first.", "most", MaxQuizzes)}
	}
	if err != nil {
		return 0, fmt.Errorf("quiz.Create: %w", err)
	}
	return id, nil
}

// List returns the owner's quizzes, the last saved first.
func (s *Store) List(ctx context.Context, owner OwnerID) ([]Summary, error) {
	const list = `
		SELECT id, content ->> 'title' AS title, jsonb_array_length(content -> 'rounds') AS rounds,
			(SELECT coalesce(sum(jsonb_array_length(round -> 'questions')), 0) FROM jsonb_array_elements(content -> 'rounds') AS round) AS questions,
			ARRAY(SELECT jsonb_array_elements_text(content -> 'tags')) AS tags, updated_at
		FROM quizzes WHERE owner_id = $1 ORDER BY updated_at DESC, id DESC`
	rows, err := s.pool.Query(ctx, list, owner)
	if err != nil {
		return nil, fmt.Errorf("quiz.List: %w", err)
	}
	quizzes, err := pgx.CollectRows(rows, pgx.RowToStructByName[Summary])
	if err != nil {
		return nil, fmt.Errorf("quiz.List: %w", err)
	}
	return quizzes, nil
}

// Get returns a quiz, or ErrNotFound.
func (s *Store) Get(ctx context.Context, owner OwnerID, id ID) (Quiz, error) {
	rows, err := s.pool.Query(ctx, `SELECT id, revision, content FROM quizzes WHERE id = $1 AND owner_id = $2`, id, owner)
	if err != nil {
		return Quiz{}, fmt.Errorf("quiz.Get: %w", err)
	}
	q, err := pgx.CollectExactlyOneRow(rows, pgx.RowToStructByName[Quiz])
	if errors.Is(err, pgx.ErrNoRows) {
		return Quiz{}, ErrNotFound
	}
	if err != nil {
		return Quiz{}, fmt.Errorf("quiz.Get: %w", err)
	}
	return q, nil
}

// Save replaces a quiz's content if it is still at revision, and returns its new revision. The same save once more, whose first reply got lost, is
// the same again. It returns ErrNotFound, ErrStaleRevision, or an OutOfBoundsError; none of them changed anything.
func (s *Store) Save(ctx context.Context, owner OwnerID, id ID, revision int64, content Content) (int64, error) {
	if found := content.Check(); len(found) > 0 {
		return 0, &OutOfBoundsError{found}
	}
	const save = `
		WITH saved AS (
			UPDATE quizzes SET content = $5, revision = revision + 1, updated_at = now()
			WHERE owner_id = $1 AND id = $3 AND revision = $4 RETURNING revision
		), held AS (` + holdMedia + `)
		SELECT revision FROM saved`
	var saved int64
	err := s.pool.QueryRow(ctx, save, owner, content.mediaIDs(), id, revision, content.Whole()).Scan(&saved)
	if errors.Is(err, pgx.ErrNoRows) {
		saved, err = s.savedBefore(ctx, owner, id, revision, content)
	}
	if err != nil {
		return 0, fmt.Errorf("quiz.Save: %w", err)
	}
	return saved, nil
}

// savedBefore returns the revision to which this very save has led already, if it has.
func (s *Store) savedBefore(ctx context.Context, owner OwnerID, id ID, revision int64, content Content) (int64, error) {
	var (
		now  int64
		same bool
	)
	err := s.pool.QueryRow(ctx, `SELECT revision, content = $3 FROM quizzes WHERE owner_id = $1 AND id = $2`, owner, id, content.Whole()).Scan(&now, &same)
	switch {
	case errors.Is(err, pgx.ErrNoRows):
		return 0, ErrNotFound
	case err != nil:
		return 0, err
	case !same || now != revision+1:
		return 0, ErrStaleRevision
	default:
		return now, nil
	}
}

// Delete removes a quiz. Sessions of it go on, with their own copy. It returns ErrNotFound if there is none.
func (s *Store) Delete(ctx context.Context, owner OwnerID, id ID) error {
	tag, err := s.pool.Exec(ctx, `DELETE FROM quizzes WHERE id = $1 AND owner_id = $2`, id, owner)
	if err != nil {
		return fmt.Errorf("quiz.Delete: %w", err)
	}
	if tag.RowsAffected() == 0 {
		return ErrNotFound
	}
	return nil
}

// mediaIDs are those of all pictures, sounds and films in the content.
func (c Content) mediaIDs() []string {
	ids := []string{}
	add := func(m *Media) {
		if m != nil {
			ids = append(ids, m.ID)
		}
	}
	for _, round := range c.Rounds {
		add(round.Picture)
		for _, question := range round.Questions {
			add(question.Media)
		}
	}
	return ids
}

// Whole returns the content with empty lists where there were none at all: the database, the editor and files expect lists.
func (c Content) Whole() Content {
	rounds := make([]Round, len(c.Rounds))
	copy(rounds, c.Rounds)
	for i := range rounds {
		if rounds[i].Questions == nil {
			rounds[i].Questions = []Question{}
		}
	}
	c.Rounds = rounds
	return c
}
