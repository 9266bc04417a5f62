package web

import (
	"crypto/hkdf"
	"crypto/sha256"
	"fmt"
	"math/rand/v2"
	"net/http"
	"slices"
	"strconv"
	"strings"

	"pubquiz/internal/words"
	"pubquiz/quiz"
)

// paper is a quiz to print: for the teams to fill in, with the answers to mark by, or for the host to read out.
type paper struct {
	Quiz     string   // the address of its editor
	Reading  *reading // of a shared quiz, instead
	Title    string
	Language string // of what the host has written; empty: not said
	Sheet    string
	Sheets   []paperSheet
	Rounds   []paperRound
	Points   quiz.Points // of all rounds
}

// paperSheet is one of the ways to print it.
type paperSheet struct {
	Name         string
	Label, About words.Text
}

var paperSheets = []paperSheet{
	{"questions", words.T("Questions"), words.T("for the teams to fill in")},
	{"answers", words.T("Answers"), words.T("to mark by")},
	{"script", words.T("Script"), words.T("to read out")},
}

type paperRound struct {
	Number       int
	Title        string
	Introduction string
	Counts       string // what is special about its points; empty: nothing is
	Questions    []paperQuestion
}

type paperQuestion struct {
	Number  int // of those that are answered; 0 for a slide
	Kind    quiz.Kind
	Text    string
	Hint    string // how it is answered, where that is not plain
	Media   string // what has to be shown or played
	Options []paperOption
	Answer  string
	Points  quiz.Points
	Seconds int
	Notes   string
}

type paperOption struct {
	Letter, Text string
	Right        bool
}

// printPage shows a quiz as it is printed.
func (s *Server) printPage(w http.ResponseWriter, r *request) error {
	q, err := s.ownQuiz(r)
	if err != nil {
		return err
	}
	p, err := s.onPaper(s.languageOf(r), q)
	if err != nil {
		return err
	}
	p.choose(r.URL.Query().Get("sheet"), paperSheets[0].Name)
	return s.render(w, r, http.StatusOK, "print.html", page{Title: words.T("{quiz}", "quiz", p.Title), Data: p})
}

// choose takes the sheet that was asked for or, if there is none of that name, another.
func (p *paper) choose(asked, otherwise string) {
	p.Sheet = otherwise
	for _, sheet := range p.Sheets {
		if sheet.Name == asked {
			p.Sheet = asked
		}
	}
}

func (s *Server) onPaper(l *words.Language, q quiz.Quiz) (paper, error) {
	p := paper{Quiz: quizPath(q.ID), Title: titleOf(l, q.Content.Title), Language: q.Content.Language, Sheets: paperSheets}
	for i, round := range q.Content.Rounds {
		r := paperRound{Number: i + 1, Title: round.Title, Introduction: round.Introduction, Counts: counts(l, round)}
		number := 0
		for j, question := range round.Questions {
			shuffle, err := s.shuffleOnPaper(q, i, j)
			if err != nil {
				return paper{}, err
			}
			on := questionOnPaper(l, question, shuffle)
			if question.Kind != quiz.Slide {
				number++
				on.Number = number
			}
			p.Points += on.Points * quiz.Points(max(1, round.Weight))
			r.Questions = append(r.Questions, on)
		}
		p.Rounds = append(p.Rounds, r)
	}
	return p, nil
}

// shuffleOnPaper shuffles as one question of a quiz is printed: the same each time, so that all sheets are alike, and known to nobody who has not the
// server's key, even if the address of the quiz stands at the foot of the sheet.
func (s *Server) shuffleOnPaper(q quiz.Quiz, round, question int) (func(n int, swap func(i, j int)), error) {
	seed, err := hkdf.Key(sha256.New, s.keys[0], nil, fmt.Sprintf("quizd: order on paper %d %d %d", q.ID, round, question), 32)
	if err != nil {
		return nil, fmt.Errorf("web.shuffleOnPaper: %w", err)
	}
	return rand.New(rand.NewChaCha8([32]byte(seed))).Shuffle, nil
}

