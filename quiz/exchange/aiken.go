package exchange

import (
	"regexp"
	"strings"

	"pubquiz/internal/words"
)

var (
	aikenOption = regexp.MustCompile(`^\s*([A-Za-z])[.)]\s+(.*)$`)
	aikenAnswer = regexp.MustCompile(`^\s*(?i:ANSWER)\s*:\s*(.*?)\s*$`)
	aikenFile   = regexp.MustCompile(`(?m)^\s*[A-Z][.)]\s[^\n]*\n(?:\s*\n)*\s*(?i:ANSWER)\s*:`)
)

// aiken is Moodle's simplest text: a question, its options below each other, and the letter of the right one.
var aiken = textFormat{
	name:    words.T("Aiken text"),
	matches: aikenFile.MatchString,
	read: func(text string, c *collector) error {
		var q aikenQuestion
		for i, line := range strings.Split(text, "\n") {
			option, answer := aikenOption.FindStringSubmatch(line), aikenAnswer.FindStringSubmatch(line)
			switch {
			case answer != nil:
				if err := q.end(c, answer[1]); err != nil {
					return err
				}
				q = aikenQuestion{}
			case option != nil && len(q.options) > maxAnswers: // as many as it takes to skip the question
			case option != nil && q.line > 0:
				q.options, q.letters = append(q.options, option[2]), append(q.letters, strings.ToUpper(option[1]))
			case strings.TrimSpace(line) == "":
			case len(q.options) > 0: // the next question, though this one's answer is missing
				if err := q.end(c, ""); err != nil {
					return err
				}
				q = aikenQuestion{line: i + 1, lines: []string{line}}
			case q.line > 0:
				q.lines = append(q.lines, line)
			default:
				q = aikenQuestion{line: i + 1, lines: []string{line}}
			}
		}
		if q.line == 0 {
			return nil
		}
		return q.end(c, "")
	},
}

// aikenQuestion is a question as far as it has been read.
type aikenQuestion struct {
	line             int      // where it begins; 0: there is none
	lines            []string // of its text
	options, letters []string
}

// end takes the question, with the letter of its right option.
func (q aikenQuestion) end(c *collector, letter string) error {
	d := draft{names: map[string]string{"correct": "ANSWER"}}
	d.Text = strings.Join(q.lines, "\n")
	for i, own := range q.letters {
		if strings.EqualFold(own, strings.Trim(letter, ".) ")) {
			d.choose(q.options, i)
		}
	}
	switch {
	case q.line == 0:
		return nil
	case len(q.options) == 0:
		d.skip("", d.Text, words.T("Expected options below the question, each with its letter: \"A. Mars\"."))
	case letter == "":
		d.skip("ANSWER", "", words.T("Expected a line \"ANSWER: \" with the letter of the right option."))
	case d.Kind == "":
		d.skip("ANSWER", letter, words.T("Expected the letter of one of the options, from {first} to {last}.", "first", q.letters[0], "last", q.letters[len(q.letters)-1]))
	}
	return c.add(at{row: q.line}, d)
}
