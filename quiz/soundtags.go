package quiz

import (
	"bufio"
	"bytes"
	"encoding/binary"
	"fmt"
	"io"
	"strconv"
)

// What programs write before and after the frames of an MP3 names its title and artist, which is what a music round asks: whoever has the sound
// would have the answer. The frames themselves stay as they are.

// skipTags reads past the ID3v2 tags at a sound's beginning, whatever is in them, and the zeros after them (id3.org/id3v2.4.0-structure).
func skipTags(from *bufio.Reader) error {
	for tagged := false; ; {
		const headerSize = 10
		header, err := from.Peek(headerSize)
		if err != nil && err != io.EOF {
			return err
		}
		skip := 0
		switch {
		case len(header) == headerSize && bytes.HasPrefix(header, []byte("ID3")):
			skip, tagged = headerSize+sevenBits(header[6:]), true
			if header[5]&0x10 != 0 {
				skip += headerSize // its footer
			}
		case tagged:
			skip = len(header) - len(bytes.TrimLeft(header, "\x00"))
		}
		if skip == 0 {
			return nil
		}
		if _, err := from.Discard(skip); err != nil && err != io.EOF {
			return err
		}
	}
}

// sevenBits is a number of ID3v2, of which each byte holds seven bits.
func sevenBits(b []byte) int {
	return int(b[0]&0x7f)<<21 | int(b[1]&0x7f)<<14 | int(b[2]&0x7f)<<7 | int(b[3]&0x7f)
}

const (
	maxEndTags = 32        // that are looked for at a sound's end, where programs write three at most
	endTags    = 227 + 128 // bytes that the longest of a fixed length has
)

// beforeTags tells where a sound's frames end and its tags begin: ID3v1, APE, Lyrics3 and the ID3v2 that stand at the end, in any order.
func beforeTags(sound io.ReadSeeker, size int64) (end int64, err error) {
	end = size
	tail := make([]byte, endTags)
	for range maxEndTags {
		tail = tail[:min(endTags, end)]
		if _, err := sound.Seek(end-int64(len(tail)), io.SeekStart); err != nil {
			return 0, err
		}
		if _, err := io.ReadFull(sound, tail); err != nil {
			return 0, fmt.Errorf("reading a sound's tags: %w", err)
		}
		tag := lastTag(tail)
		if tag == 0 || tag > end {
			break
		}
		end -= tag
	}
	return end, nil
}

// lastTag is how many bytes the tag has that a sound ends with; 0: it ends with none. ID3v1 comes last, since it says nothing at its own end: any other
// tag may happen to have its three letters there.
func lastTag(tail []byte) int64 {
	last := func(n int) []byte { return tail[len(tail)-min(n, len(tail)):] }
	if ape := last(32); len(ape) == 32 && bytes.HasPrefix(ape, []byte("APETAGEX")) {
		size := max(32, int64(binary.LittleEndian.Uint32(ape[12:])))
		if binary.LittleEndian.Uint32(ape[20:])>>31 == 1 { // it has a header as well, which its size leaves out
			size += 32
		}
		return size
	}
	if v2 := last(10); len(v2) == 10 && bytes.HasPrefix(v2, []byte("3DI")) {
		return int64(sevenBits(v2[6:])) + 20
	}
	if lyrics := last(15); len(lyrics) == 15 && bytes.HasSuffix(lyrics, []byte("LYRICS200")) {
		if size, err := strconv.ParseUint(string(lyrics[:6]), 10, 32); err == nil {
			return int64(size) + 15
		}
	}
	if v1 := last(128); len(v1) == 128 && bytes.HasPrefix(v1, []byte("TAG")) {
		if more := last(endTags); len(more) == endTags && bytes.HasPrefix(more, []byte("TAG+")) {
			return endTags
		}
		return 128
	}
	return 0
}
