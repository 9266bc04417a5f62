package loadtest

import (
	"context"
	"sync"
)

// screen is the venue's big screen: it only watches.
type screen struct {
	venue   *venue
	browser *browser
	dice    *dice

	mu   sync.Mutex
	seen map[string]bool // questions while open, and slides
}

func newScreen(v *venue) *screen {
	return &screen{
		venue: v, browser: v.browser(), dice: newDice(v.plan.Seed, uint64(v.number)<<32|4), seen: map[string]bool{},
	}
}

// watch opens the page by its one-time address and keeps it up to date until ctx ends.
func (s *screen) watch(ctx context.Context, address string) error {
	if _, err := s.browser.page(ctx, screenPage, address); err != nil {
		return err
	}
	l := newLink(s.browser, s.venue.apiPath("screen"), screenPoll, screenSocket, s.dice, func(f frame, _ way) {
		if f.Shared == nil || f.Shared.Question == nil || f.Shared.Phase != "open" && f.Shared.Question.Kind != slide {
			return
		}
		s.mu.Lock()
		defer s.mu.Unlock()
		s.seen[f.Shared.Question.ID] = true
	})
	return l.run(ctx)
}

func (s *screen) saw() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return len(s.seen)
}
