package exchange

import (
	"regexp"
	"slices"
	"strconv"
	"strings"

	"pubquiz/internal/words"
	"pubquiz/quiz"
)

// giftFile matches an answer in braces that begins as one must, or a title.
var giftFile = regexp.MustCompile(`(?m)^\s*::[^\n]*?::|(?s:(?:^|[^\\])\{\s*(?:[=~#}]|(?i:T|F|TRUE|FALSE)\s*[#}]))`)

// gift is Moodle's text for questions of many kinds, with a blank line after each.
var gift = textFormat{
	name:    words.T("GIFT text"),
	matches: giftFile.MatchString,
	read: func(text string, c *collector) error {
		category := ""
		lines := append(strings.Split(escapeGIFT(text), "\n"), "")
		var block []string
		begin := 0
		for i, line := range lines {
			line = strings.TrimSpace(line)
			switch path, isCategory := strings.CutPrefix(line, "$CATEGORY:"); {
			case strings.HasPrefix(line, "//"):
			case isCategory && len(block) == 0:
				category = shorten(lastOf(path), maxFound) // which many questions may share
			case line != "":
				if len(block) == 0 {
					begin = i + 1
				}
				block = append(block, line)
			case len(block) > 0:
				d := readGIFT(strings.Join(block, " "))
				d.round = category
				if err := c.add(at{row: begin}, d); err != nil {
					return err
				}
				block = nil
			}
		}
		return nil
	},
}

// The escaped characters stand for themselves until the question is taken apart: as characters that no text has.

