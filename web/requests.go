package web

import (
	"bufio"
	"context"
	"io"
	"log/slog"
	"net"
	"net/http"
	"net/netip"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/codes"
	"go.opentelemetry.io/otel/propagation"
	"go.opentelemetry.io/otel/trace"

	"pubquiz/internal/requestid"
)

// requestIDHeader tells whoever asked how we call their request.
const requestIDHeader = "X-Request-Id"

// requestPatience is how long a request may take: where the store hangs, whoever waits is told so before they give up by themselves.
const requestPatience = 8 * time.Second

// newDurations measures requests by route and by what became of them: a rate, errors and durations in one.
func newDurations() *prometheus.HistogramVec {
	return prometheus.NewHistogramVec(prometheus.HistogramOpts{
		Name: "quizd_request_duration_seconds", Help: "How long requests took, by route and class of the answer; gone is whoever did not wait for a failure. A socket's is its opening.",
		Buckets: []float64{.005, .02, .1, .3, 1, 3, 10},
	}, []string{"route", "answer"})
}

// answerClasses are what may become of a request, by the first digit of its status. What says nothing is answered with 200.
var answerClasses = [...]string{"2xx", "1xx", "2xx", "3xx", "4xx", "5xx"}

const gone = "gone"

// name is what metrics, spans and the log call a route. It has nothing in it that a client chooses.
func (rt *route) name() string {
	if rt.method == "" {
		return rt.pattern
	}
	return rt.method + " " + rt.pattern
}

// begin names a request, and its span if there are any.
func (s *Server) begin(w http.ResponseWriter, from *http.Request, rt *route, name string) *request {
	r := &request{Request: from, answer: w.Header(), sent: sent{ResponseWriter: w}, began: time.Now(), scope: requestid.Scope{Context: from.Context()}}
	if !rt.long && !rt.exempt {
		r.scope.Context, r.enough = context.WithTimeout(r.scope.Context, requestPatience)
	}
	caller := s.callerOf(from)
	r.scope.ID = caller.TraceID()
	if !caller.IsValid() {
		r.scope.ID = requestid.New()
	}
	r.ctx = &r.scope
	r.idField[0] = r.scope.ID.String()
	r.answer[requestIDHeader] = r.idField[:]
	s.underWay.Add(1)
	if s.tracer != nil && !(rt.exempt && rt.method == http.MethodGet) { // probes, and what is held in memory
		s.trace(r, rt, name, caller)
	}
	return r
}

// callerOf is the span that a trusted proxy says a request is of; none for whatever is not as the W3C's Trace Context has it. Of anybody else it would be a name that
// they choose, and could give to requests of others, too.
func (s *Server) callerOf(r *http.Request) trace.SpanContext {
	if r.Header["Traceparent"] == nil { // as from every phone
		return trace.SpanContext{}
	}
	if peer, err := netip.ParseAddrPort(r.RemoteAddr); err != nil || !s.proxies.Trusts(peer.Addr()) {
		return trace.SpanContext{}
	}
	return trace.SpanContextFromContext(propagation.TraceContext{}.Extract(context.Background(), propagation.HeaderCarrier(r.Header)))
}

// trace begins the request's span. Whether it is sampled is for us to decide, so a caller's span is linked, and is not the parent; the trace has the request's
// ID all the same.
func (s *Server) trace(r *request, rt *route, name string, caller trace.SpanContext) {
	options := []trace.SpanStartOption{trace.WithSpanKind(trace.SpanKindServer),
		trace.WithAttributes(attribute.String("http.request.method", rt.method), attribute.String("http.route", rt.pattern))}
	if caller.IsValid() {
		options = append(options, trace.WithLinks(trace.Link{SpanContext: caller}))
	}
	r.ctx, r.span = s.tracer.Start(r.ctx, name, options...)
}

// finish counts a request that has been answered.
func (s *Server) finish(r *request, name string) {
	s.underWay.Add(-1)
	if r.enough != nil {
		r.enough()
	}
	took := time.Since(r.began)
	class := answerClasses[min(r.sent.status/100, len(answerClasses)-1)]
	if r.sent.status >= http.StatusInternalServerError && r.Request.Context().Err() != nil {
		class = gone
	}
	s.durations.WithLabelValues(name, class).Observe(took.Seconds())
	if r.span != nil {
		r.span.SetAttributes(attribute.Int("http.response.status_code", r.sent.status))
		if class == "5xx" {
			r.span.SetStatus(codes.Error, "")
		}
		r.span.End()
	}
	if s.log.Enabled(r.ctx, slog.LevelDebug) {
		s.log.LogAttrs(r.ctx, slog.LevelDebug, "answered", slog.String("route", name), slog.Int("status", r.sent.status), slog.Int64("bytes", r.sent.bytes),
			slog.Duration("took", took), slog.String("address", r.client.String()))
	}
}

// Context is that of what is done for the request.
func (r *request) Context() context.Context {
	if r.ctx == nil { // it came by no route
		return r.Request.Context()
	}
	return r.ctx
}

// sent is what a request is answered by, and what was sent so far.
type sent struct {
	http.ResponseWriter
	status int
	bytes  int64
}

func (w *sent) WriteHeader(status int) {
	if w.status < http.StatusOK { // others may follow those below
		w.status = status
	}
	w.ResponseWriter.WriteHeader(status)
}

func (w *sent) Write(b []byte) (int, error) {
	w.status = max(w.status, http.StatusOK)
	n, err := w.ResponseWriter.Write(b)
	w.bytes += int64(n)
	return n, err
}

// ReadFrom lets net/http copy in its own way.
func (w *sent) ReadFrom(from io.Reader) (int64, error) {
	w.status = max(w.status, http.StatusOK)
	n, err := io.Copy(w.ResponseWriter, from)
	w.bytes += n
	return n, err
}

// Hijack gives the connection away, to a socket.
func (w *sent) Hijack() (net.Conn, *bufio.ReadWriter, error) {
	w.status = http.StatusSwitchingProtocols
	return http.NewResponseController(w.ResponseWriter).Hijack()
}

// Unwrap is for http.ResponseController.
func (w *sent) Unwrap() http.ResponseWriter { return w.ResponseWriter }

// bare is w as net/http knows it. Of a body that is too large, it reads no more once it is told.
func bare(w http.ResponseWriter) http.ResponseWriter {
	if w, ok := w.(*sent); ok {
		return w.ResponseWriter
	}
	return w
}
