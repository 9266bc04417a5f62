package loadtest

import (
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
	"text/tabwriter"
	"time"
)

// Print writes the report for a person to read.
func (r Report) Print(w io.Writer) error {
	var b strings.Builder
	r.printRequests(&b)
	r.printRoom(&b)
	r.printAnswers(&b)
	r.printBots(&b)
	printCounts(&b, "Refused, by limiter", r.Refusals)
	if r.RefusedSeated > 0 {
		fmt.Fprintf(&b, "of those, of phones that were in: %d\n", r.RefusedSeated)
	}
	printCounts(&b, "Kept out", r.KeptOut)
	for _, missing := range r.Missing {
		fmt.Fprintf(&b, "missing: %s\n", missing)
	}
	_, err := io.WriteString(w, b.String())
	return err
}

func (r Report) printBots(w io.Writer) {
	if len(r.BotRequests) == 0 {
		return
	}
	fmt.Fprintf(w, "Bots got %s, at most %d within a minute, and were refused %s; %s waited where there were bots\n",
		count(r.BotJoins, "seat"), r.BotJoinsMinute, count(r.BotRefused, "time"), count(r.DelayedByBot, "phone"))
	printCounts(w, "Bots refused, by limiter", r.BotRefusals)
}

func (r Report) printRequests(w io.Writer) {
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(t, "request\tcount\tp50 ms\tp95 ms\tp99 ms\tmax ms\tfailed\t")
	for _, q := range slices.Concat(r.Requests, r.BotRequests) {
		fmt.Fprintf(t, "%s\t%d\t%.1f\t%.1f\t%.1f\t%.1f\t%d\t\n", q.Kind, q.Count, q.P50, q.P95, q.P99, q.Max, q.Failed)
	}
	for _, q := range []struct {
		name string
		Quantiles
	}{
		{"scan to seat", r.JoinMs}, {"launch to phone, socket", r.FanoutMs}, {"launch to phone, poll", r.PollFanoutMs},
		{"launch to first phone", r.FirstPhoneMs}, {"launch to last phone", r.LastPhoneMs},
	} {
		if q.count > 0 {
			fmt.Fprintf(t, "%s\t%d\t%.1f\t%.1f\t%.1f\t%.1f\t\t\n", q.name, q.count, q.P50, q.P95, q.P99, q.Max)
		}
	}
	t.Flush()
}

func (r Report) printRoom(w io.Writer) {
	fmt.Fprintf(w, "\n%s, %s: %d joined, %d kept out; the last was in after %s\n",
		count(r.Venues, "venue"), count(r.Phones, "phone"), r.Joined, r.RefusedLegit, readable(r.LastIn))
	if r.Delayed > 0 {
		fmt.Fprintf(w, "%s had to wait to get in, the longest for %s\n", count(r.Delayed, "phone"), readable(r.LongestWait))
	}
	fmt.Fprintf(w, "%s saw every question (%s missed, %s missed, %d missed by big screens)\n",
		count(r.SawEveryQuestion, "phone"), count(r.QuestionsMissed, "question"), count(r.RevealsMissed, "reveal"), r.ScreenMissed)
	if r.LongestOut > 0 {
		fmt.Fprintf(w, "the longest that a phone was without a socket until it had one again: %s\n", readable(r.LongestOut))
	}
	if s := r.Server; s != nil {
		fmt.Fprintf(w, "server: %.1f MB resident, %.1f MB at most; %.1f MB in use, %.1f MB with everybody seated: %.1f kB a phone; %.1f s of CPU, and %.1f s of Postgres's\n",
			s.ResidentMB, s.PeakMB, s.IdleMB, s.PlayingMB, s.PhoneKB, s.CPUSeconds, s.DatabaseCPUSeconds)
	}
}

func (r Report) printAnswers(w io.Writer) {
	fmt.Fprintf(w, "%s acknowledged, %d stored, %d acknowledged but missing\n",
		count(r.AnswersAcknowledged, "answer"), r.AnswersStored, r.AnswersMissing)
	printCounts(w, "Outcomes", r.Outcomes)
	if len(r.SumsChecked) > 0 {
		printCounts(w, "Sums checked", r.SumsChecked)
		fmt.Fprintf(w, "%s wrong\n", count(len(r.SumsWrong), "sum"))
	}
	for _, wrong := range r.SumsWrong {
		fmt.Fprintf(w, "wrong: %s\n", wrong)
	}
}

func printCounts(w io.Writer, title string, counts map[string]int) {
	if len(counts) == 0 {
		return
	}
	var parts []string
	for _, name := range slices.Sorted(maps.Keys(counts)) {
		parts = append(parts, fmt.Sprintf("%s %d", name, counts[name]))
	}
	fmt.Fprintf(w, "%s: %s\n", title, strings.Join(parts, ", "))
}

func readable(ms float64) time.Duration {
	return time.Duration(ms * float64(time.Millisecond)).Round(10 * time.Millisecond)
}

func count(n int, what string) string {
	if n != 1 {
		what += "s"
	}
	return fmt.Sprintf("%d %s", n, what)
}
