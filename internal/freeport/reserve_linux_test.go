package freeport

import (
	"net"
	"strconv"
	"testing"
)

// TestReservedPorts: nobody who asks for any port is given one that is reserved, for a connection, a server, or by Reserve; and whoever asks for it by its number can listen
// there, on one address or all, again and again.
func TestReservedPorts(t *testing.T) {
	const many = 500 // of each, of some 28,000 ports: were they not kept, about nine would be given away
	reserved := map[string]bool{}
	for range many {
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
	for range many {
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
		for _, given := range []net.Addr{conn.LocalAddr(), listen(t, ":0").Addr()} {
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
