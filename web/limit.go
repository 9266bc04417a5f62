package web

import (
	"net/http"
	"time"

	"pubquiz/internal/words"
	"pubquiz/ratelimit"
	"pubquiz/session"
)

// globalPerSeat is how many requests a minute a phone may need: it polls six times, and everything else it does is less
// than that again.
const globalPerSeat = 12

// addressKey is what limits by address are charged to, and how many seats the room behind the address has, where a
// budget is to be the room's.
func (s *Server) addressKey(r *request) (key ratelimit.Key, seats int) {
	switch r.standing {
	case entering:
		return ratelimit.VenueKey(r.client), r.venue.Capacity
	case invited:
		return ratelimit.InvitedKey(r.client), 0
	case seated:
		return ratelimit.SeatedKey(r.client), s.sessions.VenueAt(network(r.client)).Capacity
	case signedIn:
		return ratelimit.SignedInKey(r.client), 0
	default:
		return ratelimit.AddressKey(r.client), 0
	}
}

// chargeGlobal charges a request to its address, unless it is within a share.
func (s *Server) chargeGlobal(r *request) error {
	if within, err := s.withinShare(r); within || err != nil {
		return err
	}
	key, seats := s.addressKey(r)
	return s.charge(r, ratelimit.Global.For(key).AtLeast(globalPerSeat*seats))
}

// withinShare charges a request to the share that each phone and the big screen have at their session's venue, and each host
// at any, and reports whether it was within that. Nobody else is charged then, so that whoever has many seats there, or an
// account, and hammers with it, uses up only what is above everybody's share.
func (s *Server) withinShare(r *request) (bool, error) {
	if r.standing != seated && r.standing != signedIn {
		return false, nil
	}
	venue := s.sessions.VenueAt(network(r.client)).Session
	var key ratelimit.Key
	switch {
	case venue == 0:
		return false, nil
	case r.standing == signedIn:
		key = ratelimit.SignInKey(s.hostToken(r))
	case r.seat.Session == venue:
		key = phoneKey(r.seat)
	case r.screen.Session == venue:
		key = screenKey(r.screen)
	default:
		return false, nil
	}
	d, err := s.limiters.Allow(r.Context(), ratelimit.SeatShare.For(key))
	return d.Allowed, err
}

// chargeOwn charges a request to the route's own limit, if it has one that does not depend on the body. The kind of key
// is the table's; what the key is made of has been verified. Where a route is for anyone and a seat makes a difference, the limit
// is the seat's own: one by address would let one phone use up what the room has.
func (s *Server) chargeOwn(r *request, rt *route) error {
	switch {
	case r.standing == seated && rt.access == anyone:
		return s.charge(r, ratelimit.SeatLoad.For(seatKey(r)))
	case rt.limit.Name == "" || rt.inBody:
		return nil
	case rt.limit.Key == ratelimit.ByUser:
		return s.charge(r, rt.limit.For(ratelimit.UserKey(int64(r.user.ID))))
	case rt.limit.Key == ratelimit.ByParticipant:
		return s.charge(r, rt.limit.For(holderKey(r, rt)))
	default:
		key, seats := s.addressKey(r)
		return s.charge(r, rt.limit.For(key).AtLeast(seats))
	}
}

// holderKey is who polls, answers or opens a socket: a participant, or a role in a session.
func holderKey(r *request, rt *route) ratelimit.Key {
	switch rt.access {
	case participant, screen:
		return seatKey(r)
	default:
		return ratelimit.HostKey(int64(r.driven.Seat.Session), int64(r.user.ID))
	}
}

// seatKey is the phone or the big screen whose token a request has.
func seatKey(r *request) ratelimit.Key {
	if r.seat.Session != 0 {
		return phoneKey(r.seat)
	}
	return screenKey(r.screen)
}

func phoneKey(seat session.Seat) ratelimit.Key {
	return ratelimit.PhoneKey(seat.Participant, seat.Generation, seat.Member)
}

func screenKey(seat session.ScreenSeat) ratelimit.Key {
	return ratelimit.ScreenKey(int64(seat.Session), seat.Generation)
}

// charge asks a limiter. It remembers those that let the request pass, tells the client the budgets, and turns a
// refusal into the error that explains it.
func (s *Server) charge(r *request, check ratelimit.Check) error {
	d, err := s.limiters.Allow(r.Context(), check)
	if err != nil {
		return err
	}
	s.tellLimit(r, d)
	if !d.Allowed {
		if r.session != 0 {
			s.refusals.note(r.session, r.seat.Participant, d.Name, time.Now())
		}
		return refusal(d)
	}
	r.decided = append(r.decided, d.Name)
	return nil
}

// crowded explains a refusal. How long it lasts is told beside it.
var crowded = words.T("Many requests are coming from here at once.")

// refusal is what a client is told when a limit refused it.
func refusal(d ratelimit.Decision) *problem {
	wait := ratelimit.Seconds(d.RetryAfter)
	if d.Unavailable {
		return &problem{Status: http.StatusServiceUnavailable, Slug: "busy", Title: words.T("Busy"), RetryAfter: wait,
			Detail: words.T("The server cannot check this at the moment. Try again shortly.")}
	}
	return &problem{
		Status: http.StatusTooManyRequests, Slug: "quota-exceeded", Title: words.T("A moment, please"), RetryAfter: wait, Limiter: string(d.Name),
		Detail: crowded,
	}
}
