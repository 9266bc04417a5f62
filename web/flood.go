package web

import (
	"net/http"
	"time"

	"pubquiz/internal/words"
	"pubquiz/ratelimit"
)

const (
	// outcomesHeld is how many outcomes wait for a phone to take them. It answers ten times a minute at most.
	outcomesHeld = 20
	// excessHeld is how often a phone may do, between two heartbeats, what it has no reason for: answer beyond its budget, ping,
	// or answer pings that were not sent.
	excessHeld = 20
)

// behind reports whether the phone sends without reading what it is told.
func (c *connection) behind() bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return len(c.outcomes) >= outcomesHeld
}

// floods reports whether the phone does too much that it has no reason for. To refuse each is cheap, but not for ever.
func (c *connection) floods() bool { return c.excess.Load() > excessHeld }

var errFlooded = &problem{Status: http.StatusTooManyRequests, Slug: "quota-exceeded", Title: words.T("A moment, please"), Detail: crowded,
	RetryAfter: int(ratelimit.SubmitAnswer.Window / time.Second), Limiter: string(ratelimit.SubmitAnswer.Name)}

// ponged is told of a pong in the middle of a message.
func (c *connection) ponged(string) error {
	if c.excess.Add(1); c.floods() {
		return errFlooded
	}
	return nil
}

// pinged has a ping answered with what is told next. Of several, the latest is.
func (c *connection) pinged(payload string) error {
	if c.excess.Add(1); c.floods() {
		return errFlooded
	}
	c.mu.Lock()
	c.pongDue = &payload
	c.mu.Unlock()
	c.out.Signal()
	return nil
}
