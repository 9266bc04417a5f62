package session

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/jackc/pgx/v5"

	"pubquiz/internal/postgres"
)

// changedChannel carries "session:version", once per version, from the transaction that wrote it.
const changedChannel = "session_changed"

const (
	sweepEvery     = time.Second     // also how long a lost announcement can go unnoticed
	sweepPatience  = 5 * time.Second // for one sweep
	closePatience  = 2 * time.Second // for the close of one question
	outOfTouch     = 10 * time.Second
	roomPatience   = 5 * time.Minute // an unwatched room is kept this long
	abandonedAfter = 24 * time.Hour  // a session in which nothing happens for so long has ended
	tidyEvery      = time.Minute     // between looks for idle rooms and abandoned sessions
	listenRetry    = 2 * time.Second // between attempts to listen when the database is away
)

// Run does what happens without anybody's request until ctx ends: it hears of changes by other instances, tells them
// who is connected here, closes questions whose time is over, ends abandoned sessions and frees idle rooms. Every instance runs it; none is special.
func (s *Service) Run(ctx context.Context) {
	var wg sync.WaitGroup
	wg.Go(func() { every(ctx, sweepEvery, s.keepInTouch) })
	wg.Go(func() { every(ctx, tidyEvery, s.tidy) })
	wg.Go(func() { s.listen(ctx) })
	if s.presence != nil {
		wg.Go(func() { s.share(ctx) })
	}
	wg.Wait()
	s.stopped.Store(true)
}

func every(ctx context.Context, interval time.Duration, do func(context.Context) error) {
	ticker := time.NewTicker(interval)
	defer ticker.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-ticker.C:
			if err := do(ctx); err != nil && ctx.Err() == nil {
				slog.Warn("work in the background failed; it is tried again", "error", err)
			}
		}
	}
}

// keepInTouch notices when the database was restored, and remembers since when it cannot be reached, which a sweep that waits for one locked row is no sign of.
// Then it sweeps. Who polls here is counted first, whether or not Postgres answers.
func (s *Service) keepInTouch(ctx context.Context) error {
	began := time.Now()
	s.countPollers()
	ctx, cancel := context.WithTimeout(ctx, sweepPatience)
	defer cancel()
	err := s.NoticeRestore(ctx)
	if postgres.Unavailable(err) {
		s.failing.CompareAndSwap(nil, &began)
	} else {
		s.failing.Store(nil)
	}
	if err != nil {
		return err
	}
	return s.sweep(ctx)
}

// OutOfTouch reports that this process has not reached Postgres for so long that others may know more. Then it had better be left alone.
func (s *Service) OutOfTouch() bool {
	since := s.failing.Load()
	return since != nil && time.Since(*since) >= outOfTouch
}

// sweep finds versions that were announced in vain, learns of other instances' venues, and closes every question whose time and grace are over, whichever process
// launched it.
func (s *Service) sweep(ctx context.Context) error {
	if err := s.readVenues(ctx); err != nil {
		return err
	}
	if err := s.checkVersions(ctx); err != nil {
		return err
	}
	// In any order: one that cannot be closed must not hold up the same others each time.
	rows, err := s.pool.Query(ctx, `
		SELECT session_id FROM session_questions WHERE status = 'open' AND paused_at IS NULL AND closes_at + $1 <= clock_timestamp() ORDER BY random()`, s.grace)
	if err != nil {
		return fmt.Errorf("looking for expired questions: %w", err)
	}
	expired, err := pgx.CollectRows(rows, pgx.RowTo[ID])
	if err != nil {
		return fmt.Errorf("looking for expired questions: %w", err)
	}
	for _, id := range expired {
		if err := ctx.Err(); err != nil {
			return fmt.Errorf("closing expired questions: %w", err)
		}
		s.closeExpired(ctx, id)
	}
	return nil
}

