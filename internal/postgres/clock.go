package postgres

import (
	"context"
	"fmt"
	"sync/atomic"
	"time"

	"github.com/jackc/pgx/v5/pgxpool"
)

// Clock tells the database's time without asking it each time. It is right to within half a round trip.
type Clock struct {
	measure func(context.Context) (time.Duration, error)
	offset  atomic.Int64 // nanoseconds to add to this machine's clock
}

const (
	clockReadings = 5                // of each measurement; the quickest round trip is the truest
	clockRefresh  = 15 * time.Second // between measurements: clocks drift and are set
)

// NewClock measures how far this machine's clock is from the database's.
func NewClock(ctx context.Context, pool *pgxpool.Pool) (*Clock, error) {
	c := &Clock{measure: func(ctx context.Context) (time.Duration, error) { return measureOffset(ctx, pool) }}
	if err := c.set(ctx); err != nil {
		return nil, fmt.Errorf("postgres.NewClock: %w", err)
	}
	return c, nil
}

// Run measures again from time to time until ctx ends. While the database is away the last offset stays in force.
func (c *Clock) Run(ctx context.Context) {
	ticker := time.NewTicker(clockRefresh)
	defer ticker.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-ticker.C:
			_ = c.set(ctx) // the next tick tries again
		}
	}
}

// Now returns the database's time, in UTC and without a monotonic reading, to be compared with times out of the database.
func (c *Clock) Now() time.Time {
	return time.Now().Round(0).UTC().Add(time.Duration(c.offset.Load()))
}

func (c *Clock) set(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, 5*time.Second)
	defer cancel()
	offset, err := c.measure(ctx)
	if err != nil {
		return err
	}
	c.offset.Store(int64(offset))
	return nil
}

func measureOffset(ctx context.Context, pool *pgxpool.Pool) (time.Duration, error) {
	conn, err := pool.Acquire(ctx)
	if err != nil {
		return 0, fmt.Errorf("acquiring a connection: %w", err)
	}
	defer conn.Release()
	readings := make([]reading, clockReadings)
	for i := range readings {
		r := &readings[i]
		r.asked = time.Now()
		if err := conn.QueryRow(ctx, "SELECT clock_timestamp()").Scan(&r.database); err != nil {
			return 0, fmt.Errorf("reading the database's clock: %w", err)
		}
		r.roundTrip = time.Since(r.asked)
	}
	return offset(readings), nil
}

// reading is one look at the database's clock.
type reading struct {
	asked     time.Time // by this machine's clock
	roundTrip time.Duration
	database  time.Time
}

// offset returns how far the database's clock is ahead, by the reading with the shortest round trip, taking the database
// to have looked at its clock half way.
func offset(readings []reading) time.Duration {
	best := readings[0]
	for _, r := range readings[1:] {
		if r.roundTrip < best.roundTrip {
			best = r
		}
	}
	return best.database.Sub(best.asked.Add(best.roundTrip / 2).Round(0))
}
