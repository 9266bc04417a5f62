package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"pubquiz/internal/dbtest"
	"pubquiz/internal/postgres"
)

// cluster is a Postgres of its own and several servers on it, all real processes, with networks between them that can fail.
type cluster struct {
	t        *testing.T
	folder   string
	database *postgres.Server
	members  []*member
	settings []environment
	signIn   func(context.Context) (token string, err error) // of a link; nil where whoever signs up is in
}

// member is one server process, and the two networks it depends on; or, without a cluster, only the address of a proxy, behind which any of them may answer.
type member struct {
	cluster  *cluster
	env      environment
	origin   string
	base     string // through its network
	phones   *proxy // between screens and the server
	database *proxy // between the server and Postgres

	mu      sync.Mutex
	command *exec.Cmd
	ended   chan struct{}
	starts  int
	said    *bytes.Buffer
}

const (
	answerGrace = 300 * time.Millisecond
	// A test's phones do in seconds what a room does in an evening.
	roomyLimits = "global=100000 auth=100000 joinSession=100000 socketOpen=100000 sessionPoll=100000 submitAnswer=100000 hostAction=100000 hostEdit=100000"
)

// newCluster starts Postgres, with its durable defaults, and n servers, with settings besides a member's own.
func newCluster(t *testing.T, n int, settings ...environment) *cluster {
	t.Helper()
	c := &cluster{t: t, folder: dbtest.Folder(t), settings: settings}
	c.start(n)
	return c
}

func (c *cluster) start(n int) {
	c.t.Helper()
	c.startDatabase()
	c.t.Cleanup(func() {
		if err := c.database.Stop(); err != nil {
			c.t.Error(err)
		}
	})
	if err := c.database.Create(c.t.Context(), "quizd"); err != nil {
		c.t.Fatal(err)
	}
	if err := postgres.Migrate(c.database.URL("quizd")); err != nil {
		c.t.Fatal(err)
	}
	for i := range n {
		c.addMember(i)
	}
	for _, in := range c.members {
		in.awaitReady()
	}
}

func (c *cluster) startDatabase() {
	c.t.Helper()
	database, err := postgres.Embedded{Folder: filepath.Join(c.folder, "postgres")}.Start(c.t.Context())
	if errors.Is(err, postgres.ErrNotInstalled) && os.Getenv("CI") != "true" {
		c.t.Skipf("SKIPPED, and it should not be: %v", err)
	}
	if err != nil {
		c.t.Fatal(err)
	}
	c.database = database
}

// socket is where Postgres listens.
func (c *cluster) socket() string {
	return filepath.Join(c.folder, "postgres", "socket", ".s.PGSQL.5432")
}

func (c *cluster) addMember(i int) {
	c.t.Helper()
	folder := filepath.Join(c.folder, "network"+strconv.Itoa(i))
	if err := os.Mkdir(folder, 0o755); err != nil {
		c.t.Fatal(err)
	}
	listen := "127.0.0.1:" + freePort(c.t)
	in := &member{cluster: c, origin: "http://quiz.example"}
	in.phones = newProxy(c.t, "tcp", "127.0.0.1:0", "tcp", listen)
	in.database = newProxy(c.t, "unix", filepath.Join(folder, ".s.PGSQL.5432"), "unix", c.socket())
	in.base = "http://" + in.phones.listener.Addr().String()
	in.env = environment{
		"DATABASE_URL": "postgres:///quizd?" + url.Values{"host": {folder}, "user": {"quizd"}}.Encode(),
		"BASE_URL":     in.origin, "LISTEN_ADDRESS": listen, "METRICS_ADDRESS": "off", "LOG_FORMAT": "text", "LOG_LEVEL": "error",
		"SECRET_KEYS": keyA, "ANSWER_GRACE": answerGrace.String(),
		"LIMITS": roomyLimits,
	}
	for _, settings := range c.settings {
		in.env = in.env.with(settings)
	}
	in.start()
	c.t.Cleanup(in.kill)
	c.members = append(c.members, in)
}

// start starts the process, without waiting for it.
func (in *member) start() {
	in.mu.Lock()
	defer in.mu.Unlock()
	in.starts++
	in.said = &bytes.Buffer{}
	// It must outlive a test that has ended long enough to be killed by its cleanup.
	in.command = exec.Command(os.Args[0], "serve")
	in.command.Env = []string{"QUIZD_TEST_MAIN=1", "HOME=" + in.cluster.folder, "PATH=" + os.Getenv("PATH")}
	for name, value := range in.env {
		in.command.Env = append(in.command.Env, name+"="+value)
	}
	in.command.Stdout, in.command.Stderr = in.said, in.said
	in.ended = make(chan struct{})
	command, ended := in.command, in.ended
	if err := command.Start(); err != nil {
		in.cluster.t.Error(err)
		close(ended)
		return
	}
	go func() { _ = command.Wait(); close(ended) }()
}

