package quiz

import (
	"fmt"
	"math"
	"regexp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/language"
	"golang.org/x/text/unicode/norm"

	"pubquiz/internal/words"
)

// The bounds of authored content. Lengths are in characters (Unicode code points).
const (
	MaxTitle        = 120
	MaxIntroduction = 500
	MaxRounds       = 30
	MaxQuestions    = 100 // of a round
	MaxQuestionText = 300
	MinOptions      = 2
	MaxOptions      = 6
	MaxOptionText   = 150
	MaxAccepted     = 20
	MaxAnswerText   = 100 // of an accepted and of a given answer
	MaxNotes        = 500
	MaxTags         = 10 // of a quiz and of a question
	MaxTag          = 40
	MaxAlt          = 200
	MaxUnit         = 20
	MaxWeight       = 10
	MaxNumber       = 1e15 // either way; beyond it not every whole number has a float64 of its own
	MinSeconds      = 5
	MaxSeconds      = 600
	MaxPoints       = Points(200) // 100 points
)

// Problem is one thing wrong with what somebody wrote: where, and a sentence that says what to do.
type Problem struct {
	Path   string     `json:"path"` // "rounds[0].questions[2].options[1]"
	Detail words.Text `json:"detail"`
}

func (p Problem) Error() string { return p.Path + ": " + p.Detail.String() }

// Check lists what is out of bounds and must not be stored. An unfinished quiz is within bounds: see Problems.
// It returns an empty list, never nil, when all is well.
func (c Content) Check() []Problem {
	found := problems{}
	found.text("title", c.Title, MaxTitle)
	if _, err := language.Parse(c.Language); err != nil && c.Language != "" {
		found.add("language", words.T("Choose a language from the list; “{tag}” is none.", "tag", c.Language))
	}
	found.tags("tags", c.Tags)
	if !slices.Contains([]Teams{OnePhone, FirstAnswer, Captain}, c.Teams) {
		found.add("teams", words.T("Choose one phone for each team, the first answer, or the captain's."))
	}
	found.atMost("rounds", len(c.Rounds), MaxRounds, words.T("A quiz has at most {most} rounds.", "most", MaxRounds))
	for i, round := range c.Rounds {
		at := fmt.Sprintf("rounds[%d]", i)
		found.text(at+".title", round.Title, MaxTitle)
		found.text(at+".introduction", round.Introduction, MaxIntroduction)
		found.media(at+".picture", round.Picture, Image)
		if round.Pacing != EachQuestion && round.Pacing != RoundsEnd {
			found.add(at+".pacing", words.T("Reveal after each question, or at the round's end."))
		}
		if round.Weight < 0 || round.Weight > MaxWeight {
			found.add(at+".weight", words.T("A round counts between 1 and {most} times.", "most", MaxWeight))
		}
		if round.Negative < 0 || round.Negative > MaxPoints {
			found.add(at+".negative", words.T("A wrong answer costs between 0 and {most} points.", "most", MaxPoints))
		}
		found.atMost(at+".questions", len(round.Questions), MaxQuestions, words.T("A round has at most {most} questions.", "most", MaxQuestions))
		for j, question := range round.Questions {
			question.check(&found, fmt.Sprintf("%s.questions[%d]", at, j))
		}
	}
	return found
}

func (q Question) check(found *problems, at string) {
	if !slices.Contains(Kinds, q.Kind) {
		found.add(at+".kind", words.T("Choose one of the kinds of questions."))
	}
	found.text(at+".text", q.Text, MaxQuestionText)
	found.media(at+".media", q.Media, Image, Audio, Video)
	found.atMost(at+".options", len(q.Options), MaxOptions, words.T("A question has at most {most} options.", "most", MaxOptions))
	for i, option := range q.Options {
		found.text(fmt.Sprintf("%s.options[%d]", at, i), option, MaxOptionText)
	}
	found.atMost(at+".correct", len(q.Correct), MaxOptions, words.T("At most {most} options can be right.", "most", MaxOptions))
	for i, correct := range q.Correct {
		if correct < 0 || correct >= MaxOptions {
			found.add(fmt.Sprintf("%s.correct[%d]", at, i), words.T("There is no such option."))
		}
	}
	found.atMost(at+".accepted", len(q.Accepted), MaxAccepted, words.T("A question accepts at most {most} answers.", "most", MaxAccepted))
	for i, accepted := range q.Accepted {
		found.text(fmt.Sprintf("%s.accepted[%d]", at, i), accepted, MaxAnswerText)
	}
	if n := q.Number; n != nil {
		if !(math.Abs(n.Value) <= MaxNumber) {
			found.add(at+".number.value", words.T("The number must lie between −{most} and {most}.", "most", int(MaxNumber)))
		}
		if !(n.Tolerance >= 0 && n.Tolerance <= MaxNumber) {
			found.add(at+".number.tolerance", words.T("Say how far off is still right: 0 or more."))
		}
		found.text(at+".number.unit", n.Unit, MaxUnit)
	}
	if q.Seconds < 0 || q.Seconds > MaxSeconds {
		found.add(at+".seconds", words.T("Give the question between {least} and {most} seconds.", "least", MinSeconds, "most", MaxSeconds))
	}
	if q.Points < 0 || q.Points > MaxPoints {
		found.add(at+".points", words.T("A question is worth between ½ and {most} points.", "most", MaxPoints))
	}
	found.tags(at+".tags", q.Tags)
	found.text(at+".notes", q.Notes, MaxNotes)
}

