package exchange

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"pubquiz/internal/words"
	"pubquiz/quiz"
)

// What a question is given where the file says nothing.
const (
	defaultSeconds = 30
	defaultPoints  = quiz.Points(2)
)

const (
	maxFound = 200 // characters of what was found, in notes
	maxText  = 120 // characters of what is asked, in rows

	maxAnswers = 100 // of a question, right and wrong: of one with more, it is not known which to leave out
)

// tooMany skips a question that has more than maxAnswers.
func (d *draft) tooMany(found string) {
	d.Options, d.Correct, d.Accepted = nil, nil, nil
	d.skip("", found, words.T("This question has more than {most} answers.", "most", maxAnswers))
}

// fit brings the draft within the bounds of authored content, noting what that changes, and skips it where that cannot be done.
func (d *draft) fit() {
	d.Text = d.cut("text", d.Text, quiz.MaxQuestionText)
	d.Notes = d.cut("notes", d.Notes, quiz.MaxNotes)
	if len(d.Options) > maxAnswers || len(d.Accepted) > maxAnswers {
		d.tooMany(d.Text)
	}
	d.fitOptions()
	d.fitAccepted()
	d.fitTags()
	d.fitNumbers()
	if d.skipped {
		return
	}
	probe := quiz.Content{Title: "-", Rounds: []quiz.Round{{Title: "-", Questions: []quiz.Question{d.Question}}}}
	for _, p := range probe.Problems() {
		path := strings.TrimPrefix(p.Path, "rounds[0].questions[0].")
		d.skip(d.name(path), d.found(path), p.Detail)
	}
}

// name is how the file calls a member of a question.
func (d *draft) name(path string) string {
	if name, ok := d.names[path]; ok {
		return name
	}
	member := strings.FieldsFunc(path, func(r rune) bool { return r == '[' || r == '.' })[0]
	return cmp.Or(d.names[member], memberNames[member], member)
}

// memberNames are what people call a question's members where the file has no word of its own.
var memberNames = map[string]string{
	"text": "question", "correct": "right answer", "accepted": "right answer", "number": "right answer", "seconds": "time",
}

// found is what the file has for a member, as far as that is short.
func (d *draft) found(path string) string {
	switch path {
	case "correct":
		return oneBased(d.Correct)
	case "options":
		return strings.Join(d.Options, " | ")
	}
	return ""
}

// cut returns s as plain text of at most this many characters.
func (d *draft) cut(path, s string, most int) string {
	s = plain(s)
	if n := utf8.RuneCountInString(s); n > most {
		d.changed(d.name(path), s, words.T("Shortened to {most} characters; it had {length}.", "most", most, "length", n))
		s = shorten(s, most)
	}
	return s
}

// fitOptions takes away empty options, ones that are there twice, and as many wrong ones as there are too many.
func (d *draft) fitOptions() {
	if len(d.Options) == 0 {
		return
	}
	var options []string
	var correct []int
	moved := map[int]int{} // where each option went
	for i, option := range d.Options {
		path := fmt.Sprintf("options[%d]", i)
		option = d.cut(path, option, quiz.MaxOptionText)
		if option == "" {
			continue
		}
		if same := slices.Index(options, option); same >= 0 {
			d.changed(d.name(path), option, words.T("Left out, since the same option is there already."))
			moved[i] = same
			continue
		}
		moved[i] = len(options)
		options = append(options, option)
	}
	for _, c := range d.Correct {
		to, ok := moved[c]
		if !ok {
			d.skip(d.name("correct"), oneBased([]int{c}), words.T("There is no option of that number."))
		} else if !slices.Contains(correct, to) {
			correct = append(correct, to)
		}
	}
	for i := len(options) - 1; i >= 0 && len(options) > quiz.MaxOptions; i-- {
		if slices.Contains(correct, i) || d.Kind == quiz.Ordering {
			continue
		}
		d.changed(d.name("options"), options[i], words.T("Left out, since a question has at most {most} options.", "most", quiz.MaxOptions))
		options = slices.Delete(options, i, i+1)
		for j, c := range correct {
			if c > i {
				correct[j] = c - 1
			}
		}
	}
	slices.Sort(correct)
	d.Options, d.Correct = options, correct
	if truth, ok := trueOrFalse(options); ok && d.Kind == quiz.Single && len(correct) == 1 {
		d.isTrue(truth[correct[0]])
	}
}

