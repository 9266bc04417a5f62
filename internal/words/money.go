package words

import (
	"math"
	"slices"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/currency"
	"golang.org/x/text/number"
)

// Money is an amount of a currency, which each language writes in its own way: £9.00, 9,00 £.
type Money struct {
	Amount   int64  // in the smallest unit
	Digits   int    // that the smallest unit is behind the comma
	Currency string // ISO 4217: "GBP"
}

// IsZero tells that there is no amount.
func (m Money) IsZero() bool { return m == Money{} }

// String is the amount in English.
func (m Money) String() string { return English.Show(m) }

const noBreakSpace = "\u00a0"

// money writes an amount with the symbol where CLDR has it: behind the digits, or in front of them, there with a space only where it is letters or the language always has one.
func (l *Language) money(m Money) string {
	sign, amount := "", m.Amount
	if amount < 0 {
		sign, amount = "−", -amount
	}
	digits := l.numbers.Sprint(number.Decimal(float64(amount)/math.Pow10(m.Digits), number.Scale(m.Digits)))
	symbol := m.Currency
	if known, err := currency.ParseISO(m.Currency); err == nil {
		symbol = l.numbers.Sprint(currency.NarrowSymbol(known))
	}
	last, _ := utf8.DecodeLastRuneInString(symbol)
	switch {
	case slices.Contains([]string{"de", "fr", "es", "pl"}, l.Code):
		return sign + digits + noBreakSpace + symbol
	case l.Code == "pt" || l.Code == "ar" || unicode.IsLetter(last):
		return sign + symbol + noBreakSpace + digits
	}
	return sign + symbol + digits
}

// Decimal is a number with so many digits behind the comma: 8.4.
func (l *Language) Decimal(n float64, digits int) string {
	return l.numbers.Sprint(number.Decimal(n, number.Scale(digits)))
}
