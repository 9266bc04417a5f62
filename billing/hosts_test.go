package billing

import (
	"errors"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/jackc/pgx/v5"

	"pubquiz/account"
)

func neverFull(string) (bool, error) { return false, nil }

// invite invites a host by name, and returns the invitation as they see it.
func (s *site) invite(subscriber account.UserID, name string, invited account.UserID) Invitation {
	s.t.Helper()
	if err := s.Invite(s.t.Context(), subscriber, name+"@example.org", neverFull); err != nil {
		s.t.Fatal(err)
	}
	found := s.standing(invited).Invited
	if len(found) == 0 {
		s.t.Fatalf("%s sees no invitation", name)
	}
	return found[len(found)-1]
}

// addHost makes a new user a host of the subscriber's plan.
func (s *site) addHost(subscriber account.UserID, name string) account.UserID {
	s.t.Helper()
	host := s.user(name)
	if err := s.Accept(s.t.Context(), host, s.invite(subscriber, name, host).ID); err != nil {
		s.t.Fatal(err)
	}
	return host
}

func (s *site) wantHosts(of account.UserID, want ...account.UserID) {
	s.t.Helper()
	if got := s.allowance(of).Hosts; !slices.Equal(got, want) {
		s.t.Errorf("the hosts who count together with %d are %v, want %v", of, got, want)
	}
}

func TestHostsOfAPlan(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	alice, bob := s.user("alice"), s.user("bob")
	id := s.subscribe(alice, Chain, Month)
	if err := s.Invite(t.Context(), alice, " BOB@example.org ", neverFull); err != nil {
		t.Fatal(err)
	}
	if got := s.letters("BOB"); !slices.Equal(got, []string{"You are invited to host pub quizzes"}) {
		t.Errorf("the letters are %q", got)
	}
	s.wantPlan(bob, Free) // before he says yes
	invited := s.standing(bob).Invited
	if len(invited) != 1 || invited[0].From != "alice" {
		t.Fatalf("bob is invited by %+v", invited)
	}
	if err := s.Accept(t.Context(), bob, invited[0].ID); err != nil {
		t.Fatal(err)
	}
	s.wantPlan(bob, Chain)
	s.wantHosts(alice, alice, bob)
	s.wantHosts(bob, alice, bob)
	if standing := s.standing(bob); standing.HostedBy != "alice" || standing.HostOf != "alice" || standing.Customer || len(standing.Invited) > 0 {
		t.Errorf("bob's standing is %+v", standing)
	}
	if standing := s.standing(alice); len(standing.Hosts) != 1 || standing.Hosts[0].Name != "bob" || len(standing.Invitations) > 0 || standing.HostedBy != "" {
		t.Errorf("alice's standing is %+v", standing)
	}
	if _, err := s.Checkout(t.Context(), bob, Pub, Month); !errors.Is(err, ErrHosted) {
		t.Errorf("bob's checkout: %v, want ErrHosted", err)
	}
	// The plan becomes one for a single host, and then again what it was: bob is on his own, and back.
	s.stripe.SetPrice(id, "price_venue_month")
	s.receiveAll(s.stripe.Events())
	s.wantPlan(bob, Free)
	s.wantPlan(alice, Venue)
	s.wantHosts(alice, alice)
	s.wantHosts(bob, bob)
	s.stripe.SetPrice(id, "price_chain_year")
	s.receiveAll(s.stripe.Events())
	s.wantPlan(bob, Chain)
	if err := s.RemoveHost(t.Context(), alice, bob); err != nil {
		t.Fatal(err)
	}
	s.wantPlan(bob, Free)
	carol := s.addHost(alice, "carol")
	if err := s.RemoveHost(t.Context(), bob, carol); err != nil { // whose host she is not
		t.Fatal(err)
	}
	s.wantPlan(carol, Chain)
	if err := s.Leave(t.Context(), carol); err != nil {
		t.Fatal(err)
	}
	s.wantPlan(carol, Free)
	s.wantHosts(alice, alice)
}

