package session

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/jackc/pgx/v5"

	"pubquiz/internal/words"
	"pubquiz/quiz"
)

// sharedPlan is what some hosts share, the first of whom pays. It can change at any time.
type sharedPlan struct {
	now atomic.Pointer[Allowance]
}

// read reads the plan as Config.Allowance wants it to.
func (p *sharedPlan) read(ctx context.Context, tx pgx.Tx, _ quiz.OwnerID) (Allowance, error) {
	if _, err := tx.Exec(ctx, `SELECT FROM users WHERE id = $1 FOR NO KEY UPDATE`, p.now.Load().Hosts[0]); err != nil {
		return Allowance{}, err
	}
	return *p.now.Load(), nil
}

// become changes the plan.
func (p *sharedPlan) become(name string, places, live int) {
	p.now.Store(&Allowance{Plan: words.T(name), Places: places, LiveSessions: live, Hosts: p.now.Load().Hosts})
}

// planned starts an evening in which the host, and as many colleagues as there are names, share a plan of one live session with thirty places. Two instances
// know of it.
func planned(t *testing.T, colleagues ...string) (e *evening, p *sharedPlan, instances [2]*Service) {
	t.Helper()
	e = newEvening(t)
	hosts := []quiz.OwnerID{e.owner}
	for _, name := range colleagues {
		hosts = append(hosts, e.anotherHost(name))
	}
	p = &sharedPlan{}
	p.now.Store(&Allowance{Plan: words.T("Free"), Places: 30, LiveSessions: 1, Hosts: hosts})
	for i := range instances {
		instances[i] = e.instance(Config{Allowance: p.read})
	}
	return e, p, instances
}

// live counts the sessions that have not finished.
func (e *evening) live() (n int) {
	e.t.Helper()
	if err := e.pool.QueryRow(e.t.Context(), `SELECT count(*) FROM sessions WHERE finished_at IS NULL`).Scan(&n); err != nil {
		e.t.Fatal(err)
	}
	return n
}

// capacity is how many places a session has.
func (e *evening) capacity(publicID string) (n int) {
	e.t.Helper()
	if err := e.pool.QueryRow(e.t.Context(), `SELECT capacity FROM sessions WHERE public_id = $1`, publicID).Scan(&n); err != nil {
		e.t.Fatal(err)
	}
	return n
}

func (e *evening) open(s *Service, host quiz.OwnerID) (publicID string, err error) {
	return s.Open(e.t.Context(), host, quiz.ID(1), smallQuiz())
}

// TestOneFreeLiveSession has all hosts of a plan open sessions at once, at two instances, where one more may be open.
func TestOneFreeLiveSession(t *testing.T) {
	e, p, instances := planned(t, "Bea", "Cem")
	for round, allowed := range []int{2, 3} {
		p.become("Chain", 30, allowed)
		var opened, refused atomic.Int32
		var wg sync.WaitGroup
		for i := range 24 {
			wg.Go(func() {
				host := p.now.Load().Hosts[i%3]
				_, err := e.open(instances[i%2], host)
				tooMany, ok := errors.AsType[*TooManyOpenError](err)
				switch {
				case err == nil:
					opened.Add(1)
				case ok && len(tooMany.Open) == allowed && tooMany.Allowed == allowed:
					refused.Add(1)
				default:
					t.Error(err)
				}
			})
		}
		wg.Wait()
		if opened.Load() != 1 || refused.Load() != 23 || e.live() != allowed {
			t.Errorf("round %d: %d opened and %d refused, and %d are open", round, opened.Load(), refused.Load(), e.live())
		}
	}
}

