package served

import (
	"context"
	"fmt"
	nethttp "net/http"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/docketmod/docket/domain/report"
)

// The load under which projections are to lag by less than a second.
const (
	commandsPerSecond = 500
	lagClients        = 16
)

// BenchmarkLag files reports over HTTP at a steady 500 a second for ten seconds an
// iteration, through two servers that both seal and project, and measures meanwhile
// how old the oldest event is that was not sealed and projected into every
// projection yet, by the database's clock.
func BenchmarkLag(b *testing.B) {
	s := startBenchServer(b)
	second, _ := s.start(map[string]string{"DATABASE_URL": s.database.URL}, "demo")
	servers := []string{s.url, second}
	var lags []time.Duration
	var filed int
	var took time.Duration
	for b.Loop() {
		const n = 10 * commandsPerSecond
		due := slots(commandsPerSecond, n)
		var load, watch sync.WaitGroup
		errs := make([]error, lagClients)
		start := time.Now()
		for client := range lagClients {
			load.Go(func() { errs[client] = s.fileEach(servers[client%2], client, due, nil) })
		}
		over := make(chan struct{})
		var measured []time.Duration
		var fault error
		watch.Go(func() { measured, fault = s.watchLag(over) })
		load.Wait()
		took += time.Since(start)
		filed += n
		close(over)
		watch.Wait()
		for _, err := range append(errs, fault) {
			require.NoError(b, err)
		}
		lags = append(lags, measured...)
	}
	var sum, longest time.Duration
	for _, lag := range lags {
		sum, longest = sum+lag, max(longest, lag)
	}
	b.ReportMetric(float64(filed)/took.Seconds(), "commands/s")
	b.ReportMetric(sum.Seconds()*1000/float64(len(lags)), "mean-lag-ms")
	b.ReportMetric(longest.Seconds()*1000, "longest-lag-ms")
}

// slots gives n values, so many a second. What nobody takes in time is taken late: the load
// never grows less.
func slots(perSecond, n int) <-chan struct{} {
	all := make(chan struct{}, n)
	go func() {
		defer close(all)
		start := time.Now()
		for i := range n {
			time.Sleep(time.Until(start.Add(time.Duration(i) * time.Second / time.Duration(perSecond))))
			all <- struct{}{}
		}
	}()
	return all
}

// fileEach files a report for each slot as one of the clients, and offers it to be decided,
// while there is room.
func (s *benchServer) fileEach(server string, client int, slots <-chan struct{}, filed chan<- string) error {
	c, err := dialWire(server)
	if err != nil {
		return err
	}
	defer c.close()
	session, n := "", 0
	for range slots {
		if n%report.FilingsPerHour == 0 {
			session = <-s.reporters
		}
		n++
		answer, err := c.post(session, "/moderation/reports", nethttp.StatusCreated, fmt.Sprintf(benchFiling, s.posts[(n*7+client*101)%len(s.posts)]))
		if err != nil {
			return err
		}
		c.took = c.took[:0] // nothing reads it
		select {
		case filed <- string(answeredID.FindSubmatch(answer)[1]):
		default:
		}
	}
	return nil
}

// watchLag measures until it is over, a few times a second.
func (s *benchServer) watchLag(over <-chan struct{}) (lags []time.Duration, err error) {
	tick := time.NewTicker(200 * time.Millisecond)
	defer tick.Stop()
	for {
		select {
		case <-over:
			return lags, nil
		case <-tick.C:
		}
		var seconds float64
		err := s.database.Pool.QueryRow(context.Background(), `
			SELECT coalesce(extract(epoch FROM clock_timestamp() - least(
				(SELECT e.occurred_at FROM core_moderation_report_events e
					WHERE e.transaction_id >= (SELECT lower_bound FROM core_moderation_sealer)
					  AND (SELECT l.position FROM core_moderation_log l WHERE l.event_id = e.event_id) IS NULL
					ORDER BY e.transaction_id LIMIT 1),
				(SELECT (SELECT e.occurred_at FROM core_moderation_report_events e WHERE e.event_id = l.event_id)
					FROM core_moderation_log l WHERE l.position > (SELECT min(position) FROM core_projections WHERE state = 'live')
					ORDER BY l.position LIMIT 1))), 0)::float8`).Scan(&seconds)
		if err != nil {
			return nil, err
		}
		lags = append(lags, time.Duration(seconds*float64(time.Second)))
	}
}
