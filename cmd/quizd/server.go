package main

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"net/http/pprof"
	"time"

	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/collectors"
	"github.com/prometheus/client_golang/prometheus/promhttp"
	"golang.org/x/sync/errgroup"

	"pubquiz/account"
	"pubquiz/internal/postgres"
	"pubquiz/internal/tracing"
	"pubquiz/quiz"
	"pubquiz/quiz/look"
	"pubquiz/ratelimit"
	"pubquiz/ratelimit/redis"
	"pubquiz/session"
	"pubquiz/session/presence"
	"pubquiz/web"
)

const (
	drainTimeout   = 15 * time.Second // for the requests under way when the server stops; an answer takes far less
	tracesPatience = 3 * time.Second  // with whoever collects the last traces
	socketSpread   = 5 * time.Second  // over which at most the sockets are then closed, so that the phones come back one by one
)

// storeTimeout is how long a limiter waits for Redis. Tests of what is shared wait longer: on a busy machine an answer that comes late is counted here alone.
var storeTimeout = ratelimit.DefaultStoreTimeout

// server is one running instance: the product, wired together. This is the only place that wires it.
type server struct {
	accounts *account.Accounts
	quizzes  *quiz.Store
	sessions *session.Service

	pool    *pgxpool.Pool
	budgets *redis.Store    // nil if this instance shares its budgets with none
	present *presence.Redis // likewise
	web     *web.Server
	http    *http.Server
	metrics *http.Server    // nil if off
	traces  *tracing.Traces // nil if there are none

	background *errgroup.Group
	failed     context.Context    // ends when a part of the server fails, or all are told to stop
	stopAll    context.CancelFunc // tells the parts in the background to stop
	leaveDoors context.CancelFunc // leaves the doors as they are; nil where they always stand open
}

