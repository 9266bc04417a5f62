// Package web is the product over HTTP and WebSocket: routes, limits, pages and errors. What happens is decided in
// session, quiz and account.
package web

import (
	"fmt"
	"log/slog"
	"net/http"
	"net/netip"
	"net/url"
	"runtime/debug"
	"slices"
	"strings"
	"sync/atomic"
	"time"

	"github.com/go-chi/chi/v5"
	"github.com/gorilla/websocket"
	"github.com/prometheus/client_golang/prometheus"
	"go.opentelemetry.io/otel/trace"

	"pubquiz/account"
	"pubquiz/billing"
	"pubquiz/internal/mail"
	"pubquiz/internal/openid"
	"pubquiz/internal/seal"
	"pubquiz/internal/words"
	"pubquiz/quiz"
	"pubquiz/quiz/look"
	"pubquiz/ratelimit"
	"pubquiz/session"
)

// Config is what a Server is made of.
type Config struct {
	Accounts *account.Accounts
	// Mail is where the accounts' letters are; nil where none are sent.
	Mail *mail.Outbox
	// Tray is where the letters of a demo can be looked at; nil elsewhere.
	Tray    *mail.Tray
	Quizzes *quiz.Store
	Media   *quiz.MediaStore
	// Looks are what the hosts' pubs look like on the big screen.
	Looks    *look.Store
	Sessions *session.Service
	Keys     session.Keys
	Limiters *ratelimit.Limiters
	// TwoStep is the accounts' second factor.
	TwoStep *account.TwoStep
	// Passkeys are the accounts' passkeys; nil where browsers allow none.
	Passkeys *account.Passkeys
	// Providers are those with whom hosts may sign in; see ProviderReturn.
	Providers []*openid.Provider
	// Billing is what hosts pay for; nil where nothing is sold.
	Billing *billing.Billing
	// DraftFields tells budgets in the fields of the IETF's draft, RateLimit-Policy and RateLimit, instead of the three
	// older ones.
	DraftFields bool
	Proxies     ratelimit.Proxies
	// BaseURL is where people reach the product; links, QR codes and cookies are made for it.
	BaseURL *url.URL
	// Origins are further origins whose pages may send commands, such as "http://localhost:8080" beside an address of
	// the network.
	Origins []string
	// Operators are the hosts who may see the operator's page, by account.EmailKey.
	Operators []string
	// Now is the database's clock, as near as this process can tell it.
	Now func() time.Time
	// Ready is what must be so for the server to get requests.
	Ready []Check
	// Tracer follows requests; nil where nothing is traced.
	Tracer trace.Tracer
}

// Server answers all requests.
type Server struct {
	accounts      *account.Accounts
	mail          *mail.Outbox
	tray          *mail.Tray
	quizzes       *quiz.Store
	media         *quiz.MediaStore
	looks         *look.Store
	sessions      *session.Service
	keys          session.Keys
	limiters      *ratelimit.Limiters
	twoStep       *account.TwoStep
	passkeys      *account.Passkeys
	providers     []*openid.Provider
	billing       *billing.Billing // nil where nothing is sold
	prices        priceList
	cookieBox     seal.Box
	proxies       ratelimit.Proxies
	baseURL       *url.URL
	origins       map[string]bool
	contentPolicy string
	now           func() time.Time
	readiness     readiness
	editions      map[*words.Language]func() (*edition, error)
	sockets       sockets
	files         transfers // on their way in
	contents      transfers // of quizzes, which no upload may hold up
	takeaways     transfers // on their way out
	turns         turns
	upgrader      *websocket.Upgrader
	refusals      roomRefusals
	limits        map[ratelimit.Name]ratelimit.Limit // those in force, which an operator may have changed
	draftFields   bool
	operators     []string
	started       time.Time
	doubts        doubts
	crowd         crowd
	answers       [len(outcomes)]atomic.Uint64 // by outcome
	answerTimes   *prometheus.HistogramVec     // by transport
	durations     *prometheus.HistogramVec     // of requests
	underWay      atomic.Int64                 // requests
	tracer        trace.Tracer                 // nil where nothing is traced
	log           *slog.Logger
	handler       http.Handler
}

