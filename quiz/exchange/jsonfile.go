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
	if err := json.Unmarshal(data, new(json.RawMessage)); err != nil {
		return nil, err
	}
	if bytes.HasPrefix(bytes.TrimSpace(data), []byte("[")) {
		first, _ := elementsOf(data, 1)
		if len(first) == 0 {
			return nil, nil
		}
		data = first[0]
	}
	members := map[string]json.RawMessage{}
	decoder := json.NewDecoder(bytes.NewReader(data))
	if begin, err := decoder.Token(); err != nil || begin != json.Delim('{') {
		return nil, nil // what is no object has no members
	}
	for decoder.More() && len(members) < maxMembers {
		name, _ := decoder.Token()
		var member json.RawMessage
		if err := decoder.Decode(&member); err != nil {
			return nil, err
		}
		members[name.(string)] = member
	}
	return members, nil
}

// The bounds of a JSON file, against lists of nothing, each of which takes much more in memory than in the file.
const (
	maxMembers = 1000 // of an object that are looked at
	maxCommas  = 5000 // of a question
)

// elementsOf decodes a JSON list into the first of its elements, and says how many it has. It has none where it is not a list.
func elementsOf(data json.RawMessage, most int) (first []json.RawMessage, count int) {
	decoder := json.NewDecoder(bytes.NewReader(data))
	if begin, err := decoder.Token(); err != nil || begin != json.Delim('[') {
		return nil, 0
	}
	var beyond json.RawMessage
	for ; decoder.More(); count++ {
		element := &beyond
		if count < most {
			first = append(first, nil)
			element = &first[count]
		}
		if decoder.Decode(element) != nil {
			return first, count
		}
	}
	return first, count
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
	if list := bytes.TrimSpace(data); !bytes.HasPrefix(list, []byte("[")) && !bytes.Equal(list, []byte("null")) {
		return nil, refuse(words.T("This JSON file has no list of questions where it should have one."))
	}
	all, _ := elementsOf(data, maxRows+1)
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
		d := draft{}
		if bytes.Count(question.raw, []byte(",")) > maxCommas {
			d.tooMany(string(question.raw))
			if err := c.add(at{row: question.number}, d); err != nil {
				return err
			}
			continue
		}
		err := json.Unmarshal(question.raw, &q)
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
