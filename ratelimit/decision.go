package ratelimit

import "time"

// Decision is what a limiter says to a request. Of several checks it tells the one that refused or, if all admitted, the
// tightest.
type Decision struct {
	// Allowed says that the request may go on.
	Allowed bool
	// Unavailable says that the request was refused not for its budget but because the shared store does not answer
	// and the limit is Closed meanwhile.
	Unavailable bool
	// Shadow says that the request would have been refused, were the limit not in shadow mode.
	Shadow bool
	Name   Name
	// Limit is the budget in force for this key, Remaining what is left of it in this moment.
	Limit, Remaining int
	// RetryAfter is zero if the request was admitted, and otherwise the time until it would be, if nothing else came: at most
	// the window and a millisecond. A request at that time is admitted and one just before it is refused, while the key's
	// count is exact.
	RetryAfter time.Duration
	// Reset is the time until the oldest request counted leaves the window, so that Remaining grows: at most the window, and zero if none is
	// counted.
	Reset  time.Duration
	Reason Reason
	Place  Place
}

// Seconds rounds a wait up to whole seconds, at least 1: the form of Retry-After and RateLimit-Reset.
func Seconds(wait time.Duration) int {
	return max(1, int((wait+time.Second-1)/time.Second))
}

// Tighter is whichever of two decisions leaves less.
func (d Decision) Tighter(other Decision) Decision {
	switch {
	case d.Allowed && !other.Allowed,
		d.Allowed && other.Remaining < d.Remaining,
		!d.Allowed && !other.Allowed && other.RetryAfter > d.RetryAfter:
		return other
	}
	return d
}

// Reason says why a request was refused.
type Reason uint8

const (
	Admitted        Reason = iota
	OverBudget             // the key has used its budget
	BlockOverBudget        // the block of addresses has used its budget
	TableFull              // the key is new, the table is full of live keys, and the limit refuses newcomers
	StoreDown              // the shared store does not answer, and the limit is closed meanwhile
	reasons
)

func (r Reason) String() string {
	return [...]string{"admitted", "over-budget", "block-over-budget", "table-full", "store-down"}[r]
}

// Place says where a decision was made.
type Place uint8

const (
	InMemory   Place = iota // in this process, as configured
	InStore                 // in the shared store
	InFallback              // in this process or not at all, because the shared store does not answer
	places
)

func (p Place) String() string { return [...]string{"memory", "store", "fallback"}[p] }
