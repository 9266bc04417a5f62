package web

import (
	"bytes"
	"context"
	"encoding/json"
	"slices"

	"pubquiz/session"
)

// drain tells the phone whatever is new, in one write. It never waits: what has to, it returns as the rest. It runs again
// after every wake.
func (c *connection) drain() (rest func()) {
	if !c.begun || c.console != nil {
		return c.tell
	}
	sight, err := c.watcher.Now()
	return c.pass(sight, nil, err)
}

// tell is drain where the store or the limiters are asked.
func (c *connection) tell() {
	sight, err := c.look()
	var room []byte
	if err == nil {
		room = c.newsOfRoom()
	}
	if rest := c.pass(sight, room, err); rest != nil {
		rest()
	}
}

// look reads freshly at first, and from then on what the room knows.
func (c *connection) look() (session.Sight, error) {
	if c.begun {
		return c.watcher.Now()
	}
	ctx, cancel := context.WithTimeout(context.Background(), socketWriteTimeout)
	defer cancel()
	sight, err := c.watcher.First(ctx)
	c.begun = err == nil
	return sight, err
}

// newsOfRoom is how a host's room stands with its budgets; nil if that has not changed.
func (c *connection) newsOfRoom() []byte {
	if c.console == nil {
		return nil
	}
	room, err := c.server.room(context.Background(), c.watcher.Viewer)
	if err != nil || bytes.Equal(room, c.console.room) {
		return nil // what the limiters cannot say now, they say at the next beat
	}
	c.console.room = room
	return room
}

// pass passes on what there is to see. A phone that does not take it in time is cut: it comes back and reads the newest.
func (c *connection) pass(sight session.Sight, room []byte, refused error) (rest func()) {
	if refused != nil {
		return func() { closeRefused(c.ws, refused) }
	}
	frames := c.frames(sight, room)
	if len(frames) == 0 {
		return nil
	}
	finish, err := c.line.send(frames)
	switch {
	case err != nil:
		return func() { c.close(closeTooSlow) }
	case finish != nil:
		return func() {
			if finish() != nil {
				c.close(closeTooSlow)
			}
		}
	default:
		return nil
	}
}

// frames is what is to be written: usually nothing, or the same bytes as for everyone.
func (c *connection) frames(sight session.Sight, room []byte) []byte {
	var frames []byte
	if sight.Epoch != c.epoch || sight.Version > c.version {
		frames = slices.Clip(sharedFrame(sight.Shared)) // whatever is added goes into a copy
		c.epoch, c.version = sight.Epoch, sight.Version
	}
	if sight.Own != nil {
		frames = appendMessage(frames, ownName(c.role), sight.Own.Body)
	}
	if room != nil {
		frames = appendMessage(frames, "room", room)
	}
	c.mu.Lock()
	outcomes, beat, pong := c.outcomes, c.beatDue, c.pongDue
	c.outcomes, c.beatDue, c.pongDue = nil, false, nil
	c.mu.Unlock()
	for _, out := range outcomes {
		frames = appendJSON(frames, map[string]outcome{"outcome": out.in(c.language)})
	}
	if pong != nil {
		frames = append(appendFrame(frames, opPong, len(*pong)), *pong...)
	}
	if beat {
		frames = appendFrame(frames, opPing, 0)
		frames = appendJSON(frames, struct {
			V     int64  `json:"v"`
			Epoch string `json:"epoch"`
			Now   int64  `json:"now"`
		}{c.version, c.epoch, c.server.now().UnixMilli()})
	}
	return frames
}

// sharedFrame is the snapshot's frame, made once for all connections that it goes to.
func sharedFrame(f *session.Frame) []byte {
	return f.Prepared(func(body []byte) any { return appendMessage(nil, "shared", body) }).([]byte)
}

// appendJSON adds a message, which is one of this package's own and therefore always can be encoded.
func appendJSON(b []byte, v any) []byte {
	body, err := json.Marshal(v)
	if err != nil {
		return b
	}
	return append(appendFrame(b, opText, len(body)), body...)
}
