package quiz

import (
	"errors"
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"

	"pubquiz/internal/dbtest"
)

func TestSearchFindsOnesOwnQuestions(t *testing.T) {
	t.Parallel()
	pool := dbtest.New(t)
	store, host, other := NewStore(pool), newHost(t, pool, "host"), newHost(t, pool, "other")
	old := Content{Title: "Old", Tags: []string{"pub"}, Rounds: []Round{
		{Title: "One", Questions: []Question{
			{Kind: Text, Text: "What is 100 % of nothing?", Accepted: []string{"Nothing_at all"}, Tags: []string{"easy"}},
			{Kind: Single, Text: "Which planet is red?", Options: []string{"Venus", "MARS"}},
		}},
		{Title: "Two", Questions: []Question{{Kind: TrueFalse, Text: "Ärzte are doctors.", Notes: "In German"}}},
	}}
	for owner, contents := range map[OwnerID][]Content{host: {old, {Title: "New", Rounds: []Round{{Title: "Only", Questions: []Question{
		{Kind: Poll, Text: "Mars or Venus?", Options: []string{"Mars", "Venus"}, Tags: []string{"easy", "fun"}},
	}}}}}, other: {old}} {
		for _, content := range contents {
			if _, err := store.Create(t.Context(), owner, content); err != nil {
				t.Fatal(err)
			}
		}
	}
	for _, test := range []struct {
		words, tag string
		want       []string
	}{
		{"", "", []string{"New 1.1", "Old 1.1", "Old 1.2", "Old 2.1"}},
		{"mars", "", []string{"New 1.1", "Old 1.2"}},
		{"venus red", "", []string{"Old 1.2"}},
		{"ÄRZTE", "", []string{"Old 2.1"}},
		{"ärzte", "", []string{"Old 2.1"}},
		{"german", "", []string{"Old 2.1"}},
		{"fun", "", []string{"New 1.1"}},
		{"100 %", "", []string{"Old 1.1"}},
		{"_at", "", []string{"Old 1.1"}},
		{"%", "", []string{"Old 1.1"}},
		{`'; DROP TABLE quizzes; --`, "", nil},
		{"", "easy", []string{"New 1.1", "Old 1.1"}},
		{"", "pub", []string{"Old 1.1", "Old 1.2", "Old 2.1"}},
		{"mars", "pub", []string{"Old 1.2"}},
		{"", "eas", nil},
	} {
		found, more, err := store.Search(t.Context(), host, test.words, test.tag)
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, f := range found {
			got = append(got, fmt.Sprintf("%s %d.%d", f.QuizTitle, f.Round, f.Number))
		}
		if diff := cmp.Diff(test.want, got); diff != "" || more {
			t.Errorf("%q, %q, more %t: %s", test.words, test.tag, more, diff)
		}
	}
	found, _, err := store.Search(t.Context(), host, "planet", "")
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(old.Rounds[0].Questions[1], found[0].Question); diff != "" || found[0].RoundTitle != "One" {
		t.Errorf("%+v: %s", found[0], diff)
	}
	tags, err := store.Tags(t.Context(), host)
	if diff := cmp.Diff([]string{"easy", "fun", "pub"}, tags); diff != "" || err != nil {
		t.Errorf("%v %s", err, diff)
	}
}

func TestSearchEnds(t *testing.T) {
	t.Parallel()
	pool := dbtest.New(t)
	store, host := NewStore(pool), newHost(t, pool, "host")
	round := Round{Questions: make([]Question, BankLimit)}
	for i := range round.Questions {
		round.Questions[i] = Question{Kind: Text, Text: fmt.Sprint("Question ", i)}
	}
	for _, rounds := range [][]Round{{round}, {{Questions: []Question{{Kind: Text, Text: "The last question"}}}}} {
		if _, err := store.Create(t.Context(), host, Content{Rounds: rounds}); err != nil {
			t.Fatal(err)
		}
	}
	for words, want := range map[string]struct {
		n    int
		more bool
	}{"": {BankLimit, true}, "question": {BankLimit, true}, "last": {1, false}, "question 5": {15, false}} {
		found, more, err := store.Search(t.Context(), host, words, "")
		if err != nil || len(found) != want.n || more != want.more {
			t.Errorf("%q finds %d, more %t, %v; want %+v", words, len(found), more, err, want)
		}
	}
}

func TestSharingOneQuiz(t *testing.T) {
	t.Parallel()
	pool := dbtest.New(t)
	store, host, other := NewStore(pool), newHost(t, pool, "host"), newHost(t, pool, "other")
	id, err := store.Create(t.Context(), host, Sample())
	if err != nil {
		t.Fatal(err)
	}
	if token, err := store.ShareToken(t.Context(), host, id); token != "" || err != nil {
		t.Errorf("before it is shared: %q, %v", token, err)
	}
	token, err := store.Share(t.Context(), host, id)
	if err != nil {
		t.Fatal(err)
	}
	again, err := store.Share(t.Context(), host, id)
	if known, _ := store.ShareToken(t.Context(), host, id); err != nil || again != token || known != token || len(token) != 32 {
		t.Errorf("shared under %q, %q and %q, %v", token, again, known, err)
	}
	shared, err := store.Read(t.Context(), token)
	if diff := cmp.Diff(Shared{id, host, Sample()}, shared); diff != "" || err != nil {
		t.Errorf("%v %s", err, diff)
	}
	for what, err := range map[string]error{
		"another's sharing": func() error { _, err := store.Share(t.Context(), other, id); return err }(),
		"another's ending":  store.Unshare(t.Context(), other, id),
		"another's look":    func() error { _, err := store.ShareToken(t.Context(), other, id); return err }(),
		"a guess":           func() error { _, err := store.Read(t.Context(), "x"); return err }(),
		"no token":          func() error { _, err := store.Read(t.Context(), ""); return err }(),
	} {
		if !errors.Is(err, ErrNotFound) {
			t.Errorf("%s: %v", what, err)
		}
	}
	if err := store.Unshare(t.Context(), host, id); err != nil {
		t.Fatal(err)
	}
	if _, err := store.Read(t.Context(), token); !errors.Is(err, ErrNotFound) {
		t.Errorf("after the end: %v", err)
	}
	if next, err := store.Share(t.Context(), host, id); err != nil || next == token {
		t.Errorf("shared again under %q, %v", next, err)
	}
}
