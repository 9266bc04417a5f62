// Package web is the product over HTTP and WebSocket: routes, limits, pages and errors. What happens is decided in session, quiz and account.
package web

import (
	"context"
	"fmt"
	"html/template"
	"log/slog"
	"net/http"
	"net/netip"
	"net/url"
	"time"

	"github.com/go-chi/chi/v5"

	"pubquiz/account"
	"pubquiz/quiz"
	"pubquiz/ratelimit"
	"pubquiz/session"
)

// Config is what a Server is made of.
type Config struct {
	Accounts *account.Accounts
	Quizzes  *quiz.Store
	Sessions *session.Service
	Keys     session.Keys
	Limiters *ratelimit.Limiters
	Proxies  ratelimit.Proxies
	// BaseURL is where people reach the product; links, QR codes and cookies are made for it.
	BaseURL *url.URL
	// Origins are further origins whose pages may send commands, such as "http://localhost:8080" beside an address of the network.
	Origins []string
	// Now is the database's clock, as near as this process can tell it.
	Now func() time.Time
	// Ready reports why the server should get no requests, if it should not.
	Ready func(context.Context) error
}

// Server answers all requests.
type Server struct {
	accounts  *account.Accounts
	quizzes   *quiz.Store
	sessions  *session.Service
	keys      session.Keys
	limiters  *ratelimit.Limiters
	proxies   ratelimit.Proxies
	baseURL   *url.URL
	origins   map[string]bool
	now       func() time.Time
	readiness func(context.Context) error
	assets    *Assets
	templates *template.Template
	sockets   sockets
	handler   http.Handler
}

// New returns a Server, with its scripts and styles bundled.
func New(c Config) (*Server, error) {
	assets, err := BundleAssets()
	if err != nil {
		return nil, fmt.Errorf("web.New: %w", err)
	}
	s := &Server{
		accounts: c.Accounts, quizzes: c.Quizzes, sessions: c.Sessions, keys: c.Keys, limiters: c.Limiters, proxies: c.Proxies,
		baseURL: c.BaseURL, origins: map[string]bool{}, now: c.Now, readiness: c.Ready, assets: assets,
	}
	crossOrigin := http.NewCrossOriginProtection()
	for _, origin := range append([]string{c.BaseURL.Scheme + "://" + c.BaseURL.Host}, c.Origins...) {
		s.origins[origin] = true
		if err := crossOrigin.AddTrustedOrigin(origin); err != nil {
			return nil, fmt.Errorf("web.New: %w", err)
		}
	}
	if s.templates, err = parseTemplates(assets); err != nil {
		return nil, fmt.Errorf("web.New: %w", err)
	}
	router := chi.NewRouter()
	for _, rt := range s.routes() {
		h := s.serve(rt)
		router.Method(rt.method, rt.pattern, h)
		if rt.method == http.MethodGet && !rt.socket {
			router.Method(http.MethodHead, rt.pattern, h)
		}
	}
	router.NotFound(s.serve(route{pattern: "/*", handle: s.notFound}))
	router.MethodNotAllowed(s.serve(route{pattern: "/*", handle: s.methodNotAllowed}))
	crossOrigin.SetDenyHandler(s.serve(route{pattern: "/api/*", handle: s.crossOrigin}))
	s.handler = crossOrigin.Handler(router)
	return s, nil
}

// ServeHTTP answers one request.
func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) { s.handler.ServeHTTP(w, r) }

// serve is the way of every request: address, identity as far as it costs no query, global limit, identity, the route's limit, handler, error.
func (s *Server) serve(rt route) http.HandlerFunc {
	return func(w http.ResponseWriter, httpRequest *http.Request) {
		r := &request{Request: httpRequest}
		s.securityHeaders(w.Header())
		err := s.admit(w, r, &rt)
		if err != nil && rt.socket {
			s.refuseSocket(w, r, &rt, err)
			return
		}
		if err == nil {
			err = rt.handle(w, r)
		}
		if err != nil {
			s.fail(w, r, &rt, err)
		}
	}
}

