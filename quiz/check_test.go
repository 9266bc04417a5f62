package quiz

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// small is the least that can be played: one question of each kind.
func small() Content {
	return Content{Title: "Tuesday Quiz", Rounds: []Round{{Title: "Warming up", Questions: []Question{
		{Kind: Single, Text: "Which planet is red?", Options: []string{"Venus", "Mars"}, Correct: []int{1}, Seconds: 30, Points: 2},
		{Kind: TrueFalse, Text: "An octopus has three hearts.", Correct: []int{0}, Seconds: 5, Points: 1},
		{Kind: Text, Text: "What does Au stand for?", Accepted: []string{"Gold"}, Seconds: 600, Points: 200},
	}}}}
}

func paths(found []Problem) []string {
	paths := []string{}
	for _, p := range found {
		paths = append(paths, p.Path)
	}
	return paths
}

func TestCheck(t *testing.T) {
	long := func(n int) string { return strings.Repeat("é", n) }
	for _, test := range []struct {
		name   string
		change func(*Content)
		want   []string
	}{
		{"nothing", func(*Content) {}, []string{}},
		{"an empty draft", func(c *Content) { *c = Content{} }, []string{}},
		{"an empty question", func(c *Content) { c.Rounds[0].Questions[0] = Question{Kind: Text} }, []string{}},
		{"the longest title", func(c *Content) { c.Title = long(120) }, []string{}},
		{"a title too long", func(c *Content) { c.Title = long(121) }, []string{"title"}},
		{"a control character", func(c *Content) { c.Title = "a\x00b" }, []string{"title"}},
		{"lines and tabs", func(c *Content) { c.Rounds[0].Introduction = "one\r\n\ttwo" }, []string{}},
		{"too many rounds", func(c *Content) { c.Rounds = make([]Round, 31) }, []string{"rounds"}},
		{"a round's title", func(c *Content) { c.Rounds[0].Title = long(121) }, []string{"rounds[0].title"}},
		{"an introduction", func(c *Content) { c.Rounds[0].Introduction = long(501) }, []string{"rounds[0].introduction"}},
		{"too many questions", func(c *Content) {
			c.Rounds[0].Questions = slices.Repeat([]Question{{Kind: Text}}, 101)
		}, []string{"rounds[0].questions"}},
		{"an unknown kind", func(c *Content) { c.Rounds[0].Questions[1].Kind = "essay" }, []string{"rounds[0].questions[1].kind"}},
		{"a question's text", func(c *Content) { c.Rounds[0].Questions[1].Text = long(301) }, []string{"rounds[0].questions[1].text"}},
		{"too many options", func(c *Content) { c.Rounds[0].Questions[0].Options = make([]string, 7) }, []string{"rounds[0].questions[0].options"}},
		{"an option", func(c *Content) { c.Rounds[0].Questions[0].Options[1] = long(151) }, []string{"rounds[0].questions[0].options[1]"}},
		{"no such option", func(c *Content) { c.Rounds[0].Questions[0].Correct = []int{-1, 6} },
			[]string{"rounds[0].questions[0].correct[0]", "rounds[0].questions[0].correct[1]"}},
		{"too many right", func(c *Content) { c.Rounds[0].Questions[0].Correct = make([]int, 7) }, []string{"rounds[0].questions[0].correct"}},
		{"too many accepted", func(c *Content) { c.Rounds[0].Questions[2].Accepted = make([]string, 21) }, []string{"rounds[0].questions[2].accepted"}},
		{"an accepted answer", func(c *Content) { c.Rounds[0].Questions[2].Accepted[0] = long(101) }, []string{"rounds[0].questions[2].accepted[0]"}},
		{"seconds", func(c *Content) { c.Rounds[0].Questions[2].Seconds = 601 }, []string{"rounds[0].questions[2].seconds"}},
		{"seconds before the start", func(c *Content) { c.Rounds[0].Questions[2].Seconds = -1 }, []string{"rounds[0].questions[2].seconds"}},
		{"points", func(c *Content) { c.Rounds[0].Questions[2].Points = 201 }, []string{"rounds[0].questions[2].points"}},
		{"negative points", func(c *Content) { c.Rounds[0].Questions[2].Points = -1 }, []string{"rounds[0].questions[2].points"}},
		{"notes", func(c *Content) { c.Rounds[0].Questions[2].Notes = long(501) }, []string{"rounds[0].questions[2].notes"}},
	} {
		t.Run(test.name, func(t *testing.T) {
			content := small()
			test.change(&content)
			if diff := cmp.Diff(test.want, paths(content.Check())); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestProblems(t *testing.T) {
	for _, test := range []struct {
		name   string
		change func(*Content)
		want   []string
	}{
		{"nothing", func(*Content) {}, []string{}},
		{"an empty quiz", func(c *Content) { *c = Content{} }, []string{"title", "rounds"}},
		{"blank titles", func(c *Content) { c.Title, c.Rounds[0].Title = " ", "\n" }, []string{"title", "rounds[0].title"}},
		{"an empty round", func(c *Content) { c.Rounds[0].Questions = nil }, []string{"rounds[0].questions"}},
		{"no text", func(c *Content) { c.Rounds[0].Questions[1].Text = "" }, []string{"rounds[0].questions[1].text"}},
		{"one option", func(c *Content) { c.Rounds[0].Questions[0].Options = []string{"Venus"} },
			[]string{"rounds[0].questions[0].options", "rounds[0].questions[0].correct"}},
		{"an empty option", func(c *Content) { c.Rounds[0].Questions[0].Options[0] = "" }, []string{"rounds[0].questions[0].options[0]"}},
		{"the same option again", func(c *Content) { c.Rounds[0].Questions[0].Options[1] = " Venus" }, []string{"rounds[0].questions[0].options[1]"}},
		{"options that differ by case", func(c *Content) { c.Rounds[0].Questions[0].Options = []string{"Polish", "polish"} }, []string{}},
		{"no right option", func(c *Content) { c.Rounds[0].Questions[0].Correct = nil }, []string{"rounds[0].questions[0].correct"}},
		{"two right options", func(c *Content) { c.Rounds[0].Questions[0].Correct = []int{0, 1} }, []string{"rounds[0].questions[0].correct"}},
		{"an option that is gone is right", func(c *Content) { c.Rounds[0].Questions[0].Correct = []int{2} }, []string{"rounds[0].questions[0].correct"}},
		{"neither true nor false", func(c *Content) { c.Rounds[0].Questions[1].Correct = []int{2} }, []string{"rounds[0].questions[1].correct"}},
		{"no accepted answer", func(c *Content) { c.Rounds[0].Questions[2].Accepted = nil }, []string{"rounds[0].questions[2].accepted"}},
		{"a blank accepted answer", func(c *Content) { c.Rounds[0].Questions[2].Accepted = []string{"Gold", " "} }, []string{"rounds[0].questions[2].accepted[1]"}},
		{"no time", func(c *Content) { c.Rounds[0].Questions[2].Seconds = 4 }, []string{"rounds[0].questions[2].seconds"}},
		{"no points", func(c *Content) { c.Rounds[0].Questions[2].Points = 0 }, []string{"rounds[0].questions[2].points"}},
		{"what is out of bounds, once", func(c *Content) { c.Rounds[0].Questions[2].Seconds = -1 }, []string{"rounds[0].questions[2].seconds"}},
	} {
		t.Run(test.name, func(t *testing.T) {
			content := small()
			test.change(&content)
			found := content.Problems()
			if diff := cmp.Diff(test.want, paths(found)); diff != "" {
				t.Error(diff)
			}
			for _, p := range found {
				if !strings.HasSuffix(p.Detail.String(), ".") {
					t.Errorf("detail %q is not a sentence", p.Detail)
				}
			}
		})
	}
}
