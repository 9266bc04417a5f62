package web

import (
	"net/http"
	"strconv"

	"pubquiz/ratelimit"
)

// chargeGlobal charges a request to its address. Requests with a verified token have a budget of their own, so that a stranger who hammers
// cannot silence the phones that are in.
func (s *Server) chargeGlobal(r *request, rt *route) (ratelimit.Decision, error) {
	key := ratelimit.AddressKey(r.client)
	if rt.access == participant || rt.access == screen {
		key = ratelimit.SeatedKey(r.client)
	}
	return s.charge(r, ratelimit.Global.For(key))
}

// chargeOwn charges a request to the route's own limit. The kind of key is the table's; what it is made of has been verified.
func (s *Server) chargeOwn(r *request, rt *route) (ratelimit.Decision, error) {
	var key ratelimit.Key
	switch rt.limit.Key {
	case ratelimit.ByAddress:
		key = ratelimit.AddressKey(r.client)
	case ratelimit.ByUser:
		key = ratelimit.UserKey(int64(r.user.ID))
	case ratelimit.ByParticipant:
		key = holderKey(r, rt)
	}
	return s.charge(r, rt.limit.For(key))
}

// holderKey is who polls, answers or opens a socket: a participant, or a role in a session.
func holderKey(r *request, rt *route) ratelimit.Key {
	switch rt.access {
	case participant:
		return ratelimit.ParticipantKey(r.seat.Participant)
	case screen:
		return ratelimit.ScreenKey(int64(r.screen.Session))
	default:
		return ratelimit.HostKey(int64(r.owned.Seat.Session), int64(r.user.ID))
	}
}

// charge asks the limiters, remembers that they let the request pass, and turns a refusal into the error that tells the client.
func (s *Server) charge(r *request, checks ...ratelimit.Check) (ratelimit.Decision, error) {
	d, err := s.limiters.Allow(r.Context(), checks...)
	switch {
	case err != nil:
		return d, err
	case !d.Allowed:
		return d, refusal(d)
	}
	r.decided = append(r.decided, d.Name)
	return d, nil
}

// tellLimit writes the budget's headers, which clients may pace themselves by.
func tellLimit(h http.Header, d ratelimit.Decision) {
	h.Set("RateLimit-Limit", strconv.Itoa(d.Limit))
	h.Set("RateLimit-Remaining", strconv.Itoa(d.Remaining))
	h.Set("RateLimit-Reset", strconv.Itoa(ratelimit.Seconds(max(d.Reset, d.RetryAfter))))
}

// refusal is what a client is told when a limit refused it.
func refusal(d ratelimit.Decision) *problem {
	wait := ratelimit.Seconds(d.RetryAfter)
	if d.Unavailable {
		return &problem{Status: http.StatusServiceUnavailable, Slug: "busy", Title: "Busy", RetryAfter: wait,
			Detail: "The server cannot check this at the moment. Try again shortly."}
	}
	return &problem{
		Status: http.StatusTooManyRequests, Slug: "quota-exceeded", Title: "A moment, please", RetryAfter: wait, Limiter: string(d.Name),
		Detail: "Many requests are coming from here at once. It goes on in " + strconv.Itoa(wait) + " s.",
	}
}
