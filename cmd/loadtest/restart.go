package main

import (
	"context"
	"fmt"
	"sync"
	"time"

	"pubquiz/loadtest"
)

// restart is what happens to the first instance in the middle of the quiz: it is killed, or asked to stop, and started again.
type restart struct {
	how      string // "kill" or "drain"
	instance *instance

	once    sync.Once
	running sync.WaitGroup
	began   time.Time // zero if it never happened
	back    time.Time
	err     error
}

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
	r.began = time.Now()
	end := r.instance.stop
	if r.how == "kill" {
		end = r.instance.kill
	}
	if err := end(); err != nil {
		return fmt.Errorf("restart: %w", err)
	}
	if err := r.instance.start(ctx); err != nil {
		return fmt.Errorf("restart: %w", err)
	}
	r.back = time.Now()
	return nil
}

// addTo waits until it is over and writes it into the report's story.
func (r *restart) addTo(report *loadtest.Report) error {
	r.running.Wait()
	if !r.began.IsZero() && r.err == nil {
		words := map[string]string{"kill": "server killed", "drain": "server restarted"}
		report.Story.Moments = append(report.Story.Moments,
			loadtest.Moment{At: r.began.Sub(report.Story.Began), Until: r.back.Sub(report.Story.Began), What: words[r.how]})
	}
	return r.err
}
