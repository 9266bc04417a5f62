// Command loadtest plays evenings with simulated venues against a server on this machine.
package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/signal"
	"path/filepath"
	"syscall"
	"time"

	"github.com/alecthomas/kong"

	"pubquiz/loadtest"
	"pubquiz/loadtest/page"
)

type flags struct {
	Phones    int    `default:"100" help:"Phones in each venue."`
	Venues    int    `default:"1" help:"Venues, each behind an address of its own, with a host and a big screen."`
	Questions int    `default:"5" help:"Questions of the quiz."`
	Quiz      string `enum:"plain,whole,big" default:"plain" help:"What is played: options and typed text; every kind of question and round, with a host who pauses, marks, voids and adjusts; or the same host with 8 imported rounds of 10 (plain, whole, big)."`
	Seconds   int    `default:"20" help:"How long each question stays open."`
	Capacity  int    `default:"0" placeholder:"N" help:"How many phones fit into each session; at least as many as there are."`
	Seed      uint64 `default:"1" help:"The same seed gives the same arrivals, answers and misfortunes."`

	URL       []string `name:"url" sep:"none" placeholder:"http://127.0.0.1:8080" help:"The server, on this machine, by the address that it was told is its own. Repeated: further instances, over which everybody is spread." xor:"server"`
	Email     string   `help:"The host's account, for one venue. Without it every venue's host signs up."`
	Password  string   `help:"The host's password."`
	Self      bool     `help:"Start a server of its own, with an empty database that is thrown away, and measure it." xor:"server"`
	Instances int      `default:"1" help:"How many instances that server has."`
	Proxy     string   `enum:",nginx,caddy" default:"" placeholder:"nginx|caddy" help:"Put this proxy, as it is in deploy, in front of two instances."`
	Restart   string   `enum:",kill,drain,rolling" default:"" placeholder:"kill|drain|rolling" help:"Halfway through the quiz kill the first of them, or ask it to stop, and start it again; or do so with all, one after the other (rolling)."`

	Arrival       string        `enum:"spread,at-once,trickle" default:"spread" help:"How phones come: spread over the time for it, all at once, or a fifth of them only during the quiz (spread, at-once, trickle)."`
	Arrive        time.Duration `default:"90s" help:"The phones of a venue scan within this time."`
	LastSecond    float64       `default:"0.1" placeholder:"SHARE" help:"This share of the answers comes in the last second."`
	PollTogether  bool          `help:"During every question all phones poll at the same moment."`
	CutSocket     float64       `default:"0" placeholder:"SHARE" help:"This share of the phones loses its socket halfway through the quiz, for good: 0.3."`
	Slow          float64       `default:"0" placeholder:"SHARE" help:"This share of the phones takes up to three seconds over each message."`
	Stalled       float64       `default:"0" placeholder:"SHARE" help:"This share of the phones reads nothing more from its socket from halfway on."`
	DropWifi      time.Duration `default:"0s" placeholder:"20s" help:"Halfway through the quiz every venue's WiFi goes, for so long: all its connections die at once."`
	HostElsewhere bool          `help:"The host drives from another address than the venue's, which then has only the budgets of any address."`

	Bot     int  `default:"0" placeholder:"N" help:"Hostile clients in each venue, at its address: they invent codes and tokens, up to twenty requests a second each."`
	BotCode bool `help:"The bots know the join code: they also join again and again and hammer with their seats, until the host locks the doors, removes them, and lets the rest in by rejoin codes."`

	JSON   string `name:"json" placeholder:"FILE" help:"Write the figures to this file too."`
	Report string `placeholder:"FILE.html" help:"Write a page with what each phone went through, latency over time, and every refusal."`
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
	if len(f.URL) == 0 {
		f.URL = []string{usualServer}
	}
	plan := loadtest.Plan{
		URLs: f.URL, Venues: f.Venues, Phones: f.Phones, Questions: f.Questions, Seconds: f.Seconds, Capacity: f.Capacity, Seed: f.Seed,
		Email: f.Email, Password: f.Password,
		Arrival: loadtest.Arrival(f.Arrival), Arrive: f.Arrive, LastSecond: f.LastSecond, Elsewhere: f.HostElsewhere, Together: f.PollTogether,
		CutSocket: f.CutSocket, Slow: f.Slow, Stalled: f.Stalled, DropWiFi: f.DropWifi, Bots: f.Bot, BotCode: f.BotCode,
	}
	if f.Quiz != "plain" {
		plan.Quiz = loadtest.Quiz(f.Quiz)
	}
	if plan.Quiz == loadtest.Big {
		plan.Questions = 80
		plan.Files, _ = filepath.Glob(bigQuiz) // which fails for a malformed pattern only
	}
	return plan
}

