// Package when says days in words. Pages say them for readers without a script, in UTC; letters have nothing else.
package when

import (
	"strconv"
	"time"

	"pubquiz/internal/words"
)

// Day is a day with its year: 2 January 2006. The year is no number to be counted with, so it has no thousands.
func Day(t time.Time) words.Text {
	return words.T("{date} {year}", "date", Date(t), "year", strconv.Itoa(t.UTC().Year()))
}

// Weekday is a day of the week with its date: Monday, 2 January 2006.
func Weekday(t time.Time) words.Text {
	day := Day(t)
	switch t.UTC().Weekday() {
	case time.Monday:
		return words.T("Monday, {day}", "day", day)
	case time.Tuesday:
		return words.T("Tuesday, {day}", "day", day)
	case time.Wednesday:
		return words.T("Wednesday, {day}", "day", day)
	case time.Thursday:
		return words.T("Thursday, {day}", "day", day)
	case time.Friday:
		return words.T("Friday, {day}", "day", day)
	case time.Saturday:
		return words.T("Saturday, {day}", "day", day)
	}
	return words.T("Sunday, {day}", "day", day)
}

// Date is a day without its year: 2 January.
func Date(t time.Time) words.Text {
	_, month, day := t.UTC().Date()
	switch month {
	case time.January:
		return words.T("{day} January", "day", day)
	case time.February:
		return words.T("{day} February", "day", day)
	case time.March:
		return words.T("{day} March", "day", day)
	case time.April:
		return words.T("{day} April", "day", day)
	case time.May:
		return words.T("{day} May", "day", day)
	case time.June:
		return words.T("{day} June", "day", day)
	case time.July:
		return words.T("{day} July", "day", day)
	case time.August:
		return words.T("{day} August", "day", day)
	case time.September:
		return words.T("{day} September", "day", day)
	case time.October:
		return words.T("{day} October", "day", day)
	case time.November:
		return words.T("{day} November", "day", day)
	}
	return words.T("{day} December", "day", day)
}
