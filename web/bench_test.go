package web

import (
	"log/slog"
	"net/http"
	"net/http/httptest"
	"net/url"
	"testing"

	sdk "go.opentelemetry.io/otel/sdk/trace"
	"go.opentelemetry.io/otel/trace"
)

// nowhere is where answers go that nobody reads.
type nowhere struct{ header http.Header }

func (w nowhere) Header() http.Header         { return w.header }
func (w nowhere) Write(b []byte) (int, error) { return len(b), nil }
func (w nowhere) WriteHeader(int)             {}

// BenchmarkChain is what every request costs besides its limits and its handler: its name, its headers, what is counted, and a span where something is traced.
func BenchmarkChain(b *testing.B) {
	for name, tracer := range map[string]trace.Tracer{"not traced": nil, "traced": sdk.NewTracerProvider().Tracer("")} {
		b.Run(name, func(b *testing.B) {
			s := &Server{baseURL: &url.URL{Scheme: "https"}, log: slog.New(slog.DiscardHandler), durations: newDurations(), tracer: tracer}
			handler := s.serve(route{method: "POST", pattern: "/api/v1/sessions/{session}/answers", exempt: true, handle: func(w http.ResponseWriter, _ *request) error {
				w.WriteHeader(http.StatusNoContent)
				return nil
			}})
			asked := httptest.NewRequest("POST", "/api/v1/sessions/x/answers", nil)
			w := nowhere{http.Header{}}
			b.ReportAllocs()
			for b.Loop() {
				clear(w.header)
				handler(w, asked)
			}
		})
	}
}
