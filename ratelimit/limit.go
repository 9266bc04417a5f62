package ratelimit

import (
	"encoding/json"
	"errors"
	"fmt"
	"time"
)

// Name names a limit. It is part of every key: exhausting one limit never touches another.
type Name string

// Limit is a budget: at most Budget requests of one key are admitted in any window of length Window.
type Limit struct {
	Name   Name
	Budget int
	Window time.Duration
	Key    KeyKind
	// StoreDown says what happens while the shared store does not answer.
	StoreDown Fallback
	// Overflow says what happens to a key that is new while the table of keys is full of live ones.
	Overflow Overflow
	// PerInstance keeps the count in this process's memory even where a shared store is in use.
	PerInstance bool
	// Group is common to limits that are checked together in one call.
	Group string
	// Share marks a budget that refuses nobody: what is beyond it, the caller charges elsewhere.
	Share bool
	// Shadow decides and records, and admits all the same.
	Shadow bool
	// Hurt says who is hurt when the limit trips, and why the budget is what it is.
	Hurt string
}

// Fallback says what happens while the shared store does not answer.
type Fallback uint8

const (
	// Local counts in this process's memory until the store is back, so that an attacker gains at most the number of instances.
	Local Fallback = iota
	// Closed refuses; the decision says Unavailable.
	Closed
)

func (f Fallback) String() string { return [...]string{"local", "closed"}[f] }

// Overflow says what happens to a newcomer, a key not yet held, while as many live keys are held as may be. Keys already
// held keep their exact count whatever comes.
type Overflow uint8

const (
	// CountKey counts newcomers in a sketch, which may count too many but never too few.
	CountKey Overflow = iota
	// CountBlock counts newcomers by their block of addresses (IPv4 /24, IPv6 /48), at BlockFactor times the budget.
	CountBlock
	// Refuse refuses newcomers.
	Refuse
)

func (o Overflow) String() string { return [...]string{"countKey", "countBlock", "refuse"}[o] }

// BlockFactor is how many times the budget of one address a block of addresses has.
const BlockFactor = 8

// The bounds of what a limit may be set to.
const (
	MaxBudget = 100_000
	MinWindow = time.Second
	MaxWindow = 24 * time.Hour
)

// Validate says what is wrong with the limit, if anything.
func (l Limit) Validate() error {
	var errs []error
	if l.Name == "" {
		errs = append(errs, errors.New("it has no name"))
	}
	if l.Budget < 1 || l.Budget > MaxBudget {
		errs = append(errs, fmt.Errorf("budget %d is not between 1 and %d", l.Budget, MaxBudget))
	}
	if l.Window < MinWindow || l.Window > MaxWindow || l.Window%time.Second != 0 {
		errs = append(errs, fmt.Errorf("window %v is not a number of seconds between %v and %v", l.Window, MinWindow, MaxWindow))
	}
	if l.Key < ByAddress || l.Key > ByAccount {
		errs = append(errs, errors.New("it has no kind of key"))
	}
	if l.Overflow == CountBlock && l.Key != ByAddress {
		errs = append(errs, errors.New("only addresses have blocks to be counted in"))
	}
	if len(errs) > 0 {
		return fmt.Errorf("limit %q: %w", l.Name, errors.Join(errs...))
	}
	return nil
}

// For is the limit's budget for one key, to be asked for.
func (l Limit) For(key Key) Check { return Check{name: l.Name, key: key} }

// MarshalJSON writes the row of the printed table, with the window in seconds.
func (l Limit) MarshalJSON() ([]byte, error) {
	return json.Marshal(struct {
		Name          Name   `json:"name"`
		Limit         int    `json:"limit"`
		WindowSeconds int    `json:"windowSeconds"`
		Key           string `json:"key"`
		StoreDown     string `json:"storeDown"`
		Overflow      string `json:"overflow"`
		PerInstance   bool   `json:"perInstance"`
		Shadow        bool   `json:"shadow"`
		Hurt          string `json:"hurt"`
	}{l.Name, l.Budget, int(l.Window / time.Second), l.Key.String(), l.StoreDown.String(), l.Overflow.String(), l.PerInstance, l.Shadow, l.Hurt})
}

// Check is a question to the limiters: may this key go on under that limit?
type Check struct {
	name    Name
	key     Key
	atLeast int
}

// AtLeast raises the budget of this one check to n where the limit's own is smaller.
func (c Check) AtLeast(n int) Check {
	c.atLeast = n
	return c
}
