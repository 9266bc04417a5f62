package postgres_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/jackc/pgx/v5"

	"pubquiz/internal/dbtest"
	"pubquiz/internal/postgres"
)

func TestCheckSchema(t *testing.T) {
	t.Parallel()
	pool := dbtest.New(t)
	for _, test := range []struct{ change, says string }{
		{`SELECT 1`, ""},
		{`UPDATE schema_migrations SET version = version + 1`, ""},
		{`UPDATE schema_migrations SET version = version - 2`, "behind: the schema is at version "},
		{`UPDATE schema_migrations SET version = version + 1, dirty = true`, "broken: the schema is at version "},
		{`UPDATE schema_migrations SET version = version + 1`, ""}, // a newer program is at its own step
	} {
		if _, err := pool.Exec(t.Context(), test.change); err != nil {
			t.Fatal(err)
		}
		err := postgres.CheckSchema(t.Context(), pool)
		wrong, is := errors.AsType[*postgres.SchemaError](err)
		if is != (test.says != "") || !is && err != nil || is && !strings.HasPrefix(wrong.Error(), test.says) {
			t.Errorf("%s: %v", test.change, err)
		}
	}
	pool.Close()
	if err := postgres.CheckSchema(t.Context(), pool); err == nil || errors.As(err, new(*postgres.SchemaError)) {
		t.Errorf("a database that is away: %v", err)
	}
}

// TestForeignKeysHaveIndexes that begin with one of their columns: without one, deleting a row that is referred to reads the whole table that refers to it.
func TestForeignKeysHaveIndexes(t *testing.T) {
	t.Parallel()
	rows, err := dbtest.New(t).Query(t.Context(), `
		SELECT c.conrelid::regclass || ' (' || string_agg(a.attname, ', ' ORDER BY k.place) || ')'
		FROM pg_constraint c CROSS JOIN unnest(c.conkey) WITH ORDINALITY AS k (attnum, place)
		JOIN pg_attribute a ON a.attrelid = c.conrelid AND a.attnum = k.attnum
		WHERE c.contype = 'f' AND NOT EXISTS (
			SELECT FROM pg_index i WHERE i.indrelid = c.conrelid AND i.indisvalid
				AND i.indkey[0] = ANY (c.conkey) AND (i.indpred IS NULL OR pg_get_expr(i.indpred, i.indrelid) LIKE '%IS NOT NULL%'))
		GROUP BY c.oid, c.conrelid ORDER BY 1`)
	if err != nil {
		t.Fatal(err)
	}
	without, err := pgx.CollectRows(rows, pgx.RowTo[string])
	if err != nil {
		t.Fatal(err)
	}
	for _, key := range without {
		t.Errorf("no index of a foreign key: %s", key)
	}
}
