package session

import (
	"errors"
	"net/url"
	"slices"
	"sync"
	"testing"
	"time"

	"pubquiz/quiz"
)

// strictly is an instance of the evening's that gives hosts without a confirmed address few places.
func (e *evening) strictly() *Service {
	return New(e.pool, Config{Now: time.Now, Grace: testGrace / 5, BaseURL: &url.URL{Scheme: "https", Host: "quiz.example"}, VerifiedOnly: true})
}

// places gives a session so many places.
func places(e *evening, s *Service, n int) error {
	e.t.Helper()
	host, err := s.AsHost(e.t.Context(), e.id, e.owner)
	if err != nil {
		e.t.Fatal(err)
	}
	var version int64 // another instance may have led to it a moment ago
	if err := e.pool.QueryRow(e.t.Context(), `SELECT version FROM sessions WHERE public_id = $1`, e.id).Scan(&version); err != nil {
		e.t.Fatal(err)
	}
	_, err = s.Command(e.t.Context(), host, Command{Version: version, Command: SetCapacity, Capacity: n})
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
	if err := places(e, e.service, mostPlaces); err != nil {
		t.Errorf("where no address can be confirmed, %d places: %v", mostPlaces, err)
	}
	if _, err := e.pool.Exec(t.Context(), `UPDATE users SET email_verified_at = now()`); err != nil {
		t.Fatal(err)
	}
	if err := places(e, strict, mostPlaces); err != nil {
		t.Errorf("confirmed, %d places: %v", mostPlaces, err)
	}
}

func TestPlacesOfANewSession(t *testing.T) {
	e := newEvening(t)
	strict := e.strictly()
	open := func(s *Service) (capacity int) {
		t.Helper()
		id, err := s.Open(t.Context(), e.owner, quiz.ID(1), smallQuiz())
		if err != nil {
			t.Fatal(err)
		}
		if err := e.pool.QueryRow(t.Context(), `SELECT capacity FROM sessions WHERE public_id = $1`, id).Scan(&capacity); err != nil {
			t.Fatal(err)
		}
		return capacity
	}
	got := []int{open(e.service), open(strict)}
	if _, err := e.pool.Exec(t.Context(), `UPDATE users SET email_verified_at = now()`); err != nil {
		t.Fatal(err)
	}
	if got = append(got, open(strict)); !slices.Equal(got, []int{100, unverifiedPlaces, 100}) {
		t.Errorf("places without mail, without and with a confirmed address are %v", got)
	}
}

// TestTheSessionsOfAHostAreAllTheirs also opens some at once: each waits for the host's row.
func TestTheSessionsOfAHostAreAllTheirs(t *testing.T) {
	e := newEvening(t)
	var group sync.WaitGroup
	for range 4 {
		group.Go(func() {
			if _, err := e.service.Open(t.Context(), e.owner, quiz.ID(1), smallQuiz()); err != nil {
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