// TestLiveSessionsWithoutPlans: where nothing is sold, a host has a bound all the same, of their own, however many they open at once.
func TestLiveSessionsWithoutPlans(t *testing.T) {
	e := newEvening(t)
	var refused atomic.Int32
	var wg sync.WaitGroup
	for range liveWithoutPlans + 4 { // beside the one that is open
		wg.Go(func() {
			_, err := e.open(e.service, e.owner)
			if tooMany, ok := errors.AsType[*TooManyOpenError](err); ok && len(tooMany.Open) == liveWithoutPlans && tooMany.Plan.IsZero() {
				refused.Add(1)
			} else if err != nil {
				t.Error(err)
			}
		})
	}
	wg.Wait()
	if refused.Load() != 5 || e.live() != liveWithoutPlans {
		t.Errorf("%d were refused, and %d are open", refused.Load(), e.live())
	}
	if _, err := e.open(e.service, e.anotherHost("Bea")); err != nil {
		t.Errorf("another host's first: %v", err)
	}
	if _, err := e.service.OpenInstead(t.Context(), e.owner, quiz.ID(1), smallQuiz(), e.id); err != nil {
		t.Errorf("one instead of another: %v", err)
	}
	host, err := e.service.AsHost(t.Context(), e.id, e.owner)
	if err != nil {
		t.Fatal(err)
	}
	_, err = e.service.Command(t.Context(), host, Command{Version: e.version(), Command: Back})
	if _, ok := errors.AsType[*TooManyOpenError](err); !ok {
		t.Errorf("back from the end: %v", err)
	}
}

// TestWhatIsOpenIsTold: the host's own sessions and those of whoever shares their plan, the oldest first.
func TestWhatIsOpenIsTold(t *testing.T) {
	e, p, instances := planned(t, "Bea")
	e.joinMany(2)
	p.become("Chain", 30, 2)
	theirs, err := e.open(instances[0], p.now.Load().Hosts[1])
	if err != nil {
		t.Fatal(err)
	}
	stranger := e.anotherHost("Stranger")
	if _, err := e.open(e.service, stranger); err != nil { // shares nothing with them
		t.Fatal(err)
	}
	_, err = e.open(instances[1], e.owner)
	tooMany, ok := errors.AsType[*TooManyOpenError](err)
	if !ok || len(tooMany.Open) != 2 {
		t.Fatalf("%v", err)
	}
	own, other := tooMany.Open[0], tooMany.Open[1]
	if own.PublicID != e.id || own.Title != "Small quiz" || own.Phase != Lobby || own.Participants != 2 || own.Host != "" || own.CreatedAt.IsZero() {
		t.Errorf("the host's own is %+v", own)
	}
	if other.PublicID != theirs || other.Host != "Bea" {
		t.Errorf("the colleague's is %+v", other)
	}
}

// TestOpenInstead ends the one and opens the other, or does neither.
func TestOpenInstead(t *testing.T) {
	e, p, instances := planned(t, "Bea")
	ctx, s := t.Context(), instances[0]
	phone := e.join("Alice")
	e.launch()

	for name, test := range map[string]struct {
		host    quiz.OwnerID
		content quiz.Content
		want    error
	}{
		"another host's":   {p.now.Load().Hosts[1], smallQuiz(), ErrNotFound},
		"an unwritten one": {e.owner, quiz.Content{}, ErrNotPlayable},
	} {
		if _, err := s.OpenInstead(ctx, test.host, quiz.ID(1), test.content, e.id); !errors.Is(err, test.want) {
			t.Errorf("%s: %v", name, err)
		}
	}
	p.become("Free", 30, 0)
	if _, err := s.OpenInstead(ctx, e.owner, quiz.ID(1), smallQuiz(), e.id); err == nil {
		t.Error("opened where none may be open")
	}
	if shared, _ := e.see(phone); shared["phase"] != "open" {
		t.Fatalf("after what was refused, the phone is told %v", shared["phase"])
	}

	p.become("Free", 30, 1)
	second, err := s.OpenInstead(ctx, e.owner, quiz.ID(1), smallQuiz(), e.id)
	if err != nil || e.live() != 1 || e.capacity(second) != 30 {
		t.Fatalf("%q, %v, and %d are open", second, err, e.live())
	}
	until(t, "the first one's end", func() bool { shared, _ := e.see(phone); return shared["phase"] == "finished" })
	entries, err := e.service.Log(ctx, e.host)
	if err != nil || len(entries) < 2 || entries[0].Command != Finish || entries[1].Command != Close || entries[0].Actor != "Host" || entries[1].Actor != "Host" {
		t.Errorf("the first one's log says %+v, %v", entries, err)
	}
	// Pressed twice, the button ends what has ended, and opens nothing more.
	if _, err := s.OpenInstead(ctx, e.owner, quiz.ID(1), smallQuiz(), e.id); err == nil || e.live() != 1 {
		t.Errorf("again: %v, and %d are open", err, e.live())
	}
}

