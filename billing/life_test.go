package billing

import (
	"errors"
	"flag"
	"math/rand/v2"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"pubquiz/account"
	"pubquiz/internal/stripetest"
)

var lifeSeed = flag.Uint64("seed", 0, "TestLives: the same seed does the same things, and delivers events in the same order; 0 draws one")

// TestLives lets two hundred hosts subscribe, pay late, change, cancel, come back, pay twice, dispute and be refunded, while events arrive in any order, several at once, again, or never. Each time what is
// stored ends as it is at Stripe, and what must not be at Stripe is not: without lost events at once, with them once everything was compared.
func TestLives(t *testing.T) {
	const lives, sites = 200, 4
	seed := *lifeSeed
	if seed == 0 {
		seed = rand.Uint64()
	}
	t.Logf("the seed is %d", seed)
	for n := range sites {
		t.Run(named(n), func(t *testing.T) {
			t.Parallel()
			s := newSite(t)
			for i := n; i < lives; i += sites {
				l := life{site: s, random: rand.New(rand.NewPCG(seed, uint64(i))), name: named(i), loses: i%2 == 1}
				l.live()
				if t.Failed() {
					t.Fatalf("life %d of seed %d", i, seed)
				}
			}
		})
	}
}

// life is that of one host with their subscriptions.
type life struct {
	*site
	random *rand.Rand
	name   string
	loses  bool // some events
	user   account.UserID
	held   []stripetest.Event
}

func (l *life) live() {
	l.t.Helper()
	l.user = l.site.user(l.name)
	l.pay(l.checkout(l.user, Pub, Month))
	for range 4 + l.random.IntN(6) {
		l.act()
		l.deliver(l.random.IntN(len(l.held) + 3))
	}
	l.deliverAll()
	if l.loses {
		l.reconcile()
		l.deliverAll() // what came of that
	}
	l.check()
	// An end that arrives, so that the next life has less to compare.
	for _, customer := range l.stripe.Customers() {
		l.stripe.DeleteCustomer(customer)
	}
	l.receiveAll(l.stripe.Events())
	l.wantPlan(l.user, Free)
}

// act does one thing, if it is possible.
func (l *life) act() {
	l.t.Helper()
	var id string
	if live := l.site.live(); len(live) > 0 {
		id = live[l.random.IntN(len(live))].ID
	}
	price := testPrices.Prices[l.random.IntN(len(testPrices.Prices))]
	switch l.random.IntN(12) {
	case 0, 1:
		l.stripe.SetCancelAtPeriodEnd(id, true)
	case 2:
		l.stripe.SetCancelAtPeriodEnd(id, false)
	case 3:
		l.stripe.SetPrice(id, price.ID)
	case 4:
		l.stripe.EndPeriod(id, true)
	case 5:
		l.stripe.EndPeriod(id, false)
	case 6:
		l.stripe.PayLate(id)
	case 7:
		l.stripe.End(id)
	case 8:
		l.stripe.Refund(id)
	case 9:
		l.stripe.Dispute(id)
	case 10:
		if customers := l.stripe.Customers(); len(customers) > 0 {
			l.stripe.Subscribe(customers[0], price.ID)
		}
	case 11:
		address, err := l.Checkout(l.t.Context(), l.user, price.Plan, price.Interval)
		if errors.Is(err, ErrSubscribed) {
			return
		}
		if err != nil {
			l.t.Fatal(err)
		}
		l.pay(address)
	}
	for _, e := range l.stripe.Events() {
		if !l.loses || l.random.IntN(4) > 0 {
			l.held = append(l.held, e)
		}
	}
}

// deliver delivers some of the events that are held, three at a time and some of them twice.
func (l *life) deliver(number int) {
	l.t.Helper()
	l.random.Shuffle(len(l.held), func(i, j int) { l.held[i], l.held[j] = l.held[j], l.held[i] })
	number = min(number, len(l.held))
	now := slices.Clone(l.held[:number])
	l.held = l.held[number:]
	for _, e := range slices.Clone(now) {
		if l.random.IntN(3) == 0 {
			now = append(now, e)
		}
	}
	for together := range slices.Chunk(now, 3) {
		var wg sync.WaitGroup
		for _, e := range together {
			wg.Go(func() { l.insist(e) })
		}
		wg.Wait()
	}
}

// insist sends an event until it is taken, as Stripe does.
func (l *life) insist(e stripetest.Event) {
	const times = 10
	var err error
	for range times {
		if err = l.Receive(l.t.Context(), e.Body, stripetest.Sign(e.Body, time.Now())); err == nil {
			return
		}
	}
	l.t.Errorf("%s was refused %d times: %v", e.Type, times, err)
}

// deliverAll delivers all events, and those of what happens when they arrive.
func (l *life) deliverAll() {
	l.t.Helper()
	for l.held = append(l.held, l.stripe.Events()...); len(l.held) > 0; l.held = append(l.held, l.stripe.Events()...) {
		l.deliver(len(l.held))
	}
}

func (l *life) check() {
	l.t.Helper()
	type state struct {
		ID     string
		Price  string
		Status string
		Ends   bool
	}
	var want []state
	for _, x := range l.site.live() {
		if x.Status == "past_due" {
			x.Price = "" // what is forgiven is what was known before, and that is for a test of its own
		}
		want = append(want, state{x.ID, x.Price, x.Status, x.CancelAtPeriodEnd})
		if x.Status == "active" && (x.Refunded || x.Disputed) {
			l.t.Errorf("%+v goes on at Stripe, though its money went back", x)
		}
	}
	if len(want) > 1 {
		l.t.Errorf("%d subscriptions go on at Stripe: %+v", len(want), want)
	}
	rows, err := l.pool.Query(l.t.Context(), `SELECT id, CASE WHEN status = 'past_due' THEN '' ELSE price_id END, status, cancel_at IS NOT NULL FROM subscriptions WHERE user_id = $1 AND `+live, l.user)
	if err != nil {
		l.t.Fatal(err)
	}
	got, err := pgx.CollectRows(rows, pgx.RowToStructByPos[state])
	if err != nil {
		l.t.Fatal(err)
	}
	if !slices.Equal(got, want) {
		l.t.Errorf("stored is %+v, and at Stripe %+v", got, want)
	}
	switch {
	case len(want) == 0:
		l.wantPlan(l.user, Free)
	case want[0].Price != "":
		price, _ := testPrices.withID(want[0].Price)
		l.wantPlan(l.user, price.Plan)
	}
	for _, x := range l.stripe.Subscriptions() {
		var refunded bool
		err := l.pool.QueryRow(l.t.Context(), `SELECT refunded FROM subscriptions WHERE id = $1`, x.ID).Scan(&refunded)
		if err != nil && !errors.Is(err, pgx.ErrNoRows) {
			l.t.Fatal(err)
		}
		if refunded && (!x.Refunded || x.Status != "canceled") {
			l.t.Errorf("%+v was to be paid back and cancelled", x)
		}
	}
}
