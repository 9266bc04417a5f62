package web

import (
	"log/slog"
	"net/netip"
	"slices"
	"sync"
	"time"

	"pubquiz/ratelimit"
)

const doubtEvery = time.Minute // between two warnings of the same doubt

// doubts counts the requests whose client's address may be another's, and warns of them.
type doubts struct {
	mu     sync.Mutex
	counts [ratelimit.AllTrusted + 1]uint64
	warnAt [ratelimit.AllTrusted + 1]time.Time
}

// note counts a doubt and reports whether it is time for a warning.
func (d *doubts) note(doubt ratelimit.Doubt, now time.Time) bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.counts[doubt]++
	if now.Before(d.warnAt[doubt]) {
		return false
	}
	d.warnAt[doubt] = now.Add(doubtEvery)
	return true
}

// count is how many requests had a doubt so far.
func (d *doubts) count(doubt ratelimit.Doubt) uint64 {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.counts[doubt]
}

// clientOf finds the client's address.
func (s *Server) clientOf(r *request, peer netip.AddrPort) netip.Addr {
	client, doubt := s.proxies.Client(peer, r.Header)
	if doubt != ratelimit.NoDoubt && s.doubts.note(doubt, time.Now()) {
		s.log.LogAttrs(r.Context(), slog.LevelWarn, "a trusted proxy does not say who the client is: the proxy is taken for it",
			slog.String("doubt", doubt.String()), slog.String("peer", peer.Addr().String()), slog.Uint64("requests", s.doubts.count(doubt)))
	}
	return client
}

const (
	crowdRequests = 200
	crowdWindow   = time.Minute
	crowdPhones   = 3
)

// crowd looks for the sign of a proxy that nobody named: for a while all requests come from one private address, though
// several phones are among them.
type crowd struct {
	mu       sync.Mutex
	found    bool
	client   netip.Addr
	since    time.Time
	requests int
	phones   []int64 // different participants, no more than are needed
}

// note takes in a request, of a participant or 0, and reports whether the sign is there. It does so once.
func (c *crowd) note(client netip.Addr, participant int64, now time.Time) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.found {
		return false
	}
	if client != c.client {
		c.client, c.since, c.requests, c.phones = client, now, 0, c.phones[:0]
	}
	if !client.IsPrivate() && !client.IsLoopback() {
		return false
	}
	c.requests++
	if participant != 0 && len(c.phones) < crowdPhones && !slices.Contains(c.phones, participant) {
		c.phones = append(c.phones, participant)
	}
	c.found = c.requests >= crowdRequests && now.Sub(c.since) >= crowdWindow && len(c.phones) == crowdPhones
	return c.found
}

// lookForProxy warns, once, when all clients seem to be one.
func (s *Server) lookForProxy(r *request) {
	if s.crowd.note(r.client, r.seat.Participant, time.Now()) {
		s.log.LogAttrs(r.Context(), slog.LevelWarn, "several phones have one private address. If a reverse proxy is in front, name it in TRUSTED_PROXIES: "+
			"until then everybody shares one address's limits", slog.String("address", r.client.String()))
	}
}
