package main

import (
	"context"
	"net/http"
	"net/url"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"pubquiz/internal/mail"
	"pubquiz/internal/mailtest"
	"pubquiz/internal/stripetest"
)

// asCluster makes a cluster of a server that is part of the test, and whose host comes in by a link.
func (s *server) asCluster(t *testing.T, base string) *cluster {
	return &cluster{t: t, members: []*member{{base: base, origin: base}}, signIn: func(ctx context.Context) (string, error) {
		host, err := s.accounts.EnsureUser(ctx, demoEmail, demoName)
		if err != nil {
			return "", err
		}
		if _, err := s.pool.Exec(ctx, `UPDATE users SET email_verified_at = now() WHERE id = $1`, host); err != nil {
			return "", err
		}
		return s.accounts.CreateLink(ctx, host)
	}}
}

// roomy are settings for a test's room.
var roomy = environment{"LIMITS": roomyLimits, "ANSWER_GRACE": answerGrace.String()}

// submit sends a form as the host, and returns the status and where the page leads by itself.
func (n *night) submit(t *testing.T, path string, form url.Values) (status int, refresh string) {
	t.Helper()
	req, err := http.NewRequestWithContext(t.Context(), http.MethodPost, n.members[0].base+path, strings.NewReader(form.Encode()))
	if err != nil {
		t.Fatal(err)
	}
	req.Header = n.host.header.Clone()
	req.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	answer, err := http.DefaultClient.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	answer.Body.Close()
	return answer.StatusCode, answer.Header.Get("Refresh")
}

// The mail server is away: letters wait for it, and a quiz does not notice.
func TestHistoryOfNoMail(t *testing.T) {
	t.Parallel()
	post := mailtest.Start(t)
	way := newProxy(t, "tcp", "127.0.0.1:0", "tcp", post.SMTP)
	s, base := startWith(t, roomy.with(environment{"SMTP_URL": "smtp://" + way.listener.Addr().String() + "?tls=none", "MAIL_FROM": "Pub quiz <quiz@example.org>"}))
	n := nightOn(t, s.asCluster(t, base), 10, byTheHost)
	n.connected(t)
	n.play(t, way.sever, func() {
		if status, _ := n.submit(t, "/reset", url.Values{"email": {demoEmail}}); status != http.StatusOK {
			t.Errorf("asking for a letter: %d", status)
		}
		ctx, cancel := context.WithTimeout(t.Context(), ampleTime)
		defer cancel()
		for tried := false; !tried; {
			if err := s.pool.QueryRow(ctx, `SELECT coalesce(bool_or(last_error IS NOT NULL AND failed_at IS NULL), false) FROM mail_outbox`).Scan(&tried); err != nil {
				t.Fatal(err)
			}
			pause(ctx, 50*time.Millisecond)
		}
		n.command(t, "lockDoors")
	})
	if busy := n.history.Outcomes()["busy"]; busy > 0 {
		t.Errorf("%d answers were not taken at once", busy)
	}
	if _, err := s.pool.Exec(t.Context(), `UPDATE mail_outbox SET due_at = now()`); err != nil { // as half a minute later
		t.Fatal(err)
	}
	post.Await(demoEmail, 1)
}

// Stripe is away: nobody can buy, and a quiz does not notice.
func TestHistoryOfNoStripe(t *testing.T) {
	t.Parallel()
	var stripe *stripetest.Stripe
	s, base := startConfigured(t, roomy.with(sold), func(c *config) {
		c.tray = new(mail.Tray)
		stripe = stripeOf(t, c)
	})
	n := nightOn(t, s.asCluster(t, base), 10, byTheHost)
	n.connected(t)
	buy := url.Values{"plan": {"pub"}, "interval": {"month"}}
	n.play(t, func() func() { stripe.SetDown(true); return func() { stripe.SetDown(false) } }, func() {
		if status, _ := n.submit(t, "/account/billing/checkout", buy); status != http.StatusServiceUnavailable {
			t.Errorf("buying without Stripe: %d", status)
		}
		n.command(t, "lockDoors")
	})
	if busy := n.history.Outcomes()["busy"]; busy > 0 {
		t.Errorf("%d answers were not taken at once", busy)
	}
	if status, refresh := n.submit(t, "/account/billing/checkout", buy); status != http.StatusOK || !strings.Contains(refresh, stripe.URL) {
		t.Errorf("buying once Stripe is back: %d, to %s", status, refresh)
	}
}

// A server believes in another time than the database, by an hour either way: answers are taken and questions closed by the database's.
func TestHistoryOfAWrongClock(t *testing.T) {
	t.Parallel()
	for _, jump := range []time.Duration{time.Hour, -time.Hour} {
		t.Run(jump.String(), func(t *testing.T) {
			t.Parallel()
			var wrong atomic.Int64
			s, base := startConfigured(t, roomy, func(c *config) {
				c.disturbed = func(t time.Time) time.Time { return t.Add(time.Duration(wrong.Load())) }
			})
			n := nightOn(t, s.asCluster(t, base), 10, byTheClock)
			n.play(t, func() func() { wrong.Store(int64(jump)); return func() {} }, func() {})
			var late float64
			const lateness = `SELECT extract(epoch FROM l.at - q.closes_at) FROM session_log l JOIN session_questions q USING (session_id) WHERE l.command = 'timeUp'`
			if err := s.pool.QueryRow(t.Context(), lateness).Scan(&late); err != nil || late < answerGrace.Seconds() {
				t.Errorf("the clock closed the question %g s after its time, %v", late, err)
			}
			t.Logf("the clock closed the question %g s after its time", late)
		})
	}
}
