package web

import (
	"fmt"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"testing"
	"time"

	"pubquiz/billing"
)

// TestPlanPageInEveryState goes through what can become of a plan, and looks at what its host is told.
func TestPlanPageInEveryState(t *testing.T) {
	s := newSite(t)
	b := s.host("alice@example.org")
	shows := func(parts ...string) {
		t.Helper()
		s.tellAll()
		wantShows(t, b.get("/account/billing"), http.StatusOK, parts...)
	}
	shows(">Free<", "You pay nothing", "0 of 1", "See the plans", "-Invoices", "-/portal")
	b.buy("pub", "month")
	id := s.stripe.Subscriptions()[0].ID
	shows(">Pub<", "£9.00 a month.", "It renews on", "Change or cancel", "Invoices", "-See the plans", "-Hosts")
	s.stripe.SetCancelAtPeriodEnd(id, true)
	shows(">Pub<", "Cancelled. It stays until", "no more is charged", "Change or keep it")
	s.stripe.SetCancelAtPeriodEnd(id, false)
	s.stripe.SetPrice(id, "price_venue_year")
	shows(">Venue<", "£290.00 a year.", "500", "0 of 5")
	s.stripe.EndPeriod(id, false)
	shows(">Venue<", "The last payment of £290.00 did not go through", "plan-late", "The plan stays until", "Pay at Stripe")
	wantShows(t, b.get("/account"), http.StatusOK, "the last payment failed")
	s.exec(`UPDATE subscriptions SET past_due_since = now() - interval '15 days'`)
	shows(">Free<", "so you are on Free for now", "Pay at Stripe", "-See the plans")
	wantShows(t, b.choose("pub", "month"), http.StatusConflict, "You have a plan already")
	s.stripe.PayLate(id)
	shows(">Venue<", "It renews on", "-plan-late")
	s.stripe.End(id)
	shows(">Free<", "Your last plan has ended on", "See the plans", "Invoices", "-/portal")
	b.leads(b.choose("pub", "month"))
}

// TestPlanPageCountsWhatIsOpen also where more is open than the plan in force allows.
func TestPlanPageCountsWhatIsOpen(t *testing.T) {
	s := newSite(t)
	b := s.host("alice@example.org")
	s.open(b)
	wantShows(t, b.get("/account/billing"), http.StatusOK, "1 of 1", "To open another session, end one first")
	s.open(b)
	wantShows(t, b.get("/account/billing"), http.StatusOK, "2 of 1", "end one first")
	b.buy("venue", "month")
	wantShows(t, b.get("/account/billing"), http.StatusOK, "2 of 5", "-end one first")
}

// chain is a subscriber of the plan for several hosts, with two who may become some, and a stranger.
func chain(t *testing.T) (s *site, alice, bob, carol *browser) {
	t.Helper()
	s = newMailSite(t)
	alice, bob, carol = s.host("alice@example.org"), s.host("bob@example.org"), s.host("carol@example.org")
	s.exec(`UPDATE users SET email_verified_at = now(), name = split_part(email, '@', 1)`)
	alice.buy("chain", "month")
	return s, alice, bob, carol
}

func (b *browser) invite(email string) reply {
	b.site.t.Helper()
	return b.send("POST", "/account/billing/invitations", url.Values{"email": {email}})
}

// about does something about an invitation or a host.
func (b *browser) about(path string, id int64) reply {
	b.site.t.Helper()
	return b.send("POST", "/account/billing/"+strings.Replace(path, "{id}", strconv.FormatInt(id, 10), 1), nil)
}

func (s *site) invitation(email string) (id int64) {
	s.t.Helper()
	return int64(s.count(`SELECT id FROM plan_invitations WHERE email = $1`, email))
}

func (s *site) userID(email string) int64 {
	s.t.Helper()
	return int64(s.count(`SELECT id FROM users WHERE email = $1`, email))
}