func TestInvitationsThatAreRefused(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	alice, bob, mallory := s.user("alice"), s.user("bob"), s.user("mallory")
	if err := s.Invite(t.Context(), alice, "bob@example.org", neverFull); !errors.Is(err, ErrOneHost) {
		t.Errorf("on the free plan: %v, want ErrOneHost", err)
	}
	s.subscribe(alice, Chain, Month)
	dave := s.addHost(alice, "dave")
	for _, email := range []string{"", "bob", "alice@example.org", "ALICE@example.org", "dave@example.org"} {
		err := s.Invite(t.Context(), alice, email, neverFull)
		if invalid, ok := errors.AsType[*InvalidError](err); !ok || invalid.Field != "email" {
			t.Errorf("inviting %q: %v, want the field email refused", email, err)
		}
	}
	if err := s.Invite(t.Context(), dave, "bob@example.org", neverFull); !errors.Is(err, ErrOneHost) {
		t.Errorf("a host invites another: %v, want ErrOneHost", err)
	}
	invitation := s.invite(alice, "bob", bob)
	if err := s.Accept(t.Context(), mallory, invitation.ID); !errors.Is(err, ErrNoInvitation) {
		t.Errorf("somebody else says yes: %v, want ErrNoInvitation", err)
	}
	if err := s.Decline(t.Context(), mallory, invitation.ID); !errors.Is(err, ErrNoInvitation) {
		t.Errorf("somebody else says no: %v, want ErrNoInvitation", err)
	}
	if err := s.Withdraw(t.Context(), mallory, invitation.ID); err != nil || len(s.standing(alice).Invitations) != 1 {
		t.Errorf("somebody else has withdrawn it: %v", err)
	}
	s.exec(`UPDATE plan_invitations SET expires_at = now()`)
	if err := s.Accept(t.Context(), bob, invitation.ID); !errors.Is(err, ErrNoInvitation) {
		t.Errorf("too late: %v, want ErrNoInvitation", err)
	}
	invitation = s.invite(alice, "bob", bob)
	if err := s.Decline(t.Context(), bob, invitation.ID); err != nil {
		t.Error(err)
	}
	invitation = s.invite(alice, "bob", bob)
	if err := s.Withdraw(t.Context(), alice, invitation.ID); err != nil {
		t.Error(err)
	}
	if err := s.Accept(t.Context(), bob, invitation.ID); !errors.Is(err, ErrNoInvitation) {
		t.Errorf("withdrawn: %v, want ErrNoInvitation", err)
	}
	// Whoever signs up with somebody else's address neither sees an invitation nor answers it.
	if err := s.Invite(t.Context(), alice, "erin@example.org", neverFull); err != nil {
		t.Fatal(err)
	}
	erin := s.unconfirmed("erin")
	if seen := s.standing(erin).Invited; len(seen) > 0 {
		t.Errorf("without a confirmed address one sees %+v", seen)
	}
	id := s.standing(alice).Invitations[0].ID
	if err := s.Accept(t.Context(), erin, id); !errors.Is(err, ErrUnconfirmed) {
		t.Errorf("without a confirmed address: %v, want ErrUnconfirmed", err)
	}
	if err := s.Decline(t.Context(), erin, id); !errors.Is(err, ErrNoInvitation) {
		t.Errorf("without a confirmed address one declines: %v, want ErrNoInvitation", err)
	}
	// Who has a plan of their own, or is a host already, is no host of another.
	invitation = s.invite(alice, "bob", bob)
	s.subscribe(bob, Chain, Month)
	if err := s.Accept(t.Context(), bob, invitation.ID); !errors.Is(err, ErrSubscribed) {
		t.Errorf("a subscriber: %v, want ErrSubscribed", err)
	}
	if err := s.Accept(t.Context(), dave, s.invite(bob, "dave", dave).ID); !errors.Is(err, ErrHosted) {
		t.Errorf("another's host: %v, want ErrHosted", err)
	}
}