// admit verifies the identity that the route asks for and charges its limits, the cheapest refusals first.
func (s *Server) admit(w http.ResponseWriter, r *request, rt *route) error {
	if rt.exempt {
		return nil
	}
	peer, err := netip.ParseAddrPort(r.RemoteAddr)
	if err != nil {
		return fmt.Errorf("the peer's address %q: %w", r.RemoteAddr, err)
	}
	var doubt ratelimit.Doubt
	if r.client, doubt = s.proxies.Client(peer, r.Header); doubt != ratelimit.NoDoubt {
		slog.WarnContext(r.Context(), "the client's address is in doubt", "doubt", doubt.String(), "peer", peer.Addr().String())
	}
	if err := s.verifyToken(r, rt); err != nil {
		// A stranger to the session: charged as such, then told.
		if d, limited := s.charge(r, ratelimit.Global.For(ratelimit.AddressKey(r.client))); limited != nil {
			tellLimit(w.Header(), d)
			return limited
		}
		return err
	}
	if d, err := s.chargeGlobal(r, rt); err != nil {
		tellLimit(w.Header(), d)
		return err
	}
	if err := s.signedIn(r, rt); err != nil {
		return err
	}
	if rt.limit.Name == "" || rt.inBody {
		return nil
	}
	d, err := s.chargeOwn(r, rt)
	tellLimit(w.Header(), d)
	return err
}

// verifyToken reads the signed token of a participant or a big screen. It costs no query.
func (s *Server) verifyToken(r *request, rt *route) (err error) {
	ok := true
	switch rt.access {
	case participant:
		r.seat, ok = s.keys.VerifySeat(s.participantToken(r))
	case screen:
		r.screen, ok = s.keys.VerifyScreen(s.cookieValue(r, screenCookie(r.param("session"))))
	}
	if !ok {
		return session.ErrNotParticipant
	}
	return nil
}

// signedIn authenticates a host, and finds the session in the path among the host's own.
func (s *Server) signedIn(r *request, rt *route) (err error) {
	if rt.access != host && rt.access != owner {
		return nil
	}
	if r.user, err = s.accounts.Authenticate(r.Context(), s.cookieValue(r, hostCookie)); err != nil {
		return err
	}
	if rt.access == owner {
		r.owned, err = s.sessions.AsHost(r.Context(), r.param("session"), r.ownerID())
	}
	return err
}

// securityHeaders are the same on every answer. Nothing but our own files runs, and nobody may frame the pages.
func (s *Server) securityHeaders(h http.Header) {
	socketOrigin := "ws://" + s.baseURL.Host
	if s.baseURL.Scheme == "https" {
		socketOrigin = "wss://" + s.baseURL.Host
		h.Set("Strict-Transport-Security", "max-age=31536000; includeSubDomains")
	}
	h.Set("Content-Security-Policy", "default-src 'none'; script-src 'self'; style-src 'self'; font-src 'self'; img-src 'self' data: blob:; "+
		"media-src 'self' blob:; connect-src 'self' "+socketOrigin+"; manifest-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'")
	h.Set("X-Content-Type-Options", "nosniff")
	h.Set("Referrer-Policy", "no-referrer")
	h.Set("Cross-Origin-Opener-Policy", "same-origin")
}

func (s *Server) notFound(http.ResponseWriter, *request) error {
	return &problem{Status: http.StatusNotFound, Slug: "not-found", Title: "Nothing here", Detail: "There is nothing at this address."}
}

func (s *Server) methodNotAllowed(http.ResponseWriter, *request) error {
	return &problem{Status: http.StatusMethodNotAllowed, Slug: "method-not-allowed", Title: "Not this way",
		Detail: "This address does not take that kind of request."}
}

func (s *Server) crossOrigin(http.ResponseWriter, *request) error {
	return &problem{Status: http.StatusForbidden, Slug: "cross-origin", Title: "From another site",
		Detail: "This request came from another site's page, and was not carried out."}
}

func (s *Server) healthy(w http.ResponseWriter, _ *request) error {
	return writeJSON(w, http.StatusOK, map[string]string{"status": "alive"})
}

func (s *Server) ready(w http.ResponseWriter, r *request) error {
	if err := s.readiness(r.Context()); err != nil {
		return &problem{Status: http.StatusServiceUnavailable, Slug: "not-ready", Title: "Not ready", Detail: "The server is not ready.", cause: err}
	}
	return writeJSON(w, http.StatusOK, map[string]string{"status": "ready"})
}

func (s *Server) static(w http.ResponseWriter, r *request) error {
	s.assets.ServeHTTP(w, r.Request)
	return nil
}
