package loadtest

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/netip"
	"net/url"
	"sync/atomic"
)

// target is a server under test.
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

// parseTargets reads the addresses of all instances.
func parseTargets(raw []string) ([]target, error) {
	if len(raw) == 0 {
		return nil, errors.New("there is no server to play against")
	}
	var targets []target
	for _, r := range raw {
		t, err := parseTarget(r)
		if err != nil {
			return nil, err
		}
		targets = append(targets, t)
	}
	return targets, nil
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

// network is how a client reaches one of the servers from a source address. Every call is another client.
type network func(source netip.Addr) dialFunc

// inTurn spreads the clients over the servers.
func inTurn(targets []target) network {
	var clients atomic.Uint64
	return func(source netip.Addr) dialFunc {
		return targets[(clients.Add(1)-1)%uint64(len(targets))].dialFrom(source)
	}
}

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
