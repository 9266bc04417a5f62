package loadtest

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"slices"
)

// The kinds of questions that are answered in ways of their own.
const (
	slide       = "slide"
	multiple    = "multiple"
	ordering    = "ordering"
	numberKind  = "number"
	leastPoints = 0.5
)

// choose answers as somebody who knows some of it and types badly.
func (p *phone) choose(q question) given {
	var g given
	switch {
	case q.Kind == multiple:
		for option := range q.Options {
			if p.human.below(2) == 0 {
				g.Choices = append(g.Choices, option)
			}
		}
		if len(g.Choices) == 0 {
			g.Choices = []int{p.human.below(len(q.Options))}
		}
	case q.Kind == ordering:
		for option := range q.Options {
			g.Choices = slices.Insert(g.Choices, p.human.below(len(g.Choices)+1), option)
		}
	case len(q.Options) > 0:
		g.Choices = []int{p.human.below(len(q.Options))}
	case q.Kind == numberKind:
		g.Text = p.human.number()
	default:
		g.Text = guesses[p.human.below(len(guesses))]
	}
	if q.Wager {
		g.Wager = leastPoints * float64(p.human.below(9))
	}
	return g
}

// guesses are what rooms type: right answers to some question, slips of them, and nonsense.
var guesses = []string{
	"gold", "Gold!", "silver", "Au", "no idea", "42", "Michelangelo", "michaelangelo", "Micheal Angelo", "Buonarroti", "Leonardo", "Henry VIII", "henry the 8th", "Henry VII",
	"Canberra", "canbera", "Sydney", "Mississippi", "missisipi", "the Beatles", "beatels", "Shakespeare", "shakespear", "São Paulo", "sao paulo", "  gold ", "東京", "🍺",
}

// number is a guess in one of the ways in which people write numbers.
func (d *dice) number() string {
	n := d.below(3000)
	switch d.below(6) {
	case 0:
		return fmt.Sprintf("%d.5", n)
	case 1:
		return fmt.Sprintf("%d,%03d", n%9+1, n%1000)
	case 2:
		return fmt.Sprintf("%d %03d", n%9+1, n%1000)
	case 3:
		return []string{"eighteen", "twenty-one", "a hundred", "MDCCC", "two thousand and one"}[n%5]
	default:
		return fmt.Sprint(n)
	}
}

// playJoker doubles a round. The round may have begun meanwhile, which the phone is told.
func (p *phone) playJoker(ctx context.Context, round int) {
	for n := 0; ; n++ {
		err := p.browser.call(ctx, joker, http.MethodPost, p.venue.apiPath("joker"), map[string]any{"round": round}, nil)
		if err == nil {
			return
		}
		if refused, ok := errors.AsType[*refusal](err); ok && refused.status == http.StatusConflict {
			return
		}
		pause, again := p.machine.pause(n, err)
		if !again || !sleep(ctx, pause) {
			return
		}
	}
}
