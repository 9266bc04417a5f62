package postgres

import (
	"context"
	"errors"
	"testing"
	"testing/synctest"
	"time"
)

func TestOffset(t *testing.T) {
	asked := time.Date(2026, 11, 30, 20, 0, 0, 0, time.UTC)
	tests := map[string]struct {
		readings []reading
		want     time.Duration
	}{
		"the same clock":      {[]reading{{asked, 2 * time.Millisecond, asked.Add(time.Millisecond)}}, 0},
		"database ahead":      {[]reading{{asked, 2 * time.Millisecond, asked.Add(3*time.Second + time.Millisecond)}}, 3 * time.Second},
		"database behind":     {[]reading{{asked, 0, asked.Add(-time.Minute)}}, -time.Minute},
		"quickest is trusted": {[]reading{{asked, time.Second, asked}, {asked, 10 * time.Millisecond, asked.Add(5 * time.Millisecond)}, {asked, time.Minute, asked}}, 0},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			if got := offset(test.readings); got != test.want {
				t.Errorf("offset is %v, want %v", got, test.want)
			}
		})
	}
}

func TestClockFollowsTheDatabase(t *testing.T) {
	away := errors.New("the database is away")
	measurements := []struct {
		offset time.Duration
		err    error
		want   time.Duration
	}{
		{offset: time.Hour, want: time.Hour},
		{offset: -2 * time.Hour, want: -2 * time.Hour},
		{err: away, want: -2 * time.Hour},
		{offset: time.Second, want: time.Second},
	}
	synctest.Test(t, func(t *testing.T) {
		next := 0
		clock := &Clock{measure: func(context.Context) (time.Duration, error) {
			m := measurements[next]
			next++
			return m.offset, m.err
		}}
		if err := clock.set(t.Context()); err != nil {
			t.Fatal(err)
		}
		ctx, cancel := context.WithCancel(t.Context())
		defer cancel()
		go clock.Run(ctx)
		for i, m := range measurements {
			synctest.Wait()
			if ahead := time.Until(clock.Now()); ahead != m.want {
				t.Errorf("after measurement %d the clock is %v ahead, want %v", i, ahead, m.want)
			}
			if i < len(measurements)-1 {
				time.Sleep(clockRefresh)
			}
		}
	})
}
