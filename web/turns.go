package web

import (
	"context"
	"fmt"
	"net/http"
	"sync"

	"pubquiz/account"
)

// turnsOfOne is how many requests of one host are worked on at a time. Whatever a host asks for may read a whole evening, and their limits let them ask for hundreds at
// once: without waiting for each other, those would take every connection to the database, and the memory for hundreds of evenings, from everybody.
const turnsOfOne = 4

// turns has the requests of each host wait for each other.
type turns struct {
	mu sync.Mutex
	of map[account.UserID]*turn
}

type turn struct {
	taken chan struct{}
	users int // who have one, or wait for one
}

// take waits for the host's turn, which is over when end is called.
func (t *turns) take(ctx context.Context, host account.UserID) (end func(), err error) {
	t.mu.Lock()
	if t.of == nil {
		t.of = map[account.UserID]*turn{}
	}
	own := t.of[host]
	if own == nil {
		own = &turn{taken: make(chan struct{}, turnsOfOne)}
		t.of[host] = own
	}
	own.users++
	t.mu.Unlock()
	leave := func() {
		t.mu.Lock()
		defer t.mu.Unlock()
		if own.users--; own.users == 0 {
			delete(t.of, host)
		}
	}
	select {
	case own.taken <- struct{}{}:
		return func() { <-own.taken; leave() }, nil
	case <-ctx.Done():
		leave()
		return nil, fmt.Errorf("waiting for the host's other requests: %w", ctx.Err())
	}
}

// handle answers a request that has been admitted; a host's when it is its turn. What may take as long as its connection has bounds of its own (transfers).
func (s *Server) handle(w http.ResponseWriter, r *request, rt *route) error {
	if rt.access.byHost() && !rt.long {
		end, err := s.turns.take(r.Context(), r.user.ID)
		if err != nil {
			return err
		}
		defer end()
	}
	return rt.handle(w, r)
}
