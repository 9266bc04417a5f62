package main

import (
	"context"
	"fmt"
	"math/rand/v2"
	"net/http"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"pubquiz/internal/history"
	"pubquiz/internal/proxies"
	"pubquiz/internal/redistest"
)

// These tests are the rows of the table of faults in docs/operations.md, whose times they print.

const (
	early   = 3 // phones that answer before something breaks
	through = 6 // with those that answer while it is broken

	// ampleTime is how long a test waits for what happens by itself, which is far longer than that takes, also on a busy machine.
	ampleTime = time.Minute
)

// play plays a question through a fault: some phones answer before, some meanwhile, the rest afterwards. What breaks returns mends it. meanwhile looks at how things are.
func (n *night) play(t *testing.T, breaks func() (mends func()), meanwhile func()) {
	t.Helper()
	n.answer(t, n.phones[:early])
	broke := time.Now()
	mends := breaks()
	answered := make(chan time.Time)
	go func() { n.answer(t, n.phones[early:through]); answered <- time.Now() }()
	meanwhile()
	mends()
	mended := time.Now()
	t.Logf("it was broken for %v", since(mended, broke))
	t.Logf("answers are taken again %v after it was mended", since(<-answered, mended))
	for _, in := range n.members {
		n.awaitReady(t, in)
	}
	n.connected(t)
	t.Logf("all servers are ready and all phones on sockets %v after it was mended", since(time.Now(), mended))
	n.answer(t, n.phones[through:])
	if stored := n.end(t); stored < early {
		t.Errorf("%d answers are stored of the %d that were acknowledged at first", stored, early)
	}
	t.Logf("sendings by outcome: %v", n.history.Outcomes())
}

// since is how long after a moment something was so; not at all if it was before.
func since(moment, before time.Time) time.Duration {
	return max(0, moment.Sub(before)).Round(10 * time.Millisecond)
}

func (n *night) awaitReady(t *testing.T, in *member) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), ampleTime)
	defer cancel()
	for !in.ready(ctx) {
		if !pause(ctx, 20*time.Millisecond) {
			t.Fatal("a server was never ready again")
		}
	}
}

// mustBeBusy asks a server for what needs the database, all at once, and wants to be told to come back: neither silence nor a mistake of the server's.
func (n *night) mustBeBusy(t *testing.T, in *member) {
	t.Helper()
	var asking sync.WaitGroup
	ask := func(what, path string, body any) {
		asking.Go(func() {
			ctx, cancel := context.WithTimeout(t.Context(), ampleTime) // longer than anybody would wait
			defer cancel()
			var told outcomeSeen
			status, err := n.host.call(ctx, in, http.MethodPost, path, body, &told)
			if err != nil || status != http.StatusServiceUnavailable || told.Type != "/problems/busy" || told.RetryAfter < 1 {
				t.Errorf("%s while the database is away: %d, %+v, %v", what, status, told, err)
			}
		})
	}
	ask("joining", "/api/v1/join/"+n.host.joinCode, map[string]string{"name": "Latecomer", "attempt": fmt.Sprintf("%016x", rand.Uint64())})
	ask("a command", n.host.path+"commands", map[string]any{"version": n.host.now().Version, "command": "lockDoors"})
	asking.Wait()
}

// A server is killed in the middle of a question, as by the system when memory is short, with no other to take over. Once it is back, the clock closes the question, and
// what was acknowledged counts.
func TestHistoryOfAKilledServer(t *testing.T) {
	t.Parallel()
	n := newNight(t, 1, 10)
	n.play(t, func() func() { n.members[0].kill(); return n.members[0].start }, func() {})
}

// Postgres stops in order, crashes, is killed, or loses one of its workers, in the middle of a question: everything comes back by itself.
func TestHistoryOfARestartedPostgres(t *testing.T) {
	t.Parallel()
	for _, how := range []syscall.Signal{syscall.SIGINT, syscall.SIGQUIT, syscall.SIGKILL} {
		t.Run(how.String(), func(t *testing.T) {
			t.Parallel()
			n := newNight(t, 2, 10)
			n.play(t, func() func() { n.restartDatabase(how); return func() {} }, func() {})
		})
	}
	t.Run("a worker killed", func(t *testing.T) {
		t.Parallel()
		n := newNight(t, 2, 10)
		n.play(t, func() func() {
			var worker int
			n.direct(t, func(ctx context.Context, conn *pgx.Conn) error {
				return conn.QueryRow(ctx, `SELECT pid FROM pg_stat_activity WHERE application_name = 'quizd' LIMIT 1`).Scan(&worker)
			})
			if err := syscall.Kill(worker, syscall.SIGKILL); err != nil {
				t.Error(err)
			}
			return func() {} // Postgres ends all others and recovers
		}, func() {})
	})
}

// direct has something done in the database, past all networks.
func (n *night) direct(t *testing.T, do func(context.Context, *pgx.Conn) error) {
	t.Helper()
	ctx := context.WithoutCancel(t.Context())
	conn, err := pgx.Connect(ctx, n.database.URL("quizd"))
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close(ctx)
	if err := do(ctx, conn); err != nil {
		t.Fatal(err)
	}
}

