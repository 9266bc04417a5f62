package main

import (
	"context"
	"sync"
	"sync/atomic"
	"time"
)

// answersResult is the best of all rounds.
type answersResult struct {
	ours    float64         // answers a second at 64 callers
	pgbench map[int]float64 // by the number of its clients
	burst   time.Duration   // of burstSize answers
	pool    time.Duration   // the same by single inserts over 16 connections
}

const (
	callers    = 64
	burstSize  = 9000
	answerRun  = 4 * time.Second
	storeRooms = 400
)

func (r *results) measureAnswers(ctx context.Context, folder, database string) error {
	progress("filling the store")
	s, err := fillStore(ctx, database, storeRooms)
	if err != nil {
		return err
	}
	defer s.pool.Close()
	r.answers.pgbench = map[int]float64{}
	for round := range r.rounds {
		progress("round %d: answers", round+1)
		if err := s.empty(ctx); err != nil {
			return err
		}
		ours, err := s.rate(ctx, callers, answerRun)
		if err != nil {
			return err
		}
		r.answers.ours = max(r.answers.ours, ours)
		for _, clients := range []int{16, callers} {
			if err := s.empty(ctx); err != nil {
				return err
			}
			single, err := s.pgbench(ctx, folder, clients, answerRun)
			if err != nil {
				return err
			}
			r.answers.pgbench[clients] = max(r.answers.pgbench[clients], single)
		}
		for range 3 {
			if err := r.measureBursts(ctx, s); err != nil {
				return err
			}
		}
	}
	return nil
}

func (r *results) measureBursts(ctx context.Context, s *store) error {
	for into, store := range map[*time.Duration]func(int64) error{
		&r.answers.burst: func(n int64) error { return s.answer(ctx, n) },
		&r.answers.pool:  func(n int64) error { return s.insert(ctx, n) },
	} {
		if err := s.empty(ctx); err != nil {
			return err
		}
		took, err := s.burst(burstSize, store)
		if err != nil {
			return err
		}
		if *into == 0 || took < *into {
			*into = took
		}
	}
	return nil
}

// rate is how many answers a second so many callers get stored, each waiting for its own before the next.
func (s *store) rate(ctx context.Context, callers int, d time.Duration) (perSecond float64, err error) {
	var (
		wg     sync.WaitGroup
		stored atomic.Int64
		failed atomic.Pointer[error]
	)
	began := time.Now()
	for range callers {
		wg.Go(func() {
			for time.Since(began) < d {
				if err := s.answer(ctx, s.participant.Add(1)-1); err != nil {
					failed.Store(&err)
					return
				}
				stored.Add(1)
			}
		})
	}
	wg.Wait()
	if failure := failed.Load(); failure != nil {
		return 0, *failure
	}
	return float64(stored.Load()) / time.Since(began).Seconds(), nil
}

// burst is how long n participants, all at once, wait until the last of their answers is stored.
func (s *store) burst(n int, store func(n int64) error) (time.Duration, error) {
	var (
		wg     sync.WaitGroup
		failed atomic.Pointer[error]
		start  = make(chan struct{})
	)
	first := s.participant.Add(int64(n)) - int64(n)
	for i := range int64(n) {
		wg.Go(func() {
			<-start
			if err := store(first + i); err != nil {
				failed.Store(&err)
			}
		})
	}
	began := time.Now()
	close(start)
	wg.Wait()
	if failure := failed.Load(); failure != nil {
		return 0, *failure
	}
	return time.Since(began), nil
}
