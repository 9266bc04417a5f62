package session

import (
	"errors"
	"fmt"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/jackc/pgx/v5/pgconn"

	"pubquiz/quiz"
)

// anotherHost is the account of a host who has nothing to do with the session so far.
func (e *evening) anotherHost(name string) (id quiz.OwnerID) {
	e.t.Helper()
	err := e.pool.QueryRow(e.t.Context(), `INSERT INTO users (email, email_key, name, password_hash) VALUES ($1, $1, $2, '') RETURNING id`,
		strings.ToLower(name)+"@quiz.example", name).Scan(&id)
	if err != nil {
		e.t.Fatal(err)
	}
	return id
}

func (e *evening) invite() (token string) {
	e.t.Helper()
	token, err := e.service.InviteCohost(e.t.Context(), e.host)
	if err != nil {
		e.t.Fatal(err)
	}
	return token
}

// cohost makes the host one of the session's, by a link.
func (e *evening) cohost(host quiz.OwnerID) Viewer {
	e.t.Helper()
	if _, err := e.service.AcceptInvitation(e.t.Context(), e.invite(), host); err != nil {
		e.t.Fatal(err)
	}
	v, err := e.service.AsHost(e.t.Context(), e.id, host)
	if err != nil {
		e.t.Fatal(err)
	}
	return v
}

// TestTwoHostsDriveOneSession: both give commands and mark, the log says who did what, and a step that both want is taken once.
func TestTwoHostsDriveOneSession(t *testing.T) {
	e := newEvening(t)
	ben := e.cohost(e.anotherHost("Ben"))
	phone := e.join("Alice")
	e.do(Next)
	version, err := e.service.Command(t.Context(), ben, Command{Version: e.host.room.version(), Command: Launch})
	if err != nil {
		t.Fatal(err)
	}
	stale, ok := errors.AsType[*StaleVersionError](second(e.service.Command(t.Context(), e.host, Command{Version: version - 1, Command: Launch})))
	if !ok || stale.Version != version {
		t.Errorf("the same step by the other host: %v, want one that is stale", stale)
	}
	e.answer(phone, choose("a", "1.1", 1), Accepted)
	e.do(Close)
	e.do(Reveal)
	e.launch()
	e.answer(phone, write("b", "1.2", "aurum"), Accepted)
	e.do(Close)
	if _, err := e.service.Decide(t.Context(), ben, GroupDecision{Question: "1.2", Group: "aurum", Verdict: "right"}); err != nil {
		t.Error(err)
	}
	entries, err := e.service.Log(t.Context(), ben)
	if err != nil {
		t.Fatal(err)
	}
	var told []string
	for _, entry := range entries {
		told = append(told, entry.Actor+" "+string(entry.Command))
	}
	want := "Ben mark, Host close, Host launch, Host reveal, Host close, Ben launch, Host next, Ben admitCohost, Host inviteCohost"
	if got := strings.Join(told, ", "); got != want {
		t.Errorf("the log says %s\nwant %s", got, want)
	}
}

func second[T any](_ T, err error) error { return err }

