package quiz

import (
	"cmp"
	"slices"
	"strings"

	"golang.org/x/text/cases"
	"golang.org/x/text/collate"
	"golang.org/x/text/language"
)

// Sort is the order of an owner's list of quizzes.
type Sort string

// The orders.
const (
	LastSaved Sort = ""      // the last saved first
	ByTitle   Sort = "title" // as in a dictionary
	Longest   Sort = "size"  // the most questions first
)

// Pick returns those of an owner's quizzes whose titles or tags contain every word of words and that have the tag, in an order. Any of
// the three may be empty; an unknown order is LastSaved.
func Pick(quizzes []Summary, words, tag string, order Sort) []Summary {
	wanted := strings.Fields(folded(words))
	picked := slices.DeleteFunc(slices.Clone(quizzes), func(q Summary) bool {
		written := folded(q.Title + "\n" + strings.Join(q.Tags, "\n"))
		lacks := func(word string) bool { return !strings.Contains(written, word) }
		return tag != "" && !slices.Contains(q.Tags, tag) || slices.ContainsFunc(wanted, lacks)
	})
	switch order {
	case ByTitle:
		dictionary := collate.New(language.Und, collate.IgnoreCase, collate.Numeric)
		slices.SortStableFunc(picked, func(a, b Summary) int { return dictionary.CompareString(a.Title, b.Title) })
	case Longest:
		slices.SortStableFunc(picked, func(a, b Summary) int { return cmp.Compare(b.Questions, a.Questions) })
	}
	return picked
}

func folded(s string) string { return cases.Fold().String(s) }

// TagsOf returns every tag of the quizzes, in order.
func TagsOf(quizzes []Summary) []string {
	var tags []string
	for _, q := range quizzes {
		tags = append(tags, q.Tags...)
	}
	slices.Sort(tags)
	return slices.Compact(tags)
}
