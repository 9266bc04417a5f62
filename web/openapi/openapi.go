// Package openapi is the description of the API: one document, which is served as it is and shown as a page.
// docs/decisions/api.md says why it is written by hand, and the tests of package web hold it against what is really said.
package openapi

import (
	"bytes"
	_ "embed"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
)

// JSON is the document, OpenAPI 3.1. Besides the standard's members it has x-problems, x-limits, and with each operation x-for, x-limit and the slugs of its own x-problems.
//
//go:embed openapi.json
var JSON []byte

// Document is what of it a page shows, in the document's order.
type Document struct {
	Info struct {
		Title       string
		Description Prose // paragraphs, an empty line between
	}
	Tags       []Tag
	Paths      Members[Members[Operation]] // by path and method
	Components struct {
		SecuritySchemes Members[SecurityScheme]
		Parameters      Members[Parameter]
		Schemas         Members[Schema]
	}
	Problems []Problem `json:"x-problems"`
}

// Tag is a group of operations.
type Tag struct {
	Name        string
	Description Prose
}

// Operation is what one method of one path does.
type Operation struct {
	Method, Path string `json:"-"`
	OperationID  string
	Tags         []string
	Summary      Prose
	Description  Prose
	For          string `json:"x-for"`   // who may
	Limit        string `json:"x-limit"` // by its name; empty: only the one for everything
	Security     []map[string][]string
	Parameters   []Parameter
	RequestBody  *Content
	Responses    Members[Content] // by status
	Problems     []string         `json:"x-problems"` // slugs, besides those that may come from anywhere
}

// Parameter is a part of the path, the query or the header.
type Parameter struct {
	Ref         string `json:"$ref"`
	Name, In    string
	Required    bool
	Description Prose
}

// Content is a body that is sent or answered.
type Content struct {
	Description Prose
	Content     Members[Body] // by media type
}

// Body is one of its forms.
type Body struct {
	Schema  *Schema
	Example json.RawMessage
}

// Schema is what a value looks like.
type Schema struct {
	Ref         string `json:"$ref"`
	Type        string
	Format      string
	Description Prose
	Enum        []string
	Const       string
	Items       *Schema
	AnyOf       []Schema
	Properties  Members[Schema]
	Required    []string
}

// SecurityScheme is a way to prove who one is.
type SecurityScheme struct {
	Type, Scheme, In, Name string
	Description            Prose
}

// Problem is a problem type: the last segment of its address, the statuses it comes with and what it is called.
type Problem struct {
	Slug        string
	Status      []int
	Titles      []string
	Description Prose
	Anywhere    bool // any operation may be answered with it
}

// Read reads the document.
func Read() (*Document, error) {
	d := new(Document)
	if err := json.Unmarshal(JSON, d); err != nil {
		return nil, fmt.Errorf("openapi.Read: %w", err)
	}
	for _, path := range d.Paths {
		for i := range path.Value {
			operation := &path.Value[i].Value
			operation.Method, operation.Path = strings.ToUpper(path.Value[i].Name), path.Name
			for j, p := range operation.Parameters {
				if named, ok := d.Components.Parameters.get(p.RefName()); ok {
					operation.Parameters[j] = named
				}
			}
		}
	}
	return d, nil
}

// Operations are all of a tag, or of the whole document for "".
func (d *Document) Operations(tag string) (found []Operation) {
	for _, path := range d.Paths {
		for _, method := range path.Value {
			if tag == "" || slices.Contains(method.Value.Tags, tag) {
				found = append(found, method.Value)
			}
		}
	}
	return found
}

// Segments are the path's, between which a line may break.
func (o Operation) Segments() []string { return strings.Split(strings.TrimPrefix(o.Path, "/"), "/") }

// RefName is which of the components a parameter stands for; empty if it is there itself.
func (p Parameter) RefName() string { return lastSegment(p.Ref) }

// RefName is which of the components a schema stands for; empty if it is there itself.
func (s Schema) RefName() string { return lastSegment(s.Ref) }

// Requires says whether an object has to have a member.
func (s Schema) Requires(member string) bool { return slices.Contains(s.Required, member) }

// Text is an example as one reads it.
func (b Body) Text() (string, error) {
	var out bytes.Buffer
	err := json.Indent(&out, b.Example, "", "  ")
	return out.String(), err
}

func lastSegment(ref string) string { return ref[strings.LastIndexByte(ref, '/')+1:] }
