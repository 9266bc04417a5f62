package main

import (
	"context"
	"fmt"
	"slices"
	"time"
)

// crowdSizes are the numbers of sockets.
var crowdSizes = []int{9000, 5000, 1000}

const largestCrowd = 9000 // memory is measured with it

// side is what one server did for a crowd of one size.
type side struct {
	took []time.Duration // publish to last receipt, of every publish
	cpu  time.Duration   // of the server, for all of them
}

// idle is by how much a server grows for each socket that says nothing.
type idle struct {
	name  string
	grown footprint
}

func (s *side) median() time.Duration { return quantile(s.took, 0.5) }

func quantile(of []time.Duration, q float64) time.Duration {
	sorted := slices.Sorted(slices.Values(of))
	return sorted[int(q*float64(len(sorted)-1))]
}

// duel is ours and a peer with equal crowds at the same time, who take turns, so that whatever else the machine does meets both.
type duel struct {
	peer       string
	sockets    int
	ours, them side
}

func (d *duel) ratio() float64 { return float64(d.ours.median()) / float64(d.them.median()) }

func (r *results) measureSockets(ctx context.Context, folder, database string) error {
	progress("building and starting the servers; Centrifugo takes minutes the first time")
	e, err := startEvening(ctx, folder, database, largestCrowd/seatsPerRoom+1)
	if err != nil {
		return err
	}
	defer e.process.stop()
	rooms, oneRoom := e.contenders()
	peers, err := startPeers(ctx, folder)
	defer func() {
		for _, peer := range peers {
			peer.process.stop()
		}
	}()
	if err != nil {
		return err
	}
	for _, c := range append([]*contender{rooms}, peers...) {
		progress("idle sockets, %s", c.name)
		if err := r.measureIdle(ctx, c); err != nil {
			return err
		}
	}
	for round := range r.rounds {
		if err := r.measureCommand(ctx, e); err != nil {
			return err
		}
		for _, sockets := range crowdSizes {
			if err := r.measureCrowds(ctx, oneRoom, append(peers, rooms), sockets); err != nil {
				return fmt.Errorf("round %d, %d sockets: %w", round+1, sockets, err)
			}
		}
		if err := r.measureFloors(ctx, peers[0]); err != nil {
			return fmt.Errorf("round %d, the floor: %w", round+1, err)
		}
	}
	return nil
}

// measureIdle must come first, while the server has not yet had a crowd.
func (r *results) measureIdle(ctx context.Context, c *contender) error {
	before, err := c.process.footprint(ctx)
	if err != nil {
		return err
	}
	all, err := gather(ctx, c, largestCrowd)
	if err != nil {
		return err
	}
	defer all.disperse()
	after, err := c.process.footprint(ctx)
	r.idle = append(r.idle, idle{c.name, footprint{
		inUse:    (after.inUse - before.inUse) / largestCrowd,
		resident: (after.resident - before.resident) / largestCrowd,
	}})
	return err
}

// measureCommand measures what of ours comes before the first write: the command in a full room that nobody watches.
func (r *results) measureCommand(ctx context.Context, e *evening) error {
	for range r.publishes {
		began := time.Now()
		if err := e.toggle(ctx, e.rooms[0]); err != nil {
			return err
		}
		r.command = append(r.command, time.Since(began))
	}
	return nil
}

// measureCrowds has ours meet every peer.
func (r *results) measureCrowds(ctx context.Context, ours *contender, peers []*contender, sockets int) error {
	crowd, err := gather(ctx, ours, sockets)
	if err != nil {
		return err
	}
	defer crowd.disperse()
	r.payload = *crowd.sample.Load()
	for _, peer := range peers {
		progress("%d sockets, %s", sockets, peer.name)
		other, err := gather(ctx, peer, sockets)
		if err != nil {
			return err
		}
		err = r.fight(ctx, r.duel(peer.name, sockets), crowd, other)
		other.disperse()
		if err != nil {
			return err
		}
	}
	return nil
}

// fight has both publish in turn.
func (r *results) fight(ctx context.Context, d *duel, ours, them *crowd) error {
	sides := []struct {
		*side
		*crowd
	}{{&d.ours, ours}, {&d.them, them}}
	for _, s := range sides { // once to warm up
		if _, err := s.publish(ctx, r.payload); err != nil {
			return err
		}
		s.settle()
	}
	for range r.publishes {
		for _, s := range sides {
			before, err := s.contender.process.cpu()
			if err != nil {
				return err
			}
			took, err := s.publish(ctx, r.payload)
			if err != nil {
				return err
			}
			s.took = append(s.took, took)
			time.Sleep(50 * time.Millisecond) // for what the server has still to do
			after, err := s.contender.process.cpu()
			if err != nil {
				return err
			}
			s.cpu += after - before
		}
	}
	return nil
}

func (r *results) duel(peer string, sockets int) *duel { return duelIn(&r.duels, peer, sockets) }

// duelIn finds a duel, or adds it.
func duelIn(duels *[]*duel, peer string, sockets int) *duel {
	for _, d := range *duels {
		if d.peer == peer && d.sockets == sockets {
			return d
		}
	}
	d := &duel{peer: peer, sockets: sockets}
	*duels = append(*duels, d)
	return d
}