// checkVersions compares the versions of all rooms with Postgres, and refreshes what hosts and big screens see of other
// instances.
func (s *Service) checkVersions(ctx context.Context) error {
	rooms := map[ID]*room{}
	var ids []ID
	for _, r := range s.loadedRooms() {
		rooms[r.id] = r
		ids = append(ids, r.id)
		r.live.changed()
	}
	if len(ids) == 0 {
		return nil
	}
	rows, err := s.pool.Query(ctx, `SELECT id, version FROM sessions WHERE id = ANY ($1)`, ids)
	if err != nil {
		return fmt.Errorf("checking versions: %w", err)
	}
	var (
		id      ID
		version int64
	)
	_, err = pgx.ForEachRow(rows, []any{&id, &version}, func() error {
		rooms[id].heard(version)
		return nil
	})
	if err != nil {
		return fmt.Errorf("checking versions: %w", err)
	}
	return nil
}

// tidy finishes sessions in which nobody has done anything for a day, which frees their join codes, forgets idle
// rooms, and the names and answers of sessions that ended long ago.
func (s *Service) tidy(ctx context.Context) error {
	s.forgetIdleRooms(roomPatience)
	rows, err := s.pool.Query(ctx, `
		SELECT id FROM sessions s WHERE finished_at IS NULL AND changed_at < clock_timestamp() - $1::interval
			AND NOT EXISTS (SELECT FROM session_questions q WHERE q.session_id = s.id AND q.status = 'open' AND q.paused_at IS NULL)
			AND NOT EXISTS (SELECT FROM participants p WHERE p.session_id = s.id AND p.joined_at > clock_timestamp() - $1::interval)`,
		abandonedAfter)
	if err != nil {
		return fmt.Errorf("looking for abandoned sessions: %w", err)
	}
	abandoned, err := pgx.CollectRows(rows, pgx.RowTo[ID])
	if err != nil {
		return fmt.Errorf("looking for abandoned sessions: %w", err)
	}
	var failed error // of one session, which must not keep others from being ended or forgotten
	for _, id := range abandoned {
		if err := s.finishAbandoned(ctx, id); err != nil {
			failed = errors.Join(failed, fmt.Errorf("ending an abandoned session: %w", err))
		}
	}
	return errors.Join(failed, s.forget(ctx))
}

// finishAbandoned ends a session in the name of nobody.
func (s *Service) finishAbandoned(ctx context.Context, id ID) error {
	r, err := s.room(ctx, id)
	if err != nil {
		return err
	}
	var version int64
	err = postgres.InTx(ctx, s.pool, func(tx pgx.Tx) error {
		version, err = s.finish(ctx, tx, r.frozen, nil)
		return err
	})
	if err != nil {
		return err
	}
	r.wrote(ctx, version)
	return nil
}

// listen hears the announcements on a connection of its own. After every connect it checks all versions, since what was
// announced in between is lost.
func (s *Service) listen(ctx context.Context) {
	for ctx.Err() == nil {
		err := s.listenOnce(ctx)
		if ctx.Err() != nil {
			return
		}
		slog.Warn("listening for changes failed; trying again", "error", err)
		pause(ctx, listenRetry)
	}
}

func (s *Service) listenOnce(ctx context.Context) error {
	conn, err := pgx.ConnectConfig(ctx, s.pool.Config().ConnConfig)
	if err != nil {
		return fmt.Errorf("connecting: %w", err)
	}
	defer conn.Close(context.WithoutCancel(ctx))
	if _, err := conn.Exec(ctx, "LISTEN "+changedChannel); err != nil {
		return fmt.Errorf("listening: %w", err)
	}
	if err := s.NoticeRestore(ctx); err != nil { // it may be another database by now
		return err
	}
	if err := s.checkVersions(ctx); err != nil {
		return err
	}
	for {
		n, err := conn.WaitForNotification(ctx)
		if err != nil {
			return fmt.Errorf("waiting: %w", err)
		}
		s.announced(n.Payload)
	}
}

// announced tells the session's room, if this process has it.
func (s *Service) announced(payload string) {
	idText, versionText, _ := strings.Cut(payload, ":")
	id, err1 := strconv.ParseInt(idText, 10, 64)
	version, err2 := strconv.ParseInt(versionText, 10, 64)
	if err1 != nil || err2 != nil {
		slog.Warn("an announcement that cannot be read", "payload", payload)
		return
	}
	s.mu.Lock()
	r := s.rooms[ID(id)]
	s.mu.Unlock()
	if r != nil {
		r.heard(version)
	}
}