// signal sends the process a signal and returns what is closed when the process has ended. A process that has ended hears nothing.
func (in *member) signal(s os.Signal) (ended <-chan struct{}) {
	in.mu.Lock()
	defer in.mu.Unlock()
	_ = in.command.Process.Signal(s)
	return in.ended
}

// kill ends the process as a power cut would.
func (in *member) kill() { <-in.signal(syscall.SIGKILL) }

// running reports whether the process has not ended, and incarnation tells it from those before.
func (in *member) running() (running bool, incarnation string) {
	in.mu.Lock()
	defer in.mu.Unlock()
	select {
	case <-in.ended:
	default:
		running = true
	}
	return running, fmt.Sprintf("%s, start %d", in.base, in.starts)
}

// restart starts the process again if it has ended, until it stays: with its database away, it does not start.
func (in *member) restart(ctx context.Context) {
	for ctx.Err() == nil {
		if running, _ := in.running(); !running {
			in.start()
		}
		if in.ready(ctx) {
			return
		}
		pause(ctx, 50*time.Millisecond)
	}
}

func (in *member) ready(ctx context.Context) bool {
	ctx, cancel := context.WithTimeout(ctx, time.Second)
	defer cancel()
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, in.base+"/readyz", nil)
	if err != nil {
		return false
	}
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		return false
	}
	_ = res.Body.Close()
	return res.StatusCode == http.StatusOK
}

func (in *member) awaitReady() {
	in.cluster.t.Helper()
	ctx, cancel := context.WithTimeout(in.cluster.t.Context(), time.Minute)
	defer cancel()
	for !in.ready(ctx) {
		if running, _ := in.running(); !running || !pause(ctx, 20*time.Millisecond) {
			in.cluster.t.Fatalf("a server did not start: %s", in.said)
		}
	}
}

// restartDatabase stops Postgres with a signal and starts it again. SIGINT rolls back what is under way; after SIGQUIT the next start recovers
// from the log, as after a crash.
func (c *cluster) restartDatabase(how syscall.Signal) {
	c.signalDatabase(how)
	<-c.database.Exited()
	_ = c.database.Stop() // gives the folder free
	c.startDatabase()
}

// signalDatabase signals Postgres's first process, which for SIGINT and SIGQUIT speaks for all.
func (c *cluster) signalDatabase(s syscall.Signal) {
	for _, pid := range c.databaseProcesses()[:1] {
		_ = syscall.Kill(pid, s)
	}
}

// pauseDatabase stops all of Postgres's processes where they are until the function it returns is called.
func (c *cluster) pauseDatabase() (goOn func()) {
	stopped := c.databaseProcesses()
	for _, pid := range stopped { // the first process first, so that it starts no others
		_ = syscall.Kill(pid, syscall.SIGSTOP)
	}
	return func() {
		for _, pid := range stopped {
			_ = syscall.Kill(pid, syscall.SIGCONT)
		}
	}
}

// databaseProcesses lists Postgres's first process and then those that it has started.
func (c *cluster) databaseProcesses() []int {
	text, err := os.ReadFile(filepath.Join(c.folder, "postgres", "data", "postmaster.pid"))
	if err != nil {
		c.t.Error(err)
		return []int{}
	}
	first, _, _ := strings.Cut(string(text), "\n")
	pid, err := strconv.Atoi(first)
	if err != nil {
		c.t.Error(err)
		return []int{}
	}
	pids := []int{pid}
	children, _ := os.ReadFile(fmt.Sprintf("/proc/%d/task/%d/children", pid, pid))
	for child := range strings.FieldsSeq(string(children)) {
		if pid, err := strconv.Atoi(child); err == nil {
			pids = append(pids, pid)
		}
	}
	return pids
}

// terminateBackends ends the connections of the servers to Postgres, each with this probability.
func (c *cluster) terminateBackends(ctx context.Context, probability float64) {
	conn, err := pgx.Connect(ctx, c.database.URL("quizd"))
	if err != nil {
		return // it is on its way down or up
	}
	defer conn.Close(context.WithoutCancel(ctx))
	_, _ = conn.Exec(ctx, `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE pid <> pg_backend_pid() AND datname = 'quizd' AND random() < $1`, probability)
}

// pause waits for d and reports whether ctx has not ended meanwhile.
func pause(ctx context.Context, d time.Duration) bool {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-ctx.Done():
		return false
	case <-t.C:
		return true
	}
}
