package web

import (
	"cmp"
	"context"
	"encoding/json"
	"slices"
	"sync"
	"time"

	"pubquiz/ratelimit"
	"pubquiz/session"
)

// roomPart tells a host how the room stands with its budgets, and whom they refused: the host sees the people, and can
// tell them or act.
type roomPart struct {
	Joins    *budgetUse    `json:"joins,omitempty"`    // at the venue, while there is one
	Requests *budgetUse    `json:"requests,omitempty"` // of the phones that are in
	Refused  []refusedPart `json:"refused"`            // in the last minutes, the latest first
}

// budgetUse is how much of a budget was used in the last so many seconds.
type budgetUse struct {
	Used    int `json:"used"`
	Of      int `json:"of"`
	Seconds int `json:"seconds"`
}

type refusedPart struct {
	Limiter     ratelimit.Name `json:"limiter"`
	Participant string         `json:"participant,omitempty"` // absent: phones that are not in yet
	Name        string         `json:"name,omitempty"`
	Count       int            `json:"count"`
	At          int64          `json:"at"` // the latest
}

const (
	refusalsKept = 5 * time.Minute
	refusalsHeld = 100 // different ones in a session; beyond it the oldest go
)

// roomRefusals remembers, for each session, whom a limit refused. Only requests whose session is known for certain are
// in it.
type roomRefusals struct {
	mu        sync.Mutex
	bySession map[session.ID][]refusedOne
}

// refusedOne is what one limit did to one participant, or (0) to phones on the way in.
type refusedOne struct {
	limiter     ratelimit.Name
	participant int64
	count       int
	at          time.Time
}

func (r *roomRefusals) note(id session.ID, participant int64, limiter ratelimit.Name, now time.Time) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.bySession == nil {
		r.bySession = map[session.ID][]refusedOne{}
	}
	list, known := r.bySession[id]
	if !known {
		r.forget(now)
	}
	at := slices.IndexFunc(list, func(o refusedOne) bool { return o.limiter == limiter && o.participant == participant })
	if at < 0 {
		if len(list) == refusalsHeld {
			list = slices.Delete(list, 0, 1)
		}
		list = append(list, refusedOne{limiter: limiter, participant: participant})
		at = len(list) - 1
	}
	list[at].count++
	list[at].at = now
	r.bySession[id] = list
}

// of lists a session's refusals of the last minutes, the latest first.
func (r *roomRefusals) of(id session.ID, now time.Time) []refusedOne {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.forget(now)
	list := slices.Clone(r.bySession[id])
	slices.SortFunc(list, func(a, b refusedOne) int {
		return cmp.Or(b.at.Compare(a.at), cmp.Compare(a.participant, b.participant))
	})
	return list
}

// forget forgets what is older, of all sessions. Where no host looks, it is done when the next session has a refusal.
func (r *roomRefusals) forget(now time.Time) {
	for id, list := range r.bySession {
		list = slices.DeleteFunc(list, func(o refusedOne) bool { return now.Sub(o.at) > refusalsKept })
		r.bySession[id] = list
		if len(list) == 0 {
			delete(r.bySession, id)
		}
	}
}

// room describes the room of a host's session.
func (s *Server) room(ctx context.Context, host session.Viewer) ([]byte, error) {
	part := roomPart{Refused: []refusedPart{}}
	if venue, ok := s.sessions.VenueOf(host.JoinCode()); ok {
		address := venue.Network.Addr()
		var err error
		if part.Joins, err = s.use(ctx, ratelimit.JoinSession, ratelimit.VenueKey(address), venue.Capacity); err != nil {
			return nil, err
		}
		if part.Requests, err = s.use(ctx, ratelimit.Global, ratelimit.SeatedKey(address), globalPerSeat*venue.Capacity); err != nil {
			return nil, err
		}
	}
	for _, one := range s.refusals.of(host.Seat.Session, time.Now()) {
		refused := refusedPart{Limiter: one.limiter, Count: one.count, At: one.at.UnixMilli()}
		if one.participant != 0 {
			refused.Participant, refused.Name = host.NameOf(one.participant)
		}
		part.Refused = append(part.Refused, refused)
	}
	return json.Marshal(part)
}

func (s *Server) use(ctx context.Context, limit ratelimit.Limit, key ratelimit.Key, seats int) (*budgetUse, error) {
	d, err := s.limiters.Peek(ctx, limit.For(key).AtLeast(seats))
	if err != nil {
		return nil, err
	}
	return &budgetUse{Used: d.Limit - d.Remaining, Of: d.Limit, Seconds: int(s.limits[limit.Name].Window / time.Second)}, nil
}
