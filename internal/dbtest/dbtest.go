// Package dbtest gives tests real databases with the product's schema, one for each test, quickly enough to use everywhere.
//
//	func TestMain(m *testing.M) { os.Exit(dbtest.Run(m)) }
//
//	func TestX(t *testing.T) {
//		t.Parallel()
//		pool := dbtest.New(t)
//
// The server is a private one with no regard for power cuts, in memory where there is room, started by the first test that needs
// it; or the one that TEST_DATABASE_URL names. Without either a test fails in CI, and is skipped elsewhere.
package dbtest

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"net/url"
	"os"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/jackc/pgx/v5/pgxpool"

	"pubquiz/internal/postgres"
)

// Run runs a package's tests and then removes the server that they started. It returns the exit code for os.Exit.
func Run(m *testing.M) int {
	running = true
	code := m.Run()
	if s := current; s != nil {
		if err := s.stop(); err != nil {
			fmt.Fprintln(os.Stderr, err)
			code = max(code, 1)
		}
	}
	return code
}

// New returns a connection to an empty database of the test's own, which goes when the test ends.
func New(t testing.TB) *pgxpool.Pool {
	t.Helper()
	pool, err := postgres.Open(t.Context(), URL(t))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(pool.Close)
	return pool
}

// URL returns the address of an empty database of the test's own, which goes when the test ends, connected to or not.
func URL(t testing.TB) string {
	t.Helper()
	s, err := shared()
	switch {
	case errors.Is(err, postgres.ErrNotInstalled) && os.Getenv("CI") != "true":
		t.Skipf("SKIPPED, and it should not be: %v", err)
	case err != nil:
		t.Fatal(err)
	}
	name := uniqueName("test")
	if err := s.exec(t.Context(), "CREATE DATABASE "+name+" TEMPLATE "+s.template); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := s.exec(context.WithoutCancel(t.Context()), "DROP DATABASE "+name+" WITH (FORCE)"); err != nil {
			t.Error(err)
		}
	})
	return s.url(name)
}

// Folder returns a folder for a server that is the test's own, which goes when the test ends: in memory where there is room.
func Folder(t testing.TB) string {
	t.Helper()
	folder, err := makeFolder()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.RemoveAll(folder) })
	if err := os.Chmod(folder, 0o755); err != nil { // Postgres may run as another user, who must get through
		t.Fatal(err)
	}
	return folder
}

// server is where the databases of this process's tests live.
type server struct {
	admin    *pgxpool.Pool
	url      func(database string) string
	template string // a migrated database to clone
	private  *postgres.Server
	folder   string // of the private server
}

var (
	running bool    // set by Run
	current *server // set by shared
	shared  = sync.OnceValues(start)
)

func start() (*server, error) {
	if !running {
		return nil, errors.New("dbtest: the package has no TestMain that calls dbtest.Run")
	}
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	s := &server{template: uniqueName("template")}
	current = s
	database := "postgres"
	if given := os.Getenv("TEST_DATABASE_URL"); given != "" {
		address, err := url.Parse(given)
		if err != nil {
			return nil, fmt.Errorf("dbtest: TEST_DATABASE_URL: %w", err)
		}
		database = strings.TrimPrefix(address.Path, "/")
		s.url = func(database string) string { return address.JoinPath("..", database).String() }
	} else {
		folder, err := makeFolder()
		if err != nil {
			return nil, fmt.Errorf("dbtest: %w", err)
		}
		s.folder = folder
		s.private, err = postgres.Embedded{Folder: folder, Fast: true}.Start(ctx)
		if err != nil {
			return nil, fmt.Errorf("dbtest: %w", err)
		}
		s.url = s.private.URL
	}
	address, err := url.Parse(s.url(database))
	if err != nil {
		return nil, fmt.Errorf("dbtest: %w", err)
	}
	query := address.Query()
	query.Set("statement_timeout", "0") // a busy machine may take its time to make a database
	address.RawQuery = query.Encode()
	s.admin, err = postgres.Open(ctx, address.String())
	if err != nil {
		return nil, fmt.Errorf("dbtest: %w", err)
	}
	if err := s.exec(ctx, "CREATE DATABASE "+s.template); err != nil {
		return nil, err
	}
	if err := postgres.Migrate(s.url(s.template)); err != nil {
		return nil, fmt.Errorf("dbtest: %w", err)
	}
	return s, nil
}

func (s *server) stop() error {
	var errs []error
	if s.admin != nil {
		errs = append(errs, s.exec(context.Background(), "DROP DATABASE IF EXISTS "+s.template+" WITH (FORCE)"))
		s.admin.Close()
	}
	if s.private != nil {
		errs = append(errs, s.private.Stop())
	}
	if s.folder != "" {
		errs = append(errs, os.RemoveAll(s.folder))
	}
	return errors.Join(errs...)
}

func (s *server) exec(ctx context.Context, sql string) error {
	if _, err := s.admin.Exec(ctx, sql); err != nil {
		return fmt.Errorf("dbtest: %s: %w", sql, err)
	}
	return nil
}

// uniqueName is unique on a server that several processes share.
func uniqueName(prefix string) string {
	return strings.ToLower(prefix + "_" + rand.Text()[:12])
}
