package main

import (
	"context"
	"fmt"
	"log/slog"
	"net"
	"os"

	"pubquiz/internal/requestid"
)

type serveCommand struct{}

func (serveCommand) Run(ctx context.Context, env environment) error {
	c, err := readConfig(env)
	if err != nil {
		return err
	}
	slog.SetDefault(newLogger(c))
	listener, err := net.Listen("tcp", string(c.ListenAddress))
	if err != nil {
		return fmt.Errorf("LISTEN_ADDRESS: %w", err)
	}
	s, err := start(ctx, c, listener)
	if err != nil {
		return err
	}
	if base := c.BaseURL.url(); base.Scheme == "http" && base.Hostname() != "localhost" {
		slog.Warn("BASE_URL is not https: anyone on the way can read along, and phones cannot keep their screens awake")
	}
	slog.Info("serving", "version", version(), "address", listener.Addr().String(), "baseURL", string(c.BaseURL), "database", c.DatabaseURL)
	s.wait(ctx)
	return s.stop()
}

func newLogger(c config) *slog.Logger {
	options := &slog.HandlerOptions{Level: c.LogLevel}
	var handler slog.Handler = slog.NewJSONHandler(os.Stderr, options)
	if c.LogFormat == "text" {
		handler = slog.NewTextHandler(os.Stderr, options)
	}
	return slog.New(requestid.InLog(handler))
}
