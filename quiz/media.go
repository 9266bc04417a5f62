package quiz

import (
	"bufio"
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"hash"
	"io"
	"runtime"
	"time"

	"github.com/gabriel-vasile/mimetype"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"pubquiz/internal/postgres"
	"pubquiz/internal/words"
)

// The bounds of media, in bytes.
const (
	MaxImage      = 5 << 20
	MaxAudio      = 15 << 20
	MaxVideo      = 50 << 20
	MaxMediaTotal = 500 << 20 // of all that one host keeps
)

var (
	// ErrNoMedia says that no picture, sound or film is stored under an id.
	ErrNoMedia = errors.New("no such media")

	errEmpty = Problem{"file", words.T("The file is empty. Choose another one.")}

	// ErrMediaBusy says that many pictures are being redrawn, and this one could not be in time.
	ErrMediaBusy = errors.New("too many pictures at once")
)

const (
	pieceSize      = 128 << 10        // of media_pieces: what is held in memory of each upload and download
	sniffed        = 3072             // bytes that a type is told from
	redrawPatience = 10 * time.Second // how long a picture waits for its turn
)

// mediaTypes are what can be stored, as mimetype calls it, and the type it is served as.
var mediaTypes = map[string]struct {
	kind   MediaKind
	served string // of a picture: what redraw makes of it
}{
	"image/jpeg": {kind: Image}, "image/png": {kind: Image}, "image/gif": {kind: Image}, "image/webp": {kind: Image},
	"audio/mpeg": {Audio, taggedSound}, "audio/x-m4a": {Audio, "audio/mp4"}, "audio/mp4": {Audio, "audio/mp4"}, "audio/aac": {Audio, "audio/aac"},
	"audio/ogg": {Audio, "audio/ogg"}, "audio/wav": {Audio, "audio/wav"},
	"video/mp4": {Video, "video/mp4"}, "video/webm": {Video, "video/webm"},
}

// taggedSound is the type of sounds that are stored without what soundtags.go finds before and after them.
const taggedSound = "audio/mpeg"

var maxSize = map[MediaKind]int64{Image: MaxImage, Audio: MaxAudio, Video: MaxVideo}

// StoredMedia is what is known of a picture, sound or film. Width and Height, in pixels, are 0 but for pictures.
type StoredMedia struct {
	ID     string    `json:"id"`
	Kind   MediaKind `json:"kind"`
	Type   string    `json:"type"`
	Size   int64     `json:"size"`
	Width  int       `json:"width,omitempty"`
	Height int       `json:"height,omitempty"`
}

// MediaStore keeps pictures, sounds and films. Whoever knows the id of one, which is as hard to guess as its content, can see it.
type MediaStore struct {
	pool    *pgxpool.Pool
	redraws chan struct{} // as many as may be in memory at once
}

// NewMediaStore returns the store in the database of pool.
func NewMediaStore(pool *pgxpool.Pool) *MediaStore {
	return &MediaStore{pool, make(chan struct{}, max(1, runtime.NumCPU()/2))}
}

// Add stores what body holds for owner. What it is, is told from its bytes; pictures are redrawn. A Problem about "file" says what is wrong
// with it; other errors are ErrMediaBusy and those of body. The same content is stored once, however many have it.
func (m *MediaStore) Add(ctx context.Context, owner OwnerID, body io.Reader) (StoredMedia, error) {
	head := make([]byte, sniffed)
	n, err := fill(body, head)
	if err != nil && err != io.EOF {
		return StoredMedia{}, fmt.Errorf("quiz.MediaStore.Add: %w", err)
	}
	head = head[:n]
	found := mimetype.Detect(head).String()
	known, ok := mediaTypes[found]
	switch {
	case n == 0:
		return StoredMedia{}, errEmpty
	case !ok:
		return StoredMedia{}, Problem{"file", words.T("Choose a picture (JPEG, PNG, GIF, WebP), a sound (MP3, M4A, AAC, Ogg, WAV) or a film (MP4, WebM).")}
	}
	if err := m.checkTotal(ctx, m.pool, owner); err != nil {
		return StoredMedia{}, err
	}
	stored := StoredMedia{Kind: known.kind, Type: known.served}
	whole := &capped{from: io.MultiReader(bytes.NewReader(head), body), left: maxSize[known.kind], kind: known.kind}
	if stored.Type == taggedSound {
		frames := bufio.NewReader(whole)
		if err := skipTags(frames); err != nil {
			return StoredMedia{}, fmt.Errorf("quiz.MediaStore.Add: %w", err)
		}
		return m.keep(ctx, owner, stored, frames)
	}
	if known.kind != Image {
		return m.keep(ctx, owner, stored, whole)
	}
	original, err := io.ReadAll(whole)
	if err != nil {
		return StoredMedia{}, fmt.Errorf("quiz.MediaStore.Add: %w", err)
	}
	drawn, err := m.redraw(ctx, original, formats[found])
	if err != nil {
		return StoredMedia{}, err
	}
	stored.Type, stored.Width, stored.Height = drawn.contentType, drawn.width, drawn.height
	return m.keep(ctx, owner, stored, bytes.NewReader(drawn.bytes))
}