// trueOrFalse tells whether the options are true and false, and which of them is true.
func trueOrFalse(options []string) (truth []bool, ok bool) {
	for _, option := range options {
		is, ok := parseTruth(option)
		if !ok {
			return nil, false
		}
		truth = append(truth, is)
	}
	return truth, len(truth) == 2 && truth[0] != truth[1]
}

func parseTruth(s string) (truth, ok bool) {
	switch strings.ToLower(strings.TrimSpace(s)) {
	case "true", "t":
		return true, true
	case "false", "f":
		return false, true
	}
	return false, false
}

// fitAccepted leaves out what nobody could type: an answer cut short is another answer.
func (d *draft) fitAccepted() {
	var accepted []string
	for _, answer := range d.Accepted {
		switch answer = plain(answer); {
		case answer == "" || slices.Contains(accepted, answer):
		case utf8.RuneCountInString(answer) > quiz.MaxAnswerText:
			d.changed(d.name("accepted"), answer, words.T("Left out, since a typed answer has at most {most} characters.", "most", quiz.MaxAnswerText))
		case len(accepted) == quiz.MaxAccepted:
			d.changed(d.name("accepted"), answer, words.T("Left out, since a question accepts at most {most} answers.", "most", quiz.MaxAccepted))
		default:
			accepted = append(accepted, answer)
		}
	}
	d.Accepted = accepted
}

func (d *draft) fitTags() {
	var tags []string
	for _, tag := range d.Tags[:min(len(d.Tags), maxAnswers)] {
		if tag = d.cut("tags", tag, quiz.MaxTag); tag != "" && !slices.Contains(tags, tag) {
			tags = append(tags, tag)
		}
	}
	if len(tags) > quiz.MaxTags {
		d.changed(d.name("tags"), strings.Join(tags[quiz.MaxTags:], ", "), words.T("Left out, since a question has at most {most} tags.", "most", quiz.MaxTags))
		tags = tags[:quiz.MaxTags]
	}
	d.Tags = tags
}

func (d *draft) fitNumbers() {
	switch {
	case d.Kind == quiz.Slide:
		d.Seconds, d.Points = 0, 0
		return
	case d.Seconds == 0:
		d.Seconds = defaultSeconds
	case d.Seconds < quiz.MinSeconds, d.Seconds > quiz.MaxSeconds:
		was := d.Seconds
		d.Seconds = min(max(was, quiz.MinSeconds), quiz.MaxSeconds)
		d.changed(d.name("seconds"), fmt.Sprint(was), words.T("Changed to {seconds} seconds; {least} to {most} are allowed.", "seconds", d.Seconds, "least", quiz.MinSeconds, "most", quiz.MaxSeconds))
	}
	switch {
	case d.Kind == quiz.Poll || d.TieBreak:
		d.Points = 0
	case d.Points == 0:
		d.Points = defaultPoints
	case d.Points < 0, d.Points > quiz.MaxPoints:
		was := d.Points
		d.Points = min(max(was, 1), quiz.MaxPoints)
		d.changed(d.name("points"), was.String(), words.T("Changed to {points} points; 0.5 to {most} are allowed.", "points", d.Points, "most", quiz.MaxPoints))
	}
}

// plain is s without what cannot be shown and without space around it.
func plain(s string) string {
	s = strings.ToValidUTF8(s, "\uFFFD")
	s = strings.ReplaceAll(s, "\r\n", "\n")
	s = strings.Map(func(r rune) rune {
		switch {
		case r == '\r':
			return '\n'
		case unicode.IsControl(r) && r != '\n' && r != '\t', r == '\uFEFF':
			return -1
		case r == '\u00a0':
			return ' '
		}
		return r
	}, s)
	return strings.TrimSpace(s)
}

// shorten returns at most this many characters of s, the last an ellipsis where something is missing.
func shorten(s string, most int) string {
	if utf8.RuneCountInString(s) <= most {
		return s
	}
	n := 0
	for i := range s {
		if n++; n == most {
			return strings.TrimSpace(s[:i]) + "…"
		}
	}
	return s
}
