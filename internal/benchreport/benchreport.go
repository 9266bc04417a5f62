// Package benchreport is what the comparisons under bench write in docs/benchmarks.md alike: what they were measured on, a line for each bar, a section.
package benchreport

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"runtime"
	"runtime/debug"
	"slices"
	"strings"
	"time"
)

// Machine is the day, and what the figures were measured on: the machine, other programs in words of the caller's, and of the compared modules the versions.
func Machine(programs string, compared ...string) string {
	processor := "an unknown processor"
	if info, err := os.ReadFile("/proc/cpuinfo"); err == nil {
		if _, rest, ok := strings.Cut(string(info), "model name\t: "); ok {
			processor, _, _ = strings.Cut(rest, "\n")
		}
	}
	on := []string{fmt.Sprintf("%s, %d cores of %s", time.Now().Format(time.DateOnly), runtime.NumCPU(), processor), runtime.Version()}
	if programs != "" {
		on = append(on, programs)
	}
	var versions []string
	if info, ok := debug.ReadBuildInfo(); ok {
		for _, m := range info.Deps {
			if slices.Contains(compared, m.Path) {
				versions = append(versions, m.Path+" "+m.Version)
			}
		}
	}
	return strings.Join(on, ", ") + "; " + strings.Join(versions, ", ") + "."
}

// Bar is the line of a figure of ours beside a peer's, or beside a bound. The ratio is ours to the peer's.
func Bar(name, ours, peer string, ratio float64, ok bool) string {
	verdict := "short"
	if ok {
		verdict = "ok"
	}
	return fmt.Sprintf("BAR %s %s %s %.2f %s", name, ours, peer, ratio, verdict)
}

// WriteSection replaces the section under a heading in a document, or adds it at the end.
func WriteSection(path, heading, text string) error {
	document, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		document, err = []byte("# Benchmarks\n"), nil
	}
	if err != nil {
		return err
	}
	heading = "## " + heading + "\n"
	before, after, found := strings.Cut(string(document), heading)
	if !found {
		before = strings.TrimRight(before, "\n") + "\n\n"
	}
	rest := ""
	if at := strings.Index(after, "\n## "); at >= 0 {
		rest = after[at:]
	}
	return os.WriteFile(path, []byte(before+heading+"\n"+text+rest), 0o644)
}
