package quiz

import (
	"bufio"
	"bytes"
	"encoding/binary"
	"io"
	"strings"
	"testing"
	"testing/iotest"

	"pubquiz/internal/dbtest"
)

const songTitle = "Bohemian Rhapsody"

// id3v2 is a tag that names the song, with flags, and zeros behind its frames.
func id3v2(version, flags byte, padding int) string {
	extended := ""
	if flags&0x40 != 0 {
		extended = "\x00\x00\x00\x06\x01\x00"
	}
	title := songTitle
	if flags&0x80 != 0 {
		title += "\xff\x00\xfb" // what looks like a frame is kept from doing so
	}
	frame := "TIT2" + string([]byte{0, 0, 0, byte(len(title) + 1), 0, 0, 3}) + title
	body := extended + frame + strings.Repeat("\x00", padding)
	header := string([]byte{version, 0, flags, byte(len(body) >> 21 & 0x7f), byte(len(body) >> 14 & 0x7f), byte(len(body) >> 7 & 0x7f), byte(len(body) & 0x7f)})
	if flags&0x10 != 0 {
		return "ID3" + header + body + "3DI" + header
	}
	return "ID3" + header + body
}

func id3v1() string { return "TAG" + songTitle + strings.Repeat("\x00", 125-len(songTitle)) }

func enhanced() string {
	return "TAG+" + songTitle + strings.Repeat("\x00", 223-len(songTitle)) + id3v1()
}

func ape(header bool) string {
	item := string(binary.LittleEndian.AppendUint32(nil, uint32(len(songTitle)))) + "\x00\x00\x00\x00Title\x00" + songTitle
	part := func(flags uint32) string {
		b := binary.LittleEndian.AppendUint32([]byte("APETAGEX"), 2000)
		b = binary.LittleEndian.AppendUint32(b, uint32(len(item)+32))
		b = binary.LittleEndian.AppendUint32(b, 1)
		return string(binary.LittleEndian.AppendUint32(b, flags)) + strings.Repeat("\x00", 8)
	}
	if header {
		return part(1<<31|1<<29) + item + part(1<<31)
	}
	return item + part(0)
}

func lyrics() string { return "LYRICSBEGIN" + "ETT00017" + songTitle + "000036LYRICS200" }

// untagged is what is stored of a sound.
func untagged(t *testing.T, sound io.Reader) []byte {
	t.Helper()
	from := bufio.NewReader(sound)
	if err := skipTags(from); err != nil {
		t.Fatal(err)
	}
	rest, err := io.ReadAll(from)
	if err != nil {
		t.Fatal(err)
	}
	end, err := beforeTags(bytes.NewReader(rest), int64(len(rest)))
	if err != nil {
		t.Fatal(err)
	}
	return rest[:end]
}

func TestSoundsAreStoredWithoutTheirTags(t *testing.T) {
	frames := string(mp3(5000))
	many := strings.Repeat(id3v2(4, 0, 0), 50)
	for name, test := range map[string]struct{ before, after string }{
		"none":                 {"", ""},
		"ID3v2.3":              {id3v2(3, 0, 0), ""},
		"padded":               {id3v2(3, 0, 5000), ""},
		"longer than is read":  {id3v2(3, 0, 300_000), ""},
		"padded outside":       {id3v2(3, 0, 0) + strings.Repeat("\x00", 5000), ""},
		"unsynchronised":       {id3v2(3, 0x80, 9), ""},
		"extended":             {id3v2(4, 0x40, 9), ""},
		"with a footer":        {id3v2(4, 0x10, 0), ""},
		"several":              {id3v2(4, 0x10, 0) + id3v2(3, 0xc0, 7) + id3v2(2, 0, 0), ""},
		"fifty":                {many, ""},
		"ID3v1":                {"", id3v1()},
		"ID3v1 twice":          {"", id3v1() + id3v1()},
		"enhanced":             {"", enhanced()},
		"APE":                  {"", ape(true)},
		"APE without a header": {"", ape(false)},
		"ID3v2 at the end":     {"", id3v2(4, 0x10, 0)},
		"lyrics":               {"", lyrics() + id3v1()},
		"all of them":          {id3v2(4, 0x50, 20), ape(true) + lyrics() + id3v2(4, 0x10, 0) + enhanced()},
	} {
		if got := untagged(t, iotest.HalfReader(strings.NewReader(test.before+frames+test.after))); string(got) != frames {
			t.Errorf("%s: %d bytes are left of %d: %.80q … %.80q", name, len(got), len(frames), got, got[max(0, len(got)-80):])
		}
	}
}

// TestTagsThatAreNone: what only looks like a tag stays, and what is nothing else leaves nothing.
func TestTagsThatAreNone(t *testing.T) {
	for name, test := range map[string]struct{ sound, want string }{
		"nothing":                 {"", ""},
		"three letters":           {"ID3", "ID3"},
		"cut off":                 {id3v2(3, 0, 0)[:20], ""},
		"nothing but a tag":       {id3v2(3, 0, 10), ""},
		"nothing but tags":        {id3v2(3, 0, 10) + ape(true) + id3v1(), ""},
		"zeros at first":          {"\x00\x00\xff\xfb", "\x00\x00\xff\xfb"},
		"an APE of any size":      {"la" + strings.Replace(ape(false), "\x11", "\xff", 1)[:20], "la" + strings.Replace(ape(false), "\x11", "\xff", 1)[:20]},
		"lyrics of a wrong size":  {"la99999xLYRICS200", "la99999xLYRICS200"},
		"lyrics of a larger size": {"la999999LYRICS200", "la999999LYRICS200"},
	} {
		if got := untagged(t, strings.NewReader(test.sound)); string(got) != test.want {
			t.Errorf("%s: %q, want %q", name, got, test.want)
		}
	}
}

func FuzzTags(f *testing.F) {
	f.Add([]byte(id3v2(4, 0x50, 3) + "\xff\xfb" + ape(true) + lyrics() + enhanced()))
	f.Fuzz(func(t *testing.T, sound []byte) {
		if got := untagged(t, bytes.NewReader(sound)); !bytes.Contains(sound, got) {
			t.Errorf("%q of %q is not of it", got, sound)
		}
	})
}

func TestStoredSoundsHaveNoTags(t *testing.T) {
	t.Parallel()
	pool := dbtest.New(t)
	media, host := NewMediaStore(pool), newHost(t, pool, "host")
	for _, size := range []int{2000, pieceSize - 50, pieceSize, 2*pieceSize + 17} {
		frames := mp3(size)
		plain := add(t, media, host, frames)
		tagged := add(t, media, host, []byte(id3v2(3, 0, 200_000)+string(frames)+ape(true)+id3v1()))
		if tagged != plain {
			t.Errorf("stored %+v, want %+v", tagged, plain)
		}
		other := append(mp3(size), "la"...)
		stored := add(t, media, host, []byte(string(other)+ape(true)+id3v1()))
		file, err := media.Open(t.Context(), stored.ID)
		if err != nil {
			t.Fatal(err)
		}
		if err := iotest.TestReader(file, other); err != nil {
			t.Errorf("%d bytes: %v", size, err)
		}
	}
	if _, err := media.Add(t.Context(), host, strings.NewReader(id3v2(3, 0, 100))); err == nil || !strings.Contains(err.Error(), "empty") {
		t.Errorf("nothing but a tag: %v", err)
	}
}
