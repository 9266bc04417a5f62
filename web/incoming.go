package web

import (
	"net/http"
	"sync"

	"pubquiz/account"
)

// Large bodies are held in memory while they come in, which may take minutes. That must not be what an evening's server runs out of.
const (
	incomingOfOne = 4  // at a time, of one host: pages send one after another, and a host may have several open
	incomingOfAll = 64 // a few hundred megabytes
)

// incoming are the large bodies of one kind on their way in.
type incoming struct {
	mu  sync.Mutex
	all int
	of  map[account.UserID]int
}

var errIncoming = &problem{Status: http.StatusServiceUnavailable, Slug: "busy", Title: "Busy", RetryAfter: 5,
	Detail: "Several are on their way in already. Wait until they have arrived, and try again."}

// begin lets one more of the host's in, until end is called, or refuses it.
func (i *incoming) begin(host account.UserID) (end func(), err error) {
	i.mu.Lock()
	defer i.mu.Unlock()
	if i.all >= incomingOfAll || i.of[host] >= incomingOfOne {
		return nil, errIncoming
	}
	if i.of == nil {
		i.of = map[account.UserID]int{}
	}
	i.all++
	i.of[host]++
	return func() {
		i.mu.Lock()
		defer i.mu.Unlock()
		i.all--
		if i.of[host]--; i.of[host] == 0 {
			delete(i.of, host)
		}
	}, nil
}
