package account

import (
	"context"
	"crypto/rand"
	"crypto/subtle"
	"encoding/base64"
	"errors"
	"fmt"
	"runtime"
	"strings"
	"time"

	"golang.org/x/crypto/argon2"
)

// cost is what one hash takes.
type cost struct {
	memory  uint32 // KiB
	passes  uint32
	threads uint8
}

// currentCost is OWASP's recommendation for argon2id: about 26 ms of one processor.
var currentCost = cost{memory: 19 * 1024, passes: 2, threads: 1}

const (
	saltLength = 16
	hashLength = 32

	// patience is how long a sign-in waits for its turn to hash.
	patience = time.Second
)

// hasher hashes passwords, a few at a time: each takes 19 MiB and a processor, and without a bound a rush of sign-ins would
// stop the clocks of the live sessions.
type hasher struct{ slots chan struct{} }

func newHasher() hasher { return hasher{make(chan struct{}, max(1, runtime.NumCPU()-1))} }

// enter waits for a turn. The error is ErrBusy, or the context's.
func (h hasher) enter(ctx context.Context) (leave func(), err error) {
	timer := time.NewTimer(patience)
	defer timer.Stop()
	select {
	case h.slots <- struct{}{}:
		return func() { <-h.slots }, nil
	case <-timer.C:
		return nil, ErrBusy
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

// hash returns the password's PHC string, with a fresh salt.
func (h hasher) hash(ctx context.Context, password string) (string, error) {
	leave, err := h.enter(ctx)
	if err != nil {
		return "", err
	}
	defer leave()
	return newHash(password), nil
}

// verify tells whether the password has the hash, a PHC string. An empty hash, as of an account that does not exist or has no
// password, fits none, and takes as long to find out. When the password is right but its hash of another cost than today's, better
// is its new hash.
func (h hasher) verify(ctx context.Context, password, hash string) (right bool, better string, err error) {
	c, salt, want := currentCost, make([]byte, saltLength), make([]byte, hashLength)
	if hash != "" {
		if c, salt, want, err = parseHash(hash); err != nil {
			return false, "", err
		}
	}
	leave, err := h.enter(ctx)
	if err != nil {
		return false, "", err
	}
	defer leave()
	same := subtle.ConstantTimeCompare(c.derive(password, salt, len(want)), want) == 1
	if !same || hash == "" || password == "" {
		return false, "", nil
	}
	if c != currentCost {
		better = newHash(password)
	}
	return true, better, nil
}

func (c cost) derive(password string, salt []byte, length int) []byte {
	return argon2.IDKey([]byte(password), salt, c.passes, c.memory, c.threads, uint32(length))
}

const phcFormat = "$argon2id$v=%d$m=%d,t=%d,p=%d$"

func newHash(password string) string {
	salt := make([]byte, saltLength)
	rand.Read(salt)
	c := currentCost
	return fmt.Sprintf(phcFormat, argon2.Version, c.memory, c.passes, c.threads) +
		base64.RawStdEncoding.EncodeToString(salt) + "$" + base64.RawStdEncoding.EncodeToString(c.derive(password, salt, hashLength))
}

// parseHash reads a PHC string that newHash wrote, perhaps in an older version.
func parseHash(phc string) (c cost, salt, hash []byte, err error) {
	var (
		version int
		rest    string
	)
	if _, err := fmt.Sscanf(phc, phcFormat+"%s", &version, &c.memory, &c.passes, &c.threads, &rest); err != nil {
		return c, nil, nil, fmt.Errorf("account: reading a password's hash: %w", err)
	}
	before, after, _ := strings.Cut(rest, "$")
	salt, saltErr := base64.RawStdEncoding.DecodeString(before)
	hash, hashErr := base64.RawStdEncoding.DecodeString(after)
	if saltErr != nil || hashErr != nil || version != argon2.Version || c.passes < 1 || c.threads < 1 || len(hash) < 16 {
		return c, nil, nil, errors.New("account: a password's hash is damaged")
	}
	return c, salt, hash, nil
}
