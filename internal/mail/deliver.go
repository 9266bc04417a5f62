package mail

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"math/rand/v2"
	"strings"
	"time"
)

// Message is a letter on its way.
type Message struct {
	ID     string // a UUID, the same for every attempt
	To     string
	Letter Letter
}

// Sender sends one message. It returns ErrRefused, wrapped, for one that will never be taken.
type Sender interface {
	Send(ctx context.Context, m Message) error
}

// ErrRefused says that trying again would not help.
var ErrRefused = errors.New("the letter is refused for good")

const (
	lookEvery   = 2 * time.Second     // for letters that are due
	sendTimeout = 10 * time.Second    // of one attempt
	lease       = 2 * time.Minute     // of an attempt: after it, the process that made it has died
	keepFailed  = 30 * 24 * time.Hour // letters that were given up stay so long for the operator to see
	tidyEvery   = time.Hour

	firstWait   = 30 * time.Second // after the first failure; then twice as long each time, up to longestWait
	longestWait = time.Hour
)

// Run sends what is in the outbox until ctx ends. Every instance may run it.
func (o *Outbox) Run(ctx context.Context, sender Sender) {
	look, tidy := time.NewTicker(lookEvery), time.NewTicker(tidyEvery)
	defer look.Stop()
	defer tidy.Stop()
	for {
		var err error
		select {
		case <-ctx.Done():
			return
		case <-look.C:
			err = o.Deliver(ctx, sender)
		case <-tidy.C:
			err = o.tidy(ctx)
		}
		if err != nil && ctx.Err() == nil {
			slog.Warn("the outbox does not work; it tries again", "error", err)
		}
	}
}

// Deliver tries to send each letter that is due. Of those that cannot be sent it remembers why: that is no error of Deliver.
func (o *Outbox) Deliver(ctx context.Context, sender Sender) error {
	for ctx.Err() == nil {
		c, found, err := o.claim(ctx)
		if err != nil || !found {
			return err
		}
		// What has been begun is brought to its end also when the process is told to stop, or it would be sent twice.
		if err := o.attempt(context.WithoutCancel(ctx), sender, c); err != nil {
			return err
		}
	}
	return nil
}

// attempt sends one letter and writes down what became of it.
func (o *Outbox) attempt(ctx context.Context, sender Sender, c claimed) (err error) {
	if c.message.To == "" {
		return o.forget(ctx, c)
	}
	if c.expired {
		return o.giveUp(ctx, c, "it could not be sent while it was of use")
	}
	if c.message.Letter, err = o.open(c.sealed, c.message.To); err != nil {
		return o.giveUp(ctx, c, "it cannot be read: "+err.Error())
	}
	within, cancel := context.WithTimeout(ctx, sendTimeout)
	defer cancel()
	switch err := sender.Send(within, c.message); {
	case err == nil:
		o.sent.Add(1)
		return o.forget(ctx, c)
	case errors.Is(err, ErrRefused):
		return o.giveUp(ctx, c, err.Error())
	default:
		return o.postpone(ctx, c, err.Error())
	}
}

func (o *Outbox) forget(ctx context.Context, c claimed) error {
	if _, err := o.pool.Exec(ctx, `DELETE FROM mail_outbox WHERE id = $1`, c.id); err != nil {
		return fmt.Errorf("forgetting a letter that was sent: %w", err)
	}
	return nil
}

// giveUp keeps of a letter only that and why it was not sent.
func (o *Outbox) giveUp(ctx context.Context, c claimed, why string) error {
	o.givenUp.Add(1)
	slog.Warn("a letter was given up", "message", c.message.ID, "attempts", c.attempts, "error", shortened(why))
	// Of a letter that is no longer of use the reason is what its attempts met, if there were any.
	const write = `
		UPDATE mail_outbox SET failed_at = now(), letter = NULL, last_error = CASE WHEN $3 THEN coalesce(last_error, $2) ELSE $2 END WHERE id = $1`
	if _, err := o.pool.Exec(ctx, write, c.id, shortened(why), c.expired); err != nil {
		return fmt.Errorf("giving up a letter: %w", err)
	}
	return nil
}

// postpone lets a letter wait for its next attempt.
func (o *Outbox) postpone(ctx context.Context, c claimed, why string) error {
	o.retried.Add(1)
	slog.Warn("a letter could not be sent; it is tried again", "message", c.message.ID, "attempts", c.attempts, "error", shortened(why))
	const write = `UPDATE mail_outbox SET due_at = now() + $2::interval, last_error = $3 WHERE id = $1`
	if _, err := o.pool.Exec(ctx, write, c.id, wait(c.attempts, rand.Float64()), shortened(why)); err != nil {
		return fmt.Errorf("postponing a letter: %w", err)
	}
	return nil
}

// wait is how long after its nth failed attempt a letter waits: exponential, the second half of it by chance (in [0, 1)), so that the letters of an outage
// do not all come back in the same second.
func wait(attempts int, chance float64) time.Duration {
	longest := longestWait
	if attempts < 8 { // 30 s · 2⁷ is over an hour
		longest = min(longestWait, firstWait<<(attempts-1))
	}
	return longest/2 + time.Duration(chance*float64(longest/2))
}

// shortened is an error as it is stored: one line of bounded length.
func shortened(text string) string {
	line := []rune(strings.Join(strings.Fields(strings.ToValidUTF8(strings.ReplaceAll(text, "\x00", ""), "")), " "))
	return string(line[:min(len(line), 300)])
}

// tidy forgets what was given up long ago.
func (o *Outbox) tidy(ctx context.Context) error {
	if _, err := o.pool.Exec(ctx, `DELETE FROM mail_outbox WHERE failed_at < now() - $1::interval`, keepFailed); err != nil {
		return fmt.Errorf("tidying the outbox: %w", err)
	}
	return nil
}