// New returns a Server, with what it shows in English bundled.
func New(c Config) (*Server, error) {
	s := &Server{
		accounts: c.Accounts, mail: c.Mail, tray: c.Tray, quizzes: c.Quizzes, media: c.Media, looks: c.Looks, sessions: c.Sessions, keys: c.Keys, limiters: c.Limiters, proxies: c.Proxies,
		baseURL: c.BaseURL, origins: map[string]bool{}, now: c.Now, readiness: readiness{checks: c.Ready},
		limits: map[ratelimit.Name]ratelimit.Limit{}, draftFields: c.DraftFields, operators: c.Operators, started: time.Now(),
		log: slog.Default(), twoStep: c.TwoStep, passkeys: c.Passkeys, providers: c.Providers, billing: c.Billing,
		durations: newDurations(), answerTimes: newAnswerTimes(), tracer: c.Tracer,
	}
	var err error
	if s.cookieBox, err = newCookieBox(c.Keys); err != nil {
		return nil, fmt.Errorf("web.New: %w", err)
	}
	if c.Billing != nil {
		if s.prices, err = newPriceList(c.Billing.Prices()); err != nil {
			return nil, fmt.Errorf("web.New: %w", err)
		}
	}
	for _, limit := range c.Limiters.Table() {
		s.limits[limit.Name] = limit
	}
	crossOrigin := http.NewCrossOriginProtection()
	for _, origin := range append([]string{c.BaseURL.Scheme + "://" + c.BaseURL.Host}, c.Origins...) {
		s.origins[origin] = true
		if err := crossOrigin.AddTrustedOrigin(origin); err != nil {
			return nil, fmt.Errorf("web.New: %w", err)
		}
	}
	s.contentPolicy = contentPolicy(s.origins)
	s.upgrader = s.newUpgrader()
	headers := http.Header{}
	s.securityHeaders(headers)
	s.editions = newEditions(c, headers)
	if _, err := s.editions[words.English](); err != nil {
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

// serve is the way of every request: what admit asks of it, the handler, and the one place that answers errors.
func (s *Server) serve(rt route) http.HandlerFunc {
	name := rt.name()
	return func(w http.ResponseWriter, httpRequest *http.Request) {
		r := s.begin(w, httpRequest, &rt, name)
		r.scope.Context = words.With(r.scope.Context, func() *words.Language { return s.languageOf(r) })
		w = &r.sent
		defer s.finish(r, name)
		s.securityHeaders(r.answer)
		defer s.lastResort(r, &rt)
		err := s.admit(r, &rt)
		if err != nil && rt.socket {
			s.refuseSocket(w, r, &rt, err)
			return
		}
		if err == nil {
			err = s.handle(w, r, &rt)
		}
		if err != nil {
			s.fail(w, r, &rt, err)
		}
	}
}

// lastResort logs a panic, which net/http would mention among what clients do wrong, and breaks the answer off.
func (s *Server) lastResort(r *request, rt *route) {
	panicked := recover()
	if panicked != nil {
		r.sent.status = http.StatusInternalServerError
	}
	switch panicked {
	case nil:
	case http.ErrAbortHandler:
		panic(panicked)
	default:
		s.log.ErrorContext(r.Context(), "a handler panicked", "method", r.Method, "route", rt.pattern, "panic", panicked, "stack", string(debug.Stack()))
		panic(http.ErrAbortHandler)
	}
}

// admit verifies the identity that the route asks for and charges its limits, the cheapest refusals first.
func (s *Server) admit(r *request, rt *route) error {
	if rt.exempt {
		return nil
	}
	peer, err := netip.ParseAddrPort(r.RemoteAddr)
	if err != nil {
		return fmt.Errorf("the peer's address %q: %w", r.RemoteAddr, err)
	}
	r.client = s.clientOf(r, peer)
	recognized := s.recognize(r, rt)
	s.lookForProxy(r)
	// What a token names has its own limit charged first: a phone that hammers is stopped before it can use up the
	// room's budget.
	if recognized == nil && r.standing == seated {
		if err := s.chargeOwn(r, rt); err != nil {
			return err
		}
	}
	if err := s.chargeGlobal(r); err != nil {
		return err
	}
	if recognized != nil {
		return recognized
	}
	if err := s.authenticate(r, rt); err != nil {
		return err
	}
	if r.standing == seated {
		return nil
	}
	return s.chargeOwn(r, rt)
}

// authenticate finds the signed-in host, and the session in the path among those that they may drive.
func (s *Server) authenticate(r *request, rt *route) (err error) {
	if !rt.access.byHost() {
		return nil
	}
	if r.user, err = s.accounts.Authenticate(r.Context(), s.hostToken(r)); err != nil {
		return err
	}
	switch rt.access {
	case operator:
		if !s.isOperator(r.user) {
			return s.notFound(nil, r)
		}
	case driver, owner:
		r.driven, err = s.sessions.AsHost(r.Context(), r.param("session"), r.ownerID())
		if err == nil && rt.access == owner && !r.driven.Owns() {
			err = session.ErrNotOwner
		}
	}
	return err
}

// contentPolicy lets pages load nothing but our own files and talk to nobody but us. Older browsers do not take 'self'
// to mean our sockets.
func contentPolicy(origins map[string]bool) string {
	var sockets []string
	for origin := range origins {
		sockets = append(sockets, "ws"+strings.TrimPrefix(origin, "http"))
	}
	slices.Sort(sockets)
	return "default-src 'none'; script-src 'self'; style-src 'self'; font-src 'self'; img-src 'self' data: blob:; media-src 'self' blob:; " +
		"connect-src 'self' " + strings.Join(sockets, " ") + "; worker-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
}

// securityHeaders are the same on every answer. Nothing but our own files runs, and nobody may frame the pages.
func (s *Server) securityHeaders(h http.Header) {
	if s.baseURL.Scheme == "https" {
		h.Set("Strict-Transport-Security", "max-age=31536000; includeSubDomains")
	}
	h.Set("Content-Security-Policy", s.contentPolicy)
	h.Set("X-Content-Type-Options", "nosniff")
	h.Set("Referrer-Policy", "no-referrer")
	h.Set("Cross-Origin-Opener-Policy", "same-origin")
}

func (s *Server) notFound(http.ResponseWriter, *request) error {
	return &problem{Status: http.StatusNotFound, Slug: "not-found", Title: words.T("Nothing here"), Detail: words.T("There is nothing at this address.")}
}

func (s *Server) methodNotAllowed(http.ResponseWriter, *request) error {
	return &problem{Status: http.StatusMethodNotAllowed, Slug: "method-not-allowed", Title: words.T("Not this way"),
		Detail: words.T("This address does not take that kind of request.")}
}

func (s *Server) crossOrigin(http.ResponseWriter, *request) error {
	return &problem{Status: http.StatusForbidden, Slug: "cross-origin", Title: words.T("From another site"),
		Detail: words.T("This request came from another site's page, and was not carried out.")}
}

func (s *Server) healthy(w http.ResponseWriter, _ *request) error {
	return writeJSON(w, http.StatusOK, map[string]string{"status": "alive"})
}
