package quiz

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/jackc/pgx/v5/pgxpool"

	"pubquiz/internal/dbtest"
)

func newHost(t *testing.T, pool *pgxpool.Pool, name string) OwnerID {
	t.Helper()
	var id OwnerID
	err := pool.QueryRow(t.Context(), `INSERT INTO users (email, email_key, name, password_hash) VALUES ($1, $1, $1, '-') RETURNING id`,
		name+"@example.org").Scan(&id)
	if err != nil {
		t.Fatal(err)
	}
	return id
}

func TestStoreKeepsContent(t *testing.T) {
	t.Parallel()
	pool := dbtest.New(t)
	store, host := NewStore(pool), newHost(t, pool, "host")
	for name, content := range map[string]Content{
		"sample": Sample(),
		"draft":  {Rounds: []Round{{Questions: []Question{{Kind: Single, Options: []string{"", ""}}}}}},
	} {
		id, err := store.Create(t.Context(), host, content)
		if err != nil {
			t.Fatal(err)
		}
		got, err := store.Get(t.Context(), host, id)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(Quiz{ID: id, Revision: 1, Content: content}, got); diff != "" {
			t.Errorf("%s: %s", name, diff)
		}
	}
}

func TestStoreKeepsListsInsteadOfNothing(t *testing.T) {
	t.Parallel()
	pool := dbtest.New(t)
	store, host := NewStore(pool), newHost(t, pool, "host")
	id, err := store.Create(t.Context(), host, Content{})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := store.Save(t.Context(), host, id, 1, Content{Rounds: make([]Round, 1)}); err != nil {
		t.Fatal(err)
	}
	got, err := store.Get(t.Context(), host, id)
	if err != nil || got.Content.Rounds[0].Questions == nil {
		t.Errorf("Get = %+v, %v; want an empty list of questions", got, err)
	}
}

