package history

import (
	"fmt"
	"maps"
	"slices"
	"time"
)

// Check returns every way in which the history and what is stored contradict each other, or the rules; none when all is well. grace is how long
// after a question's closing time an answer may still be taken.
func (h *History) Check(stored Stored, grace time.Duration) []string {
	h.mu.Lock()
	defer h.mu.Unlock()
	c := &check{
		Stored: stored, grace: grace,
		questions: map[string]Question{}, answers: map[key]Answer{}, sent: map[key]map[string]Sending{},
	}
	for _, q := range stored.Questions {
		c.questions[q.ID] = q
	}
	for _, s := range h.sendings {
		at := key{s.Participant, s.Question}
		if c.sent[at] == nil {
			c.sent[at] = map[string]Sending{}
		}
		c.sent[at][s.Answer] = s
	}
	c.rows()
	c.outcomes(h.sendings)
	c.standings()
	c.versions(h.sights)
	c.sameForAll(h.sights)
	return c.found
}

type key struct{ participant, question string }

type check struct {
	Stored
	grace     time.Duration
	questions map[string]Question
	answers   map[key]Answer
	sent      map[key]map[string]Sending // by the answer's id
	found     []string
}

func (c *check) violated(format string, args ...any) {
	c.found = append(c.found, fmt.Sprintf(format, args...))
}

// rows holds what is stored against the rules: one answer each, really sent, in time, and marked as it deserves.
func (c *check) rows() {
	for _, a := range c.Answers {
		at := key{a.Participant, a.Question}
		if first, twice := c.answers[at]; twice {
			c.violated("%v has two answers: %s and %s", at, first.ID, a.ID)
		}
		c.answers[at] = a
		if sent, known := c.sent[at][a.ID]; !known || sent.Choice != a.Choice {
			c.violated("%v never sent the answer %s (%d) that is stored", at, a.ID, a.Choice)
		}
		q := c.questions[a.Question]
		if a.AnsweredAt.Before(q.OpensAt) || !a.AnsweredAt.Before(q.ClosesAt.Add(c.grace)) {
			c.violated("%v is stored at %v, but the question was open from %v to %v and %v of grace", at, a.AnsweredAt, q.OpensAt, q.ClosesAt, c.grace)
		}
		switch earned := q.worth(a.Choice); {
		case q.Status == "open" || q.Status == "waiting":
		case a.Points == nil:
			c.violated("%v is stored but was not counted when the question closed", at)
		case *a.Points != earned:
			c.violated("%v earned %v and was given %v", at, earned, *a.Points)
		}
	}
}

func (q Question) worth(choice int) float64 {
	if choice == q.Correct {
		return q.Points
	}
	return 0
}

// outcomes holds what phones were told against what is stored.
func (c *check) outcomes(sendings []Sending) {
	unclear := map[string]time.Time{} // when the first sending of an answer began that got no outcome: it can arrive at any time
	for _, s := range sendings {
		if s.Outcome != "" && s.Outcome != "busy" {
			continue
		}
		if first, known := unclear[s.Answer]; !known || s.Began.Before(first) {
			unclear[s.Answer] = s.Began
		}
	}
	for _, s := range sendings {
		at := key{s.Participant, s.Question}
		row, stored := c.answers[at]
		mine := stored && row.ID == s.Answer
		switch s.Outcome {
		case "", "busy":
		case "accepted":
			if !mine {
				c.violated("%v was told that %s is accepted, but %s", at, s.Answer, describe(row, stored))
			}
		case "already-answered":
			if !stored || mine || row.Choice != s.Told {
				c.violated("%v was told about %s that the choice %d counts, but %s", at, s.Answer, s.Told, describe(row, stored))
			}
		case "too-early": // it may be sent again, and then count
			if opened := c.questions[s.Question].OpensAt; !s.Began.Before(opened) {
				c.violated("%v was told about %s, sent at %v, that it was too early, but the question opened at %v", at, s.Answer, s.Began, opened)
			}
		case "too-late", "not-this-question":
			if first, known := unclear[s.Answer]; mine && (!known || first.After(s.Ended)) {
				c.violated("%v was told about %s: %s, but %s", at, s.Answer, s.Outcome, describe(row, stored))
			}
		default:
			c.violated("%v was told about %s: %q", at, s.Answer, s.Outcome)
		}
	}
}

func describe(row Answer, stored bool) string {
	if !stored {
		return "nothing is stored"
	}
	return fmt.Sprintf("%s (choice %d) is stored", row.ID, row.Choice)
}

// standings holds the points and ranks against the sum of the rows.
func (c *check) standings() {
	sums := map[string]float64{}
	for _, a := range c.Answers {
		if a.Points != nil && c.questions[a.Question].Status == "revealed" {
			sums[a.Participant] += *a.Points
		}
	}
	for _, p := range c.Participants {
		if p.Points != sums[p.ID] {
			c.violated("%s has %v points, but the answers sum up to %v", p.ID, p.Points, sums[p.ID])
		}
		ahead := 0
		for _, other := range c.Participants {
			if sums[other.ID] > sums[p.ID] {
				ahead++
			}
		}
		if p.Rank != ahead+1 {
			c.violated("%s is on rank %d with %d ahead", p.ID, p.Rank, ahead)
		}
	}
}

// versions looks for links on which a version went back.
func (c *check) versions(sights []Sight) {
	type link struct{ screen, link, epoch string }
	latest := map[link]int64{}
	for _, s := range sights {
		l := link{s.Screen, s.Link, s.Epoch}
		if s.Version < latest[l] {
			c.violated("%s went back from version %d to %d on %s", s.Screen, latest[l], s.Version, s.Link)
		}
		latest[l] = max(latest[l], s.Version)
	}
}

// sameForAll looks for versions that did not look the same to everyone in a role.
func (c *check) sameForAll(sights []Sight) {
	type version struct {
		epoch, role string
		version     int64
	}
	seen := map[version]map[string]string{} // body to one who saw it
	for _, s := range sights {
		v := version{s.Epoch, s.Role, s.Version}
		if seen[v] == nil {
			seen[v] = map[string]string{}
		}
		seen[v][s.Body] = s.Screen
	}
	for v, bodies := range seen {
		if len(bodies) > 1 {
			c.violated("version %d for the %s has %d different forms: %v", v.version, v.role, len(bodies), slices.Sorted(maps.Keys(bodies)))
		}
	}
}