// Problems lists what stands in the way of playing the quiz, beginning with whatever is out of bounds.
// It returns an empty list, never nil, when the quiz can be played.
func (c Content) Problems() []Problem {
	found := problems(c.Check())
	found.present("title", c.Title, words.T("Give the quiz a title."))
	if len(c.Rounds) == 0 {
		found.add("rounds", words.T("Add a round."))
	}
	for i, round := range c.Rounds {
		at := fmt.Sprintf("rounds[%d]", i)
		found.present(at+".title", round.Title, words.T("Give the round a title."))
		if len(round.Questions) == 0 {
			found.add(at+".questions", words.T("Add a question to this round, or delete the round."))
		}
		for j, question := range round.Questions {
			question.problems(&found, fmt.Sprintf("%s.questions[%d]", at, j))
		}
	}
	return found
}

func (q Question) problems(found *problems, at string) {
	found.present(at+".text", q.Text, words.T("Write the question."))
	switch q.Kind {
	case Single:
		q.problemsOfOptions(found, at)
		q.problemsOfCorrect(found, at, 1, words.T("Mark the option that is right."))
	case Multiple:
		q.problemsOfOptions(found, at)
		q.problemsOfCorrect(found, at, len(q.Options), words.T("Mark the options that are right."))
	case Ordering, Poll:
		q.problemsOfOptions(found, at)
	case TrueFalse:
		q.problemsOfCorrect(found, at, 1, words.T("Say whether it is true or false."))
	case Text:
		if len(q.Accepted) == 0 {
			found.add(at+".accepted", words.T("Write at least one answer that is right."))
		}
		for i, accepted := range q.Accepted {
			found.present(fmt.Sprintf("%s.accepted[%d]", at, i), accepted, words.T("Write this answer, or delete it."))
		}
	case NumberKind:
		if q.Number == nil {
			found.add(at+".number", words.T("Write the number that is right."))
		}
	}
	if q.Kind == Slide {
		return
	}
	if q.Seconds >= 0 && q.Seconds < MinSeconds {
		found.add(at+".seconds", words.T("Give the question between {least} and {most} seconds.", "least", MinSeconds, "most", MaxSeconds))
	}
	if q.Points == 0 && q.scored() {
		found.add(at+".points", words.T("A question is worth between ½ and {most} points.", "most", MaxPoints))
	}
	if q.Wager && !q.scored() {
		found.add(at+".wager", words.T("Nothing can be staked on a question that earns nothing."))
	}
	if q.TieBreak && q.Kind == Poll {
		found.add(at+".tieBreak", words.T("A poll has no right answer, so it cannot break a tie."))
	}
}

// scored reports whether an answer to the question earns points.
func (q Question) scored() bool { return q.Kind != Poll && q.Kind != Slide && !q.TieBreak }

func (q Question) problemsOfOptions(found *problems, at string) {
	if len(q.Options) < MinOptions {
		found.add(at+".options", words.T("Give at least {least} options.", "least", MinOptions))
	}
	for i, option := range q.Options {
		path := fmt.Sprintf("%s.options[%d]", at, i)
		found.present(path, option, words.T("Write this option, or delete it."))
		if same := slices.IndexFunc(q.Options, func(o string) bool { return plain(o) == plain(option) }); same < i && plain(option) != "" {
			found.add(path, words.T("This option is the same as option {number}.", "number", same+1))
		}
	}
}

// problemsOfCorrect asks for between one and most right options, each of them once.
func (q Question) problemsOfCorrect(found *problems, at string, most int, detail words.Text) {
	correct := slices.Compact(slices.Sorted(slices.Values(q.Correct)))
	none := func(c int) bool { return c < 0 || c >= len(q.Choices()) }
	if len(correct) < 1 || len(correct) > most || len(correct) < len(q.Correct) || slices.ContainsFunc(correct, none) {
		found.add(at+".correct", detail)
	}
}

// plain is what an author sees of a short text: not how its spaces and accents are encoded.
func plain(s string) string { return strings.Join(strings.Fields(norm.NFC.String(s)), " ") }

type problems []Problem

func (p *problems) add(path string, detail words.Text) {
	*p = append(*p, Problem{Path: path, Detail: detail})
}

func (p *problems) atMost(path string, n, most int, detail words.Text) {
	if n > most {
		p.add(path, detail)
	}
}

func (p *problems) present(path, s string, detail words.Text) {
	if strings.TrimSpace(s) == "" {
		p.add(path, detail)
	}
}

func (p *problems) tags(path string, tags []string) {
	p.atMost(path, len(tags), MaxTags, words.T("Keep to {most} tags.", "most", MaxTags))
	for i, tag := range tags {
		at := fmt.Sprintf("%s[%d]", path, i)
		p.text(at, tag, MaxTag)
		p.present(at, tag, words.T("Write this tag, or delete it."))
	}
}

var mediaID = regexp.MustCompile(`^[0-9a-f]{64}$`)

func (p *problems) media(path string, m *Media, kinds ...MediaKind) {
	if m == nil {
		return
	}
	if !mediaID.MatchString(m.ID) {
		p.add(path+".id", words.T("Upload the file again."))
	}
	if !slices.Contains(kinds, m.Kind) {
		p.add(path+".kind", words.T("This kind of file cannot be shown here."))
	}
	p.text(path+".alt", m.Alt, MaxAlt)
}

func (p *problems) text(path, s string, most int) {
	if n := utf8.RuneCountInString(s); n > most {
		p.add(path, words.T("Shorten this to {most} characters; it has {length}.", "most", most, "length", n))
	}
	if !printable(s) {
		p.add(path, words.T("This contains a character that cannot be shown. Type it again as plain text."))
	}
}

// printable refuses control characters, above all U+0000, which Postgres cannot store. Line breaks and tabs are welcome.
func printable(s string) bool {
	return utf8.ValidString(s) && !strings.ContainsFunc(s, func(r rune) bool {
		return unicode.IsControl(r) && r != '\n' && r != '\r' && r != '\t'
	})
}
