package session

import (
	"time"

	"github.com/prometheus/client_golang/prometheus"
)

// metrics are what a Service measures of what it does for many at once.
type metrics struct {
	batchAnswers prometheus.Histogram
	batches      *prometheus.HistogramVec // by what came of them
	views        prometheus.Histogram
}

func newMetrics() metrics {
	seconds := []float64{.001, .003, .01, .03, .1, .3, 1, 5}
	m := metrics{
		batchAnswers: prometheus.NewHistogram(prometheus.HistogramOpts{
			Name: "quizd_batch_answers", Help: "Answers in one statement.", Buckets: []float64{1, 3, 10, 30, 100, 300, batchLimit},
		}),
		batches: prometheus.NewHistogramVec(prometheus.HistogramOpts{
			Name: "quizd_batch_duration_seconds", Help: "How long the storing of a batch of answers took, by result: stored, refused (each is tried alone then) or failed.", Buckets: seconds,
		}, []string{"result"}),
		views: prometheus.NewHistogram(prometheus.HistogramOpts{
			Name: "quizd_room_update_duration_seconds", Help: "How long it took to read a session's new version, encode it, and wake those who watch.", Buckets: seconds,
		}),
	}
	for _, result := range []string{batchStored, batchRefused, batchFailed} {
		m.batches.WithLabelValues(result)
	}
	return m
}

// What may come of a batch.
const (
	batchStored  = "stored"
	batchRefused = "refused"
	batchFailed  = "failed"
)

// tell counts a batch.
func (m metrics) tell(answers int, began time.Time, result string) {
	m.batchAnswers.Observe(float64(answers))
	m.batches.WithLabelValues(result).Observe(time.Since(began).Seconds())
}

var waitingDesc = prometheus.NewDesc("quizd_batch_waiting", "Answers that wait for the next statement.", nil, nil)

// Describe implements prometheus.Collector.
func (s *Service) Describe(to chan<- *prometheus.Desc) {
	s.metrics.batchAnswers.Describe(to)
	s.metrics.batches.Describe(to)
	s.metrics.views.Describe(to)
	to <- waitingDesc
}

// Collect implements prometheus.Collector.
func (s *Service) Collect(to chan<- prometheus.Metric) {
	s.metrics.batchAnswers.Collect(to)
	s.metrics.batches.Collect(to)
	s.metrics.views.Collect(to)
	to <- prometheus.MustNewConstMetric(waitingDesc, prometheus.GaugeValue, float64(s.answers.waitingNow()))
}
