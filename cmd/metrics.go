package cmd

import (
	"context"
	"fmt"
	"net"
	nethttp "net/http"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"github.com/docketmod/docket/http"
	"github.com/docketmod/docket/platform/upkeep"
)

// figures collects what operators monitor: tasks, jobs, held decisions, statements, backups and
// checkpoints. It omits what the database does not return within two seconds, so that the scrape
// succeeds.
type figures struct {
	*Server
	tasks, overdue *prometheus.Desc
	held           *prometheus.Desc // by a provider's circuit breaker
	unsent         *prometheus.Desc // statements of reasons
	waiting, age   *prometheus.Desc // held decisions and disputed second opinions
	done           map[upkeep.Name]*prometheus.Desc
}

func newFigures(s *Server) *figures {
	f := &figures{
		Server:  s,
		tasks:   prometheus.NewDesc("docket_queue_tasks", "Tasks that are not completed, by status; unhandled ones are pending, too.", []string{"status"}, nil),
		overdue: prometheus.NewDesc("docket_cron_overdue_jobs", "Scheduled jobs that are more than 15 minutes past due.", nil, nil),
		held:    prometheus.NewDesc("docket_provider_breaker_open", "1 while questions to a provider of signals are held back, because it does not answer.", []string{"plugin", "provider"}, nil),
		unsent:  prometheus.NewDesc("docket_statements_unsent", "Statements of reasons of the last 30 days that were due more than a day ago and are not sent, by status (incomplete, refused, pending).", []string{"status"}, nil),
		waiting: prometheus.NewDesc("docket_waiting_decisions", "Decisions that wait for somebody else, by kind: held until a second person releases them, or disputed by a second opinion until a third person settles it.", []string{"kind"}, nil),
		age:     prometheus.NewDesc("docket_waiting_decision_age_seconds", "Age of the oldest decision that waits, by kind; 0 when there is none.", []string{"kind"}, nil),
		done:    map[upkeep.Name]*prometheus.Desc{},
	}
	for _, name := range upkeep.Names {
		f.done[name] = prometheus.NewDesc("docket_"+string(name)+"_timestamp_seconds", "When the last "+string(name)+" was made, in Unix time.", nil, nil)
	}
	return f
}

// newRequestsFailed returns the counter of the requests to platforms that failed.
func newRequestsFailed() *prometheus.CounterVec {
	c := prometheus.NewCounterVec(prometheus.CounterOpts{
		Name: "docket_platform_requests_failed_total", Help: "Requested actions and measures that a platform refused, or that could not be delivered, by what was requested.",
	}, []string{"requested"})
	for _, what := range []string{"action", "measure"} { // so that rates start at zero
		c.WithLabelValues(what)
	}
	return c
}

// newQuestions returns the counter of the calls to signal providers, by outcome.
func newQuestions() *prometheus.CounterVec {
	return prometheus.NewCounterVec(prometheus.CounterOpts{
		Name: "docket_provider_questions_total", Help: "Questions to providers of signals, by outcome (answered, failed); each attempt counts.",
	}, []string{"plugin", "provider", "outcome"})
}

// Describe implements prometheus.Collector.
func (f *figures) Describe(out chan<- *prometheus.Desc) {
	out <- f.tasks
	out <- f.overdue
	out <- f.held
	out <- f.unsent
	out <- f.waiting
	out <- f.age
	for _, name := range upkeep.Names {
		out <- f.done[name]
	}
}

// Collect implements prometheus.Collector.
func (f *figures) Collect(out chan<- prometheus.Metric) {
	ctx, cancel := context.WithTimeout(context.Background(), 2*time.Second)
	defer cancel()
	gauge := func(desc *prometheus.Desc, value float64, labels ...string) {
		out <- prometheus.MustNewConstMetric(desc, prometheus.GaugeValue, value, labels...)
	}
	for _, p := range f.allProviders() {
		open := 0.0
		if p.Health().Open {
			open = 1
		}
		gauge(f.held, open, p.PluginID, p.Name)
	}
	if counts, err := f.queue.Open(ctx); err == nil {
		for status, n := range counts {
			gauge(f.tasks, float64(n), string(status))
		}
	}
	if health, err := f.cron.Health(ctx); err == nil {
		gauge(f.overdue, float64(health.OverdueJobs))
	}
	if counts, err := f.statements.Unsent(ctx); err == nil {
		for status, n := range counts {
			gauge(f.unsent, float64(n), string(status))
		}
	}
	for kind, count := range map[string]func(context.Context) (int, float64, error){"held": f.reports.HeldWaiting, "disputed": f.seconds.DisputesWaiting} {
		if n, age, err := count(ctx); err == nil {
			gauge(f.waiting, float64(n), kind)
			gauge(f.age, age, kind)
		}
	}
	if last, err := upkeep.Last(ctx, f.db.Pool); err == nil {
		for name, done := range last {
			if desc, known := f.done[name]; known {
				gauge(desc, float64(done.At.Unix()))
			}
		}
	}
}

// serveMetrics serves /metrics on its own listener, DOCKET_METRICS_LISTEN, if one is set. The
// caller closes the server that it returns.
func (s *Server) serveMetrics(ctx context.Context, failed chan<- error) (*nethttp.Server, error) {
	private := http.NewServer(http.NewMetricsHandler(s.metrics))
	if s.cfg.MetricsListen == "" {
		return private, nil
	}
	listener, err := new(net.ListenConfig).Listen(ctx, "tcp", s.cfg.MetricsListen)
	if err != nil {
		return private, fmt.Errorf("DOCKET_METRICS_LISTEN: %w", err)
	}
	go func() { failed <- private.Serve(listener) }()
	s.log.Info().Str("url", "http://"+listener.Addr().String()+"/metrics").Msg("serving metrics")
	return private, nil
}
