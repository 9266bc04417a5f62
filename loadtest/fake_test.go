package loadtest

import (
	"encoding/json"
	"fmt"
	"maps"
	"net"
	"net/http"
	"net/netip"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"
)

// fakeServer speaks docs/protocol.md over pipes, so that an evening takes no time in a synctest bubble. Its faults are
// what the load test must notice or bear.
type fakeServer struct {
	pageBudget  int  // join pages a minute in each venue; 0: no limit
	capacity    int  // phones in a session, whatever its host wants; 0: no limit
	loseAnswer  int  // this answer, counted from 1, is acknowledged and forgotten
	muteAnswer  int  // this answer is stored, but nothing says so
	limitAnswer int  // this answer is refused once
	noSockets   bool // every upgrade is refused with 1013

	listener *pipeListener
	mu       sync.Mutex
	accounts int
	answers  int // received
	sessions map[string]*fakeSession
	clients  map[netip.Addr]int // by where they are
}

// start serves until the test ends and returns the way there.
func (f *fakeServer) start(t *testing.T) network {
	f.sessions, f.clients = map[string]*fakeSession{}, map[netip.Addr]int{}
	f.listener = &pipeListener{conns: make(chan net.Conn), closed: make(chan struct{})}
	server := &http.Server{Handler: f.routes()}
	var serving sync.WaitGroup
	serving.Go(func() { _ = server.Serve(f.listener) })
	t.Cleanup(func() {
		server.Close()
		serving.Wait()
	})
	return func(source netip.Addr) dialFunc {
		f.mu.Lock()
		defer f.mu.Unlock()
		f.clients[source]++
		return f.listener.dial
	}
}

func (f *fakeServer) routes() http.Handler {
	mux := http.NewServeMux()
	handle := func(pattern string, h func(s *fakeSession, w http.ResponseWriter, r *http.Request)) {
		mux.HandleFunc(pattern, func(w http.ResponseWriter, r *http.Request) {
			f.mu.Lock()
			defer f.mu.Unlock()
			h(f.sessions[r.PathValue("session")], w, r)
		})
	}
	handle("POST /signup", func(_ *fakeSession, w http.ResponseWriter, r *http.Request) {
		f.accounts++
		http.Redirect(w, r, "/host", http.StatusSeeOther)
	})
	handle("GET /host", func(*fakeSession, http.ResponseWriter, *http.Request) {})
	handle("POST /host/quizzes", func(_ *fakeSession, w http.ResponseWriter, r *http.Request) {
		id := "s" + strconv.Itoa(len(f.sessions)+1) // a quiz has one session, of the same name
		f.sessions[id] = &fakeSession{
			id: id, revision: 1, version: 1, phase: "lobby",
			players: map[string]*fakePlayer{}, tried: map[string]string{}, sockets: map[*fakeSocket]bool{},
			codes: map[string]bool{},
		}
		http.Redirect(w, r, "/host/quizzes/"+id, http.StatusSeeOther)
	})
	handle("GET /host/quizzes/{session}", func(*fakeSession, http.ResponseWriter, *http.Request) {})
	handle("GET /api/v1/quizzes/{session}", func(s *fakeSession, w http.ResponseWriter, _ *http.Request) {
		reply(w, 200, map[string]any{"revision": s.revision})
	})
	handle("PUT /api/v1/quizzes/{session}", func(s *fakeSession, w http.ResponseWriter, r *http.Request) {
		var body struct {
			Revision int
			Content  fakeQuiz
		}
		if err := json.NewDecoder(r.Body).Decode(&body); err != nil || body.Revision != s.revision {
			problem(w, 409, "stale-revision", nil)
			return
		}
		s.content = body.Content
		reply(w, 200, map[string]any{"revision": 2, "problems": []any{}})
	})
	handle("POST /host/quizzes/{session}/sessions", func(_ *fakeSession, w http.ResponseWriter, r *http.Request) {
		http.Redirect(w, r, "/host/sessions/"+r.PathValue("session"), http.StatusSeeOther)
	})
	handle("GET /host/sessions/{session}", func(_ *fakeSession, w http.ResponseWriter, r *http.Request) {
		fmt.Fprintf(w, `<script type="application/json" id="boot">{"page":"console","screenURL":"%s/screen/%s?token=t"}</script>`,
			fakeURL, r.PathValue("session"))
	})
	handle("GET /screen/{session}", func(*fakeSession, http.ResponseWriter, *http.Request) {})
	handle("GET /j/{code}", f.joinPage)
	handle("GET /static/phone.js", func(*fakeSession, http.ResponseWriter, *http.Request) {})
	handle("POST /api/v1/join/{code}", f.join)
	handle("POST /api/v1/rejoin/{code}", f.rejoin)
	handle("POST /api/v1/sessions/{session}/rejoin-codes", func(s *fakeSession, w http.ResponseWriter, _ *http.Request) {
		code := fmt.Sprintf("%s-%d", s.id, len(s.codes))
		s.codes[code] = true
		reply(w, 201, map[string]any{"code": code})
	})
	handle("POST /api/v1/sessions/{session}/answers", func(s *fakeSession, w http.ResponseWriter, r *http.Request) {
		var a map[string]any
		if err := json.NewDecoder(r.Body).Decode(&a); err != nil {
			problem(w, 422, "invalid", nil)
			return
		}
		o := f.answer(s, s.player(r), a)
		if o == nil {
			panic(http.ErrAbortHandler)
		}
		reply(w, 200, o)
	})
	handle("POST /api/v1/sessions/{session}/commands", f.command)
	handle("GET /api/v1/sessions/{session}/export", func(s *fakeSession, w http.ResponseWriter, _ *http.Request) {
		reply(w, 200, map[string]any{"answers": s.stored})
	})
	handle("GET /api/v1/sessions/{session}/{role}", f.poll)
	mux.HandleFunc("GET /api/v1/sessions/{session}/{role}/socket", f.socket)
	return mux
}

