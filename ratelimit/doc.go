// Package ratelimit limits how often a client may do something.
//
// A Limit admits at most Budget requests of one key in any window of its length: an exact sliding log. A refused request
// is not recorded, so that asking again never prolongs the wait, and Decision.RetryAfter is the moment at which the window has
// room again. Time is monotonic; setting the clock changes nothing.
//
// Limiters hold a bounded number of keys each. A key held keeps its exact count whatever else comes in: only keys that have
// left the window are evicted, which takes constant time. Keys that find no room are counted together, by the limit's Overflow:
// never too few, so that a flood of keys gives nobody a fresh budget. Memory is bounded by the number of keys and their budgets:
// about 150 bytes a key, and four to eight bytes for each admission in the window where there are more than eleven.
//
// IPv6 addresses are counted by their /64, and by their /48 with BlockFactor times the budget.
//
// The package depends on nothing but the standard library. Counts are this process's own unless a Store shares them.
package ratelimit
