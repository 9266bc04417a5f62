package main

import (
	"net/netip"
	"testing"
)

func TestMostReachable(t *testing.T) {
	tests := map[string]struct {
		candidates []string
		want       string // empty: none
	}{
		"nothing":                  {nil, ""},
		"a home network":           {[]string{"192.168.1.20"}, "192.168.1.20"},
		"private before public":    {[]string{"203.0.113.7", "10.1.2.3"}, "10.1.2.3"},
		"public if nothing else":   {[]string{"fe80::1", "203.0.113.7"}, "203.0.113.7"},
		"no link-local addresses":  {[]string{"169.254.10.1", "fe80::1"}, ""},
		"no IPv6 in a spoken code": {[]string{"2001:db8::1"}, ""},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			var candidates []netip.Addr
			for _, text := range test.candidates {
				candidates = append(candidates, netip.MustParseAddr(text))
			}
			var want netip.Addr
			if test.want != "" {
				want = netip.MustParseAddr(test.want)
			}
			if got := mostReachable(candidates); got != want {
				t.Errorf("%v, want %v", got, want)
			}
		})
	}
}
