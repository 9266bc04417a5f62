package ratelimit

import (
	"crypto/rand"
	"encoding/binary"
	"math/bits"
)

// seed makes the hash of keys differ in every process, so that nobody can choose keys that collide.
type seed [4]uint64

func newSeed() seed {
	var random [32]byte
	rand.Read(random[:])
	var s seed
	for i := range s {
		s[i] = binary.LittleEndian.Uint64(random[i*8:])
	}
	return s
}

// block hashes what the keys of one block of addresses have in common; for other keys, most of the key.
func (s *seed) block(k *Key) uint64 {
	return fold(k.a^s[0], uint64(k.variant)^s[1])
}

// whole hashes the whole key, of which the block's hash is known.
func (s *seed) whole(k *Key, block uint64) uint64 {
	b := k.b
	if k.block {
		b = ^b
	}
	return fold(block^b^s[2], s[3])
}

func fold(a, b uint64) uint64 {
	hi, lo := bits.Mul64(a, b)
	return hi ^ lo
}
