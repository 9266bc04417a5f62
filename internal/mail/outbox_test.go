package mail

import (
	"bytes"
	"context"
	"errors"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"pubquiz/internal/dbtest"
)

func newOutbox(t *testing.T) (*Outbox, *pgxpool.Pool) {
	t.Helper()
	pool := dbtest.New(t)
	o, err := NewOutbox(pool, bytes.Repeat([]byte("k"), 32))
	if err != nil {
		t.Fatal(err)
	}
	return o, pool
}

func put(t *testing.T, o *Outbox, to string) {
	t.Helper()
	if err := o.Put(t.Context(), o.pool, to, letter, time.Hour); err != nil {
		t.Fatal(err)
	}
}

func deliver(t *testing.T, o *Outbox, sender Sender) {
	t.Helper()
	if err := o.Deliver(t.Context(), sender); err != nil {
		t.Fatal(err)
	}
}

func exec(t *testing.T, pool *pgxpool.Pool, sql string) {
	t.Helper()
	if _, err := pool.Exec(t.Context(), sql); err != nil {
		t.Fatal(err)
	}
}

func status(t *testing.T, o *Outbox) Status {
	t.Helper()
	s, err := o.Status(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// failing is a Sender that fails in one way.
type failing struct {
	err  error
	seen []Message
}

func (f *failing) Send(_ context.Context, m Message) error {
	f.seen = append(f.seen, m)
	return f.err
}

func TestALetterIsSentOnceAndForgotten(t *testing.T) {
	t.Parallel()
	o, pool := newOutbox(t)
	put(t, o, "alice@example.org")
	if s := status(t, o); s.Waiting != 1 || s.Oldest.IsZero() {
		t.Errorf("before: %+v", s)
	}
	var tray Tray
	deliver(t, o, &tray)
	deliver(t, o, &tray)
	letters := tray.Letters()
	if len(letters) != 1 || letters[0].To != "alice@example.org" || letters[0].Letter.Link != letter.Link || len(letters[0].ID) != 36 {
		t.Fatalf("sent: %+v", letters)
	}
	var left int
	if err := pool.QueryRow(t.Context(), `SELECT count(*) FROM mail_outbox`).Scan(&left); err != nil || left != 0 {
		t.Errorf("%d letters are left, %v", left, err)
	}
	if c := o.Counts(); c != (Counts{Sent: 1}) {
		t.Errorf("counts: %+v", c)
	}
}

// A letter is there exactly if its cause is.
func TestALetterGoesWithItsTransaction(t *testing.T) {
	t.Parallel()
	o, _ := newOutbox(t)
	cause := errors.New("the cause did not happen")
	err := pgx.BeginFunc(t.Context(), o.pool, func(tx pgx.Tx) error {
		if err := o.Put(t.Context(), tx, "alice@example.org", letter, time.Hour); err != nil {
			return err
		}
		return cause
	})
	if !errors.Is(err, cause) || status(t, o).Waiting != 0 {
		t.Errorf("%v, %+v", err, status(t, o))
	}
}

func TestNobodyGetsALetterToNobody(t *testing.T) {
	t.Parallel()
	o, _ := newOutbox(t)
	put(t, o, "")
	if s := status(t, o); s.Waiting != 0 {
		t.Errorf("the operator sees it: %+v", s)
	}
	var tray Tray
	deliver(t, o, &tray)
	if len(tray.Letters()) != 0 {
		t.Error("it was sent")
	}
	var left int
	if err := o.pool.QueryRow(t.Context(), `SELECT count(*) FROM mail_outbox`).Scan(&left); err != nil || left != 0 {
		t.Errorf("%d are left, %v", left, err)
	}
}

// The links in letters open accounts: whoever reads the database must not find them there.
func TestLettersAreSealedAtRest(t *testing.T) {
	t.Parallel()
	o, pool := newOutbox(t)
	put(t, o, "alice@example.org")
	var row string
	if err := pool.QueryRow(t.Context(), `SELECT mail_outbox::text || encode(letter, 'escape') FROM mail_outbox`).Scan(&row); err != nil {
		t.Fatal(err)
	}
	if strings.Contains(row, "token=") || strings.Contains(row, letter.Subject) {
		t.Errorf("the row is %s", row)
	}
	// Nor can somebody who writes to the database have it sent to themselves.
	exec(t, pool, `UPDATE mail_outbox SET recipient = 'mallory@example.org'`)
	var tray Tray
	deliver(t, o, &tray)
	if len(tray.Letters()) != 0 || status(t, o).GivenUp != 1 {
		t.Errorf("sent %v, %+v", tray.Letters(), status(t, o))
	}
}

// Several instances look into the outbox at the same time.
func TestTwoInstancesSendEachLetterOnce(t *testing.T) {
	t.Parallel()
	one, pool := newOutbox(t)
	two, err := NewOutbox(pool, bytes.Repeat([]byte("k"), 32))
	if err != nil {
		t.Fatal(err)
	}
	const letters = 50
	for range letters {
		put(t, one, "alice@example.org")
	}
	var group sync.WaitGroup
	var trays [4]Tray
	for i := range trays {
		group.Go(func() {
			if err := []*Outbox{one, two}[i%2].Deliver(context.WithoutCancel(t.Context()), &trays[i]); err != nil {
				t.Error(err)
			}
		})
	}
	group.Wait()
	seen := map[string]int{}
	for i := range trays {
		for _, m := range trays[i].Letters() {
			seen[m.ID]++
		}
	}
	for id, times := range seen {
		if times != 1 {
			t.Errorf("%s was sent %d times", id, times)
		}
	}
	if len(seen) != letters {
		t.Errorf("%d letters were sent, want %d", len(seen), letters)
	}
}

// A process that dies while it sends leaves a letter that another takes up when the lease is over: with the same id, so that a mailbox can tell.
func TestALetterOfADeadProcessIsSentAgain(t *testing.T) {
	t.Parallel()
	o, pool := newOutbox(t)
	put(t, o, "alice@example.org")
	c, found, err := o.claim(t.Context())
	if err != nil || !found {
		t.Fatal(found, err)
	}
	var tray Tray
	deliver(t, o, &tray)
	if len(tray.Letters()) != 0 {
		t.Fatal("it is sent while another process is at it")
	}
	exec(t, pool, `UPDATE mail_outbox SET due_at = due_at - interval '2 minutes'`)
	deliver(t, o, &tray)
	if letters := tray.Letters(); len(letters) != 1 || letters[0].ID != c.message.ID {
		t.Errorf("sent: %+v, want one with the id %s", letters, c.message.ID)
	}
}

func TestAFailureIsTriedAgainLaterAndLater(t *testing.T) {
	t.Parallel()
	o, pool := newOutbox(t)
	put(t, o, "alice@example.org")
	sender := &failing{err: errors.New("the server is away")}
	var waits, took []time.Duration
	for range 3 {
		began := time.Now()
		deliver(t, o, sender)
		var left time.Duration
		if err := pool.QueryRow(t.Context(), `SELECT due_at - now() FROM mail_outbox`).Scan(&left); err != nil {
			t.Fatal(err)
		}
		waits, took = append(waits, left), append(took, time.Since(began))
		deliver(t, o, sender) // not due
		exec(t, pool, `UPDATE mail_outbox SET due_at = now()`)
	}
	for i, longest := range []time.Duration{30 * time.Second, time.Minute, 2 * time.Minute} {
		if waits[i] > longest || waits[i] < longest/2-took[i] {
			t.Errorf("%v after it was sent, wait %d is %v, want half of %v to all of it", took[i], i+1, waits[i], longest)
		}
	}
	if len(sender.seen) != 3 || sender.seen[0].ID != sender.seen[2].ID {
		t.Errorf("%d attempts", len(sender.seen))
	}
	if s := status(t, o); s.Waiting != 1 || s.LastError != "the server is away" {
		t.Errorf("%+v", s)
	}
	var tray Tray
	deliver(t, o, &tray)
	if len(tray.Letters()) != 1 || o.Counts() != (Counts{Sent: 1, Retried: 3}) {
		t.Errorf("sent %d, %+v", len(tray.Letters()), o.Counts())
	}
}

func TestALetterIsGivenUp(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		before string
		sender *failing
		tries  int
		err    string
	}{
		"refused for good":                  {sender: &failing{err: ErrRefused}, tries: 1, err: ErrRefused.Error()},
		"of no use any more":                {before: `UPDATE mail_outbox SET expires_at = now()`, sender: &failing{}, err: "it could not be sent while it was of use"},
		"of no use any more after failures": {before: `UPDATE mail_outbox SET expires_at = now(), attempts = 5, last_error = 'no route'`, sender: &failing{}, err: "no route"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			o, pool := newOutbox(t)
			put(t, o, "alice@example.org")
			if test.before != "" {
				exec(t, pool, test.before)
			}
			deliver(t, o, test.sender)
			exec(t, pool, `UPDATE mail_outbox SET due_at = now()`)
			deliver(t, o, test.sender)
			if len(test.sender.seen) != test.tries {
				t.Errorf("%d attempts, want %d", len(test.sender.seen), test.tries)
			}
			if s := status(t, o); s.Waiting != 0 || s.GivenUp != 1 || s.LastError != test.err || o.Counts().GivenUp != 1 {
				t.Errorf("%+v, %+v", s, o.Counts())
			}
			var erased bool
			if err := pool.QueryRow(t.Context(), `SELECT letter IS NULL FROM mail_outbox`).Scan(&erased); err != nil || !erased {
				t.Errorf("the letter is kept, %v", err)
			}
			exec(t, pool, `UPDATE mail_outbox SET failed_at = now() - interval '31 days'`)
			if err := o.tidy(t.Context()); err != nil || status(t, o).GivenUp != 0 {
				t.Errorf("after a month: %v, %+v", err, status(t, o))
			}
		})
	}
}

// Told to stop, the worker finishes the letter that it has begun.
func TestStoppingDoesNotLeaveALetterHalfSent(t *testing.T) {
	t.Parallel()
	o, _ := newOutbox(t)
	put(t, o, "alice@example.org")
	put(t, o, "alice@example.org")
	ctx, cancel := context.WithCancel(t.Context())
	sent := 0
	if err := o.Deliver(ctx, sendFunc(func(within context.Context, _ Message) error {
		cancel()
		sent++
		return within.Err()
	})); err != nil {
		t.Error(err)
	}
	if sent != 1 || o.Counts().Sent != 1 || status(t, o).Waiting != 1 {
		t.Errorf("%d sent, %+v, %+v", sent, o.Counts(), status(t, o))
	}
}

type sendFunc func(context.Context, Message) error

func (f sendFunc) Send(ctx context.Context, m Message) error { return f(ctx, m) }
