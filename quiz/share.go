package quiz

import (
	"context"
	"crypto/rand"
	"encoding/base64"
	"errors"
	"fmt"
	"regexp"
	"strings"

	"github.com/jackc/pgx/v5"

	"pubquiz/internal/words"
)

// Shared is a quiz as whoever has its link may read it.
type Shared struct {
	ID      ID
	OwnerID OwnerID
	Content Content
}

// Share lets whoever knows the returned token read the quiz, until Unshare. A quiz that is shared already keeps its token. It returns
// ErrNotFound if there is no such quiz.
func (s *Store) Share(ctx context.Context, owner OwnerID, id ID) (token string, err error) {
	random := make([]byte, 24)
	rand.Read(random)
	const share = `UPDATE quizzes SET share_token = coalesce(share_token, $3) WHERE id = $1 AND owner_id = $2 RETURNING share_token`
	err = s.pool.QueryRow(ctx, share, id, owner, base64.RawURLEncoding.EncodeToString(random)).Scan(&token)
	if errors.Is(err, pgx.ErrNoRows) {
		return "", ErrNotFound
	}
	if err != nil {
		return "", fmt.Errorf("quiz.Share: %w", err)
	}
	return token, nil
}

// Unshare ends the link for good: sharing again makes another. It returns ErrNotFound if there is no such quiz.
func (s *Store) Unshare(ctx context.Context, owner OwnerID, id ID) error {
	tag, err := s.pool.Exec(ctx, `UPDATE quizzes SET share_token = NULL WHERE id = $1 AND owner_id = $2`, id, owner)
	if err != nil {
		return fmt.Errorf("quiz.Unshare: %w", err)
	}
	if tag.RowsAffected() == 0 {
		return ErrNotFound
	}
	return nil
}

// ShareToken returns the token of a shared quiz, or "" while it is not shared.
func (s *Store) ShareToken(ctx context.Context, owner OwnerID, id ID) (token string, err error) {
	const read = `SELECT coalesce(share_token, '') FROM quizzes WHERE id = $1 AND owner_id = $2`
	err = s.pool.QueryRow(ctx, read, id, owner).Scan(&token)
	if errors.Is(err, pgx.ErrNoRows) {
		return "", ErrNotFound
	}
	if err != nil {
		return "", fmt.Errorf("quiz.ShareToken: %w", err)
	}
	return token, nil
}

var shareToken = regexp.MustCompile(`^[A-Za-z0-9_-]{32}$`) // 24 bytes as base64.RawURLEncoding has them

// Read returns the quiz that is shared under the token, or ErrNotFound.
func (s *Store) Read(ctx context.Context, token string) (Shared, error) {
	if !shareToken.MatchString(token) {
		return Shared{}, ErrNotFound
	}
	var shared Shared
	err := s.pool.QueryRow(ctx, `SELECT id, owner_id, content FROM quizzes WHERE share_token = $1`, token).
		Scan(&shared.ID, &shared.OwnerID, &shared.Content)
	if errors.Is(err, pgx.ErrNoRows) {
		return Shared{}, ErrNotFound
	}
	if err != nil {
		return Shared{}, fmt.Errorf("quiz.Read: %w", err)
	}
	return shared, nil
}

// Copy stores a copy of the content for owner, under a title that says so.
func (s *Store) Copy(ctx context.Context, owner OwnerID, content Content) (ID, error) {
	content.Title = copyTitle(words.Of(ctx), content.Title)
	return s.Create(ctx, owner, content)
}

// copyTitle is "Copy of …" in a language, once, and within bounds.
func copyTitle(l *words.Language, title string) string {
	const place = "\x00"
	before, after, _ := strings.Cut(l.Say(words.T("Copy of {quiz}", "quiz", place)), place)
	if plain(title) == "" || strings.HasPrefix(title, before) && strings.HasSuffix(title, after) {
		return title
	}
	runes := []rune(before + title + after)
	return string(runes[:min(len(runes), MaxTitle)])
}
