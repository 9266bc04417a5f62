package openapi

import (
	"bytes"
	"encoding/json"
	"strings"
)

// Members are a JSON object's, in the order in which they are written.
type Members[T any] []Member[T]

// Member is one of them.
type Member[T any] struct {
	Name  string
	Value T
}

// UnmarshalJSON reads an object.
func (m *Members[T]) UnmarshalJSON(text []byte) error {
	decoder := json.NewDecoder(bytes.NewReader(text))
	if _, err := decoder.Token(); err != nil { // the brace
		return err
	}
	for decoder.More() {
		name, err := decoder.Token()
		if err != nil {
			return err
		}
		var value T
		if err := decoder.Decode(&value); err != nil {
			return err
		}
		*m = append(*m, Member[T]{name.(string), value}) // decoders give no other names
	}
	return nil
}

func (m Members[T]) get(name string) (value T, ok bool) {
	for _, member := range m {
		if member.Name == name {
			return member.Value, true
		}
	}
	return value, false
}

// Prose is text for people, with code between backquotes.
type Prose string

// Span is a stretch of it.
type Span struct {
	Text string
	Code bool
}

// Paragraphs are the parts between empty lines.
func (p Prose) Paragraphs() []Prose {
	var paragraphs []Prose
	for part := range strings.SplitSeq(string(p), "\n\n") {
		paragraphs = append(paragraphs, Prose(part))
	}
	return paragraphs
}

// Spans are text and code in turn.
func (p Prose) Spans() []Span {
	var spans []Span
	for i, part := range strings.Split(string(p), "`") {
		if part != "" {
			spans = append(spans, Span{part, i%2 == 1})
		}
	}
	return spans
}
