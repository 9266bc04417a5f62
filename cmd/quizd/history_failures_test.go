package main

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"net"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/gorilla/websocket"

	"pubquiz/internal/history"
	"pubquiz/quiz"
)

// night is a quiz of one question that the clock closes, on a cluster, with everybody following it.
type night struct {
	*cluster
	host       *quizmaster
	television *screen
	phones     []*phone
	history    *history.History
	follow     sync.WaitGroup
}

const (
	byTheClock = 20  // seconds, in which everybody sees the question and the first have answered, also on a busy machine
	byTheHost  = 300 // so many that the host closes the question before
)

func newNight(t *testing.T, servers, phones int) *night {
	t.Helper()
	return nightOn(t, newCluster(t, servers), phones, byTheClock)
}

func nightOn(t *testing.T, c *cluster, phones, seconds int) *night {
	t.Helper()
	n := &night{cluster: c, history: &history.History{}}
	content := quiz.Content{Title: "One Question", Rounds: []quiz.Round{{Title: "Only", Questions: []quiz.Question{{
		Kind: quiz.Single, Text: "Which?", Options: []string{"one", "two", "three", "four"}, Correct: []int{1}, Seconds: seconds, Points: 2,
	}}}}}
	random := rand.New(rand.NewPCG(1, 1))
	var err error
	if n.host, err = openSession(t.Context(), c, content, n.history, random); err != nil {
		t.Fatal(err)
	}
	ctx, leave := context.WithCancel(t.Context())
	t.Cleanup(func() { leave(); n.follow.Wait() })
	n.follow.Go(func() { n.host.screen.follow(ctx) })
	n.television = n.host.television(rand.New(rand.NewPCG(1, 1<<33)))
	n.follow.Go(func() { n.television.follow(ctx) })
	for i := range phones {
		p, err := n.host.seat(t.Context(), fmt.Sprintf("Table %d", i+1), rand.New(rand.NewPCG(1, uint64(i))))
		if err != nil {
			t.Fatal(err)
		}
		p.seen = nil // it answers when the test says so
		n.phones = append(n.phones, p)
		n.follow.Go(func() { p.screen.follow(ctx) })
	}
	n.command(t, "next")
	n.command(t, "launch")
	n.all(t, "open")
	return n
}

// command has the host do the next thing at the first server. As the console does, it asks again while a proxy in front has nobody to pass it on to.
func (n *night) command(t *testing.T, command string) {
	t.Helper()
	var now struct {
		Shared snapshotSeen `json:"shared"`
	}
	ctx, cancel := context.WithTimeout(t.Context(), ampleTime)
	defer cancel()
	for {
		status, err := n.host.call(ctx, n.members[0], http.MethodGet, n.host.path+"host", nil, &now)
		if status == http.StatusOK && err == nil {
			err = n.host.order(ctx, n.members[0], command, now.Shared.Version, ampleTime)
		}
		switch {
		case status == http.StatusOK && err == nil:
			return
		case !errors.Is(err, errNobodyThere) && (err == nil || !strings.Contains(err.Error(), "stale-version")): // behind a proxy another server may have been asked, which had not heard of the last command yet
			t.Fatalf("%s: %d, %v", command, status, err)
		case !pause(ctx, 10*time.Millisecond):
			t.Fatalf("%s was never carried out: %d, %v", command, status, err)
		}
	}
}

// all waits until everybody sees a phase.
func (n *night) all(t *testing.T, phase string) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), ampleTime)
	defer cancel()
	for _, p := range n.phones {
		if !p.await(ctx, phase) {
			t.Fatalf("%s never saw %q, but %q", p.name, phase, p.now().Phase)
		}
	}
	for _, s := range []*screen{&n.host.screen, n.television} {
		if !s.await(ctx, phase) {
			t.Fatalf("the %s never saw %q, but %q", s.name, phase, s.now().Phase)
		}
	}
}

// answer has some phones answer, each until it has an outcome.
func (n *night) answer(t *testing.T, phones []*phone) {
	var answering sync.WaitGroup
	for i, p := range phones {
		answering.Go(func() { p.insist(t.Context(), "1.1", rand.New(rand.NewPCG(2, uint64(i)))) })
	}
	answering.Wait()
}

// end plays to the end, holds the history against what is stored, and returns how many answers are.
func (n *night) end(t *testing.T) int {
	t.Helper()
	if left := time.Until(time.UnixMilli(n.host.now().ClosesAt)); left > byTheClock*time.Second {
		n.command(t, "close")
	}
	n.all(t, "closed")
	n.command(t, "reveal")
	n.all(t, "revealed")
	n.command(t, "finish")
	n.all(t, "finished")
	stored, err := n.host.stored(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	for _, violation := range n.history.Check(stored, answerGrace) {
		t.Error(violation)
	}
	return len(stored.Answers)
}

// A phone stops reading: it is cut, and holds nobody up meanwhile.
func TestHistoryOfAStalledPhone(t *testing.T) {
	t.Parallel()
	n := newNight(t, 1, 1)
	stalled, err := n.host.seat(t.Context(), "Stalled", rand.New(rand.NewPCG(3, 3)))
	if err != nil {
		t.Fatal(err)
	}
	dialer := websocket.Dialer{NetDialContext: func(ctx context.Context, network, address string) (net.Conn, error) {
		conn, err := (&net.Dialer{}).DialContext(ctx, network, address)
		if err == nil {
			err = conn.(*net.TCPConn).SetReadBuffer(4 << 10)
		}
		return conn, err
	}}
	// Past the network in between, which would read for it.
	socket, _, err := dialer.DialContext(t.Context(), "ws://"+n.members[0].env["LISTEN_ADDRESS"]+n.host.path+"participant/socket", stalled.header)
	if err != nil {
		t.Fatal(err)
	}
	defer socket.Close()
	n.until(t, "socket", stalled)
	n.all(t, "closed") // the clock's own command must not come between the host's
	// Far more than all buffers on the way can hold, and for far longer than a server waits for a phone to read.
	began := time.Now()
	for times := 0; times < 2000 || time.Since(began) < ampleTime; times++ {
		n.command(t, "lockDoors")
		n.command(t, "unlockDoors")
		ctx, cancel := context.WithTimeout(t.Context(), ampleTime)
		for version := n.host.now().Version; n.phones[0].now().Version < version; {
			if !pause(ctx, time.Millisecond) {
				t.Fatalf("the other phone is at version %d, the host at %d", n.phones[0].now().Version, version)
			}
		}
		cancel()
		if n.via(t, stalled) == "away" {
			t.Logf("cut after %v and %d messages", time.Since(began), 2*times)
			return
		}
	}
	t.Error("the stalled phone was never cut")
}

// via is how the host sees a phone connected.
func (n *night) via(t *testing.T, p *phone) string {
	t.Helper()
	var console struct {
		Live struct {
			Participants []struct{ ID, Via string }
		}
	}
	if status, err := n.host.call(t.Context(), n.members[0], http.MethodGet, n.host.path+"host", nil, &console); err != nil || status != http.StatusOK {
		t.Fatalf("the console: %d, %v", status, err)
	}
	for _, seated := range console.Live.Participants {
		if seated.ID == p.participant {
			return seated.Via
		}
	}
	return ""
}

// until waits until the host sees a phone connected like this.
func (n *night) until(t *testing.T, via string, p *phone) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), ampleTime)
	defer cancel()
	for n.via(t, p) != via {
		if !pause(ctx, 50*time.Millisecond) {
			t.Fatalf("the host never saw %s connected by %q", p.name, via)
		}
	}
}
