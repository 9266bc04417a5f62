package web

import (
	"encoding/json"
	"os"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"pubquiz/quiz"
	"pubquiz/web/openapi"
)

// block is an example of docs/protocol.md.
type block struct{ heading, language, text string }

func protocolBlocks(t *testing.T) (blocks []block) {
	t.Helper()
	text, err := os.ReadFile("../docs/protocol.md")
	if err != nil {
		t.Fatal(err)
	}
	heading, inside := "", false
	for line := range strings.Lines(string(text)) {
		language, fence := strings.CutPrefix(strings.TrimSpace(line), "```")
		switch {
		case fence && inside:
			inside = false
		case fence:
			inside = true
			blocks = append(blocks, block{heading: heading, language: language})
		case inside:
			blocks[len(blocks)-1].text += line
		case strings.HasPrefix(line, "## "):
			heading = strings.TrimSpace(line[3:])
		}
	}
	return blocks
}

// exampleSchemas are what the examples under each heading show.
var exampleSchemas = map[string][]string{
	"Snapshot": {"Snapshot"}, "The personal part: participant": {"Personal"}, "The live part: host and big screen": {"ScreenLive", "HostLive"}, "The room's part: host": {"Room"},
	"Quiz content": {"Content"}, "The author's questions": {"FoundQuestions"}, "Look": {"LookRequest"}, "Imports": {"Import"}, "Plans": {"Prices"},
}

// comment is one of an example's; an address has no space before its slashes.
var comment = regexp.MustCompile(`(?m)(^|\s)//.*$`)

// TestProtocolExamplesHaveAllMembers compares the examples with the API's description, which is what the server is held to.
func TestProtocolExamplesHaveAllMembers(t *testing.T) {
	doc, err := openapi.Read()
	if err != nil {
		t.Fatal(err)
	}
	for _, b := range protocolBlocks(t) {
		if b.language == "text" {
			continue // TestProtocolIsReplayed
		}
		names, known := exampleSchemas[b.heading]
		if !known {
			t.Errorf("nothing says what the example under %q shows", b.heading)
		}
		var all openapi.Schema
		for _, name := range names {
			all.Properties = append(all.Properties, schemaOf(t, doc, name).Properties...)
		}
		var example map[string]any
		if err := json.Unmarshal([]byte(strings.NewReplacer("{…}", "null", "[…]", "null").Replace(comment.ReplaceAllString(b.text, ""))), &example); err != nil {
			t.Errorf("the example under %q: %v", b.heading, err)
			continue
		}
		for _, member := range all.Properties {
			if _, ok := example[member.Name]; !ok {
				t.Errorf("the example under %q has no %s", b.heading, member.Name)
			}
		}
		checkMembers(t, doc, b.heading, all, example)
	}
}

func schemaOf(t *testing.T, doc *openapi.Document, name string) openapi.Schema {
	t.Helper()
	for _, schema := range doc.Components.Schemas {
		if schema.Name == name {
			return schema.Value
		}
	}
	t.Fatalf("nothing is called %s", name)
	return openapi.Schema{}
}

// checkMembers fails the test for what is in an example and not described, however deep.
func checkMembers(t *testing.T, doc *openapi.Document, where string, schema openapi.Schema, example any) {
	t.Helper()
	if schema.Ref != "" {
		schema = schemaOf(t, doc, schema.RefName())
	}
	switch example := example.(type) {
	case []any:
		for _, element := range example {
			if schema.Items == nil {
				t.Errorf("%s is no list", where)
				return
			}
			checkMembers(t, doc, where, *schema.Items, element)
		}
	case map[string]any:
		for name, value := range example {
			i := slices.IndexFunc(schema.Properties, func(m openapi.Member[openapi.Schema]) bool { return m.Name == name })
			if i < 0 {
				t.Errorf("%s: %s is not described", where, name)
				continue
			}
			checkMembers(t, doc, where+": "+name, schema.Properties[i].Value, value)
		}
	}
}

// TestProtocolIsReplayed plays what docs/protocol.md tells of an evening's sockets, line by line.
func TestProtocolIsReplayed(t *testing.T) {
	at := slices.IndexFunc(protocolBlocks(t), func(b block) bool { return b.language == "text" })
	if at < 0 {
		t.Fatal("no evening is told")
	}
	s := newSite(t)
	l := s.openQuiz(s.host("host@quiz.example"), quiz.Content{Title: "Tuesday Quiz", Rounds: []quiz.Round{{Title: "Warming up", Questions: []quiz.Question{
		{Kind: quiz.Single, Text: "Which of these is a metal?", Options: []string{"Neon", "Gold"}, Correct: []int{1}, Seconds: 30, Points: 4}}}}})
	television := s.browser()
	television.get(consoleBoot(t, l)["screenURL"].(string))
	sockets := map[string]*socket{"phone": l.dial(l.phone("The Quizzards"), "participant"), "host": l.dial(l.host, "host"), "screen": l.dial(television, "screen")}
	for line := range strings.Lines(protocolBlocks(t)[at].text) {
		who, rest, _ := strings.Cut(strings.TrimSpace(line), " ")
		what, told, _ := strings.Cut(rest, " ")
		switch what {
		case "commands":
			l.command(told)
		case "→":
			sockets[who].send(json.RawMessage(told))
		case "←":
			sockets[who].hears(line, told)
		case "closed":
			if code, _ := sockets[who].closeCode(); strconv.Itoa(code) != told {
				t.Errorf("%s: closed with %d", line, code)
			}
		default:
			t.Errorf("what does this line say? %s", line)
		}
	}
}

// restOf stands for the members that are not told.
var restOf = strings.NewReplacer(",…}", `,"…":"…"}`)

// hears reads until a message comes that is as it is told, and holds each against the API's description.
func (s *socket) hears(line, told string) {
	s.t.Helper()
	var want any
	if err := json.Unmarshal([]byte(restOf.Replace(told)), &want); err != nil {
		s.t.Fatalf("%s: %v", line, err)
	}
	_ = s.ws.SetReadDeadline(time.Now().Add(ampleTime))
	var heard []string
	for {
		_, message, err := s.ws.ReadMessage()
		if err != nil {
			s.t.Fatalf("%snever came, but\n%s\n%v", line, strings.Join(heard, "\n"), err)
		}
		var got any
		if err := json.Unmarshal(message, &got); err != nil {
			s.t.Fatal(err)
		}
		if err := undescribedMessage(message); err != nil {
			s.t.Errorf("%s is not described: %v", message, err)
		}
		if isAs(want, got) {
			return
		}
		heard = append(heard, string(message))
	}
}

// isAs says whether a value is as it is told, where "…" stands for any, and for all other members.
func isAs(told, got any) bool {
	switch told := told.(type) {
	case string:
		return told == "…" || told == got
	case []any:
		list, ok := got.([]any)
		return ok && slices.EqualFunc(told, list, isAs)
	case map[string]any:
		object, ok := got.(map[string]any)
		_, more := told["…"]
		if !ok || !more && len(object) != len(told) {
			return false
		}
		for name, value := range told {
			if member, there := object[name]; name != "…" && !(there && isAs(value, member)) {
				return false
			}
		}
		return true
	}
	return reflect.DeepEqual(told, got)
}
