package loadtest

import (
	"net/http"
	"slices"
	"sync"
	"time"

	"github.com/HdrHistogram/hdrhistogram-go"
)

// kind is a kind of request, as the report names it.
type kind string

const (
	joinPage      kind = "join page"
	staticFile    kind = "static file"
	joinRequest   kind = "join"
	rejoinRequest kind = "rejoin"
	phoneSocket   kind = "phone socket"
	phonePoll     kind = "phone poll"
	socketAnswer  kind = "answer by socket"
	postAnswer    kind = "answer by POST"
	screenPage    kind = "screen page"
	screenSocket  kind = "screen socket"
	screenPoll    kind = "screen poll"
	hostPage      kind = "host page"
	hostSocket    kind = "host socket"
	hostPoll      kind = "host poll"
	hostCommand   kind = "host command"
	export        kind = "export"
	marking       kind = "marking"
	joker         kind = "joker"
	botPage       kind = "bot: page"
	botJoin       kind = "bot: join"
	botRejoin     kind = "bot: rejoin"
	botPoll       kind = "bot: poll"
	botAnswer     kind = "bot: answer"
)

// kinds is the order of the report.
var kinds = []kind{joinPage, staticFile, joinRequest, phoneSocket, phonePoll, socketAnswer, postAnswer,
	rejoinRequest, screenPage, screenSocket, screenPoll, hostPage, hostSocket, hostPoll, hostCommand, marking, joker, export,
	botPage, botJoin, botRejoin, botPoll, botAnswer}

// bySeated are the kinds of requests that a phone makes once it is in.
var bySeated = []kind{phoneSocket, phonePoll, socketAnswer, postAnswer}

// timings is a histogram of durations from 1 µs to 1 h, to three digits. It may be shared by goroutines.
type timings struct {
	mu sync.Mutex
	h  *hdrhistogram.Histogram
}

const longestTiming = time.Hour

func newTimings() *timings {
	return &timings{h: hdrhistogram.New(1, longestTiming.Microseconds(), 3)}
}

func (t *timings) add(d time.Duration) {
	t.mu.Lock()
	defer t.mu.Unlock()
	// Within the bounds by the clamp, so that it cannot fail.
	_ = t.h.RecordValue(min(max(d, 0), longestTiming).Microseconds())
}

func (t *timings) quantiles() Quantiles {
	t.mu.Lock()
	defer t.mu.Unlock()
	at := func(q float64) float64 { return ms(time.Duration(t.h.ValueAtQuantile(q)) * time.Microsecond) }
	return Quantiles{P50: at(50), P95: at(95), P99: at(99), Max: at(100), count: t.h.TotalCount()}
}

// recorder collects what everybody in every venue sees of the server; bots have one of their own.
type recorder struct {
	join, fanout, pollFanout, firstPhone, lastPhone *timings

	mu       sync.Mutex
	requests map[kind]*timings
	failures map[kind]int   // no answer at all: refused connections, time-outs, 5xx other than 503
	refusals map[string]int // by limiter
	seated   int            // of the refusals: of phones that were in
	outcomes map[string]int

	began   time.Time
	samples []Sample
	refused BySecond
	moments []Moment
}

func newRecorder(began time.Time) *recorder {
	r := &recorder{
		began: began, refused: BySecond{},
		join: newTimings(), fanout: newTimings(), pollFanout: newTimings(), firstPhone: newTimings(), lastPhone: newTimings(),
		requests: map[kind]*timings{}, failures: map[kind]int{}, refusals: map[string]int{}, outcomes: map[string]int{},
	}
	for _, k := range kinds {
		r.requests[k] = newTimings()
	}
	return r
}

func (r *recorder) request(k kind, took time.Duration) { r.requests[k].add(took) }

// sample keeps one request for the story.
func (r *recorder) sample(k kind, took time.Duration) {
	r.count(func() { r.samples = append(r.samples, Sample{time.Since(r.began), took, string(k)}) })
}

// launch notes the launch of a question in a venue, counted from 0.
func (r *recorder) launch(venue int, question string) {
	r.count(func() {
		r.moments = append(r.moments, Moment{At: time.Since(r.began), Venue: venue + 1, What: "question " + question})
	})
}

// misfortune notes what has happened to a venue, counted from 0, from a moment until now.
func (r *recorder) misfortune(venue int, since time.Time, what string) {
	r.count(func() {
		r.moments = append(r.moments, Moment{At: since.Sub(r.began), Until: time.Since(r.began), Venue: venue + 1, What: what})
	})
}

func (r *recorder) failure(k kind) { r.count(func() { r.failures[k]++ }) }

// refusal counts a refusal by a limiter or by a busy server, or a server's own fault. What is refused for other reasons
// is the asker's business.
func (r *recorder) refusal(f *refusal) {
	switch {
	case f.status == http.StatusTooManyRequests:
		r.count(func() {
			r.refusals[f.limiter()]++
			r.refused.add(time.Since(r.began), f.limiter())
			if slices.Contains(bySeated, f.kind) {
				r.seated++
			}
		})
	case f.status == http.StatusServiceUnavailable:
		r.count(func() { r.refusals["busy"]++ })
	case f.status >= http.StatusInternalServerError:
		r.failure(f.kind)
	}
}

func (r *recorder) outcome(name string) { r.count(func() { r.outcomes[name]++ }) }

func (r *recorder) count(f func()) {
	r.mu.Lock()
	defer r.mu.Unlock()
	f()
}

// table lists the kinds of requests that were made, in the report's order.
func (r *recorder) table() []Requests {
	r.mu.Lock()
	defer r.mu.Unlock()
	var table []Requests
	for _, k := range kinds {
		q := r.requests[k].quantiles()
		if q.count > 0 || r.failures[k] > 0 {
			table = append(table, Requests{Kind: string(k), Count: q.count, Failed: r.failures[k], Quantiles: q})
		}
	}
	return table
}
