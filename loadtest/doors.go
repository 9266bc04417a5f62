package loadtest

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"time"
)

// doors are how a host keeps a room free of bots that know the join code. Phones that are still out then get in by a code of their own.
type doors struct {
	locked chan struct{}      // closed once the host has locked them
	asking chan chan<- string // for a rejoin code
}

// receive returns when everybody who comes before the quiz is in or has given up.
func (h *host) receive(ctx context.Context, r *room) error {
	seated := make(chan struct{})
	go func() {
		r.seated.Wait()
		close(seated)
	}()
	if h.venue.doors != nil {
		if err := h.guard(ctx, seated); err != nil {
			return err
		}
	}
	<-seated
	return nil
}

// notice is how long a host takes to see that strangers are in the room.
const notice = 20 * time.Second

// guard lets the room scan, then locks the doors and removes the bots, and hands out rejoin codes until everybody is seated.
func (h *host) guard(ctx context.Context, seated <-chan struct{}) error {
	if !sleep(ctx, h.venue.plan.Arrive+notice) {
		return context.Cause(ctx)
	}
	if err := h.shutOut(ctx); err != nil {
		return err
	}
	close(h.venue.doors.locked)
	for {
		select {
		case <-ctx.Done():
			return context.Cause(ctx)
		case <-seated:
			return nil
		case phone := <-h.venue.doors.asking:
			code, err := h.rejoinCode(ctx)
			if err != nil {
				return err
			}
			phone <- code
		}
	}
}

// shutOut locks the doors and removes the bots in one action. Another is needed for those that slipped in after the host had looked.
func (h *host) shutOut(ctx context.Context) error {
	for {
		s, err := h.await(ctx, requestTimeout, func(s *snapshot, _ live) bool { return s != nil })
		if err != nil {
			return err
		}
		bots := h.intruders()
		if s.DoorsLocked && len(bots) == 0 {
			return nil
		}
		if len(bots) == 0 {
			return errors.New("no bot got in: there is nobody to shut out")
		}
		if err := h.command(ctx, s, map[string]any{"command": "shutOut", "participants": bots}); err != nil {
			return err
		}
		if err := h.awaitChange(ctx, s); err != nil || !sleep(ctx, breath) {
			return errors.Join(err, ctx.Err())
		}
	}
}

// intruders are the participants whom the console shows and the host does not know.
func (h *host) intruders() (ids []string) {
	h.mu.Lock()
	defer h.mu.Unlock()
	for _, p := range h.live.Participants {
		if strings.HasPrefix(p.Name, intruderName) {
			ids = append(ids, p.ID)
		}
	}
	return ids
}

func (h *host) rejoinCode(ctx context.Context) (string, error) {
	var made struct {
		Code string `json:"code"`
	}
	err := h.insist(ctx, func() error {
		return h.browser.call(ctx, hostCommand, http.MethodPost, h.venue.apiPath("rejoin-codes"), struct{}{}, &made)
	})
	return made.Code, err
}

// askForCode gets a rejoin code from the host, once there are any.
func (d *doors) askForCode(ctx context.Context) (string, error) {
	select {
	case <-ctx.Done():
		return "", fmt.Errorf("the host never locked the doors: %w", ctx.Err())
	case <-d.locked:
	}
	code := make(chan string, 1)
	select {
	case <-ctx.Done():
		return "", fmt.Errorf("asking the host: %w", ctx.Err())
	case d.asking <- code:
	}
	select {
	case <-ctx.Done():
		return "", fmt.Errorf("waiting for the host's code: %w", ctx.Err())
	case c := <-code:
		return c, nil
	}
}
