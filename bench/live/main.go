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
	"time"

	"pubquiz/internal/benchreport"
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
		fatal(benchreport.WriteSection(*report, "Live engine", text))
	}
}

func fatal(err error) {
	if err != nil {
		fmt.Fprintln(os.Stderr, "bench/live:", err)
		os.Exit(1)
	}
}

// results is all that was measured.
type results struct {
	rounds, publishes int
	idle              []idle
	command           []time.Duration // of each that nobody was told of
	payload           []byte          // what our phones are sent; the peers send the same
	duels             []*duel
	floors            []*duel // of bare writes, in the place of ours, and Centrifugo
	answers           answersResult
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

func progress(format string, args ...any) { fmt.Fprintf(os.Stderr, format+"\n", args...) }
