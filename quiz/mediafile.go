package quiz

import (
	"context"
	"errors"
	"fmt"
	"io"

	"github.com/jackc/pgx/v5"
)

// MediaFile reads what is stored, from anywhere in it, with one piece in memory and no connection held between pieces.
// It is one reader's.
type MediaFile struct {
	StoredMedia
	ctx    context.Context // of the request it is read for
	store  *MediaStore
	number int64

	offset int64
	piece  []byte // the one at hand
	place  int64  // of piece
}

// Open finds what is stored under id, or returns ErrNoMedia. It is read with ctx.
func (m *MediaStore) Open(ctx context.Context, id string) (*MediaFile, error) {
	if !mediaID.MatchString(id) {
		return nil, ErrNoMedia
	}
	f := &MediaFile{ctx: ctx, store: m, place: -1}
	const find = `SELECT number, id, kind, type, size, coalesce(width, 0), coalesce(height, 0) FROM media WHERE id = $1`
	err := m.pool.QueryRow(ctx, find, id).Scan(&f.number, &f.ID, &f.Kind, &f.Type, &f.Size, &f.Width, &f.Height)
	if errors.Is(err, pgx.ErrNoRows) {
		return nil, ErrNoMedia
	}
	if err != nil {
		return nil, fmt.Errorf("quiz.MediaStore.Open: %w", err)
	}
	return f, nil
}

// Read implements io.Reader.
func (f *MediaFile) Read(p []byte) (int, error) {
	if f.offset >= f.Size {
		return 0, io.EOF
	}
	place := f.offset / pieceSize
	if place != f.place {
		const read = `SELECT bytes FROM media_pieces WHERE media = $1 AND place = $2`
		if err := f.store.pool.QueryRow(f.ctx, read, f.number, place).Scan(&f.piece); err != nil {
			return 0, fmt.Errorf("quiz.MediaFile.Read: piece %d of %s: %w", place, f.ID, err)
		}
		f.place = place
	}
	n := copy(p, f.piece[f.offset%pieceSize:])
	f.offset += int64(n)
	return n, nil
}

// Seek implements io.Seeker.
func (f *MediaFile) Seek(offset int64, whence int) (int64, error) {
	switch whence {
	case io.SeekCurrent:
		offset += f.offset
	case io.SeekEnd:
		offset += f.Size
	}
	if offset < 0 {
		return f.offset, errors.New("quiz.MediaFile.Seek: before the beginning")
	}
	f.offset = offset
	return offset, nil
}
