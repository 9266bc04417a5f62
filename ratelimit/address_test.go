package ratelimit

import (
	"net/netip"
	"strings"
	"testing"
)

func TestClient(t *testing.T) {
	const trusted = "10.0.0.0/8 2001:db8:1::/48 fd00::/8"
	xff := func(lines ...string) map[string][]string { return map[string][]string{"X-Forwarded-For": lines} }
	many := strings.Repeat("10.0.0.1, ", 40) + "10.0.0.1"
	tests := []struct {
		name, peer, headerName string
		header                 map[string][]string
		want                   string
		doubt                  Doubt
	}{
		{"an untrusted peer is the client", "203.0.113.9:4711", "", xff("198.51.100.1"), "203.0.113.9", NoDoubt},
		{"no header", "10.0.0.1:1", "", nil, "10.0.0.1", NoHeader},
		{"an empty header", "10.0.0.1:1", "", xff(""), "10.0.0.1", NoHeader},
		{"one hop", "10.0.0.1:1", "", xff("198.51.100.1"), "198.51.100.1", NoDoubt},
		{"what a client claims stands to the left", "10.0.0.1:1", "", xff("1.1.1.1, 198.51.100.1, 10.2.3.4"), "198.51.100.1", NoDoubt},
		{"two lines", "10.0.0.1:1", "", xff("1.1.1.1", "198.51.100.1,10.2.3.4"), "198.51.100.1", NoDoubt},
		{"the client's own line comes first", "10.0.0.1:1", "", xff("10.9.9.9", "198.51.100.1"), "198.51.100.1", NoDoubt},
		{"a port", "10.0.0.1:1", "", xff("198.51.100.1:5555"), "198.51.100.1", NoDoubt},
		{"brackets", "10.0.0.1:1", "", xff("[2001:db8:2::1]"), "2001:db8:2::1", NoDoubt},
		{"brackets and a port", "10.0.0.1:1", "", xff("[2001:db8:2::1]:443"), "2001:db8:2::1", NoDoubt},
		{"a zone", "10.0.0.1:1", "", xff("fe80::1%eth0"), "fe80::1", NoDoubt},
		{"IPv4-mapped", "10.0.0.1:1", "", xff("::ffff:198.51.100.1"), "198.51.100.1", NoDoubt},
		{"NAT64", "10.0.0.1:1", "", xff("64:ff9b::c633:6401"), "198.51.100.1", NoDoubt},
		{"an IPv4-mapped peer is trusted", "[::ffff:10.0.0.1]:1", "", xff("198.51.100.1"), "198.51.100.1", NoDoubt},
		{"a trusted address behind NAT64 is not", "[64:ff9b::a00:1]:1", "", xff("198.51.100.1"), "10.0.0.1", NoDoubt},
		{"an IPv6 peer with a zone", "[fd00::1%eth0]:1", "", xff("198.51.100.1"), "198.51.100.1", NoDoubt},
		{"all hops trusted", "10.0.0.1:1", "", xff("10.0.0.3, 10.0.0.2"), "10.0.0.3", AllTrusted},
		{"more hops than are read", "10.0.0.1:1", "", xff("198.51.100.1, " + many), "10.0.0.1", AllTrusted},
		{"garbage", "10.0.0.1:1", "", xff("198.51.100.1, unknown, 10.0.0.2"), "10.0.0.2", Garbled},
		{"garbage alone", "10.0.0.1:1", "", xff("<script>"), "10.0.0.1", Garbled},
		{"a comma too many", "10.0.0.1:1", "", xff("198.51.100.1,"), "10.0.0.1", Garbled},
		{"another header is not read", "10.0.0.1:1", "", map[string][]string{"Cf-Connecting-Ip": {"1.1.1.1"}, "X-Forwarded-For": {"198.51.100.1"}}, "198.51.100.1", NoDoubt},
		{"nor that of a stranger", "203.0.113.9:1", "CF-Connecting-IP", map[string][]string{"Cf-Connecting-Ip": {"1.1.1.1"}}, "203.0.113.9", NoDoubt},
		{"a header with one address", "10.0.0.1:1", "CF-Connecting-IP", map[string][]string{"Cf-Connecting-Ip": {"198.51.100.1"}}, "198.51.100.1", NoDoubt},
		{"Forwarded", "10.0.0.1:1", "Forwarded", map[string][]string{"Forwarded": {`for=1.1.1.1, for=198.51.100.1;proto=http;by=203.0.113.43`}}, "198.51.100.1", NoDoubt},
		{"Forwarded, quoted", "10.0.0.1:1", "forwarded", map[string][]string{"Forwarded": {`For="[2001:db8:2::17]:4711"`}}, "2001:db8:2::17", NoDoubt},
		{"Forwarded, a comma in quotes", "10.0.0.1:1", "Forwarded", map[string][]string{"Forwarded": {`for=198.51.100.1;host="a,for=1.1.1.1"`}}, "198.51.100.1", NoDoubt},
		{"Forwarded, a quote left open by the client", "10.0.0.1:1", "Forwarded", map[string][]string{"Forwarded": {`for=", for=198.51.100.1`}}, "198.51.100.1", NoDoubt},
		{"Forwarded, hidden", "10.0.0.1:1", "Forwarded", map[string][]string{"Forwarded": {`for=_gazonk`}}, "10.0.0.1", Garbled},
		{"Forwarded, without for", "10.0.0.1:1", "Forwarded", map[string][]string{"Forwarded": {`proto=https`}}, "10.0.0.1", Garbled},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			proxies, err := ParseProxies(trusted, test.headerName)
			if err != nil {
				t.Fatal(err)
			}
			got, doubt := proxies.Client(netip.MustParseAddrPort(test.peer), test.header)
			if got.String() != test.want || doubt != test.doubt {
				t.Errorf("got %v, doubt %v; want %v, doubt %v", got, doubt, test.want, test.doubt)
			}
		})
	}
}

