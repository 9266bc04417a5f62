package loadtest

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"
)

// Progress is told how far the venues, counted from 0, have come. Its methods are called from several goroutines.
type Progress interface {
	// Joined: so many phones of the venue are in.
	Joined(venue, phones int)
	// Answered: the host sees so many answers to the question, counted from 1.
	Answered(venue, question, answers int)
}

// Run plays the plan. The report covers the venues that could be played; the error says why others could not.
func Run(ctx context.Context, plan Plan, progress Progress) (Report, error) {
	if err := plan.Check(); err != nil {
		return Report{}, err
	}
	servers, err := parseTargets(plan.URLs)
	if err != nil {
		return Report{}, err
	}
	for n := range plan.Venues {
		if err := checkSource(venueAddress(n)); err != nil {
			return Report{}, err
		}
	}
	return run(ctx, plan, progress, inTurn(servers))
}

func run(ctx context.Context, plan Plan, progress Progress, dial network) (Report, error) {
	ctx, cancel := context.WithTimeoutCause(ctx, plan.longest(), errors.New("the evening took too long"))
	defer cancel()
	to, err := parseTarget(plan.URLs[0])
	if err != nil {
		return Report{}, err
	}
	began := time.Now()
	rec, bots := newRecorder(began), newRecorder(began)
	evenings, errs := make([]evening, plan.Venues), make([]error, plan.Venues)
	var venues sync.WaitGroup
	for n := range plan.Venues {
		venues.Go(func() {
			e, err := newVenue(plan, n, to.origin, dial, rec, bots, progress).play(ctx)
			if err != nil {
				errs[n] = fmt.Errorf("venue %d: %w", n+1, err)
			}
			evenings[n] = e
		})
	}
	venues.Wait()
	return newReport(plan, evenings, rec, bots, time.Since(began)), errors.Join(errs...)
}
