// Package loadtest plays evenings in simulated venues against a running server: in each venue a host drives a quiz,
// a big screen watches, and a room full of phones scans, joins, answers and reads every reveal. It is a black box: it
// knows the server only by docs/protocol.md, over HTTP and WebSocket, and it only ever talks to this machine.
package loadtest

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/netip"
	"net/url"
	"time"
)

// Plan says what to play.
type Plan struct {
	URL       string        // the server's address as its base URL has it; on this machine
	Venues    int           // each has a source address of its own
	Phones    int           // in each venue
	Arrive    time.Duration // all phones of a venue scan within this time
	Questions int           // in each venue's quiz
	Seconds   int           // each question stays open
	CutSocket float64       // the share of phones that lose their socket halfway through the quiz, for good
	Capacity  int           // of each session; 0: as it is by default, or as many as there are phones
	Bots      int           // hostile clients in each venue, at its address
	BotCode   bool          // they know the join code
	Elsewhere bool          // the host drives from another address than the venue's
	Seed      uint64        // the same seed gives the same arrivals, answers and cuts
	Email     string        // of the host; empty: every venue's host signs up
	Password  string
}

// The most that a run may ask for: a load test is bounded in count and time.
const (
	maxVenues    = 250
	maxPhones    = 1000 // the capacity of a session
	maxAllPhones = 20000
	maxArrive    = 30 * time.Minute
	maxQuestions = 100
	maxBots      = 200
)

// Check reports what is wrong with the plan, in words for whoever wrote it.
func (p Plan) Check() error {
	if _, err := parseTarget(p.URL); err != nil {
		return err
	}
	switch {
	case p.Venues < 1 || p.Venues > maxVenues:
		return fmt.Errorf("there must be 1 to %d venues, not %d", maxVenues, p.Venues)
	case p.Phones < 1 || p.Phones > maxPhones:
		return fmt.Errorf("a venue must have 1 to %d phones, not %d", maxPhones, p.Phones)
	case p.Venues*p.Phones > maxAllPhones:
		return fmt.Errorf("%d phones in all are more than %d", p.Venues*p.Phones, maxAllPhones)
	case p.Arrive < 0 || p.Arrive > maxArrive:
		return fmt.Errorf("phones must arrive within 0s to %s, not %s", maxArrive, p.Arrive)
	case p.Questions < 1 || p.Questions > maxQuestions:
		return fmt.Errorf("a quiz must have 1 to %d questions, not %d", maxQuestions, p.Questions)
	case p.Seconds < 5 || p.Seconds > 600:
		return fmt.Errorf("a question must stay open for 5 to 600 seconds, not %d", p.Seconds)
	case p.CutSocket < 0 || p.CutSocket > 1:
		return fmt.Errorf("the share of sockets to cut must be between 0 and 1, not %g", p.CutSocket)
	case p.Capacity < 0 || p.Capacity > maxPhones:
		return fmt.Errorf("a session has room for 1 to %d phones, not %d", maxPhones, p.Capacity)
	case p.Bots < 0 || p.Bots > maxBots:
		return fmt.Errorf("a venue may have 0 to %d bots, not %d", maxBots, p.Bots)
	case p.BotCode && p.Bots == 0:
		return errors.New("there are no bots who could know the join code")
	case (p.Email == "") != (p.Password == ""):
		return errors.New("a host's e-mail and password belong together")
	case p.Email != "" && p.Venues > 1:
		return errors.New("one account is one host in one venue: several venues sign up hosts of their own")
	}
	return nil
}

// patience is how long a phone keeps trying to get in before it counts as kept out.
const patience = 5 * time.Minute

// longest bounds a whole run, whatever the server does.
func (p Plan) longest() time.Duration {
	question := time.Duration(p.Seconds)*time.Second + 90*time.Second // the host's pauses, and waits when limited
	return p.Arrive + patience + time.Duration(p.Questions)*question + 2*time.Minute
}

// target is the server under test.
type target struct {
	origin  string // what a browser sends as Origin
	address netip.AddrPort
}

var loopback = netip.MustParsePrefix("127.0.0.0/8")

// parseTarget accepts this machine's IPv4 loopback only: that is where venues can have addresses of their own, and
// nobody else's server can be hit by mistake.
func parseTarget(raw string) (target, error) {
	u, err := url.Parse(raw)
	if err != nil || u.Scheme != "http" || u.Host == "" {
		return target{}, fmt.Errorf("the server's address must look like http://127.0.0.1:8080, not %q", raw)
	}
	host, port := u.Hostname(), u.Port()
	if host == "localhost" {
		host = "127.0.0.1"
	}
	if port == "" {
		port = "80"
	}
	address, err := netip.ParseAddrPort(net.JoinHostPort(host, port))
	if err != nil || !loopback.Contains(address.Addr()) {
		return target{}, fmt.Errorf("the load test only plays against this machine, as http://127.0.0.1:8080, not against %q", raw)
	}
	return target{origin: u.Scheme + "://" + u.Host, address: address}, nil
}

// venueAddress is the source address of a venue, counted from 0. Servers listen on 127.0.0.x, venues come from above.
func venueAddress(venue int) netip.Addr {
	return netip.AddrFrom4([4]byte{127, 0, byte(1 + venue/200), byte(1 + venue%200)})
}

// elsewhere is the source address of a host who is not at the venue.
func elsewhere(venue int) netip.Addr {
	return netip.AddrFrom4([4]byte{127, 1, byte(1 + venue/200), byte(1 + venue%200)})
}

type dialFunc func(ctx context.Context, network, address string) (net.Conn, error)

// network says how clients, counted from 0, reach the server from a source address.
type network func(source netip.Addr) dialFunc

// dialFrom connects to the target and to nothing else, whatever address is asked for, from the source address.
func (t target) dialFrom(source netip.Addr) dialFunc {
	dialer := &net.Dialer{LocalAddr: net.TCPAddrFromAddrPort(netip.AddrPortFrom(source, 0))}
	return func(ctx context.Context, _, _ string) (net.Conn, error) {
		return dialer.DialContext(ctx, "tcp", t.address.String())
	}
}

// checkSource reports whether this machine lets a venue come from its address: Linux has the whole block, others only
// 127.0.0.1 until an alias is added.
func checkSource(source netip.Addr) error {
	l, err := net.Listen("tcp", netip.AddrPortFrom(source, 0).String())
	if err != nil {
		return fmt.Errorf("a venue needs the source address %s, which this machine does not have: %w", source, err)
	}
	return l.Close()
}
