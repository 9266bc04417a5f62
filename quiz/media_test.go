package quiz

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"strings"
	"sync"
	"testing"
	"testing/iotest"

	"github.com/jackc/pgx/v5/pgxpool"

	"pubquiz/internal/dbtest"
)

// mp3 is a sound of n bytes, as far as can be told from its beginning.
func mp3(n int) []byte {
	sound := bytes.Repeat([]byte("la "), n/3+1)[:n]
	copy(sound, "\xff\xfb\x90\x64")
	return sound
}

func count(t *testing.T, pool *pgxpool.Pool, from string) (n int) {
	t.Helper()
	if err := pool.QueryRow(t.Context(), "SELECT count(*) FROM "+from).Scan(&n); err != nil {
		t.Fatal(err)
	}
	return n
}

func execute(t *testing.T, pool *pgxpool.Pool, sql string, args ...any) {
	t.Helper()
	if _, err := pool.Exec(t.Context(), sql, args...); err != nil {
		t.Fatal(err)
	}
}

func add(t *testing.T, media *MediaStore, owner OwnerID, file []byte) StoredMedia {
	t.Helper()
	stored, err := media.Add(t.Context(), owner, bytes.NewReader(file))
	if err != nil {
		t.Fatal(err)
	}
	return stored
}

func TestMediaAreReadFromAnywhere(t *testing.T) {
	t.Parallel()
	pool := dbtest.New(t)
	media, host := NewMediaStore(pool), newHost(t, pool, "host")
	for _, size := range []int{2000, pieceSize - 1, pieceSize, pieceSize + 1, 3*pieceSize + 17} {
		sound := mp3(size)
		stored := add(t, media, host, sound)
		hash := sha256.Sum256(sound)
		if want := (StoredMedia{ID: hex.EncodeToString(hash[:]), Kind: Audio, Type: "audio/mpeg", Size: int64(size)}); stored != want {
			t.Errorf("stored %+v, want %+v", stored, want)
		}
		file, err := media.Open(t.Context(), stored.ID)
		if err != nil {
			t.Fatal(err)
		}
		if file.StoredMedia != stored {
			t.Errorf("found %+v, want %+v", file.StoredMedia, stored)
		}
		if err := iotest.TestReader(file, sound); err != nil {
			t.Errorf("%d bytes: %v", size, err)
		}
	}
	if _, err := media.Open(t.Context(), strings.Repeat("0", 64)); !errors.Is(err, ErrNoMedia) {
		t.Errorf("what is not there: %v", err)
	}
}

func TestMediaAreStoredOnce(t *testing.T) {
	t.Parallel()
	pool := dbtest.New(t)
	media, first, second := NewMediaStore(pool), newHost(t, pool, "first"), newHost(t, pool, "second")
	var all sync.WaitGroup
	for i := range 8 {
		all.Go(func() {
			if _, err := media.Add(t.Context(), []OwnerID{first, second}[i%2], bytes.NewReader(mp3(200_000))); err != nil {
				t.Error(err)
			}
		})
	}
	all.Wait()
	if files, owners, pieces := count(t, pool, "media"), count(t, pool, "media_owners"), count(t, pool, "media_pieces"); files != 1 || owners != 2 || pieces != 2 {
		t.Errorf("%d files in %d pieces with %d owners", files, pieces, owners)
	}
}

// endless is a body that never ends, and counts what was read of it.
type endless struct {
	begin io.Reader
	read  int64
}

func (e *endless) Read(p []byte) (int, error) {
	n, err := e.begin.Read(p)
	if err != nil {
		n = len(p)
	}
	e.read += int64(n)
	return n, nil
}