var (
	escapeToken   = strings.NewReplacer(`\\`, "\uFDD6", `\~`, "\uFDD0", `\=`, "\uFDD1", `\#`, "\uFDD2", `\{`, "\uFDD3", `\}`, "\uFDD4", `\:`, "\uFDD5", `\n`, "\uFDD7")
	unescapeToken = strings.NewReplacer("\uFDD6", `\`, "\uFDD0", "~", "\uFDD1", "=", "\uFDD2", "#", "\uFDD3", "{", "\uFDD4", "}", "\uFDD5", ":", "\uFDD7", "\n")
	noncharacters = regexp.MustCompile("[\uFDD0-\uFDD7]")
)

func escapeGIFT(text string) string {
	return escapeToken.Replace(noncharacters.ReplaceAllString(text, ""))
}

func unescapeGIFT(text string) string { return strings.TrimSpace(unescapeToken.Replace(text)) }

// lastOf is the last part of a category's path: "$course$/Pub/History" is "History". A slash in a part is written twice.
func lastOf(path string) string {
	parts := strings.Split(strings.ReplaceAll(path, "//", "\uFDD0"), "/")
	return unescapeGIFT(strings.ReplaceAll(parts[len(parts)-1], "\uFDD0", "/"))
}

// giftBlock takes a question apart: title, format, text, answers in braces, and text after them.
var (
	giftTitle  = regexp.MustCompile(`^::(.*?)::\s*`)
	giftFormat = regexp.MustCompile(`^\[(html|moodle|plain|markdown)\]\s*`)
)

func readGIFT(block string) draft {
	d := draft{names: map[string]string{}}
	title := ""
	if m := giftTitle.FindStringSubmatch(block); m != nil {
		title, block = unescapeGIFT(m[1]), block[len(m[0]):]
	}
	format := ""
	if m := giftFormat.FindStringSubmatch(block); m != nil {
		format, block = m[1], block[len(m[0]):]
	}
	before, rest, hasAnswers := strings.Cut(block, "{")
	answers, after, closed := strings.Cut(rest, "}")
	d.Text = unescapeGIFT(before)
	if after = unescapeGIFT(after); after != "" {
		d.Text += " _____ " + after
	}
	if format == "html" && strings.ContainsAny(d.Text, "<&") {
		d.changed("question", d.Text, words.T("This text is HTML. It is shown here as it is written."))
	}
	switch {
	case hasAnswers && !closed:
		d.skip("answers", unescapeGIFT(rest), words.T("Expected a closing brace after the answers."))
	case hasAnswers:
		d.readAnswers(answers)
	default:
		d.Kind = quiz.Slide
	}
	if title != "" && title != d.Text {
		d.note(title)
	}
	return d
}

// readAnswers reads what stands in braces.
func (d *draft) readAnswers(block string) {
	block, general, _ := strings.Cut(block, "####")
	defer func() { d.note(unescapeGIFT(general)) }()
	block = strings.TrimSpace(block)
	if numeric, ok := strings.CutPrefix(block, "#"); ok {
		d.readNumeric(strings.TrimSpace(numeric))
		return
	}
	word, feedback, _ := strings.Cut(block, "#")
	if truth, ok := parseTruth(word); ok {
		d.isTrue(truth)
		for part := range strings.SplitSeq(feedback, "#") {
			d.note(unescapeGIFT(part))
		}
		return
	}
	answers := giftAnswers(block)
	switch {
	case len(answers) > maxAnswers:
		d.tooMany(unescapeGIFT(block))
		return
	case block == "":
		d.skip("answers", "", words.T("An essay cannot be marked in a quiz. Expected answers between the braces."))
	case len(answers) == 0:
		d.skip("answers", unescapeGIFT(block), words.T("Expected = before a right answer and ~ before a wrong one."))
	case slices.ContainsFunc(answers, func(a giftAnswer) bool { return strings.Contains(a.text, "->") }):
		d.skip("answers", unescapeGIFT(block), words.T("There is no matching question here. An ordering question may do instead."))
	case slices.ContainsFunc(answers, func(a giftAnswer) bool { return !a.right }):
		d.chooseGIFT(answers)
	default:
		d.typeGIFT(answers)
	}
	for _, a := range answers {
		if a.feedback != "" {
			d.note(a.text + ": " + a.feedback)
		}
	}
}

// giftAnswer is one answer in braces.
type giftAnswer struct {
	right    bool    // marked by =, not by ~
	weight   float64 // percent of the points; 100 for = and 0 for ~ where the file says nothing
	text     string
	feedback string
}

var giftWeight = regexp.MustCompile(`^%(-?[0-9.]+)%`)

// giftAnswers takes answers apart, and stops where there are too many.
func giftAnswers(block string) []giftAnswer {
	var answers []giftAnswer
	for block != "" && len(answers) <= maxAnswers {
		end := strings.IndexAny(block[1:], "=~")
		part, rest := block, ""
		if end >= 0 {
			part, rest = block[:end+1], block[end+1:]
		}
		if part[0] == '=' || part[0] == '~' {
			a := giftAnswer{right: part[0] == '='}
			if a.right {
				a.weight = 100
			}
			text := strings.TrimSpace(part[1:])
			if m := giftWeight.FindStringSubmatch(text); m != nil {
				text = text[len(m[0]):]
				if weight, err := strconv.ParseFloat(m[1], 64); err == nil {
					a.weight = weight
				}
			}
			text, feedback, _ := strings.Cut(text, "#")
			a.text, a.feedback = unescapeGIFT(text), unescapeGIFT(feedback)
			answers = append(answers, a)
		}
		block = rest
	}
	return answers
}

// chooseGIFT makes it a question of options. Those that earn something are right.
func (d *draft) chooseGIFT(answers []giftAnswer) {
	var options []string
	var correct []int
	weighted, several, penalty := false, false, 0.0 // several: "~%50%", which makes it a question with any number of right options
	for i, a := range answers {
		options = append(options, a.text)
		if a.weight > 0 {
			correct = append(correct, i)
			weighted = weighted || a.weight < 100
			several = several || !a.right
		} else {
			penalty = min(penalty, a.weight)
		}
	}
	if len(correct) == 0 {
		d.skip("answers", strings.Join(options, " | "), words.T("Expected = before the right answer."))
		return
	}
	if weighted && !several && len(correct) == 1 {
		d.changed("answers", options[correct[0]], words.T("Only this answer earned anything, and earns all the points here."))
	}
	if d.choose(options, correct...); several {
		d.Kind = quiz.Multiple
	}
	d.Partial = d.Kind == quiz.Multiple && penalty > -100
	if d.Kind == quiz.Multiple && !several {
		d.changed("answers", oneBased(correct), words.T("Any one of these was right. Here players must choose all of them."))
	}
}

// typeGIFT makes it a question with a typed answer. What earns only a part of the points is not accepted.
func (d *draft) typeGIFT(answers []giftAnswer) {
	d.Kind = quiz.Text
	for _, a := range answers {
		if a.weight >= 100 {
			d.Accepted = append(d.Accepted, a.text)
		} else {
			d.changed("answers", a.text, words.T("Left out, since it earned only a part of the points. The host can accept it by hand."))
		}
	}
}

// readNumeric reads a number with a tolerance or a range: "1822", "3.14:0.01", "1820..1825", or several of them with weights.
func (d *draft) readNumeric(block string) {
	single := block
	if strings.HasPrefix(block, "=") || strings.HasPrefix(block, "~") {
		single = ""
		answers := giftAnswers(block)
		if len(answers) > maxAnswers {
			d.tooMany(unescapeGIFT(block))
			return
		}
		for _, a := range answers {
			switch {
			case a.right && a.weight >= 100 && single == "":
				single = strings.ReplaceAll(a.text, "~", "")
			default:
				d.changed("answers", a.text, words.T("Left out, since a question has one number here."))
			}
			d.note(a.feedback)
		}
	}
	single, feedback, _ := strings.Cut(single, "#")
	d.note(unescapeGIFT(feedback))
	number, ok := giftNumber(unescapeGIFT(single))
	if !ok {
		d.skip("answers", unescapeGIFT(block), words.T("Expected a number, one with a tolerance (3.14:0.01) or a range (1820..1825)."))
		return
	}
	d.Kind, d.Number = quiz.NumberKind, &number
}

func giftNumber(text string) (quiz.Number, bool) {
	if from, to, ok := strings.Cut(text, ".."); ok {
		low, err1 := parseNumber(from)
		high, err2 := parseNumber(to)
		return quiz.Number{Value: (low + high) / 2, Tolerance: (high - low) / 2}, err1 == nil && err2 == nil && low <= high
	}
	value, tolerance, given := strings.Cut(text, ":")
	number, err := parseNumber(value)
	if err != nil || !given {
		return quiz.Number{Value: number}, err == nil
	}
	near, err := parseNumber(tolerance)
	return quiz.Number{Value: number, Tolerance: near}, err == nil && near >= 0
}