func TestHostsOfAPlan(t *testing.T) {
	s, alice, bob, carol := chain(t)
	wantShows(t, alice.get("/account/billing"), http.StatusOK, "Only you so far", "1 of 20", "E-mail address of another host")
	wantRedirect(t, alice.invite(" Bob@example.org "), "/account/billing?done=invited")
	wantShows(t, alice.get("/account/billing?done=invited"), http.StatusOK, "The invitation is on its way.", "<bdi>Bob@example.org</bdi>", "Invited, until", "2 of 20", "-Only you")
	if letters := s.letters("Bob@example.org"); len(letters) != 1 || letters[0].Link != s.url+"/account/billing" {
		t.Errorf("the letters are %+v", letters)
	}
	wantShows(t, bob.get("/account"), http.StatusOK, "you are invited to another")
	wantShows(t, bob.get("/account/billing"), http.StatusOK, "<bdi>alice</bdi> asks you to host on their plan", ">Free<")
	wantShows(t, carol.get("/account/billing"), http.StatusOK, "-asks you to host")

	id := s.invitation("Bob@example.org")
	wantShows(t, carol.about("invitations/{id}/accept", id), http.StatusConflict, "This invitation is no longer there")
	wantShows(t, carol.about("invitations/{id}/decline", id), http.StatusConflict, "This invitation is no longer there")
	carol.about("invitations/{id}/withdraw", id)
	wantRedirect(t, bob.about("invitations/{id}/accept", id), "/account/billing?done=accepted")
	wantShows(t, bob.get("/account/billing?done=accepted"), http.StatusOK, ">Chain<", "You host on the plan of <bdi>alice</bdi>", "0 of 50", "Leave their plan", "-See the plans", "-/portal",
		"-E-mail address of another host", "-Invoices")
	wantShows(t, bob.get("/account/delete"), http.StatusOK, "You leave the plan of <bdi>alice</bdi>")
	s.open(bob)
	wantShows(t, alice.get("/account/billing"), http.StatusOK, "<bdi>bob</bdi>", "1 of 50", "all hosts together")
	wantShows(t, bob.invite("carol@example.org"), http.StatusConflict, "This plan is for one host.") // it is not bob's

	hostID := s.userID("bob@example.org")
	carol.about("hosts/{id}/remove", hostID)
	bob.about("hosts/{id}/remove", s.userID("alice@example.org"))
	wantShows(t, bob.get("/account/billing"), http.StatusOK, ">Chain<") // neither has any power over it
	wantRedirect(t, alice.about("hosts/{id}/remove", hostID), "/account/billing?done=removed")
	wantShows(t, bob.get("/account/billing"), http.StatusOK, ">Free<", "1 of 1")

	alice.invite("carol@example.org")
	wantRedirect(t, carol.about("invitations/{id}/decline", s.invitation("carol@example.org")), "/account/billing?done=declined")
	alice.invite("carol@example.org")
	wantRedirect(t, alice.about("invitations/{id}/withdraw", s.invitation("carol@example.org")), "/account/billing?done=withdrawn")
	wantShows(t, carol.get("/account/billing"), http.StatusOK, "-asks you to host")
	alice.invite("carol@example.org")
	carol.about("invitations/{id}/accept", s.invitation("carol@example.org"))
	wantRedirect(t, carol.send("POST", "/account/billing/leave", nil), "/account/billing?done=left")
	wantShows(t, carol.get("/account/billing?done=left"), http.StatusOK, ">Free<", "You are on your own plan again.")
	wantShows(t, alice.get("/account/billing"), http.StatusOK, "Only you so far")
	for _, path := range []string{"invitations/x/accept", "invitations/x/decline", "invitations/x/withdraw", "hosts/x/remove", "hosts/99999999999999999999/remove"} {
		wantShows(t, alice.send("POST", "/account/billing/"+path, nil), http.StatusNotFound)
	}
}

