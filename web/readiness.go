package web

import (
	"context"
	"sync"
	"time"
)

const (
	readinessAge     = time.Second     // an answer is given again for so long: probes are under no limit, and must not cost a connection each
	readinessTimeout = 2 * time.Second // what takes longer is not ready
)

// readiness asks whether the server should get requests.
type readiness struct {
	check func(context.Context) error

	mu    sync.Mutex
	asked time.Time
	err   error
}

// now returns why the server should get no requests, if it should not, as of a second ago at most.
func (r *readiness) now() error {
	r.mu.Lock()
	defer r.mu.Unlock()
	if time.Since(r.asked) < readinessAge {
		return r.err
	}
	ctx, cancel := context.WithTimeout(context.Background(), readinessTimeout)
	defer cancel()
	r.err = r.check(ctx)
	r.asked = time.Now()
	return r.err
}
