package exchange

import (
	"regexp"
	"strings"

	"pubquiz/internal/words"
	"pubquiz/quiz"
)

var (
	listNumber   = regexp.MustCompile(`^\s*(?:[Qq]?\d{1,4}[.):]|[-*•])\s+`)
	questionMark = regexp.MustCompile(`^\s*[?؟？]`)
	listSplit    = regexp.MustCompile(`^(.*?\S)(?:\t+|\s+[-–—=:|]+>?\s+|\s*[?؟？]\s+(?:[Aa](?:nswer)?\s*[.:]\s*|[-–—=:|]+>?\s+)?)(\S.*)$`)
)

// list is what people write down: a question and its answer on each line, with a dash or a question mark between them.
var list = textFormat{
	name: words.T("list of questions"),
	matches: func(text string) bool {
		lines, questions := 0, 0
		for line := range strings.SplitSeq(text, "\n") {
			if strings.TrimSpace(line) == "" {
				continue
			}
			if lines++; listSplit.MatchString(line) {
				questions++
			}
		}
		return questions*2 > lines
	},
	read: func(text string, c *collector) error {
		for i, line := range strings.Split(text, "\n") {
			if strings.TrimSpace(line) == "" {
				continue
			}
			d := draft{}
			line = strings.TrimSpace(listNumber.ReplaceAllString(line, ""))
			m := listSplit.FindStringSubmatch(line)
			if m == nil {
				d.Text = line
				d.skip("", line, words.T("Expected a question and its answer with a dash between them: \"Which planet is red? - Mars\"."))
			} else {
				d.Text, d.Kind, d.Accepted = m[1], quiz.Text, several(m[2])
				if mark := questionMark.FindString(line[len(m[1]):]); mark != "" {
					d.Text += strings.TrimSpace(mark)
				}
			}
			if truth, ok := parseTruth(strings.Join(d.Accepted, "|")); ok && len(d.Accepted[0]) > 1 {
				d.Accepted = nil
				d.isTrue(truth)
			}
			if err := c.add(at{row: i + 1}, d); err != nil {
				return err
			}
		}
		return nil
	},
}
