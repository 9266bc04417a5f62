package postgres

import (
	"context"
	"errors"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"
)

func TestReading(t *testing.T) {
	for name, test := range map[string]struct {
		roundTrip, ahead, want time.Duration // ahead: of what the database said, of when it was asked
	}{
		"the same clock":  {2 * time.Millisecond, time.Millisecond, 0},
		"database ahead":  {2 * time.Millisecond, 3*time.Second + time.Millisecond, 3 * time.Second},
		"database behind": {0, -time.Minute, -time.Minute},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				r := reading{asked: time.Now(), roundTrip: test.roundTrip, database: time.Now().Add(test.ahead)}
				for range 2 {
					if got := time.Until(r.now()); got != test.want {
						t.Errorf("the database is %v ahead, want %v", got, test.want)
					}
					time.Sleep(time.Hour)
				}
			})
		})
	}
}

func TestClockFollowsTheDatabase(t *testing.T) {
	away := errors.New("the database is away")
	measurements := []struct {
		ahead time.Duration
		err   error
		want  time.Duration
	}{
		{ahead: time.Hour, want: time.Hour},
		{ahead: -2 * time.Hour, want: -2 * time.Hour},
		{err: away, want: -2 * time.Hour},
		{ahead: time.Second, want: time.Second},
	}
	synctest.Test(t, func(t *testing.T) {
		next := 0
		clock := &Clock{wall: time.Now, measure: func(context.Context) (reading, error) {
			m := measurements[next]
			next++
			return reading{asked: time.Now(), database: time.Now().Add(m.ahead)}, m.err
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

// TestSettingTheMachinesTime moves the clock by nothing, however far, and has the database asked within a second; also again where it could not say.
func TestSettingTheMachinesTime(t *testing.T) {
	for _, jump := range []time.Duration{time.Hour, -24 * time.Hour, -200 * time.Millisecond} {
		synctest.Test(t, func(t *testing.T) {
			var (
				set      atomic.Int64 // by how much
				measured atomic.Int32
				away     atomic.Bool
			)
			clock := &Clock{wall: func() time.Time { return time.Now().Add(time.Duration(set.Load())) }, measure: func(context.Context) (reading, error) {
				measured.Add(1)
				if away.Load() {
					return reading{}, errors.New("the database is away")
				}
				return reading{asked: time.Now(), database: time.Now().Add(time.Minute)}, nil
			}}
			if err := clock.set(t.Context()); err != nil {
				t.Fatal(err)
			}
			ctx, cancel := context.WithCancel(t.Context())
			defer cancel()
			go clock.Run(ctx)
			time.Sleep(3*clockLook + clockLook/2)
			if n := measured.Load(); n != 1 {
				t.Errorf("measured %d times while nothing happened", n)
			}
			set.Store(int64(jump))
			away.Store(true)
			for want := int32(2); want <= 4; want++ {
				time.Sleep(clockLook)
				synctest.Wait()
				if ahead := time.Until(clock.Now()); ahead != time.Minute || measured.Load() != want {
					t.Errorf("set by %v, the clock is %v ahead after %d measurements, want a minute after %d", jump, ahead, measured.Load(), want)
				}
				away.Store(want < 3)
			}
		})
	}
}
