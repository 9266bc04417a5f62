package ratelimit

import (
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"net/netip"
)

// KeyKind is what a limit counts by.
type KeyKind uint8

const (
	ByAddress     KeyKind = iota + 1 // the client's address
	ByParticipant                    // a participant; for polls and sockets also a host or a big screen in a session
	ByUser                           // a signed-in host
	ByAccount                        // an account's folded e-mail address, whether there is such an account or not
)

func (k KeyKind) String() string {
	return [...]string{"none", "IP", "participantId", "userId", "account"}[k]
}

// Key is whom a request is charged to. It has a fixed size whatever it was made of, so that long inputs cannot swell
// memory, and it knows its kind, so that a limit refuses a key that is not its own. The zero Key belongs to no limit.
type Key struct {
	a, b    uint64 // an address's block is a, the rest of it is the low 16 bits of b
	kind    KeyKind
	variant variant
	block   bool // counts a block of addresses, not one
}

// variant keeps keys apart that are made of the same numbers.
type variant uint8

const (
	plain variant = iota
	seated
	signedIn
	venue
	invited
	host
	screen
	device
	signIn
	reset
)

// AddressKey is a client's address: IPv4 whole, IPv6 by its /64, which is what one subscriber has. Take the address from
// Proxies.Client. An invalid address gives the zero Key.
func AddressKey(addr netip.Addr) Key { return addressKey(addr, plain) }

// SeatedKey is the address of a request that carries a verified token. Its budget is apart from that of requests
// without one, so that a stranger cannot silence phones that are in.
func SeatedKey(addr netip.Addr) Key { return addressKey(addr, seated) }

// SignedInKey is the address of a request of a signed-in host, with a budget apart from all others there.
func SignedInKey(addr netip.Addr) Key { return addressKey(addr, signedIn) }

// VenueKey is an address in its part as a venue, for requests of those who know the way in. Its budget is apart from the address's
// own, so that whoever does not know it cannot use it up. An address with several sessions has one such budget, not their sum.
func VenueKey(addr netip.Addr) Key { return addressKey(addr, venue) }

// InvitedKey is the address of whoever has been given a code that lets one person in, once it is known to be real. Its budget is apart
// from that of the address, so that no crowd there keeps the invited out. All codes share it: whoever can make codes would make budgets.
func InvitedKey(addr netip.Addr) Key { return addressKey(addr, invited) }

// PhoneKey is one phone of a participant, from its verified token. Number 0, of 255 at most, is the participant's own; a team has others. The generation
// is the token's: a phone from which the seat was moved uses up nothing of the phone that has it now.
func PhoneKey(participant int64, generation, number int) Key {
	return Key{a: uint64(participant), b: uint64(generation)<<8 | uint64(number), kind: ByParticipant}
}

// HostKey is a host at the console of a session.
func HostKey(session, user int64) Key {
	return Key{a: uint64(session), b: uint64(user), kind: ByParticipant, variant: host}
}

// ScreenKey is the big screen of a session, by a link of this generation.
func ScreenKey(session int64, generation int) Key {
	return Key{a: uint64(session), b: uint64(generation), kind: ByParticipant, variant: screen}
}

// SignInKey is a host by the sign-in that their cookie holds, before anybody has looked whose it is.
func SignInKey(token string) Key {
	key := AccountKey(token)
	key.kind, key.variant = ByParticipant, signIn
	return key
}

// UserKey is a signed-in host.
func UserKey(user int64) Key { return Key{a: uint64(user), kind: ByUser} }

// AccountKey is an account by its folded e-mail address.
func AccountKey(folded string) Key {
	sum := sha256.Sum256([]byte(folded))
	return Key{a: binary.BigEndian.Uint64(sum[:]), b: binary.BigEndian.Uint64(sum[8:]), kind: ByAccount}
}