// start brings the schema up to date and serves on listener, which it closes in any case, until stop is called.
func start(ctx context.Context, c config, listener net.Listener) (_ *server, err error) {
	s := &server{}
	defer func() {
		if err != nil {
			listener.Close()
			s.close()
		}
	}()
	if err := postgres.Migrate(string(c.DatabaseURL)); err != nil {
		return nil, err
	}
	if s.traces, err = c.traces(ctx); err != nil {
		return nil, err
	}
	if s.pool, err = postgres.Open(ctx, string(c.DatabaseURL), s.traces.Queries); err != nil {
		return nil, err
	}
	clock, err := postgres.NewClock(ctx, s.pool)
	if err != nil {
		return nil, err
	}
	now := clock.Now
	if c.disturbed != nil {
		now = func() time.Time { return c.disturbed(clock.Now()) }
	}
	keys, err := session.NewKeys(c.keys()...)
	if err != nil {
		return nil, fmt.Errorf("SECRET_KEYS: %w", err)
	}
	options := []ratelimit.Option{ratelimit.MaxKeys(int(c.MaxKeys)), ratelimit.LogTo(slog.Default(), c.keys().derive("the log of refusals"))}
	if c.RedisURL != "" {
		if s.budgets, err = redis.Open(string(c.RedisURL), "quizd:"); err != nil {
			return nil, fmt.Errorf("REDIS_URL: %w", err)
		}
		options = append(options, ratelimit.SharedIn(s.budgets), ratelimit.StoreTimeout(storeTimeout))
	}
	limiters, err := ratelimit.New(c.table(), append(options, c.limiterOptions...)...)
	if err != nil {
		return nil, err
	}
	outbox, err := c.outbox(s.pool)
	if err != nil {
		return nil, err
	}
	s.accounts = account.New(s.pool, account.Config{Reserved: c.Operators, Mail: outbox, BaseURL: c.BaseURL.url()})
	plans, err := c.plans(s.pool, outbox, s.traces)
	if err != nil {
		return nil, err
	}
	twoStep, err := account.NewTwoStep(s.accounts, now, keys...)
	if err != nil {
		return nil, err
	}
	switch lost, err := twoStep.Reseal(ctx); {
	case err != nil:
		return nil, err
	case lost > 0:
		slog.Error("SECRET_KEYS lacks the key of some hosts' authenticator apps: put it back behind the others", "hosts", lost)
	}
	var passkeys *account.Passkeys
	if base := c.BaseURL.url(); account.PasskeysWork(base) {
		if passkeys, err = account.NewPasskeys(s.accounts, web.ProductName, base); err != nil {
			return nil, err
		}
	}
	s.quizzes = quiz.NewStore(s.pool)
	media := quiz.NewMediaStore(s.pool)
	evenings := session.Config{Now: now, Grace: time.Duration(c.AnswerGrace), Lead: c.lead, BaseURL: c.BaseURL.url(), Tracer: s.traces.Tracer(), Retention: time.Duration(c.RetentionDays) * 24 * time.Hour}
	if c.RedisURL != "" {
		if s.present, err = presence.New(string(c.RedisURL), "quizd:"); err != nil {
			return nil, fmt.Errorf("REDIS_URL: %w", err)
		}
		evenings.Presence = s.present
	}
	evenings.VerifiedOnly = outbox != nil
	if plans != nil {
		evenings.Allowance = allowanceOf(plans)
	}
	s.sessions = session.New(s.pool, evenings)
	if err := s.sessions.NoticeRestore(ctx); err != nil {
		return nil, err
	}
	s.web, err = web.New(web.Config{
		Accounts: s.accounts, Mail: outbox, Tray: c.tray, TwoStep: twoStep, Passkeys: passkeys, Providers: c.signInProviders(s.traces), Billing: plans, Quizzes: s.quizzes, Media: media, Looks: look.NewStore(s.pool), Sessions: s.sessions,
		Keys: keys, Limiters: limiters, DraftFields: c.RateLimitHeaders == "draft", Proxies: c.proxies, Operators: c.Operators,
		BaseURL: c.BaseURL.url(), Origins: c.origins,
		Now: now, Ready: ready(s.pool), Tracer: s.traces.Tracer(),
	})
	if err != nil {
		return nil, err
	}
	var metricsListener net.Listener
	if c.MetricsAddress != "" {
		if metricsListener, err = net.Listen("tcp", string(c.MetricsAddress)); err != nil {
			return nil, fmt.Errorf("METRICS_ADDRESS: %w", err)
		}
	}

	// What runs in the background outlives ctx, which says only how long starting may take: stop ends it in order.
	ctx, s.stopAll = context.WithCancel(context.WithoutCancel(ctx))
	s.background, s.failed = errgroup.WithContext(ctx)
	s.background.Go(func() error { clock.Run(s.failed); return nil })
	s.background.Go(func() error { s.sessions.Run(s.failed); return nil })
	s.background.Go(func() error { s.accounts.Run(s.failed); return nil })
	if outbox != nil {
		s.background.Go(func() error { outbox.Run(s.failed, traceLetters(c.sends(), s.traces)); return nil })
	}
	if plans != nil {
		s.background.Go(func() error { plans.Run(s.failed); return nil })
	}
	s.background.Go(func() error { media.Run(s.failed); return nil })
	s.http = newHTTPServer(s.web)
	if len(c.TrustedProxies) > 0 {
		entrance := newDoors(listener)
		listener = entrance
		var minded context.Context
		minded, s.leaveDoors = context.WithCancel(s.failed)
		s.background.Go(func() error { entrance.keep(minded, s); return nil })
	}
	s.background.Go(func() error { return serve(s.http, listener) })
	if metricsListener != nil {
		s.metrics = newHTTPServer(metricsHandler(s.collectors()...))
		s.metrics.WriteTimeout = 2 * time.Minute // profiles are taken for a while
		s.background.Go(func() error { return serve(s.metrics, metricsListener) })
	}
	return s, nil
}