// bigQuiz are the files of the big quiz, from the top of the repository, where this command builds the server, too.
const bigQuiz = "quiz/exchange/testdata/evening/*"

// Validate implements kong's check of what belongs together.
func (f flags) Validate() error {
	switch {
	case !f.Self && (f.Instances != 1 || f.Restart != "" || f.Proxy != ""):
		return errors.New("--instances, --proxy and --restart are for a server of its own: --self")
	case f.Instances < 1 || f.Instances > 8:
		return fmt.Errorf("there may be 1 to 8 instances, not %d", f.Instances)
	}
	if f.Proxy != "" && f.Instances != 2 {
		return errors.New("the proxy stands in front of two instances: --instances 2")
	}
	if _, err := os.Stat(proxyConfigurations); f.Proxy != "" && err != nil {
		return fmt.Errorf("the proxy's configuration is in %s: start this at the top of the repository", proxyConfigurations)
	}
	plan := f.plan()
	if plan.Quiz == loadtest.Big && len(plan.Files) == 0 {
		return fmt.Errorf("the big quiz is read from %s: start this at the top of the repository", bigQuiz)
	}
	return plan.Check()
}

func (f flags) run(ctx context.Context) error {
	report, err := f.play(ctx)
	if err == nil || report.Joined > 0 {
		err = errors.Join(err, report.Print(os.Stdout), report.Err())
		if f.JSON != "" {
			err = errors.Join(err, writeJSON(f.JSON, report))
		}
		if f.Report != "" {
			err = errors.Join(err, writePage(f.Report, report))
		}
	}
	return err
}

// play plays the plan, on a server of its own if that is asked for.
func (f flags) play(ctx context.Context) (report loadtest.Report, err error) {
	plan := f.plan()
	if !f.Self {
		return rehearse(ctx, plan, func() {}, func() {})
	}
	fmt.Fprintln(os.Stderr, "starting a server")
	s, err := startServer(ctx, f.Instances, programs[f.Proxy])
	if err != nil {
		return report, err
	}
	defer func() { err = errors.Join(err, s.stop()) }()
	plan.URLs = s.urls()
	use, err := watch(ctx, s)
	if err != nil {
		return report, err
	}
	fault := restart{how: f.Restart, instances: s.instances, after: use.known}
	report, err = rehearse(ctx, plan, func() { use.seated(ctx) }, func() { fault.begin(ctx) })
	err = errors.Join(err, fault.addTo(&report))
	var measured error
	report.Server, measured = use.stop(report.Joined)
	return report, errors.Join(err, measured)
}

// rehearse plays the plan with progress on the terminal; seated is called once every venue is playing, middle from halfway through the quiz on.
func rehearse(ctx context.Context, plan loadtest.Plan, seated, middle func()) (loadtest.Report, error) {
	b := newBars(plan, os.Stderr, seated, middle)
	defer b.close()
	return loadtest.Run(ctx, plan, b)
}

func writeJSON(file string, report loadtest.Report) error {
	encoded, err := json.MarshalIndent(report, "", "  ")
	if err != nil {
		return fmt.Errorf("write %s: %w", file, err)
	}
	return os.WriteFile(file, append(encoded, '\n'), 0o644)
}

func writePage(file string, report loadtest.Report) (err error) {
	f, err := os.Create(file)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	return page.Write(f, report)
}
