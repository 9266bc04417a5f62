package session

import (
	"context"
	"fmt"

	"github.com/jackc/pgx/v5"

	"pubquiz/internal/postgres"
	"pubquiz/internal/words"
	"pubquiz/quiz"
)

// Places of a session.
const (
	standardPlaces   = 100 // of a new one, where its host may have as many
	unverifiedPlaces = 30  // for a host who could confirm their address, and has not
)

// liveWithoutPlans is how many live sessions a host has at most where nothing is sold. Nobody needs so many, and each may take nine megabytes of memory.
const liveWithoutPlans = 20

// Allowance is what a host's plan lets them have at this moment.
type Allowance struct {
	Plan         words.Text     // its name, for people
	Places       int            // in one session
	LiveSessions int            // at once, of all the hosts together
	Hosts        []quiz.OwnerID // who share the plan, the host among them
}

// Places is how many a session of a host's may have, and what stands in the way of more.
type Places struct {
	Most  int
	Bound Bound
	Plan  words.Text // its name; empty where there are no plans
}

// Bound is what bounds the places of a session.
type Bound string

// The bounds.
const (
	BoundOfAll     Bound = "all"     // no session has more
	BoundOfPlan    Bound = "plan"    // another plan has more
	BoundOfAddress Bound = "address" // there are more once the host has confirmed their address
)

// tooFew refuses more places than there may be; of more than any session has, the state machine says so itself.
func (p Places) tooFew() *InvalidError {
	detail := words.T("Your plan, {plan}, includes up to {most} places in a session. A larger plan has more.", "plan", p.Plan, "most", p.Most)
	if p.Bound == BoundOfAddress {
		detail = words.T("A session can have {most} places until you have confirmed your e-mail address. Your account’s page sends you the letter for that.", "most", p.Most)
	}
	return &InvalidError{Field: "capacity", Detail: detail}
}

// PlacesFor returns how many places a session of the host's may have at this moment.
func (s *Service) PlacesFor(ctx context.Context, host quiz.OwnerID) (p Places, err error) {
	err = postgres.InTx(ctx, s.pool, func(tx pgx.Tx) error {
		plan, err := s.plan(ctx, tx, host)
		if err != nil {
			return err
		}
		p, err = s.places(ctx, tx, host, plan)
		return err
	})
	if err != nil {
		return p, fmt.Errorf("session.PlacesFor: %w", err)
	}
	return p, nil
}

// plan reads the host's plan, nil where there are none. Until the transaction ends nobody who shares it can read it, so that of two sessions that are opened
// at once the second one counts the first.
func (s *Service) plan(ctx context.Context, tx pgx.Tx, host quiz.OwnerID) (*Allowance, error) {
	if s.allowance == nil {
		return nil, nil
	}
	a, err := s.allowance(ctx, tx, host)
	if err != nil {
		return nil, fmt.Errorf("reading the plan of host %d: %w", host, err)
	}
	return &a, nil
}

func (s *Service) places(ctx context.Context, tx pgx.Tx, host quiz.OwnerID, plan *Allowance) (Places, error) {
	p := Places{Most: MaxCapacity, Bound: BoundOfAll}
	if plan != nil {
		p.Plan = plan.Plan
		if plan.Places < p.Most {
			p.Most, p.Bound = plan.Places, BoundOfPlan
		}
	}
	if !s.verifiedOnly || p.Most <= unverifiedPlaces {
		return p, nil
	}
	var verified bool
	if err := tx.QueryRow(ctx, `SELECT email_verified_at IS NOT NULL FROM users WHERE id = $1`, host).Scan(&verified); err != nil {
		return p, fmt.Errorf("reading whether host %d has confirmed their address: %w", host, err)
	}
	if !verified {
		p.Most, p.Bound = unverifiedPlaces, BoundOfAddress
	}
	return p, nil
}

// checkOneMore fails with *TooManyOpenError unless the host's plan allows one more live session than there are, or, where there are no plans, the bound for all does.
func (s *Service) checkOneMore(ctx context.Context, tx pgx.Tx, host quiz.OwnerID, plan *Allowance) error {
	if plan == nil {
		if _, err := tx.Exec(ctx, `SELECT FROM users WHERE id = $1 FOR NO KEY UPDATE`, host); err != nil { // one at a time, as with a plan
			return fmt.Errorf("locking host %d: %w", host, err)
		}
		plan = &Allowance{LiveSessions: liveWithoutPlans, Hosts: []quiz.OwnerID{host}}
	}
	rows, err := tx.Query(ctx, `
		SELECT `+summaryColumns+`, CASE WHEN s.owner_id = $1 THEN '' ELSE u.name END AS host
		FROM sessions s JOIN users u ON u.id = s.owner_id
		WHERE s.owner_id = ANY ($2) AND s.finished_at IS NULL ORDER BY s.created_at, s.id`, host, plan.Hosts)
	if err != nil {
		return fmt.Errorf("reading what host %d has open: %w", host, err)
	}
	open, err := pgx.CollectRows(rows, pgx.RowToStructByName[OpenSession])
	if err != nil {
		return fmt.Errorf("reading what host %d has open: %w", host, err)
	}
	if len(open) < plan.LiveSessions {
		return nil
	}
	return &TooManyOpenError{Plan: plan.Plan, Allowed: plan.LiveSessions, Open: open}
}

// applyAllowance refuses a step that takes what the host may not have at this moment: more places, or one more live session by going back from the end. While it
// is under way a session keeps what it has, whatever has become of its host's plan; back from the end it has as many places as one that is opened now may have.
func (s *Service) applyAllowance(ctx context.Context, tx pgx.Tx, host quiz.OwnerID, before State, after *State) error {
	grows, revives := after.Capacity > before.Capacity, before.Phase == Finished && after.Phase != Finished
	if !grows && !revives {
		return nil
	}
	plan, err := s.plan(ctx, tx, host)
	if err != nil {
		return err
	}
	p, err := s.places(ctx, tx, host, plan)
	switch {
	case err != nil:
		return err
	case revives:
		after.Capacity = min(after.Capacity, p.Most)
		return s.checkOneMore(ctx, tx, host, plan)
	case after.Capacity > p.Most:
		return p.tooFew()
	}
	return nil
}
