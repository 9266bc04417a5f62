package web

import (
	"context"
	"errors"
	"testing"
	"testing/synctest"
	"time"
)

func TestReadinessIsAskedOnceASecond(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		asked, away := 0, errors.New("away")
		r := readiness{check: func(context.Context) error { asked++; return away }}
		for range 1000 {
			if err := r.now(); !errors.Is(err, away) {
				t.Fatal(err)
			}
		}
		away = nil
		time.Sleep(readinessAge)
		if err := r.now(); err != nil || asked != 2 {
			t.Errorf("%v, asked %d times", err, asked)
		}
	})
}

func TestReadinessDoesNotWaitForEver(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := readiness{check: func(ctx context.Context) error { <-ctx.Done(); return ctx.Err() }}
		if err := r.now(); !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("got %v", err)
		}
	})
}
