package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/gorilla/websocket"

	"pubquiz/internal/history"
)

// screen is a phone, a big screen or a console that follows a session through whichever server it reaches, and tells the history what it saw.
type screen struct {
	name    string
	role    string // also the end of its address
	path    string // of the session
	header  http.Header
	random  *rand.Rand // for the goroutine that follows
	members []*member
	history *history.History
	links   atomic.Int64
	seen    func(context.Context, snapshotSeen) // called for what is newer than everything before

	mu       sync.Mutex
	latest   snapshotSeen
	own      json.RawMessage
	socket   *websocket.Conn
	outcomes map[string]chan outcomeSeen
}

type snapshotSeen struct {
	Epoch    string `json:"epoch"`
	Version  int64  `json:"version"`
	Phase    string `json:"phase"`
	Question *struct {
		ID string `json:"id"`
	} `json:"question"`
	OpensAt  int64  `json:"opensAt"`
	ClosesAt int64  `json:"closesAt"`
	JoinCode string `json:"joinCode"`
}

type outcomeSeen struct {
	ID         string `json:"id"`
	Outcome    string `json:"outcome"`
	Type       string `json:"type"` // over HTTP, of a refusal
	RetryAfter int    `json:"retryAfter"`
	Given      struct {
		Choices []int `json:"choices"`
	} `json:"given"`
}

const requestTimeout = 3 * time.Second

// follow keeps the screen up to date until ctx ends: by a socket, and while it has none, by polling.
func (s *screen) follow(ctx context.Context) {
	for ctx.Err() == nil {
		in := s.members[s.random.IntN(len(s.members))]
		err := s.readSocket(ctx, in)
		if ctx.Err() == nil && err != nil {
			s.poll(ctx, s.members[s.random.IntN(len(s.members))])
			pause(ctx, time.Duration(50+s.random.IntN(200))*time.Millisecond)
		}
	}
}

func (s *screen) readSocket(ctx context.Context, in *member) error {
	dialing, cancel := context.WithTimeout(ctx, requestTimeout)
	defer cancel()
	socket, _, err := websocket.DefaultDialer.DialContext(dialing, strings.Replace(in.base, "http", "ws", 1)+s.path+s.role+"/socket", s.header)
	if err != nil {
		return err
	}
	defer socket.Close()
	defer context.AfterFunc(ctx, func() { _ = socket.Close() })()
	s.attach(socket)
	defer s.attach(nil)
	link := fmt.Sprintf("socket %d to %s", s.links.Add(1), in.base)
	for {
		// Heartbeats come every 10 to 15 seconds; a frozen server sends none.
		_ = socket.SetReadDeadline(time.Now().Add(16 * time.Second))
		_, message, err := socket.ReadMessage()
		if err != nil {
			return err
		}
		var m struct {
			Shared   json.RawMessage `json:"shared"`
			Personal json.RawMessage `json:"personal"`
			Outcome  *outcomeSeen    `json:"outcome"`
		}
		if err := json.Unmarshal(message, &m); err != nil {
			return err
		}
		if m.Outcome != nil {
			s.told(*m.Outcome)
		}
		s.take(ctx, link, m.Shared, m.Personal)
	}
}

func (s *screen) attach(socket *websocket.Conn) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.socket = socket
}

func (s *screen) poll(ctx context.Context, in *member) {
	asking, cancel := context.WithTimeout(ctx, requestTimeout)
	defer cancel()
	link := fmt.Sprintf("poll %d through %s", s.links.Add(1), in.base)
	if in.cluster != nil {
		_, incarnation := in.running()
		link = "polls of " + incarnation
	}
	var m struct {
		Shared   json.RawMessage `json:"shared"`
		Personal json.RawMessage `json:"personal"`
	}
	if status, err := s.call(asking, in, http.MethodGet, s.path+s.role, nil, &m); err == nil && status == http.StatusOK {
		s.take(ctx, link, m.Shared, m.Personal)
	}
}

// take tells the history what came, and applies what is newer.
func (s *screen) take(ctx context.Context, link string, shared, own json.RawMessage) {
	s.mu.Lock()
	if own != nil {
		s.own = own
	}
	s.mu.Unlock()
	if shared == nil {
		return
	}
	var snapshot snapshotSeen
	if err := json.Unmarshal(shared, &snapshot); err != nil {
		snapshot.Epoch = err.Error() // which the history will not find equal to anybody's
	}
	s.history.Saw(history.Sight{
		Screen: s.name, Link: link, Role: s.role, Epoch: snapshot.Epoch, Version: snapshot.Version, Body: string(shared),
	})
	s.mu.Lock()
	newer := snapshot.Epoch != s.latest.Epoch || snapshot.Version > s.latest.Version
	if newer {
		s.latest = snapshot
	}
	s.mu.Unlock()
	if newer && s.seen != nil {
		s.seen(ctx, snapshot)
	}
}

func (s *screen) now() snapshotSeen {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.latest
}

// await waits until the screen shows a phase, and reports whether it did before ctx ended.
func (s *screen) await(ctx context.Context, phase string) bool {
	for s.now().Phase != phase {
		if !pause(ctx, 10*time.Millisecond) {
			return false
		}
	}
	return true
}

// errNobodyThere is a proxy's answer where no server gave one.
var errNobodyThere = errors.New("the proxy has nobody to pass it on to")

// call sends one request and decodes the answer, whatever its status.
func (s *screen) call(ctx context.Context, in *member, method, path string, body, out any) (status int, err error) {
	encoded, err := json.Marshal(body)
	if err != nil {
		return 0, err
	}
	req, err := http.NewRequestWithContext(ctx, method, in.base+path, bytes.NewReader(encoded))
	if err != nil {
		return 0, err
	}
	req.Header = s.header.Clone()
	req.Header.Set("Content-Type", "application/json")
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		return 0, err
	}
	defer res.Body.Close()
	answer, err := io.ReadAll(res.Body)
	if err != nil {
		return 0, err
	}
	if res.StatusCode == http.StatusBadGateway {
		return res.StatusCode, errNobodyThere
	}
	return res.StatusCode, json.Unmarshal(answer, out)
}

func (s *screen) told(o outcomeSeen) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if waiting := s.outcomes[o.ID]; waiting != nil {
		select {
		case waiting <- o:
		default: // one is enough
		}
	}
}
