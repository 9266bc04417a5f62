package session

import (
	"encoding/json"
	"fmt"
	"hash/maphash"
	"sync"
)

// Frame is one message's JSON, encoded once for everybody it goes to.
type Frame struct {
	Body []byte

	once     sync.Once
	prepared any
}

// Prepared returns what prepare makes of the body, made once: a transport keeps its own wire form of the frame here.
func (f *Frame) Prepared(prepare func(body []byte) any) any {
	f.once.Do(func() { f.prepared = prepare(f.Body) })
	return f.prepared
}

// digestSeed lasts as long as the process, as what it is for does.
var digestSeed = maphash.MakeSeed()

// digest tells frames apart.
func (f *Frame) digest() uint64 { return maphash.Bytes(digestSeed, f.Body) }

// newFrame encodes v, which is one of this package's own types and therefore always can be.
func newFrame(v any) *Frame {
	body, err := json.Marshal(v)
	if err != nil {
		panic(fmt.Sprintf("session: encoding %T: %v", v, err))
	}
	return &Frame{Body: body}
}
