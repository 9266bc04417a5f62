package billing

// Interval is how often a plan is paid.
type Interval string

// The intervals.
const (
	Month Interval = "month"
	Year  Interval = "year"
)

// Price is what a plan costs in an interval.
type Price struct {
	Plan     Slug
	Interval Interval
	ID       string // at Stripe: price_…
	Amount   int64  // in the currency's minor units
}

// Prices is what the paid plans cost.
type Prices struct {
	Currency string // ISO 4217, in lower case
	Prices   []Price
}

// Validate reports what is missing, doubled or impossible: each paid plan has a price for each interval, and none has two.
func (p Prices) Validate() error { panic("not yet") }

// Of returns what a plan costs in an interval.
func (p Prices) Of(plan Slug, interval Interval) (Price, bool) { panic("not yet") }

// FormatAmount is an amount of minor units as people write it, such as "£9.00"; JPY and its like have no minor units, KWD has a thousand. The currency is an ISO 4217 code in
// either case.
func FormatAmount(amount int64, currency string) string { panic("not yet") }