// TestInvitationsToAFullInbox stand, and write no letter.
func TestInvitationsToAFullInbox(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	alice := s.user("alice")
	s.subscribe(alice, Chain, Month)
	full := func(key string) (bool, error) { return key == "bob@example.org", nil }
	if err := s.Invite(t.Context(), alice, "bob@example.org", full); err != nil {
		t.Fatal(err)
	}
	if got := s.letters("bob"); len(got) > 0 {
		t.Errorf("the letters are %q", got)
	}
	if standing := s.standing(alice); len(standing.Invitations) != 1 {
		t.Errorf("the invitations are %+v", standing.Invitations)
	}
	silent, err := New(s.pool, nil, s.settings)
	if err != nil {
		t.Fatal(err)
	}
	if err := silent.Invite(t.Context(), alice, "carol@example.org", neverFull); !errors.Is(err, ErrNoMail) {
		t.Errorf("without mail: %v, want ErrNoMail", err)
	}
}

// TestHostsAtOnce lets more accept at once than there is room for.
func TestHostsAtOnce(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	alice := s.user("alice")
	s.subscribe(alice, Chain, Month)
	const room = 19
	var hosts []account.UserID
	var invitations []int64
	for i := range room {
		host := s.user(named(i))
		hosts = append(hosts, host)
		invitations = append(invitations, s.invite(alice, named(i), host).ID)
	}
	if err := s.Invite(t.Context(), alice, "late@example.org", neverFull); !errors.Is(err, ErrHostsFull) {
		t.Errorf("one more than there is room for: %v, want ErrHostsFull", err)
	}
	if err := s.Invite(t.Context(), alice, named(0)+"@example.org", neverFull); err != nil {
		t.Errorf("one of those again: %v", err)
	}
	// Two more get in by invitations that had run out, and come to life again.
	for i := range 2 {
		late := s.user(named(room + i))
		hosts = append(hosts, late)
		var id int64
		const invite = `INSERT INTO plan_invitations (subscriber_id, email, email_key, expires_at) SELECT $1, email, email_key, now() + interval '1 day' FROM users WHERE id = $2 RETURNING id`
		if err := s.pool.QueryRow(t.Context(), invite, alice, late).Scan(&id); err != nil {
			t.Fatal(err)
		}
		invitations = append(invitations, id)
	}
	var (
		wg   sync.WaitGroup
		mu   sync.Mutex
		full int
	)
	for i, host := range hosts {
		wg.Go(func() {
			err := s.Accept(t.Context(), host, invitations[i])
			mu.Lock()
			defer mu.Unlock()
			if errors.Is(err, ErrHostsFull) {
				full++
			} else if err != nil {
				t.Error(err)
			}
		})
	}
	wg.Wait()
	if full != 2 {
		t.Errorf("%d were too many, want 2", full)
	}
	if got := len(s.allowance(alice).Hosts); got != room+1 {
		t.Errorf("%d hosts count together, want %d", got, room+1)
	}
}

// TestAllowanceIsLocked has the hosts of a plan, and whoever changes who they are, wait for one that is opening.
func TestAllowanceIsLocked(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	alice := s.user("alice")
	s.subscribe(alice, Chain, Month)
	bob := s.addHost(alice, "bob")
	carol := s.user("carol")
	invitation := s.invite(alice, "carol", carol)
	opening, err := s.pool.Begin(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = opening.Rollback(t.Context()) }()
	if _, err := s.Allowance(t.Context(), opening, bob); err != nil {
		t.Fatal(err)
	}
	for name, other := range map[string]func(tx pgx.Tx) error{
		"the subscriber": func(tx pgx.Tx) error { _, err := s.Allowance(t.Context(), tx, alice); return err },
		"the same host":  func(tx pgx.Tx) error { _, err := s.Allowance(t.Context(), tx, bob); return err },
		"the plan": func(tx pgx.Tx) error {
			_, _, err := lockUser(t.Context(), tx, s.stripe.Customers()[0])
			return err
		},
	} {
		err := pgx.BeginFunc(t.Context(), s.pool, func(tx pgx.Tx) error {
			if _, err := tx.Exec(t.Context(), `SET LOCAL lock_timeout = '1ms'`); err != nil {
				return err
			}
			return other(tx)
		})
		if err == nil || !strings.Contains(err.Error(), "lock timeout") {
			t.Errorf("%s did not have to wait: %v", name, err)
		}
	}
	accepted := make(chan error)
	go func() { accepted <- s.Accept(t.Context(), carol, invitation.ID) }()
	s.awaitBlocked(1)
	if err := opening.Commit(t.Context()); err != nil {
		t.Fatal(err)
	}
	if err := <-accepted; err != nil {
		t.Error(err)
	}
	s.wantHosts(carol, alice, bob, carol)
}