// Owned lists what a host keeps, in the order in which it came in.
func (m *MediaStore) Owned(ctx context.Context, owner OwnerID) ([]StoredMedia, error) {
	rows, err := m.pool.Query(ctx, `
		SELECT m.id, m.kind, m.type, m.size, coalesce(m.width, 0), coalesce(m.height, 0)
		FROM media_owners o JOIN media m ON m.number = o.media WHERE o.owner_id = $1 AND m.id IS NOT NULL ORDER BY m.number`, owner)
	if err != nil {
		return nil, fmt.Errorf("quiz.MediaStore.Owned: %w", err)
	}
	owned, err := pgx.CollectRows(rows, pgx.RowToStructByPos[StoredMedia])
	if err != nil {
		return nil, fmt.Errorf("quiz.MediaStore.Owned: %w", err)
	}
	return owned, nil
}

// redraw waits for its turn, since each picture takes a lot of memory for a moment.
func (m *MediaStore) redraw(ctx context.Context, original []byte, f format) (picture, error) {
	timeout := time.NewTimer(redrawPatience)
	defer timeout.Stop()
	select {
	case m.redraws <- struct{}{}:
		defer func() { <-m.redraws }()
	case <-timeout.C:
		return picture{}, ErrMediaBusy
	case <-ctx.Done():
		return picture{}, ctx.Err()
	}
	drawn, err := redraw(original, f)
	switch {
	case errors.Is(err, errTooManyPixels):
		return picture{}, Problem{"file", words.T("The picture has more than 16 million pixels. Make it smaller first: 1920 across are all that is shown.")}
	case errors.Is(err, errTooHeavy):
		return picture{}, Problem{"file", words.T("The picture takes too much memory to open. Make it smaller first, or save it as an ordinary JPEG, not a progressive one: 1920 across are all that is shown.")}
	case err != nil:
		return picture{}, Problem{"file", words.T("The picture cannot be read; the file may be damaged. Save it again as JPEG or PNG.")}
	}
	return drawn, nil
}

// keep stores the bytes piece by piece as they come in, each at once, so that a slow upload holds no connection to the database. Only
// when all is there does it get its id.
func (m *MediaStore) keep(ctx context.Context, owner OwnerID, stored StoredMedia, from io.Reader) (_ StoredMedia, err error) {
	var number int64
	const begin = `INSERT INTO media (kind, type, width, height) VALUES ($1, $2, nullif($3, 0), nullif($4, 0)) RETURNING number`
	if err := m.pool.QueryRow(ctx, begin, stored.Kind, stored.Type, stored.Width, stored.Height).Scan(&number); err != nil {
		return StoredMedia{}, fmt.Errorf("quiz.MediaStore.Add: %w", err)
	}
	defer func() {
		if err != nil { // whatever is left all the same, Tidy deletes
			_, _ = m.pool.Exec(context.WithoutCancel(ctx), `DELETE FROM media WHERE number = $1 AND id IS NULL`, number)
		}
	}()
	sum := sha256.New()
	piece := make([]byte, pieceSize)
	for place := 0; ; place++ {
		n, err := fill(from, piece)
		if err != nil && err != io.EOF {
			return StoredMedia{}, fmt.Errorf("quiz.MediaStore.Add: %w", err)
		}
		if n > 0 {
			sum.Write(piece[:n])
			stored.Size += int64(n)
			if _, err := m.pool.Exec(ctx, `INSERT INTO media_pieces (media, place, bytes) VALUES ($1, $2, $3)`, number, place, piece[:n]); err != nil {
				return StoredMedia{}, fmt.Errorf("quiz.MediaStore.Add: %w", err)
			}
		}
		if err == io.EOF {
			break
		}
	}
	if stored.Type == taggedSound {
		if err := m.cutTags(ctx, number, &stored, sum); err != nil {
			return StoredMedia{}, err
		}
	}
	stored.ID = hex.EncodeToString(sum.Sum(nil))
	return stored, postgres.InTx(ctx, m.pool, func(tx pgx.Tx) error { return m.finish(ctx, tx, owner, number, stored) })
}

