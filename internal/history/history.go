// Package history judges an evening after it: what phones were told must agree with what was stored, whatever broke in between.
package history

import (
	"sync"
	"time"
)

// Sending is one time that a phone sent an answer, and what it was told.
type Sending struct {
	Participant string
	Question    string
	Answer      string // its id, the same for every sending of one answer
	Choice      int
	Outcome     string // as docs/protocol.md names them; empty when none came, and the answer may be stored or not
	Told        int    // for already-answered: the choice that counts
	Began       time.Time
	Ended       time.Time
}

// Sight is a snapshot that a screen was sent.
type Sight struct {
	Screen  string // who saw it
	Link    string // the socket, or for a poll the server's process: within one, versions never go back
	Role    string
	Epoch   string
	Version int64
	Body    string
}

// History is what all screens of an evening went through. Its methods can be called at the same time.
type History struct {
	mu       sync.Mutex
	sendings []Sending
	sights   []Sight
}

// Sent records a sending.
func (h *History) Sent(s Sending) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.sendings = append(h.sendings, s)
}

// Saw records a sight. What one link brings must be recorded in the order in which it came.
func (h *History) Saw(s Sight) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.sights = append(h.sights, s)
}

// Outcomes counts the sendings by their outcome.
func (h *History) Outcomes() map[string]int {
	h.mu.Lock()
	defer h.mu.Unlock()
	counts := map[string]int{}
	for _, s := range h.sendings {
		counts[s.Outcome]++
	}
	return counts
}

// Sights is how many snapshots were seen.
func (h *History) Sights() int {
	h.mu.Lock()
	defer h.mu.Unlock()
	return len(h.sights)
}

// Stored is what the server has in the end, as its export tells it.
type Stored struct {
	Participants []Participant
	Questions    []Question
	Answers      []Answer
}

// Participant is one who is still in.
type Participant struct {
	ID     string
	Points float64
	Rank   int
}

// Question is one that was asked, or not yet: then Status is "waiting".
type Question struct {
	ID       string
	Status   string
	OpensAt  time.Time
	ClosesAt time.Time
	Correct  int
	Points   float64
}

// Answer is a stored answer.
type Answer struct {
	Participant string
	Question    string
	ID          string
	Choice      int
	AnsweredAt  time.Time
	Points      *float64 // nil as long as it has not been marked
}
