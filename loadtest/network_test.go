package loadtest

import (
	"context"
	"net"
	"net/netip"
	"testing"
)

func TestParseTarget(t *testing.T) {
	for raw, want := range map[string]target{
		"http://127.0.0.1:8080":  {"http://127.0.0.1:8080", netip.MustParseAddrPort("127.0.0.1:8080")},
		"http://127.0.0.1:8080/": {"http://127.0.0.1:8080", netip.MustParseAddrPort("127.0.0.1:8080")},
		"http://localhost:8080":  {"http://localhost:8080", netip.MustParseAddrPort("127.0.0.1:8080")},
		"http://127.0.0.5":       {"http://127.0.0.5", netip.MustParseAddrPort("127.0.0.5:80")},
	} {
		if got, err := parseTarget(raw); err != nil || got != want {
			t.Errorf("%s: %v, %v: want %v", raw, got, err, want)
		}
	}
	for _, raw := range []string{
		"", "127.0.0.1:8080", "https://127.0.0.1", "http://quiz.example.org", "http://10.0.0.1:8080", "http://0.0.0.0:8080",
		"http://[::1]:8080", "http://127.0.0.1.example.org", "http://localhost.example.org", "http://127.0.0.1@192.0.2.7",
		"http://[::ffff:192.0.2.7]:80", "http://127.0.0.1:99999",
	} {
		if got, err := parseTarget(raw); err == nil {
			t.Errorf("%s: accepted as %v", raw, got)
		}
	}
}

func TestVenueAddresses(t *testing.T) {
	seen := map[netip.Addr]bool{}
	for n := range maxVenues {
		for _, a := range []netip.Addr{venueAddress(n), elsewhere(n)} {
			if seen[a] || !loopback.Contains(a) || a.As4()[3] == 0 || a.As4()[3] == 255 {
				t.Fatalf("venue %d, or its host, comes from %s", n, a)
			}
			seen[a] = true
		}
	}
}

// What asks for another address reaches the target all the same, from the venue's address.
func TestDialFrom(t *testing.T) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	source := venueAddress(0)
	if err := checkSource(source); err != nil {
		t.Skip(err)
	}
	to := target{address: netip.MustParseAddrPort(l.Addr().String())}
	dialled, err := to.dialFrom(source)(context.Background(), "tcp", "192.0.2.7:443")
	if err != nil {
		t.Fatal(err)
	}
	defer dialled.Close()
	accepted, err := l.Accept()
	if err != nil {
		t.Fatal(err)
	}
	defer accepted.Close()
	if got := accepted.RemoteAddr().(*net.TCPAddr).AddrPort().Addr(); got != source {
		t.Errorf("the server sees %s: want %s", got, source)
	}
}

func TestInTurn(t *testing.T) {
	var accepted [2]chan struct{}
	var targets []target
	for i := range accepted {
		l, err := net.Listen("tcp", "127.0.0.1:0")
		if err != nil {
			t.Fatal(err)
		}
		defer l.Close()
		accepted[i] = make(chan struct{}, 10)
		go func() {
			for {
				c, err := l.Accept()
				if err != nil {
					return
				}
				c.Close()
				accepted[i] <- struct{}{}
			}
		}()
		targets = append(targets, target{address: netip.MustParseAddrPort(l.Addr().String())})
	}
	dial := inTurn(targets)
	for _, want := range []int{0, 1, 0, 1} {
		client := dial(netip.MustParseAddr("127.0.0.1"))
		for range 2 { // a client stays with its server
			c, err := client(t.Context(), "tcp", "")
			if err != nil {
				t.Fatal(err)
			}
			<-accepted[want]
			c.Close()
		}
	}
}
