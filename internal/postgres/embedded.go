package postgres

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"syscall"
	"time"

	"github.com/jackc/pgx/v5"
)

// ErrInUse says that another process runs a server on the same folder.
var ErrInUse = errors.New("another process is using this data folder")

// Embedded configures a private server.
type Embedded struct {
	// Folder holds the data, the socket and the log; it is created when missing. Its path must be short, since a socket's
	// is limited to about a hundred bytes.
	Folder string
	// Fast gives up the data's safety in a power cut for speed. For tests.
	Fast bool
}

// Server is a private Postgres, reachable only by this user and only through a unix socket.
type Server struct {
	socket string
	lock   *os.File
	cmd    *exec.Cmd
	exited chan struct{}
}

const (
	superuser  = "quizd"
	socketName = ".s.PGSQL.5432"
	// longestSocket is what fits everywhere: 107 bytes on Linux, 103 on macOS.
	longestSocket = 103
	startTimeout  = 60 * time.Second // crash recovery after a busy evening can take this long on a slow disk
	stopTimeout   = 30 * time.Second
)

// Start starts the server and returns when it accepts connections. The first start makes the data. As root, which Postgres
// refuses to run as, the server runs as the user postgres or nobody, and the folder is given to that user. On Linux it ends
// with this process, however that ends; elsewhere the next Start ends one that a killed process left behind.
//
// The error is ErrInUse when another process runs a server on the folder, and ErrNotInstalled without Postgres.
func (e Embedded) Start(ctx context.Context) (*Server, error) {
	s, err := e.start(ctx)
	if err != nil {
		return nil, fmt.Errorf("postgres.Start: %w", err)
	}
	return s, nil
}

func (e Embedded) start(ctx context.Context) (_ *Server, err error) {
	folder, err := filepath.Abs(e.Folder)
	if err != nil {
		return nil, err
	}
	data := filepath.Join(folder, "data")
	s := &Server{socket: filepath.Join(folder, "socket")}
	if path := filepath.Join(s.socket, socketName); len(path) > longestSocket {
		return nil, fmt.Errorf("the folder's path is too long for a socket in it (%d bytes, at most %d): %s", len(path), longestSocket, path)
	}
	as, err := serverUser()
	if err != nil {
		return nil, err
	}
	for _, dir := range []string{folder, s.socket} {
		if err := as.makeFolder(dir); err != nil {
			return nil, err
		}
	}
	if s.lock, err = lockFolder(folder); err != nil {
		return nil, err
	}
	defer func() {
		if err != nil {
			unlockFolder(s.lock)
		}
	}()
	if err := s.stopOrphan(ctx, data); err != nil {
		return nil, err
	}
	major, err := dataVersion(data)
	if err != nil {
		return nil, err
	}
	programs, err := findBinaries(major)
	if err != nil {
		return nil, err
	}
	if major == 0 {
		if err := e.makeData(ctx, programs, as, data); err != nil {
			return nil, err
		}
	}
	return s, e.run(ctx, s, programs, as, data)
}

// URL returns the address of one of the server's databases. "postgres" exists from the start.
func (s *Server) URL(database string) string {
	query := url.Values{"host": {s.socket}, "user": {superuser}}
	return (&url.URL{Scheme: "postgres", Path: "/" + database, RawQuery: query.Encode()}).String()
}

// Create makes an empty database unless it exists.
func (s *Server) Create(ctx context.Context, database string) error {
	conn, err := pgx.Connect(ctx, s.URL("postgres"))
	if err != nil {
		return fmt.Errorf("postgres.Create: %w", err)
	}
	defer conn.Close(context.WithoutCancel(ctx))
	var exists bool
	if err := conn.QueryRow(ctx, "SELECT EXISTS (SELECT FROM pg_database WHERE datname = $1)", database).Scan(&exists); err != nil {
		return fmt.Errorf("postgres.Create: %w", err)
	}
	if exists {
		return nil
	}
	if _, err := conn.Exec(ctx, "CREATE DATABASE "+pgx.Identifier{database}.Sanitize()); err != nil {
		return fmt.Errorf("postgres.Create: %w", err)
	}
	return nil
}

// Exited is closed when the server has ended, whether it was stopped or not.
func (s *Server) Exited() <-chan struct{} { return s.exited }

