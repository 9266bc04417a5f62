package session

import (
	"context"
	"fmt"
	"log/slog"

	"github.com/jackc/pgx/v5"

	"pubquiz/internal/postgres"
)

// A row that a restore has written was written by another transaction than it says, into whichever database; files that were put back, and a replica that has taken over, are served by a server that was
// started at another time. Versions may have gone back in all these cases. A server that was only restarted looks like that, too, and gets a new epoch for nothing, which costs each screen a new socket and one snapshot.
const (
	sameDatabase = `written_by IS NOT DISTINCT FROM xmin AND served_since IS NOT DISTINCT FROM pg_postmaster_start_time()`
	newEpoch     = `UPDATE epoch SET epoch = DEFAULT, written_by = pg_current_xact_id()::xid, served_since = pg_postmaster_start_time() WHERE NOT (` + sameDatabase + `)`
	// skipNumbers leaves out the numbers that may have been given out since the backup, for others still hold them: phones in their tokens, Redis, and Stripe on its customers and checkouts.
	skipNumbers = `
		SELECT setval(numbers, nextval(numbers) + 1000000) FROM unnest(ARRAY[
			pg_get_serial_sequence('participants', 'id'), pg_get_serial_sequence('sessions', 'id'),
			pg_get_serial_sequence('users', 'id'), pg_get_serial_sequence('checkouts', 'attempt')]::regclass[]) AS numbers`
)

// NoticeRestore finds out by itself whether the database was restored since an instance last looked, and then gives it a new epoch, so that screens take what is there although they hold a newer version.
// This process forgets what it knows from before, and whoever watched comes back to what is there now.
func (s *Service) NoticeRestore(ctx context.Context) error {
	var (
		epoch string
		same  bool
	)
	if err := s.pool.QueryRow(ctx, `SELECT epoch, `+sameDatabase+` FROM epoch`).Scan(&epoch, &same); err != nil {
		return fmt.Errorf("reading the epoch: %w", err)
	}
	if !same {
		var err error
		if epoch, err = s.beginEpoch(ctx); err != nil {
			return fmt.Errorf("beginning an epoch: %w", err)
		}
	}
	for _, r := range s.loadedRooms() {
		if r.epoch != epoch {
			s.abandon(r)
		}
	}
	return nil
}

// beginEpoch begins a new one, unless another instance has, and returns the one that has begun.
func (s *Service) beginEpoch(ctx context.Context) (epoch string, err error) {
	err = postgres.InTx(ctx, s.pool, func(tx pgx.Tx) error {
		tag, err := tx.Exec(ctx, newEpoch)
		if err != nil {
			return err
		}
		if tag.RowsAffected() > 0 {
			if _, err := tx.Exec(ctx, skipNumbers); err != nil {
				return err
			}
			slog.Warn("Postgres was started anew, or the database restored: screens are told to take what is there")
		}
		return tx.QueryRow(ctx, `SELECT epoch FROM epoch`).Scan(&epoch)
	})
	return epoch, err
}

// abandon forgets a room of another epoch and sends away whoever watches it.
func (s *Service) abandon(r *room) {
	s.mu.Lock()
	if s.rooms[r.id] == r {
		delete(s.rooms, r.id)
	}
	s.mu.Unlock()
	r.past.Store(true)
	r.stopDeadline()
	r.mu.Lock()
	watchers := r.everyone()
	r.mu.Unlock()
	wakeAll(watchers)
}
