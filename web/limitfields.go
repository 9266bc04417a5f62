package web

import (
	"fmt"
	"net/http"
	"strconv"

	"pubquiz/ratelimit"
)

// tellLimit tells a budget in the answer's fields, which clients may pace themselves by: of all budgets that were
// charged the one that leaves least. The fields of the IETF's draft (draft-ietf-httpapi-ratelimit-headers-11) name each
// of them.
func (s *Server) tellLimit(r *request, d ratelimit.Decision) {
	reset := func(d ratelimit.Decision) int { return ratelimit.Seconds(max(d.Reset, d.RetryAfter)) }
	if s.draftFields {
		window := int(s.limits[d.Name].Window.Seconds())
		addToList(r.answer, "RateLimit-Policy", fmt.Sprintf("%q;q=%d;w=%d", d.Name, d.Limit, window))
		addToList(r.answer, "RateLimit", fmt.Sprintf("%q;r=%d;t=%d", d.Name, d.Remaining, reset(d)))
		return
	}
	if len(r.decided) == 0 {
		r.tightest = d
	}
	r.tightest = r.tightest.Tighter(d)
	r.answer.Set("RateLimit-Limit", strconv.Itoa(r.tightest.Limit))
	r.answer.Set("RateLimit-Remaining", strconv.Itoa(r.tightest.Remaining))
	r.answer.Set("RateLimit-Reset", strconv.Itoa(reset(r.tightest)))
}

// addToList appends an item to a field that is a list.
func addToList(h http.Header, field, item string) {
	if list := h.Get(field); list != "" {
		item = list + ", " + item
	}
	h.Set(field, item)
}