// DeviceKey is an account as seen from a device that has signed in to it before. It has a budget apart from the
// account's, so that a stranger who exhausts that one does not lock the owner out.
func DeviceKey(folded, deviceID string) Key {
	key := AccountKey(folded + "\x00" + deviceID)
	key.variant = device
	return key
}

// ResetKey is an account in what its owner asks for who has forgotten the password. It has a budget apart from the account's, so that whoever signs up
// with somebody's address does not switch off the owner's way back in.
func ResetKey(folded string) Key {
	key := AccountKey(folded)
	key.variant = reset
	return key
}

// isIPv4 marks the blocks of IPv4 addresses, which have 24 bits where those of IPv6 have 48.
const isIPv4 = 1 << 48

func addressKey(addr netip.Addr, v variant) Key {
	addr = Canonical(addr)
	var block, rest uint64
	switch {
	case addr.Is4():
		ip := addr.As4()
		block, rest = isIPv4|uint64(binary.BigEndian.Uint32(ip[:])>>8), uint64(ip[3])
	case addr.Is6():
		ip := addr.As16()
		net := binary.BigEndian.Uint64(ip[:8])
		block, rest = net>>16, net&0xffff
	default:
		return Key{}
	}
	return Key{a: block, b: rest, kind: ByAddress, variant: v}
}

// blockKey is the key of the block of addresses that k is in: a /24 of IPv4, a /48 of IPv6.
func (k Key) blockKey() Key {
	k.b &^= 0xffff
	k.block = true
	return k
}

// hasBlock says whether the key is charged to its block as well as to itself: IPv6, where one subscriber may have
// thousands of /64s.
func (k *Key) hasBlock() bool { return k.kind == ByAddress && k.a&isIPv4 == 0 && !k.block }

// String is the key as an operator may see it; accounts are shown by their hash.
func (k Key) String() string {
	switch {
	case k.kind == ByAddress && k.variant == venue:
		return fmt.Sprintf("%v, as a venue", k.prefix())
	case k.kind == ByAddress && k.variant == seated:
		return fmt.Sprintf("%v, with token", k.prefix())
	case k.kind == ByAddress && k.variant == signedIn:
		return fmt.Sprintf("%v, signed in", k.prefix())
	case k.kind == ByAddress && k.variant == invited:
		return fmt.Sprintf("%v, with a code", k.prefix())
	case k.kind == ByAddress:
		return k.prefix().String()
	case k.variant == host:
		return fmt.Sprintf("session %d, host %d", int64(k.a), int64(k.b))
	case k.variant == screen:
		return fmt.Sprintf("session %d, big screen", int64(k.a)) + numbered("link", k.b)
	case k.variant == signIn:
		return fmt.Sprintf("sign-in %08x", k.a>>32)
	case k.kind == ByParticipant:
		return fmt.Sprintf("participant %d", int64(k.a)) + numbered("move", k.b>>8) + numbered("phone", k.b&0xff)
	case k.kind == ByUser:
		return fmt.Sprintf("user %d", int64(k.a))
	case k.variant == reset:
		return fmt.Sprintf("account %08x, forgotten password", k.a>>32)
	case k.kind == ByAccount:
		return fmt.Sprintf("account %08x", k.a>>32)
	}
	return "no key"
}

func numbered(what string, number uint64) string {
	if number == 0 {
		return ""
	}
	return fmt.Sprintf(", %s %d", what, number)
}

func (k Key) prefix() netip.Prefix {
	if k.a&isIPv4 != 0 {
		var ip [4]byte
		binary.BigEndian.PutUint32(ip[:], uint32(k.a)<<8|uint32(k.b&0xff))
		bits := 32
		if k.block {
			bits = 24
		}
		return netip.PrefixFrom(netip.AddrFrom4(ip), bits)
	}
	var ip [16]byte
	binary.BigEndian.PutUint64(ip[:], k.a<<16|k.b&0xffff)
	bits := 64
	if k.block {
		bits = 48
	}
	return netip.PrefixFrom(netip.AddrFrom16(ip), bits)
}
