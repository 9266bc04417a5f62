package main

import (
	"os"
	"path/filepath"
	"testing"

	"pubquiz/loadtest"
)

func TestBarsFollowTheVenueBehind(t *testing.T) {
	file, err := os.Create(filepath.Join(t.TempDir(), "out"))
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	seated, middle := 0, 0
	b := newBars(loadtest.Plan{Venues: 2, Phones: 10, Questions: 3}, file, func() { seated++ }, func() { middle++ })
	expect := func(stage int, done float64, most int) {
		t.Helper()
		if got := b.bar.State(); b.stage != stage || got.CurrentNum != int64(done) || b.bar.GetMax() != most {
			t.Errorf("stage %d, %d of %d: want stage %d, %g of %d", b.stage, got.CurrentNum, b.bar.GetMax(), stage, done, most)
		}
	}
	b.Joined(0, 10)
	b.Joined(1, 4)
	expect(0, 14, 20)
	b.Answered(0, 1, 3) // the first venue is on, the second still joins
	expect(0, 14, 20)
	if seated != 0 {
		t.Error("seated while the second venue is still joining")
	}
	b.Answered(0, 2, 0)
	if middle != 0 {
		t.Error("halfway while the second venue is still joining")
	}
	b.Joined(1, 9)
	b.Answered(1, 1, 0)
	if middle != 0 {
		t.Error("halfway at the first of three questions")
	}
	expect(1, 10, 19)
	b.Answered(0, 2, 1)
	b.Answered(1, 1, 7)
	expect(1, 17, 19)
	b.Answered(1, 3, 9)
	expect(2, 10, 19)
	b.close()
	if middle == 0 {
		t.Error("never halfway")
	}
	if seated != 1 {
		t.Errorf("seated was called %d times", seated)
	}
	said, err := os.ReadFile(file.Name())
	if err != nil {
		t.Fatal(err)
	}
	if want := "joining\nquestion 1 of 3\nquestion 2 of 3\n"; string(said) != want {
		t.Errorf("said %q: want %q", said, want)
	}
}
