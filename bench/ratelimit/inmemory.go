package main

import (
	"fmt"
	"runtime"
	"slices"
	"strings"
	"sync"
	"time"
)

const (
	uniformKeys = 49_000
	floodKeys   = 5_000_000

	// The contenders take turns, so that what else the machine does hits all of them. A figure in nanoseconds is that of the
	// fastest pass of all turns, as everything else can only make a pass slower.
	turns         = 20
	passesPerTurn = 5
	passCalls     = uniformKeys

	floodRounds = 3
)

// speed is nanoseconds a call.
type speed struct{ hot, uniform, parallel float64 }

// flood is what a contender did when every request came from somebody new.
type flood struct {
	callsPerSecond float64
	heap           int64         // bytes it grew by
	p999, worst    time.Duration // of a call
}

// measureSpeed times a client alone, all clients in turn, and these from two processors at once. It also counts allocations a call.
func measureSpeed(all []contender) (speeds []speed, allocs []float64) {
	speeds, allocs = make([]speed, len(all)), make([]float64, len(all))
	calls := make([]func(int), len(all))
	for i, c := range all {
		call, stop := c.start()
		defer stop()
		calls[i] = call
		for range budget { // what is allocated once for each client, and no more
			spread(calls[i], 0, uniformKeys)
		}
		speeds[i] = speed{1e9, 1e9, 1e9}
	}
	for range turns {
		for i, call := range calls {
			s := &speeds[i]
			for range passesPerTurn {
				var before, after runtime.MemStats
				runtime.ReadMemStats(&before)
				s.hot = min(s.hot, perCall(passCalls, func() {
					for range passCalls {
						call(0)
					}
				}))
				s.uniform = min(s.uniform, perCall(passCalls, func() { spread(call, 0, passCalls) }))
				runtime.ReadMemStats(&after)
				allocs[i] += float64(after.Mallocs-before.Mallocs) / (2 * passCalls * turns * passesPerTurn)
				s.parallel = min(s.parallel, perCall(2*passCalls, func() {
					var wg sync.WaitGroup
					wg.Go(func() { spread(call, 0, passCalls) })
					wg.Go(func() { spread(call, uniformKeys/2, passCalls) })
					wg.Wait()
				}))
			}
		}
	}
	return speeds, allocs
}

func perCall(calls int, run func()) float64 {
	start := time.Now()
	run()
	return float64(time.Since(start).Nanoseconds()) / float64(calls)
}

// spread calls for all clients in turn, with a stride, so that neighbours in a table are not neighbours in time.
func spread(call func(int), n, calls int) {
	for range calls {
		if n += 17; n >= uniformKeys {
			n -= uniformKeys
		}
		call(n)
	}
}

// measureFlood sends five million clients within a window: once for the total time, once more for each call's and the heap.
func measureFlood(all []contender) []flood {
	floods := make([]flood, len(all))
	times := make([]time.Duration, floodKeys)
	for round := range floodRounds {
		for i, c := range all {
			f := &floods[i]
			call, stop := c.start()
			start := time.Now()
			for n := range floodKeys {
				call(n)
			}
			f.callsPerSecond = max(f.callsPerSecond, floodKeys/time.Since(start).Seconds())

			var before, after runtime.MemStats
			stop()
			call, stop = nil, nil
			runtime.GC() // twice, as some of what is left has finalizers
			runtime.GC()
			runtime.ReadMemStats(&before)
			call, stop = c.start()
			for n := range floodKeys {
				start := time.Now()
				call(n)
				times[n] = time.Since(start)
			}
			runtime.GC()
			runtime.ReadMemStats(&after)
			f.heap = max(f.heap, int64(after.HeapAlloc)-int64(before.HeapAlloc))
			call(0)
			stop()
			slices.Sort(times)
			p999, worst := times[floodKeys*999/1000], times[floodKeys-1]
			if round == 0 || p999 < f.p999 {
				f.p999 = p999
			}
			if round == 0 || worst < f.worst {
				f.worst = worst
			}
		}
	}
	return floods
}

// inMemory measures everyone and returns the bars.
func inMemory(text *strings.Builder) []bar {
	keys.fill(floodKeys)
	all := append([]contender{ours}, peers...)
	speeds, allocs := measureSpeed(all)
	floods := measureFlood(all)

	fmt.Fprintf(text, "| in memory | exact | bounded | hot key | %d keys | on two processors | allocations | %d M new keys | heap | p99.9 | worst |\n", uniformKeys, floodKeys/1_000_000)
	text.WriteString("| --- | --- | --- | --: | --: | --: | --: | --: | --: | --: | --: |\n")
	yes := map[bool]string{true: "yes", false: "no"}
	for i, c := range all {
		s, f := speeds[i], floods[i]
		fmt.Fprintf(text, "| %s | %s | %s | %.1f ns | %.1f ns | %.1f ns | %.2f | %.2f M/s | %.1f MB | %.2f µs | %.2f ms |\n", c.name, yes[c.exact], yes[c.bounded],
			s.hot, s.uniform, s.parallel, allocs[i], f.callsPerSecond/1e6, float64(f.heap)/1e6, float64(f.p999)/1e3, float64(f.worst)/1e6)
	}
	text.WriteString("\nTimes are of one call; on two processors, of the time that has passed divided by all calls. New keys come within one window.\n\n")

	hot, uniform, calls := 1, 0, 1
	for i := 1; i < len(all); i++ {
		if speeds[i].hot < speeds[hot].hot {
			hot = i
		}
		if (all[i].exact || all[i].bounded) && (uniform == 0 || speeds[i].uniform < speeds[uniform].uniform) {
			uniform = i
		}
		if floods[i].callsPerSecond > floods[calls].callsPerSecond {
			calls = i
		}
	}
	nanoseconds := func(ns float64) string { return fmt.Sprintf("%.1fns", ns) }
	return []bar{
		{"allocations", fmt.Sprintf("%.2f", allocs[0]), "0", 0, allocs[0] < 0.005},
		atMost("hot-key-to-"+all[hot].name, speeds[0].hot, speeds[hot].hot, nanoseconds),
		atMost("uniform-keys-to-"+all[uniform].name, speeds[0].uniform, speeds[uniform].uniform, nanoseconds),
		atMost("flood-heap-to-32MB", float64(floods[0].heap), 32e6, func(n float64) string { return fmt.Sprintf("%.1fMB", n/1e6) }),
		atMost("flood-p99.9-to-2us", float64(floods[0].p999), 2000, nanoseconds),
		atLeast(1.5, "flood-calls-to-"+all[calls].name, floods[0].callsPerSecond, floods[calls].callsPerSecond, func(n float64) string { return fmt.Sprintf("%.2fM/s", n/1e6) }),
	}
}
