package web

import (
	"io"
	"net/http"
	"sync"

	"pubquiz/account"
	"pubquiz/internal/words"
)

// Large bodies are held in memory while they come in or go out, which may take minutes. That must not be what an evening's server runs out of.
const (
	transfersOfOne = 4  // at a time, of one host: pages send one after another, and a host may have several open
	transfersOfAll = 64 // a few hundred megabytes

	// arrivesFree is how much of a body arrives before it counts among those of all: a quiz's usual size. Somebody with many accounts who sends a byte now and then
	// would have all places otherwise, and nobody could save.
	arrivesFree = 64 << 10
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
	one, err := t.beginUncounted(host)
	if err != nil {
		return nil, err
	}
	if err := one.count(); err != nil {
		one.end()
		return nil, err
	}
	return one.end, nil
}

// receive lets a request's body be on its way, as begin does, but that it counts among those of all only once so much of it has come: then reading it may fail with
// errTransfers.
func (t *transfers) receive(r *request) (end func(), err error) {
	one, err := t.beginUncounted(r.user.ID)
	if err != nil {
		return nil, err
	}
	r.Body = &arriving{ReadCloser: r.Body, transfer: one, free: arrivesFree}
	return one.end, nil
}

// transfer is one that is on its way.
type transfer struct {
	among   *transfers
	host    account.UserID
	counted bool // among those of all
}

func (t *transfers) beginUncounted(host account.UserID) (*transfer, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.of[host] >= transfersOfOne {
		return nil, errTransfers
	}
	if t.of == nil {
		t.of = map[account.UserID]int{}
	}
	t.of[host]++
	return &transfer{among: t, host: host}, nil
}

// count counts it among those of all, or refuses that.
func (one *transfer) count() error {
	t := one.among
	t.mu.Lock()
	defer t.mu.Unlock()
	switch {
	case one.counted:
		return nil
	case t.all >= transfersOfAll:
		return errTransfers
	}
	t.all++
	one.counted = true
	return nil
}

func (one *transfer) end() {
	t := one.among
	t.mu.Lock()
	defer t.mu.Unlock()
	if one.counted {
		t.all--
	}
	if t.of[one.host]--; t.of[one.host] == 0 {
		delete(t.of, one.host)
	}
}

// arriving is the body of a transfer.
type arriving struct {
	io.ReadCloser
	*transfer
	free int // what may still come before it counts
}

func (a *arriving) Read(p []byte) (int, error) {
	if a.free == 0 {
		if err := a.count(); err != nil {
			return 0, err
		}
		return a.ReadCloser.Read(p)
	}
	n, err := a.ReadCloser.Read(p[:min(len(p), a.free)])
	a.free -= n
	return n, err
}
