package exchange

import (
	"cmp"
	"encoding/json"
	"slices"
	"strings"

	"pubquiz/internal/words"
	"pubquiz/quiz"
)

// arsnova is the JSON export of ARSnova's quizzes.
var arsnova = jsonFormat{
	name: words.T("ARSnova file"),
	matches: func(members map[string]json.RawMessage) bool {
		_, quiz := members["quiz"]
		_, version := members["exportVersion"]
		return quiz && version
	},
	read: func(data []byte, c *collector) error {
		var file struct {
			Quiz struct {
				Name      string          `json:"name"`
				Timer     float64         `json:"defaultTimer"`
				Questions json.RawMessage `json:"questions"`
			} `json:"quiz"`
		}
		if err := json.Unmarshal(data, &file); err != nil {
			return brokenJSON(string(data), err)
		}
		if file.Quiz.Name != "" {
			c.title = file.Quiz.Name
		}
		questions, err := listOf(file.Quiz.Questions)
		if err != nil {
			return err
		}
		slices.SortStableFunc(questions, func(a, b element) int { return cmp.Compare(orderOf(a), orderOf(b)) })
		return each(c, questions, func(q arsnovaQuestion) string { return q.Text }, func(q arsnovaQuestion, d *draft) {
			q.Timer = cmp.Or(q.Timer, file.Quiz.Timer)
			q.take(d)
		})
	},
}

// orderOf is a question's place in its quiz, which need not be its place in the file.
func orderOf(question element) float64 {
	var q struct {
		Order float64 `json:"order"`
	}
	_ = json.Unmarshal(question.raw, &q) // what is no question is told later
	return q.Order
}

type arsnovaQuestion struct {
	Text       string  `json:"text"`
	Type       string  `json:"type"`
	Timer      float64 `json:"timer"`      // seconds
	Difficulty any     `json:"difficulty"` // a number or a word
	Answers    []struct {
		Text  string `json:"text"`
		Right bool   `json:"isCorrect"`
	} `json:"answers"`
}

func (q arsnovaQuestion) take(d *draft) {
	d.names = map[string]string{"correct": "isCorrect", "options": "answers", "accepted": "answers", "seconds": "timer", "tags": "difficulty"}
	if q.Timer != 0 {
		d.Seconds = int(min(max(q.Timer, 1), 1e6))
	}
	if q.Difficulty != nil {
		d.Tags = []string{"difficulty " + strings.Trim(jsonText(q.Difficulty), `"`)}
	}
	var options, right []string
	var correct []int
	for i, answer := range q.Answers {
		options = append(options, answer.Text)
		if answer.Right {
			right, correct = append(right, answer.Text), append(correct, i)
		}
	}
	switch kind := heading(q.Type); {
	case strings.Contains(kind, "text") || strings.Contains(kind, "open") || strings.Contains(kind, "short"):
		d.Kind, d.Accepted = quiz.Text, right
	case strings.Contains(kind, "survey") || strings.Contains(kind, "poll"):
		d.Kind, d.Options = quiz.Poll, options
	case strings.Contains(kind, "multiple") && !strings.Contains(kind, "choice1"):
		d.choose(options, correct...)
		if len(correct) > 0 {
			d.Kind = quiz.Multiple
		}
	case len(options) > 0:
		d.choose(options, correct...)
	default:
		d.skip("type", q.Type, words.T("There is no such kind of question here. Questions with answers to choose from, polls and typed answers can be taken."))
	}
}
