package session

import (
	"net/netip"
	"slices"
	"time"
)

// Via is how a participant's phone is connected.
type Via string

// The ways in which a phone can be connected.
const (
	ViaSocket Via = "socket"
	ViaPoll   Via = "poll"
	ViaAway   Via = "away"
)

// presence is how one participant is connected to this process.
type presence struct {
	watchers     []*Watcher   // one for each open socket
	pollingUntil time.Time    // unless it polls again
	pollingFrom  netip.Prefix // the network
}

func (p *presence) via(now time.Time) Via {
	switch {
	case p == nil:
		return ViaAway
	case len(p.watchers) > 0:
		return ViaSocket
	case now.Before(p.pollingUntil):
		return ViaPoll
	default:
		return ViaAway
	}
}

// enter registers a watcher; a participant's counts as a connected socket.
func (r *room) enter(w *Watcher) {
	r.mu.Lock()
	among := r.watchersLike(w)
	*among = append(*among, w)
	r.moved = true
	r.mu.Unlock()
	r.live.changed()
}

func (r *room) leave(w *Watcher) {
	r.mu.Lock()
	r.usedAt = time.Now()
	among := r.watchersLike(w)
	*among = slices.DeleteFunc(*among, func(other *Watcher) bool { return other == w })
	r.moved = true
	r.mu.Unlock()
	r.live.changed()
}

// watchersLike are those among which a watcher is kept.
func (r *room) watchersLike(w *Watcher) *[]*Watcher {
	if w.Role == RoleParticipant {
		return &r.presenceOf(w.Seat.Participant).watchers
	}
	return &r.staff
}

func (r *room) sawPoll(participant int64, from netip.Prefix, patience time.Duration) {
	now := time.Now()
	r.mu.Lock()
	p := r.presenceOf(participant)
	was := p.via(now)
	p.pollingUntil, p.pollingFrom = now.Add(patience), from
	r.moved = r.moved || was == ViaAway
	r.mu.Unlock()
	if was == ViaAway {
		r.live.changed()
	}
}

// sawStaffPoll is told that a host or a big screen polls.
func (r *room) sawStaffPoll(patience time.Duration) {
	r.mu.Lock()
	r.staffUntil = time.Now().Add(patience)
	r.mu.Unlock()
}

// PollersAt is how many participants, of whichever session, poll this process from a network, as it was a second ago at the latest.
func (s *Service) PollersAt(network netip.Prefix) int { return (*s.pollers.Load())[network] }

// countPollers counts them for PollersAt.
func (s *Service) countPollers() {
	now, from := time.Now(), map[netip.Prefix]int{}
	for _, r := range s.loadedRooms() {
		r.mu.Lock()
		for _, p := range r.presence {
			if p.via(now) == ViaPoll {
				from[p.pollingFrom]++
			}
		}
		r.mu.Unlock()
	}
	s.pollers.Store(&from)
}

func (r *room) presenceOf(participant int64) *presence {
	p := r.presence[participant]
	if p == nil {
		p = &presence{}
		r.presence[participant] = p
	}
	return p
}

// here is who is connected to this process.
func (r *room) here(now time.Time) map[int64]Via {
	present := make(map[int64]Via, len(r.presence))
	for participant, p := range r.presence {
		if via := p.via(now); via != ViaAway {
			present[participant] = via
		}
	}
	return present
}

// present is who is connected, here or, as far as they say, to other instances. A socket anywhere counts before a poll.
func (r *room) present(now time.Time) map[int64]Via {
	r.mu.Lock()
	defer r.mu.Unlock()
	present := r.here(now)
	if now.After(r.elsewhereUntil) {
		return present
	}
	for participant, via := range r.elsewhere {
		if via == ViaSocket || present[participant] == "" {
			present[participant] = via
		}
	}
	return present
}
