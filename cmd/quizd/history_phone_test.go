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
	_, incarnation := in.running()
	var m struct {
		Shared   json.RawMessage `json:"shared"`
		Personal json.RawMessage `json:"personal"`
	}
	if status, err := s.call(asking, in, http.MethodGet, s.path+s.role, nil, &m); err == nil && status == http.StatusOK {
		s.take(ctx, "polls of "+incarnation, m.Shared, m.Personal)
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

// phone is a screen that answers.
type phone struct {
	screen
	participant string
	closes      map[string]time.Duration // how long after its opening the host means to close a question; absent for those that the clock closes
	answering   sync.WaitGroup

	planning sync.Mutex
	answered map[string]bool
	dice     *rand.Rand
}

func (p *phone) see(ctx context.Context, s snapshotSeen) {
	if s.Phase != "open" || s.Question == nil {
		return
	}
	p.planning.Lock()
	defer p.planning.Unlock()
	if p.answered[s.Question.ID] {
		return
	}
	p.answered[s.Question.ID] = true
	// Its own dice: what the others do must not change what this one does.
	dice := rand.New(rand.NewPCG(p.dice.Uint64(), p.dice.Uint64()))
	closesAt := time.UnixMilli(s.ClosesAt)
	if d, byHost := p.closes[s.Question.ID]; byHost {
		closesAt = time.UnixMilli(s.OpensAt).Add(d)
	}
	p.answering.Go(func() { p.answer(ctx, s.Question.ID, closesAt, dice) })
}

// answer answers a question as people do: most at some time, many in the last moment, some twice, some on two tabs at once.
func (p *phone) answer(ctx context.Context, question string, closesAt time.Time, dice *rand.Rand) {
	left := time.Until(closesAt)
	wait := time.Duration(dice.Float64() * float64(max(left, time.Millisecond)))
	if dice.Float64() < 0.5 {
		wait = left + time.Duration(dice.NormFloat64()*float64(30*time.Millisecond))
	}
	if !pause(ctx, wait) {
		return
	}
	again := dice.Float64()
	if again < 0.15 {
		other := rand.New(rand.NewPCG(dice.Uint64(), dice.Uint64()))
		p.answering.Go(func() { p.insist(ctx, question, other) })
	}
	p.insist(ctx, question, dice)
	if again > 0.85 {
		p.insist(ctx, question, dice)
	}
}

// insist sends an answer until it has an outcome.
func (p *phone) insist(ctx context.Context, question string, dice *rand.Rand) {
	p.insistOn(ctx, question, fmt.Sprintf("answer-%x", dice.Uint64()), dice.IntN(4), dice)
}

func (p *phone) insistOn(ctx context.Context, question, id string, choice int, dice *rand.Rand) {
	for ctx.Err() == nil {
		sending := history.Sending{Participant: p.participant, Question: question, Answer: id, Choice: choice, Began: time.Now()}
		told, err := p.send(ctx, question, id, choice, dice)
		if err == nil {
			sending.Outcome = told.Outcome
			if len(told.Given.Choices) == 1 {
				sending.Told = told.Given.Choices[0]
			}
		}
		sending.Ended = time.Now()
		p.history.Sent(sending)
		if sending.Outcome != "" && sending.Outcome != "busy" {
			return
		}
		pause(ctx, time.Duration(20+dice.IntN(200))*time.Millisecond)
	}
}

var errNoOutcome = errors.New("no outcome came")

// send sends an answer once, over the socket or by POST.
func (p *phone) send(ctx context.Context, question, id string, choice int, dice *rand.Rand) (outcomeSeen, error) {
	body := map[string]any{"id": id, "question": question, "given": map[string]any{"choices": []int{choice}}}
	if dice.Float64() < 0.6 {
		if arrived, ok := p.sendBySocket(id, body); ok {
			select {
			case o := <-arrived:
				return o, nil
			case <-time.After(requestTimeout):
			case <-ctx.Done():
			}
			return outcomeSeen{}, errNoOutcome
		}
	}
	ctx, cancel := context.WithTimeout(ctx, requestTimeout)
	defer cancel()
	return p.post(ctx, p.members[dice.IntN(len(p.members))], body)
}

// post sends an answer over HTTP.
func (p *phone) post(ctx context.Context, in *member, body any) (o outcomeSeen, err error) {
	status, err := p.call(ctx, in, http.MethodPost, p.path+"answers", body, &o)
	if err != nil {
		return o, err
	}
	if status != http.StatusOK {
		o.Outcome = strings.TrimPrefix(o.Type, "/problems/")
	}
	if status >= http.StatusInternalServerError {
		o.Outcome = "busy"
	}
	return o, nil
}

func (p *phone) sendBySocket(id string, body any) (<-chan outcomeSeen, bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.socket == nil {
		return nil, false
	}
	arrived := make(chan outcomeSeen, 1)
	p.outcomes[id] = arrived
	_ = p.socket.SetWriteDeadline(time.Now().Add(time.Second))
	return arrived, p.socket.WriteJSON(map[string]any{"answer": body}) == nil
}