func TestStoreListsTheLastSavedFirst(t *testing.T) {
	t.Parallel()
	pool := dbtest.New(t)
	store, host, other := NewStore(pool), newHost(t, pool, "host"), newHost(t, pool, "other")
	var ids []ID
	for owner, contents := range map[OwnerID][]Content{host: {Sample(), {Title: "Empty"}, {Rounds: make([]Round, 2)}}, other: {Sample()}} {
		for _, content := range contents {
			id, err := store.Create(t.Context(), owner, content)
			if err != nil {
				t.Fatal(err)
			}
			if owner == host {
				ids = append(ids, id)
			}
		}
	}
	if _, err := store.Save(t.Context(), host, ids[0], 1, Sample()); err != nil {
		t.Fatal(err)
	}
	got, err := store.List(t.Context(), host)
	if err != nil {
		t.Fatal(err)
	}
	for i := range got {
		if got[i].UpdatedAt.IsZero() {
			t.Errorf("%+v has no time", got[i])
		}
		got[i].UpdatedAt = Summary{}.UpdatedAt
	}
	none := []string{}
	want := []Summary{
		{ID: ids[0], Title: Sample().Title, Rounds: 3, Questions: 15, Tags: none}, {ID: ids[2], Rounds: 2, Tags: none}, {ID: ids[1], Title: "Empty", Tags: none},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

func TestStoreRefusesAStaleRevision(t *testing.T) {
	t.Parallel()
	pool := dbtest.New(t)
	store, host := NewStore(pool), newHost(t, pool, "host")
	id, err := store.Create(t.Context(), host, Sample())
	if err != nil {
		t.Fatal(err)
	}
	var (
		group sync.WaitGroup
		mu    sync.Mutex
		saved []string
	)
	for i := range 10 { // ten editors have read revision 1
		group.Go(func() {
			content := Content{Title: fmt.Sprint("By editor ", i)}
			revision, err := store.Save(context.WithoutCancel(t.Context()), host, id, 1, content)
			if errors.Is(err, ErrStaleRevision) {
				return
			}
			if err != nil || revision != 2 {
				t.Errorf("Save = %d, %v", revision, err)
			}
			mu.Lock()
			defer mu.Unlock()
			saved = append(saved, content.Title)
		})
	}
	group.Wait()
	got, err := store.Get(t.Context(), host, id)
	if err != nil || len(saved) != 1 || got.Revision != 2 || got.Content.Title != saved[0] {
		t.Errorf("saved by %q, and kept %+v, %v", saved, got, err)
	}
}

// TestTheSameSaveOnceMore, whose first reply got lost: it is no other's, as long as nobody has saved since.
func TestTheSameSaveOnceMore(t *testing.T) {
	t.Parallel()
	pool := dbtest.New(t)
	store, host := NewStore(pool), newHost(t, pool, "host")
	id, err := store.Create(t.Context(), host, Sample())
	if err != nil {
		t.Fatal(err)
	}
	content := Sample()
	content.Title = "Renamed"
	for range 3 {
		if revision, err := store.Save(t.Context(), host, id, 1, content); err != nil || revision != 2 {
			t.Errorf("Save = %d, %v", revision, err)
		}
	}
	if _, err := store.Save(t.Context(), host, id, 2, Sample()); err != nil {
		t.Fatal(err)
	}
	if _, err := store.Save(t.Context(), host, id, 1, content); !errors.Is(err, ErrStaleRevision) {
		t.Errorf("after another save: %v", err)
	}
}

func TestStoreRefusesWhatIsOutOfBounds(t *testing.T) {
	t.Parallel()
	pool := dbtest.New(t)
	store, host := NewStore(pool), newHost(t, pool, "host")
	id, err := store.Create(t.Context(), host, Sample())
	if err != nil {
		t.Fatal(err)
	}
	long := Content{Title: strings.Repeat("x", 121)}
	_, createErr := store.Create(t.Context(), host, long)
	_, saveErr := store.Save(t.Context(), host, id, 1, long)
	for verb, err := range map[string]error{"Create": createErr, "Save": saveErr} {
		if refused, ok := errors.AsType[*OutOfBoundsError](err); !ok || refused.Problems[0].Path != "title" {
			t.Errorf("%s error = %v", verb, err)
		}
	}
}

func TestAForeignQuizDoesNotExist(t *testing.T) {
	t.Parallel()
	pool := dbtest.New(t)
	store, host, other := NewStore(pool), newHost(t, pool, "host"), newHost(t, pool, "other")
	id, err := store.Create(t.Context(), host, Sample())
	if err != nil {
		t.Fatal(err)
	}
	_, getErr := store.Get(t.Context(), other, id)
	_, saveErr := store.Save(t.Context(), other, id, 1, Content{})
	_, staleErr := store.Save(t.Context(), other, id, 7, Content{})
	deleteErr := store.Delete(t.Context(), other, id)
	_, unknownErr := store.Get(t.Context(), host, id+1)
	for verb, err := range map[string]error{"Get": getErr, "Save": saveErr, "stale Save": staleErr, "Delete": deleteErr, "unknown Get": unknownErr} {
		if !errors.Is(err, ErrNotFound) {
			t.Errorf("%s error = %v, want ErrNotFound", verb, err)
		}
	}
	if err := store.Delete(t.Context(), host, id); err != nil {
		t.Error(err)
	}
	if _, err := store.Get(t.Context(), host, id); !errors.Is(err, ErrNotFound) {
		t.Errorf("after Delete, Get error = %v", err)
	}
}

// TestHostCannotFillTheDatabase: however many quizzes are made at once, and however, a host has no more than may be.
func TestHostCannotFillTheDatabase(t *testing.T) {
	t.Parallel()
	pool := dbtest.New(t)
	store, host, other := NewStore(pool), newHost(t, pool, "host"), newHost(t, pool, "other")
	const fill = `INSERT INTO quizzes (owner_id, content) SELECT $1, '{"title":"","rounds":[]}' FROM generate_series(1, $2)`
	if _, err := pool.Exec(t.Context(), fill, host, MaxQuizzes-3); err != nil {
		t.Fatal(err)
	}
	var made, refused atomic.Int32
	var wg sync.WaitGroup
	for i := range 20 {
		wg.Go(func() {
			make := store.Create
			if i%2 == 0 {
				make = store.Copy
			}
			switch _, err := make(t.Context(), host, Content{}); {
			case err == nil:
				made.Add(1)
			case errors.As(err, new(Problem)):
				refused.Add(1)
			default:
				t.Error(err)
			}
		})
	}
	wg.Wait()
	if made.Load() != 3 || refused.Load() != 17 {
		t.Errorf("%d were made and %d refused", made.Load(), refused.Load())
	}
	if _, err := store.Create(t.Context(), other, Content{}); err != nil {
		t.Errorf("another host: %v", err)
	}
}
