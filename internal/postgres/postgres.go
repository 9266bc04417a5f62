// Package postgres opens the database, migrates it, runs transactions on it and tells its time. For machines without a
// database it also starts a private one from the installed binaries.
package postgres

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgxpool"
)

// Open connects to the database at url, a postgres:// address, and checks that it answers. Limits written into the url
// (pool_max_conns and its like) win over the defaults here, and changes over both.
func Open(ctx context.Context, url string, changes ...func(*pgxpool.Config)) (*pgxpool.Pool, error) {
	config, err := pgxpool.ParseConfig(url)
	if err != nil {
		return nil, fmt.Errorf("postgres.Open: %w", err)
	}
	if !strings.Contains(url, "pool_max_conns=") {
		config.MaxConns = 16 // more make Postgres slower, not faster, at the short transactions of a quiz
	}
	parameters := config.ConnConfig.RuntimeParams
	parameters["timezone"] = "UTC"
	for name, value := range map[string]string{
		"application_name":                    "quizd",
		"statement_timeout":                   "10s",
		"lock_timeout":                        "5s",
		"idle_in_transaction_session_timeout": "30s",
	} {
		if _, set := parameters[name]; !set {
			parameters[name] = value
		}
	}
	for _, change := range changes {
		change(config)
	}
	pool, err := pgxpool.NewWithConfig(ctx, config)
	if err != nil {
		return nil, fmt.Errorf("postgres.Open: %w", err)
	}
	if err := pool.Ping(ctx); err != nil {
		pool.Close()
		return nil, fmt.Errorf("postgres.Open: %w", err)
	}
	return pool, nil
}

// transactionTries is how often InTx runs a transaction that keeps losing to others.
const transactionTries = 5

// InTx runs do in a transaction and commits it when do returns nil. When Postgres refuses the transaction because of
// others that ran beside it (a serialization failure or a deadlock), nothing was written and do runs again, so do must
// have no effect outside the transaction. Every other error rolls back and is returned as it is.
func InTx(ctx context.Context, pool *pgxpool.Pool, do func(pgx.Tx) error) error {
	for try := 1; ; try++ {
		err := pgx.BeginFunc(ctx, pool, do)
		if err == nil || try == transactionTries || !lostToOthers(err) {
			return err
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(rand.N(time.Duration(try) * 20 * time.Millisecond)):
		}
	}
}

// lostToOthers reports whether err is one of the two errors after which Postgres asks to run the transaction again.
func lostToOthers(err error) bool {
	const serializationFailure, deadlockDetected = "40001", "40P01"
	pgErr, ok := errors.AsType[*pgconn.PgError](err)
	return ok && (pgErr.Code == serializationFailure || pgErr.Code == deadlockDetected)
}