// counts says what is special about a round's points.
func counts(l *words.Language, round quiz.Round) string {
	var special []string
	if round.Weight > 1 {
		special = append(special, l.Say(words.N(round.Weight, "counts {n} time", "counts {n} times")))
	}
	if round.Joker {
		special = append(special, l.Say(words.T("the joker can be played")))
	}
	if round.Negative > 0 {
		special = append(special, l.Say(words.T("a wrong answer costs {points}", "points", halves(l, round.Negative*quiz.Points(max(1, round.Weight))))))
	}
	return strings.Join(special, " · ")
}

func questionOnPaper(l *words.Language, q quiz.Question, shuffle func(n int, swap func(i, j int))) paperQuestion {
	on := paperQuestion{Kind: q.Kind, Text: q.Text, Points: q.Points, Seconds: q.Seconds, Notes: q.Notes, Answer: answerOnPaper(l, q), Hint: hintOnPaper(l, q)}
	if q.Kind == quiz.Poll || q.Kind == quiz.Slide || q.TieBreak {
		on.Points = 0
	}
	if m := q.Media; m != nil {
		kind := map[quiz.MediaKind]words.Text{quiz.Image: words.T("Picture"), quiz.Audio: words.T("Sound"), quiz.Video: words.T("Film")}[m.Kind]
		if m.Alt != "" {
			kind = words.T("{kind}: {description}", "kind", kind, "description", m.Alt)
		}
		on.Media = l.Say(kind)
	}
	options := choicesIn(l, &q)
	if q.Kind == quiz.Ordering {
		options = q.Frozen(shuffle).Options
	}
	for i, option := range options {
		on.Options = append(on.Options, paperOption{Letter: optionLetter(i), Text: option, Right: slices.Contains(q.Correct, i)})
	}
	return on
}

func hintOnPaper(l *words.Language, q quiz.Question) string {
	var hints []string
	hint := func(text words.Text) { hints = append(hints, l.Say(text)) }
	switch q.Kind {
	case quiz.Multiple:
		hint(words.T("one or more are right"))
	case quiz.Ordering:
		hint(words.T("put them in order"))
	case quiz.Poll:
		hint(words.T("no right or wrong"))
	case quiz.NumberKind:
		if q.Number != nil && q.Number.Nearest {
			hint(words.T("the nearest wins"))
		}
		if q.Number != nil && q.Number.Unit != "" {
			hint(words.T("in {unit}", "unit", q.Number.Unit))
		}
	}
	if q.TieBreak {
		hint(words.T("tie-break"))
	}
	if q.Wager {
		hint(words.T("stake points of your own"))
	}
	return strings.Join(hints, " · ")
}

// answerOnPaper is the right answer in one line.
func answerOnPaper(l *words.Language, q quiz.Question) string {
	switch q.Kind {
	case quiz.Text:
		return strings.Join(q.Accepted, " / ")
	case quiz.Ordering:
		return strings.Join(q.Options, " → ")
	case quiz.NumberKind:
		return numberOnPaper(q.Number)
	case quiz.Poll, quiz.Slide:
		return ""
	}
	var right []string
	choices := choicesIn(l, &q)
	for _, c := range q.Correct {
		switch {
		case c < 0 || c >= len(choices):
		case q.Kind == quiz.TrueFalse:
			right = append(right, choices[c])
		default:
			right = append(right, optionLetter(c)+"  "+choices[c])
		}
	}
	return strings.Join(right, ",  ")
}

func numberOnPaper(n *quiz.Number) string {
	if n == nil {
		return ""
	}
	text := strconv.FormatFloat(n.Value, 'f', -1, 64)
	if n.Unit != "" {
		text += " " + n.Unit
	}
	if n.Tolerance > 0 && !n.Nearest {
		text += " ± " + strconv.FormatFloat(n.Tolerance, 'f', -1, 64)
	}
	return text
}