const fakeURL = "http://127.0.0.1:8080"

func reply(w http.ResponseWriter, status int, body any) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	_ = json.NewEncoder(w).Encode(body)
}

func problem(w http.ResponseWriter, status int, code string, extra map[string]any) {
	w.Header().Set("Content-Type", "application/problem+json")
	w.WriteHeader(status)
	body := map[string]any{"type": "/problems/" + code, "status": status}
	maps.Copy(body, extra)
	_ = json.NewEncoder(w).Encode(body)
}

func (f *fakeServer) joinPage(_ *fakeSession, w http.ResponseWriter, r *http.Request) {
	s := f.sessions[strings.ToLower(r.PathValue("code"))] // the fake's join codes are its sessions
	if s == nil {
		w.WriteHeader(http.StatusNotFound)
		return
	}
	now := time.Now()
	for len(s.pages) > 0 && now.Sub(s.pages[0]) >= time.Minute {
		s.pages = s.pages[1:]
	}
	if f.pageBudget > 0 && len(s.pages) >= f.pageBudget {
		wait := time.Minute - now.Sub(s.pages[0])
		w.Header().Set("Retry-After", strconv.Itoa(int(wait/time.Second)+1))
		w.WriteHeader(http.StatusTooManyRequests)
		return
	}
	s.pages = append(s.pages, now)
	fmt.Fprint(w, `<link href="/static/phone.js">`)
}

func (f *fakeServer) join(_ *fakeSession, w http.ResponseWriter, r *http.Request) {
	var body struct{ Name, Attempt string }
	if err := json.NewDecoder(r.Body).Decode(&body); err != nil {
		problem(w, 422, "invalid", nil)
		return
	}
	id := strings.ToLower(r.PathValue("code"))
	s := f.sessions[id]
	full := func(n int) bool { return n > 0 && len(s.players) >= n }
	switch {
	case s == nil:
		problem(w, 404, "unknown-code", nil)
		return
	case s.locked:
		problem(w, 409, "doors-locked", nil)
		return
	case full(f.capacity) || full(s.capacity):
		problem(w, 409, "session-full", nil)
		return
	}
	f.seat(s, w, body.Name, body.Attempt)
}

func (f *fakeServer) rejoin(_ *fakeSession, w http.ResponseWriter, r *http.Request) {
	var body struct{ Name, Attempt string }
	id, _, _ := strings.Cut(r.PathValue("code"), "-")
	s := f.sessions[id]
	if err := json.NewDecoder(r.Body).Decode(&body); err != nil || s == nil || !s.codes[r.PathValue("code")] {
		problem(w, 404, "unknown-code", nil)
		return
	}
	s.codes[r.PathValue("code")] = false
	f.seat(s, w, body.Name, body.Attempt)
}

