// Package mail writes letters, keeps them in the database until they are sent, and sends them.
//
// A letter is written in the transaction of its cause, so that there is none without the other. It is sent a moment later, by any instance
// (Outbox.Run). One that was sent just before a process died is sent again, with the same Message-ID.
package mail

import (
	"bytes"
	_ "embed"
	"fmt"
	"html/template"
	"strings"

	"pubquiz/internal/words"
)

// Letter is what somebody is told, without how it looks. Nothing that a stranger can choose, such as a name, may be part of it: whoever asks
// for a letter to somebody else's address must not write it.
type Letter struct {
	Language string   `json:"language,omitempty"` // its code, for what stands around the words
	Subject  string   `json:"subject"`
	Text     []string `json:"text"`             // paragraphs
	Button   string   `json:"button,omitempty"` // what the link is called
	Link     string   `json:"link,omitempty"`   // absolute
	After    []string `json:"after,omitempty"`  // paragraphs below the link
}

// Draft is a letter before it is said in a language.
type Draft struct {
	Subject words.Text
	Text    []words.Text
	Button  words.Text
	Link    string
	After   []words.Text
}

// In is the letter in a language.
func (d Draft) In(l *words.Language) Letter {
	all := func(texts []words.Text) (said []string) {
		for _, text := range texts {
			said = append(said, l.Say(text))
		}
		return said
	}
	return Letter{Language: l.Code, Subject: l.Say(d.Subject), Text: all(d.Text), Button: l.Say(d.Button), Link: d.Link, After: all(d.After)}
}

// language is the letter's; English for one that was written before letters had one.
func (l Letter) language() *words.Language {
	if found, ok := words.Find(l.Language); ok {
		return found
	}
	return words.English
}

//go:embed letter.html
var letterHTML string

// In the frame, t says something in the letter's language.
var letterTemplate = template.Must(template.New("letter").Funcs(template.FuncMap{"t": words.T}).Parse(letterHTML))

// framed is what the letter's page is made of.
type framed struct {
	Letter
	Reader *words.Language
}

// HTML is the letter as a page. It loads nothing, and follows the reader's choice of light or dark.
func (l Letter) HTML() (string, error) {
	var page bytes.Buffer
	if err := letterTemplate.Execute(&page, framed{l, l.language()}); err != nil {
		return "", fmt.Errorf("mail: the letter %q: %w", l.Subject, err)
	}
	return page.String(), nil
}

// Plain is the letter as text, which programs that show no HTML have instead.
func (l Letter) Plain() string {
	parts := append([]string{}, l.Text...)
	if l.Link != "" {
		parts = append(parts, l.Button+":\n"+l.Link)
	}
	parts = append(parts, l.After...)
	return strings.Join(append(parts, "-- \n"+l.language().Say(words.T("Live pub quiz"))), "\n\n") + "\n"
}
