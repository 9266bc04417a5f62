package session

import (
	"context"
	"log/slog"
	"maps"
	"time"
)

// Presence is where instances tell each other whose phones are connected to them. Package session/presence keeps it in
// Redis. Nothing waits for it, and without it an instance knows of its own phones alone.
type Presence interface {
	// Exchange says until when this instance vouches for what it sees of a session, which replaces what it said before,
	// and returns what the others say. A participant who is connected to several has a socket if any of them says so.
	Exchange(ctx context.Context, id ID, here map[int64]Via, lasts time.Duration) (elsewhere map[int64]Via, err error)
}

const (
	shareSpacing = liveSpacing      // a room's exchanges are no closer
	shareWatched = time.Second      // between exchanges of a room that a host or a big screen watches
	shareAgain   = 3 * time.Second  // between exchanges of a room in which nothing moves
	shareLasts   = 10 * time.Second // what was said is believed so long: an instance that has died is forgotten then
	shareTimeout = time.Second
	sharePause   = 2 * time.Second // after a failure
)

// share exchanges presence with the other instances until ctx ends.
func (s *Service) share(ctx context.Context) {
	ticker := time.NewTicker(shareSpacing)
	defer ticker.Stop()
	var away bool
	for {
		select {
		case <-ctx.Done():
			return
		case <-ticker.C:
		}
		err := s.shareDue(ctx)
		switch {
		case err != nil && ctx.Err() == nil && !away:
			slog.Warn("sharing who is connected failed; until it works again hosts see the phones of their own instance", "error", err)
		case err == nil && away:
			slog.Info("who is connected is shared again")
		}
		if away = err != nil; away {
			pause(ctx, sharePause)
		}
	}
}

// shareDue exchanges for every room for which it is time. After a failure it tries no others.
func (s *Service) shareDue(ctx context.Context) error {
	for _, r := range s.loadedRooms() {
		if !r.shareIsDue(time.Now()) {
			continue
		}
		if err := r.share(ctx); err != nil {
			return err
		}
	}
	return nil
}

func (r *room) shareIsDue(now time.Time) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	since := now.Sub(r.sharedAt)
	watched := len(r.staff) > 0 || now.Before(r.staffUntil)
	return r.moved || r.vouching && since >= shareAgain || watched && since >= shareWatched
}

func (r *room) share(ctx context.Context) error {
	now := time.Now()
	r.mu.Lock()
	here := r.here(now)
	r.moved, r.vouching, r.sharedAt = false, len(here) > 0, now
	r.mu.Unlock()
	ctx, cancel := context.WithTimeout(ctx, shareTimeout)
	defer cancel()
	elsewhere, err := r.service.presence.Exchange(ctx, r.id, here, shareLasts)
	if err != nil {
		r.mu.Lock()
		r.moved = true
		r.mu.Unlock()
		return err
	}
	r.mu.Lock()
	news := !maps.Equal(elsewhere, r.elsewhere)
	r.elsewhere, r.elsewhereUntil = elsewhere, now.Add(shareLasts)
	r.mu.Unlock()
	if news {
		r.live.changed()
	}
	return nil
}

// pause waits, or returns when ctx ends.
func pause(ctx context.Context, d time.Duration) {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-ctx.Done():
	case <-timer.C:
	}
}
