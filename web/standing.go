package web

import (
	"net/netip"

	"pubquiz/account"
	"pubquiz/session"
)

// standing says what has been verified, without a query, about whoever sends a request. Each standing has an address
// budget of its own, so that no one can use it up from outside: a stranger who hammers silences neither the phones that
// are in, nor those who scan the code, nor the host.
type standing uint8

const (
	stranger standing = iota
	entering          // is on the way into a session whose venue the address is: knows the join code
	invited           // has a rejoin code, which a host gave out for one phone
	seated            // has a participant's or a big screen's token
	signedIn          // has a host's cookie
)

// recognize finds out a request's standing and reads the token that its route asks for. It fails when that token is
// missing or not ours.
func (s *Server) recognize(r *request, rt *route) error {
	ok := true
	switch rt.access {
	case participant:
		r.seat, ok = s.keys.VerifySeat(s.participantToken(r))
		r.standing, r.session = seated, r.seat.Session
		if ok && s.sessions.Gone(r.seat) { // who has been removed may hammer on, but not with the room's budget
			r.standing = stranger
		}
	case screen:
		r.screen, ok = s.keys.VerifyScreen(s.cookieValue(r, screenCookie(r.param("session"))))
		r.standing = seated
		if ok && s.sessions.GoneScreen(r.screen) {
			r.standing = stranger
		}
	case host, driver, owner, operator:
		ok = s.hostToken(r) != ""
		r.standing = signedIn
	default:
		r.standing = s.visitor(r)
		if rt.anySeat {
			r.standing = s.inSomeEvening(r)
		}
	}
	if ok {
		return nil
	}
	r.standing = stranger
	switch {
	case !rt.access.byHost():
		return session.ErrNotParticipant
	case rt.isAPI() && s.hasSeat(r):
		return s.notFound(nil, r) // a phone or a big screen, to which signing in would be no help
	default:
		return account.ErrNotSignedIn
	}
}

// hasSeat tells whether a request that no host sent comes from a phone or a big screen of any session.
func (s *Server) hasSeat(r *request) bool {
	seat, ok := s.keys.VerifySeat(s.participantToken(r))
	return ok && !s.sessions.Gone(seat) || s.inSomeEvening(r) == seated
}

// visitor is the standing of a request for a page that anyone may see. A phone or a big screen that loads its page
// again is known by its token. Whoever has a rejoin code has a way past any crowd. Whoever knows the join code of a
// session whose host is driving it from the same address is on the way in.
func (s *Server) visitor(r *request) standing {
	if id := r.param("session"); id != "" {
		if s.sits(r, s.cookieValue(r, participantCookie(id))) || s.sits(r, s.cookieValue(r, screenCookie(id))) {
			return seated
		}
	}
	if code, ok := session.ParseRejoinCode(r.param("code")); ok && s.sessions.IsRejoinCode(code) {
		return invited
	}
	if code, ok := session.ParseJoinCode(r.param("code")); ok {
		venue, ok := s.sessions.VenueOf(code)
		r.session = venue.Session
		if ok && venue.Network == network(r.client) {
			r.venue = venue
			return entering
		}
	}
	return stranger
}

// sits finds the seat of a phone or a big screen by its token, and reports whether there is one that is somebody's still.
func (s *Server) sits(r *request, token string) bool {
	if seat, ok := s.keys.VerifySeat(token); ok && !s.sessions.Gone(seat) {
		r.seat, r.session = seat, seat.Session
		return true
	}
	if seat, ok := s.keys.VerifyScreen(token); ok && !s.sessions.GoneScreen(seat) {
		r.screen = seat
		return true
	}
	return false
}

// network is what counts as one address: an IPv4 address, or the /64 of an IPv6 address, which one household or venue
// has.
func network(client netip.Addr) netip.Prefix {
	bits := 32
	if client.Is6() {
		bits = 64
	}
	return netip.PrefixFrom(client, bits).Masked()
}
