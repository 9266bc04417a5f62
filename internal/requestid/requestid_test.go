package requestid

import (
	"bytes"
	"context"
	"log/slog"
	"strings"
	"testing"
	"time"
)

func TestOf(t *testing.T) {
	if id := Of(t.Context()); id.IsValid() {
		t.Errorf("what is done for no request is done for %v", id)
	}
	id := New()
	type another struct{}
	within, cancel := context.WithTimeout(context.WithValue(&Scope{t.Context(), id}, another{}, 1), time.Minute)
	defer cancel()
	if got := Of(within); got != id || !id.IsValid() || within.Value(another{}) != 1 {
		t.Errorf("got %v, want %v", got, id)
	}
	if id == New() {
		t.Error("two requests have one name")
	}
}

// TestScopeEndsWithItsContext: what waits for the scope hears of the end of what it is made of, without a goroutine that watches for it.
func TestScopeEndsWithItsContext(t *testing.T) {
	parent, cancel := context.WithCancel(t.Context())
	within, stop := context.WithCancel(&Scope{parent, New()})
	defer stop()
	cancel()
	if within.Err() == nil { // at once: a goroutine would have had to run first
		t.Error("it goes on")
	}
}

func TestInLog(t *testing.T) {
	var log bytes.Buffer
	logger := slog.New(InLog(slog.NewTextHandler(&log, nil))).With("with", 1)
	id := New()
	logger.InfoContext(&Scope{t.Context(), id}, "of one", "and", 2)
	logger.InfoContext(t.Context(), "of none")
	lines := strings.Split(log.String(), "\n")
	if !strings.HasSuffix(lines[0], `msg="of one" with=1 and=2 request=`+id.String()) || strings.Contains(lines[1], "request") {
		t.Errorf("logged %q", lines)
	}
}

func TestOfAllocatesNothing(t *testing.T) {
	scope := &Scope{t.Context(), New()}
	if n := testing.AllocsPerRun(100, func() { Of(scope) }); n != 0 {
		t.Errorf("%v allocations", n)
	}
}
