package page

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"pubquiz/loadtest"
)

const (
	refusalHeight = 150
	colours       = 6 // that can be told apart; what comes after shares the last
)

// refusals draws how many refusals there were, stacked by limiter.
func (d drawing) refusals(title string, by loadtest.BySecond) chart {
	const columns = 125
	c := chart{Title: title, Height: refusalHeight, Across: d.across(), Bands: d.misfortunes(1), Empty: len(by) == 0}
	sum := func(name string) (n int) {
		for _, k := range by[name] {
			n += k
		}
		return n
	}
	names := slices.SortedFunc(maps.Keys(by), func(a, b string) int { return cmp.Or(cmp.Compare(sum(b), sum(a)), cmp.Compare(a, b)) })
	columnsOf, total := map[string][]int{}, make([]int, columns)
	for _, name := range names {
		columnsOf[name] = make([]int, columns)
		for second, n := range by[name] {
			i := min(columns-1, int(d.x(time.Duration(second)*time.Second)/width*columns))
			columnsOf[name][i] += n
			total[i] += n
		}
	}
	most := roundUp(max(1, slices.Max(total)))
	for _, n := range []int{0, most} {
		c.Up = append(c.Up, tick{100 * float64(n) / float64(most), fmt.Sprint(n)})
	}
	ground := make([]int, columns)
	y := func(n int) float64 { return refusalHeight * (1 - float64(n)/float64(most)) }
	for k, name := range names {
		look := fmt.Sprintf("limiter-%d", min(k, colours-1)+1)
		var path strings.Builder
		for i, n := range columnsOf[name] {
			if n > 0 {
				fmt.Fprintf(&path, "M%g %.1fV%.1fh%gV%.1fz", float64(i)*width/columns, y(ground[i]), y(ground[i]+n), width/float64(columns)-1, y(ground[i]))
				ground[i] += n
			}
		}
		c.Shapes = append(c.Shapes, shape{"area " + look, path.String()})
		c.Legend = append(c.Legend, entry{look, name, sum(name)})
	}
	return c
}
