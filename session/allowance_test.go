package session

import (
	"errors"
	"fmt"
	"net/url"
	"reflect"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"pubquiz/internal/words"
)

// instance is one more instance of the evening's, with these settings besides what all have. It does not run.
func (e *evening) instance(c Config) *Service {
	c.Now, c.Grace, c.BaseURL = time.Now, testGrace/5, &url.URL{Scheme: "https", Host: "quiz.example"}
	return New(e.pool, c)
}

// strictly is an instance that gives hosts without a confirmed address few places.
func (e *evening) strictly() *Service { return e.instance(Config{VerifiedOnly: true}) }

// places gives a session so many places.
func places(e *evening, s *Service, n int) error {
	e.t.Helper()
	host, err := s.AsHost(e.t.Context(), e.id, e.owner)
	if err != nil {
		e.t.Fatal(err)
	}
	_, err = s.Command(e.t.Context(), host, Command{Version: e.version(), Command: SetCapacity, Capacity: n})
	return err
}

func TestPlacesOfAHostWithoutAConfirmedAddress(t *testing.T) {
	e := newEvening(t)
	strict := e.strictly()
	if err := places(e, strict, unverifiedPlaces); err != nil {
		t.Errorf("%d places: %v", unverifiedPlaces, err)
	}
	err := places(e, strict, unverifiedPlaces+1)
	if refused, ok := errors.AsType[*InvalidError](err); !ok || refused.Field != "capacity" {
		t.Errorf("%d places: %v, want an InvalidError about the capacity", unverifiedPlaces+1, err)
	}
	if err := places(e, e.service, MaxCapacity); err != nil {
		t.Errorf("where no address can be confirmed, %d places: %v", MaxCapacity, err)
	}
	if _, err := e.pool.Exec(t.Context(), `UPDATE users SET email_verified_at = now()`); err != nil {
		t.Fatal(err)
	}
	if err := places(e, strict, MaxCapacity); err != nil {
		t.Errorf("confirmed, %d places: %v", MaxCapacity, err)
	}
}

func TestPlacesOfANewSession(t *testing.T) {
	e := newEvening(t)
	strict := e.strictly()
	open := func(s *Service) int {
		t.Helper()
		id, err := e.open(s, e.owner)
		if err != nil {
			t.Fatal(err)
		}
		return e.capacity(id)
	}
	got := []int{open(e.service), open(strict)}
	if _, err := e.pool.Exec(t.Context(), `UPDATE users SET email_verified_at = now()`); err != nil {
		t.Fatal(err)
	}
	if got = append(got, open(strict)); !slices.Equal(got, []int{100, unverifiedPlaces, 100}) {
		t.Errorf("places without mail, without and with a confirmed address are %v", got)
	}
}

// TestTheSessionsOfAHostAreAllTheirs also opens some at once, where there are no plans.
func TestTheSessionsOfAHostAreAllTheirs(t *testing.T) {
	e := newEvening(t)
	var group sync.WaitGroup
	for range 4 {
		group.Go(func() {
			if _, err := e.open(e.service, e.owner); err != nil {
				t.Error(err)
			}
		})
	}
	group.Wait()
	ids, err := e.service.Owned(t.Context(), e.owner)
	if err != nil || len(ids) != 5 || ids[0] != e.id {
		t.Errorf("the sessions are %v, %v", ids, err)
	}
	if ids, err := e.service.Owned(t.Context(), e.owner+1); err != nil || len(ids) != 0 {
		t.Errorf("another host's are %v, %v", ids, err)
	}
}

