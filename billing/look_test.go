package billing

import (
	"slices"
	"strings"
	"testing"
	"time"

	"pubquiz/internal/mail"
	"pubquiz/internal/words"
)

// TestOvertakenLook stores nothing that was seen before something newer was.
func TestOvertakenLook(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	alice := s.user("alice")
	id := s.subscribe(alice, Pub, Month)
	customer := s.stripe.Customers()[0]
	number, known, err := s.beginLook(t.Context(), customer)
	if err != nil {
		t.Fatal(err)
	}
	all, err := s.Billing.stripe.subscriptions(t.Context(), customer)
	if err != nil {
		t.Fatal(err)
	}
	s.stripe.End(id)
	s.receiveAll(s.stripe.Events())
	changes, err := s.store(t.Context(), number, customer, s.ours(all, known), "evt_that_was_slow")
	if err != nil || len(changes) > 0 {
		t.Errorf("stored was %q, %v", changes, err)
	}
	s.wantPlan(alice, Free)
	if got := s.letters("alice"); !slices.Equal(got, []string{"Your plan has ended"}) {
		t.Errorf("the letters are %q", got)
	}
}

// TestSubscriptionsOfOthers leaves alone what is at Stripe for other reasons, and takes for ours what was sold here at a price that is not configured any more.
func TestSubscriptionsOfOthers(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	alice := s.user("alice")
	s.checkout(alice, Pub, Month)
	s.stripe.AddPrice("price_of_beer", "eur", "month", 500)
	s.stripe.Subscribe(s.stripe.Customers()[0], "price_of_beer")
	s.receiveAll(s.stripe.Events())
	s.wantPlan(alice, Free)
	sold := s.subscribe(alice, Pub, Month)
	s.wantPlan(alice, Pub)
	if live := s.live(); len(live) != 2 {
		t.Errorf("there go on %+v, want the beer, too", live)
	}
	s.stripe.AddPrice("price_of_last_year", "eur", "month", 800)
	s.stripe.SetPrice(sold, "price_of_last_year")
	s.exec(`DELETE FROM subscriptions`) // so that only what is written on it says what it is
	s.reconcile()
	s.wantPlan(alice, Pub)
}

// TestLetters has each letter say what it is about, and lead to a page of this site.
func TestLetters(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	at := time.Date(2026, 12, 1, 23, 30, 0, 0, time.FixedZone("", -3600))
	for name, c := range map[string]struct {
		letter mail.Letter
		says   []string
		link   string
	}{
		"failed":    {s.failedLetter(at).In(words.English), []string{"goes on until 2 December 2026"}, "https://quiz.example/account/billing"},
		"cancelled": {s.cancelledLetter(at).In(words.English), []string{"ends on 2 December 2026", "nothing more is charged"}, "https://quiz.example/account/billing"},
		"ended":     {s.endedLetter().In(words.English), []string{"has ended", "an evening that is under way goes on"}, "https://quiz.example/pricing"},
		"refunded":  {s.refundedLetter().In(words.English), []string{"goes back to where it came from"}, "https://quiz.example/account/billing"},
		"invited":   {s.invitedLetter().In(words.English), []string{"at quiz.example"}, "https://quiz.example/account/billing"},
	} {
		page, err := c.letter.HTML()
		if err != nil {
			t.Errorf("%s: %v", name, err)
		}
		plain := c.letter.Subject + "\n" + c.letter.Plain()
		for _, want := range c.says {
			if !strings.Contains(plain, want) {
				t.Errorf("%s does not say %q:\n%s", name, want, plain)
			}
		}
		if !strings.Contains(page, `href="`+c.link+`"`) || !strings.Contains(plain, c.link+"\n") {
			t.Errorf("%s does not lead to %s:\n%s", name, c.link, plain)
		}
	}
}

// TestALookThatPostgresEnded is stored by another try, once: as when somebody at the same moment locked the same rows in another order.
func TestALookThatPostgresEnded(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	alice := s.user("alice")
	s.subscribe(alice, Pub, Month)
	s.stripe.End(s.live()[0].ID)
	s.exec(`CREATE SEQUENCE tries`) // which goes on when a try is rolled back
	s.exec(`
		CREATE FUNCTION deadlock_once() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
			IF nextval('tries') = 1 THEN
				RAISE SQLSTATE '40P01';
			END IF;
			RETURN NULL;
		END $$`)
	s.exec(`CREATE CONSTRAINT TRIGGER deadlock AFTER UPDATE ON subscriptions DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION deadlock_once()`)
	changes, err := s.look(t.Context(), s.stripe.Customers()[0], "")
	if err != nil || len(changes) != 1 {
		t.Errorf("the changes are %q, %v", changes, err)
	}
	s.wantPlan(alice, Free)
	if got := s.letters("alice"); !slices.Equal(got, []string{"Your plan has ended"}) {
		t.Errorf("alice has the letters %q", got)
	}
}
