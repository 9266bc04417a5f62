// Command loadtest plays evenings with simulated venues against a server on this machine.
package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/signal"
	"syscall"
	"time"

	"github.com/alecthomas/kong"

	"pubquiz/loadtest"
)

type flags struct {
	Phones    int           `default:"100" help:"Phones in each venue."`
	Venues    int           `default:"1" help:"Venues, each behind an address of its own, with a host and a big screen."`
	Arrive    time.Duration `default:"90s" help:"All phones of a venue scan within this time."`
	Questions int           `default:"5" help:"Questions of the quiz."`
	Seconds   int           `default:"20" help:"How long each question stays open."`
	URL       string        `name:"url" placeholder:"http://127.0.0.1:8080" help:"The server, on this machine, by the address that it was told is its own." xor:"server"`
	Self      bool          `help:"Start a server of its own, with an empty database that is thrown away, and measure it." xor:"server"`
	CutSocket float64       `default:"0" placeholder:"SHARE" help:"This share of the phones loses its socket halfway through the quiz, for good: 0.3."`
	Capacity  int           `default:"0" placeholder:"N" help:"How many phones fit into each session; at least as many as there are."`
	Bot       int           `default:"0" placeholder:"N" help:"Hostile clients in each venue, at its address: they invent codes and tokens, twenty requests a second each."`
	BotCode   bool          `help:"The bots know the join code: they also join again and again and hammer with their seats, until the host locks the doors and removes them."`
	Elsewhere bool          `name:"host-elsewhere" help:"The host drives from another address than the venue's, which then has only the budgets of any address."`
	Email     string        `help:"The host's account, for one venue. Without it every venue's host signs up."`
	Password  string        `help:"The host's password."`
	JSON      string        `name:"json" placeholder:"FILE" help:"Write the figures to this file too."`
	Seed      uint64        `default:"1" help:"The same seed gives the same arrivals, answers and cuts."`
}

func main() {
	var f flags
	kong.Parse(&f, kong.Name("loadtest"), kong.UsageOnError(), kong.Description(
		"Plays whole evenings: phones scan, join, answer and read every reveal, a host drives, a big screen watches. Fails if a phone is kept out or an acknowledged answer is lost."))
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	context.AfterFunc(ctx, stop)
	if err := f.run(ctx); err != nil {
		fmt.Fprintf(os.Stderr, "loadtest: %v\n", err)
		os.Exit(1)
	}
}

const usualServer = "http://127.0.0.1:8080"

func (f flags) plan() loadtest.Plan {
	if f.URL == "" {
		f.URL = usualServer
	}
	return loadtest.Plan{
		URL: f.URL, Venues: f.Venues, Phones: f.Phones, Arrive: f.Arrive, Questions: f.Questions, Seconds: f.Seconds,
		CutSocket: f.CutSocket, Capacity: f.Capacity, Bots: f.Bot, BotCode: f.BotCode, Elsewhere: f.Elsewhere, Seed: f.Seed, Email: f.Email, Password: f.Password,
	}
}

func (f flags) run(ctx context.Context) error {
	plan := f.plan()
	if err := plan.Check(); err != nil {
		return err
	}
	report, err := play(ctx, plan, f.Self)
	if err == nil || report.Joined > 0 {
		err = errors.Join(err, report.Print(os.Stdout), report.Err())
		if f.JSON != "" {
			err = errors.Join(err, write(f.JSON, report))
		}
	}
	return err
}

// play plays the plan, on a server of its own if self is set.
func play(ctx context.Context, plan loadtest.Plan, self bool) (report loadtest.Report, err error) {
	if !self {
		return rehearse(ctx, plan, func() {})
	}
	fmt.Fprintln(os.Stderr, "starting a server")
	s, err := startServer(ctx)
	if err != nil {
		return report, err
	}
	defer func() { err = errors.Join(err, s.stop()) }()
	plan.URL = s.url
	use, err := watch(ctx, s)
	if err != nil {
		return report, err
	}
	report, err = rehearse(ctx, plan, func() { use.seated(ctx) })
	var measured error
	report.Server, measured = use.stop(report.Joined)
	return report, errors.Join(err, measured)
}

// rehearse plays the plan with progress on the terminal; seated is called once every venue is playing.
func rehearse(ctx context.Context, plan loadtest.Plan, seated func()) (loadtest.Report, error) {
	b := newBars(plan, os.Stderr, seated)
	defer b.close()
	return loadtest.Run(ctx, plan, b)
}

func write(file string, report loadtest.Report) error {
	encoded, err := json.MarshalIndent(report, "", "  ")
	if err != nil {
		return fmt.Errorf("write %s: %w", file, err)
	}
	return os.WriteFile(file, append(encoded, '\n'), 0o644)
}