// TestPlacesOfAPlan: what a session may have, when it is opened and when it is raised, and what is said about it.
func TestPlacesOfAPlan(t *testing.T) {
	e, p, instances := planned(t)
	strict := e.instance(Config{VerifiedOnly: true, Allowance: p.read})
	for _, test := range []struct {
		name      string
		s         *Service
		plan      string
		places    int
		confirmed bool
		want      Places
		opened    int
		says      string
	}{
		{"no plans", e.service, "", 0, false, Places{2000, BoundOfAll, words.Text{}}, 100, "between 1 and 2,000"},
		{"a small plan", instances[0], "Free", 30, false, Places{30, BoundOfPlan, words.T("Free")}, 30, "Free"},
		{"a large plan", instances[0], "Venue", 500, false, Places{500, BoundOfPlan, words.T("Venue")}, 100, "Venue"},
		{"the largest plan", instances[0], "Chain", 2000, false, Places{2000, BoundOfAll, words.T("Chain")}, 100, "between 1 and 2,000"},
		{"a small plan without an address", strict, "Free", 30, false, Places{30, BoundOfPlan, words.T("Free")}, 30, "Free"},
		{"a large plan without an address", strict, "Venue", 500, false, Places{30, BoundOfAddress, words.T("Venue")}, 30, "confirmed your e-mail address"},
		{"a large plan with an address", strict, "Venue", 500, true, Places{500, BoundOfPlan, words.T("Venue")}, 100, "Venue"},
	} {
		t.Run(strings.ReplaceAll(test.name, " ", "-"), func(t *testing.T) {
			p.become(test.plan, test.places, 99)
			if _, err := e.pool.Exec(t.Context(), `UPDATE users SET email_verified_at = CASE WHEN $1 THEN now() END`, test.confirmed); err != nil {
				t.Fatal(err)
			}
			got, err := test.s.PlacesFor(t.Context(), e.owner)
			if err != nil || !reflect.DeepEqual(got, test.want) {
				t.Errorf("%+v, %v, want %+v", got, err, test.want)
			}
			id, err := e.open(test.s, e.owner)
			if err != nil || e.capacity(id) != test.opened {
				t.Errorf("opened with %d places, %v, want %d", e.capacity(id), err, test.opened)
			}
			if err := places(e, test.s, got.Most); err != nil {
				t.Errorf("%d places: %v", got.Most, err)
			}
			err = places(e, test.s, got.Most+1)
			if refused, ok := errors.AsType[*InvalidError](err); !ok || refused.Field != "capacity" || !strings.Contains(refused.Detail.String(), test.says) ||
				!strings.Contains(refused.Detail.String(), words.English.Number(got.Most)) {
				t.Errorf("%d places: %v", got.Most+1, err)
			}
			if err := places(e, test.s, 1); err != nil {
				t.Errorf("one place: %v", err)
			}
		})
	}
}

// TestADowngradeCutsNoEvening: what a session has, it keeps. Only more is refused.
func TestADowngradeCutsNoEvening(t *testing.T) {
	e, p, instances := planned(t)
	p.become("Venue", 500, 5)
	s := instances[0]
	for range 2 {
		if _, err := e.open(s, e.owner); err != nil {
			t.Fatal(err)
		}
	}
	if err := places(e, s, 400); err != nil {
		t.Fatal(err)
	}
	e.joinMany(35)
	lost := e.join("Lost phone")
	id, _, err := e.service.Participant(t.Context(), lost)
	if err != nil {
		t.Fatal(err)
	}

	p.become("Free", 30, 1)
	if _, err := s.Join(t.Context(), e.code, "Latecomers", "attempt-of-latecomers"); err != nil {
		t.Errorf("somebody who comes late: %v", err)
	}
	again, err := s.Join(t.Context(), e.code, "Team 1", "attempt-of-"+fmt.Sprintf("%x", "Team 1"))
	if err != nil || again.New {
		t.Errorf("a phone that was in: %+v, %v", again, err)
	}
	host, err := s.AsHost(t.Context(), e.id, e.owner)
	if err != nil {
		t.Fatal(err)
	}
	code, err := s.IssueRejoinCode(t.Context(), host, id)
	if err != nil {
		t.Fatal(err)
	}
	if moved, err := s.Rejoin(t.Context(), code.Code, "", "attempt-of-another-phone"); err != nil || moved.Name != "Lost phone" {
		t.Errorf("who has changed phones: %+v, %v", moved, err)
	}
	for _, step := range []CommandName{Next, Launch, Close, Reveal} {
		if _, err := s.Command(t.Context(), host, Command{Version: e.version(), Command: step}); err != nil {
			t.Errorf("%s: %v", step, err)
		}
	}
	refused, ok := errors.AsType[*InvalidError](places(e, s, 401))
	if !ok || !strings.Contains(refused.Detail.String(), "30 places") {
		t.Errorf("more places: %v", refused)
	}
	for _, n := range []int{400, 399, 36} {
		if err := places(e, s, n); err != nil {
			t.Errorf("%d places: %v", n, err)
		}
	}
	if _, ok := errors.AsType[*InvalidError](places(e, s, 37)); !ok {
		t.Error("more again was not refused")
	}
	if _, err := e.open(s, e.owner); err == nil {
		t.Error("a fourth session was opened")
	}
	if e.live() != 3 {
		t.Errorf("of three sessions %d are open", e.live())
	}

	p.become("Pub", 150, 2)
	if err := places(e, s, 150); err != nil {
		t.Errorf("after an upgrade in the middle of the evening: %v", err)
	}
}