// TestTwoWhoInvitedEachOther accept at the same moment: each locks their own row and then the other's. Postgres ends one of them, which is tried again.
func TestTwoWhoInvitedEachOther(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	alice, bob := s.user("alice"), s.user("bob")
	s.subscribe(alice, Chain, Month)
	s.subscribe(bob, Chain, Month)
	toBob, toAlice := s.invite(alice, "bob", bob), s.invite(bob, "alice", alice)
	for _, subscription := range s.live() {
		s.stripe.End(subscription.ID)
	}
	s.receiveAll(s.stripe.Events())
	holding, err := s.pool.Begin(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = holding.Rollback(t.Context()) }()
	if _, err := holding.Exec(t.Context(), `SELECT FROM users WHERE id IN ($1, $2) FOR UPDATE`, alice, bob); err != nil {
		t.Fatal(err)
	}
	accepted := make(chan error, 2)
	go func() { accepted <- s.Accept(t.Context(), bob, toBob.ID) }()
	go func() { accepted <- s.Accept(t.Context(), alice, toAlice.ID) }()
	s.awaitBlocked(2)
	if err := holding.Commit(t.Context()); err != nil {
		t.Fatal(err)
	}
	for range 2 {
		if err := <-accepted; !errors.Is(err, ErrOneHost) {
			t.Errorf("got %v, want that a plan that has ended has no hosts", err)
		}
	}
}

// awaitBlocked waits until so many wait for a lock.
func (s *site) awaitBlocked(n int) {
	s.t.Helper()
	for blocked := 0; blocked < n; {
		const look = `SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`
		if err := s.pool.QueryRow(s.t.Context(), look).Scan(&blocked); err != nil {
			s.t.Fatal(err)
		}
	}
}

// TestSessionsCountTogether counts what all hosts of a plan have open.
func TestSessionsCountTogether(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	alice := s.user("alice")
	s.subscribe(alice, Chain, Month)
	bob := s.addHost(alice, "bob")
	open := func(code string, host account.UserID) {
		s.exec(`INSERT INTO sessions (public_id, owner_id, title, rounds, join_code) VALUES ($1, $2, 'Quiz', '[]', $1)`, code, host)
	}
	open("BBBBBB", alice)
	open("CCCCCC", bob)
	open("DDDDDD", s.user("carol"))
	open("FFFFFF", bob)
	s.exec(`UPDATE sessions SET phase = 'finished', finished_at = now() WHERE join_code = 'FFFFFF'`)
	for _, host := range []account.UserID{alice, bob} {
		if got := s.standing(host).Live; got != 2 {
			t.Errorf("host %d sees %d open sessions, want 2", host, got)
		}
	}
}

// TestHostWhoPaysAfterAll has somebody become another's host and then pay on a page that they had left open: the plan is their own, and they are nobody's host.
func TestHostWhoPaysAfterAll(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	alice, bob := s.user("alice"), s.user("bob")
	s.subscribe(alice, Chain, Month)
	page := s.checkout(bob, Pub, Month)
	if err := s.Accept(t.Context(), bob, s.invite(alice, "bob", bob).ID); err != nil {
		t.Fatal(err)
	}
	s.pay(page)
	s.receiveAll(s.stripe.Events())
	s.wantPlan(bob, Pub)
	if standing := s.standing(bob); standing.HostOf != "" || standing.HostedBy != "" {
		t.Errorf("the standing is %+v", standing)
	}
	if hosts := s.allowance(alice).Hosts; !slices.Equal(hosts, []account.UserID{alice}) {
		t.Errorf("together count %v, want alice's alone", hosts)
	}
}
