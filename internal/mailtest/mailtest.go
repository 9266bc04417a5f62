// Package mailtest gives tests a real mail server, Mailpit, which keeps what it is sent, and fails when it is told to.
//
// Mailpit is built from its module (the folder mailpit) when a test first needs it; see testprogram.
package mailtest

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/mail"
	"net/url"
	"os/exec"
	"path/filepath"
	"runtime"
	"testing"
	"time"

	"pubquiz/internal/testprogram"
)

// Server is a running mail server. It ends with its test.
type Server struct {
	t    testing.TB
	SMTP string // host:port
	api  string
}

// Message is a letter that has arrived.
type Message struct {
	ID          string
	MessageID   string
	From        *mail.Address
	To          []*mail.Address
	Subject     string
	Date        time.Time
	Text        string
	HTML        string
	Attachments []any
}

const patience = time.Minute

// Start starts a mail server of the test's own, with further arguments of Mailpit's.
func Start(t testing.TB, arguments ...string) *Server {
	t.Helper()
	_, here, _, _ := runtime.Caller(0)
	program := testprogram.Path(t, filepath.Join(filepath.Dir(here), "mailpit"), "github.com/axllent/mailpit")
	s := &Server{t: t, SMTP: testprogram.FreeAddress(t)}
	listen := testprogram.FreeAddress(t)
	s.api = "http://" + listen + "/api/v1/"
	process := exec.Command(program, append([]string{
		"--listen", listen, "--smtp", s.SMTP, "--enable-chaos", "--disable-version-check", "--smtp-disable-rdns", "--quiet",
		"--database", filepath.Join(t.TempDir(), "letters.db"), // its own is left behind when it is killed
	}, arguments...)...)
	testprogram.Run(t, process, func() bool { return takesLetters(s.SMTP) && tells(s.api+"info") })
	return s
}

func takesLetters(address string) bool {
	conn, err := net.Dial("tcp", address)
	if err != nil {
		return false
	}
	conn.Close()
	return true
}

func tells(address string) bool {
	answer, err := http.Get(address)
	if err != nil {
		return false
	}
	answer.Body.Close()
	return true
}

// To returns what has arrived for an address, the latest first.
func (s *Server) To(address string) []Message {
	s.t.Helper()
	var found struct{ Messages []struct{ ID string } }
	s.call(http.MethodGet, "search?limit=500&query="+url.QueryEscape(`to:"`+address+`"`), nil, &found)
	messages := make([]Message, len(found.Messages))
	for i, m := range found.Messages {
		s.call(http.MethodGet, "message/"+m.ID, nil, &messages[i])
	}
	return messages
}

// Await waits until a number of letters have arrived for an address, and returns the latest of them.
func (s *Server) Await(address string, number int) Message {
	s.t.Helper()
	for deadline := time.Now().Add(patience); ; time.Sleep(50 * time.Millisecond) {
		if arrived := s.To(address); len(arrived) >= number {
			return arrived[0]
		}
		if time.Now().After(deadline) {
			s.t.Fatalf("no %d letters have arrived for %s", number, address)
		}
	}
}

// Header returns the headers of a letter.
func (s *Server) Header(m Message) mail.Header {
	s.t.Helper()
	var header mail.Header
	s.call(http.MethodGet, "message/"+m.ID+"/headers", nil, &header)
	return header
}

// Refuse answers every recipient from now on with an SMTP code of 400 to 599; 0 takes them again.
func (s *Server) Refuse(code int) {
	s.t.Helper()
	type trigger struct{ ErrorCode, Probability int }
	triggers := map[string]trigger{"Recipient": {451, 0}}
	if code != 0 {
		triggers["Recipient"] = trigger{code, 100}
	}
	s.call(http.MethodPut, "chaos", triggers, nil)
}

// Complaints returns what mail programs that many people use would not show of a letter as it is meant, by feature with the share of programs, in percent,
// that do show it.
func (s *Server) Complaints(m Message) map[string]float64 {
	s.t.Helper()
	var check struct {
		Warnings []struct {
			Slug  string
			Score struct{ Supported, Partial float64 }
		}
	}
	s.call(http.MethodGet, "message/"+m.ID+"/html-check", nil, &check)
	found := map[string]float64{}
	for _, warning := range check.Warnings {
		found[warning.Slug] = warning.Score.Supported + warning.Score.Partial
	}
	return found
}

func (s *Server) call(method, path string, body, into any) {
	s.t.Helper()
	var reader io.Reader
	if body != nil {
		encoded, err := json.Marshal(body)
		if err != nil {
			s.t.Fatal(err)
		}
		reader = bytes.NewReader(encoded)
	}
	ctx, cancel := context.WithTimeout(s.t.Context(), patience)
	defer cancel()
	request, err := http.NewRequestWithContext(ctx, method, s.api+path, reader)
	if err != nil {
		s.t.Fatal(err)
	}
	answer, err := http.DefaultClient.Do(request)
	if err != nil {
		s.t.Fatal(err)
	}
	defer answer.Body.Close()
	text, err := io.ReadAll(answer.Body)
	if err == nil && answer.StatusCode != http.StatusOK {
		err = fmt.Errorf("%s: %s", answer.Status, text)
	}
	if err == nil && into != nil {
		err = json.Unmarshal(text, into)
	}
	if err != nil {
		s.t.Fatalf("the mail server's %s: %v", path, err)
	}
}
