package ratelimit

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"
)

// Override is the table with other budgets, windows and modes for some of its rows. Each setting, separated from the next by spaces or
// commas, is a limit's name and what it is to be: joinSession=200, auth=5/15m, hostEdit=shadow, global=shared (counted in the
// shared store), several joined by a plus: global=2400/1m+shared. The error names what cannot be.
func Override(table []Limit, settings string) ([]Limit, error) {
	table = slices.Clone(table)
	for _, setting := range strings.FieldsFunc(settings, func(r rune) bool { return r == ',' || r == ' ' }) {
		name, values, _ := strings.Cut(setting, "=")
		row := slices.IndexFunc(table, func(l Limit) bool { return l.Name == Name(name) })
		if row < 0 {
			return nil, fmt.Errorf("setting %q: there is no limit named %q", setting, name)
		}
		for value := range strings.SplitSeq(values, "+") {
			if err := table[row].set(value); err != nil {
				return nil, fmt.Errorf("setting %q: %w", setting, err)
			}
		}
		if err := table[row].Validate(); err != nil {
			return nil, fmt.Errorf("setting %q: %w", setting, err)
		}
	}
	return table, nil
}

func (l *Limit) set(value string) error {
	switch value {
	case "shadow":
		l.Shadow = true
		return nil
	case "shared":
		l.PerInstance = false
		return nil
	}
	number, length, hasWindow := strings.Cut(value, "/")
	budget, err := strconv.Atoi(number)
	if err != nil {
		return fmt.Errorf("%q is neither a budget such as 100 or 100/1m, nor shadow, nor shared", value)
	}
	l.Budget = budget
	if hasWindow {
		if l.Window, err = time.ParseDuration(length); err != nil {
			return fmt.Errorf("%q is not a window such as 90s or 15m", length)
		}
	}
	return nil
}
