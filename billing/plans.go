package billing

import (
	"slices"

	"pubquiz/internal/words"
)

// Slug names a plan, in addresses and in the database.
type Slug string

// The plans.
const (
	Free  Slug = "free"
	Pub   Slug = "pub"
	Venue Slug = "venue"
	Chain Slug = "chain"
)

// Plan is what a host may do with it.
type Plan struct {
	Slug         Slug   `json:"slug"`
	Name         string `json:"name"`
	Places       int    `json:"places"`       // phones in one session
	LiveSessions int    `json:"liveSessions"` // that are open at once
	Hosts        int    `json:"hosts"`        // the subscriber, and those whose sessions count together with theirs
}

// plans, from the smallest to the largest.
var plans = []Plan{
	{Free, "Free", 30, 1, 1},
	{Pub, "Pub", 150, 2, 1},
	{Venue, "Venue", 500, 5, 1},
	{Chain, "Chain", 2000, 50, 20},
}

// Title is what the plan is called.
func (p Plan) Title() words.Text {
	switch p.Slug {
	case Free:
		return words.T("Free")
	case Pub:
		return words.T("Pub")
	case Venue:
		return words.T("Venue")
	}
	return words.T("Chain")
}

// Plans returns all plans, from the smallest to the largest.
func Plans() []Plan { return slices.Clone(plans) }

// planOf returns the plan with a slug.
func planOf(slug Slug) (Plan, bool) {
	i := slices.IndexFunc(plans, func(p Plan) bool { return p.Slug == slug })
	if i < 0 {
		return Plan{}, false
	}
	return plans[i], true
}
