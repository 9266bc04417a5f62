package session

import (
	"cmp"
	"slices"
	"time"

	"pubquiz/quiz"
)

// Statistics is how a question went, over those who are in.
type Statistics struct {
	Answered, Right, Part, Wrong int
	Distribution                 []int           // answers per option, where options are chosen
	CommonWrong                  []CommonAnswer  // what was wrong or only partly right, most common first
	Times                        []time.Duration // how long the answers took, the quickest first
}

// CommonAnswer is what several participants answered.
type CommonAnswer struct {
	Given quiz.Given // one that stands for all of them
	Count int
}

// MedianTime is how long half of the answers took at most; 0 where there are none.
func (s Statistics) MedianTime() time.Duration {
	n := len(s.Times)
	if n == 0 {
		return 0
	}
	return (s.Times[(n-1)/2] + s.Times[n/2]) / 2
}

// statistics counts the answers to the question at this index.
func (r *Results) statistics(question int) (s Statistics) {
	q := &r.Questions[question].Question
	if q.Kind != quiz.Ordering && len(q.Choices()) > 0 {
		s.Distribution = make([]int, len(q.Choices()))
	}
	wrong := map[string]*CommonAnswer{}
	for _, row := range r.Rows {
		a := row.Answers[question]
		if a == nil {
			continue
		}
		s.count(a)
		if a.Verdict != quiz.Wrong && a.Verdict != quiz.Part {
			continue
		}
		given := quiz.Given{Choices: slices.Clone(a.Given.Choices), Text: a.Given.Text}
		if q.Kind == quiz.Multiple { // in whichever order they were picked
			slices.Sort(given.Choices)
		}
		key := commonKey(given)
		if wrong[key] == nil {
			wrong[key] = &CommonAnswer{Given: given}
		}
		wrong[key].Count++
		wrong[key].Given.Text = min(wrong[key].Given.Text, given.Text) // whichever was read first must not matter
	}
	for _, w := range wrong {
		s.CommonWrong = append(s.CommonWrong, *w)
	}
	slices.SortFunc(s.CommonWrong, func(a, b CommonAnswer) int {
		return cmp.Or(cmp.Compare(b.Count, a.Count), cmp.Compare(a.Given.Text, b.Given.Text), slices.Compare(a.Given.Choices, b.Given.Choices))
	})
	slices.Sort(s.Times)
	return s
}

func (s *Statistics) count(a *ResultsAnswer) {
	s.Answered++
	s.Times = append(s.Times, a.Elapsed)
	switch a.Verdict {
	case quiz.Right:
		s.Right++
	case quiz.Part:
		s.Part++
	case quiz.Wrong:
		s.Wrong++
	}
	if s.Distribution != nil {
		for _, choice := range a.Given.Choices {
			s.Distribution[choice]++
		}
	}
}

// commonKey is the same for answers that say the same.
func commonKey(g quiz.Given) string {
	key := []byte(quiz.Fold(g.Text))
	for _, choice := range g.Choices {
		key = append(key, 0, byte(choice))
	}
	return string(key)
}
