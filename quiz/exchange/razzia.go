package exchange

import (
	"encoding/json"
	"slices"

	"pubquiz/internal/words"
)

// razzia is the JSON of Razzia, once Rahoot.
var razzia = jsonFormat{
	name: words.T("Razzia / Rahoot file"),
	matches: func(members map[string]json.RawMessage) bool {
		_, ok := members["questions"]
		return ok
	},
	read: func(data []byte, c *collector) error {
		var file struct {
			Subject   string          `json:"subject"`
			Questions json.RawMessage `json:"questions"`
		}
		if err := json.Unmarshal(data, &file); err != nil {
			return brokenJSON(string(data), err)
		}
		if file.Subject != "" {
			c.title = file.Subject
		}
		questions, err := listOf(file.Questions)
		if err != nil {
			return err
		}
		return each(c, questions, func(q razziaQuestion) string { return q.Question }, razziaQuestion.take)
	},
}

type razziaQuestion struct {
	Question  string   `json:"question"`
	Answers   []string `json:"answers"`
	Solutions []int    `json:"solutions"`
	Solution  *int     `json:"solution"` // until several could be right
	Media     *struct {
		URL string `json:"url"`
	} `json:"media"`
	Image string  `json:"image"` // until there were sounds and films
	Time  float64 `json:"time"`  // seconds
	// Its cooldown, the pause after a question, is the host's to make here.
}

func (q razziaQuestion) take(d *draft) {
	d.names = map[string]string{"text": "question", "correct": "solutions", "options": "answers", "seconds": "time"}
	d.media("image", q.Image)
	if q.Media != nil {
		d.media("media", q.Media.URL)
	}
	if q.Time != 0 {
		d.Seconds = int(min(max(q.Time, 1), 1e6))
	}
	solutions := q.Solutions
	if q.Solution != nil && len(solutions) == 0 {
		d.names["correct"], solutions = "solution", []int{*q.Solution}
	}
	solutions = slices.Compact(slices.Sorted(slices.Values(solutions)))
	if wrong := slices.IndexFunc(solutions, func(i int) bool { return i < 0 || i >= len(q.Answers) }); wrong >= 0 || len(solutions) == 0 {
		d.skip(d.names["correct"], jsonText(solutions), words.T("Expected the place of the right answer, from 0 to {last}.", "last", len(q.Answers)-1))
		return
	}
	d.chooseAny("Razzia", q.Answers, solutions...)
}

func jsonText(v any) string {
	text, err := json.Marshal(v)
	if err != nil {
		return ""
	}
	return string(text)
}
