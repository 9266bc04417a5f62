package ratelimit

import (
	"errors"
	"fmt"
	"net/netip"
	"net/textproto"
	"strings"
)

// Proxies knows whose word about a client's address is taken. The zero Proxies trusts nobody: the client is the TCP peer.
type Proxies struct {
	trusted []netip.Prefix
	header  string
}

// maxHops is how many entries of the header are read, from the right.
const maxHops = 32

// ParseProxies takes the trusted proxies as addresses or prefixes, separated by commas or spaces, and the name of the header
// in which they tell the client's address: X-Forwarded-For if empty, Forwarded, or one that holds a single address. It
// refuses to trust networks so wide that strangers are in them.
func ParseProxies(trusted, header string) (Proxies, error) {
	p := Proxies{header: textproto.CanonicalMIMEHeaderKey(header)}
	if header == "" {
		p.header = "X-Forwarded-For"
	}
	for _, field := range strings.FieldsFunc(trusted, func(r rune) bool { return r == ',' || r == ' ' }) {
		prefix, err := parsePrefix(field)
		if err != nil {
			return Proxies{}, fmt.Errorf("trusted proxy %q: %w", field, err)
		}
		p.trusted = append(p.trusted, prefix)
	}
	return p, nil
}

func parsePrefix(s string) (netip.Prefix, error) {
	if addr, err := netip.ParseAddr(s); err == nil {
		if addr.IsUnspecified() {
			return netip.Prefix{}, errors.New("this is no host's address")
		}
		addr = addr.Unmap().WithZone("")
		return netip.PrefixFrom(addr, addr.BitLen()), nil
	}
	prefix, err := netip.ParsePrefix(s)
	if err != nil {
		return netip.Prefix{}, errors.New("neither an address nor a prefix such as 10.0.0.0/8")
	}
	if addr := prefix.Addr(); addr.Is4In6() && prefix.Bits() >= 96 {
		prefix = netip.PrefixFrom(addr.Unmap(), prefix.Bits()-96)
	}
	narrowest := 8
	if addr := prefix.Addr(); addr.Is6() {
		narrowest = 16
		if addr.IsPrivate() || addr.IsLinkLocalUnicast() {
			narrowest = 7
		}
	}
	if prefix.Bits() < narrowest {
		return netip.Prefix{}, fmt.Errorf("too wide: anyone in it could claim any address; at least /%d", narrowest)
	}
	return prefix.Masked(), nil
}

// Trusts says whether an address is a trusted proxy's.
func (p Proxies) Trusts(addr netip.Addr) bool {
	addr = addr.Unmap().WithZone("")
	for _, prefix := range p.trusted {
		if prefix.Contains(addr) {
			return true
		}
	}
	return false
}

// Doubt says why a client's address may not be the client's.
type Doubt uint8

const (
	NoDoubt    Doubt = iota
	NoHeader         // a trusted proxy did not say who the client is
	Garbled          // a trusted hop passed on something that is not an address
	AllTrusted       // every hop is a trusted proxy, or the first 32 are
)

func (d Doubt) String() string {
	return [...]string{"none", "no-header", "garbled", "all-trusted"}[d]
}

// Client finds the client's address in a request. Headers count only if the peer is a trusted proxy; then the client is the
// rightmost hop that is not one. If there is no such hop, or something else stands in its place, it is the last trusted hop,
// and the doubt says why. The address is valid whenever the peer's is.
func (p Proxies) Client(peer netip.AddrPort, header map[string][]string) (netip.Addr, Doubt) {
	last := peer.Addr().Unmap().WithZone("")
	if !p.Trusts(last) {
		return Canonical(last), NoDoubt
	}
	hops := rightmost(header[p.header], p.header == "Forwarded")
	if len(hops) == 0 {
		return Canonical(last), NoHeader
	}
	for _, hop := range hops {
		addr, ok := parseHop(hop)
		switch {
		case !ok:
			return Canonical(last), Garbled
		case !p.Trusts(addr):
			return Canonical(addr), NoDoubt
		}
		last = addr
	}
	return Canonical(last), AllTrusted
}

var nat64 = netip.MustParsePrefix("64:ff9b::/96")

// Canonical writes an address in its one form: without a zone, and as IPv4 where it stands for one (IPv4-mapped, NAT64).
func Canonical(addr netip.Addr) netip.Addr {
	addr = addr.Unmap().WithZone("")
	if nat64.Contains(addr) {
		ip := addr.As16()
		return netip.AddrFrom4([4]byte(ip[12:]))
	}
	return addr
}

// rightmost lists the entries of all lines of a header from the right, at most maxHops.
func rightmost(lines []string, forwarded bool) []string {
	var hops []string
	for i := len(lines) - 1; i >= 0; i-- {
		line := lines[i]
		for line != "" && len(hops) < maxHops {
			comma := lastComma(line, forwarded)
			entry := strings.TrimSpace(line[comma+1:])
			line = line[:max(comma, 0)]
			if forwarded {
				entry = forwardedFor(entry)
			}
			hops = append(hops, entry)
		}
	}
	return hops
}

// lastComma finds the last comma of a line, in a Forwarded header the last outside quotes; -1 if there is none.
func lastComma(line string, quotes bool) int {
	quoted := false
	for i := len(line) - 1; i >= 0; i-- {
		switch {
		case quotes && line[i] == '"':
			quoted = !quoted
		case line[i] == ',' && !quoted:
			return i
		}
	}
	return -1
}

// forwardedFor takes the for parameter out of one element of a Forwarded header (RFC 7239); empty if there is none.
// Quoted addresses contain nothing that needs escaping, so that a value with a backslash is simply no address.
func forwardedFor(element string) string {
	for pair := range strings.SplitSeq(element, ";") {
		name, value, _ := strings.Cut(strings.TrimSpace(pair), "=")
		if strings.EqualFold(strings.TrimSpace(name), "for") {
			value = strings.TrimSpace(value)
			if len(value) >= 2 && value[0] == '"' && value[len(value)-1] == '"' {
				value = value[1 : len(value)-1]
			}
			return value
		}
	}
	return ""
}

// parseHop reads an address with or without port, brackets and zone.
func parseHop(hop string) (netip.Addr, bool) {
	if addr, err := netip.ParseAddr(strings.TrimSuffix(strings.TrimPrefix(hop, "["), "]")); err == nil {
		return addr.Unmap().WithZone(""), true
	}
	if ap, err := netip.ParseAddrPort(hop); err == nil {
		return ap.Addr().Unmap().WithZone(""), true
	}
	return netip.Addr{}, false
}
