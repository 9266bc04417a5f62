package quiz

import (
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"

	"pubquiz/internal/words"
)

func TestPick(t *testing.T) {
	quizzes := []Summary{
		{ID: 1, Title: "Christmas 2025", Tags: []string{"pub", "winter"}, Questions: 10},
		{ID: 2, Title: "ärgerlich", Questions: 30},
		{ID: 3, Title: "Quiz 10", Tags: []string{"Pub"}, Questions: 20},
		{ID: 4, Title: "quiz 9", Tags: []string{"pub"}, Questions: 20},
	}
	for _, test := range []struct {
		words, tag string
		order      Sort
		want       []ID
	}{
		{"", "", LastSaved, []ID{1, 2, 3, 4}},
		{"QUIZ", "", LastSaved, []ID{3, 4}},
		{"quiz 9", "", LastSaved, []ID{4}},
		{"9 quiz", "", LastSaved, []ID{4}},
		{"winter", "", LastSaved, []ID{1}},
		{"nothing like it", "", LastSaved, nil},
		{"", "pub", LastSaved, []ID{1, 4}},
		{"quiz", "pub", LastSaved, []ID{4}},
		{"", "", ByTitle, []ID{2, 1, 4, 3}},
		{"", "", Longest, []ID{2, 3, 4, 1}},
		{"", "", "sideways", []ID{1, 2, 3, 4}},
	} {
		var got []ID
		for _, q := range Pick(quizzes, test.words, test.tag, test.order) {
			got = append(got, q.ID)
		}
		if diff := cmp.Diff(test.want, got); diff != "" {
			t.Errorf("%q, %q, %q: %s", test.words, test.tag, test.order, diff)
		}
	}
	if diff := cmp.Diff([]string{"Pub", "pub", "winter"}, TagsOf(quizzes)); diff != "" {
		t.Error(diff)
	}
	if quizzes[0].ID != 1 || quizzes[3].ID != 4 {
		t.Error("the list itself was changed")
	}
}

func TestCopyTitle(t *testing.T) {
	long := fmt.Sprintf("%0120d", 0)
	for title, want := range map[string]string{
		"Quiz": "Copy of Quiz", "Copy of Quiz": "Copy of Quiz", "": "", " ": " ", long: ("Copy of " + long)[:MaxTitle], "ÄÖÜ": "Copy of ÄÖÜ",
	} {
		if got := copyTitle(words.English, title); got != want {
			t.Errorf("copyTitle(%q) = %q, want %q", title, got, want)
		}
	}
}
