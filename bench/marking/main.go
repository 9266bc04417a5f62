// Command marking measures the product's marking of typed answers beside the libraries one could take instead, all in one run: how
// fast, and how often each takes a wrong answer for right or refuses a right one. It ends with a line for each bar that it is to clear.
package main

import (
	"flag"
	"fmt"
	"os"
	"strings"

	"pubquiz/internal/benchreport"
)

// compared are the modules whose versions the report names.
var compared = []string{"github.com/agnivade/levenshtein", "github.com/hbollon/go-edlib", "github.com/lithammer/fuzzysearch"}

func main() {
	report := flag.String("report", "", "write the section \"Marking\" of this file")
	corpus := flag.String("corpus", "../../quiz/testdata/marking.tsv", "what people type, and what a fair host says")
	flag.Parse()
	if err := run(*corpus, *report); err != nil {
		fmt.Fprintln(os.Stderr, "bench/marking:", err)
		os.Exit(1)
	}
}

func run(corpus, report string) error {
	pairs, err := readCorpus(corpus)
	if err != nil {
		return err
	}
	var text strings.Builder
	fmt.Fprintf(&text, "%s\n\n", benchreport.Machine("", compared...))
	bars := compare(&text, pairs)
	text.WriteString("```\n")
	for _, b := range bars {
		fmt.Fprintln(&text, b)
	}
	text.WriteString("```\n")
	fmt.Print(text.String())
	if report == "" {
		return nil
	}
	return benchreport.WriteSection(report, "Marking", text.String())
}

// bar is a figure of ours beside a peer's, or beside a fixed bound.
type bar struct {
	name, ours, peer string
	ratio            float64 // ours to the peer's
}

// String is the bar's line. All of these bars are for figures that are to be at most the peer's.
func (b bar) String() string { return benchreport.Bar(b.name, b.ours, b.peer, b.ratio, b.ratio <= 1) }
