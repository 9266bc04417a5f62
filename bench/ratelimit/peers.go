package main

import (
	"context"
	"encoding/binary"
	"net/netip"
	"sync"
	"time"

	"github.com/go-chi/httprate"
	"github.com/sethvargo/go-limiter/memorystore"
	"github.com/throttled/throttled/v2"
	"github.com/throttled/throttled/v2/store/memstore"
	"github.com/ulule/limiter/v3"
	"github.com/ulule/limiter/v3/drivers/store/memory"
	"golang.org/x/time/rate"

	"pubquiz/ratelimit"
)

// The budget that everyone is given.
const (
	budget  = 100
	window  = time.Minute
	maxKeys = 50_000
)

// contender is a limiter under test. Its function asks for one request of the n-th client, by the key in the form that suits it
// best, made beforehand.
type contender struct {
	name    string
	exact   bool // never more than the budget in any window
	bounded bool // memory is bounded whatever comes
	start   func() (call func(n int), stop func())
}

// stopNothing stops what has nothing to stop.
func stopNothing() {}

var ctx = context.Background()

var ours = contender{"ours", true, true, func() (func(int), func()) {
	limiters := must(ratelimit.New(ratelimit.Table))
	made := make([]ratelimit.Check, uniformKeys)
	for n := range made {
		made[n] = ratelimit.JoinSession.For(ratelimit.AddressKey(address(n)))
	}
	return func(n int) {
		if n < uniformKeys {
			limiters.Allow(ctx, made[n])
			return
		}
		limiters.Allow(ctx, ratelimit.JoinSession.For(ratelimit.AddressKey(address(n))))
	}, stopNothing
}}

var peers = []contender{
	{"httprate", false, false, func() (func(int), func()) {
		// What its middleware does for each request, without the headers.
		counter := httprate.NewLocalLimitCounter(window)
		limiter := httprate.NewRateLimiter(budget, window, httprate.WithLimitCounter(counter))
		var mu sync.Mutex
		return func(n int) {
			key := keys.at(n)
			mu.Lock()
			if ok, _, _ := limiter.Status(key); ok {
				counter.IncrementBy(key, time.Now().UTC().Truncate(window), 1)
			}
			mu.Unlock()
		}, stopNothing
	}},
	{"go-limiter", false, false, func() (func(int), func()) {
		store := must(memorystore.New(&memorystore.Config{Tokens: budget, Interval: window}))
		return func(n int) { store.Take(ctx, keys.at(n)) }, func() { store.Close(ctx) }
	}},
	{"ulule", false, false, func() (func(int), func()) {
		l := limiter.New(memory.NewStore(), limiter.Rate{Period: window, Limit: budget})
		return func(n int) { l.Get(ctx, keys.at(n)) }, stopNothing
	}},
	{"throttled", false, true, func() (func(int), func()) {
		store := must(memstore.NewCtx(maxKeys))
		quota := throttled.RateQuota{MaxRate: throttled.PerMin(budget), MaxBurst: budget - 1}
		l := must(throttled.NewGCRARateLimiterCtx(store, quota))
		return func(n int) { l.RateLimitCtx(ctx, keys.at(n), 1) }, stopNothing
	}},
	// What most people write themselves.
	{"x/time/rate", false, false, func() (func(int), func()) {
		var mu sync.Mutex
		limiters := map[string]*rate.Limiter{}
		return func(n int) {
			key := keys.at(n)
			mu.Lock()
			l := limiters[key]
			if l == nil {
				l = rate.NewLimiter(budget/rate.Limit(window.Seconds()), budget)
				limiters[key] = l
			}
			mu.Unlock()
			l.Allow()
		}, stopNothing
	}},
}

// address is the n-th client's: all different for n below 2³², and scattered over all blocks.
func address(n int) netip.Addr {
	var ip [4]byte
	binary.BigEndian.PutUint32(ip[:], uint32(n)*2_654_435_761)
	return netip.AddrFrom4(ip)
}

// keyTable is the clients' addresses as text, in one string, so that the garbage collector has nothing to do with them.
type keyTable struct {
	text string
	ends []uint32
}

var keys keyTable

func (k *keyTable) fill(n int) {
	text := make([]byte, 0, 14*n)
	k.ends = make([]uint32, n+1)
	for i := range n {
		text = address(i).AppendTo(text)
		k.ends[i+1] = uint32(len(text))
	}
	k.text = string(text)
}

func (k *keyTable) at(n int) string { return k.text[k.ends[n]:k.ends[n+1]] }

// must panics, so that a server that was started is stopped on the way out.
func must[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}
