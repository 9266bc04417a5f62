package session

import (
	"context"
	"fmt"
	"net/netip"
	"time"

	"github.com/jackc/pgx/v5"
)

// Venue is the place from which a host drives a session. A room that scans at once comes from one address, and needs the budget of a room there; a
// host who drives from an address shows that the room is behind it (docs/decisions/venue.md).
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

// venues is what this process knows of all venues, as of the last sweep or a host's command here.
type venues struct {
	byCode    map[string]Venue
	byNetwork map[netip.Prefix]Venue // the one with the largest capacity: budgets are not added up
}

// DrivenFrom records that the owner of a session drives it from a network. It costs a write every half minute.
func (s *Service) DrivenFrom(ctx context.Context, v Viewer, network netip.Prefix) error {
	if v.Role != RoleHost {
		return ErrNotFound
	}
	code, now := v.room.joinCode, s.now()
	if known, ok := s.venues.Load().byCode[code]; ok && known.Network == network && known.until.Sub(now) > venueAge-venueRefresh {
		return nil
	}
	tag, err := s.pool.Exec(ctx, `
		UPDATE sessions SET venue = $2, venue_until = clock_timestamp() + $3::interval WHERE id = $1 AND finished_at IS NULL`,
		v.Seat.Session, network, venueAge)
	if err != nil {
		return fmt.Errorf("session.DrivenFrom: %w", err)
	}
	if tag.RowsAffected() == 0 { // finished
		return nil
	}
	return s.readVenues(ctx)
}

// VenueOf returns the venue of the live session with this join code, if its host is driving it at the moment.
func (s *Service) VenueOf(code string) (Venue, bool) {
	v, ok := s.venues.Load().byCode[code]
	return v, ok && s.now().Before(v.until)
}

// CapacityAt returns the capacity of the largest session whose venue is the network; 0 where there is none.
func (s *Service) CapacityAt(network netip.Prefix) int {
	v, ok := s.venues.Load().byNetwork[network]
	if !ok || !s.now().Before(v.until) {
		return 0
	}
	return v.Capacity
}

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
	known := &venues{byCode: map[string]Venue{}, byNetwork: map[netip.Prefix]Venue{}}
	for _, v := range list {
		known.byCode[v.Code] = v
		if v.Capacity > known.byNetwork[v.Network].Capacity {
			known.byNetwork[v.Network] = v
		}
	}
	s.venues.Store(known)
	return nil
}
