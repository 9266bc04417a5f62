package session

import (
	"fmt"
	"slices"
	"testing"
)

// TestHistory pages through a host's sessions and searches them.
func TestHistory(t *testing.T) {
	e := newEvening(t)
	_, err := e.pool.Exec(t.Context(), `
		INSERT INTO sessions (public_id, owner_id, title, rounds, join_code, created_at)
		SELECT 'past-' || n, $1, 'The 100% ' || n || '_quiz of Ünal', '[]', substr('BCDFGHJKMP', 1 + n / 10, 1) || substr('BCDFGHJKMP', 1 + n % 10, 1) || 'BBBB', now() - n * interval '1 day'
		FROM generate_series(1, 44) AS n`, e.owner)
	if err != nil {
		t.Fatal(err)
	}
	page := func(first, last int) (ids []string) {
		for n := first; n <= last; n++ {
			ids = append(ids, fmt.Sprint("past-", n))
		}
		return ids
	}
	for _, test := range []struct {
		words string
		page  int
		total int
		want  []string
	}{
		{"", 1, 45, append([]string{e.id}, page(1, 19)...)},
		{"", 0, 45, append([]string{e.id}, page(1, 19)...)},
		{"", 2, 45, page(20, 39)},
		{"", 3, 45, page(40, 44)},
		{"", 4, 45, nil},
		{"small", 1, 1, []string{e.id}},
		{"quiz  SMALL", 1, 1, []string{e.id}},
		{"ünal 17_", 1, 1, []string{"past-17"}},
		{"100%", 3, 44, page(41, 44)},
		{"%small", 1, 0, nil},
		{"no such", 1, 0, nil},
		{"\x00\xff", 3, 45, page(40, 44)},
	} {
		found, total, err := e.service.History(t.Context(), e.owner, test.words, test.page)
		var got []string
		for _, s := range found {
			got = append(got, s.PublicID)
		}
		if err != nil || total != test.total || !slices.Equal(got, test.want) {
			t.Errorf("page %d of %q: %v of %d, %v; want %v of %d", test.page, test.words, got, total, err, test.want, test.total)
		}
	}
	if found, total, err := e.service.History(t.Context(), e.owner+1, "", 1); err != nil || len(found) != 0 || total != 0 {
		t.Errorf("another host: %v of %d, %v", found, total, err)
	}
}
