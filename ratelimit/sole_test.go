package ratelimit

import (
	"net/netip"
	"testing"
)

func TestSole(t *testing.T) {
	for _, test := range []struct {
		name    string
		clients []string
		want    int
	}{
		{"one private address", []string{"172.17.0.1"}, 1},
		{"one private IPv6 address", []string{"fd00::1"}, 1},
		{"several private addresses", []string{"192.168.0.2", "192.168.0.3"}, 0},
		{"one public address", []string{"203.0.113.9"}, 0},
		{"this machine", []string{"127.0.0.1"}, 0},
	} {
		t.Run(test.name, func(t *testing.T) {
			var sole Sole
			warnings := 0
			for n := range 3 * soleRequests {
				if sole.Note(netip.MustParseAddr(test.clients[n%len(test.clients)])) {
					warnings++
				}
			}
			if warnings != test.want {
				t.Errorf("%d warnings, want %d", warnings, test.want)
			}
		})
	}
}
