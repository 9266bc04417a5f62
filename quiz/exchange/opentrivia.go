package exchange

import (
	"bytes"
	"encoding/json"
	"html"
	"strings"

	"pubquiz/internal/words"
)

// openTrivia is Open Trivia DB's JSON, as its interface answers or as the bare list. All of its text is encoded for HTML.
var openTrivia = jsonFormat{
	name: words.T("Open Trivia DB file"),
	matches: func(members map[string]json.RawMessage) bool {
		_, answer := members["results"]
		_, bare := members["correct_answer"]
		return answer || bare
	},
	read: func(data []byte, c *collector) error {
		if !bytes.HasPrefix(bytes.TrimSpace(data), []byte("[")) {
			var file struct {
				Results json.RawMessage `json:"results"`
			}
			if err := json.Unmarshal(data, &file); err != nil {
				return brokenJSON(string(data), err)
			}
			data = file.Results
		}
		questions, err := listOf(data)
		if err != nil {
			return err
		}
		return each(c, questions, func(q triviaQuestion) string { return html.UnescapeString(q.Question) }, triviaQuestion.take)
	},
}

type triviaQuestion struct {
	Category   string   `json:"category"`
	Type       string   `json:"type"`
	Difficulty string   `json:"difficulty"`
	Question   string   `json:"question"`
	Right      string   `json:"correct_answer"`
	Wrong      []string `json:"incorrect_answers"`
}

// take decodes each text once. The right answer stands apart from the wrong ones, so they are mixed.
func (q triviaQuestion) take(d *draft) {
	d.names = map[string]string{"text": "question", "correct": "correct_answer", "options": "incorrect_answers"}
	d.round = html.UnescapeString(q.Category)
	if q.Difficulty != "" {
		d.Tags = []string{html.UnescapeString(q.Difficulty)}
	}
	right := html.UnescapeString(q.Right)
	var wrong []string
	for _, w := range q.Wrong {
		wrong = append(wrong, html.UnescapeString(w))
	}
	truth, isTruth := parseTruth(right)
	switch {
	case strings.TrimSpace(right) == "":
		d.skip("correct_answer", q.Right, words.T("Expected the right answer."))
	case q.Type == "boolean" && isTruth:
		d.isTrue(truth)
	case q.Type == "boolean":
		d.skip("correct_answer", q.Right, words.T("Expected True or False."))
	default:
		d.mix(right, wrong)
	}
}
