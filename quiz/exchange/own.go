package exchange

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"

	"pubquiz/internal/words"
	"pubquiz/quiz"
)

var ownName = words.T("quiz from this product")

// WriteJSON returns the quiz as a file from which Read reads exactly the same quiz again.
func WriteJSON(content quiz.Content) ([]byte, error) {
	var out bytes.Buffer
	encoder := json.NewEncoder(&out)
	encoder.SetEscapeHTML(false)
	encoder.SetIndent("", "  ")
	if err := encoder.Encode(content.Whole()); err != nil {
		return nil, fmt.Errorf("exchange.WriteJSON: %w", err)
	}
	return out.Bytes(), nil
}

func isOwn(members map[string]json.RawMessage) bool {
	_, title := members["title"]
	_, rounds := members["rounds"]
	return title && rounds
}

// ownQuiz and ownRound leave the rounds, questions and tags to be read one by one.
type ownQuiz struct {
	quiz.Content
	Rounds ownList `json:"rounds"`
	Tags   ownList `json:"tags"`
}

type ownRound struct {
	quiz.Round
	Questions ownList `json:"questions"`
}

// ownList is a JSON list as it stands in the file.
type ownList json.RawMessage

func (l *ownList) UnmarshalJSON(data []byte) error {
	switch {
	case bytes.Equal(data, []byte("null")):
		*l = nil
		return nil
	case data[0] != '[':
		return json.Unmarshal(data, new([]json.RawMessage)) // which says what is wrong with it
	}
	*l = append((*l)[:0], data...)
	return nil
}

// readOwn reads what WriteJSON wrote, and takes it as it is: also questions that are not finished. What somebody changed in the file so that it
// is out of bounds is brought within them.
func readOwn(data []byte) (Import, error) {
	var file ownQuiz
	if err := json.Unmarshal(data, &file); err != nil {
		return Import{}, errUnreadable("", err)
	}
	d := draft{}
	if unknown, ok := unknownMember(data, new(ownQuiz)); ok {
		d.changed(unknown, "", words.T("There is no such thing here. It is not taken along."))
	}
	found := Import{Format: ownName, Counts: InQuestions, Content: file.Content}
	content := &found.Content
	content.Rounds = []quiz.Round{}
	tags, _ := elementsOf(json.RawMessage(file.Tags), quiz.MaxTags+1)
	for _, raw := range tags {
		var tag string
		if err := json.Unmarshal(raw, &tag); err != nil {
			return Import{}, errUnreadable("tags", err)
		}
		content.Tags = append(content.Tags, tag)
	}
	rounds, count := elementsOf(json.RawMessage(file.Rounds), quiz.MaxRounds)
	if count > quiz.MaxRounds {
		return Import{}, refuse(words.T("This quiz has {count} rounds, and at most {most} are allowed. Divide it into two files.", "count", count, "most", quiz.MaxRounds))
	}
	number := 0
	for i, raw := range rounds {
		var from ownRound
		if err := json.Unmarshal(raw, &from); err != nil {
			return Import{}, errUnreadable("rounds", err)
		}
		if unknown, ok := unknownMember(raw, new(ownRound)); ok && len(d.notes) == 0 {
			d.changed(unknown, "", words.T("There is no such thing here. It is not taken along."))
		}
		round := from.Round
		round.Questions = []quiz.Question{}
		questions, count := elementsOf(json.RawMessage(from.Questions), quiz.MaxQuestions)
		if count > quiz.MaxQuestions {
			return Import{}, refuse(words.T("Round {round} has {count} questions, and at most {most} are allowed. Divide it into two rounds.", "round", i+1, "count", count, "most", quiz.MaxQuestions))
		}
		for _, raw := range questions {
			if number++; number > MaxQuestions {
				return Import{}, errTooMany()
			}
			row, question := readOwnQuestion(number, raw)
			if question != nil {
				row.At = &Place{i, len(round.Questions)}
				round.Questions = append(round.Questions, *question)
			}
			found.Rows = append(found.Rows, row)
		}
		content.Rounds = append(content.Rounds, round)
	}
	d.fitQuiz(content)
	if len(d.notes) > 0 {
		about := Row{Status: Changed, Text: shorten(content.Title, maxText), Notes: d.notes}
		found.Rows = append([]Row{about}, found.Rows...)
	}
	return found, nil
}

