package exchange

import (
	"bytes"
	"encoding/json"
	"errors"
	"regexp"
	"strings"

	"pubquiz/internal/words"
)

// startsJSON tells an object or a list of objects, also one that is broken further on.
var startsJSON = regexp.MustCompile(`^\s*(?:\{\s*["}]|\[\s*[{\]])`)

// readJSON reads a JSON file of whichever format it is.
func readJSON(text string, c collector) (Import, error) {
	data := []byte(text)
	members, err := membersOf(data)
	if err != nil {
		return Import{}, brokenJSON(text, err)
	}
	if isOwn(members) {
		return readOwn(data)
	}
	for _, f := range jsonFormats {
		if f.matches(members) {
			if err := f.read(data, &c); err != nil {
				return Import{}, err
			}
			return c.result(f.name, InQuestions)
		}
	}
	return Import{}, refuse(words.T("This JSON file is of no format that is known here. The formats that can be read are listed on the import page."))
}

// membersOf returns the members of the file's object, or of the first object of its list.
func membersOf(data []byte) (map[string]json.RawMessage, error) {
	var members map[string]json.RawMessage
	if !bytes.HasPrefix(bytes.TrimSpace(data), []byte("[")) {
		return members, json.Unmarshal(data, &members)
	}
	var all []json.RawMessage
	if err := json.Unmarshal(data, &all); err != nil || len(all) == 0 {
		return nil, err
	}
	_ = json.Unmarshal(all[0], &members) // what is no object has no members
	return members, nil
}

func brokenJSON(text string, err error) error {
	if syntax, ok := errors.AsType[*json.SyntaxError](err); ok {
		offset := min(max(int(syntax.Offset), 0), len(text))
		return refuse(words.T("This JSON file is broken at line {line}. Export it anew.", "line", 1+strings.Count(text[:offset], "\n")))
	}
	return refuse(words.T("This JSON file is of no format that is known here. The formats that can be read are listed on the import page."))
}

// element is a question of a list, with its place there, from 1.
type element struct {
	number int
	raw    json.RawMessage
}

// listOf decodes a JSON list into its elements.
func listOf(data json.RawMessage) ([]element, error) {
	var all []json.RawMessage
	if err := json.Unmarshal(data, &all); err != nil {
		return nil, refuse(words.T("This JSON file has no list of questions where it should have one."))
	}
	elements := make([]element, len(all))
	for i, raw := range all {
		elements[i] = element{i + 1, raw}
	}
	return elements, nil
}

// each reads the questions of a list, each as T. One that is no T is skipped with what is wrong about it.
func each[T any](c *collector, questions []element, text func(T) string, take func(T, *draft)) error {
	for _, question := range questions {
		var q T
		err := json.Unmarshal(question.raw, &q)
		d := draft{}
		d.Text = text(q)
		if err != nil {
			column, detail := typeProblem(err)
			d.skip(column, string(question.raw), detail)
		} else {
			take(q, &d)
		}
		if err := c.add(at{row: question.number}, d); err != nil {
			return err
		}
	}
	return nil
}

// typeProblem says which member is not what it should be.
func typeProblem(err error) (column string, detail words.Text) {
	if wrong, ok := errors.AsType[*json.UnmarshalTypeError](err); ok {
		return wrong.Field, words.T("Expected {kind}, not {found}.", "kind", kindName(wrong.Type.Kind().String()), "found", article(wrong.Value))
	}
	return "", words.T("This question cannot be read: {reason}.", "reason", strings.TrimPrefix(err.Error(), "json: "))
}

func kindName(kind string) words.Text {
	switch kind {
	case "string":
		return words.T("a text")
	case "slice":
		return words.T("a list")
	case "struct", "map":
		return words.T("an object")
	case "bool":
		return words.T("true or false")
	default:
		return words.T("a number")
	}
}

func article(value string) words.Text {
	value, _, _ = strings.Cut(value, " ")
	switch value {
	case "string":
		return words.T("a text")
	case "array":
		return words.T("a list")
	case "object":
		return words.T("an object")
	case "bool":
		return words.T("true or false")
	default:
		return words.T("a number")
	}
}