func TestTrustNobodyByDefault(t *testing.T) {
	var proxies Proxies
	got, _ := proxies.Client(netip.MustParseAddrPort("127.0.0.1:1"), map[string][]string{"": {"1.1.1.1"}, "X-Forwarded-For": {"1.1.1.1"}})
	if got.String() != "127.0.0.1" {
		t.Errorf("got %v", got)
	}
}

func TestParseProxiesRefusesWhatIsDangerous(t *testing.T) {
	for _, trusted := range []string{
		"0.0.0.0/0", "::/0", "0.0.0.0/1", "128.0.0.0/1", "12.0.0.0/7", "2000::/3", "2001::/15", "::ffff:0.0.0.0/96", "::ffff:0.0.0.0/100", "fc00::/6",
		"0.0.0.0", "::", "*", "all", "10.0.0.0/33", "10.0.0.1:80", "10.0.0.0/8;::/0",
	} {
		if _, err := ParseProxies(trusted, ""); err == nil {
			t.Errorf("%q was taken", trusted)
		}
	}
	for _, trusted := range []string{"", "127.0.0.1", "10.0.0.0/8, 192.168.0.0/16", "fc00::/7", "fe80::/10", "2400:cb00::/32", "::1", "::ffff:10.0.0.0/104"} {
		if _, err := ParseProxies(trusted, ""); err != nil {
			t.Errorf("%q was refused: %v", trusted, err)
		}
	}
}

func FuzzClient(f *testing.F) {
	f.Add("198.51.100.1, 10.0.0.1", "for=1.1.1.1")
	f.Add(`for="[::1]:1`, "[::ffff:1.2.3.4]:1,,")
	xff, err := ParseProxies("10.0.0.0/8", "")
	if err != nil {
		f.Fatal(err)
	}
	forwarded, err := ParseProxies("10.0.0.0/8", "Forwarded")
	if err != nil {
		f.Fatal(err)
	}
	peer := netip.MustParseAddrPort("10.0.0.1:1")
	f.Fuzz(func(t *testing.T, first, second string) {
		for _, name := range []string{"X-Forwarded-For", "Forwarded"} {
			proxies := xff
			if name == "Forwarded" {
				proxies = forwarded
			}
			header := map[string][]string{name: {first, second}}
			got, doubt := proxies.Client(peer, header)
			if !got.IsValid() || got.Zone() != "" || got.Is4In6() || AddressKey(got) == (Key{}) {
				t.Fatalf("%q gave %v", header, got)
			}
			// Out of NAT64 may come what looks like a proxy, and is not.
			if (doubt == NoDoubt) == proxies.Trusts(got) && !strings.Contains(first+second, "64:") {
				t.Fatalf("%q gave %v, doubt %v", header, got, doubt)
			}
			// Whatever a client sends, what its proxy adds to the right decides.
			header[name] = append(header[name], "for=203.0.113.5")
			if name == "X-Forwarded-For" {
				header[name][2] = "203.0.113.5"
			}
			if got, _ := proxies.Client(peer, header); got.String() != "203.0.113.5" {
				t.Fatalf("%q gave %v", header, got)
			}
		}
	})
}
