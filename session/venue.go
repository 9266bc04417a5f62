package session

import (
	"context"
	"crypto/sha256"
	"fmt"
	"net/netip"
	"time"

	"github.com/jackc/pgx/v5"
)

// Venue is the place from which a host drives a session. A room that scans at once comes from one address, and needs
// the budget of a room there; a host who drives from an address shows that the room is behind it
// (docs/decisions/venue.md).
type Venue struct {
	Session  ID
	Code     string
	Network  netip.Prefix // one address, or the /64 of one
	Capacity int
	until    time.Time
}

const (
	venueAge     = 2 * time.Minute  // without a sign of the host
	venueRefresh = 30 * time.Second // between writings of the same
)

// venues is what this process knows of all venues and rejoin codes, as of the last sweep or a host's command here.
type venues struct {
	byCode    map[string]Venue
	byNetwork map[netip.Prefix]Venue // the one with the largest capacity: budgets are not added up
	codes     map[rejoinKey]bool
}

// DrivenFrom records that a host drives a session from a network: its owner with a command, which makes that network the
// venue, or by an open console or as a co-host, which does so only while no other is. So two consoles in two places do
// not take turns, and whoever helps from home takes nothing from the pub. It costs a write every half minute.
func (s *Service) DrivenFrom(ctx context.Context, v Viewer, network netip.Prefix, command bool) error {
	if v.Role != RoleHost {
		return ErrNotFound
	}
	code, now := v.room.joinCode, s.now()
	if known, ok := s.venues.Load().byCode[code]; ok && known.Network == network && known.until.Sub(now) > venueAge-venueRefresh {
		return nil
	}
	tag, err := s.pool.Exec(ctx, `
		UPDATE sessions SET venue = $2, venue_until = clock_timestamp() + $3::interval
		WHERE id = $1 AND finished_at IS NULL AND ($4 OR venue IS NULL OR venue = $2 OR venue_until <= clock_timestamp())`,
		v.Seat.Session, network, venueAge, command && v.Owns())
	if err != nil {
		return fmt.Errorf("session.DrivenFrom: %w", err)
	}
	if tag.RowsAffected() == 0 { // finished, or driven from elsewhere
		return nil
	}
	return s.readVenues(ctx)
}

// VenueOf returns the venue of the live session with this join code, if its host is driving it at the moment.
func (s *Service) VenueOf(code string) (Venue, bool) {
	v, ok := s.venues.Load().byCode[code]
	return v, ok && s.now().Before(v.until)
}

// VenueAt returns the venue of the largest session that is driven from the network; the zero Venue where there is none.
func (s *Service) VenueAt(network netip.Prefix) Venue {
	v := s.venues.Load().byNetwork[network]
	if !s.now().Before(v.until) {
		return Venue{}
	}
	return v
}

// IsRejoinCode reports, without asking the database, whether the code, as ParseRejoinCode returns it, is one that a
// host has given out and that has not expired. A code that another instance gave out is known within a second.
func (s *Service) IsRejoinCode(code string) bool {
	return s.venues.Load().codes[rejoinKey(hashOf(code))]
}

// rejoinKey is the hash of a rejoin code, which is all that is stored of it.
type rejoinKey [sha256.Size]byte

func (s *Service) readVenues(ctx context.Context) error {
	rows, err := s.pool.Query(ctx, `
		SELECT id, join_code, venue, capacity, venue_until FROM sessions
		WHERE finished_at IS NULL AND venue IS NOT NULL AND venue_until > clock_timestamp()`)
	if err != nil {
		return fmt.Errorf("reading the venues: %w", err)
	}
	list, err := pgx.CollectRows(rows, func(row pgx.CollectableRow) (v Venue, err error) {
		err = row.Scan(&v.Session, &v.Code, &v.Network, &v.Capacity, &v.until)
		return v, err
	})
	if err != nil {
		return fmt.Errorf("reading the venues: %w", err)
	}
	known := &venues{byCode: map[string]Venue{}, byNetwork: map[netip.Prefix]Venue{}, codes: map[rejoinKey]bool{}}
	for _, v := range list {
		known.byCode[v.Code] = v
		if v.Capacity > known.byNetwork[v.Network].Capacity {
			known.byNetwork[v.Network] = v
		}
	}
	if err := s.readRejoinCodes(ctx, known.codes); err != nil {
		return err
	}
	s.venues.Store(known)
	return nil
}

// readRejoinCodes adds the codes that can be used, or were within their time: a phone whose reply got lost sends the
// same again.
func (s *Service) readRejoinCodes(ctx context.Context, into map[rejoinKey]bool) error {
	rows, err := s.pool.Query(ctx, `
		SELECT c.code_hash FROM sessions s JOIN rejoin_codes c ON c.session_id = s.id
		WHERE s.finished_at IS NULL AND c.expires_at > clock_timestamp()`)
	if err != nil {
		return fmt.Errorf("reading the rejoin codes: %w", err)
	}
	var hash []byte
	_, err = pgx.ForEachRow(rows, []any{&hash}, func() error {
		into[rejoinKey(hash)] = true
		return nil
	})
	if err != nil {
		return fmt.Errorf("reading the rejoin codes: %w", err)
	}
	return nil
}
