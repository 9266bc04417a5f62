// Package presence tells the instances of the server, through Redis, whose phones are connected to the others.
package presence

import (
	"context"
	"crypto/rand"
	_ "embed"
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"sync"
	"time"

	"github.com/redis/rueidis"

	"pubquiz/session"
)

//go:embed exchange.lua
var exchangeScript string

var exchange = rueidis.NewLuaScript(exchangeScript)

// Redis is a session.Presence. It has a connection of its own, so that what it sends delays no limiter.
type Redis struct {
	option   rueidis.ClientOption
	prefix   string
	instance string // this one, among those that share the server

	mu     sync.Mutex
	client rueidis.Client // nil until the server has answered once
}

// New returns the presence kept by the server at a URL such as redis://user:password@host:6379/0. It connects when it is
// first used. All keys in the server begin with the prefix. The error says what is wrong with the URL.
func New(url, prefix string) (*Redis, error) {
	option, err := rueidis.ParseURL(url)
	if err != nil {
		return nil, fmt.Errorf("presence: %w", err)
	}
	option.DisableCache = true
	option.DisableRetry = true // what is late is said anew
	option.PipelineMultiplex = -1
	option.Dialer.Timeout = time.Second
	option.ConnWriteTimeout = time.Second
	return &Redis{option: option, prefix: prefix, instance: rand.Text()}, nil
}

// Close closes the connection.
func (p *Redis) Close() {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.client != nil {
		p.client.Close()
	}
}

func (p *Redis) connected() (rueidis.Client, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.client != nil {
		return p.client, nil
	}
	client, err := rueidis.NewClient(p.option)
	if err != nil {
		return nil, fmt.Errorf("connecting: %w", err)
	}
	p.client = client
	return client, nil
}

// seen is what one instance says of a session: the participants by how they are connected.
type seen map[session.Via][]int64

// Exchange implements session.Presence.
func (p *Redis) Exchange(ctx context.Context, id session.ID, here map[int64]session.Via, lasts time.Duration) (map[int64]session.Via, error) {
	client, err := p.connected()
	if err != nil {
		return nil, fmt.Errorf("presence: %w", err)
	}
	key := p.prefix + "presence:" + strconv.FormatInt(int64(id), 10)
	said, err := exchange.Exec(ctx, client, []string{key}, []string{p.instance, strconv.FormatInt(lasts.Milliseconds(), 10), encode(here)}).AsStrSlice()
	if err != nil {
		return nil, fmt.Errorf("presence: %w", err)
	}
	elsewhere := map[int64]session.Via{}
	for _, text := range said {
		var one seen
		if err := json.Unmarshal([]byte(text), &one); err != nil {
			return nil, fmt.Errorf("presence: another instance says %.40q: %w", text, err)
		}
		for _, via := range []session.Via{session.ViaPoll, session.ViaSocket} { // a socket counts before a poll
			for _, participant := range one[via] {
				if elsewhere[participant] != session.ViaSocket {
					elsewhere[participant] = via
				}
			}
		}
	}
	return elsewhere, nil
}

// encode writes who is here; nothing for nobody.
func encode(here map[int64]session.Via) string {
	if len(here) == 0 {
		return ""
	}
	said := seen{}
	for participant, via := range here {
		said[via] = append(said[via], participant)
	}
	for _, participants := range said {
		slices.Sort(participants)
	}
	text, err := json.Marshal(said)
	if err != nil {
		panic(fmt.Sprintf("presence: encoding %v: %v", said, err)) // numbers always can be
	}
	return string(text)
}
