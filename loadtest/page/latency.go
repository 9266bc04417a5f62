package page

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"time"

	"pubquiz/loadtest"
)

const latencyHeight = 150

// latencies draws how long things took over time.
func (d drawing) latencies() []chart {
	return []chart{
		d.latency("Getting in", "the page, joining", "join page", "join", "rejoin"),
		d.latency("A question reaches the phones", "by socket, from the host's command", loadtest.Launched),
		d.latency("Answering", "until the answer is stored", "answer by socket", "answer by POST"),
		d.latency("Polling and opening sockets", "", "phone poll", "phone socket"),
	}
}

// latency draws requests of some kinds: for each stretch of time a bar up to the slowest, and a point at the median.
func (d drawing) latency(title, note string, kinds ...string) chart {
	const columns = 125
	took := make([][]time.Duration, columns)
	slowest, n := time.Duration(0), 0
	for _, s := range d.story.Samples {
		if !slices.Contains(kinds, s.Kind) {
			continue
		}
		i := min(columns-1, int(d.x(s.At)/width*columns))
		took[i] = append(took[i], s.Took)
		slowest = max(slowest, s.Took)
		n++
	}
	c := chart{Title: title, Note: note, Height: latencyHeight, Across: d.across(), Bands: d.misfortunes(1), Empty: n == 0}
	const least = 0.1 // milliseconds
	scale := logarithmic{least, max(100, math.Pow10(int(math.Ceil(math.Log10(max(least, ms(slowest)))))))}
	for v := scale.least; v <= scale.most*1.01; v *= 10 {
		c.Up = append(c.Up, tick{100 * scale.up(v), readable(time.Duration(v * float64(time.Millisecond)))})
	}
	y := func(d time.Duration) float64 { return math.Round(10*latencyHeight*(1-scale.up(ms(d)))) / 10 }
	var bars, medians strings.Builder
	for i, list := range took {
		if len(list) == 0 {
			continue
		}
		slices.Sort(list)
		x := (float64(i) + 0.5) * width / columns
		fmt.Fprintf(&bars, "M%g %gV%g", x, y(list[0]), y(list[len(list)-1]))
		fmt.Fprintf(&medians, "M%g %gh0", x, y(list[len(list)/2]))
	}
	c.Shapes = []shape{{"range", bars.String()}, {"median", medians.String()}}
	return c
}

func ms(d time.Duration) float64 { return float64(d) / float64(time.Millisecond) }