// seat gives an attempt its seat.
func (f *fakeServer) seat(s *fakeSession, w http.ResponseWriter, name, attempt string) {
	token, again := s.tried[attempt]
	if !again {
		n := len(s.tried) + 1
		token = fmt.Sprintf("token-%d", n)
		s.tried[attempt] = token
		s.players[token] = &fakePlayer{id: fmt.Sprintf("%s-p%d", s.id, n), name: name}
		s.publish("live")
	}
	http.SetCookie(w, &http.Cookie{Name: "participant", Value: token, Path: "/", Secure: true, HttpOnly: true})
	reply(w, 201, map[string]any{"session": s.id, "participant": s.players[token].id, "token": token})
}

func (f *fakeServer) answer(s *fakeSession, p *fakePlayer, a map[string]any) map[string]any {
	if p == nil {
		return map[string]any{"outcome": "removed"}
	}
	out := map[string]any{"id": a["id"], "question": a["question"], "outcome": "accepted"}
	if p.answer != nil && p.answer["question"] == a["question"] {
		out["outcome"] = "already-answered"
		return out
	}
	if s.phase != "open" || s.question()["id"] != a["question"] {
		out["outcome"] = "too-late"
		return out
	}
	f.answers++
	if f.answers == f.limitAnswer {
		out["outcome"], out["retryAfter"] = "limited", 2
		return out
	}
	p.answer = a
	if f.answers != f.loseAnswer {
		s.stored = append(s.stored, map[string]any{
			"participant": p.id, "question": a["question"], "id": a["id"], "given": a["given"], "points": 0,
		})
	}
	s.publish("live")
	if f.answers == f.muteAnswer {
		return nil
	}
	return out
}

func (f *fakeServer) command(s *fakeSession, w http.ResponseWriter, r *http.Request) {
	var body struct {
		Version      int64
		Command      string
		Capacity     int
		Participants []string
	}
	if err := json.NewDecoder(r.Body).Decode(&body); err != nil || body.Version != s.version {
		problem(w, 409, "stale-version", map[string]any{"version": s.version})
		return
	}
	switch body.Command {
	case "setCapacity":
		s.capacity = body.Capacity
	case "shutOut":
		s.locked = true
		maps.DeleteFunc(s.players, func(_ string, p *fakePlayer) bool { return slices.Contains(body.Participants, p.id) })
	default:
		f.advance(s, body.Command, w)
		return
	}
	s.changed()
	reply(w, 200, map[string]any{"version": s.version})
}

// advance gives a command that only some phases allow.
func (f *fakeServer) advance(s *fakeSession, command string, w http.ResponseWriter) {
	if !strings.Contains(strings.Join(s.commands(), " "), command) {
		problem(w, 409, "not-now", nil)
		return
	}
	switch command {
	case "next":
		s.phase, s.round, s.number = "round", s.round+1, 0
	case "launch":
		s.phase, s.number = "open", s.number+1
		open := time.Duration(s.question()["seconds"].(float64)) * time.Second
		s.opensAt = time.Now()
		s.closesAt = s.opensAt.Add(open)
		version := s.version + 1
		time.AfterFunc(open+time.Second, func() {
			f.mu.Lock()
			defer f.mu.Unlock()
			if s.version == version {
				s.phase = "closed"
				s.changed()
			}
		})
	default:
		s.phase = map[string]string{
			"close": "closed", "reveal": "revealed", "showStandings": "standings", "finish": "finished",
		}[command]
	}
	s.changed()
	reply(w, 200, map[string]any{"version": s.version})
}

func (f *fakeServer) poll(s *fakeSession, w http.ResponseWriter, r *http.Request) {
	role, p := r.PathValue("role"), s.player(r)
	if role == "participant" && p == nil {
		problem(w, 401, "not-a-participant", nil)
		return
	}
	body := map[string]any{}
	for _, name := range []string{"shared", "live", "personal"} {
		if part := s.part(name, role, p); part != nil {
			body[name] = part
		}
	}
	w.Header().Set("Server-Time", strconv.FormatInt(time.Now().UnixMilli(), 10))
	w.Header().Set("Poll-Interval", "10")
	reply(w, 200, body)
}
