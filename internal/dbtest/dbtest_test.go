package dbtest_test

import (
	"os"
	"testing"

	"pubquiz/internal/dbtest"
)

func TestMain(m *testing.M) { os.Exit(dbtest.Run(m)) }

func TestDatabasesAreSeparate(t *testing.T) {
	for _, name := range []string{"one", "two", "three", "four"} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			pool := dbtest.New(t)
			if _, err := pool.Exec(t.Context(), "INSERT INTO users (email, email_key, name, password_hash) VALUES ('a@b', 'a@b', 'A', '')"); err != nil {
				t.Fatal(err)
			}
			var users int
			if err := pool.QueryRow(t.Context(), "SELECT count(*) FROM users").Scan(&users); err != nil {
				t.Fatal(err)
			}
			if users != 1 {
				t.Errorf("this test's database holds %d users, want its own only", users)
			}
		})
	}
}
