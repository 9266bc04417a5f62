// Command live measures the live engine against its peers on this machine: sockets of the real server against other ways to send one message to
// many, and answers through the real service against single inserts. It ends with one line for each bar.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"path/filepath"
	"slices"
	"time"

	"pubquiz/internal/postgres"
)

func main() {
	peer := flag.String("peer", "", "serve as this peer (what the measurement starts for itself)")
	address := flag.String("address", "", "where the peer listens")
	report := flag.String("report", "", "write the section \"Live engine\" of this file")
	rounds := flag.Int("rounds", 3, "how often everything is measured in turn")
	publishes := flag.Int("publishes", 20, "messages to every crowd")
	flag.Parse()
	if *peer != "" {
		fatal(servePeer(*peer, *address))
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	context.AfterFunc(ctx, stop)
	r := results{rounds: *rounds, publishes: *publishes}
	fatal(r.measure(ctx))
	text := r.text()
	fmt.Print(text)
	if *report != "" {
		fatal(writeSection(*report, text))
	}
}

func fatal(err error) {
	if err != nil {
		fmt.Fprintln(os.Stderr, "bench/live:", err)
		os.Exit(1)
	}
}

// crowdSizes are the numbers of sockets; memory is measured at the largest, which comes first, while the servers are fresh.
var crowdSizes = []int{9000, 5000, 1000}

// results is all that was measured.
type results struct {
	rounds, publishes int
	crowds            []*crowdResult
	answers           answersResult
}

// crowdResult is what one contender did for one size of crowd.
type crowdResult struct {
	name    string
	sockets int
	took    []time.Duration // publish to last receipt, of every publish
	cpu     time.Duration   // of the server, for all of them
	grown   footprint       // for each socket, idle; zero where it was not measured
}

func (c *crowdResult) median() time.Duration { return quantile(c.took, 0.5) }

func (c *crowdResult) cpuPerMessage() time.Duration {
	return c.cpu / time.Duration(len(c.took)*c.sockets)
}

func quantile(of []time.Duration, q float64) time.Duration {
	sorted := slices.Sorted(slices.Values(of))
	return sorted[int(q*float64(len(sorted)-1))]
}

func (r *results) measure(ctx context.Context) (err error) {
	folder, err := os.MkdirTemp("", "bench-live-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(folder)
	if err := os.Chmod(folder, 0o755); err != nil { // Postgres may run as another user, who must get through
		return err
	}
	database, err := postgres.Embedded{Folder: filepath.Join(folder, "postgres")}.Start(ctx)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, database.Stop()) }()
	for _, name := range []string{"sockets", "answers"} {
		if err := database.Create(ctx, name); err != nil {
			return err
		}
	}
	if err := r.measureSockets(ctx, folder, database.URL("sockets")); err != nil {
		return err
	}
	return r.measureAnswers(ctx, folder, database.URL("answers"))
}

func (r *results) measureSockets(ctx context.Context, folder, database string) error {
	progress("building and starting the servers; Centrifugo takes minutes the first time")
	centrifugo, err := startCentrifugo(ctx, folder)
	if err != nil {
		return err
	}
	defer centrifugo.process.stop()
	e, err := startEvening(ctx, folder, database, slices.Max(crowdSizes)/seatsPerRoom)
	if err != nil {
		return err
	}
	defer e.process.stop()
	rooms, oneRoom := e.contenders()
	contenders := []*contender{rooms, oneRoom, centrifugo}
	for _, name := range peerNames {
		peer, err := startPeer(ctx, name)
		if err != nil {
			return err
		}
		defer peer.process.stop()
		contenders = append(contenders, peer)
	}
	var payload []byte // what our phones are sent; the peers send the same
	for round := range r.rounds {
		for _, sockets := range crowdSizes {
			for _, c := range contenders {
				progress("round %d: %d sockets, %s", round+1, sockets, c.name)
				if err := r.measureCrowd(ctx, c, sockets, round == 0 && sockets == slices.Max(crowdSizes) && c != oneRoom, &payload); err != nil {
					return err
				}
			}
		}
	}
	return nil
}

func (r *results) measureCrowd(ctx context.Context, c *contender, sockets int, fresh bool, payload *[]byte) error {
	result := r.crowd(c.name, sockets)
	var before footprint
	var err error
	if fresh {
		if before, err = c.process.footprint(ctx); err != nil {
			return err
		}
	}
	all, err := gather(ctx, c, sockets)
	if err != nil {
		return err
	}
	defer all.disperse()
	if fresh {
		after, err := c.process.footprint(ctx)
		if err != nil {
			return err
		}
		result.grown = footprint{(after.inUse - before.inUse) / float64(sockets), (after.resident - before.resident) / float64(sockets)}
	}
	if *payload == nil {
		*payload = *all.sample.Load()
	}
	if _, err := all.publish(ctx, *payload); err != nil { // once to warm up
		return err
	}
	all.settle()
	used, err := c.process.cpu()
	if err != nil {
		return err
	}
	for range r.publishes {
		took, err := all.publish(ctx, *payload)
		if err != nil {
			return err
		}
		result.took = append(result.took, took)
		time.Sleep(100 * time.Millisecond)
	}
	after, err := c.process.cpu()
	result.cpu += after - used
	return err
}

func (r *results) crowd(name string, sockets int) *crowdResult {
	for _, c := range r.crowds {
		if c.name == name && c.sockets == sockets {
			return c
		}
	}
	c := &crowdResult{name: name, sockets: sockets}
	r.crowds = append(r.crowds, c)
	return c
}

// answersResult is the best of all rounds.
type answersResult struct {
	ours    float64         // answers a second at 64 callers
	pgbench map[int]float64 // by the number of its clients
	burst   time.Duration   // of burstSize answers
	pool    time.Duration   // the same by single inserts over 16 connections
}

const (
	callers    = 64
	burstSize  = 9000
	answerRun  = 4 * time.Second
	storeRooms = 400
)

func (r *results) measureAnswers(ctx context.Context, folder, database string) error {
	progress("filling the store")
	s, err := fillStore(ctx, database, storeRooms)
	if err != nil {
		return err
	}
	defer s.pool.Close()
	r.answers.pgbench = map[int]float64{}
	for round := range r.rounds {
		progress("round %d: answers", round+1)
		if err := s.empty(ctx); err != nil {
			return err
		}
		ours, err := s.rate(ctx, callers, answerRun)
		if err != nil {
			return err
		}
		r.answers.ours = max(r.answers.ours, ours)
		for _, clients := range []int{16, callers} {
			if err := s.empty(ctx); err != nil {
				return err
			}
			single, err := s.pgbench(ctx, folder, clients, answerRun)
			if err != nil {
				return err
			}
			r.answers.pgbench[clients] = max(r.answers.pgbench[clients], single)
		}
		for range 3 {
			if err := r.measureBursts(ctx, s); err != nil {
				return err
			}
		}
	}
	return nil
}

func (r *results) measureBursts(ctx context.Context, s *store) error {
	for into, store := range map[*time.Duration]func(int64) error{
		&r.answers.burst: func(n int64) error { return s.answer(ctx, n) },
		&r.answers.pool:  func(n int64) error { return s.insert(ctx, n) },
	} {
		if err := s.empty(ctx); err != nil {
			return err
		}
		took, err := s.burst(burstSize, store)
		if err != nil {
			return err
		}
		if *into == 0 || took < *into {
			*into = took
		}
	}
	return nil
}

func progress(format string, args ...any) { fmt.Fprintf(os.Stderr, format+"\n", args...) }
