// Package seal encrypts small things that must come back unread and unchanged: from a browser's cookie, or from the database.
package seal

import (
	"crypto/aes"
	"crypto/cipher"
	"crypto/hkdf"
	"crypto/sha256"
	"errors"
	"fmt"
)

// Box seals for one purpose. What one purpose's box has sealed, no other's opens, though both were made of the same keys.
type Box struct{ keys []cipher.AEAD }

// ErrNotOurs says that something was not sealed by this box for this place, or has been changed.
var ErrNotOurs = errors.New("not sealed here")

// New returns a box with a key for the purpose derived from each of the keys (HKDF-SHA-256, AES-256-GCM). The first seals, all open.
func New(purpose string, keys ...[]byte) (Box, error) {
	if len(keys) == 0 {
		return Box{}, errors.New("seal.New: at least one key is needed")
	}
	var b Box
	for _, secret := range keys {
		key, err := hkdf.Key(sha256.New, secret, nil, purpose, 32)
		if err != nil {
			return Box{}, fmt.Errorf("seal.New: %w", err)
		}
		block, err := aes.NewCipher(key)
		if err != nil {
			return Box{}, fmt.Errorf("seal.New: %w", err)
		}
		aead, err := cipher.NewGCMWithRandomNonce(block)
		if err != nil {
			return Box{}, fmt.Errorf("seal.New: %w", err)
		}
		b.keys = append(b.keys, aead)
	}
	return b, nil
}

// Seal encrypts plain for one place, such as a cookie's name or a row's owner: it opens at no other.
func (b Box) Seal(plain []byte, place string) []byte {
	return b.keys[0].Seal(nil, nil, plain, []byte(place))
}

// Open decrypts what was sealed for the place. Current is false when an older key did it. The error is ErrNotOurs.
func (b Box) Open(sealed []byte, place string) (plain []byte, current bool, err error) {
	for i, key := range b.keys {
		if plain, err := key.Open(nil, nil, sealed, []byte(place)); err == nil {
			return plain, i == 0, nil
		}
	}
	return nil, false, ErrNotOurs
}
