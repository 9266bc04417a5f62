package postgres

import (
	"errors"
	"fmt"
	"time"

	"github.com/golang-migrate/migrate/v4"
	driver "github.com/golang-migrate/migrate/v4/database/pgx/v5"
	"github.com/golang-migrate/migrate/v4/source/iofs"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/stdlib"

	"pubquiz/migrations"
)

// Migrate brings the database at url to the newest version of the schema. Instances that start together wait for one
// another: one migrates, the others find the work done.
func Migrate(url string) error {
	return migrating(url, func(m *migrate.Migrate) error {
		if err := m.Up(); err != nil && !errors.Is(err, migrate.ErrNoChange) {
			return fmt.Errorf("postgres.Migrate: %w", err)
		}
		return nil
	})
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
// was begun and failed, and that the schema needs a person to look at it.
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
	database, err := driver.WithInstance(stdlib.OpenDB(*config), &driver.Config{})
	if err != nil {
		return fmt.Errorf("migrate: %w", err)
	}
	defer database.Close()
	steps, err := iofs.New(migrations.FS, ".")
	if err != nil {
		return fmt.Errorf("migrate: %w", err)
	}
	m, err := migrate.NewWithInstance("migrations", steps, "postgres", database)
	if err != nil {
		return fmt.Errorf("migrate: %w", err)
	}
	m.LockTimeout = 2 * time.Minute // another instance may be at a long step
	return do(m)
}
