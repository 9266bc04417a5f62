package freeport

import (
	"net"
	"strconv"
	"testing"
)

// TestReservedPorts: nobody who asks for any port is given one that is reserved, for a connection, a server, or by Reserve; and whoever asks for it by its number can listen
// there, on one address or all, again and again.
func TestReservedPorts(t *testing.T) {
	// Of some 28,000 ports, Linux gives one half to connections first and the other to those who listen, and few processes may open more than a thousand files. Were ports
	// not kept, about six would be reserved twice, and about three given to somebody who listens.
	const reservations, others = 400, 100
	reserved := map[string]bool{}
	for range reservations {
		port, err := Reserve()
		if err != nil {
			t.Fatal(err)
		}
		if reserved[port] {
			t.Fatalf("%s is reserved twice", port)
		}
		reserved[port] = true
	}
	busy := listen(t, "127.0.0.1:0")
	for range others {
		conn, err := net.Dial("tcp", busy.Addr().String())
		if err != nil {
			t.Fatal(err)
		}
		defer conn.Close()
		accepted, err := busy.Accept()
		if err != nil {
			t.Fatal(err)
		}
		defer accepted.Close()
		server := listen(t, ":0")
		server.Close()
		for _, given := range []net.Addr{conn.LocalAddr(), server.Addr()} {
			if port := strconv.Itoa(given.(*net.TCPAddr).Port); reserved[port] {
				t.Errorf("%s is reserved, and was given away", port)
			}
		}
	}
	for port := range reserved {
		if conn, err := net.Dial("tcp", "127.0.0.1:"+port); err == nil {
			conn.Close()
			t.Errorf("somebody listens on %s", port)
		}
		for _, address := range []string{"127.0.0.1:", "127.0.0.1:", ":", "localhost:"} {
			listen(t, address+port).Close()
		}
	}
}

func listen(t *testing.T, address string) net.Listener {
	t.Helper()
	l, err := net.Listen("tcp", address)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { l.Close() })
	return l
}
