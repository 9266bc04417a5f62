package main

import (
	"fmt"
	"os/exec"
	"strings"
	"time"

	"pubquiz/internal/benchreport"
)

// text is the section of docs/benchmarks.md: machine, tables and bars.
func (r *results) text() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s Servers, clients and Postgres on the same cores; %d rounds in turn, %d messages to each crowd in each.\n\n",
		benchreport.Machine(postgresVersion(), "github.com/coder/websocket", "github.com/gorilla/websocket"), r.rounds, r.publishes)
	b.WriteString("| sockets in one room | peer | ours: last receipt, median (p95) | peer: the same | ratio | ours: CPU a message | peer: the same |\n| --: | --- | --: | --: | --: | --: | --: |\n")
	for _, d := range r.duels {
		fmt.Fprintf(&b, "| %d | %s | %s | %s | %.2f | %s | %s |\n", d.sockets, d.peer, d.ours.latency(), d.them.latency(), d.ratio(),
			d.ours.cpuPerMessage(d.sockets), d.them.cpuPerMessage(d.sockets))
	}
	b.WriteString("\n| idle | heap and stacks in use for each socket | resident |\n| --- | --: | --: |\n")
	for _, i := range r.idle {
		fmt.Fprintf(&b, "| %s | %s | %s |\n", i.name, kilobytes(i.grown.inUse), kilobytes(i.grown.resident))
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
	floor := r.floor()
	fmt.Fprintf(&b, "FLOOR last-receipt-9000-to-Centrifugo %s %s %.2f\n```\n\n", milliseconds(floor.ours.median()), milliseconds(floor.them.median()), floor.ratio())
	fmt.Fprintf(&b, notes, milliseconds(quantile(r.command, 0.5)), floor.peer)
	if verdict := r.verdict(); verdict != "" {
		b.WriteString("\n" + verdict + "\n")
	}
	return b.String()
}

// centrifugoBar is how long the last receipt was promised to take at most, as a part of Centrifugo's time.
const centrifugoBar = 0.65

// bars compares what was measured with what was promised, one line each.
func (r *results) bars() []string {
	centrifugo, best := r.duel(centrifugoAsItIs, largestCrowd), r.duel(gorillaLoop, largestCrowd)
	if hub := r.duel(gorillaHub, largestCrowd); hub.ratio() > best.ratio() {
		best = hub
	}
	lastReceipt := func(d *duel, limit float64) string {
		return bar("last-receipt-9000-to-"+strings.ReplaceAll(d.peer, " ", "-"), milliseconds(d.ours.median()), milliseconds(d.them.median()), d.ratio(), limit)
	}
	ours, theirs := r.idle[0].grown, r.idle[1].grown // startPeers begins with Centrifugo as it is
	single := max(r.answers.pgbench[16], r.answers.pgbench[callers])
	return []string{
		lastReceipt(centrifugo, centrifugoBar),
		lastReceipt(best, 1.1),
		bar("memory-each-socket", kilobytes(ours.inUse), kilobytes(8192), ours.inUse/8192, 1),
		bar("memory-each-socket-to-Centrifugo", kilobytes(ours.inUse), kilobytes(theirs.inUse), ours.inUse/theirs.inUse, 0.2),
		bar("resident-memory-each-socket-to-Centrifugo", kilobytes(ours.resident), kilobytes(theirs.resident), ours.resident/theirs.resident, 0.2),
		bar("answers-64-callers-to-pgbench", fmt.Sprintf("%.0f/s", r.answers.ours), fmt.Sprintf("%.0f/s", single), r.answers.ours/single, -1.5),
		bar("burst-9000-to-pool-of-16", milliseconds(r.answers.burst), milliseconds(r.answers.pool), float64(r.answers.burst)/float64(r.answers.pool), 0.35),
	}
}

func (s *side) latency() string {
	return fmt.Sprintf("%s (%s)", milliseconds(s.median()), milliseconds(quantile(s.took, 0.95)))
}

func (s *side) cpuPerMessage(sockets int) string {
	return fmt.Sprintf("%.1fµs", s.cpu.Seconds()*1e6/float64(len(s.took)*sockets))
}

// bar is one line: at most limit is ok, or at least -limit where it is negative.
func bar(name, ours, peer string, ratio, limit float64) string {
	return benchreport.Bar(name, ours, peer, ratio, limit >= 0 && ratio <= limit || limit < 0 && ratio >= -limit)
}

func milliseconds(d time.Duration) string { return fmt.Sprintf("%.1fms", float64(d)/1e6) }
func kilobytes(bytes float64) string      { return fmt.Sprintf("%.1fKB", bytes/1024) }

// postgresVersion is the server's version.
func postgresVersion() string {
	if out, err := exec.Command("psql", "--version").Output(); err == nil {
		return strings.TrimSpace(strings.Replace(string(out), "psql (PostgreSQL)", "PostgreSQL", 1))
	}
	return "PostgreSQL"
}

// notes has gaps for how long a command takes that nobody is told of, and for the faster floor.
const notes = `Last receipt is from the host's request (ours: through every limiter, the transaction, its commit to disk and the reading of the new
version with a thousand participants) or the peer's publish request to the last of all sockets. Ours and the peer hold equal crowds at the same time and
take turns; a ratio is that of the medians. The clients, the same for all, use up about half of the machine.

Of ours, the command itself takes %s, however many sockets there are: the median in a full room that nobody watches. The peers store nothing.

The floor is one write of the ready frame to each socket and nothing else, in turn or on every core, whichever is faster: here %s.
It met Centrifugo as ours did.

Memory of ours counts everything that a phone which came in through the door has the server hold: its seat, its limiters' windows, its connection and the
stack of the goroutine that waits for it to speak. Ours runs as it is deployed, with stacks that begin small (GODEBUG=adaptivestackstart=0).
`
