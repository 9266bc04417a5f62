package page

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"
	"time"

	"pubquiz/loadtest"
)

// lanes are the phones of one venue, one below the other.
type lanes struct {
	chart
	Venue int
}

const (
	laneHeight = 7
	mostLanes  = 300 // in all venues
)

// looks are the states in the order of the legend, from the ground up.
var looks = []struct {
	state loadtest.State
	label string
}{
	{loadtest.OnSocket, "on the socket"},
	{loadtest.Polling, "in, polling"},
	{loadtest.Scanning, "scanning, joining"},
	{loadtest.Waiting, "waiting to get in"},
}

// lanes draws what each phone went through. Where there are too many, it takes those of each venue that had the most trouble.
func (d drawing) lanes() (venues []lanes, note string) {
	byVenue := map[int][]loadtest.Lane{}
	last := 0
	for _, l := range d.story.Lanes {
		byVenue[l.Venue] = append(byVenue[l.Venue], l)
		last = max(last, l.Venue)
	}
	each := mostLanes / max(1, len(byVenue))
	for venue := 1; venue <= last; venue++ {
		list := byVenue[venue]
		if len(list) == 0 || each == 0 {
			continue
		}
		if len(list) > each {
			note = fmt.Sprintf("Of each venue, the %d phones that had the most trouble.", each)
			list = slices.SortedFunc(slices.Values(list), func(a, b loadtest.Lane) int { return cmp.Compare(d.trouble(b), d.trouble(a)) })[:each]
			slices.SortFunc(list, func(a, b loadtest.Lane) int { return cmp.Compare(a.Phone, b.Phone) })
		}
		venues = append(venues, lanes{d.venue(venue, list), venue})
	}
	return venues, note
}

// trouble is how long a phone waited or was without a socket, and a second more for every refusal.
func (d drawing) trouble(l loadtest.Lane) (t time.Duration) {
	d.spans(l, func(from, to time.Duration, s loadtest.State) {
		if s == loadtest.Waiting || s == loadtest.Polling {
			t += to - from
		}
	})
	for _, m := range l.Marks {
		if m.What != loadtest.Answered {
			t += time.Second
		}
	}
	return t
}

// spans visits how long a phone was in which state.
func (d drawing) spans(l loadtest.Lane, visit func(from, to time.Duration, s loadtest.State)) {
	for i, c := range l.Changes {
		to := d.took
		if i+1 < len(l.Changes) {
			to = l.Changes[i+1].At
		}
		if c.To != loadtest.Left {
			visit(c.At, to, c.To)
		}
	}
}

func (d drawing) venue(number int, list []loadtest.Lane) chart {
	c := chart{Height: laneHeight * len(list), Across: d.across(), Bands: d.misfortunes(number)}
	states := map[loadtest.State]*strings.Builder{}
	for _, look := range looks {
		states[look.state] = &strings.Builder{}
	}
	var launches, answered, refused strings.Builder
	for _, m := range d.story.Moments {
		if launch(m) && m.Venue == number {
			fmt.Fprintf(&launches, "M%g 0V%d", d.x(m.At), c.Height)
		}
	}
	for i, l := range list {
		y := float64(laneHeight)*float64(i) + laneHeight/2.0
		d.spans(l, func(from, to time.Duration, s loadtest.State) {
			fmt.Fprintf(states[s], "M%g %gH%g", d.x(from), y, max(d.x(to), d.x(from)+0.5))
		})
		for _, m := range l.Marks {
			into := &refused
			if m.What == loadtest.Answered {
				into = &answered
			}
			fmt.Fprintf(into, "M%g %gh0", d.x(m.At), y)
		}
	}
	c.Shapes = append(c.Shapes, shape{"launch", launches.String()})
	for _, look := range looks {
		c.Shapes = append(c.Shapes, shape{"lane " + string(look.state), states[look.state].String()})
	}
	c.Shapes = append(c.Shapes, shape{"mark answered", answered.String()}, shape{"mark refused", refused.String()})
	return c
}

const roomHeight = 160

// room draws how many phones were in which state.
func (d drawing) room() chart {
	const columns = 250
	count := make(map[loadtest.State][]int)
	for _, look := range looks {
		count[look.state] = make([]int, columns)
	}
	for _, l := range d.story.Lanes {
		d.spans(l, func(from, to time.Duration, s loadtest.State) {
			// At the middle of each column a phone is in one state.
			first, last := math.Ceil(d.x(from)/width*columns-0.5), math.Ceil(d.x(to)/width*columns-0.5)
			for i := int(first); i < min(int(last), columns); i++ {
				count[s][i]++
			}
		})
	}
	most := roundUp(len(d.story.Lanes))
	c := chart{Title: "The room", Height: roomHeight, Across: d.across(), Bands: d.misfortunes(1), Empty: len(d.story.Lanes) == 0}
	for _, n := range []int{0, most / 2, most} {
		c.Up = append(c.Up, tick{100 * float64(n) / float64(most), fmt.Sprint(n)})
	}
	ground := make([]int, columns)
	for _, look := range looks {
		var path strings.Builder
		for i, n := range count[look.state] {
			if n == 0 {
				continue
			}
			bottom, top := ground[i], ground[i]+n
			y := func(n int) float64 { return roomHeight * (1 - float64(n)/float64(most)) }
			fmt.Fprintf(&path, "M%g %.1fV%.1fh%gV%.1fz", float64(i)*width/columns, y(bottom), y(top), width/float64(columns)+0.4, y(bottom))
			ground[i] = top
		}
		c.Shapes = append(c.Shapes, shape{"area " + string(look.state), path.String()})
		c.Legend = append(c.Legend, entry{Look: string(look.state), Label: look.label})
	}
	return c
}
