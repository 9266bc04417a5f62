package web

import (
	"net/http"
	"sync"

	"pubquiz/account"
	"pubquiz/internal/words"
)

// Large bodies are held in memory while they come in or go out, which may take minutes. That must not be what an evening's server runs out of.
const (
	transfersOfOne = 4  // at a time, of one host: pages send one after another, and a host may have several open
	transfersOfAll = 64 // a few hundred megabytes
)

// transfers are the large bodies of one kind that are on their way.
type transfers struct {
	mu  sync.Mutex
	all int
	of  map[account.UserID]int
}

var errTransfers = &problem{Status: http.StatusServiceUnavailable, Slug: "busy", Title: words.T("Busy"), RetryAfter: 5,
	Detail: words.T("Several are on their way already. Wait until they have arrived, and try again.")}

// begin lets one more of the host's be on its way, until end is called, or refuses it.
func (t *transfers) begin(host account.UserID) (end func(), err error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.all >= transfersOfAll || t.of[host] >= transfersOfOne {
		return nil, errTransfers
	}
	if t.of == nil {
		t.of = map[account.UserID]int{}
	}
	t.all++
	t.of[host]++
	return func() {
		t.mu.Lock()
		defer t.mu.Unlock()
		t.all--
		if t.of[host]--; t.of[host] == 0 {
			delete(t.of, host)
		}
	}, nil
}
