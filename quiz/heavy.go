package quiz

import "bytes"

const (
	maxDecoded = 100 << 20 // bytes that decoding a picture may take: every ordinary one of maxPixels is within
	maxScans   = 64        // of a progressive JPEG, each of which goes through the whole picture; cameras and programs write about ten
)

// heavyPNG tells whether a PNG, whose header is sound, takes too much to decode: one of 16 bits a channel, or one whose rows come in passes,
// which image/png decodes one by one and puts together.
func heavyPNG(original []byte, pixels int) bool {
	const depth, interlaced = 24, 28 // where the first chunk says so
	size := 4 * pixels
	if original[depth] == 16 {
		size *= 2
	}
	if original[interlaced] != 0 {
		size *= 2
	}
	return size > maxDecoded
}

// The markers of a JPEG (ITU-T T.81, B.1.1.3) that say how much work it is.
const (
	jpegSOF0  = 0xc0 // a frame, in which each component comes once; SOF1 as well
	jpegSOF1  = 0xc1
	jpegSOF2  = 0xc2 // a progressive one, whose coefficients are all kept until its last scan
	jpegRST0  = 0xd0 // neither these eight nor what is escaped in a scan has a length
	jpegRST7  = 0xd7
	jpegEOI   = 0xd9
	jpegSOS   = 0xda
	jpegAPP14 = 0xee // Adobe's, which says how to read the colours
)

// heavyJPEG tells whether a JPEG takes too much memory or time to decode. It goes from marker to marker, as image/jpeg does, and is total: what
// is no JPEG is left for the decoder to say.
func heavyJPEG(original []byte, pixels int) bool {
	var frame jpegFrame
	rest := original[min(2, len(original)):] // after SOI
	for {
		marker, after := nextMarker(rest)
		if marker == 0 || marker == jpegEOI || len(after) < 2 {
			return frame.size(pixels) > maxDecoded
		}
		length := int(after[0])<<8 | int(after[1])
		if length < 2 || length > len(after) {
			return frame.size(pixels) > maxDecoded // which the decoder reads no further, either
		}
		segment := after[2:length]
		rest = after[length:]
		switch marker {
		case jpegSOF0, jpegSOF1, jpegSOF2:
			frame.read(segment, marker == jpegSOF2)
			if frame.progressive && frame.components == 4 {
				return true
			}
		case jpegAPP14:
			frame.rgb = frame.rgb || len(segment) >= 12 && bytes.HasPrefix(segment, []byte("Adobe")) && segment[11] == 0
		case jpegSOS:
			frame.scans++
			if frame.scans > maxScans || !frame.progressive && frame.scans > frame.components {
				return true
			}
		}
	}
}

// nextMarker finds the next marker that has a length, or the end, and what comes after it. It is 0 where there is none.
func nextMarker(data []byte) (marker byte, after []byte) {
	for {
		begin := bytes.IndexByte(data, 0xff)
		if begin < 0 {
			return 0, nil
		}
		data = data[begin:]
		for len(data) > 0 && data[0] == 0xff { // of which any number may stand before a marker
			data = data[1:]
		}
		if len(data) == 0 {
			return 0, nil
		}
		marker, data = data[0], data[1:]
		if marker != 0 && (marker < jpegRST0 || marker > jpegRST7) {
			return marker, data
		}
	}
}

// jpegFrame is what a JPEG's markers say of the work it is.
type jpegFrame struct {
	progressive       bool
	rgb               bool // three components may be red, green and blue
	components, scans int
	samples           int // of all components, which come in whole blocks of 8 × 8
}

// read reads the frame's header (B.2.2). A second frame, or one that is broken, image/jpeg does not decode.
func (f *jpegFrame) read(header []byte, progressive bool) {
	if f.components > 0 || len(header) < 6 || len(header) != 6+3*int(header[5]) {
		return
	}
	height, width := int(header[1])<<8|int(header[2]), int(header[3])<<8|int(header[4])
	f.progressive, f.components = progressive, int(header[5])
	across, down := 1, 1 // blocks of the first component, which has the most, in each of the units that scans are made of
	for i := range f.components {
		component := header[6+3*i:]
		h, v := int(component[1]>>4), int(component[1]&15)
		if f.components == 1 {
			h, v = 1, 1
		}
		if i == 0 {
			across, down = max(1, h), max(1, v)
			f.rgb = f.rgb || component[0] == 'R'
		}
		f.samples += (width + 8*across - 1) / (8 * across) * h * ((height + 8*down - 1) / (8 * down)) * v * 64
	}
}

// size is how many bytes decoding takes: one a sample, four more for each coefficient that is kept, and four a pixel where the components are put
// together.
func (f *jpegFrame) size(pixels int) int {
	size := f.samples
	if f.progressive {
		size += 4 * f.samples
	}
	if f.components == 4 || f.components == 3 && f.rgb {
		size += 4 * pixels
	}
	return size
}
