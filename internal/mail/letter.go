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
)

// Letter is what somebody is told, without how it looks. Nothing that a stranger can choose, such as a name, may be part of it: whoever asks
// for a letter to somebody else's address must not write it.
type Letter struct {
	Subject string   `json:"subject"`
	Text    []string `json:"text"`             // paragraphs
	Button  string   `json:"button,omitempty"` // what the link is called
	Link    string   `json:"link,omitempty"`   // absolute
	After   []string `json:"after,omitempty"`  // paragraphs below the link
}

//go:embed letter.html
var letterHTML string

var letterTemplate = template.Must(template.New("letter").Parse(letterHTML))

// HTML is the letter as a page. It loads nothing, and follows the reader's choice of light or dark.
func (l Letter) HTML() (string, error) {
	var page bytes.Buffer
	if err := letterTemplate.Execute(&page, l); err != nil {
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
	return strings.Join(append(parts, "-- \nLive pub quiz"), "\n\n") + "\n"
}
