package quiz

import (
	"errors"
	"testing"

	"pubquiz/internal/dbtest"
)

// TestWhatPostgresTakesForNoText: what comes in an address may be anything, and leads nowhere rather than to a failure.
func TestWhatPostgresTakesForNoText(t *testing.T) {
	t.Parallel()
	pool := dbtest.New(t)
	store, media, host := NewStore(pool), NewMediaStore(pool), newHost(t, pool, "host")
	if _, err := store.Create(t.Context(), host, Sample()); err != nil {
		t.Fatal(err)
	}
	for _, asked := range []string{"\x00", "\xff", "a\x00", ""} {
		if _, err := store.Read(t.Context(), asked); !errors.Is(err, ErrNotFound) {
			t.Errorf("the quiz under %q: %v", asked, err)
		}
		if _, err := media.Open(t.Context(), asked); !errors.Is(err, ErrNoMedia) {
			t.Errorf("media %q: %v", asked, err)
		}
		for _, search := range [][2]string{{asked, "x"}, {"x", asked}} {
			if _, _, err := store.Search(t.Context(), host, search[0], search[1]); err != nil {
				t.Errorf("searching for %q: %v", search, err)
			}
		}
	}
}
