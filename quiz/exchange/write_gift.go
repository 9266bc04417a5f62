package exchange

import (
	"fmt"
	"strings"

	"pubquiz/quiz"
)

// WriteGIFT returns the quiz as Moodle's text, a category for each round. Questions of a kind that GIFT has not are there as comments.
func WriteGIFT(content quiz.Content) []byte {
	var out strings.Builder
	fmt.Fprintf(&out, "// %s\n\n", spaced(content.Title))
	for _, round := range content.Rounds {
		fmt.Fprintf(&out, "$CATEGORY: %s\n\n", strings.ReplaceAll(toGIFT(spaced(round.Title)), "/", "//"))
		for i, question := range round.Questions {
			out.WriteString(giftQuestion(i+1, question))
			out.WriteString("\n\n")
		}
	}
	return []byte(out.String())
}

var giftEscaper = strings.NewReplacer(`\`, `\\`, "~", `\~`, "=", `\=`, "#", `\#`, "{", `\{`, "}", `\}`, ":", `\:`, "\r\n", `\n`, "\n", `\n`, "\r", `\n`)

func toGIFT(text string) string {
	text = giftEscaper.Replace(strings.TrimSpace(text))
	if strings.HasPrefix(text, "//") || strings.HasPrefix(text, "[") || strings.HasPrefix(text, "$") {
		text = `\n` + text // else it would be a comment, a format or a category
	}
	return text
}

func giftQuestion(number int, q quiz.Question) string {
	answers, ok := giftAnswersOf(q)
	if !ok {
		return fmt.Sprintf("// Question %d is of a kind that GIFT has not: %s\n// Its answers: %s", number, spaced(q.Text), spaced(strings.Join(q.Options, " | ")))
	}
	text := toGIFT(q.Text)
	if q.Kind == quiz.Slide {
		return text
	}
	if q.Notes != "" {
		answers += " ####" + toGIFT(q.Notes)
	}
	return text + " {" + answers + "}"
}

// giftAnswersOf is what stands in braces. It is not ok for kinds that GIFT has not.
func giftAnswersOf(q quiz.Question) (answers string, ok bool) {
	var parts []string
	right := map[int]bool{}
	for _, c := range q.Correct {
		right[c] = true
	}
	switch q.Kind {
	case quiz.Single:
		for i, option := range q.Options {
			parts = append(parts, map[bool]string{true: "=", false: "~"}[right[i]]+toGIFT(option))
		}
	case quiz.Multiple:
		share, wrong := 100/float64(max(1, len(right))), -100.0
		if q.Partial {
			wrong = max(-share, -99)
		}
		for i, option := range q.Options {
			weight := wrong
			if right[i] {
				weight = share
			}
			parts = append(parts, fmt.Sprintf("~%%%.5g%%%s", weight, toGIFT(option)))
		}
	case quiz.TrueFalse:
		return map[bool]string{true: "TRUE", false: "FALSE"}[right[0]], true
	case quiz.Text:
		for _, accepted := range q.Accepted {
			parts = append(parts, "="+toGIFT(accepted))
		}
	case quiz.NumberKind:
		if q.Number == nil {
			return "", false
		}
		return "#" + decimal(q.Number.Value) + ":" + decimal(q.Number.Tolerance), true
	case quiz.Slide:
		return "", true
	default:
		return "", false
	}
	return strings.Join(parts, " "), len(parts) > 0
}
