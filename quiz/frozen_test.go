package quiz

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestFrozenOrderingsOfThreeAreNeverInOrder(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	for _, options := range [][]string{{"one", "two"}, {"one", "two", "three"}, {"a", "b", "c", "d", "e", "f"}, {"same", "same", "other"}} {
		authored := Question{Kind: Ordering, Options: slices.Clone(options)}
		inOrder := 0
		for range 200 {
			frozen := authored.Frozen(random.Shuffle)
			if slices.Equal(frozen.Options, options) {
				inOrder++
			}
			if got := pick(frozen.Options, frozen.Correct); !slices.Equal(got, options) {
				t.Fatalf("%q is frozen as %q with the right order %v, which is %q", options, frozen.Options, frozen.Correct, got)
			}
			if m := mark(frozen, Given{Choices: frozen.Correct})[0]; m.Verdict != Right {
				t.Fatalf("the right order of %q is marked %+v", frozen.Options, m)
			}
		}
		if len(options) > 2 && inOrder > 0 || len(options) == 2 && (inOrder < 50 || inOrder > 150) {
			t.Errorf("%q is asked in its right order %d times of 200", options, inOrder)
		}
		if diff := cmp.Diff(Question{Kind: Ordering, Options: options}, authored); diff != "" {
			t.Errorf("freezing changed the authored question: %s", diff)
		}
	}
}

func TestFrozenLeavesTheRest(t *testing.T) {
	never := func(int, func(i, j int)) { t.Error("shuffled") }
	if diff := cmp.Diff(planet, planet.Frozen(never)); diff != "" {
		t.Error(diff)
	}
	alike := Question{Kind: Ordering, Options: []string{"same", "same"}}
	if got := alike.Frozen(rand.Shuffle); !slices.Equal(got.Options, alike.Options) {
		t.Errorf("frozen as %q", got.Options)
	}
}
