// Package tracing sends traces to whoever collects them by OpenTelemetry's protocol.
package tracing

import (
	"context"
	"encoding/binary"
	"fmt"
	"log/slog"
	"math/rand/v2"
	"net/http"
	"net/url"

	"github.com/exaring/otelpgx"
	"github.com/jackc/pgx/v5/pgxpool"
	"go.opentelemetry.io/contrib/instrumentation/net/http/otelhttp"
	"go.opentelemetry.io/otel"
	"go.opentelemetry.io/otel/exporters/otlp/otlptrace/otlptracehttp"
	metricnoop "go.opentelemetry.io/otel/metric/noop"
	"go.opentelemetry.io/otel/sdk/resource"
	sdk "go.opentelemetry.io/otel/sdk/trace"
	semconv "go.opentelemetry.io/otel/semconv/v1.43.0"
	"go.opentelemetry.io/otel/trace"

	"pubquiz/internal/requestid"
)

// mostLinks is how many requests a batch of answers may be linked to.
const mostLinks = 1000

// Traces are what this process tells a collector.
type Traces struct{ provider *sdk.TracerProvider }

// Start begins to send traces to the collector at an address, to which v1/traces is added. All else is as the standard variables of OpenTelemetry say, which
// the SDK reads. A collector that does not answer holds nothing up.
func Start(ctx context.Context, collector *url.URL) (*Traces, error) {
	exporter, err := otlptracehttp.New(ctx, otlptracehttp.WithEndpointURL(collector.JoinPath("v1/traces").String()))
	if err != nil {
		return nil, fmt.Errorf("tracing.Start: %w", err)
	}
	about, err := resource.New(ctx, resource.WithAttributes(semconv.ServiceName("quizd")), resource.WithHost(), resource.WithFromEnv())
	if err != nil {
		return nil, fmt.Errorf("tracing.Start: %w", err)
	}
	limits := sdk.NewSpanLimits()
	limits.LinkCountLimit = max(limits.LinkCountLimit, mostLinks)
	otel.SetErrorHandler(otel.ErrorHandlerFunc(func(err error) { slog.Warn("traces could not be sent", "error", err) }))
	return &Traces{sdk.NewTracerProvider(sdk.WithBatcher(exporter), sdk.WithResource(about), sdk.WithRawSpanLimits(limits), sdk.WithIDGenerator(ids{}))}, nil
}

// Tracer returns what begins spans; nil where there are no traces.
func (t *Traces) Tracer() trace.Tracer {
	if t == nil {
		return nil
	}
	return t.provider.Tracer("pubquiz")
}

// Queries has the queries of a pool traced that are part of something which is.
func (t *Traces) Queries(c *pgxpool.Config) {
	if t != nil {
		c.ConnConfig.Tracer = otelpgx.NewTracer(otelpgx.WithTracerProvider(t.provider), otelpgx.WithMeterProvider(metricnoop.NewMeterProvider()),
			otelpgx.WithDisableConnectionDetailsInAttributes())
	}
}

// Calls has what goes out by a transport traced. Whoever is called is not told.
func (t *Traces) Calls(by http.RoundTripper) http.RoundTripper {
	if t == nil {
		return by
	}
	return otelhttp.NewTransport(by, otelhttp.WithTracerProvider(t.provider), otelhttp.WithMeterProvider(metricnoop.NewMeterProvider()))
}

// Stop sends what has not been sent yet.
func (t *Traces) Stop(ctx context.Context) error {
	if t == nil {
		return nil
	}
	return t.provider.Shutdown(ctx)
}

// ids gives the trace of a request the request's own ID.
type ids struct{}

func (i ids) NewIDs(ctx context.Context) (trace.TraceID, trace.SpanID) {
	id := requestid.Of(ctx)
	if !id.IsValid() {
		id = requestid.New()
	}
	return id, i.NewSpanID(ctx, id)
}

func (ids) NewSpanID(context.Context, trace.TraceID) (id trace.SpanID) {
	binary.NativeEndian.PutUint64(id[:], rand.Uint64())
	return id
}
