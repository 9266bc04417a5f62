package loadtest

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"path"
	"regexp"
	"sync"
	"time"
)

// host signs in, writes the quiz, opens the session and drives it from the console.
type host struct {
	venue   *venue
	browser *browser
	link    *link
	dice    *dice

	powers    powers
	session   string
	screenURL string // path and query, with the big screen's token

	mu       sync.Mutex
	snapshot *snapshot
	live     live
	changed  chan struct{} // something of the two above
}

func newHost(v *venue) *host {
	from := venueAddress(v.number)
	if v.plan.Elsewhere {
		from = elsewhere(v.number)
	}
	return &host{
		venue: v, browser: v.browserAt(from), dice: newDice(v.plan.Seed, uint64(v.number)<<32|3), changed: make(chan struct{}, 1),
	}
}

const hostPatience = 2 * time.Minute // with one thing, while the server or the network is away or asks to wait

// insist repeats what the server refuses for now.
func (h *host) insist(ctx context.Context, try func() error) error {
	began := time.Now()
	for n := 0; ; n++ {
		err := try()
		if err == nil {
			return nil
		}
		pause, again := h.dice.pause(n, err)
		if !again || time.Since(began)+pause > hostPatience || !sleep(ctx, pause) {
			return err
		}
	}
}

// signIn signs in to the plan's account, or signs up as somebody new.
func (h *host) signIn(ctx context.Context) error {
	to, form := "/signin", url.Values{"email": {h.venue.plan.Email}, "password": {h.venue.plan.Password}}
	if h.venue.plan.Email == "" {
		to = "/signup"
		form = url.Values{
			"email":    {fmt.Sprintf("host-%s@loadtest.example", rand.Text())},
			"name":     {fmt.Sprintf("Host of venue %d", h.venue.number+1)},
			"password": {rand.Text()},
		}
	}
	return h.insist(ctx, func() error {
		_, err := h.browser.submit(ctx, hostPage, to, form)
		return err
	})
}

// open writes the quiz and opens a session of it.
func (h *host) open(ctx context.Context) error {
	var page response
	post := func(to string) error {
		return h.insist(ctx, func() (err error) {
			page, err = h.browser.submit(ctx, hostPage, to, nil)
			return err
		})
	}
	if err := post("/host/quizzes"); err != nil {
		return err
	}
	quiz := path.Base(page.url.Path)
	if err := h.insist(ctx, func() error { return h.write(ctx, "/api/v1/quizzes/"+quiz) }); err != nil {
		return err
	}
	if err := post("/host/quizzes/" + quiz + "/sessions"); err != nil {
		return err
	}
	h.session = path.Base(page.url.Path)
	var boot struct {
		ScreenURL string `json:"screenURL"`
	}
	if err := readBoot(page.body, &boot); err != nil {
		return fmt.Errorf("the console's page: %w", err)
	}
	screen, err := url.Parse(boot.ScreenURL)
	if err != nil {
		return fmt.Errorf("the big screen's address: %w", err)
	}
	h.screenURL = screen.RequestURI()
	return nil
}

var bootData = regexp.MustCompile(`(?s)<script[^>]*id="boot"[^>]*>(.*?)</script>`)

// readBoot reads a page's first data.
func readBoot(page []byte, into any) error {
	found := bootData.FindSubmatch(page)
	if found == nil {
		return errors.New("it carries no first data")
	}
	return json.Unmarshal(found[1], into)
}

func (h *host) write(ctx context.Context, path string) error {
	var doc struct {
		Revision int64 `json:"revision"`
	}
	if err := h.browser.call(ctx, hostPage, http.MethodGet, path, nil, &doc); err != nil {
		return err
	}
	var saved struct {
		Problems []struct{ Path, Detail string } `json:"problems"`
	}
	content := h.venue.plan.quiz(h.venue.number)
	if h.venue.plan.Quiz == Big {
		var err error
		if content, err = h.importQuiz(ctx); err != nil {
			return err
		}
	}
	err := h.browser.call(ctx, hostPage, http.MethodPut, path, map[string]any{"revision": doc.Revision, "content": content}, &saved)
	if err == nil && len(saved.Problems) > 0 {
		return fmt.Errorf("the quiz cannot be played: %s: %s", saved.Problems[0].Path, saved.Problems[0].Detail)
	}
	return err
}

// watch keeps the console up to date until ctx ends.
func (h *host) watch(ctx context.Context) error {
	h.link = newLink(h.browser, h.venue.apiPath("host"), hostPoll, hostSocket, h.dice, func(f frame, _ way) {
		h.mu.Lock()
		defer h.mu.Unlock()
		if f.Shared != nil {
			h.snapshot = f.Shared
		}
		if f.Live != nil {
			h.live = *f.Live
		}
		select {
		case h.changed <- struct{}{}:
		default:
		}
	})
	return h.link.run(ctx)
}

// makeRoom gives the session the plan's capacity, or at least one that all phones fit into.
func (h *host) makeRoom(ctx context.Context, lobby *snapshot) error {
	capacity := h.venue.plan.Capacity
	if capacity == 0 {
		capacity = max(lobby.Capacity, h.venue.plan.Phones)
	}
	if capacity == lobby.Capacity {
		return nil
	}
	if err := h.command(ctx, lobby, map[string]any{"command": "setCapacity", "capacity": capacity}); err != nil {
		return err
	}
	return h.awaitChange(ctx, lobby)
}

// await blocks until the console shows what is wanted, and returns it. Once limit has passed, it returns what there is.
func (h *host) await(ctx context.Context, limit time.Duration, wanted func(*snapshot, live) bool) (*snapshot, error) {
	t := time.NewTimer(limit)
	defer t.Stop()
	for {
		h.mu.Lock()
		s, l := h.snapshot, h.live
		h.mu.Unlock()
		if s != nil && wanted(s, l) {
			return s, nil
		}
		select {
		case <-ctx.Done():
			return nil, context.Cause(ctx)
		case <-t.C:
			if s == nil {
				return nil, errors.New("the console never showed anything")
			}
			return s, nil
		case <-h.changed:
		}
	}
}

// export fetches everything that the server stored about the session.
func (h *host) export(ctx context.Context) (exported, error) {
	var e exported
	err := h.insist(ctx, func() error {
		return h.browser.call(ctx, export, http.MethodGet, h.venue.apiPath("export"), nil, &e)
	})
	return e, err
}
