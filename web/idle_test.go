package web

import (
	"bytes"
	"fmt"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/gorilla/websocket"

	"pubquiz/internal/testprogram"
	"pubquiz/ratelimit"
)

// TestFiguresOfIdleSockets: while one address holds 10,000 sockets open in a session of its own, which say nothing but answer pings, a newcomer, the host and the big
// screen of another session get in, and all hear of a command as soon as ever. The server whose memory is told is a process of its own.
func TestFiguresOfIdleSockets(t *testing.T) {
	s := newSite(t, ratelimit.Unlimited())
	l := s.open(s.host("host@quiz.example"))
	crowd := s.open(s.host("stranger@quiz.example"))
	tokens := crowd.seats(howMany(1000, 5))
	server := os.Getpid()
	if *figures {
		server = s.serveApart()
	}

	early := l.phone("Early")
	measure := func(screens ...*socket) (times []time.Duration) {
		for i := range howMany(200, 4) {
			began := time.Now()
			l.command([]string{"lockDoors", "unlockDoors"}[i%2])
			for _, screen := range screens {
				for screen.next("shared")["version"] != float64(l.version) {
					continue
				}
				times = append(times, time.Since(began))
			}
		}
		return times
	}
	quiet := measure(l.dial(early, "participant"))
	before := resident(t, server)
	held := len(tokens) * socketsHeld
	open := crowd.holdOpen(tokens)
	if *figures {
		time.Sleep(2 * socketPatience) // through every heartbeat, and past the end of whoever would be cut
	}
	after := resident(t, server)

	screen := s.browser()
	screen.get(consoleBoot(t, l)["screenURL"].(string))
	idle := measure(l.dial(early, "participant"), l.dial(l.phone("Late"), "participant"), l.dial(l.host, "host"), l.dial(screen, "screen"))
	t.Logf("%d idle sockets: %d MB instead of %d MB, %d bytes each; from a command to a screen p50 %v, p99 %v, without them p50 %v, p99 %v",
		held, after>>20, before>>20, (after-before)/int64(held), quantile(idle, 0.5), quantile(idle, 0.99), quantile(quiet, 0.5), quantile(quiet, 0.99))
	if still := open.Load(); still != int64(held) {
		t.Errorf("of %d sockets %d are open in the end", held, still)
	}
}

// seats seats n participants, and returns their tokens.
func (l *live) seats(n int) []string {
	l.t.Helper()
	l.exec(`UPDATE sessions SET capacity = 1000`)
	tokens := make([]string, n)
	for i := range tokens {
		joined, err := l.sessions.Join(l.t.Context(), l.code, fmt.Sprintf("Table %d", i), fmt.Sprintf("attempt-of-table-%d", i))
		if err != nil {
			l.t.Fatal(err)
		}
		tokens[i] = l.keys.SignSeat(joined.Seat)
	}
	return tokens
}

// holdOpen opens as many sockets of each token as it may have, and keeps them open: they take what comes and answer pings. It returns how many are.
func (l *live) holdOpen(tokens []string) (open *atomic.Int64) {
	l.t.Helper()
	open = new(atomic.Int64)
	todo := make(chan string)
	var opening sync.WaitGroup
	dialer := websocket.Dialer{ReadBufferSize: 256, WriteBufferSize: 256}
	for range 32 {
		opening.Go(func() {
			for token := range todo {
				header := http.Header{"Origin": {l.url}, "Authorization": {"Bearer " + token}}
				ws, _, err := dialer.DialContext(l.t.Context(), strings.Replace(l.url, "http", "ws", 1)+l.path("participant/socket"), header)
				if err == nil {
					_, _, err = ws.ReadMessage()
				}
				if err != nil {
					l.t.Errorf("opening a socket: %v", err)
					continue
				}
				l.t.Cleanup(func() { _ = ws.Close() })
				open.Add(1)
				go func() {
					for err == nil {
						_, _, err = ws.NextReader()
					}
					open.Add(-1)
				}()
			}
		})
	}
	for _, token := range tokens {
		for range socketsHeld {
			todo <- token
		}
	}
	close(todo)
	opening.Wait()
	return open
}

// serveApart has the site served by a process of its own, on the same database with the same keys, and returns its number.
func (s *site) serveApart() (pid int) {
	s.t.Helper()
	binary := filepath.Join(s.t.TempDir(), "quizd")
	if out, err := exec.CommandContext(s.t.Context(), "go", "build", "-o", binary, "pubquiz/cmd/quizd").CombinedOutput(); err != nil {
		s.t.Fatalf("%v\n%s", err, out)
	}
	address := testprogram.FreeAddress(s.t)
	command := exec.Command(binary, "serve")
	command.Env = append(os.Environ(), "DATABASE_URL="+s.pool.Config().ConnString(), "BASE_URL=http://"+address, "LISTEN_ADDRESS="+address, "METRICS_ADDRESS=off",
		"SECRET_KEYS="+strings.Repeat("k", 32), "LIMITS=global=100000 joinSession=100000 hostAction=100000", "LOG_LEVEL=warn")
	var said bytes.Buffer
	command.Stdout, command.Stderr = &said, &said
	if err := command.Start(); err != nil {
		s.t.Fatal(err)
	}
	s.t.Cleanup(func() {
		_ = command.Process.Kill() // its data are thrown away
		_ = command.Wait()
		s.t.Logf("the server said: %s", &said)
	})
	s.url = "http://" + address
	until(s.t, "the server", func() bool {
		res, err := http.Get(s.url + "/readyz")
		if err != nil {
			return false
		}
		_ = res.Body.Close()
		return res.StatusCode == http.StatusOK
	})
	return command.Process.Pid
}

// resident is how many bytes of memory a process has.
func resident(t *testing.T, pid int) int64 {
	t.Helper()
	status, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid))
	if err != nil {
		t.Skipf("SKIPPED: the memory of a process is told by Linux only: %v", err)
	}
	_, after, _ := strings.Cut(string(status), "VmRSS:")
	kilobytes, err := strconv.ParseInt(strings.Fields(after)[0], 10, 64)
	if err != nil {
		t.Fatal(err)
	}
	return kilobytes << 10
}
