package main

import (
	"context"
	"errors"
	"net/http"
	"net/url"
	"time"

	"github.com/stripe/stripe-go/v85"
	"go.opentelemetry.io/otel/codes"
	"go.opentelemetry.io/otel/trace"

	"pubquiz/internal/mail"
	"pubquiz/internal/tracing"
)

// collectorURL is where traces are sent.
type collectorURL string

func (u *collectorURL) UnmarshalText(text []byte) error {
	address, err := url.Parse(string(text))
	if err != nil || address.Scheme != "http" && address.Scheme != "https" || address.Host == "" || address.User != nil {
		return errors.New("it must be an address such as http://localhost:4318, without a password") // err would hold it
	}
	*u = collectorURL(text)
	return nil
}

// traces begins to trace; nil where nobody collects.
func (c config) traces(ctx context.Context) (*tracing.Traces, error) {
	if c.Collector == "" {
		return nil, nil
	}
	collector, err := url.Parse(string(c.Collector))
	if err != nil {
		return nil, err
	}
	return tracing.Start(ctx, collector)
}

const stripePatience = time.Minute // whoever calls has less, and says so by their context

// traceStripe has the calls at Stripe traced.
func traceStripe(t *tracing.Traces) func(*stripe.BackendConfig) {
	if t == nil {
		return nil
	}
	return func(c *stripe.BackendConfig) {
		c.HTTPClient = &http.Client{Timeout: stripePatience, Transport: t.Calls(http.DefaultTransport)}
	}
}

// tracedSender has the sending of letters traced.
type tracedSender struct {
	mail.Sender
	tracer trace.Tracer
}

func traceLetters(by mail.Sender, t *tracing.Traces) mail.Sender {
	if t == nil {
		return by
	}
	return tracedSender{by, t.Tracer()}
}

func (s tracedSender) Send(ctx context.Context, m mail.Message) error {
	ctx, span := s.tracer.Start(ctx, "send a letter", trace.WithSpanKind(trace.SpanKindClient))
	defer span.End()
	err := s.Sender.Send(ctx, m)
	if err != nil {
		span.SetStatus(codes.Error, "") // what it says may name whom the letter is to
	}
	return err
}
