package subscribers

import (
	"context"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/promauto"

	"github.com/docketmod/docket/eventstore/postgres"
)

// metrics counts the attempts of groups on this server. On a scrape, the lag of groups is read from
// the database.
type metrics struct {
	attempts *prometheus.CounterVec
	poisoned *prometheus.CounterVec
	seconds  *prometheus.HistogramVec
}

func newMetrics(registry prometheus.Registerer, pool *pgxpool.Pool, groups []string) *metrics {
	metric := promauto.With(registry)
	m := &metrics{
		attempts: metric.NewCounterVec(prometheus.CounterOpts{
			Name: "docket_subscriber_attempts_total", Help: "Events given to a listener, by group and outcome (handled, failed, later).",
		}, []string{"group", "outcome"}),
		poisoned: metric.NewCounterVec(prometheus.CounterOpts{
			Name: "docket_subscriber_poisoned_total", Help: "Events set aside after every retry failed, by group.",
		}, []string{"group"}),
		seconds: metric.NewHistogramVec(prometheus.HistogramOpts{
			Name: "docket_subscriber_attempt_seconds", Help: "Time a listener took for an event, by group.",
			Buckets: []float64{.001, .0025, .005, .01, .05, .1, .5, 1, 5, 10},
		}, []string{"group"}),
	}
	for _, group := range groups { // so that rates start at zero
		for _, outcome := range []string{"handled", "failed", "later"} {
			m.attempts.WithLabelValues(group, outcome)
		}
		m.poisoned.WithLabelValues(group)
	}
	if registry != nil {
		registry.MustRegister(newLag(pool))
	}
	return m
}

// handled counts an attempt with some events that ended with err.
func (m *metrics) handled(group string, start time.Time, events int, err error) {
	outcome := "handled"
	if err != nil {
		outcome = "failed"
	}
	m.attempts.WithLabelValues(group, outcome).Add(float64(events))
	each := time.Since(start).Seconds() / float64(events)
	for range events {
		m.seconds.WithLabelValues(group).Observe(each)
	}
}

// forwarded counts an attempt of a forwarder. A failed one is repeated until it succeeds.
func (m *metrics) forwarded(group string, start time.Time, err error) {
	outcome := "handled"
	if err != nil {
		outcome = "later"
	}
	m.attempts.WithLabelValues(group, outcome).Inc()
	m.seconds.WithLabelValues(group).Observe(time.Since(start).Seconds())
}

// lagCap is the number at which counting unread messages stops.
const lagCap = 10_000

// lagQuery counts each group's unread messages from its position along the primary key. The age is
// that of the oldest unread event.
var lagQuery = fmt.Sprintf(`
SELECT o.consumer_group, u.n, coalesce(u.age, 0)
FROM %[1]s o, LATERAL (
	SELECT count(*) AS n, extract(epoch FROM now() - min(occurred_at))::float8 AS age FROM (
		SELECT (metadata->>'occurred_at')::timestamptz AS occurred_at FROM %[2]s m
		WHERE (m.transaction_id, m."offset") > (o.last_processed_transaction_id, o.offset_acked)
		ORDER BY m.transaction_id, m."offset" LIMIT %[3]d) unread) u`,
	publicEvents.positions, publicEvents.messages, lagCap)

// lag collects how far each group is behind. If the database does not respond within two seconds,
// the figures are omitted, so that the scrape succeeds.
type lag struct {
	pool              *pgxpool.Pool
	messages, seconds *prometheus.Desc
}

func newLag(pool *pgxpool.Pool) *lag {
	return &lag{
		pool: pool,
		messages: prometheus.NewDesc("docket_subscriber_lag_messages",
			fmt.Sprintf("Messages a group has not read, at most %d.", lagCap), []string{"group"}, nil),
		seconds: prometheus.NewDesc("docket_subscriber_lag_seconds",
			"Age of the oldest message a group has not read, 0 when there is none.", []string{"group"}, nil),
	}
}

// Describe implements prometheus.Collector.
func (l *lag) Describe(out chan<- *prometheus.Desc) {
	out <- l.messages
	out <- l.seconds
}

// Collect implements prometheus.Collector.
func (l *lag) Collect(out chan<- prometheus.Metric) {
	ctx, cancel := context.WithTimeout(context.Background(), 2*time.Second)
	defer cancel()
	groups, err := Lags(ctx, l.pool)
	if err != nil {
		return
	}
	for _, g := range groups {
		out <- prometheus.MustNewConstMetric(l.messages, prometheus.GaugeValue, float64(g.Messages), g.Group)
		out <- prometheus.MustNewConstMetric(l.seconds, prometheus.GaugeValue, g.Seconds, g.Group)
	}
}

// Lag is how far a group is behind.
type Lag struct {
	Group    string
	Messages int64   // at most 10,000
	Seconds  float64 // age of the oldest
}

// Lags returns how far every group is behind.
func Lags(ctx context.Context, pool *pgxpool.Pool) ([]Lag, error) {
	return postgres.Collect(ctx, pool, "lag of groups", pgx.RowToStructByPos[Lag], lagQuery)
}
