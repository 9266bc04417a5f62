package session

import (
	"bytes"
	"context"
	"errors"
	"log/slog"
	"maps"
	"net/netip"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"
)

// grapevine is a Presence that fails when it is told to.
type grapevine struct {
	mu        sync.Mutex
	elsewhere map[int64]Via
	down      bool
	heard     map[int64]Via // the latest
	exchanges int
}

func (g *grapevine) Exchange(_ context.Context, _ ID, here map[int64]Via, _ time.Duration) (map[int64]Via, error) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.exchanges++
	if g.down {
		return nil, errors.New("away")
	}
	g.heard = here
	return maps.Clone(g.elsewhere), nil
}

func (g *grapevine) set(down bool, elsewhere map[int64]Via) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.down, g.elsewhere = down, elsewhere
}

// during counts the exchanges while d passes, and whom the latest was about.
func (g *grapevine) during(d time.Duration) (exchanges, heard int) {
	g.mu.Lock()
	g.exchanges = 0
	g.mu.Unlock()
	time.Sleep(d)
	synctest.Wait()
	g.mu.Lock()
	defer g.mu.Unlock()
	return g.exchanges, len(g.heard)
}

// sharing runs a test with a room whose service shares presence by a grapevine, on the test's own clock.
func sharing(t *testing.T, test func(t *testing.T, r *room, g *grapevine)) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		g := &grapevine{elsewhere: map[int64]Via{}}
		s := &Service{presence: g, rooms: map[ID]*room{}}
		r := newRoom(s, &frozen{id: 1})
		s.rooms[1] = r
		ctx, stop := context.WithCancel(t.Context())
		go s.share(ctx)
		test(t, r, g)
		stop()
		synctest.Wait()
	})
}

func watcherOf(r *room, participant int64) *Watcher {
	return &Watcher{Viewer: Viewer{Role: RoleParticipant, Seat: Seat{Session: 1, Participant: participant}, room: r}}
}

func TestPresenceIsSharedAtMostFourTimesASecond(t *testing.T) {
	sharing(t, func(t *testing.T, r *room, g *grapevine) {
		go func() {
			for i := range int64(1000) { // a room comes in within ten seconds
				r.enter(watcherOf(r, i))
				time.Sleep(10 * time.Millisecond)
			}
		}()
		if exchanges, heard := g.during(10 * time.Second); exchanges < 30 || exchanges > 40 || heard < 970 {
			t.Errorf("%d exchanges in ten seconds, the last of %d phones", exchanges, heard)
		}
	})
}

func TestPresenceIsRenewedWhileSomebodyIsThere(t *testing.T) {
	sharing(t, func(t *testing.T, r *room, g *grapevine) {
		if exchanges, _ := g.during(time.Minute); exchanges != 0 {
			t.Errorf("%d exchanges about a room in which nobody is", exchanges)
		}
		w := watcherOf(r, 1)
		r.enter(w)
		exchanges, heard := g.during(time.Minute)
		if exchanges < int(time.Minute/shareLasts) || exchanges > int(time.Minute/shareAgain)+1 || heard != 1 {
			t.Errorf("%d exchanges in a minute in which nothing moved, the last of %d phones", exchanges, heard)
		}
		r.leave(w)
		if exchanges, heard := g.during(time.Minute); exchanges != 1 || heard != 0 {
			t.Errorf("%d exchanges after everybody left, the last of %d phones", exchanges, heard)
		}
	})
}

func TestPresenceOfHereAndElsewhere(t *testing.T) {
	var log bytes.Buffer
	defer slog.SetDefault(slog.Default())
	slog.SetDefault(slog.New(slog.NewTextHandler(&log, nil)))
	sharing(t, func(t *testing.T, r *room, g *grapevine) {
		elsewhere := map[int64]Via{1: ViaPoll, 2: ViaSocket, 3: ViaSocket, 4: ViaPoll}
		g.set(false, elsewhere)
		r.enter(watcherOf(r, 1))
		r.sawPoll(2, netip.Prefix{}, time.Hour)
		together := map[int64]Via{1: ViaSocket, 2: ViaSocket, 3: ViaSocket, 4: ViaPoll}
		alone := map[int64]Via{1: ViaSocket, 2: ViaPoll}
		see := func(when string, want map[int64]Via) {
			t.Helper()
			if got := r.present(time.Now()); !maps.Equal(got, want) {
				t.Errorf("%s: %v, want %v", when, got, want)
			}
		}
		time.Sleep(time.Second)
		see("with the others", together)
		g.set(true, nil)
		time.Sleep(shareLasts / 2)
		see("just after the others fell silent", together)
		time.Sleep(shareLasts)
		see("without the others", alone)
		if attempts, _ := g.during(time.Minute); attempts == 0 || attempts > int(time.Minute/sharePause) {
			t.Errorf("%d attempts in a minute in which none worked", attempts)
		}
		g.set(false, elsewhere)
		time.Sleep(sharePause + time.Second)
		see("with the others again", together)
	})
	if said := log.String(); strings.Count(said, "\n") != 2 || !strings.Contains(said, "failed") || !strings.Contains(said, "shared again") {
		t.Errorf("an outage and its end are logged as\n%s", said)
	}
}
