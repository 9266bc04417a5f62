package main

import (
	"context"
	"encoding/json"
	"math/rand/v2"
	"net/http"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/gorilla/websocket"

	"pubquiz/internal/history"
	"pubquiz/internal/proxies"
	"pubquiz/internal/redistest"
	"pubquiz/quiz"
)

// behind starts two servers with one Redis and one Postgres, and a proxy in front of them. What the cluster has as its only member is the proxy.
func behind(t *testing.T, program proxies.Program) (c *cluster, servers []*member) {
	t.Helper()
	c = newCluster(t, 2, environment{"REDIS_URL": redistest.Start(t).URL, "TRUSTED_PROXIES": "127.0.0.1"})
	servers = c.members
	c.members = []*member{{base: "http://" + startProxy(t, proxies.Proxy{Program: program, Instances: addressesOf(servers)}), origin: servers[0].origin}}
	return c, servers
}

func addressesOf(servers []*member) (addresses [2]string) {
	for i := range addresses {
		addresses[i] = strings.TrimPrefix(servers[i].base, "http://")
	}
	return addresses
}

// TestQuizBehindProxies plays a question through a proxy, while one of the servers is killed, and then while the other restarts in order: every phone comes back by itself,
// and what was acknowledged is stored.
func TestQuizBehindProxies(t *testing.T) {
	t.Parallel()
	eachProxy(t, quizBehind)
}

func quizBehind(t *testing.T, program proxies.Program) {
	c, servers := behind(t, program)
	n := nightOn(t, c, 10, byTheClock)
	n.connected(t)
	n.answer(t, n.phones[:5])
	servers[0].kill()
	n.answer(t, n.phones[5:])
	n.connected(t)
	servers[0].restart(t.Context())
	<-servers[1].signal(syscall.SIGTERM)
	servers[1].restart(t.Context())
	n.connected(t)
	if stored := n.end(t); stored < 5 {
		t.Errorf("%d answers are stored of the 5 that were acknowledged at first", stored)
	}
}

// connected waits until every phone is on a socket.
func (n *night) connected(t *testing.T) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), ampleTime)
	defer cancel()
	for _, p := range n.phones {
		for !p.onSocket() {
			if !pause(ctx, 10*time.Millisecond) {
				t.Fatalf("%s never got a socket", p.name)
			}
		}
	}
}

func (s *screen) onSocket() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.socket != nil
}

// TestSocketsOutliveTheProxysPatience: nginx cuts a socket on which nothing is said for a while, and the server's heartbeats keep that from happening, though the phone
// itself says nothing. Caddy cuts none.
func TestSocketsOutliveTheProxysPatience(t *testing.T) {
	t.Parallel()
	c, servers := behind(t, proxies.Nginx)
	host, err := openSession(t.Context(), c, quiz.Sample(), &history.History{}, rand.New(rand.NewPCG(1, 1)))
	if err != nil {
		t.Fatal(err)
	}
	phone, err := host.seat(t.Context(), "Quiet", rand.New(rand.NewPCG(1, 2)))
	if err != nil {
		t.Fatal(err)
	}
	for name, test := range map[string]struct {
		proxy proxies.Proxy
		want  int
	}{
		"nginx, 2s":  {proxies.Proxy{Program: proxies.Nginx, Changes: map[string]string{"proxy_read_timeout 60s": "proxy_read_timeout 2s"}}, 0},
		"nginx, 18s": {proxies.Proxy{Program: proxies.Nginx, Changes: map[string]string{"proxy_read_timeout 60s": "proxy_read_timeout 18s"}}, 2},
		"caddy":      {proxies.Proxy{Program: proxies.Caddy, Changes: map[string]string{"idle 75s": "idle 2s"}}, 2},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			test.proxy.Instances = addressesOf(servers)
			proxy := startProxy(t, test.proxy)
			if heard := heartbeats(t, "ws://"+proxy+phone.path+"participant/socket", phone.header, 2); heard != test.want {
				t.Errorf("%d heartbeats came, want %d", heard, test.want)
			}
		})
	}
}

// heartbeats opens a socket, says nothing, and returns how many heartbeats come until there were enough or the socket is cut.
func heartbeats(t *testing.T, address string, header http.Header, enough int) (heard int) {
	t.Helper()
	socket, _, err := websocket.DefaultDialer.DialContext(t.Context(), address, header)
	if err != nil {
		t.Fatal(err)
	}
	defer socket.Close()
	for heard < enough {
		_, message, err := socket.ReadMessage()
		if err != nil {
			return heard
		}
		var beat struct{ Now int64 }
		if err := json.Unmarshal(message, &beat); err != nil {
			t.Fatal(err)
		}
		if beat.Now != 0 {
			heard++
		}
	}
	return heard
}
