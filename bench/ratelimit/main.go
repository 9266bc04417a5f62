// Command ratelimit measures the product's limiters beside the libraries one could take instead, all in one run. It ends with a line
// for each bar that they are to clear.
package main

import (
	"flag"
	"fmt"
	"os"
	"strings"

	"pubquiz/internal/benchreport"
)

func main() {
	report := flag.String("report", "", "write the section \"Limiters\" of this file")
	flag.Parse()
	var text strings.Builder
	fmt.Fprintf(&text, "%s Everyone has the same budget, %d in %v.\n\n", benchreport.Machine(redisVersion(), compared...), budget, window)
	bars := append(inMemory(&text), inRedis(&text)...)
	text.WriteString("```\n")
	for _, b := range bars {
		fmt.Fprintln(&text, b)
	}
	text.WriteString("```\n")
	fmt.Print(text.String())
	if *report != "" {
		if err := benchreport.WriteSection(*report, "Limiters", text.String()); err != nil {
			fmt.Fprintln(os.Stderr, "bench/ratelimit:", err)
			os.Exit(1)
		}
	}
}

// bar is a figure of ours beside a peer's, or beside a fixed bound.
type bar struct {
	name, ours, peer string
	ratio            float64 // ours to the peer's
	ok               bool
}

// String is the bar's line.
func (b bar) String() string { return benchreport.Bar(b.name, b.ours, b.peer, b.ratio, b.ok) }

// atMost is a bar for a figure that is to be at most the peer's.
func atMost(name string, ours, peer float64, format func(float64) string) bar {
	return bar{name, format(ours), format(peer), ours / peer, ours <= peer}
}

// atLeast is a bar for a figure that is to be so many times the peer's.
func atLeast(times float64, name string, ours, peer float64, format func(float64) string) bar {
	return bar{name, format(ours), format(peer), ours / peer, ours >= times*peer}
}
