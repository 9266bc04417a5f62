// Package requestid names requests: in their answers, in every line that the log has of them, and as traces.
package requestid

import (
	"context"
	"encoding/binary"
	"log/slog"
	"math/rand/v2"

	"go.opentelemetry.io/otel/trace"
)

// ID is one request's. It is a trace's ID, so that whoever has the one can find the other.
type ID = trace.TraceID

// New returns an ID. It tells requests apart and is no secret.
func New() (id ID) {
	binary.NativeEndian.PutUint64(id[:8], rand.Uint64())
	binary.NativeEndian.PutUint64(id[8:], rand.Uint64())
	return id
}

// Scope is the context of what is done for one request. It is kept in whatever else there is of the request, and so costs no allocation.
type Scope struct {
	context.Context
	ID ID
}

type scopeKey struct{}

// Value implements context.Context.
func (s *Scope) Value(key any) any {
	if key == (scopeKey{}) {
		return s
	}
	return s.Context.Value(key)
}

// Of returns the request that something is done for; the zero ID, which is not valid, where it is done for none.
func Of(ctx context.Context) ID {
	if s, ok := ctx.Value(scopeKey{}).(*Scope); ok {
		return s.ID
	}
	return ID{}
}

// InLog returns a handler that says in each record which request it is about.
func InLog(h slog.Handler) slog.Handler { return inLog{h} }

type inLog struct{ slog.Handler }

func (h inLog) Handle(ctx context.Context, r slog.Record) error {
	if id := Of(ctx); id.IsValid() {
		r = r.Clone()
		r.AddAttrs(slog.String("request", id.String()))
	}
	return h.Handler.Handle(ctx, r)
}

func (h inLog) WithAttrs(attrs []slog.Attr) slog.Handler { return inLog{h.Handler.WithAttrs(attrs)} }
func (h inLog) WithGroup(name string) slog.Handler       { return inLog{h.Handler.WithGroup(name)} }