// wait returns when ctx ends or a part of the server fails.
func (s *server) wait(ctx context.Context) {
	select {
	case <-ctx.Done():
	case <-s.failed.Done():
	}
}

// stop sends the sockets away, to another instance or to this one's successor, lets the requests under way finish, and then closes
// everything. It returns why the server had failed, if it had.
func (s *server) stop() error {
	slog.Info("stopping")
	ctx, cancel := context.WithTimeout(context.Background(), drainTimeout)
	defer cancel()
	if s.leaveDoors != nil {
		s.leaveDoors() // or a database that comes back now would have phones let in once more
	}
	draining, drained := context.WithTimeout(ctx, 2*socketSpread)
	defer drained()
	s.web.DrainSockets(draining, socketSpread)
	if err := s.http.Shutdown(ctx); err != nil {
		slog.Warn("some requests did not finish in time", "error", err)
		s.http.Close()
	}
	if s.metrics != nil {
		s.metrics.Close()
	}
	s.stopAll()
	err := s.background.Wait()
	s.close()
	slog.Info("stopped")
	return err
}

// close closes the connections to what the server stores in.
func (s *server) close() {
	if s.pool != nil {
		s.pool.Close()
	}
	if s.budgets != nil {
		s.budgets.Close()
	}
	if s.present != nil {
		s.present.Close()
	}
	ctx, cancel := context.WithTimeout(context.Background(), tracesPatience)
	defer cancel()
	if err := s.traces.Stop(ctx); err != nil {
		slog.Warn("the last traces could not be sent", "error", err)
	}
}

// newHTTPServer returns a server on which a slow or silent client holds nothing for long. A WebSocket, once upgraded, sets its own deadlines.
func newHTTPServer(handler http.Handler) *http.Server {
	return &http.Server{
		Handler:           handler,
		ReadHeaderTimeout: 5 * time.Second,
		ReadTimeout:       15 * time.Second,
		WriteTimeout:      30 * time.Second,
		IdleTimeout:       90 * time.Second, // phones that poll keep their connection
		MaxHeaderBytes:    16 << 10,
		ErrorLog:          slog.NewLogLogger(slog.Default().Handler(), slog.LevelDebug), // what clients do wrong
	}
}

// serve is http.Server.Serve without its error at an orderly end.
func serve(server *http.Server, listener net.Listener) error {
	if err := server.Serve(listener); !errors.Is(err, http.ErrServerClosed) {
		return fmt.Errorf("serving on %v: %w", listener.Addr(), err)
	}
	return nil
}

// collectors collect what this server counts.
func (s *server) collectors() []prometheus.Collector {
	return []prometheus.Collector{s.web.Metrics(), s.sessions, postgres.Metrics(s.pool)}
}

// metricsHandler serves what operators look at, away from the public.
func metricsHandler(ours ...prometheus.Collector) http.Handler {
	registry := prometheus.NewRegistry()
	registry.MustRegister(ours...)
	registry.MustRegister(collectors.NewGoCollector(collectors.WithGoCollectorRuntimeMetrics(collectors.MetricsGC, collectors.MetricsScheduler)),
		buildInfo(), collectors.NewProcessCollector(collectors.ProcessCollectorOpts{}))
	mux := http.NewServeMux()
	mux.Handle("GET /metrics", promhttp.HandlerFor(registry, promhttp.HandlerOpts{ErrorLog: slog.NewLogLogger(slog.Default().Handler(), slog.LevelError)}))
	mux.HandleFunc("GET /debug/pprof/", pprof.Index)
	mux.HandleFunc("GET /debug/pprof/cmdline", pprof.Cmdline)
	mux.HandleFunc("GET /debug/pprof/profile", pprof.Profile)
	mux.HandleFunc("GET /debug/pprof/symbol", pprof.Symbol)
	mux.HandleFunc("GET /debug/pprof/trace", pprof.Trace)
	return mux
}