// TestNoWayBackToOneTooMany: going back from the end opens a session like any other way.
func TestNoWayBackToOneTooMany(t *testing.T) {
	e, p, instances := planned(t)
	host, err := instances[0].AsHost(t.Context(), e.id, e.owner)
	if err != nil {
		t.Fatal(err)
	}
	back := func() error {
		_, err := instances[0].Command(t.Context(), host, Command{Version: e.version(), Command: Back})
		return err
	}
	e.do(Finish)
	if err := back(); err != nil {
		t.Fatalf("back to the only one: %v", err)
	}
	until(t, "the other instance's hearing of it", func() bool { return e.host.room.version() == e.version() })
	e.do(Finish)
	if _, err := e.open(instances[1], e.owner); err != nil {
		t.Fatal(err)
	}
	if _, ok := errors.AsType[*TooManyOpenError](back()); !ok || e.live() != 1 {
		t.Errorf("back beside another: %v, and %d are open", back(), e.live())
	}
	p.become("Pub", 150, 2)
	if err := back(); err != nil || e.live() != 2 {
		t.Errorf("with a larger plan: %v, and %d are open", err, e.live())
	}
}

// TestBackFromTheEndWithASmallerPlan: sessions that were opened and ended in advance do not keep a plan's places for after it. Whoever was in stays in.
func TestBackFromTheEndWithASmallerPlan(t *testing.T) {
	e, p, instances := planned(t)
	p.become("Venue", 500, 5)
	s := instances[0]
	if err := places(e, s, 400); err != nil {
		t.Fatal(err)
	}
	e.joinMany(31)
	host, err := s.AsHost(t.Context(), e.id, e.owner)
	if err != nil {
		t.Fatal(err)
	}
	endAndBack := func() {
		t.Helper()
		for _, step := range []CommandName{Finish, Back} {
			if _, err := s.Command(t.Context(), host, Command{Version: e.version(), Command: step}); err != nil {
				t.Fatalf("%s: %v", step, err)
			}
		}
	}
	endAndBack()
	if got := e.capacity(e.id); got != 400 {
		t.Errorf("with the same plan there are %d places, want 400", got)
	}
	p.become("Free", 30, 1)
	endAndBack()
	if got := e.capacity(e.id); got != 30 {
		t.Errorf("with a smaller plan there are %d places, want 30", got)
	}
	if _, err := s.Join(t.Context(), e.code, "Latecomers", "attempt-of-latecomers"); !errors.Is(err, ErrFull) {
		t.Errorf("somebody who comes late: %v, want ErrFull", err)
	}
	if again, err := s.Join(t.Context(), e.code, "Team 31", "attempt-of-"+fmt.Sprintf("%x", "Team 31")); err != nil || again.New {
		t.Errorf("a phone that was in: %+v, %v", again, err)
	}
}

// version is the session's, whoever led to it.
func (e *evening) version() (v int64) {
	e.t.Helper()
	if err := e.pool.QueryRow(e.t.Context(), `SELECT version FROM sessions WHERE public_id = $1`, e.id).Scan(&v); err != nil {
		e.t.Fatal(err)
	}
	return v
}
