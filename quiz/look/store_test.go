package look

import (
	"bytes"
	"image"
	"image/color"
	"image/png"
	"reflect"
	"strings"
	"testing"

	"github.com/jackc/pgx/v5/pgxpool"

	"pubquiz/internal/dbtest"
	"pubquiz/quiz"
)

func newHost(t *testing.T, pool *pgxpool.Pool, name string) (id quiz.OwnerID) {
	t.Helper()
	err := pool.QueryRow(t.Context(), `INSERT INTO users (email, email_key, name, password_hash) VALUES ($1, $1, $1, '-') RETURNING id`, name+"@example.org").Scan(&id)
	if err != nil {
		t.Fatal(err)
	}
	return id
}

// picture stores a picture of one colour and returns its id.
func picture(t *testing.T, pool *pgxpool.Pool, owner quiz.OwnerID, grey uint8) string {
	t.Helper()
	drawn := image.NewGray(image.Rect(0, 0, 2, 1))
	drawn.SetGray(0, 0, color.Gray{Y: grey})
	var file bytes.Buffer
	if err := png.Encode(&file, drawn); err != nil {
		t.Fatal(err)
	}
	stored, err := quiz.NewMediaStore(pool).Add(t.Context(), owner, &file)
	if err != nil {
		t.Fatal(err)
	}
	return stored.ID
}

func read(t *testing.T, s *Store, owner quiz.OwnerID) Look {
	t.Helper()
	l, err := s.Of(t.Context(), owner)
	if err != nil {
		t.Fatal(err)
	}
	return l
}

func TestStoreKeepsLooks(t *testing.T) {
	t.Parallel()
	pool := dbtest.New(t)
	store, host, other := NewStore(pool), newHost(t, pool, "host"), newHost(t, pool, "other")
	one, two := picture(t, pool, host, 1), picture(t, pool, host, 2)
	for name, l := range map[string]Look{
		"nothing":        {Pictures: []string{}},
		"an accent":      {Accent: "#ffb52e", Pictures: []string{}},
		"a logo":         {Logo: one, Pictures: []string{}},
		"pictures":       {Pictures: []string{two, one}},
		"one everywhere": {Accent: "#000000", Logo: one, Pictures: []string{one, two, one}},
		"as many as fit": {Pictures: []string{one, two, one, two, one, two, one, two}},
	} {
		if err := store.Save(t.Context(), host, l); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		if got := read(t, store, host); !reflect.DeepEqual(got, l) {
			t.Errorf("%s comes back as %+v, want %+v", name, got, l)
		}
	}
	if got, want := read(t, store, other), (Look{Pictures: []string{}}); !reflect.DeepEqual(got, want) {
		t.Errorf("a host who chose nothing looks like %+v, want %+v", got, want)
	}
}

func TestStoreRefuses(t *testing.T) {
	t.Parallel()
	pool := dbtest.New(t)
	store, host, other := NewStore(pool), newHost(t, pool, "host"), newHost(t, pool, "other")
	own, foreign := picture(t, pool, host, 1), picture(t, pool, other, 2)
	sound, err := quiz.NewMediaStore(pool).Add(t.Context(), host, bytes.NewReader([]byte("\xff\xfb\x90\x64"+strings.Repeat("la ", 700))))
	if err != nil {
		t.Fatal(err)
	}
	kept := Look{Accent: "#123456", Logo: own, Pictures: []string{own}}
	if err := store.Save(t.Context(), host, kept); err != nil {
		t.Fatal(err)
	}
	for field, l := range map[string]Look{
		"accent":      {Accent: "red"},
		"accent ":     {Accent: "#FFB52E"},
		"accent  ":    {Accent: "#ffb52é"},
		"logo":        {Logo: "../../etc"},
		"logo ":       {Logo: foreign},
		"logo  ":      {Logo: sound.ID},
		"pictures":    {Pictures: []string{own, own, own, own, own, own, own, own, own}},
		"pictures[0]": {Pictures: []string{foreign}},
		"pictures[1]": {Pictures: []string{own, strings.Repeat("0", 64), own}},
		"pictures[2]": {Pictures: []string{own, own, ""}},
	} {
		wrong, ok := store.Save(t.Context(), host, l).(quiz.Problem)
		if !ok || wrong.Path != strings.TrimSpace(field) || wrong.Detail.IsZero() {
			t.Errorf("%+v: %+v, want a problem with %s", l, wrong, field)
		}
	}
	if got := read(t, store, host); !reflect.DeepEqual(got, kept) {
		t.Errorf("after what was refused the look is %+v, want %+v", got, kept)
	}
}

// TestPicturesInUseStay: what a look shows is not tidied away, and what it showed before is.
func TestPicturesInUseStay(t *testing.T) {
	t.Parallel()
	pool := dbtest.New(t)
	store, media, host := NewStore(pool), quiz.NewMediaStore(pool), newHost(t, pool, "host")
	used, unused := picture(t, pool, host, 1), picture(t, pool, host, 2)
	age := func() {
		t.Helper()
		if _, err := pool.Exec(t.Context(), `UPDATE media_owners SET unused_since = now() - interval '8 days' WHERE unused_since IS NOT NULL`); err != nil {
			t.Fatal(err)
		}
		if _, err := pool.Exec(t.Context(), `UPDATE media SET created_at = now() - interval '8 days'`); err != nil {
			t.Fatal(err)
		}
	}
	tidy := func() {
		t.Helper()
		if err := media.Tidy(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	tidy() // notes that neither is in use
	age()
	if err := store.Save(t.Context(), host, Look{Pictures: []string{used}}); err != nil {
		t.Fatal(err)
	}
	tidy()
	if _, err := media.Open(t.Context(), used); err != nil {
		t.Errorf("a picture that is shown: %v", err)
	}
	if _, err := media.Open(t.Context(), unused); err == nil {
		t.Error("a picture that was not used for a week is still there")
	}
}

// TestLooksGoWithTheirHost, pictures and all.
func TestLooksGoWithTheirHost(t *testing.T) {
	t.Parallel()
	pool := dbtest.New(t)
	store, host := NewStore(pool), newHost(t, pool, "host")
	own := picture(t, pool, host, 1)
	if err := store.Save(t.Context(), host, Look{Logo: own, Pictures: []string{own}}); err != nil {
		t.Fatal(err)
	}
	if _, err := pool.Exec(t.Context(), `DELETE FROM users WHERE id = $1`, host); err != nil {
		t.Fatal(err)
	}
	var left int
	if err := pool.QueryRow(t.Context(), `SELECT (SELECT count(*) FROM pub_looks) + (SELECT count(*) FROM pub_pictures)`).Scan(&left); err != nil {
		t.Fatal(err)
	}
	if left > 0 {
		t.Errorf("%d rows of the look are left", left)
	}
}
