package web

import (
	"context"
	"slices"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"pubquiz/ratelimit"
	"pubquiz/session"
)

// metrics reads, when it is asked, what the server counts anyway. The values of its labels are few, and no client
// chooses them.
type metrics struct{ server *Server }

// Metrics collects the server's metrics.
func (s *Server) Metrics() prometheus.Collector { return metrics{s} }

func describe(name, help string, labels ...string) *prometheus.Desc {
	return prometheus.NewDesc("quizd_"+name, help, labels, nil)
}

var (
	decisionsDesc = describe("limiter_decisions_total", "Decisions of the limiters. In shadow mode all admit, whatever the reason; what is passed on is beyond a share and charged elsewhere.",
		"limiter", "decision", "reason", "store")
	keysDesc      = describe("limiter_keys", "Keys held in memory.", "limiter")
	maxKeysDesc   = describe("limiter_keys_max", "Keys held in memory at most.", "limiter")
	evictionsDesc = describe("limiter_evictions_total", "Keys that left their window and made room for others.", "limiter")
	overflowDesc  = describe("limiter_overflows_total", "Requests from new keys while the table was full of live ones.", "limiter")
	storeDownDesc = describe("limiter_store_down", "1 while the limiters do without their shared store, since it does not answer.")
	outagesDesc   = describe("limiter_store_outages_total", "How often the limiters began to do without their shared store.")
	doubtsDesc    = describe("client_address_doubts_total", "Requests whose client a trusted proxy did not tell.", "doubt")
	socketsDesc   = describe("sockets", "Open sockets.", "role")
	forgottenDesc = describe("participants_forgotten_total", "Participants whose names and answers this instance has deleted, since their session ended longer ago than they are kept.")
	roomsDesc     = describe("rooms", "Sessions held in memory: those that somebody watched lately.")
	readyDesc     = describe("ready", "1 while the server should get requests, as /readyz has it, which nobody can ask while its doors are shut.")
	underWayDesc  = describe("requests_in_flight", "Requests that are being answered.")
	answersDesc   = describe("answers_total", "Answers by what became of them.", "outcome")
	attemptsDesc  = describe("mail_attempts_total", "Attempts of this instance to send a letter, by what came of them.", "result")
	oldestDesc    = describe("mail_oldest_seconds", "Age of the oldest letter in the outbox that is to be sent.")
	waitingDesc   = describe("mail_waiting", "Letters in the outbox that are to be sent.")
	givenUpDesc   = describe("mail_given_up", "Letters of the last 30 days that could not be sent.")
)

// Describe implements prometheus.Collector.
func (m metrics) Describe(to chan<- *prometheus.Desc) { prometheus.DescribeByCollect(m, to) }

// Collect implements prometheus.Collector.
func (m metrics) Collect(to chan<- prometheus.Metric) {
	gauge := func(d *prometheus.Desc, value float64, labels ...string) {
		to <- prometheus.MustNewConstMetric(d, prometheus.GaugeValue, value, labels...)
	}
	counter := func(d *prometheus.Desc, value uint64, labels ...string) {
		to <- prometheus.MustNewConstMetric(d, prometheus.CounterValue, float64(value), labels...)
	}
	for _, stats := range m.server.limiters.Stats() {
		name := string(stats.Limit.Name)
		for _, d := range stats.Decisions {
			counter(decisionsDesc, d.Count, name, decisionIn(stats.Limit, d.Reason), d.Reason.String(), d.Place.String())
		}
		gauge(keysDesc, float64(stats.Keys), name)
		gauge(maxKeysDesc, float64(stats.MaxKeys), name)
		counter(evictionsDesc, stats.Evicted, name)
		counter(overflowDesc, stats.Overflowed, name)
	}
	down, outages := m.server.limiters.StoreDown()
	gauge(storeDownDesc, map[bool]float64{true: 1}[down])
	counter(outagesDesc, outages)
	for doubt := ratelimit.NoHeader; doubt <= ratelimit.AllTrusted; doubt++ {
		counter(doubtsDesc, m.server.doubts.count(doubt), doubt.String())
	}
	for role, open := range m.server.sockets.count() {
		gauge(socketsDesc, float64(open), string(role))
	}
	gauge(readyDesc, map[bool]float64{true: 1}[len(m.server.failing()) == 0])
	gauge(underWayDesc, float64(m.server.underWay.Load()))
	m.server.durations.Collect(to)
	m.server.answerTimes.Collect(to)
	gauge(roomsDesc, float64(m.server.sessions.Rooms()))
	counter(forgottenDesc, m.server.sessions.Forgotten())
	m.collectMail(gauge, counter)
	for i := range m.server.answers {
		counter(answersDesc, m.server.answers[i].Load(), string(outcomes[i]))
	}
}

// decisionIn names what a limiter decided for this reason.
func decisionIn(limit ratelimit.Limit, reason ratelimit.Reason) string {
	switch {
	case reason == ratelimit.Admitted || limit.Shadow:
		return "admitted"
	case limit.Share:
		return "passed-on"
	default:
		return "refused"
	}
}

// collectMail reads how the sending of letters stands. While the database does not answer, what it knows is left out.
func (m metrics) collectMail(gauge func(*prometheus.Desc, float64, ...string), counter func(*prometheus.Desc, uint64, ...string)) {
	if m.server.mail == nil {
		return
	}
	counts := m.server.mail.Counts()
	counter(attemptsDesc, counts.Sent, "sent")
	counter(attemptsDesc, counts.Retried, "retried")
	counter(attemptsDesc, counts.GivenUp, "given up")
	ctx, cancel := context.WithTimeout(context.Background(), 2*time.Second)
	defer cancel()
	if status, err := m.server.mail.Status(ctx); err == nil {
		gauge(waitingDesc, float64(status.Waiting))
		age := 0.0
		if !status.Oldest.IsZero() {
			age = m.server.now().Sub(status.Oldest).Seconds()
		}
		gauge(oldestDesc, age)
		gauge(givenUpDesc, float64(status.GivenUp))
	}
}

// outcomes are all that an answer can have.
var outcomes = [...]session.Outcome{
	session.Accepted, session.AlreadyAnswered, session.TooLate, session.TooEarly, session.NotThisQuestion, session.WasRemoved, session.NotCaptain,
	outcomeInvalid, outcomeLimited, outcomeBusy,
}

// newAnswerTimes measures answers from their arrival to their outcome, by what they came over.
func newAnswerTimes() *prometheus.HistogramVec {
	times := prometheus.NewHistogramVec(prometheus.HistogramOpts{
		Name: "quizd_answer_duration_seconds", Help: "How long answers took, from their arrival until it was certain what became of them.", Buckets: []float64{.005, .02, .1, .3, 1, 3, 10},
	}, []string{"over"})
	times.WithLabelValues(overSocket)
	times.WithLabelValues(overPost)
	return times
}

// What an answer may come over.
const (
	overSocket = "socket"
	overPost   = "post"
)

// count counts what became of an answer that came over a socket or by post, and passes it on.
func (s *Server) count(over string, began time.Time, out outcome) outcome {
	s.answerTimes.WithLabelValues(over).Observe(time.Since(began).Seconds())
	if i := slices.Index(outcomes[:], out.Outcome); i >= 0 {
		s.answers[i].Add(1)
	}
	return out
}
