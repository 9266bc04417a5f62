package postgres

import (
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/prometheus/client_golang/prometheus"
)

// Metrics collects how the connections of a pool stand.
func Metrics(pool *pgxpool.Pool) prometheus.Collector { return poolMetrics{pool} }

type poolMetrics struct{ pool *pgxpool.Pool }

var (
	connectionsDesc = prometheus.NewDesc("quizd_pool_connections", "Connections to Postgres.", []string{"state"}, nil)
	mostDesc        = prometheus.NewDesc("quizd_pool_connections_max", "Connections to Postgres at most.", nil, nil)
	acquiredDesc    = prometheus.NewDesc("quizd_pool_acquires_total", "How often a connection was taken.", nil, nil)
	waitsDesc       = prometheus.NewDesc("quizd_pool_waits_total", "How often none was free when one was to be taken.", nil, nil)
	waitedDesc      = prometheus.NewDesc("quizd_pool_wait_seconds_total", "How long was waited for connections, all waits together.", nil, nil)
	givenUpDesc     = prometheus.NewDesc("quizd_pool_waits_given_up_total", "Waits that ended without a connection.", nil, nil)
)

// Describe implements prometheus.Collector.
func (m poolMetrics) Describe(to chan<- *prometheus.Desc) { prometheus.DescribeByCollect(m, to) }

// Collect implements prometheus.Collector.
func (m poolMetrics) Collect(to chan<- prometheus.Metric) {
	stat := m.pool.Stat()
	tell := func(d *prometheus.Desc, kind prometheus.ValueType, value float64, labels ...string) {
		to <- prometheus.MustNewConstMetric(d, kind, value, labels...)
	}
	tell(connectionsDesc, prometheus.GaugeValue, float64(stat.AcquiredConns()), "in use")
	tell(connectionsDesc, prometheus.GaugeValue, float64(stat.IdleConns()), "idle")
	tell(connectionsDesc, prometheus.GaugeValue, float64(stat.ConstructingConns()), "connecting")
	tell(mostDesc, prometheus.GaugeValue, float64(stat.MaxConns()))
	tell(acquiredDesc, prometheus.CounterValue, float64(stat.AcquireCount()))
	tell(waitsDesc, prometheus.CounterValue, float64(stat.EmptyAcquireCount()))
	tell(waitedDesc, prometheus.CounterValue, stat.EmptyAcquireWaitTime().Seconds())
	tell(givenUpDesc, prometheus.CounterValue, float64(stat.CanceledAcquireCount()))
}