// TestInvitationsAreRefusedInWords: beside the field, or above all, and what was typed is still there.
func TestInvitationsAreRefusedInWords(t *testing.T) {
	s, alice, bob, carol := chain(t)
	for email, says := range map[string]string{"bob": "Type the whole address", "alice@example.org": "This is your own address"} {
		r := alice.invite(email)
		wantShows(t, r, http.StatusUnprocessableEntity, says, `value="`+email+`"`, `aria-invalid="true"`)
	}
	wantShows(t, bob.invite("carol@example.org"), http.StatusConflict, "This plan is for one host.")
	for i := range 19 {
		s.exec(`INSERT INTO plan_invitations (subscriber_id, email, email_key, expires_at) SELECT id, $1, $1, now() + interval '1 day' FROM users WHERE email = 'alice@example.org'`,
			fmt.Sprintf("host%d@example.org", i))
	}
	wantShows(t, alice.invite("bob@example.org"), http.StatusConflict, "all the hosts that it can have")
	wantShows(t, alice.get("/account/billing"), http.StatusOK, "20 of 20", "Remove one to invite another", "-E-mail address of another host")
	s.exec(`DELETE FROM plan_invitations`)

	alice.invite("bob@example.org")
	bob.buy("pub", "month")
	wantShows(t, bob.about("invitations/{id}/accept", s.invitation("bob@example.org")), http.StatusConflict, "You pay for a plan of your own")
	alice.invite("carol@example.org")
	s.exec(`UPDATE users SET email_verified_at = NULL WHERE email = 'carol@example.org'`)
	wantShows(t, carol.about("invitations/{id}/accept", s.invitation("carol@example.org")), http.StatusConflict, "Confirm your e-mail address first")
	wantShows(t, carol.get("/account/billing"), http.StatusOK, "-asks you to host")
}

// TestInvitingFillsNobodysInbox: an address gets three letters an hour, whoever asks for them.
func TestInvitingFillsNobodysInbox(t *testing.T) {
	needsLimits(t)
	s, alice, _, _ := chain(t)
	for range 5 {
		wantRedirect(t, alice.invite("dave@example.org"), "/account/billing?done=invited")
		alice.about("invitations/{id}/withdraw", s.invitation("dave@example.org"))
	}
	if letters := s.letters("dave@example.org"); len(letters) != 3 {
		t.Errorf("%d letters, want 3", len(letters))
	}
}

func TestNobodyIsInvitedWithoutMail(t *testing.T) {
	s := newSite(t)
	alice := s.host("alice@example.org")
	alice.buy("chain", "month")
	wantShows(t, alice.get("/account/billing"), http.StatusOK, "sends no mail, so nobody can be invited", "-E-mail address of another host")
	wantShows(t, alice.invite("bob@example.org"), http.StatusConflict, "sends no mail")
}

// TestDeletingAnAccountTellsOfItsPlan: what becomes of what is paid, before it is too late.
func TestDeletingAnAccountTellsOfItsPlan(t *testing.T) {
	s := newSite(t)
	b := s.host("alice@example.org")
	wantShows(t, b.get("/account/delete"), http.StatusOK, "You have none that is paid for", "-Invoices")
	b.buy("pub", "month")
	wantShows(t, b.get("/account/delete"), http.StatusOK, "It ends at once, and nothing more is charged.", "is not paid back", `href="/account/billing/invoices"`)
	wantShows(t, b.send("POST", "/account/delete", url.Values{"email": {"alice@example.org"}, "password": {testPassword}}), http.StatusOK, "Your account is deleted")
	if orphans := s.count(`SELECT count(*) FROM stripe_customers WHERE user_id IS NULL`); orphans != 1 {
		t.Errorf("%d customers wait to be deleted at Stripe, want 1", orphans)
	}
}

// TestStatesOfAPlan: the states that no test above brings about.
func TestStatesOfAPlan(t *testing.T) {
	soon := time.Now().Add(time.Hour)
	pub, free := billing.Plan{Slug: billing.Pub}, billing.Plan{Slug: billing.Free}
	for _, test := range []struct {
		st   billing.Standing
		want planState
	}{
		{billing.Standing{Plan: free}, stateFree},
		{billing.Standing{Plan: pub, Bought: billing.Pub, Status: "trialing", RenewsAt: &soon}, stateRenews},
		{billing.Standing{Plan: free, Bought: billing.Pub, Status: "unpaid"}, stateLapsed},
		{billing.Standing{Plan: free, Bought: billing.Pub, Status: "paused"}, stateLapsed},
		{billing.Standing{Plan: free, Bought: billing.Pub, Status: "canceled", EndsAt: &soon}, stateEnded},
		{billing.Standing{Plan: pub, HostedBy: "alice"}, stateHosted},
		{billing.Standing{Plan: billing.Plan{Slug: billing.Chain}, Bought: billing.Chain, Status: "canceled", HostedBy: "alice"}, stateHosted},
	} {
		if got := stateOf(test.st); got != test.want {
			t.Errorf("%+v: %q, want %q", test.st, got, test.want)
		}
	}
}
