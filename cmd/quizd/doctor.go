package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"sync"
	"time"
)

type doctorCommand struct{}

func (doctorCommand) Run(ctx context.Context, env environment) error {
	c, err := readConfig(env)
	found := append(configFindings(err), c.examine(ctx)...)
	printFindings(os.Stdout, found, onTerminal(os.Stdout) && env["NO_COLOR"] == "" && env["TERM"] != "dumb")
	wrong := 0
	for _, f := range found {
		if f.Is == wrongLevel {
			wrong++
		}
	}
	switch wrong {
	case 0:
		return nil
	case 1:
		return errors.New("one thing is wrong")
	default:
		return fmt.Errorf("%d things are wrong", wrong)
	}
}

// finding is what the doctor says about one thing.
type finding struct {
	About string
	Is    level
	Says  string // a sentence without its stop, or several
	Do    string // what to do about it; empty where there is nothing to do
}

// level is how good a thing is.
type level string

const (
	fineLevel  level = "ok"
	lookLevel  level = "look" // it works, and somebody should know
	wrongLevel level = "WRONG"
)

// patient is an examination of one part. It may take checkPatience.
type patient func(context.Context) []finding

const checkPatience = 15 * time.Second

// examine looks at every part that the configuration names, as far as it could be read, at all of them at once.
func (c config) examine(ctx context.Context) []finding {
	patients := []patient{checkFiles}
	if c.DatabaseURL != "" {
		patients = append(patients, c.checkDatabase)
	}
	if c.RedisURL != "" {
		patients = append(patients, c.checkRedis)
	}
	if c.letters != nil {
		patients = append(patients, c.checkMail)
	}
	if c.sold != nil {
		patients = append(patients, c.checkStripe)
	}
	if c.BaseURL != "" {
		for _, p := range c.signInProviders(nil) {
			patients = append(patients, func(ctx context.Context) []finding { return checkProvider(ctx, p) })
		}
		patients = append(patients, c.checkSite)
	}
	results := make([][]finding, len(patients))
	var all sync.WaitGroup
	for i, p := range patients {
		all.Go(func() {
			ctx, cancel := context.WithTimeout(ctx, checkPatience)
			defer cancel()
			results[i] = p(ctx)
		})
	}
	all.Wait()
	var found []finding
	for _, r := range results {
		found = append(found, r...)
	}
	return found
}

// configFindings has one for each mistake.
func configFindings(err error) []finding {
	const about = "configuration"
	if err == nil {
		return []finding{{about, fineLevel, "every variable can be read", ""}}
	}
	var found []finding
	for mistake := range strings.SplitSeq(err.Error(), "\n") {
		found = append(found, finding{about, wrongLevel, mistake, "the README's table says what it must be"})
	}
	return found
}

// printFindings prints a line each, and below it what to do.
func printFindings(to io.Writer, found []finding, coloured bool) {
	width := 0
	for _, f := range found {
		width = max(width, len(f.About))
	}
	colours := map[level]string{fineLevel: "32", lookLevel: "33", wrongLevel: "1;31"}
	for _, f := range found {
		is := fmt.Sprintf("%-5s", f.Is)
		if coloured {
			is = "\x1b[" + colours[f.Is] + "m" + is + "\x1b[0m"
		}
		fmt.Fprintf(to, "%-*s  %s  %s.\n", width, f.About, is, strings.ReplaceAll(f.Says, "\n", " "))
		if f.Do != "" {
			fmt.Fprintf(to, "%*s         %s%s.\n", width, "", strings.ToUpper(f.Do[:1]), f.Do[1:])
		}
	}
}

func onTerminal(file *os.File) bool {
	info, err := file.Stat()
	return err == nil && info.Mode()&os.ModeCharDevice != 0
}
