package mail

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"sync/atomic"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgxpool"

	"pubquiz/internal/seal"
)

// Outbox is the letters that are to be sent. It is safe for concurrent use, and for use by several instances.
type Outbox struct {
	pool *pgxpool.Pool
	box  seal.Box

	sent, retried, givenUp atomic.Uint64 // by this process
}

// NewOutbox returns the outbox in the database of pool. What it holds is sealed with the first of the keys: a letter may hold a link that opens
// an account, and a copy of the database must not.
func NewOutbox(pool *pgxpool.Pool, keys ...[]byte) (*Outbox, error) {
	box, err := seal.New("letters in the outbox", keys...)
	if err != nil {
		return nil, fmt.Errorf("mail.NewOutbox: %w", err)
	}
	return &Outbox{pool: pool, box: box}, nil
}

// execer is a transaction, or where a letter is all there is, a pool.
type execer interface {
	Exec(ctx context.Context, sql string, args ...any) (pgconn.CommandTag, error)
}

// Put writes a letter to an address. After the lifetime it is of no use any more, and not sent. A letter to the address "" is sent to nobody, and takes as long to
// write: whoever asks for a letter to somebody must not learn from the time it takes whether there is such a person.
func (o *Outbox) Put(ctx context.Context, tx execer, to string, l Letter, lifetime time.Duration) error {
	plain, err := json.Marshal(l)
	if err != nil {
		return fmt.Errorf("mail.Put: %w", err)
	}
	const insert = `INSERT INTO mail_outbox (recipient, letter, expires_at) VALUES (nullif($1, ''), $2, now() + $3::interval)`
	if _, err := tx.Exec(ctx, insert, to, o.box.Seal(plain, to), lifetime); err != nil {
		return fmt.Errorf("mail.Put: %w", err)
	}
	return nil
}

// open reads a letter that Put sealed.
func (o *Outbox) open(sealed []byte, to string) (l Letter, err error) {
	plain, _, err := o.box.Open(sealed, to)
	if err != nil {
		return l, err
	}
	return l, json.Unmarshal(plain, &l)
}

// Counts is what this process has done since it started.
type Counts struct {
	Sent    uint64
	Retried uint64 // attempts that failed and were to be repeated
	GivenUp uint64
}

// Counts returns what this process has done since it started.
func (o *Outbox) Counts() Counts {
	return Counts{Sent: o.sent.Load(), Retried: o.retried.Load(), GivenUp: o.givenUp.Load()}
}

// Status is how the outbox stands, over all instances.
type Status struct {
	Waiting   int       // to be sent
	Oldest    time.Time // when the oldest of those was written; zero if there are none
	GivenUp   int       // in the last 30 days
	LastError string    // of the latest letter with one that waits or was given up; empty if there is none
}

// Status reads how the outbox stands.
func (o *Outbox) Status(ctx context.Context) (s Status, err error) {
	const read = `
		SELECT count(*) FILTER (WHERE failed_at IS NULL), count(*) FILTER (WHERE failed_at IS NOT NULL), min(created_at) FILTER (WHERE failed_at IS NULL),
			coalesce((SELECT last_error FROM mail_outbox WHERE last_error IS NOT NULL ORDER BY coalesce(failed_at, due_at) DESC LIMIT 1), '')
		FROM mail_outbox WHERE recipient IS NOT NULL`
	var oldest *time.Time
	if err := o.pool.QueryRow(ctx, read).Scan(&s.Waiting, &s.GivenUp, &oldest, &s.LastError); err != nil {
		return s, fmt.Errorf("mail.Status: %w", err)
	}
	if oldest != nil {
		s.Oldest = *oldest
	}
	return s, nil
}

// claimed is a letter that this process is about to send.
type claimed struct {
	id       int64
	attempts int
	expired  bool
	sealed   []byte
	message  Message
}

// claim takes the next letter that is due, and keeps it from all other instances for the length of the lease. Nothing due is no error.
func (o *Outbox) claim(ctx context.Context) (c claimed, found bool, err error) {
	const take = `
		UPDATE mail_outbox SET attempts = attempts + 1, due_at = now() + $1::interval
		WHERE id = (SELECT id FROM mail_outbox WHERE failed_at IS NULL AND due_at <= now() ORDER BY due_at LIMIT 1 FOR UPDATE SKIP LOCKED)
		RETURNING id, attempts, expires_at <= now(), letter, message_id::text, coalesce(recipient, '')`
	err = o.pool.QueryRow(ctx, take, lease).Scan(&c.id, &c.attempts, &c.expired, &c.sealed, &c.message.ID, &c.message.To)
	switch {
	case errors.Is(err, pgx.ErrNoRows):
		return c, false, nil
	case err != nil:
		return c, false, fmt.Errorf("taking a letter: %w", err)
	}
	return c, true, nil
}
