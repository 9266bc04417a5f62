package postgres_test

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"pubquiz/internal/postgres"
)

func TestEmbeddedKeepsItsData(t *testing.T) {
	t.Parallel()
	folder := shortFolder(t)
	// What an interrupted first start leaves must not be taken for data.
	if err := os.MkdirAll(filepath.Join(folder, "data.new", "base"), 0o777); err != nil {
		t.Fatal(err)
	}

	first := start(t, folder)
	if err := first.Create(t.Context(), "evening"); err != nil {
		t.Fatal(err)
	}
	run(t, first.URL("evening"), "CREATE TABLE kept (what text)")
	if _, err := (postgres.Embedded{Folder: folder, Fast: true}).Start(t.Context()); !errors.Is(err, postgres.ErrInUse) {
		t.Errorf("a second server on the same folder: %v, want ErrInUse", err)
	}
	if err := first.Stop(); err != nil {
		t.Fatal(err)
	}
	<-first.Exited()

	second := start(t, folder)
	if err := second.Create(t.Context(), "evening"); err != nil {
		t.Errorf("creating a database that exists: %v", err)
	}
	run(t, second.URL("evening"), "INSERT INTO kept VALUES ('it')")
	if err := second.Stop(); err != nil {
		t.Fatal(err)
	}
}

func TestEmbeddedIsPrivate(t *testing.T) {
	t.Parallel()
	folder := shortFolder(t)
	server := start(t, folder)
	defer server.Stop()
	for _, path := range []string{folder, filepath.Join(folder, "socket"), filepath.Join(folder, "data")} {
		info, err := os.Stat(path)
		if err != nil {
			t.Fatal(err)
		}
		if info.Mode().Perm() != 0o700 {
			t.Errorf("%s is %v, want it closed to others", path, info.Mode())
		}
	}
	conn, err := pgx.Connect(t.Context(), server.URL("postgres"))
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close(t.Context())
	var addresses string
	if err := conn.QueryRow(t.Context(), "SHOW listen_addresses").Scan(&addresses); err != nil {
		t.Fatal(err)
	}
	if addresses != "" {
		t.Errorf("it listens on %q, want no network at all", addresses)
	}
}

// TestEmbeddedSurvivesAKill kills the process that owns a server, and in two cases the server as well: once everything of it, and once but for a worker, which
// the next start has to wait for.
func TestEmbeddedSurvivesAKill(t *testing.T) {
	t.Parallel()
	for _, killed := range []string{"the owner", "both", "both but for a worker"} {
		t.Run(killed, func(t *testing.T) {
			t.Parallel()
			folder := shortFolder(t)
			owner := exec.Command(os.Args[0], "-test.run=^TestOwnerProcess$")
			owner.Env = append(os.Environ(), "POSTGRES_TEST_FOLDER="+folder)
			out, err := owner.StdoutPipe()
			if err != nil {
				t.Fatal(err)
			}
			if _, err := owner.StdinPipe(); err != nil {
				t.Fatal(err)
			}
			if err := owner.Start(); err != nil {
				t.Fatal(err)
			}
			lines := bufio.NewScanner(out)
			hear := func(want string) {
				if lines.Scan(); lines.Text() != want {
					t.Fatalf("the owner said %q, want %q", lines.Text(), want)
				}
			}
			hear("ready")
			if killed != "the owner" {
				pid := serverPID(t, folder)
				if killed != "both" {
					lingering(t, pid, folder)
				}
				kill(t, pid, syscall.SIGKILL)
				hear("server ended")
			}
			if err := owner.Process.Kill(); err != nil {
				t.Fatal(err)
			}
			_ = owner.Wait() // says that it was killed

			server := start(t, folder)
			run(t, server.URL("postgres"), "INSERT INTO kept VALUES ('it')")
			if err := server.Stop(); err != nil {
				t.Fatal(err)
			}
		})
	}
}

