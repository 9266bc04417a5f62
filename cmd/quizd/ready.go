package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"net"
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/jackc/pgx/v5/pgxpool"

	"pubquiz/internal/postgres"
	"pubquiz/web"
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
		return err
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
	client := http.Client{Transport: &http.Transport{}} // not through the proxy that others are asked through
	answer, err := client.Do(req)
	if err != nil {
		return err
	}
	defer answer.Body.Close()
	if answer.StatusCode == http.StatusOK {
		return nil
	}
	var told struct{ Failing map[string]string }
	_ = json.NewDecoder(answer.Body).Decode(&told) // whoever else answers there says nothing of the kind
	why := []string{answer.Status}
	for _, check := range slices.Sorted(maps.Keys(told.Failing)) {
		why = append(why, check+": "+told.Failing[check])
	}
	return fmt.Errorf("the server is not ready: %s", strings.Join(why, "; "))
}

// ready is what must be so for a server to get requests, besides that it is not stopping.
func ready(pool *pgxpool.Pool) []web.Check {
	return []web.Check{
		{Name: "database", Ask: func(ctx context.Context) error {
			if pool.Ping(ctx) != nil { // which says where it is, and the log does so anyway
				return errors.New("it does not answer")
			}
			return nil
		}},
		{Name: "schema", Ask: func(ctx context.Context) error {
			if wrong, ok := errors.AsType[*postgres.SchemaError](postgres.CheckSchema(ctx, pool)); ok {
				return wrong
			}
			return nil
		}},
	}
}
