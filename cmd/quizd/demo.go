package main

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"maps"
	"net"
	"os"
	"path/filepath"
	"strconv"
	"syscall"

	"pubquiz/internal/mail"
	"pubquiz/internal/postgres"
)

type demoCommand struct {
	Port int    `help:"The port to serve on." default:"8080"`
	Data string `help:"The folder where everything is kept." placeholder:"FOLDER" type:"path"`
}

func (d demoCommand) Run(ctx context.Context, env environment) (err error) {
	folder, err := d.folder(env)
	if err != nil {
		return err
	}
	// The port first: it is where a second start at the same time is noticed with the least done.
	listener, err := net.Listen("tcp", ":"+strconv.Itoa(d.Port))
	if errors.Is(err, syscall.EADDRINUSE) {
		return fmt.Errorf("port %d is taken. Is the demo running already? If not, take another: %s demo --port %d", d.Port, os.Args[0], d.Port+1)
	}
	if err != nil {
		return err
	}
	defer listener.Close()

	defaults, err := d.defaults(folder)
	if err != nil {
		return err
	}
	if env["DATABASE_URL"] == "" {
		database, err := startDatabase(ctx, folder)
		if err != nil {
			return err
		}
		defer func() { err = errors.Join(err, database.Stop()) }()
		var cancel context.CancelCauseFunc
		ctx, cancel = context.WithCancelCause(ctx)
		go func() { <-database.Exited(); cancel(errDatabaseEnded) }()
		defaults["DATABASE_URL"] = database.URL("quizd")
	}
	c, err := readConfig(defaults.with(env))
	if err != nil {
		return err
	}
	localhost := "http://localhost:" + strconv.Itoa(d.Port)
	c.origins = []string{localhost}
	if c.letters == nil {
		c.tray = new(mail.Tray)
	}
	slog.SetDefault(newLogger(c))

	s, err := start(ctx, c, listener)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, s.stop()) }()
	w, err := s.welcome(ctx)
	if err != nil {
		return err
	}
	if err := w.print(os.Stdout, localhost, c.BaseURL, folder); err != nil {
		return err
	}
	s.wait(ctx)
	fmt.Println("\n  Stopping …")
	if cause := context.Cause(ctx); errors.Is(cause, errDatabaseEnded) {
		return cause
	}
	return nil
}

var errDatabaseEnded = errors.New("the private Postgres has ended; postgres/postgres.log in the data folder says why")

func startDatabase(ctx context.Context, folder string) (*postgres.Server, error) {
	database, err := postgres.Embedded{Folder: filepath.Join(folder, "postgres")}.Start(ctx)
	if errors.Is(err, postgres.ErrInUse) {
		return nil, fmt.Errorf("another demo is using %s. Stop it, or keep this one's data elsewhere: quizd demo --data FOLDER", folder)
	}
	if err != nil {
		return nil, err
	}
	if err := database.Create(ctx, "quizd"); err != nil {
		return nil, errors.Join(err, database.Stop())
	}
	return database, nil
}

// folder is where everything is kept.
func (d demoCommand) folder(env environment) (string, error) {
	switch {
	case d.Data != "":
		return d.Data, nil
	case os.Geteuid() == 0: // whose home Postgres, as another user, cannot enter
		return "/var/lib/quizd", nil
	case env["XDG_DATA_HOME"] != "":
		return filepath.Join(env["XDG_DATA_HOME"], "quizd"), nil
	case env["HOME"] != "":
		return filepath.Join(env["HOME"], ".local", "share", "quizd"), nil
	default:
		return "", errors.New("HOME is not set: say where to keep the data with --data FOLDER")
	}
}

// defaults is the configuration of a demo where the environment has none.
func (d demoCommand) defaults(folder string) (environment, error) {
	if err := os.MkdirAll(folder, 0o755); err != nil { // Postgres passes through, as another user; what is in it is closed
		return nil, err
	}
	keys := filepath.Join(folder, "secret_keys")
	if err := makeKeys(keys); err != nil {
		return nil, err
	}
	host := "localhost"
	if address := lanAddress(); address.IsValid() {
		host = address.String()
	}
	return environment{
		"BASE_URL":         "http://" + net.JoinHostPort(host, strconv.Itoa(d.Port)),
		"SECRET_KEYS_FILE": keys,
		"OPERATORS":        demoEmail,
		"METRICS_ADDRESS":  "off",
		"LOG_FORMAT":       "text",
		"LOG_LEVEL":        "warn",
	}, nil
}

// with returns the environment with its variables taken from over where they are set.
func (e environment) with(over environment) environment {
	merged := maps.Clone(e)
	for name, value := range over {
		if value != "" {
			merged[name] = value
		}
	}
	if merged["SECRET_KEYS"] != "" && over["SECRET_KEYS_FILE"] == "" {
		delete(merged, "SECRET_KEYS_FILE")
	}
	return merged
}

// makeKeys makes a file with a signing key, unless there is one, so that phones are still in after a restart.
func makeKeys(path string) error {
	file, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if errors.Is(err, fs.ErrExist) {
		return nil
	}
	if err != nil {
		return fmt.Errorf("making keys: %w", err)
	}
	_, err = fmt.Fprintln(file, rand.Text()+rand.Text())
	return errors.Join(err, file.Close())
}
