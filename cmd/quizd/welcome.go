package main

import (
	"context"
	"fmt"
	"io"
	"strings"

	"pubquiz/quiz"
	"pubquiz/session"
)

// welcome is what a demo has ready for whoever starts it.
type welcome struct {
	title    string
	joinCode string // empty if no session is open
	link     string // path and query of a page that signs the host in, once
}

const (
	demoEmail = "host@demo.example"
	demoName  = "Demo host"
)

// welcome makes sure that there is a host, a quiz to look at and a session to join.
func (s *server) welcome(ctx context.Context) (welcome, error) {
	host, err := s.accounts.EnsureUser(ctx, demoEmail, demoName)
	if err != nil {
		return welcome{}, fmt.Errorf("the demo's host: %w", err)
	}
	token, err := s.accounts.CreateLink(ctx, host)
	if err != nil {
		return welcome{}, fmt.Errorf("the demo's sign-in link: %w", err)
	}
	w := welcome{link: "/signin/link?token=" + token}
	open, err := s.openSession(ctx, quiz.OwnerID(host))
	if err != nil {
		return welcome{}, fmt.Errorf("the demo's session: %w", err)
	}
	w.title, w.joinCode = open.Title, open.JoinCode
	return w, nil
}

// openSession returns a session of the host that people can join, opening one from the host's newest playable quiz if there is none.
func (s *server) openSession(ctx context.Context, host quiz.OwnerID) (session.Summary, error) {
	open, err := s.newestOpen(ctx, host)
	if err != nil || open.JoinCode != "" {
		return open, err
	}
	quizzes, err := s.quizzes.List(ctx, host)
	if err != nil {
		return session.Summary{}, err
	}
	if len(quizzes) == 0 {
		if _, err := s.quizzes.Create(ctx, host, quiz.Showcase()); err != nil {
			return session.Summary{}, err
		}
		id, err := s.quizzes.Create(ctx, host, quiz.Sample())
		if err != nil {
			return session.Summary{}, err
		}
		quizzes = append(quizzes, quiz.Summary{ID: id})
	}
	for _, candidate := range quizzes {
		q, err := s.quizzes.Get(ctx, host, candidate.ID)
		if err != nil {
			return session.Summary{}, err
		}
		if len(q.Content.Problems()) > 0 {
			continue
		}
		if _, err := s.sessions.Open(ctx, host, q.ID, q.Content); err != nil {
			return session.Summary{}, err
		}
		return s.newestOpen(ctx, host)
	}
	return session.Summary{}, nil
}

func (s *server) newestOpen(ctx context.Context, host quiz.OwnerID) (session.Summary, error) {
	sessions, err := s.sessions.List(ctx, host)
	if err != nil {
		return session.Summary{}, err
	}
	for _, open := range sessions { // the newest first
		if open.Phase != session.Finished {
			return open, nil
		}
	}
	return session.Summary{}, nil
}

// print tells the newcomer where to go, in as few lines as can be.
func (w welcome) print(out io.Writer, localhost string, phones baseURL, folder string) error {
	var text strings.Builder
	fmt.Fprintf(&text, "\n  You, the host:  %s%s\n                  signs you in, once, in the next half hour; every start prints a new one\n", localhost, w.link)
	address := string(phones)
	if w.joinCode != "" {
		address += "/j/" + w.joinCode
	}
	switch {
	case address == localhost || strings.HasPrefix(address, localhost+"/"):
		fmt.Fprintf(&text, "\n  A player:       %s\n                  in another browser window: this machine is on no network that phones could reach\n", address)
	default:
		code, err := terminalQR(address)
		if err != nil {
			return err
		}
		fmt.Fprintf(&text, "\n  Phones:         %s\n                  on the same WiFi; or point a phone's camera here\n\n%s", address, code)
	}
	fmt.Fprintf(&text, "\n  Everything is kept in %s. Ctrl-C stops.\n\n", folder)
	_, err := io.WriteString(out, text.String())
	return err
}