// TestInvitationIsUsedOnce: of many who use a link at once one becomes a co-host, for whom it leads to the session from then on; the owner leaves it as it is.
func TestInvitationIsUsedOnce(t *testing.T) {
	e := newEvening(t)
	token := e.invite()
	if id, err := e.service.AcceptInvitation(t.Context(), token, e.owner); err != nil || id != e.id {
		t.Errorf("the owner's own use: %q, %v", id, err)
	}
	hosts := make([]quiz.OwnerID, 10)
	for i := range hosts {
		hosts[i] = e.anotherHost(fmt.Sprint("Host-", i))
	}
	var used atomic.Int64
	var wg sync.WaitGroup
	for i := range 20 {
		wg.Go(func() {
			switch _, err := e.service.AcceptInvitation(t.Context(), token, hosts[i%10]); {
			case err == nil:
				used.Store(int64(hosts[i%10]))
			case !errors.Is(err, ErrNoInvitation):
				t.Error(err)
			}
		})
	}
	wg.Wait()
	cohosts := e.host.room.current.Load().Cohosts
	if len(cohosts) != 1 || int64(cohosts[0].User) != used.Load() {
		t.Fatalf("co-hosts %v, used by %d", cohosts, used.Load())
	}
	if i, err := e.service.Invitation(t.Context(), token, cohosts[0].User); err != nil || !i.Hosting || i.Session != e.id {
		t.Errorf("for whoever has used it: %+v, %v", i, err)
	}
	var stored string
	if err := e.pool.QueryRow(t.Context(), `SELECT coalesce(string_agg(to_jsonb(c)::text, ''), '') || (SELECT string_agg(to_jsonb(l)::text, '') FROM session_log l) FROM cohosts c`).Scan(&stored); err != nil {
		t.Fatal(err)
	}
	if strings.Contains(stored, token) {
		t.Errorf("the token itself is stored: %s", stored)
	}
}

// TestInvitationsEnd: a link ends when another is made, when it is withdrawn, and with its session.
func TestInvitationsEnd(t *testing.T) {
	e := newEvening(t)
	ben := e.anotherHost("Ben")
	for name, end := range map[string]func(){
		"another":   func() { e.invite() },
		"withdrawn": func() { e.must(e.service.WithdrawInvitation(t.Context(), e.host)) },
		"finished":  func() { e.do(Finish) },
	} {
		token := e.invite()
		if i, err := e.service.Invitation(t.Context(), token, ben); err != nil || i.Title != "Small quiz" || i.Owner != "Host" || i.Hosting {
			t.Errorf("%s: before that it leads to %+v, %v", name, i, err)
		}
		end()
		if _, err := e.service.AcceptInvitation(t.Context(), token, ben); !errors.Is(err, ErrNoInvitation) {
			t.Errorf("%s: %v, want ErrNoInvitation", name, err)
		}
		if e.host.room.current.Load().Phase == Finished {
			if _, err := e.service.InviteCohost(t.Context(), e.host); !errors.Is(err, ErrNotNow) {
				t.Errorf("a link to a session that has finished: %v", err)
			}
			e.do(Back)
		}
	}
	e.invite()
	e.must(e.service.WithdrawInvitation(t.Context(), e.host))
	if err := e.service.WithdrawInvitation(t.Context(), e.host); !errors.Is(err, ErrNotNow) {
		t.Errorf("withdrawing what is not there: %v", err)
	}
}

func (e *evening) must(err error) {
	e.t.Helper()
	if err != nil {
		e.t.Fatal(err)
	}
}

// TestCohostsMayNotDecideWhoHosts: that is the owner's alone, but for leaving.
func TestCohostsMayNotDecideWhoHosts(t *testing.T) {
	e := newEvening(t)
	ben, eve := e.cohost(e.anotherHost("Ben")), e.cohost(e.anotherHost("Eve"))
	for what, err := range map[string]error{
		"invites":      second(e.service.InviteCohost(t.Context(), ben)),
		"withdraws":    e.service.WithdrawInvitation(t.Context(), ben),
		"removes Eve":  e.service.RemoveCohost(t.Context(), ben, 2),
		"removes whom": e.service.RemoveCohost(t.Context(), ben, 0),
	} {
		if !errors.Is(err, ErrNotOwner) {
			t.Errorf("a co-host %s: %v, want ErrNotOwner", what, err)
		}
	}
	if err := e.service.RemoveCohost(t.Context(), e.host, 3); !errors.Is(err, ErrNoCohost) {
		t.Errorf("removing nobody: %v, want ErrNoCohost", err)
	}
	e.must(e.service.RemoveCohost(t.Context(), eve, 2))
	if _, err := e.service.AsHost(t.Context(), e.id, eve.Host); !errors.Is(err, ErrNotFound) {
		t.Errorf("after leaving: %v", err)
	}
	if got := e.host.room.current.Load().Cohosts; len(got) != 1 || got[0].Name != "Ben" {
		t.Errorf("who is left: %v", got)
	}
}

