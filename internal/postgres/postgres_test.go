package postgres_test

import (
	"context"
	"errors"
	"net/url"
	"os"
	"sync"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"

	"pubquiz/internal/dbtest"
	"pubquiz/internal/postgres"
)

func TestMain(m *testing.M) { os.Exit(dbtest.Run(m)) }

func TestOpenHonoursTheAddress(t *testing.T) {
	t.Parallel()
	address, err := url.Parse(dbtest.URL(t))
	if err != nil {
		t.Fatal(err)
	}
	query := address.Query()
	query.Set("pool_max_conns", "3")
	query.Set("statement_timeout", "7s")
	address.RawQuery = query.Encode()
	pool, err := postgres.Open(t.Context(), address.String())
	if err != nil {
		t.Fatal(err)
	}
	defer pool.Close()
	if got := pool.Config().MaxConns; got != 3 {
		t.Errorf("%d connections at most, want the 3 of the address", got)
	}
	for setting, want := range map[string]string{"statement_timeout": "7s", "lock_timeout": "5s", "TimeZone": "UTC"} {
		var got string
		if err := pool.QueryRow(t.Context(), "SELECT current_setting($1)", setting).Scan(&got); err != nil {
			t.Fatal(err)
		}
		if got != want {
			t.Errorf("%s is %q, want %q", setting, got, want)
		}
	}
}

func TestInTx(t *testing.T) {
	t.Parallel()
	conflict, deadlock, unique := &pgconn.PgError{Code: "40001"}, &pgconn.PgError{Code: "40P01"}, &pgconn.PgError{Code: "23505"}
	tests := map[string]struct {
		fails  []error // what the first tries return; the tries after them succeed
		tries  int
		want   error
		epochs int // rows left in a table that the transaction empties
	}{
		"at once":                   {nil, 1, nil, 0},
		"after conflicts":           {[]error{conflict, deadlock}, 3, nil, 0},
		"another error is final":    {[]error{unique}, 1, unique, 1},
		"it gives up some time":     {[]error{conflict, conflict, conflict, conflict, deadlock}, 5, deadlock, 1},
		"an error after a conflict": {[]error{conflict, errors.ErrUnsupported}, 2, errors.ErrUnsupported, 1},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			pool := dbtest.New(t)
			tries := 0
			err := postgres.InTx(t.Context(), pool, func(tx pgx.Tx) error {
				if _, err := tx.Exec(t.Context(), "DELETE FROM epoch"); err != nil {
					return err
				}
				tries++
				if tries <= len(test.fails) {
					return test.fails[tries-1]
				}
				return nil
			})
			if !errors.Is(err, test.want) || tries != test.tries {
				t.Errorf("%v after %d tries, want %v after %d", err, tries, test.want, test.tries)
			}
			var epochs int
			if err := pool.QueryRow(t.Context(), "SELECT count(*) FROM epoch").Scan(&epochs); err != nil {
				t.Fatal(err)
			}
			if epochs != test.epochs {
				t.Errorf("%d rows, want %d", epochs, test.epochs)
			}
		})
	}
}

func TestClockTellsTheDatabasesTime(t *testing.T) {
	t.Parallel()
	pool := dbtest.New(t)
	clock, err := postgres.NewClock(t.Context(), pool)
	if err != nil {
		t.Fatal(err)
	}
	var before, after time.Time
	if err := pool.QueryRow(t.Context(), "SELECT clock_timestamp()").Scan(&before); err != nil {
		t.Fatal(err)
	}
	now := clock.Now()
	if err := pool.QueryRow(t.Context(), "SELECT clock_timestamp()").Scan(&after); err != nil {
		t.Fatal(err)
	}
	const slack = time.Second // half a round trip on a busy machine
	if now.Before(before.Add(-slack)) || now.After(after.Add(slack)) {
		t.Errorf("the clock says %v between the database's %v and %v", now, before, after)
	}
}

func TestMigrations(t *testing.T) {
	t.Parallel()
	url := dbtest.URL(t)
	newest := version(t, url)
	if newest == 0 {
		t.Fatal("a test database has no schema")
	}
	for before := newest; before > 0; { // numbers may be left out
		if err := postgres.MigrateDown(url); err != nil {
			t.Fatal(err)
		}
		got := version(t, url)
		if got >= before {
			t.Fatalf("version %d, want one before %d", got, before)
		}
		before = got
	}
	if err := postgres.MigrateDown(url); err != nil {
		t.Errorf("down from an empty database: %v", err)
	}
	if left := tables(t, url); left != 0 {
		t.Errorf("all the way down, %d tables are left", left)
	}

	// Several instances start at once on the empty database.
	var instances sync.WaitGroup
	for range 4 {
		instances.Go(func() {
			if err := postgres.Migrate(url); err != nil {
				t.Error(err)
			}
		})
	}
	instances.Wait()
	if got := version(t, url); got != newest {
		t.Errorf("version %d after migrating, want %d", got, newest)
	}
}