// Stop ends open connections, rolls back what they had not committed, and waits until the data is on disk.
func (s *Server) Stop() error {
	defer unlockFolder(s.lock)
	_ = s.cmd.Process.Signal(syscall.SIGINT) // "fast shutdown"; an error means that it has ended
	select {
	case <-s.exited:
		return nil
	case <-time.After(stopTimeout):
		_ = s.cmd.Process.Signal(syscall.SIGQUIT) // "immediate": the next start recovers from the log
		<-s.exited
		return fmt.Errorf("postgres.Stop: the server took longer than %v", stopTimeout)
	}
}

// makeData runs initdb beside the final place, so that an interrupted first start leaves nothing that looks like data.
func (e Embedded) makeData(ctx context.Context, programs binaries, as owner, data string) error {
	unfinished := data + ".new"
	if err := os.RemoveAll(unfinished); err != nil {
		return fmt.Errorf("initdb: %w", err)
	}
	args := []string{"--pgdata", unfinished, "--username", superuser, "--auth", "trust", "--encoding", "UTF8", "--no-locale"}
	if e.Fast {
		args = append(args, "--no-sync")
	}
	cmd := as.command(ctx, filepath.Dir(data), programs.path("initdb"), args...)
	if out, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("initdb: %w\n%s", err, bytes.TrimSpace(out))
	}
	if err := os.Rename(unfinished, data); err != nil {
		return fmt.Errorf("initdb: %w", err)
	}
	return nil
}

// errMemoryHeld says that workers of a server which was killed still hold its memory. They end by themselves, at once unless the machine is busy.
var errMemoryHeld = errors.New("workers of a server that was killed have not ended")

// run starts the server, as soon as nothing is left of the one before.
func (e Embedded) run(ctx context.Context, s *Server, programs binaries, as owner, data string) error {
	ctx, cancel := context.WithTimeout(ctx, startTimeout)
	defer cancel()
	for {
		err := e.launch(ctx, s, programs, as, data)
		if !errors.Is(err, errMemoryHeld) {
			return err
		}
		select {
		case <-ctx.Done():
			return err
		case <-time.After(50 * time.Millisecond):
		}
	}
}

// launch starts the server and returns when it answers.
func (e Embedded) launch(ctx context.Context, s *Server, programs binaries, as owner, data string) error {
	args := []string{"-D", data, "-k", s.socket, "-c", "listen_addresses=", "-c", "unix_socket_permissions=0700", "-c", "timezone=UTC"}
	if e.Fast {
		args = append(args, "-c", "fsync=off", "-c", "synchronous_commit=off", "-c", "full_page_writes=off", "-c", "autovacuum=off",
			"-c", "max_connections=300", "-c", "shared_buffers=32MB", "-c", "max_wal_size=2GB")
	}
	logPath := filepath.Join(filepath.Dir(data), "postgres.log")
	log, err := os.OpenFile(logPath, os.O_WRONLY|os.O_CREATE|os.O_TRUNC|syscall.O_NOFOLLOW, 0o600) // root writes into another user's folder
	if err != nil {
		return fmt.Errorf("starting the server: %w", err)
	}
	defer log.Close()
	// The server outlives ctx, which is only about starting it: Stop ends it in order, and a kill would not.
	s.cmd = as.command(context.WithoutCancel(ctx), filepath.Dir(data), programs.path("postgres"), args...)
	s.cmd.Stdout, s.cmd.Stderr = log, log
	s.exited = make(chan struct{})
	started := make(chan error)
	go func() {
		// Linux ends the child with the thread that started it, so this thread must live as long as the child.
		runtime.LockOSThread()
		defer runtime.UnlockOSThread()
		err := s.cmd.Start()
		started <- err
		if err == nil {
			_ = s.cmd.Wait()
			close(s.exited)
		}
	}()
	if err := <-started; err != nil {
		return fmt.Errorf("starting the server: %w", err)
	}
	for {
		err := s.ping(ctx)
		if err == nil {
			return nil
		}
		select {
		case <-s.exited:
			said, _ := os.ReadFile(logPath)
			if bytes.Contains(said, []byte("pre-existing shared memory block")) { // in English, since initdb was told of no locale
				return errMemoryHeld
			}
			return fmt.Errorf("the server ended at once. Its log says:\n%s", bytes.TrimSpace(said))
		case <-ctx.Done():
			_ = s.cmd.Process.Kill()
			<-s.exited
			return fmt.Errorf("the server does not answer: %w", err)
		case <-time.After(10 * time.Millisecond):
		}
	}
}

func (s *Server) ping(ctx context.Context) error {
	conn, err := pgx.Connect(ctx, s.URL("postgres"))
	if err != nil {
		return err
	}
	return conn.Close(ctx)
}
