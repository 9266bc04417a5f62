// Command quizd serves live pub quizzes.
package main

import (
	"context"
	"fmt"
	"os"
	"os/signal"
	"syscall"

	"github.com/alecthomas/kong"
	"github.com/caarlos0/env/v11"
)

type commands struct {
	Serve    serveCommand    `cmd:"" help:"Serve quizzes, configured by the environment (see .env.example)."`
	Demo     demoCommand     `cmd:"" help:"Try it: serve a sample quiz, on a private Postgres, to this machine and the phones around it."`
	Migrate  migrateCommand  `cmd:"" help:"Change or show the database's schema. serve and demo bring it up to date themselves."`
	Ready    readyCommand    `cmd:"" help:"Ask the server of the same environment whether it should get requests, for a container's health check."`
	Doctor   doctorCommand   `cmd:"" help:"Look whether everything is as a server needs it: the configuration, and all that it names. Changes nothing."`
	Limits   limitsCommand   `cmd:"" help:"Print the limits in force."`
	Billing  billingCommand  `cmd:"" help:"What hosts pay for, where plans are sold."`
	Licences licencesCommand `cmd:"" help:"Print the licence, and those of what others made that is in here."`

	Version kong.VersionFlag `help:"Print the version."`
}

// environment is what the process was given, by variable.
type environment map[string]string

func main() {
	var c commands
	command := kong.Parse(&c, kong.Name("quizd"), kong.Description("A live pub quiz: one host, one big screen, a room full of phones."), kong.UsageOnError(), kong.Vars{"version": versionLine()})
	// The first signal asks everything to finish in order; after it, the second one ends the process as usual.
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	context.AfterFunc(ctx, stop)
	command.BindTo(ctx, (*context.Context)(nil))
	if err := command.Run(environment(env.ToMap(os.Environ()))); err != nil {
		fmt.Fprintf(os.Stderr, "quizd: %v\n", err)
		os.Exit(1)
	}
}
