// Package page draws a load test's report as one page that needs nothing else: no script, no file, no network.
package page

import (
	_ "embed"
	"fmt"
	"html/template"
	"io"
	"maps"
	"slices"
	"strings"
	"time"

	"pubquiz/loadtest"
)

//go:embed page.html
var source string

var layout = template.Must(template.New("page").Funcs(template.FuncMap{
	"ms": func(ms float64) string { return readable(time.Duration(ms * float64(time.Millisecond))) },
}).Parse(source))

// view is what the page shows.
type view struct {
	loadtest.Report
	Title     string
	About     string
	Fault     string // empty if all went well
	Tiles     []tile
	Room      chart
	Venues    []lanes
	LanesNote string
	Latencies []chart
	Refused   chart
	Bots      chart
	All       []loadtest.Requests
	KeptOut   []string
}

// tile is one figure at the top.
type tile struct{ Name, Figure, Note string }

// Write writes the page.
func Write(w io.Writer, r loadtest.Report) error {
	v := view{
		Report: r,
		Title:  count(r.Plan.Phones, "phone") + " in " + count(r.Venues, "venue"),
		About:  about(r),
		Tiles:  tiles(r),
		All:    slices.Concat(r.Requests, r.BotRequests),
	}
	if r.Venues > 1 {
		v.Title = count(r.Venues, "venue") + " with " + count(r.Plan.Phones, "phone") + " each"
	}
	if err := r.Err(); err != nil {
		v.Fault = strings.ReplaceAll(err.Error(), "\n", ", and ")
	}
	d := drawing{took: time.Duration(r.TookMs * float64(time.Millisecond)), story: r.Story}
	v.Room = d.room()
	v.Venues, v.LanesNote = d.lanes()
	v.Latencies = d.latencies()
	v.Refused = d.refusals("Refused, by limiter", r.Story.Refused)
	v.Bots = d.refusals("Bots refused, by limiter", r.Story.BotRefused)
	for _, why := range slices.Sorted(maps.Keys(r.KeptOut)) {
		v.KeptOut = append(v.KeptOut, fmt.Sprintf("%s: %s", count(r.KeptOut[why], "phone"), why))
	}
	if err := layout.Execute(w, v); err != nil {
		return fmt.Errorf("page.Write: %w", err)
	}
	return nil
}

// about says in a sentence what was played.
func about(r loadtest.Report) string {
	p := r.Plan
	var parts []string
	switch p.Arrival {
	case loadtest.AtOnce:
		parts = append(parts, "all scanned at once")
	case loadtest.Trickle:
		parts = append(parts, fmt.Sprintf("most scanned within %s, the others during the quiz", readable(p.Arrive)))
	default:
		parts = append(parts, fmt.Sprintf("everybody scanned within %s", readable(p.Arrive)))
	}
	parts = append(parts, fmt.Sprintf("%s of %d seconds", count(p.Questions, "question"), p.Seconds))
	share := func(s float64, what string) {
		if s > 0 {
			parts = append(parts, fmt.Sprintf("%.0f %% of the phones %s", s*100, what))
		}
	}
	share(p.CutSocket, "lost their socket halfway")
	share(p.Slow, "were slow")
	share(p.Stalled, "stopped reading halfway")
	if p.DropWiFi > 0 {
		parts = append(parts, fmt.Sprintf("the WiFi was gone for %s", readable(p.DropWiFi)))
	}
	if p.Together {
		parts = append(parts, "during every question all phones polled at once")
	}
	if p.Elsewhere {
		parts = append(parts, "the host was elsewhere")
	}
	if p.Bots > 0 {
		bots := count(p.Bots, "bot") + " at every venue"
		if p.BotCode {
			bots += " that knew the join code"
		}
		parts = append(parts, bots)
	}
	if len(p.URLs) > 1 {
		parts = append(parts, fmt.Sprintf("%d instances", len(p.URLs)))
	}
	return strings.ToUpper(parts[0][:1]) + strings.Join(parts, "; ")[1:] + "."
}

func tiles(r loadtest.Report) []tile {
	in := func(ms float64) string { return readable(time.Duration(ms * float64(time.Millisecond))) }
	note := fmt.Sprintf("of %d; none had to wait", r.Phones)
	if r.Delayed > 0 {
		note = fmt.Sprintf("of %d; %d had to wait, the longest %s", r.Phones, r.Delayed, in(r.LongestWait))
	}
	list := []tile{
		{"Phones that got in", fmt.Sprint(r.Joined), note},
		{"From scan to seat", in(r.JoinMs.P99), "99 of 100 phones; half within " + in(r.JoinMs.P50)},
		{"From launch to phone", in(r.FanoutMs.P99), "99 of 100 on a socket; half within " + in(r.FanoutMs.P50)},
		{"Answers acknowledged", fmt.Sprint(r.AnswersAcknowledged), fmt.Sprintf("%d stored, %d missing", r.AnswersStored, r.AnswersMissing)},
		{"Questions missed", fmt.Sprint(r.QuestionsMissed), fmt.Sprintf("%s saw every one", count(r.SawEveryQuestion, "phone"))},
	}
	refused := 0
	for _, n := range r.Refusals {
		refused += n
	}
	when := "none of them when already in"
	if r.RefusedSeated > 0 {
		when = fmt.Sprintf("%d of them when already in", r.RefusedSeated)
	}
	if refused == 0 {
		when = "no phone, no host, no big screen"
	}
	list = append(list, tile{"Refused by a limit", fmt.Sprint(refused), when})
	if r.Plan.Bots > 0 {
		list = append(list, tile{"Seats that bots got", fmt.Sprint(r.BotJoins), fmt.Sprintf("%d within a minute; refused %s", r.BotJoinsMinute, count(r.BotRefused, "time"))})
	}
	if s := r.Server; s != nil {
		list = append(list, tile{"Memory for a phone", fmt.Sprintf("%.1f kB", s.PhoneKB), fmt.Sprintf("%.0f MB at most in all", s.PeakMB)},
			tile{"Processor", fmt.Sprintf("%.1f s", s.CPUSeconds), fmt.Sprintf("and Postgres's %.1f s, in %s", s.DatabaseCPUSeconds, in(r.TookMs))})
	}
	return list
}

func count(n int, what string) string {
	if n != 1 {
		what += "s"
	}
	return fmt.Sprintf("%d %s", n, what)
}

// readable writes a duration with two or three digits that matter.
func readable(d time.Duration) string {
	switch {
	case d < 10*time.Millisecond:
		return fmt.Sprintf("%.1f ms", float64(d)/float64(time.Millisecond))
	case d < time.Second:
		return fmt.Sprintf("%d ms", d.Milliseconds())
	case d < time.Minute && d%time.Second == 0:
		return fmt.Sprintf("%d s", d/time.Second)
	case d < 10*time.Second:
		return fmt.Sprintf("%.1f s", d.Seconds())
	case d < time.Minute:
		return fmt.Sprintf("%.0f s", d.Seconds())
	case d%time.Minute < time.Second:
		return fmt.Sprintf("%d min", int(d.Minutes()))
	default:
		return fmt.Sprintf("%d min %d s", int(d.Minutes()), int(d.Seconds())%60)
	}
}
