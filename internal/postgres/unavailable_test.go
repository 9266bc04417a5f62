package postgres_test

import (
	"context"
	"errors"
	"fmt"
	"net"
	"path/filepath"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"

	"pubquiz/internal/dbtest"
	"pubquiz/internal/postgres"
)

// TestUnavailable has a real Postgres fail in the ways that pass, and in those that do not.
func TestUnavailable(t *testing.T) {
	t.Parallel()
	url := dbtest.URL(t)
	pool, err := postgres.Open(t.Context(), url)
	if err != nil {
		t.Fatal(err)
	}
	defer pool.Close()
	fails := func(sql string) error {
		_, err := pool.Exec(t.Context(), sql)
		return err
	}
	for name, test := range map[string]struct {
		failed error
		want   bool
	}{
		"nobody listens":       {second(pgx.Connect(t.Context(), "postgres:///quizd?host="+filepath.Join(t.TempDir(), "nowhere"))), true},
		"too slow":             {fails("SET LOCAL statement_timeout = 1; SELECT pg_sleep(10)"), true},
		"a connection ended":   {fails("SELECT pg_terminate_backend(pg_backend_pid())"), true},
		"nobody waits longer":  {second(pool.Exec(expired(t), "SELECT pg_sleep(10)")), true},
		"waited for too long":  {locked(t, url), true},
		"disk full":            {fmt.Errorf("storing: %w", &pgconn.PgError{Code: "53100"}), true},
		"too many connections": {&pgconn.PgError{Code: "53300"}, true},
		"reset":                {&net.OpError{Op: "read", Err: errors.New("connection reset by peer")}, true},
		"a mistake of ours":    {fails("SELECT nothing"), false},
		"a constraint":         {fails("INSERT INTO users (email, email_key, name, password_hash) VALUES (NULL, NULL, NULL, NULL)"), false},
		"nothing of its":       {errors.New("something else"), false},
		"nothing":              {nil, false},
	} {
		if got := postgres.Unavailable(test.failed); got != test.want {
			t.Errorf("%s: %v is unavailable: %t", name, test.failed, got)
		}
	}
}

func second[T any](_ T, err error) error { return err }

// expired is over while the first statement runs.
func expired(t *testing.T) context.Context {
	ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
	t.Cleanup(cancel)
	return ctx
}

// locked is what whoever waits for a lock for too long is told.
func locked(t *testing.T, url string) error {
	t.Helper()
	holder, err := pgx.Connect(t.Context(), url)
	if err != nil {
		t.Fatal(err)
	}
	defer holder.Close(t.Context())
	waiter, err := pgx.Connect(t.Context(), url)
	if err != nil {
		t.Fatal(err)
	}
	defer waiter.Close(t.Context())
	if _, err := holder.Exec(t.Context(), "BEGIN; LOCK TABLE users"); err != nil {
		t.Fatal(err)
	}
	_, err = waiter.Exec(t.Context(), "SET lock_timeout = 1; SELECT FROM users")
	return err
}
