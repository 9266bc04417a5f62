package main

import (
	"context"
	"fmt"
	"sync"
	"time"

	"pubquiz/loadtest"
)

// restart is what happens to the first instance in the middle of the quiz, or to one after the other: it is killed, or asked to stop, and started again.
type restart struct {
	how       string // "kill", "drain" or "rolling"
	instances []*instance
	after     <-chan struct{} // is closed before anything is restarted

	once    sync.Once
	running sync.WaitGroup
	began   time.Time // zero if it never happened
	back    time.Time
	err     error
}

// untilKnownReady is how long after an instance is ready the next one is stopped: by then the proxy sends it requests again.
const untilKnownReady = 3 * time.Second

// begin restarts the instance, once. It returns at once.
func (r *restart) begin(ctx context.Context) {
	if r.how == "" {
		return
	}
	r.once.Do(func() {
		r.running.Go(func() { r.err = r.run(ctx) })
	})
}

func (r *restart) run(ctx context.Context) error {
	select {
	case <-r.after:
	case <-ctx.Done():
		return context.Cause(ctx)
	}
	r.began = time.Now()
	instances := r.instances[:1]
	if r.how == "rolling" {
		instances = r.instances
	}
	for n, i := range instances {
		if n > 0 && !sleep(ctx, untilKnownReady) {
			return context.Cause(ctx)
		}
		end := i.stop
		if r.how == "kill" {
			end = i.kill
		}
		if err := end(); err != nil {
			return fmt.Errorf("restart: %w", err)
		}
		if err := i.start(ctx); err != nil {
			return fmt.Errorf("restart: %w", err)
		}
	}
	r.back = time.Now()
	return nil
}

func sleep(ctx context.Context, d time.Duration) bool {
	select {
	case <-ctx.Done():
		return false
	case <-time.After(d):
		return true
	}
}

// addTo waits until it is over and writes it into the report's story.
func (r *restart) addTo(report *loadtest.Report) error {
	r.running.Wait()
	if !r.began.IsZero() && r.err == nil {
		words := map[string]string{"kill": "server killed", "drain": "server restarted", "rolling": "all servers restarted"}
		report.Story.Moments = append(report.Story.Moments,
			loadtest.Moment{At: r.began.Sub(report.Story.Began), Until: r.back.Sub(report.Story.Began), What: words[r.how]})
	}
	return r.err
}
