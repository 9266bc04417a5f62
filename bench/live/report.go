package main

import (
	"fmt"
	"os"
	"os/exec"
	"runtime"
	"runtime/debug"
	"strings"
	"time"
)

var peerNames = []string{"gorilla loop", "gorilla hub", "coder/websocket"}

// text is the section of docs/benchmarks.md: machine, tables and bars.
func (r *results) text() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s, %s. Servers, clients and Postgres on the same cores; %d rounds in turn, %d messages to each crowd in each.\n\n",
		time.Now().Format("2006-01-02"), machine(), r.rounds, r.publishes)
	b.WriteString("| sockets | | last receipt, median | p95 | CPU a message | in use for each idle socket | resident |\n| --: | --- | --: | --: | --: | --: | --: |\n")
	for _, sockets := range crowdSizes {
		for _, c := range r.crowds {
			if c.sockets != sockets {
				continue
			}
			inUse, resident := "", ""
			if c.grown.inUse > 0 {
				inUse, resident = kilobytes(c.grown.inUse), kilobytes(c.grown.resident)
			}
			fmt.Fprintf(&b, "| %d | %s | %s | %s | %.1f µs | %s | %s |\n", sockets, c.name, milliseconds(c.median()), milliseconds(quantile(c.took, 0.95)),
				float64(c.cpuPerMessage())/1e3, inUse, resident)
		}
	}
	a := r.answers
	b.WriteString("\n| answers, with foreign keys, durable | |\n| --- | --: |\n")
	fmt.Fprintf(&b, "| ours, %d callers | %.0f/s |\n| pgbench, prepared single inserts, 16 clients | %.0f/s |\n| pgbench, %d clients | %.0f/s |\n",
		callers, a.ours, a.pgbench[16], callers, a.pgbench[callers])
	fmt.Fprintf(&b, "| ours, %d at once | %s |\n| single inserts over 16 connections, %d at once | %s |\n\n```\n", burstSize, milliseconds(a.burst),
		burstSize, milliseconds(a.pool))
	for _, bar := range r.bars() {
		fmt.Fprintln(&b, bar)
	}
	b.WriteString("```\n")
	return b.String()
}

// bars compares what was measured with what was promised, one line each.
func (r *results) bars() []string {
	const largest = 9000
	ours, centrifugo := r.crowd("ours, rooms of 1,000", largest), r.crowd("Centrifugo", largest)
	best := r.crowd("gorilla loop", largest)
	if hub := r.crowd("gorilla hub", largest); hub.median() < best.median() {
		best = hub
	}
	oneRoom := r.crowd("ours, one room", largest)
	single := max(r.answers.pgbench[16], r.answers.pgbench[callers])
	return []string{
		bar("last-receipt-9000-to-centrifugo", milliseconds(ours.median()), milliseconds(centrifugo.median()), ratio(ours.median(), centrifugo.median()), 0.65),
		bar("last-receipt-9000-to-best-gorilla", milliseconds(ours.median()), milliseconds(best.median()), ratio(ours.median(), best.median()), 1.1),
		bar("last-receipt-9000-one-room-to-centrifugo", milliseconds(oneRoom.median()), milliseconds(centrifugo.median()), ratio(oneRoom.median(), centrifugo.median()), 0.65),
		bar("last-receipt-9000-one-room-to-best-gorilla", milliseconds(oneRoom.median()), milliseconds(best.median()), ratio(oneRoom.median(), best.median()), 1.1),
		bar("memory-each-socket-to-8KB", kilobytes(ours.grown.inUse), kilobytes(8192), ours.grown.inUse/8192, 1),
		bar("memory-each-socket-to-centrifugo", kilobytes(ours.grown.inUse), kilobytes(centrifugo.grown.inUse), ours.grown.inUse/centrifugo.grown.inUse, 0.2),
		bar("answers-64-callers-to-pgbench", fmt.Sprintf("%.0f/s", r.answers.ours), fmt.Sprintf("%.0f/s", single), r.answers.ours/single, -1.5),
		bar("burst-9000-to-pool-of-16", milliseconds(r.answers.burst), milliseconds(r.answers.pool), ratio(r.answers.burst, r.answers.pool), 0.35),
	}
}

// bar is one line: at most limit is ok, or at least -limit where it is negative.
func bar(name, ours, peer string, ratio, limit float64) string {
	verdict := "short"
	if limit >= 0 && ratio <= limit || limit < 0 && ratio >= -limit {
		verdict = "ok"
	}
	return fmt.Sprintf("BAR %s %s %s %.2f %s", name, ours, peer, ratio, verdict)
}

func ratio(a, b time.Duration) float64 { return float64(a) / float64(b) }

func milliseconds(d time.Duration) string { return fmt.Sprintf("%.1fms", float64(d)/1e6) }
func kilobytes(bytes float64) string      { return fmt.Sprintf("%.1fKB", bytes/1024) }

// machine describes what the figures were measured on.
func machine() string {
	processor := "unknown processor"
	if info, err := os.ReadFile("/proc/cpuinfo"); err == nil {
		if _, rest, found := strings.Cut(string(info), "model name\t: "); found {
			processor, _, _ = strings.Cut(rest, "\n")
		}
	}
	version := "PostgreSQL"
	if out, err := exec.Command("psql", "--version").Output(); err == nil {
		version = strings.TrimSpace(strings.Replace(string(out), "psql (PostgreSQL)", "PostgreSQL", 1))
	}
	peers := []string{}
	if info, ok := debug.ReadBuildInfo(); ok {
		for _, m := range info.Deps {
			if m.Path == "github.com/coder/websocket" || m.Path == "github.com/gorilla/websocket" {
				peers = append(peers, m.Path+" "+m.Version)
			}
		}
	}
	return fmt.Sprintf("%d cores of %s, %s, %s, %s", runtime.NumCPU(), processor, runtime.Version(), version, strings.Join(peers, ", "))
}

const heading = "## Live engine\n"

// writeSection replaces the section in a document, or adds it at the end.
func writeSection(path, text string) error {
	document, err := os.ReadFile(path)
	if os.IsNotExist(err) {
		document, err = []byte("# Benchmarks\n"), nil
	}
	if err != nil {
		return err
	}
	before, after, found := strings.Cut(string(document), heading)
	if found {
		if at := strings.Index(after, "\n## "); at >= 0 {
			after = after[at:]
		} else {
			after = ""
		}
	} else {
		before = strings.TrimRight(before, "\n") + "\n\n"
	}
	return os.WriteFile(path, []byte(before+heading+"\n"+text+after), 0o644)
}
