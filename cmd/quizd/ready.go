package main

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"time"
)

const readyPatience = 5 * time.Second

// readyCommand is for images that hold no other program that could ask.
type readyCommand struct{}

func (readyCommand) Run(ctx context.Context, env environment) error {
	c, err := readEnvironment[Listening](env)
	if err != nil {
		return err
	}
	host, port, err := net.SplitHostPort(string(c.ListenAddress))
	if err != nil {
		return errors.New("LISTEN_ADDRESS is off: there is nobody to ask")
	}
	if address := net.ParseIP(host); host == "" || address.IsUnspecified() {
		host = "localhost" // it listens everywhere
	}
	ctx, cancel := context.WithTimeout(ctx, readyPatience)
	defer cancel()
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, "http://"+net.JoinHostPort(host, port)+"/readyz", nil)
	if err != nil {
		return err
	}
	answer, err := http.DefaultClient.Do(req)
	if err != nil {
		return err
	}
	answer.Body.Close()
	if answer.StatusCode != http.StatusOK {
		return fmt.Errorf("the server is not ready: %s", answer.Status)
	}
	return nil
}
