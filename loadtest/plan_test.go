package loadtest

import (
	"context"
	"net"
	"net/netip"
	"testing"
	"time"
)

func TestPlanCheck(t *testing.T) {
	fine := Plan{URLs: []string{"http://127.0.0.1:8080"}, Venues: 1, Phones: 100, Arrival: Spread, Arrive: 90 * time.Second, Questions: 5, Seconds: 20}
	if err := fine.Check(); err != nil {
		t.Fatal(err)
	}
	for name, change := range map[string]func(*Plan){
		"no venue":              func(p *Plan) { p.Venues = 0 },
		"too many venues":       func(p *Plan) { p.Venues = 251 },
		"no phone":              func(p *Plan) { p.Phones = 0 },
		"more than a session":   func(p *Plan) { p.Phones = 1001 },
		"too many phones":       func(p *Plan) { p.Venues, p.Phones = 100, 1000 },
		"arriving before":       func(p *Plan) { p.Arrive = -time.Second },
		"arriving for ever":     func(p *Plan) { p.Arrive = time.Hour },
		"no question":           func(p *Plan) { p.Questions = 0 },
		"a blink":               func(p *Plan) { p.Seconds = 1 },
		"share above one":       func(p *Plan) { p.CutSocket = 1.5 },
		"no server":             func(p *Plan) { p.URLs = nil },
		"too small a room":      func(p *Plan) { p.Capacity = -1 },
		"too many bots":         func(p *Plan) { p.Bots = 201 },
		"nobody's code":         func(p *Plan) { p.BotCode = true },
		"an unknown arrival":    func(p *Plan) { p.Arrival = "fashionably late" },
		"no WiFi for hours":     func(p *Plan) { p.DropWiFi = time.Hour },
		"less than no phone":    func(p *Plan) { p.Stalled = -0.1 },
		"e-mail alone":          func(p *Plan) { p.Email = "host@example.org" },
		"one host, many venues": func(p *Plan) { p.Email, p.Password, p.Venues = "host@example.org", "long enough", 2 },
		"another machine":       func(p *Plan) { p.URLs = []string{"http://127.0.0.1:8080", "http://192.0.2.7:8080"} },
	} {
		p := fine
		change(&p)
		if p.Check() == nil {
			t.Errorf("%s: accepted", name)
		}
	}
}

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
		a := venueAddress(n)
		if seen[a] || !loopback.Contains(a) || a.As4()[3] == 0 || a.As4()[3] == 255 {
			t.Fatalf("venue %d comes from %s", n, a)
		}
		seen[a] = true
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
