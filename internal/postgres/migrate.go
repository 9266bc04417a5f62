package postgres

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"time"

	"github.com/golang-migrate/migrate/v4"
	"github.com/golang-migrate/migrate/v4/database"
	driver "github.com/golang-migrate/migrate/v4/database/pgx/v5"
	"github.com/golang-migrate/migrate/v4/source/iofs"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/stdlib"

	"pubquiz/migrations"
)

const (
	turnPatience = 2 * time.Minute // another instance may be at a long step
	turnPause    = 50 * time.Millisecond
	turnKey      = 0x7175697a64 // of the advisory lock

	// lockPatience is how long a step waits for the lock of a table. Whatever else wants the table waits behind it: a room of phones can do that for two seconds.
	lockPatience = "2s"
	lockPause    = 3 * time.Second // and then they have the table for this long
	lockTries    = 10
)

// Migrate brings the database at url to the newest version of the schema. Instances that start together wait for one
// another: one migrates, the others find the work done. A database that is newer already stays as it is: an instance of a
// newer version runs, and its steps leave everything to those of the version before (docs/decisions/migrations.md).
func Migrate(url string) error {
	return migrating(url, func(m *migrate.Migrate) error {
		newest, err := NewestStep()
		if err != nil {
			return fmt.Errorf("postgres.Migrate: %w", err)
		}
		for {
			at, err := cleanVersion(m)
			if err != nil {
				return fmt.Errorf("postgres.Migrate: %w", err)
			}
			if at >= int(newest) {
				return nil
			}
			if err := stepUp(m, at); err != nil {
				return fmt.Errorf("postgres.Migrate: the step after %d: %w", max(at, 0), err)
			}
		}
	})
}

// cleanVersion returns the number of the newest step, -1 for an empty database. It fails when the end of a step is not known.
func cleanVersion(m *migrate.Migrate) (int, error) {
	at, dirty, err := m.Version()
	switch {
	case errors.Is(err, migrate.ErrNilVersion):
		return database.NilVersion, nil
	case err != nil:
		return 0, err
	case dirty:
		return 0, migrate.ErrDirty{Version: int(at)}
	}
	return int(at), nil
}

// stepUp takes the step that follows. One that fails leaves nothing behind, since it is one transaction; where it only did not get a lock, it tries again. pg_dump, too, holds a lock of every table
// for as long as it takes, of the one in which the version is, too.
func stepUp(m *migrate.Migrate, at int) error {
	for try := 1; ; try++ {
		var err error
		if try > 1 {
			err = m.Force(at) // the try before has left its mark
		}
		if err == nil {
			err = m.Steps(1)
		}
		switch {
		case err == nil:
			return nil
		case !gotNoLock(err):
			return errors.Join(err, m.Force(at))
		case try == lockTries:
			return errors.Join(fmt.Errorf("some transaction does not let go of a table; pg_stat_activity shows which: %w", err), m.Force(at))
		}
		slog.Warn("a step of the schema did not get its lock; it tries again", "after", at, "error", err)
		time.Sleep(lockPause)
	}
}

// gotNoLock reports whether lock_timeout has ended a wait. The library's error hides what it is about.
func gotNoLock(err error) bool {
	const lockNotAvailable = "55P03"
	if failed, ok := errors.AsType[database.Error](err); ok {
		err = failed.OrigErr
	} else if failed, ok := errors.AsType[*database.Error](err); ok {
		err = failed.OrigErr
	}
	pgErr, ok := errors.AsType[*pgconn.PgError](err)
	return ok && pgErr.Code == lockNotAvailable
}

// NewestStep returns the number of the newest step of the schema that this program knows.
func NewestStep() (newest uint, err error) {
	steps, err := iofs.New(migrations.FS, ".")
	if err != nil {
		return 0, err
	}
	defer steps.Close()
	for step, err := steps.First(); ; step, err = steps.Next(newest) {
		if errors.Is(err, fs.ErrNotExist) {
			return newest, nil
		}
		if err != nil {
			return 0, err
		}
		newest = step
	}
}

// MigrateDown takes back the newest step of the schema, with all that is stored in it. It does nothing to an empty
// database.
func MigrateDown(url string) error {
	return migrating(url, func(m *migrate.Migrate) error {
		if _, _, err := m.Version(); errors.Is(err, migrate.ErrNilVersion) {
			return nil
		}
		if err := m.Steps(-1); err != nil {
			return fmt.Errorf("postgres.MigrateDown: %w", err)
		}
		return nil
	})
}

// Version returns the number of the newest step that was applied, 0 for an empty database. Dirty means that the step
// was begun and its end is not known, and that the schema needs a person to look at it.
func Version(url string) (version uint, dirty bool, err error) {
	err = migrating(url, func(m *migrate.Migrate) error {
		version, dirty, err = m.Version()
		if err != nil && !errors.Is(err, migrate.ErrNilVersion) {
			return fmt.Errorf("postgres.Version: %w", err)
		}
		return nil
	})
	return version, dirty, err
}

func migrating(url string, do func(*migrate.Migrate) error) error {
	config, err := pgx.ParseConfig(url)
	if err != nil {
		return fmt.Errorf("migrate: %w", err)
	}
	if config.RuntimeParams["lock_timeout"] == "" {
		config.RuntimeParams["lock_timeout"] = lockPatience
	}
	done, err := takeTurn(config)
	if err != nil {
		return fmt.Errorf("migrate: %w", err)
	}
	defer done()
	into, err := driver.WithInstance(stdlib.OpenDB(*config), &driver.Config{})
	if err != nil {
		return fmt.Errorf("migrate: %w", err)
	}
	defer into.Close()
	steps, err := iofs.New(migrations.FS, ".")
	if err != nil {
		return fmt.Errorf("migrate: %w", err)
	}
	m, err := migrate.NewWithInstance("migrations", steps, "postgres", into)
	if err != nil {
		return fmt.Errorf("migrate: %w", err)
	}
	return do(m)
}

// takeTurn waits until no other instance migrates. It asks again and again, since the library's own lock is waited for inside a statement, which has two drawbacks: lock_timeout ends the wait, and a step
// that builds an index beside running queries would wait for that statement to end.
func takeTurn(config *pgx.ConnConfig) (done func(), err error) {
	ctx, cancel := context.WithTimeout(context.Background(), turnPatience)
	defer cancel()
	conn, err := pgx.ConnectConfig(ctx, config)
	if err != nil {
		return nil, err
	}
	done = func() { _ = conn.Close(context.WithoutCancel(ctx)) } // which lets go
	for {
		var mine bool
		if err := conn.QueryRow(ctx, `SELECT pg_try_advisory_lock($1)`, int64(turnKey)).Scan(&mine); err != nil {
			done()
			return nil, fmt.Errorf("waiting for another instance that migrates: %w", err)
		}
		if mine {
			return done, nil
		}
		time.Sleep(turnPause)
	}
}
