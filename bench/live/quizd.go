package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/cookiejar"
	"net/url"
	"os"
	"os/exec"
	"path"
	"slices"
	"strings"
	"sync"

	"golang.org/x/sync/errgroup"

	"pubquiz/internal/freeport"
	"pubquiz/quiz"
)

const (
	seatsPerRoom = 1000 // half of the largest session there is
	// limits so wide that every request goes through every limiter and none is refused.
	wideLimits = "joinSession=100000 joinMiss=100000 auth=100000 hostAction=100000 hostEdit=100000 socketOpen=100000 sessionPoll=100000 " +
		"submitAnswer=100000 playerPageLoad=100000 global=100000"
)

// evening is the real server with rooms full of participants, who came in through the real door.
type evening struct {
	base, origin string
	process      *process
	host         *http.Client
	rooms        []*room
}

type room struct {
	session string
	version int64
	locked  bool
	tokens  []string
}

// startEvening builds quizd, starts it on a database and fills its rooms.
func startEvening(ctx context.Context, folder, database string, rooms int) (*evening, error) {
	binary := folder + "/quizd"
	build := exec.CommandContext(ctx, "go", "build", "-o", binary, "./cmd/quizd")
	build.Dir = "../.."
	if out, err := build.CombinedOutput(); err != nil {
		return nil, fmt.Errorf("go build: %w\n%s", err, out)
	}
	address, err := freeport.Loopback()
	if err != nil {
		return nil, err
	}
	metrics, err := freeport.Loopback()
	if err != nil {
		return nil, err
	}
	e := &evening{base: "http://" + address, origin: "http://" + address}
	cmd := exec.Command(binary, "serve")
	cmd.Env = append(os.Environ(), "DATABASE_URL="+database, "BASE_URL="+e.base, "LISTEN_ADDRESS="+address, "METRICS_ADDRESS="+metrics,
		"SECRET_KEYS="+strings.Repeat("k", 40), "LIMITS="+wideLimits, "LOG_LEVEL=warn",
		"GODEBUG=adaptivestackstart=0") // as the image and the systemd unit have it
	if e.process, err = startProcess(ctx, cmd, e.base+"/readyz", "http://"+metrics); err != nil {
		return nil, err
	}
	if err := e.open(ctx, rooms); err != nil {
		e.process.stop()
		return nil, fmt.Errorf("%w\n%s", err, &e.process.said)
	}
	return e, nil
}

// open signs a host up, opens the sessions, seats everyone and launches the first question of each.
func (e *evening) open(ctx context.Context, rooms int) error {
	jar, err := cookiejar.New(nil)
	if err != nil {
		return err
	}
	e.host = &http.Client{Jar: jar}
	if _, err := e.form(ctx, "/signup", url.Values{"email": {"host@quiz.example"}, "name": {"Host"}, "password": {"a long enough passphrase"}}); err != nil {
		return err
	}
	page, err := e.form(ctx, "/host/quizzes", nil)
	if err != nil {
		return err
	}
	quizID := path.Base(page.Request.URL.Path)
	content := quiz.Sample()
	content.Rounds[0].Questions[0].Seconds = quiz.MaxSeconds
	var saved json.RawMessage
	if err := e.call(ctx, e.host, http.MethodPut, "/api/v1/quizzes/"+quizID, map[string]any{"revision": 1, "content": content}, &saved); err != nil {
		return err
	}
	for range rooms {
		page, err := e.form(ctx, "/host/quizzes/"+quizID+"/sessions", nil)
		if err != nil {
			return err
		}
		e.rooms = append(e.rooms, &room{session: path.Base(page.Request.URL.Path), version: 1})
	}
	filling, ctx := errgroup.WithContext(ctx)
	for _, r := range e.rooms {
		filling.Go(func() error { return e.fill(ctx, r) })
	}
	return filling.Wait()
}

