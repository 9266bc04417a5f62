package web

import (
	"context"
	"fmt"
	"log/slog"
	"maps"
	"net/http"
	"net/netip"
	"sync"
	"time"
)

// OperatorHeader is the field of a request for /readyz in which somebody who runs the server proves it (session.Keys.ProveOperator), and so is told a WhoAsks.
const OperatorHeader = "Quizd-Operator"

// WhoAsks is whom the server takes somebody who asks for.
type WhoAsks struct {
	Status string     `json:"status"`
	Client netip.Addr `json:"client"`
	Peer   netip.Addr `json:"peer"`  // who is connected: a proxy, or the client
	Doubt  string     `json:"doubt"` // a ratelimit.Doubt
}

func (s *Server) tellWhoAsks(w http.ResponseWriter, r *request) error {
	peer, err := netip.ParseAddrPort(r.RemoteAddr)
	if err != nil {
		return fmt.Errorf("the peer's address %q: %w", r.RemoteAddr, err)
	}
	client, doubt := s.proxies.Client(peer, r.Header)
	return writeJSON(w, http.StatusOK, WhoAsks{"ready", client, peer.Addr().Unmap(), doubt.String()})
}

// Check is something that must be so for the server to get requests. What its error says is told to whoever asks.
type Check struct {
	Name string
	Ask  func(context.Context) error
}

const (
	readinessAge     = time.Second     // an answer is given again for so long: probes are under no limit, and must not cost a connection each
	readinessTimeout = 2 * time.Second // what takes longer is not ready
)

// readiness asks whether the server should get requests.
type readiness struct {
	checks []Check

	mu      sync.Mutex
	asked   time.Time
	failing map[string]string
}

// now returns the checks that fail, and what each says, as of a second ago at most.
func (r *readiness) now() map[string]string {
	r.mu.Lock()
	defer r.mu.Unlock()
	if time.Since(r.asked) < readinessAge {
		return r.failing
	}
	ctx, cancel := context.WithTimeout(context.Background(), readinessTimeout)
	defer cancel()
	failing := map[string]string{}
	for _, check := range r.checks {
		if err := check.Ask(ctx); err != nil {
			failing[check.Name] = err.Error()
		}
	}
	if !maps.Equal(failing, r.failing) {
		slog.Warn("whether the server is ready has changed", "failing", failing)
	}
	r.failing, r.asked = failing, time.Now()
	return failing
}

// failing returns what keeps the server from getting requests, and what there is to say of each.
func (s *Server) failing() map[string]string {
	if s.sockets.draining() {
		return map[string]string{"draining": "the server is stopping"} // whatever else may be
	}
	return s.readiness.now()
}

// ready tells whether the server should get requests, and why not.
func (s *Server) ready(w http.ResponseWriter, r *request) error {
	w.Header().Set("Cache-Control", "no-store")
	told := struct {
		Status  string            `json:"status"`
		Failing map[string]string `json:"failing,omitempty"`
	}{"ready", s.failing()}
	switch {
	case len(told.Failing) > 0:
		told.Status = "not ready"
		return writeJSON(w, http.StatusServiceUnavailable, told)
	case s.keys.IsOperator(r.Header.Get(OperatorHeader), s.now()):
		return s.tellWhoAsks(w, r)
	default:
		return writeJSON(w, http.StatusOK, told)
	}
}
