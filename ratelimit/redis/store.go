// Package redis shares the budgets of limiters between instances through a Redis server.
//
// Each key is a list of the moments at which its requests were admitted, so that the count is as exact as in memory. One
// script decides and charges in one step, by the server's clock; two keys of one call have one hash tag. Every key expires with
// its window. Nothing is retried: a call whose answer is late may have been charged.
package redis

import (
	"context"
	_ "embed"
	"errors"
	"fmt"
	"strconv"
	"sync"
	"sync/atomic"
	"time"

	"github.com/redis/rueidis"

	"pubquiz/ratelimit"
)

//go:embed take.lua
var takeScript string

var take = rueidis.NewLuaScript(takeScript)

// dialTimeout bounds an attempt to connect.
const dialTimeout = time.Second

// Store is a Redis server as a ratelimit.Store.
type Store struct {
	option     rueidis.ClientOption
	prefix     string
	client     atomic.Pointer[rueidis.Client] // nil until the server has answered once
	connecting sync.Mutex
}

// Open connects to the server at a URL such as redis://user:password@host:6379/0. It waits for an answer for at most a second; if
// none comes, the store goes on trying whenever it is used. All keys in the server begin with the prefix. The error says what is wrong
// with the URL.
func Open(url, prefix string) (*Store, error) {
	option, err := readURL(url)
	if err != nil {
		return nil, err
	}
	s := &Store{option: option, prefix: prefix}
	s.connecting.Lock()
	s.connect()
	return s, nil
}

func readURL(url string) (rueidis.ClientOption, error) {
	option, err := rueidis.ParseURL(url)
	if err != nil {
		return option, fmt.Errorf("redis: %w", err)
	}
	option.DisableCache = true
	option.DisableRetry = true
	// All calls share one connection and travel together: more decisions a second than several connections give.
	option.PipelineMultiplex = -1
	option.Dialer.Timeout = dialTimeout
	option.ConnWriteTimeout = dialTimeout
	return option, nil
}

// Check connects to the server at a URL and has it decide about a key that nobody has, without charging it. The error says why a store there would not work.
func Check(ctx context.Context, url, prefix string) error {
	option, err := readURL(url)
	if err != nil {
		return err
	}
	client, err := rueidis.NewClient(option)
	if err != nil {
		return fmt.Errorf("redis: %w", err)
	}
	s := &Store{option: option, prefix: prefix}
	s.client.Store(&client)
	defer s.Close()
	_, _, err = s.Take(ctx, []ratelimit.Charge{{Key: "nobody", Budget: 1, Window: time.Second}}, true)
	return err
}

// connect tries to connect, and unlocks connecting.
func (s *Store) connect() {
	defer s.connecting.Unlock()
	if client, err := rueidis.NewClient(s.option); err == nil {
		s.client.Store(&client)
	}
}

var errNotConnected = errors.New("redis: not connected yet")

// connected is the client, once there is one. Until then every call starts another attempt, unless one is under way.
func (s *Store) connected() (rueidis.Client, error) {
	if client := s.client.Load(); client != nil {
		return *client, nil
	}
	if s.connecting.TryLock() {
		go s.connect()
	}
	return nil, errNotConnected
}

// Close closes the connection.
func (s *Store) Close() {
	if client := s.client.Load(); client != nil {
		(*client).Close()
	}
}

// Take implements ratelimit.Store.
func (s *Store) Take(ctx context.Context, charges []ratelimit.Charge, peek bool) (counts []ratelimit.Count, at int64, err error) {
	client, err := s.connected()
	if err != nil {
		return nil, 0, err
	}
	keys := make([]string, len(charges))
	args := append(make([]string, 0, 1+3*len(charges)), "take")
	if peek {
		args[0] = "peek"
	}
	for i, c := range charges {
		keys[i] = s.prefix + c.Key
		args = append(args, strconv.Itoa(c.Budget), strconv.FormatInt(c.Window.Microseconds(), 10), "")
		if c.Shadow {
			args[len(args)-1] = "shadow"
		}
	}
	answer, err := take.Exec(ctx, client, keys, args).AsIntSlice()
	if err != nil {
		return nil, 0, fmt.Errorf("redis: take: %w", err)
	}
	if len(answer)%3 != 1 || len(answer) < 4 || len(answer) > 1+3*len(charges) {
		return nil, 0, fmt.Errorf("redis: take: %d numbers in the answer about %d charges", len(answer), len(charges))
	}
	for n := 1; n < len(answer); n += 3 {
		counts = append(counts, ratelimit.Count{
			Used: int(answer[n]), Reset: time.Duration(answer[n+1]) * time.Microsecond, Wait: time.Duration(answer[n+2]) * time.Microsecond,
		})
	}
	return counts, answer[0], nil
}

// Refund implements ratelimit.Store.
func (s *Store) Refund(ctx context.Context, key string, at int64) error {
	client, err := s.connected()
	if err != nil {
		return err
	}
	if err := client.Do(ctx, client.B().Lrem().Key(s.prefix+key).Count(-1).Element(strconv.FormatInt(at, 10)).Build()).Error(); err != nil {
		return fmt.Errorf("redis: refund: %w", err)
	}
	return nil
}

// Forget implements ratelimit.Store.
func (s *Store) Forget(ctx context.Context, key string) error {
	client, err := s.connected()
	if err != nil {
		return err
	}
	if err := client.Do(ctx, client.B().Del().Key(s.prefix+key).Build()).Error(); err != nil {
		return fmt.Errorf("redis: forget: %w", err)
	}
	return nil
}
