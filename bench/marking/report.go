package main

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

// compared are the modules whose versions the report names.
var compared = []string{"github.com/agnivade/levenshtein", "github.com/hbollon/go-edlib", "github.com/lithammer/fuzzysearch"}

// machine is the day and what the figures were measured on.
func machine() string {
	processor := "an unknown processor"
	if info, err := os.ReadFile("/proc/cpuinfo"); err == nil {
		if _, rest, ok := strings.Cut(string(info), "model name\t: "); ok {
			processor, _, _ = strings.Cut(rest, "\n")
		}
	}
	var versions []string
	if info, ok := debug.ReadBuildInfo(); ok {
		for _, m := range info.Deps {
			if slices.Contains(compared, m.Path) {
				versions = append(versions, m.Path+" "+m.Version)
			}
		}
	}
	return fmt.Sprintf("%s, %d cores of %s, %s; %s.", time.Now().Format(time.DateOnly), runtime.NumCPU(), processor, runtime.Version(), strings.Join(versions, ", "))
}

const heading = "## Marking\n"

// writeSection replaces the section in a document, or adds it at the end.
func writeSection(path, text string) error {
	document, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		document, err = []byte("# Benchmarks\n"), nil
	}
	if err != nil {
		return err
	}
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
