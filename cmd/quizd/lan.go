package main

import (
	"net"
	"net/netip"
	"strings"
)

// lanAddress returns the address at which phones on the same WiFi most likely reach this machine, or the zero Addr.
func lanAddress() netip.Addr {
	interfaces, err := net.Interfaces()
	if err != nil {
		return netip.Addr{}
	}
	var candidates []netip.Addr
	for _, i := range interfaces {
		if i.Flags&net.FlagUp == 0 || i.Flags&(net.FlagLoopback|net.FlagPointToPoint) != 0 || isVirtual(i.Name) {
			continue
		}
		addresses, err := i.Addrs()
		if err != nil {
			continue
		}
		for _, address := range addresses {
			if prefix, err := netip.ParsePrefix(address.String()); err == nil {
				candidates = append(candidates, prefix.Addr().Unmap())
			}
		}
	}
	return mostReachable(candidates)
}

// mostReachable prefers the private IPv4 address that a home or venue router gives out to a public one.
func mostReachable(candidates []netip.Addr) netip.Addr {
	var best netip.Addr
	for _, address := range candidates {
		switch {
		case !address.Is4() || !address.IsGlobalUnicast():
			continue
		case address.IsPrivate():
			return address
		case !best.IsValid():
			best = address
		}
	}
	return best
}

// isVirtual reports whether an interface leads to containers or virtual machines on this one.
func isVirtual(name string) bool {
	for _, prefix := range []string{"docker", "br-", "veth", "virbr", "vmnet", "vboxnet", "cni", "podman", "lxc", "tailscale", "utun", "wg"} {
		if strings.HasPrefix(name, prefix) {
			return true
		}
	}
	return false
}
