package ratelimit

import (
	"net/netip"
	"sync"
	"sync/atomic"
)

// Sole notices when all requests come from one private address. That is what it looks like when a proxy stands in front that is
// not among the trusted ones: then everyone shares one budget. The zero Sole is ready for use.
type Sole struct {
	settled atomic.Bool
	mu      sync.Mutex
	addr    netip.Addr
	count   int
}

// soleRequests is how many requests make a suspicion.
const soleRequests = 1000

// Note takes the client's address of one request. It says true once, at the thousandth request, if all came from one private address.
func (s *Sole) Note(client netip.Addr) (suspicious bool) {
	if s.settled.Load() {
		return false
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.count == 0 {
		s.addr = client
	}
	s.count++
	if client != s.addr || !client.IsPrivate() || s.count > soleRequests {
		s.settled.Store(true)
		return false
	}
	return s.count == soleRequests
}
