package page

import (
	"fmt"
	"math"
	"time"

	"pubquiz/loadtest"
)

// width is that of every drawing, in units of its own: it is stretched to the page's. Text is not in it, so that it keeps its size.
const width = 1000

// drawing draws what is in a story against its time.
type drawing struct {
	took  time.Duration
	story loadtest.Story
}

// chart is a drawing with axes.
type chart struct {
	Title, Note string
	Height      int // of the drawing, in its units and in pixels
	Shapes      []shape
	Bands       []band // misfortunes
	Across, Up  []tick
	Legend      []entry
	Empty       bool
}

// shape is one path in one look, which the page's style gives it.
type shape struct{ Look, Path string }

// tick is a place on an axis, in percent.
type tick struct {
	At    float64
	Label string
}

// band is a stretch of time that all should notice, in percent.
type band struct {
	At, Long float64
	Label    string
}

// entry explains a look.
type entry struct {
	Look, Label string
	Count       int
}

func (d drawing) x(at time.Duration) float64 {
	if d.took <= 0 {
		return 0
	}
	return math.Round(10*width*min(1, max(0, at.Seconds()/d.took.Seconds()))) / 10
}

// across are ticks on the axis of time: at most six or seven, at round places.
func (d drawing) across() (ticks []tick) {
	step := 10 * time.Second
	for _, s := range []time.Duration{10, 15, 30, 60, 120, 300, 600, 1800} {
		step = s * time.Second
		if d.took/step <= 6 {
			break
		}
	}
	for at := time.Duration(0); at <= d.took; at += step {
		label := fmt.Sprintf("%d:%02d", int(at.Minutes()), int(at.Seconds())%60)
		ticks = append(ticks, tick{d.x(at) / width * 100, label})
	}
	return ticks
}

// misfortunes are those of a venue. What happens to all of them happens at about the same time, so that the first stands for all.
func (d drawing) misfortunes(venue int) (bands []band) {
	for _, m := range d.story.Moments {
		if !launch(m) && (m.Venue == 0 || m.Venue == venue) {
			from, to := d.x(m.At)/width*100, d.x(m.Until)/width*100
			bands = append(bands, band{from, to - from, m.What})
		}
	}
	return bands
}

func launch(m loadtest.Moment) bool { return m.Until == 0 }

// logarithmic scales what spans several powers of ten.
type logarithmic struct{ least, most float64 }

// up is the share of the height.
func (l logarithmic) up(v float64) float64 {
	return (math.Log10(min(max(v, l.least), l.most)) - math.Log10(l.least)) / (math.Log10(l.most) - math.Log10(l.least))
}

// roundUp is the next of 1, 2, 5, 10, 20, …
func roundUp(n int) int {
	for step := 1; ; step *= 10 {
		for _, r := range []int{step, 2 * step, 5 * step} {
			if r >= n {
				return r
			}
		}
	}
}
