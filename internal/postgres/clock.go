package postgres

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"sync/atomic"
	"time"

	"github.com/jackc/pgx/v5/pgxpool"
)

// Clock tells the database's time without asking it each time. It is right to within half a round trip. Between two measurements it goes by this machine's
// monotonic clock, so that whoever sets the machine's time does not move it.
type Clock struct {
	measure func(context.Context) (reading, error)
	wall    func() time.Time // the machine's time, which can be set
	latest  atomic.Pointer[reading]
}

const (
	clockReadings = 5                // of each measurement; the quickest round trip is the truest
	clockRefresh  = 15 * time.Second // between measurements: clocks drift and are set
	clockLook     = time.Second      // between looks whether the machine's two clocks still agree
	clockJump     = 100 * time.Millisecond
)

// NewClock measures how far this machine's clock is from the database's.
func NewClock(ctx context.Context, pool *pgxpool.Pool) (*Clock, error) {
	c := &Clock{
		measure: func(ctx context.Context) (reading, error) { return readClock(ctx, pool) },
		wall:    func() time.Time { return time.Now().Round(0) },
	}
	if err := c.set(ctx); err != nil {
		return nil, fmt.Errorf("postgres.NewClock: %w", err)
	}
	return c, nil
}

// Run measures again from time to time until ctx ends, and soon after the machine's time was set or the machine has slept, during which the monotonic clock stands still.
// While the database is away the last measurement stays in force.
func (c *Clock) Run(ctx context.Context) {
	ticker := time.NewTicker(clockLook)
	defer ticker.Stop()
	began := time.Now()
	apart := func() time.Duration { return c.wall().Sub(began.Round(0)) - time.Since(began) }
	tried, known := began, apart()
	for {
		select {
		case <-ctx.Done():
			return
		case <-ticker.C:
		}
		now := apart()
		if time.Since(tried) < clockRefresh && (now-known).Abs() < clockJump {
			continue
		}
		tried = time.Now()
		if c.set(ctx) == nil { // or a later look tries again
			known = now
		}
	}
}

// Now returns the database's time, in UTC and without a monotonic reading, to be compared with times out of the database.
func (c *Clock) Now() time.Time { return c.latest.Load().now() }

func (c *Clock) set(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, 5*time.Second)
	defer cancel()
	r, err := c.measure(ctx)
	if err != nil {
		return err
	}
	c.latest.Store(&r)
	return nil
}

// readClock reads the database's clock several times and returns the reading that is truest.
func readClock(ctx context.Context, pool *pgxpool.Pool) (reading, error) {
	conn, err := pool.Acquire(ctx)
	if err != nil {
		return reading{}, fmt.Errorf("acquiring a connection: %w", err)
	}
	defer conn.Release()
	readings := make([]reading, clockReadings)
	for i := range readings {
		r := &readings[i]
		r.asked = time.Now()
		if err := conn.QueryRow(ctx, "SELECT clock_timestamp()").Scan(&r.database); err != nil {
			return reading{}, fmt.Errorf("reading the database's clock: %w", err)
		}
		r.roundTrip = time.Since(r.asked)
	}
	return slices.MinFunc(readings, func(a, b reading) int { return cmp.Compare(a.roundTrip, b.roundTrip) }), nil
}

// reading is one look at the database's clock.
type reading struct {
	asked     time.Time // by this machine's clock
	roundTrip time.Duration
	database  time.Time
}

// now is the database's time by this reading, taking the database to have looked at its clock half way.
func (r *reading) now() time.Time {
	return r.database.UTC().Add(time.Since(r.asked) - r.roundTrip/2)
}
