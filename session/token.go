package session

import (
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"encoding/binary"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"
)

// Keys sign what this server gives out and must know again: the tokens of participants and big screens, hosts' cookies, and what
// proves a device or an operator. The first signs, all verify, so that a key can be replaced while phones still hold tokens
// of the old one. Instances share them.
type Keys [][]byte

// NewKeys checks that there is a key and that each has at least 32 bytes.
func NewKeys(keys ...[]byte) (Keys, error) {
	if len(keys) == 0 {
		return nil, errors.New("at least one key is needed")
	}
	for i, k := range keys {
		if len(k) < 32 {
			return nil, fmt.Errorf("key %d has %d bytes; at least 32 are needed", i+1, len(k))
		}
	}
	return keys, nil
}

// Seat is what a participant's verified token says: who they are in which session. Generation is that of the token; the
// participant's own is raised to end all tokens given out before. Those of a team's further phones
// have 0, and do not end that way.
type Seat struct {
	Session     ID
	Participant int64
	Generation  int
	Member      int // which of a team's phones; 0 is the participant's own, the captain's
}

// ScreenSeat is what a big screen's verified token says.
type ScreenSeat struct {
	Session    ID
	Generation int
}

// A token is purpose, session, holder, generation, member, randomness and the MAC of all these, in URL-safe base64.
const (
	tokenBody  = 1 + 8 + 8 + 4 + 1 + 7
	tokenBytes = tokenBody + sha256.Size

	participantPurpose = 'p'
	screenPurpose      = 's'
	hostPurpose        = 'h'
	devicePurpose      = 'd'
	operatorPurpose    = 'o'
)

// SignSeat makes a participant's token.
func (k Keys) SignSeat(s Seat) string {
	return k.sign(participantPurpose, s)
}

// VerifySeat reads a participant's token. It costs no query; whether the participant was removed since is for the room
// to say.
func (k Keys) VerifySeat(token string) (Seat, bool) {
	return k.verify(participantPurpose, token)
}

// SignScreen makes a big screen's token.
func (k Keys) SignScreen(s ScreenSeat) string {
	return k.sign(screenPurpose, Seat{Session: s.Session, Generation: s.Generation})
}

// VerifyScreen reads a big screen's token.
func (k Keys) VerifyScreen(token string) (ScreenSeat, bool) {
	seat, ok := k.verify(screenPurpose, token)
	return ScreenSeat{Session: seat.Session, Generation: seat.Generation}, ok
}

// SealHost makes the value of a host's cookie from the sign-in's token, so that a request which only pretends to come
// from a host is told apart without a query.
func (k Keys) SealHost(signIn string) string {
	return signIn + "." + base64.RawURLEncoding.EncodeToString(mac(k[0], append([]byte{hostPurpose}, signIn...)))
}

// OpenHost returns the sign-in's token from the value of a host's cookie.
func (k Keys) OpenHost(cookie string) (signIn string, ok bool) {
	signIn, seal, _ := strings.Cut(cookie, ".")
	sum, err := base64.RawURLEncoding.Strict().DecodeString(seal)
	if err != nil || !k.made(sum, append([]byte{hostPurpose}, signIn...)) {
		return "", false
	}
	return signIn, true
}

// SealDevice makes the proof that a device has signed in to an account before. The account is not to be read in it.
func (k Keys) SealDevice(account, device string) string {
	return base64.RawURLEncoding.EncodeToString(mac(k[0], deviceBody(account, device)))
}

// VerifyDevice says whether the seal is the proof for this account and device.
func (k Keys) VerifyDevice(account, device, seal string) bool {
	sum, err := base64.RawURLEncoding.Strict().DecodeString(seal)
	return err == nil && k.made(sum, deviceBody(account, device))
}

// operatorProofAge is how long a proof is one, and how far two machines' clocks may be apart.
const operatorProofAge = 5 * time.Minute

// ProveOperator makes what only a holder of the keys can: the proof that somebody who runs the server asks, at this time.
func (k Keys) ProveOperator(at time.Time) string {
	body := binary.BigEndian.AppendUint64([]byte{operatorPurpose}, uint64(at.Unix()))
	return base64.RawURLEncoding.EncodeToString(append(body, mac(k[0], body)...))
}

// IsOperator says whether a proof was made lately.
func (k Keys) IsOperator(proof string, now time.Time) bool {
	b, err := base64.RawURLEncoding.Strict().DecodeString(proof)
	if err != nil || len(b) != 1+8+sha256.Size || b[0] != operatorPurpose || !k.made(b[9:], b[:9]) {
		return false
	}
	age := now.Sub(time.Unix(int64(binary.BigEndian.Uint64(b[1:])), 0))
	return age.Abs() <= operatorProofAge
}

// deviceBody is one text for each pair: no account has a NUL in it.
func deviceBody(account, device string) []byte {
	return append([]byte{devicePurpose}, account+"\x00"+device...)
}

func (k Keys) sign(purpose byte, s Seat) string {
	b := make([]byte, 0, tokenBytes)
	b = append(b, purpose)
	b = binary.BigEndian.AppendUint64(b, uint64(s.Session))
	b = binary.BigEndian.AppendUint64(b, uint64(s.Participant))
	b = binary.BigEndian.AppendUint32(b, uint32(s.Generation))
	b = append(b, byte(s.Member))
	b = b[:tokenBody]
	rand.Read(b[tokenBody-7:])
	return base64.RawURLEncoding.EncodeToString(append(b, mac(k[0], b)...))
}

func (k Keys) verify(purpose byte, token string) (s Seat, ok bool) {
	b, err := base64.RawURLEncoding.Strict().DecodeString(token)
	if err != nil || len(b) != tokenBytes || b[0] != purpose || !k.made(b[tokenBody:], b[:tokenBody]) {
		return Seat{}, false
	}
	return Seat{
		Session: ID(binary.BigEndian.Uint64(b[1:])), Participant: int64(binary.BigEndian.Uint64(b[9:])),
		Generation: int(binary.BigEndian.Uint32(b[17:])), Member: int(b[21]),
	}, true
}

// made reports whether one of the keys made sum of the body.
func (k Keys) made(sum, body []byte) bool {
	return slices.ContainsFunc(k, func(key []byte) bool { return hmac.Equal(sum, mac(key, body)) })
}

func mac(key, body []byte) []byte {
	h := hmac.New(sha256.New, key)
	h.Write(body)
	return h.Sum(nil)
}