// TestRemovedCohostIsOutAtOnce: whatever looks on or is on its way, also at another instance and when the removal is not known there yet.
func TestRemovedCohostIsOutAtOnce(t *testing.T) {
	e := newEvening(t)
	elsewhere := newService(t, e.pool)
	host := e.anotherHost("Ben")
	ben := e.cohost(host)
	far, err := elsewhere.AsHost(t.Context(), e.id, host)
	if err != nil {
		t.Fatal(err)
	}
	near, remote := e.service.Watcher(ben), elsewhere.Watcher(far)
	for _, w := range []*Watcher{near, remote} {
		w.Start(wakerFunc(func() {}))
		defer w.Stop()
		if _, err := w.First(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	e.must(e.service.RemoveCohost(t.Context(), e.host, 1))
	if _, err := near.Now(); !errors.Is(err, ErrRemoved) {
		t.Errorf("the watcher: %v, want ErrRemoved", err)
	}
	until(t, "the removal at the other instance", func() bool {
		_, err := remote.Now()
		return errors.Is(err, ErrRemoved)
	})
	// A viewer from before the removal is what a request on its way has.
	if err := second(e.service.Command(t.Context(), ben, Command{Version: e.host.room.version(), Command: Next})); !errors.Is(err, ErrNotFound) {
		t.Errorf("a command: %v, want ErrNotFound", err)
	}
	if err := second(e.service.Decide(t.Context(), ben, GroupDecision{Question: "1.2", Group: "x", Verdict: "right"})); !errors.Is(err, ErrNotFound) {
		t.Errorf("a decision: %v, want ErrNotFound", err)
	}
	if list, err := e.service.Cohosted(t.Context(), host); err != nil || len(list) != 0 {
		t.Errorf("their list: %v, %v", list, err)
	}
}

// TestCohostsHaveNumbers: as many as may be, each the lowest that is free.
func TestCohostsHaveNumbers(t *testing.T) {
	e := newEvening(t)
	for i := range maxCohosts {
		e.cohost(e.anotherHost(fmt.Sprint("Host-", i)))
	}
	if err := second(e.service.InviteCohost(t.Context(), e.host)); err == nil || !strings.Contains(err.Error(), "up to 5 co-hosts") {
		t.Errorf("one more: %v", err)
	}
	e.must(e.service.RemoveCohost(t.Context(), e.host, 2))
	v := e.cohost(e.anotherHost("Late"))
	if late := e.host.room.current.Load().cohostOf(v.Host); late.Number != 2 {
		t.Errorf("the next has number %d", late.Number)
	}
	list, err := e.service.Cohosted(t.Context(), v.Host)
	if err != nil || len(list) != 1 || list[0].PublicID != e.id || list[0].Owner != "Host" {
		t.Errorf("their list: %+v, %v", list, err)
	}
}

// TestWhoHostsIsBound: the database refuses what no code does.
func TestWhoHostsIsBound(t *testing.T) {
	e := newEvening(t)
	ben, eve := e.anotherHost("Ben"), e.anotherHost("Eve")
	e.cohost(ben)
	const insert = `INSERT INTO cohosts (session_id, number, owner_id, user_id, token_hash) SELECT id, $1, $2, $3, sha256($4::bytea) FROM sessions`
	for constraint, row := range map[string][]any{
		"ck_cohosts_owner":     {2, e.owner, e.owner, "a"},
		"fk_cohosts_session":   {2, eve, e.owner, "b"},
		"uq_cohosts_user":      {2, e.owner, ben, "c"},
		"cohosts_pkey":         {1, e.owner, eve, "d"},
		"cohosts_number_check": {6, e.owner, eve, "e"},
	} {
		_, err := e.pool.Exec(t.Context(), insert, row...)
		if broken, ok := errors.AsType[*pgconn.PgError](err); !ok || broken.ConstraintName != constraint {
			t.Errorf("%v: %v, want %s", row, err, constraint)
		}
	}
}
