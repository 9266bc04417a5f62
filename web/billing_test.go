package web

import "pubquiz/billing"

const webhookSecret = "whsec_quiz"

// testPrices are what the plans cost here.
func testPrices() billing.Prices {
	return billing.Prices{Currency: "gbp", Prices: []billing.Price{
		{Plan: billing.Pub, Interval: billing.Month, ID: "price_pub_month", Amount: 900}, {Plan: billing.Pub, Interval: billing.Year, ID: "price_pub_year", Amount: 9000},
		{Plan: billing.Venue, Interval: billing.Month, ID: "price_venue_month", Amount: 2900}, {Plan: billing.Venue, Interval: billing.Year, ID: "price_venue_year", Amount: 29000},
		{Plan: billing.Chain, Interval: billing.Month, ID: "price_chain_month", Amount: 9900}, {Plan: billing.Chain, Interval: billing.Year, ID: "price_chain_year", Amount: 99000},
	}}
}
