package postgres

import (
	"context"
	"fmt"
	"sync"

	"github.com/jackc/pgx/v5/pgxpool"
)

// SchemaError says that the schema is not one that this program can work with.
type SchemaError struct {
	At, Needs uint
	Dirty     bool // the step At was begun and failed
}

func (e *SchemaError) Error() string {
	where := "behind"
	if e.Dirty {
		where = "broken"
	}
	return fmt.Sprintf("%s: the schema is at version %d, and this server is made for %d", where, e.At, e.Needs)
}

// CheckSchema asks whether the schema has all that this program was made for. The error is a *SchemaError if not. One that a newer program has migrated
// does: docs/decisions/migrations.md. It asks over the pool, and so is cheaper than Version.
func CheckSchema(ctx context.Context, pool *pgxpool.Pool) error {
	needs, err := newest()
	if err != nil {
		return fmt.Errorf("postgres.CheckSchema: %w", err)
	}
	e := &SchemaError{Needs: needs}
	if err := pool.QueryRow(ctx, `SELECT version, dirty FROM schema_migrations`).Scan(&e.At, &e.Dirty); err != nil {
		return fmt.Errorf("postgres.CheckSchema: %w", err)
	}
	if e.At < e.Needs || e.Dirty && e.At == e.Needs { // a newer step that has begun is a newer program's business
		return e
	}
	return nil
}

var newest = sync.OnceValues(NewestStep)