// lingering stops one of a server's workers where it is, until a server that was started after it has found its memory held.
func lingering(t *testing.T, server int, folder string) {
	t.Helper()
	children, err := os.ReadFile(fmt.Sprintf("/proc/%d/task/%d/children", server, server))
	if err != nil || len(strings.Fields(string(children))) == 0 {
		t.Fatalf("a server without workers: %q, %v", children, err)
	}
	worker, err := strconv.Atoi(strings.Fields(string(children))[0])
	if err != nil {
		t.Fatal(err)
	}
	kill(t, worker, syscall.SIGSTOP)
	released := make(chan struct{})
	go func() {
		defer close(released)
		for t.Context().Err() == nil {
			if said, _ := os.ReadFile(filepath.Join(folder, "postgres.log")); strings.Contains(string(said), "shared memory") {
				break
			}
			time.Sleep(10 * time.Millisecond)
		}
		_ = syscall.Kill(worker, syscall.SIGCONT)
	}()
	t.Cleanup(func() { <-released })
}

// TestOwnerProcess is the process that TestEmbeddedSurvivesAKill kills.
func TestOwnerProcess(t *testing.T) {
	folder := os.Getenv("POSTGRES_TEST_FOLDER")
	if folder == "" {
		t.Skip("only as a child of TestEmbeddedSurvivesAKill")
	}
	server, err := postgres.Embedded{Folder: folder}.Start(t.Context()) // durable
	if err != nil {
		t.Fatal(err)
	}
	run(t, server.URL("postgres"), "CREATE TABLE kept (what text)")
	fmt.Println("ready")
	<-server.Exited()
	fmt.Println("server ended")
	_, _ = io.Copy(io.Discard, os.Stdin) // until killed, or left alone
}

func TestEmbeddedRefuses(t *testing.T) {
	t.Parallel()
	long := filepath.Join(shortFolder(t), strings.Repeat("long", 30))
	if _, err := (postgres.Embedded{Folder: long}).Start(t.Context()); err == nil || !strings.Contains(err.Error(), "too long") {
		t.Errorf("a path that no socket fits in: %v", err)
	}

	old := shortFolder(t)
	if err := os.MkdirAll(filepath.Join(old, "data"), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(old, "data", "PG_VERSION"), []byte("9\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := (postgres.Embedded{Folder: old}).Start(t.Context()); err == nil || !strings.Contains(err.Error(), "PostgreSQL 9") {
		t.Errorf("data of a version that is not installed: %v", err)
	}
}

func TestEmbeddedAsRootSaysWhatItCannotReach(t *testing.T) {
	if os.Geteuid() != 0 {
		t.Skip("only root starts the server as somebody else")
	}
	t.Parallel()
	closed := shortFolder(t) // as os.MkdirTemp makes it, for root alone
	_, err := postgres.Embedded{Folder: filepath.Join(closed, "postgres")}.Start(t.Context())
	if err == nil || !strings.Contains(err.Error(), "cannot enter "+closed) {
		t.Errorf("a folder in one that is closed to the server's user: %v", err)
	}
}

func start(t *testing.T, folder string) *postgres.Server {
	t.Helper()
	server, err := postgres.Embedded{Folder: folder, Fast: true}.Start(t.Context())
	if errors.Is(err, postgres.ErrNotInstalled) && os.Getenv("CI") != "true" {
		t.Skip(err)
	}
	if err != nil {
		t.Fatal(err)
	}
	return server
}

// shortFolder is a temporary folder whose path leaves room for a socket's.
func shortFolder(t *testing.T) string {
	t.Helper()
	folder, err := os.MkdirTemp("", "quizd-test-")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := os.RemoveAll(folder); err != nil {
			t.Error(err)
		}
	})
	return folder
}

func run(t *testing.T, url, sql string) {
	t.Helper()
	conn, err := pgx.Connect(t.Context(), url)
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close(t.Context())
	if _, err := conn.Exec(t.Context(), sql); err != nil {
		t.Fatal(err)
	}
}

func serverPID(t *testing.T, folder string) int {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(folder, "data", "postmaster.pid"))
	if err != nil {
		t.Fatal(err)
	}
	line, _, _ := strings.Cut(string(text), "\n")
	pid, err := strconv.Atoi(line)
	if err != nil {
		t.Fatal(err)
	}
	return pid
}

func kill(t *testing.T, pid int, signal syscall.Signal) {
	t.Helper()
	if err := syscall.Kill(pid, signal); err != nil {
		t.Fatal(err)
	}
}