// errUnreadable refuses what is not what it should be, in one of the quiz's lists or, where that has no name, in the quiz itself.
func errUnreadable(list string, err error) error {
	column, detail := typeProblem(err)
	if list != "" {
		column = strings.TrimSuffix(list+"."+column, ".")
	}
	return refuse(words.T("This quiz cannot be read. {column}: {reason}", "column", column, "reason", detail))
}

func readOwnQuestion(number int, raw json.RawMessage) (Row, *quiz.Question) {
	d := draft{}
	if bytes.Count(raw, []byte(",")) > maxCommas {
		d.tooMany(string(raw))
	} else if err := json.Unmarshal(raw, &d.Question); err != nil {
		column, detail := typeProblem(err)
		d.skip(column, string(raw), detail)
	} else if unknown, ok := unknownMember(raw, new(quiz.Question)); ok {
		d.changed(unknown, "", words.T("There is no such thing here. It is not taken along."))
	}
	row := Row{Row: number, Status: Fine, Text: shorten(plain(d.Text), maxText)}
	if !d.skipped && !within(d.Question) {
		d.Media = nil
		if d.fit(); len(d.notes) == 0 {
			d.changed("", "", words.T("Something was out of bounds, and was left out."))
		}
		if !d.skipped && !within(d.Question) {
			d.skip("", string(raw), words.T("Something in this question is out of bounds."))
		}
	}
	row.Notes = d.notes
	switch {
	case d.skipped:
		row.Status = Skipped
		return row, nil
	case len(d.notes) > 0:
		row.Status = Changed
	}
	return row, &d.Question
}

// unknownMember names the first member of data that the type of into does not have.
func unknownMember(data []byte, into any) (name string, ok bool) {
	decoder := json.NewDecoder(bytes.NewReader(data))
	decoder.DisallowUnknownFields()
	if err := decoder.Decode(into); err != nil {
		name, ok = strings.CutPrefix(err.Error(), "json: unknown field ")
	}
	return strings.Trim(name, `"`), ok
}

func within(q quiz.Question) bool {
	return len(quiz.Content{Rounds: []quiz.Round{{Questions: []quiz.Question{q}}}}.Check()) == 0
}

// fitQuiz brings what is not in a question within bounds, and notes what that changed.
func (d *draft) fitQuiz(content *quiz.Content) {
	content.Title = d.cut("title", content.Title, quiz.MaxTitle)
	for i := range content.Rounds {
		round := &content.Rounds[i]
		round.Title = d.cut("title", round.Title, quiz.MaxTitle)
		round.Introduction = d.cut("introduction", round.Introduction, quiz.MaxIntroduction)
	}
	for _, p := range content.Check() {
		d.changed(p.Path, "", words.T("{what} It is left out.", "what", p.Detail))
		path, _, _ := strings.Cut(p.Path, "[")
		switch path {
		case "language":
			content.Language = ""
		case "tags":
			content.Tags = nil
		case "teams":
			content.Teams = quiz.OnePhone
		case "rounds":
			fitRound(content, p.Path)
		}
	}
}

// fitRound takes away what is out of bounds at a path such as "rounds[1].weight".
func fitRound(content *quiz.Content, path string) {
	var i int
	var member string
	if _, err := fmt.Sscanf(path, "rounds[%d].%s", &i, &member); err != nil {
		return
	}
	round := &content.Rounds[i]
	switch member, _, _ = strings.Cut(member, "."); member {
	case "picture":
		round.Picture = nil
	case "pacing":
		round.Pacing = quiz.EachQuestion
	case "weight":
		round.Weight = 0
	case "negative":
		round.Negative = 0
	}
}