func TestMediaAreRefused(t *testing.T) {
	t.Parallel()
	pool := dbtest.New(t)
	media, host := NewMediaStore(pool), newHost(t, pool, "host")
	broken := io.ErrUnexpectedEOF // as a request's body says it
	photo := jpegOf(t, corners(64, 32))
	for _, test := range []struct {
		name string
		body io.Reader
		want string // part of what is said; "": the body's own error
	}{
		{"nothing", strings.NewReader(""), "empty"},
		{"a text", strings.NewReader("Once upon a time"), "Choose a picture"},
		{"a page", strings.NewReader("<!doctype html><script>alert(1)</script>"), "Choose a picture"},
		{"SVG", strings.NewReader(`<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>`), "Choose a picture"},
		{"a page that calls itself a picture", strings.NewReader("GIF89a\x08\x00\x08\x00<script>alert(1)</script>"), "cannot be read"},
		{"a bomb", bytes.NewReader(bomb(30_000, 30_000)), "16 million pixels"},
		{"half a picture", bytes.NewReader(photo[:len(photo)/2]), "cannot be read"},
		{"a picture without an end", &endless{begin: bytes.NewReader(photo)}, "A picture may have 5 MB"},
		{"a sound without an end", &endless{begin: bytes.NewReader(mp3(5000))}, "A sound may have 15 MB"},
		{"a film without an end", &endless{begin: strings.NewReader("\x00\x00\x00\x18ftypmp42\x00\x00\x00\x00isommp42")}, "A film may have 50 MB"},
		{"a sound that breaks off", io.MultiReader(bytes.NewReader(mp3(200_000)), iotest.ErrReader(broken)), ""},
		{"a picture that breaks off", io.MultiReader(bytes.NewReader(photo), iotest.ErrReader(broken)), ""},
	} {
		t.Run(test.name, func(t *testing.T) {
			_, err := media.Add(t.Context(), host, test.body)
			problem, ok := errors.AsType[Problem](err)
			if test.want == "" && !errors.Is(err, broken) || test.want != "" && (!ok || problem.Path != "file" || !strings.Contains(problem.Detail.String(), test.want)) {
				t.Errorf("%v, want %q", err, test.want)
			}
			if e, ok := test.body.(*endless); ok && e.read > MaxVideo+pieceSize {
				t.Errorf("%d bytes were read", e.read)
			}
		})
	}
	if left := count(t, pool, "media_pieces") + count(t, pool, "media"); left > 0 {
		t.Errorf("%d rows are left of what was refused", left)
	}
}

func TestMediaTypes(t *testing.T) {
	t.Parallel()
	pool := dbtest.New(t)
	media, host := NewMediaStore(pool), newHost(t, pool, "host")
	for want, begin := range map[string]string{
		"audio/mpeg": "\xff\xfb\x90\x64\x00", "audio/mp4": "\x00\x00\x00\x20ftypM4A \x00\x00\x00\x00M4A mp42isom", "audio/aac": "\xff\xf1\x50\x80\x00",
		"audio/ogg": "OggS\x00\x02\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x01vorbis",
		"audio/wav": "RIFF\x24\x00\x00\x00WAVEfmt \x10\x00\x00\x00", "video/mp4": "\x00\x00\x00\x18ftypisom\x00\x00\x02\x00isomiso2",
		"video/webm": "\x1aE\xdf\xa3\x9fB\x86\x81\x01B\xf7\x81\x01B\xf2\x81\x04B\xf3\x81\x08B\x82\x84webmB\x87\x81\x02",
	} {
		if stored := add(t, media, host, append([]byte(begin), make([]byte, 100)...)); stored.Type != want || string(stored.Kind) != want[:5] {
			t.Errorf("%s is taken for %s, %s", want, stored.Kind, stored.Type)
		}
	}
	if stored := add(t, media, host, jpegOf(t, corners(64, 32))); stored.Kind != Image || stored.Type != "image/jpeg" || stored.Width != 64 || stored.Height != 32 {
		t.Errorf("a photograph is stored as %+v", stored)
	}
}

func TestOneHostKeepsSoMuch(t *testing.T) {
	t.Parallel()
	pool := dbtest.New(t)
	media, host := NewMediaStore(pool), newHost(t, pool, "host")
	full := add(t, media, host, mp3(2000))
	execute(t, pool, `UPDATE media SET size = $1 WHERE id = $2`, MaxMediaTotal-2500, full.ID)

	// Together they are too much, whichever comes first.
	results := make(chan error, 4)
	for i := range cap(results) {
		go func() {
			_, err := media.Add(context.WithoutCancel(t.Context()), host, bytes.NewReader(mp3(2001+i)))
			results <- err
		}()
	}
	kept := 0
	for range cap(results) {
		err := <-results
		if problem, ok := errors.AsType[Problem](err); ok && strings.Contains(problem.Detail.String(), "500 MB") {
			continue
		}
		if err != nil {
			t.Fatal(err)
		}
		kept++
	}
	if kept != 1 {
		t.Errorf("%d were kept, want 1", kept)
	}
	add(t, media, newHost(t, pool, "other"), mp3(2500)) // somebody else's are not counted
}