// Postgres stands still: whoever wants something is told so, and once it goes on, what became of it.
func TestHistoryOfAStandstill(t *testing.T) {
	t.Parallel()
	n := nightOn(t, newCluster(t, 1), 10, byTheHost)
	n.play(t, n.pauseDatabase, func() {
		var others sync.WaitGroup
		others.Go(func() { n.mustBeBusy(t, n.members[0]) })
		defer others.Wait()
		p := n.phones[through]
		sending := history.Sending{Participant: p.participant, Question: "1.1", Answer: "held-up", Choice: 1, Began: time.Now(), Outcome: "busy"}
		ctx, cancel := context.WithTimeout(t.Context(), ampleTime)
		defer cancel()
		o, err := p.post(ctx, n.members[0], map[string]any{"id": "held-up", "question": "1.1", "given": map[string]any{"choices": []int{1}}})
		if err != nil || o.Type != "/problems/busy" || o.RetryAfter < 1 {
			t.Errorf("an answer while Postgres stood still: %+v, %v", o, err)
		}
		sending.Ended = time.Now()
		n.history.Sent(sending)
	})
}

// Others have taken all of Postgres's connections, those of the server as well.
func TestHistoryOfNoConnections(t *testing.T) {
	t.Parallel()
	n := nightOn(t, newCluster(t, 1), 10, byTheHost)
	n.play(t, func() func() { return n.takeConnections(t) }, func() { n.mustBeBusy(t, n.members[0]) })
}

// takeConnections takes every connection that there is to Postgres, until the function it returns is called.
func (n *night) takeConnections(t *testing.T) (giveBack func()) {
	t.Helper()
	ctx := context.WithoutCancel(t.Context())
	first, err := pgx.Connect(ctx, n.database.URL("quizd"))
	if err != nil {
		t.Fatal(err)
	}
	taken := []*pgx.Conn{first}
	var all int // none is reserved from a superuser
	if err := first.QueryRow(ctx, `SELECT current_setting('max_connections')::int`).Scan(&all); err != nil {
		t.Fatal(err)
	}
	for deadline := time.Now().Add(ampleTime); len(taken) < all; {
		if conn, err := pgx.Connect(ctx, n.database.URL("quizd")); err == nil {
			taken = append(taken, conn)
			continue
		}
		// What the server has left is ended; it tries to get others meanwhile, and so do we.
		if _, err := first.Exec(ctx, `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'quizd'`); err != nil {
			t.Fatal(err)
		}
		if time.Now().After(deadline) {
			t.Fatalf("%d of %d connections are taken", len(taken), all)
		}
	}
	return func() {
		for _, conn := range taken {
			_ = conn.Close(ctx)
		}
	}
}

// Redis is killed, or stands still: a quiz does not notice.
func TestHistoryOfNoRedis(t *testing.T) {
	t.Parallel()
	for name, breaks := range map[string]func(*redistest.Server) (mends func()){
		"killed": func(s *redistest.Server) func() { s.Kill(); return s.Restart },
		"paused": func(s *redistest.Server) func() {
			s.Signal(syscall.SIGSTOP)
			return func() { s.Signal(syscall.SIGCONT) }
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			redis := redistest.Start(t)
			n := nightOn(t, newCluster(t, 2, environment{"REDIS_URL": redis.URL}), 10, byTheHost)
			n.connected(t)
			n.play(t, func() func() { return breaks(redis) }, func() {
				for range 3 {
					n.command(t, "lockDoors")
					n.command(t, "unlockDoors")
				}
				for _, in := range n.members {
					n.awaitReady(t, in) // without Redis, too
				}
			})
			if busy := n.history.Outcomes()["busy"]; busy > 0 {
				t.Errorf("%d answers were not taken at once", busy)
			}
		})
	}
}

// A server has less memory than it would like: it is slower, and does the same.
func TestHistoryOfLittleMemory(t *testing.T) {
	t.Parallel()
	n := nightOn(t, newCluster(t, 1, environment{"GOMEMLIMIT": "1MiB"}), 10, byTheHost)
	n.connected(t)
	n.play(t, func() func() { return func() {} }, func() { n.command(t, "lockDoors") })
}

// One of two servers loses the way to Postgres, without a word: it lets its phones go and takes no more, and the proxy turns to the other, so that the evening goes on.
// Or it loses every way, to the proxy, too: then its phones notice that they hear nothing.
func TestHistoryOfACutOffServer(t *testing.T) {
	t.Parallel()
	for name, cut := range map[string]func(*member) (mends func()){
		"from Postgres": func(in *member) func() { return in.database.stall() },
		"from everything": func(in *member) func() {
			back, front := in.database.stall(), in.phones.stall()
			return func() { back(); front() }
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			cutOff(t, cut)
		})
	}
}

func cutOff(t *testing.T, cut func(*member) (mends func())) {
	c, servers := behind(t, proxies.Nginx)
	n := nightOn(t, c, 10, byTheHost)
	n.connected(t)
	n.play(t, func() func() { return cut(servers[0]) }, func() {
		cut := time.Now()
		n.insist(t, "lockDoors")
		t.Logf("the host's command was carried out %v after the cut", since(time.Now(), cut))
		version := n.host.now().Version
		ctx, cancel := context.WithTimeout(t.Context(), ampleTime)
		defer cancel()
		for _, p := range n.phones {
			for p.now().Version < version {
				if !pause(ctx, 10*time.Millisecond) {
					t.Fatalf("%s never saw version %d, but %d", p.name, version, p.now().Version)
				}
			}
		}
		t.Logf("everybody knew of it %v after the cut", since(time.Now(), cut))
		if servers[0].ready(t.Context()) {
			t.Error("the server that is cut off says that it is ready")
		}
	})
	n.awaitReady(t, servers[0])
}

// insist has the host do something, again and again as people do, until it is done.
func (n *night) insist(t *testing.T, command string) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), ampleTime)
	defer cancel()
	for {
		n.host.poll(ctx, n.members[0])
		err := n.host.order(ctx, n.members[0], command, n.host.now().Version, requestTimeout)
		if err == nil {
			n.host.poll(ctx, n.members[0])
			return
		}
		if !pause(ctx, 200*time.Millisecond) {
			t.Fatal(err)
		}
	}
}
