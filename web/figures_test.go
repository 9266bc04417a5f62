package web

import (
	"context"
	"flag"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"pubquiz/ratelimit"
)

// figures has the tests of this file measure for as long as it takes to write figures down. Otherwise they only see that everything they measure happens.
var figures = flag.Bool("figures", false, "measure long enough for docs/security.md")

// howMany is full for figures, and else few.
func howMany(full, few int) int {
	if *figures {
		return full
	}
	return few
}

// quantile of durations, which it sorts.
func quantile(times []time.Duration, q float64) time.Duration {
	slices.Sort(times)
	return times[int(q*float64(len(times)-1))]
}

// TestFiguresOfALoginFlood: while 200 people guess passwords without end, phones are told what happens as soon as ever: hashing waits in a queue of its own.
func TestFiguresOfALoginFlood(t *testing.T) {
	s := newSite(t, ratelimit.Unlimited())
	l := s.open(s.host("host@quiz.example"))
	var phones []*socket
	for i := range howMany(50, 5) {
		phones = append(phones, l.dial(l.phone(fmt.Sprintf("Team %d", i)), "participant"))
	}
	measure := func() (times []time.Duration) {
		for i := range howMany(100, 4) {
			began := time.Now()
			l.command([]string{"lockDoors", "unlockDoors"}[i%2])
			for _, phone := range phones {
				for phone.next("shared")["version"] != float64(l.version) {
					continue
				}
				times = append(times, time.Since(began))
			}
		}
		return times
	}
	quiet := measure()

	ctx, stop := context.WithCancel(t.Context())
	var flood sync.WaitGroup
	var refused, busy, other atomic.Int64
	for i := range howMany(200, 10) {
		flood.Go(func() {
			for ctx.Err() == nil {
				switch status := s.guess(ctx, fmt.Sprintf("nobody-%d@example.org", i)); status {
				case http.StatusUnprocessableEntity:
					refused.Add(1)
				case http.StatusServiceUnavailable:
					busy.Add(1)
				case 0: // given up at the end
				default:
					other.Add(1)
				}
			}
		})
	}
	until(t, "the first guess", func() bool { return refused.Load() > 0 })
	flooded := measure()
	stop()
	flood.Wait()
	t.Logf("from a command to a phone: p50 %v, p99 %v; with %d sign-ins at once p50 %v, p99 %v (%d guesses, %d told to come back)",
		quantile(quiet, 0.5), quantile(quiet, 0.99), howMany(200, 10), quantile(flooded, 0.5), quantile(flooded, 0.99), refused.Load(), busy.Load())
	if n := other.Load(); n > 0 {
		t.Errorf("%d guesses ended in another way", n)
	}
	if p99 := quantile(flooded, 0.99); *figures && p99 > time.Second {
		t.Errorf("phones wait for %v while passwords are guessed", p99)
	}
}

// guess tries a wrong password and returns the status; 0 for no answer.
func (s *site) guess(ctx context.Context, email string) int {
	in := signInForm(email, "not the password")
	req, err := http.NewRequestWithContext(ctx, "POST", s.url+"/signin", strings.NewReader(in.Encode()))
	if err != nil {
		return 0
	}
	req.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		return 0
	}
	_ = res.Body.Close()
	return res.StatusCode
}

// TestFiguresOfEnumeration: with an account and without, the forms take the same time. The tries take turns, so that whatever else the machine does is in both.
func TestFiguresOfEnumeration(t *testing.T) {
	s := newMailSite(t, ratelimit.Unlimited())
	s.host("taken@example.org")
	b := s.browser()
	for _, form := range []struct {
		path string
		in   func(email string) url.Values
	}{
		{"/signin", func(email string) url.Values { return signInForm(email, "not the password") }},
		{"/signup", signUpForm},
		{"/reset", func(email string) url.Values { return url.Values{"email": {email}} }},
	} {
		times := map[bool][]time.Duration{}
		for i := range howMany(200, 8) {
			for _, taken := range []bool{i%2 == 0, i%2 != 0} { // neither is always the first
				email := "taken@example.org"
				if !taken {
					email = fmt.Sprintf("nobody-%d@example.org", i)
				}
				began := time.Now()
				if r := b.send("POST", form.path, form.in(email)); r.status >= 500 {
					t.Fatalf("%s: %d %s", form.path, r.status, r.body)
				}
				times[taken] = append(times[taken], time.Since(began))
			}
		}
		hit, miss := median(times[true]), median(times[false])
		spread := quantile(times[true], 0.75) - quantile(times[true], 0.25)
		t.Logf("%s: median with an account %v, without %v, %v apart; the middle half within %v", form.path, hit, miss, (hit - miss).Abs(), spread)
		if apart := (hit - miss).Abs(); *figures && apart > max(2*time.Millisecond, spread) {
			t.Errorf("%s: with an account %v, without %v", form.path, hit, miss)
		}
	}
}
