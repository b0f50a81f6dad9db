package cmd

import (
	"fmt"
	nethttp "net/http"
	"net/http/httptest"
	"os"
	"regexp"
	"slices"
	"strconv"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/docketmod/docket/domain/report"
)

// The load of a soak, by the second.
const (
	soakFilings   = 500
	soakDecisions = 100
)

// BenchmarkSoak files 500 reports and decides 100 a second for DOCKET_SOAK, ten seconds if
// it is not set, with all subscribers at work: projections, notices, a live feed, a webhook
// of every event, and the jobs of every minute. With an hour, no request may fail, the lag
// stays below a second, the server's memory at the end is within a fifth of that after ten
// minutes, and both verifications are clean.
func BenchmarkSoak(b *testing.B) {
	length := 10 * time.Second
	if text := os.Getenv("DOCKET_SOAK"); text != "" {
		var err error
		length, err = time.ParseDuration(text)
		require.NoError(b, err)
	}
	s := startBenchServerWith(b, map[string]string{"CRON_ADAPTER": "inprocess", "DOCKET_WEBHOOK_ALLOW_PRIVATE": "true"})
	var delivered atomic.Int64
	receiver := httptest.NewServer(nethttp.HandlerFunc(func(nethttp.ResponseWriter, *nethttp.Request) { delivered.Add(1) }))
	defer receiver.Close()
	admin := s.signIn("admin@demo.test")
	s.must(admin, nethttp.MethodPost, "/admin/webhooks", map[string]any{"url": receiver.URL, "events": []string{"*"}})
	heard := s.listen(s.signIn("moderator@demo.test"))

	over := make(chan struct{})
	stop := sync.OnceFunc(func() { close(over) })
	defer stop()
	filings, decisions := slots(soakFilings, over), slots(soakDecisions, over)
	var work, watch sync.WaitGroup
	errs := make([]error, 2*lagClients+2)
	filed := make(chan string, 1<<20)
	for client := range lagClients {
		work.Go(func() { errs[client] = s.fileForSoak(client, filings, filed) })
		work.Go(func() { errs[lagClients+client] = s.decideForSoak(s.moderators[client], decisions, filed) })
	}
	watch.Go(func() { errs[2*lagClients] = s.addReporters(over) })
	var lags []time.Duration
	watch.Go(func() { lags, errs[2*lagClients+1] = s.watchLag(over) })
	var memory []float64
	watch.Go(func() { memory = s.watchMemory(b, length/60, over) })
	for b.Loop() {
		time.Sleep(length)
	}
	stop()
	work.Wait()
	watch.Wait()
	for _, err := range errs {
		require.NoError(b, err)
	}
	slices.Sort(lags)
	b.ReportMetric(percentile(lags, 99), "p99-lag-ms")
	b.ReportMetric(lags[len(lags)-1].Seconds()*1000, "longest-lag-ms")
	b.ReportMetric(memory[len(memory)-1]/memory[len(memory)/6], "memory-ratio")
	b.ReportMetric(memory[len(memory)-1], "server-MB")
	b.ReportMetric(0, "ns/op")
	require.NotEmpty(b, heard())
	events := one[int](b, s.database.Pool, `SELECT count(*) FROM core_moderation_report_events`)
	b.Logf("%d events, %d of them delivered to the webhook when the load ended", events, delivered.Load())
	for _, args := range [][]string{{"projections", "verify"}, {"audit", "verify"}} {
		start := time.Now()
		verified := docket(b, with(s.environment, "DATABASE_URL", s.database.URL), args...)
		require.Zero(b, verified.status, verified.stdout+verified.stderr)
		b.Logf("%v in %s: %s", args, time.Since(start), verified.stdout)
	}
}

// slots gives so many values a second until it is over. What nobody takes in time is taken
// late: the load never grows less.
func slots(perSecond int, over <-chan struct{}) <-chan struct{} {
	all := make(chan struct{}, 10*perSecond)
	go func() {
		defer close(all)
		start := time.Now()
		for i := 0; ; i++ {
			time.Sleep(time.Until(start.Add(time.Duration(i) * time.Second / time.Duration(perSecond))))
			select {
			case <-over:
				return
			case all <- struct{}{}:
			}
		}
	}()
	return all
}

// fileForSoak files a report for each slot, and offers it to be decided.
func (s *benchServer) fileForSoak(client int, slots <-chan struct{}, filed chan<- string) error {
	c, err := dialWire(s.url)
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
		c.took = c.took[:0]
		select {
		case filed <- string(answeredID.FindSubmatch(answer)[1]):
		default: // there are plenty
		}
	}
	return nil
}

// decideForSoak claims and resolves a report for each slot.
func (s *benchServer) decideForSoak(session string, slots <-chan struct{}, filed <-chan string) error {
	c, err := dialWire(s.url)
	if err != nil {
		return err
	}
	defer c.close()
	for range slots {
		path := "/moderation/reports/" + <-filed
		if _, err := c.post(session, path+"/claim", nethttp.StatusOK, `{"expectedVersion":1}`); err != nil {
			return err
		}
		if _, err := c.post(session, path+"/resolve", nethttp.StatusOK, `{"expectedVersion":2,"resolution":"action_taken","explanation":"Advertising."}`); err != nil {
			return err
		}
		c.took = c.took[:0]
	}
	return nil
}

// addReporters signs new reporters in as those who have filed what they may leave.
func (s *benchServer) addReporters(over <-chan struct{}) error {
	for n := 0; ; n++ {
		for _, session := range s.sessions(fmt.Sprintf("soak-%d-", n), 100) {
			select {
			case <-over:
				return nil
			case s.reporters <- session.ID:
			}
		}
	}
}

var resident = regexp.MustCompile(`VmRSS:\s+(\d+) kB`)

// watchMemory measures the server's memory in MB until it is over.
func (s *benchServer) watchMemory(b *testing.B, every time.Duration, over <-chan struct{}) (all []float64) {
	tick := time.NewTicker(every)
	defer tick.Stop()
	for {
		select {
		case <-over:
			return all
		case <-tick.C:
		}
		status, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", s.cmd.Process.Pid))
		if err != nil {
			b.Error(err)
			return all
		}
		kb, err := strconv.ParseFloat(string(resident.FindSubmatch(status)[1]), 64)
		if err != nil {
			b.Error(err)
			return all
		}
		all = append(all, kb/1000)
	}
}
