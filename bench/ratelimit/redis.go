package main

import (
	"context"
	"fmt"
	"log"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/go-redis/redis_rate/v10"
	goredis "github.com/redis/go-redis/v9"
	"github.com/redis/rueidis"

	"pubquiz/internal/freeport"
	"pubquiz/ratelimit"
	"pubquiz/ratelimit/redis"
)

const (
	callers        = 64
	callsPerCaller = 3000
	redisKeys      = 5000
	redisRounds    = 5
)

// throughput is what a contender did for many callers at once.
type throughput struct {
	perSecond float64
	p50, p99  time.Duration
}

// load is not ok if a call failed.
func load(call func(n int) error) (t throughput, ok bool) {
	var failed atomic.Bool
	times := make([][]time.Duration, callers)
	start := time.Now()
	var wg sync.WaitGroup
	for c := range times {
		wg.Go(func() {
			for n := range callsPerCaller {
				start := time.Now()
				if call((c*31+n)%redisKeys) != nil {
					failed.Store(true)
					return
				}
				times[c] = append(times[c], time.Since(start))
			}
		})
	}
	wg.Wait()
	took := time.Since(start)
	all := slices.Concat(times...)
	slices.Sort(all)
	return throughput{float64(len(all)) / took.Seconds(), all[len(all)/2], all[len(all)*99/100]}, !failed.Load()
}

// startRedis starts a server of our own on a free port of this machine.
func startRedis() (addr string, stop func()) {
	addr = must(freeport.Loopback())
	dir := must(os.MkdirTemp("", "bench"))
	_, port, _ := strings.Cut(addr, ":")
	cmd := exec.Command("redis-server", "--bind", "127.0.0.1", "--port", port, "--save", "", "--appendonly", "no", "--dir", dir)
	if err := cmd.Start(); err != nil {
		log.Fatal(err)
	}
	for range 500 {
		if conn, err := net.Dial("tcp", addr); err == nil {
			conn.Close()
			break
		}
		time.Sleep(10 * time.Millisecond)
	}
	return addr, func() {
		cmd.Process.Kill()
		cmd.Wait()
		os.RemoveAll(dir)
	}
}

// inRedis measures decisions for many callers at once and returns the bars.
func inRedis(text *strings.Builder) []bar {
	addr, stop := startRedis()
	defer stop()
	store := must(redis.Open("redis://"+addr, "bench:"))
	defer store.Close()
	limiters := must(ratelimit.New(ratelimit.Table, ratelimit.SharedIn(store)))
	other := goredis.NewClient(&goredis.Options{Addr: addr, PoolSize: callers})
	defer other.Close()
	approximate := redis_rate.NewLimiter(other)
	plain := must(rueidis.NewClient(rueidis.ClientOption{InitAddress: []string{addr}, DisableCache: true, DisableRetry: true, PipelineMultiplex: -1}))
	defer plain.Close()
	names := make([]string, redisKeys)
	for n := range names {
		names[n] = address(n).String()
	}
	// The script that our store runs, by the other client: what the choice of a client is worth.
	script := goredis.NewScript(string(must(os.ReadFile(filepath.Join("..", "..", "ratelimit", "redis", "take.lua")))))
	contenders := []struct {
		name string
		call func(n int) error
	}{
		{"ours", func(n int) error {
			d, err := limiters.Allow(ctx, ratelimit.JoinSession.For(ratelimit.AddressKey(address(n))))
			if err == nil && d.Place != ratelimit.InStore {
				err = fmt.Errorf("decided elsewhere: %+v", d)
			}
			return err
		}},
		{"go-redis/redis_rate", func(n int) error {
			_, err := approximate.Allow(ctx, names[n], redis_rate.PerMinute(budget))
			return err
		}},
		{"our script by go-redis", func(n int) error {
			return script.Run(ctx, other, []string{"script:" + names[n]}, "take", budget, window.Microseconds(), "").Err()
		}},
		{"PING by rueidis", func(int) error { return plain.Do(ctx, plain.B().Ping().Build()).Error() }},
	}
	best := make([]throughput, len(contenders))
	for range redisRounds {
		for i, c := range contenders {
			t, ok := load(c.call)
			if !ok {
				fmt.Fprintln(os.Stderr, c.name, "failed in one round, which does not count")
				time.Sleep(2 * time.Second) // until our breaker has let it try again
				continue
			}
			best[i].perSecond = max(best[i].perSecond, t.perSecond)
			if best[i].p99 == 0 || t.p99 < best[i].p99 {
				best[i].p50, best[i].p99 = t.p50, t.p99
			}
		}
	}
	fmt.Fprintf(text, "| Redis, %d callers | decisions | p50 | p99 |\n| --- | --: | --: | --: |\n", callers)
	for i, c := range contenders {
		fmt.Fprintf(text, "| %s | %.0f/s | %v | %v |\n", c.name, best[i].perSecond, best[i].p50.Round(time.Microsecond), best[i].p99.Round(time.Microsecond))
	}
	fmt.Fprintf(text, "\nOur decisions to bare PINGs through the same client: %.2f.\n\n", best[0].perSecond/best[3].perSecond)

	perSecond := func(n float64) string { return fmt.Sprintf("%.0f/s", n) }
	microseconds := func(n float64) string { return fmt.Sprintf("%.0fus", n/1e3) }
	bars := []bar{
		atLeast(1.4, "redis-decisions-to-redis_rate", best[0].perSecond, best[1].perSecond, perSecond),
		atMost("redis-p99-to-redis_rate", float64(best[0].p99), float64(best[1].p99), microseconds),
	}
	for _, full := range []struct {
		stamps int
		most   float64
	}{{10, 1300}, {100, 1300}, {1200, 13_000}} {
		limit := ratelimit.Limit{Name: ratelimit.Name(fmt.Sprint("full", full.stamps)), Budget: full.stamps, Window: window, Key: ratelimit.ByUser}
		l := must(ratelimit.New([]ratelimit.Limit{limit}, ratelimit.SharedIn(store)))
		for range full.stamps {
			must(l.Allow(context.Background(), limit.For(ratelimit.UserKey(1))))
		}
		key := must(other.Keys(ctx, "*"+string(limit.Name)+":*").Result())[0]
		bytes := must(other.MemoryUsage(ctx, key, 0).Result())
		bars = append(bars, atMost(fmt.Sprintf("redis-bytes-of-%d", full.stamps), float64(bytes), full.most, func(n float64) string { return fmt.Sprintf("%.0fB", n) }))
	}
	return bars
}