func (e *evening) fill(ctx context.Context, r *room) error {
	if err := e.command(ctx, r, map[string]any{"command": "setCapacity", "capacity": seatsPerRoom}); err != nil {
		return err
	}
	var console struct {
		Shared struct {
			JoinCode string `json:"joinCode"`
		} `json:"shared"`
	}
	if err := e.call(ctx, e.host, http.MethodGet, e.path(r, "host"), nil, &console); err != nil {
		return err
	}
	joining, joinCtx := errgroup.WithContext(ctx)
	joining.SetLimit(8)
	var mu sync.Mutex
	for i := range seatsPerRoom {
		joining.Go(func() error {
			var joined struct {
				Token string `json:"token"`
			}
			err := e.call(joinCtx, http.DefaultClient, http.MethodPost, "/api/v1/join/"+console.Shared.JoinCode,
				map[string]string{"name": fmt.Sprintf("Table %d", i), "attempt": fmt.Sprintf("attempt-of-table-%d", i)}, &joined)
			mu.Lock()
			r.tokens = append(r.tokens, joined.Token)
			mu.Unlock()
			return err
		})
	}
	if err := joining.Wait(); err != nil {
		return err
	}
	if err := e.command(ctx, r, map[string]any{"command": "next"}); err != nil {
		return err
	}
	if err := e.command(ctx, r, map[string]any{"command": "launch"}); err != nil {
		return err
	}
	for range 5 { // an hour in all, which no run takes
		if err := e.command(ctx, r, map[string]any{"command": "extend", "seconds": quiz.MaxSeconds}); err != nil {
			return err
		}
	}
	return nil
}

// contenders are the two ways to fill the server with sockets: rooms of a thousand, as the product has them, all of which make a version at the same
// moment; and the last room for all, as a channel of the peers, for which each of its participants has several sockets.
func (e *evening) contenders() (rooms, oneRoom *contender) {
	socket := func(r *room, token string) target {
		return target{
			url:    strings.Replace(e.base, "http", "ws", 1) + e.path(r, "participant/socket"),
			header: http.Header{"Origin": {e.origin}, "Authorization": {"Bearer " + token}},
		}
	}
	last := e.rooms[len(e.rooms)-1]
	rooms = &contender{
		name: "ours, rooms of 1,000", process: e.process,
		socket: func(i int) target {
			r := e.rooms[i/seatsPerRoom]
			return socket(r, r.tokens[i%seatsPerRoom])
		},
		publish: func(ctx context.Context, n int, _ []byte) error {
			publishing, ctx := errgroup.WithContext(ctx)
			for _, r := range e.rooms[:(n+seatsPerRoom-1)/seatsPerRoom] {
				publishing.Go(func() error { return e.toggle(ctx, r) })
			}
			return publishing.Wait()
		},
	}
	oneRoom = &contender{
		name: "ours", process: e.process,
		socket:  func(i int) target { return socket(last, last.tokens[i%seatsPerRoom]) },
		publish: func(ctx context.Context, _ int, _ []byte) error { return e.toggle(ctx, last) },
	}
	return rooms, oneRoom
}

// toggle makes a new version of the session, in which every phone is sent the open question again.
func (e *evening) toggle(ctx context.Context, r *room) error {
	command := "lockDoors"
	if r.locked {
		command = "unlockDoors"
	}
	r.locked = !r.locked
	return e.command(ctx, r, map[string]any{"command": command})
}

func (e *evening) command(ctx context.Context, r *room, command map[string]any) error {
	command["version"] = r.version
	var done struct {
		Version int64 `json:"version"`
	}
	err := e.call(ctx, e.host, http.MethodPost, e.path(r, "commands"), command, &done)
	r.version = done.Version
	return err
}

func (e *evening) path(r *room, end string) string {
	return "/api/v1/sessions/" + r.session + "/" + end
}

func (e *evening) form(ctx context.Context, to string, values url.Values) (*http.Response, error) {
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, e.base+to, strings.NewReader(values.Encode()))
	if err != nil {
		return nil, err
	}
	req.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	req.Header.Set("Origin", e.origin)
	res, err := e.host.Do(req)
	if err != nil {
		return nil, err
	}
	defer res.Body.Close()
	page, err := io.ReadAll(res.Body)
	if err == nil && res.StatusCode != http.StatusOK {
		err = fmt.Errorf("%s: %s: %s", to, res.Status, page)
	}
	return res, err
}

func (e *evening) call(ctx context.Context, client *http.Client, method, to string, in, out any) error {
	body, err := json.Marshal(in)
	if err != nil {
		return err
	}
	req, err := http.NewRequestWithContext(ctx, method, e.base+to, bytes.NewReader(body))
	if err != nil {
		return err
	}
	req.Header.Set("Content-Type", "application/json")
	req.Header.Set("Origin", e.origin)
	res, err := client.Do(req)
	if err != nil {
		return err
	}
	defer res.Body.Close()
	answer, err := io.ReadAll(res.Body)
	if err != nil {
		return err
	}
	if !slices.Contains([]int{http.StatusOK, http.StatusCreated}, res.StatusCode) {
		return fmt.Errorf("%s %s: %s: %s", method, to, res.Status, answer)
	}
	return json.Unmarshal(answer, out)
}