// cutTags takes away the tags at the end of a sound whose pieces are there, and hashes it anew if there were any.
func (m *MediaStore) cutTags(ctx context.Context, number int64, stored *StoredMedia, h hash.Hash) error {
	end, err := beforeTags(&MediaFile{StoredMedia: *stored, ctx: ctx, store: m, number: number, place: -1}, stored.Size)
	switch {
	case err != nil:
		return fmt.Errorf("quiz.MediaStore.Add: %w", err)
	case end == 0:
		return errEmpty
	case end == stored.Size:
		return nil
	}
	last := (end - 1) / pieceSize
	if _, err := m.pool.Exec(ctx, `DELETE FROM media_pieces WHERE media = $1 AND place > $2`, number, last); err != nil {
		return fmt.Errorf("quiz.MediaStore.Add: %w", err)
	}
	const cut = `UPDATE media_pieces SET bytes = substr(bytes, 1, $3) WHERE media = $1 AND place = $2`
	if _, err := m.pool.Exec(ctx, cut, number, last, end-last*pieceSize); err != nil {
		return fmt.Errorf("quiz.MediaStore.Add: %w", err)
	}
	stored.Size = end
	h.Reset()
	if _, err := io.Copy(h, &MediaFile{StoredMedia: *stored, ctx: ctx, store: m, number: number, place: -1}); err != nil {
		return fmt.Errorf("quiz.MediaStore.Add: %w", err)
	}
	return nil
}

// fill reads until p is full. Unlike io.ReadFull it tells the end of what is read from the loss of the rest of it, which a body reports as
// io.ErrUnexpectedEOF.
func fill(from io.Reader, p []byte) (n int, err error) {
	for n < len(p) && err == nil {
		var m int
		m, err = from.Read(p[n:])
		n += m
	}
	return n, err
}

// finish gives what came in its id, or takes what is stored under it already, and makes owner its owner.
func (m *MediaStore) finish(ctx context.Context, tx pgx.Tx, owner OwnerID, number int64, stored StoredMedia) error {
	// One upload of an owner at a time, so that together they stay within the total; and one of the same content.
	if _, err := tx.Exec(ctx, `SELECT FROM users WHERE id = $1 FOR NO KEY UPDATE`, owner); err != nil {
		return fmt.Errorf("quiz.MediaStore.Add: %w", err)
	}
	if _, err := tx.Exec(ctx, `SELECT pg_advisory_xact_lock(hashtextextended($1, 0))`, stored.ID); err != nil {
		return fmt.Errorf("quiz.MediaStore.Add: %w", err)
	}
	const name = `
		WITH same AS (SELECT number FROM media WHERE id = $1),
			named AS (UPDATE media SET id = $1, size = $3 WHERE number = $2 AND NOT EXISTS (SELECT FROM same) RETURNING number),
			dropped AS (DELETE FROM media WHERE number = $2 AND EXISTS (SELECT FROM same))
		INSERT INTO media_owners (owner_id, media) SELECT $4, number FROM (SELECT * FROM same UNION ALL SELECT * FROM named) AS stored
		ON CONFLICT (owner_id, media) DO UPDATE SET unused_since = NULL`
	if _, err := tx.Exec(ctx, name, stored.ID, number, stored.Size, owner); err != nil {
		return fmt.Errorf("quiz.MediaStore.Add: %w", err)
	}
	return m.checkTotal(ctx, tx, owner)
}

// querier is a pool or a transaction.
type querier interface {
	QueryRow(ctx context.Context, sql string, args ...any) pgx.Row
}

// checkTotal refuses what is more than one host may keep.
func (m *MediaStore) checkTotal(ctx context.Context, in querier, owner OwnerID) error {
	var within bool
	const sum = `SELECT coalesce(sum(size), 0) <= $2 FROM media_owners JOIN media ON media.number = media WHERE owner_id = $1`
	if err := in.QueryRow(ctx, sum, owner, MaxMediaTotal).Scan(&within); err != nil {
		return fmt.Errorf("quiz.MediaStore.Add: %w", err)
	}
	if !within {
		return Problem{"file", words.T("Your pictures, sounds and films together would be more than {most} MB. "+
			"Take some out of your quizzes; a week later there is room again.", "most", MaxMediaTotal>>20)}
	}
	return nil
}

var mediaNames = map[MediaKind]words.Text{Image: words.T("A picture"), Audio: words.T("A sound"), Video: words.T("A film")}

// capped reads no more than is allowed of a kind.
type capped struct {
	from io.Reader
	left int64
	kind MediaKind
}

func (c *capped) Read(p []byte) (int, error) {
	if int64(len(p)) > c.left+1 {
		p = p[:c.left+1]
	}
	n, err := c.from.Read(p)
	if c.left -= int64(n); c.left < 0 {
		return n, Problem{"file", words.T("{file} may have {most} MB at most. Make it smaller first.", "file", mediaNames[c.kind], "most", int(maxSize[c.kind]>>20))}
	}
	return n, err
}