func TestUnusedMediaGo(t *testing.T) {
	t.Parallel()
	pool := dbtest.New(t)
	store, media, host, other := NewStore(pool), NewMediaStore(pool), newHost(t, pool, "host"), newHost(t, pool, "other")
	var all []StoredMedia
	for i := range 5 {
		all = append(all, add(t, media, host, mp3(2000+i)))
	}
	asked, pictured, frozen, shared, unused := all[0], all[1], all[2], all[3], all[4]
	using := func(question, picture string) Content {
		c := Content{Title: "Quiz", Rounds: []Round{{Questions: []Question{{Kind: Text, Media: &Media{ID: question, Kind: Audio}}}}}}
		if picture != "" {
			c.Rounds[0].Picture = &Media{ID: picture, Kind: Image}
		}
		return c
	}
	id, err := store.Create(t.Context(), host, using(unused.ID, ""))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := store.Save(t.Context(), host, id, 1, using(asked.ID, pictured.ID)); err != nil {
		t.Fatal(err)
	}
	if _, err := store.Create(t.Context(), other, using(shared.ID, "")); err != nil { // who has the quiz has its media
		t.Fatal(err)
	}
	const session = `INSERT INTO sessions (public_id, owner_id, title, rounds, join_code) VALUES ('s', $1, '', '[]', 'BCDFGH') RETURNING id`
	var evening int64
	if err := pool.QueryRow(t.Context(), session, host).Scan(&evening); err != nil {
		t.Fatal(err)
	}
	execute(t, pool, `INSERT INTO session_questions (session_id, round, number, content) VALUES ($1, 1, 1, $2)`, evening,
		Question{Kind: Text, Media: &Media{ID: frozen.ID, Kind: Audio}})
	execute(t, pool, `INSERT INTO media (kind, type, created_at) VALUES ('image', 'image/png', now() - interval '2 days'), ('image', 'image/png', now())`)
	tidy := func(want string) {
		t.Helper()
		execute(t, pool, `UPDATE media SET created_at = created_at - interval '2 hours' WHERE id IS NOT NULL`)
		if err := media.Tidy(t.Context()); err != nil {
			t.Fatal(err)
		}
		var left strings.Builder
		for i, stored := range all {
			if _, err := media.Open(t.Context(), stored.ID); err == nil {
				fmt.Fprint(&left, i)
			}
		}
		if left.String() != want {
			t.Errorf("%s are left, want %s", left.String(), want)
		}
	}
	tidy("01234") // noticed, but kept for a while
	if incoming := count(t, pool, "media WHERE id IS NULL"); incoming != 1 {
		t.Errorf("%d uploads under way, want the recent one", incoming)
	}
	aWeek := func() { execute(t, pool, `UPDATE media_owners SET unused_since = unused_since - interval '8 days'`) }
	aWeek()
	if _, err := store.Save(t.Context(), host, id, 2, using(asked.ID, unused.ID)); err != nil { // used again, just in time
		t.Fatal(err)
	}
	tidy("01234")
	aWeek()
	tidy("0234") // the picture that was taken out is gone; what somebody else uses is still there
	if owners := count(t, pool, "media_owners"); owners != 4 {
		t.Errorf("%d ownerships are left, want 4", owners)
	}
}

// TestARefusedSaveHoldsNoMedia: what is in content that was not saved does not become its sender's.
func TestARefusedSaveHoldsNoMedia(t *testing.T) {
	t.Parallel()
	pool := dbtest.New(t)
	store, media := NewStore(pool), NewMediaStore(pool)
	host, stranger := newHost(t, pool, "host"), newHost(t, pool, "stranger")
	id, err := store.Create(t.Context(), stranger, Sample())
	if err != nil {
		t.Fatal(err)
	}
	content := Sample()
	content.Rounds[0].Questions[0].Media = &Media{ID: add(t, media, host, mp3(2000)).ID, Kind: Audio}
	owned := fmt.Sprintf("media_owners WHERE owner_id = %d", stranger)
	if _, err := store.Save(t.Context(), stranger, id, 9, content); !errors.Is(err, ErrStaleRevision) || count(t, pool, owned) != 0 {
		t.Errorf("a save that was refused (%v) made the stranger owner of %d files", err, count(t, pool, owned))
	}
	if _, err := store.Save(t.Context(), stranger, id, 1, content); err != nil || count(t, pool, owned) != 1 {
		t.Errorf("a save (%v) made the stranger owner of %d files, want 1", err, count(t, pool, owned))
	}
}