// An instance of an older version starts beside one of a newer: it leaves the schema alone.
func TestMigrateLeavesNewerSchemasAlone(t *testing.T) {
	t.Parallel()
	url := dbtest.URL(t)
	conn, err := pgx.Connect(t.Context(), url)
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close(t.Context())
	if _, err := conn.Exec(t.Context(), "UPDATE schema_migrations SET version = 999999"); err != nil {
		t.Fatal(err)
	}
	if err := postgres.Migrate(url); err != nil {
		t.Error(err)
	}
	if got := version(t, url); got != 999999 {
		t.Errorf("version %d, want the newer one", got)
	}
}

// A transaction that does not end keeps a step from its lock. Whatever else wants the table must not wait behind the step, and once the transaction has ended the step is taken.
func TestMigrateLetsOthersPass(t *testing.T) {
	t.Parallel()
	const about = 46 // the step that changes the table epoch
	address, err := url.Parse(dbtest.URL(t))
	if err != nil {
		t.Fatal(err)
	}
	for version(t, address.String()) >= about {
		if err := postgres.MigrateDown(address.String()); err != nil {
			t.Fatal(err)
		}
	}
	connect := func() *pgx.Conn {
		conn, err := pgx.Connect(t.Context(), address.String())
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { conn.Close(context.WithoutCancel(t.Context())) })
		return conn
	}
	stuck, phone := connect(), connect()
	const read = "SELECT count(*) FROM epoch"
	if _, err := stuck.Exec(t.Context(), "BEGIN; "+read); err != nil {
		t.Fatal(err)
	}
	hasty := *address
	query := hasty.Query()
	query.Set("lock_timeout", "2s")
	hasty.RawQuery = query.Encode()
	migrated := make(chan error, 1)
	go func() { migrated <- postgres.Migrate(hasty.String()) }()
	for waits := 0; waits == 0; { // until the step is in the way
		const waiting = "SELECT count(*) FROM pg_locks WHERE NOT granted AND relation = 'epoch'::regclass"
		if err := phone.QueryRow(t.Context(), waiting).Scan(&waits); err != nil {
			t.Fatal(err)
		}
		select {
		case err := <-migrated:
			t.Fatalf("the step was never in the way: %v", err)
		default:
		}
	}
	if _, err := phone.Exec(t.Context(), read); err != nil {
		t.Fatal(err)
	}
	select {
	case err := <-migrated:
		t.Fatalf("the step has ended while another transaction held the table: %v", err)
	default:
	}
	if _, err := stuck.Exec(t.Context(), "COMMIT"); err != nil {
		t.Fatal(err)
	}
	if err := <-migrated; err != nil {
		t.Fatal(err)
	}
	if got := version(t, address.String()); got < about {
		t.Errorf("version %d, want %d or newer", got, about)
	}
}

// A step that fails leaves neither a part of itself behind nor a mark that keeps the next start from trying again.
func TestMigrateAfterAFailedStep(t *testing.T) {
	t.Parallel()
	url := dbtest.URL(t)
	const about = 46
	for version(t, url) >= about {
		if err := postgres.MigrateDown(url); err != nil {
			t.Fatal(err)
		}
	}
	before := version(t, url)
	conn, err := pgx.Connect(t.Context(), url)
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close(t.Context())
	if _, err := conn.Exec(t.Context(), "ALTER TABLE epoch ADD COLUMN served_since text"); err != nil { // in the step's way
		t.Fatal(err)
	}
	if err := postgres.Migrate(url); err == nil {
		t.Fatal("a step that cannot be taken was")
	}
	if got := version(t, url); got != before {
		t.Errorf("version %d after the failure, want %d", got, before)
	}
	if _, err := conn.Exec(t.Context(), "ALTER TABLE epoch DROP COLUMN served_since"); err != nil {
		t.Fatal(err)
	}
	if err := postgres.Migrate(url); err != nil {
		t.Error(err)
	}
}

func version(t *testing.T, url string) uint {
	t.Helper()
	version, dirty, err := postgres.Version(url)
	if err != nil || dirty {
		t.Fatalf("version %d, dirty %v: %v", version, dirty, err)
	}
	return version
}

// tables counts the tables apart from the migrations' own.
func tables(t *testing.T, url string) (n int) {
	t.Helper()
	conn, err := pgx.Connect(t.Context(), url)
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close(t.Context())
	const query = `SELECT count(*) FROM information_schema.tables WHERE table_schema = 'public' AND table_name <> 'schema_migrations'`
	if err := conn.QueryRow(t.Context(), query).Scan(&n); err != nil {
		t.Fatal(err)
	}
	return n
}
