package tracing

import (
	"context"
	"errors"
	"net/http"
	"net/http/httptest"
	"net/url"
	"testing"
	"time"

	"pubquiz/internal/requestid"
)

// TestNoTracesCostNothing: where nobody collects, everything is as it was.
func TestNoTracesCostNothing(t *testing.T) {
	var none *Traces
	if none.Tracer() != nil || none.Calls(http.DefaultTransport) != http.DefaultTransport || none.Stop(t.Context()) != nil {
		t.Error("there is something where there should be nothing")
	}
}

// TestTheTraceIsTheRequest: they have one name.
func TestTheTraceIsTheRequest(t *testing.T) {
	id := requestid.New()
	if trace, span := (ids{}).NewIDs(&requestid.Scope{Context: t.Context(), ID: id}); trace != id || !span.IsValid() {
		t.Errorf("the trace of %v is %v", id, trace)
	}
	one, _ := ids{}.NewIDs(t.Context())
	if other, _ := (ids{}).NewIDs(t.Context()); one == other || !one.IsValid() {
		t.Errorf("what is of no request has the traces %v and %v", one, other)
	}
}

// TestCollectorAway holds nobody up: what is traced goes on, and the end comes when it is asked for.
func TestCollectorAway(t *testing.T) {
	over := make(chan struct{})
	stalled := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { <-over }))
	t.Cleanup(stalled.Close)
	t.Cleanup(func() { close(over) })
	address, err := url.Parse(stalled.URL)
	if err != nil {
		t.Fatal(err)
	}
	traces, err := Start(t.Context(), address)
	if err != nil {
		t.Fatal(err)
	}
	for range 5000 { // more than wait at most
		_, span := traces.Tracer().Start(t.Context(), "something")
		span.End()
	}
	ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
	defer cancel()
	if err := traces.Stop(ctx); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("it ended with %v", err)
	}
}
