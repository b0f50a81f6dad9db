package served

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	nethttp "net/http"
	"net/http/httptest"
	"os"
	"regexp"
	"runtime/debug"
	"slices"
	"strconv"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/docketmod/docket/domain/permission"
	"github.com/docketmod/docket/eventstore"
	"github.com/docketmod/docket/eventstore/postgres/pgtest"
	"github.com/docketmod/docket/http"
	"github.com/docketmod/docket/scripts/fill/history"
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
// minutes, and both verifications are clean. There is content for each fifth report;
// DOCKET_SOAK_REPORTS reports are there before.
func BenchmarkSoak(b *testing.B) {
	length := 10 * time.Second
	if text := os.Getenv("DOCKET_SOAK"); text != "" {
		var err error
		length, err = time.ParseDuration(text)
		require.NoError(b, err)
	}
	s := startBenchServerWith(b, map[string]string{"CRON_ADAPTER": "inprocess", "DOCKET_WEBHOOK_ALLOW_PRIVATE": "true"})
	s.addPosts(b, int(length.Seconds())*soakFilings/5)
	if text := os.Getenv("DOCKET_SOAK_REPORTS"); text != "" {
		reports, err := strconv.Atoi(text)
		require.NoError(b, err)
		_, err = history.Forum(context.Background(), s.database.Pool, history.Size{Reports: reports}, s.key, nil)
		require.NoError(b, err)
	}
	var delivered atomic.Int64
	receiver := httptest.NewServer(nethttp.HandlerFunc(func(nethttp.ResponseWriter, *nethttp.Request) { delivered.Add(1) }))
	defer receiver.Close()
	admin := s.sessions("admin", 1)[0]
	require.NoError(b, s.entries.Ensure(b.Context(), permission.Admin, admin.User.ID, permission.Entry{Unrestricted: true}))
	c, err := dialWire(s.url)
	require.NoError(b, err)
	_, err = c.post(admin.ID, "/admin/webhooks", nethttp.StatusCreated, fmt.Sprintf(`{"url":%q,"events":["*"]}`, receiver.URL))
	require.NoError(b, err)
	c.close()
	heard := s.listen(b, s.moderators[0])

	defer debug.SetGCPercent(debug.SetGCPercent(400)) // the load shares the machine
	over := make(chan struct{})
	errs := make([]error, 2*lagClients+2)
	var lags []time.Duration
	var memory []float64
	var server, database float64
	for b.Loop() {
		start, serverBefore, databaseBefore := time.Now(), s.processorTime(b), s.postgresTime(b)
		var filing, deciding, watch sync.WaitGroup
		seconds := int(length.Seconds())
		filings, decisions := slots(soakFilings, seconds*soakFilings), slots(soakDecisions, seconds*soakDecisions)
		filed := make(chan string, 1<<20)
		for client := range lagClients {
			filing.Go(func() { errs[client] = s.fileEach(s.url, client, filings, filed) })
			deciding.Go(func() { errs[lagClients+client] = s.decideEach(s.moderators[client], decisions, filed) })
		}
		watch.Go(func() { errs[2*lagClients] = s.addReporters(over) })
		watch.Go(func() { lags, errs[2*lagClients+1] = s.watchLag(over) })
		watch.Go(func() { memory = s.watchMemory(b, length/60, over) })
		filing.Wait()
		close(filed)
		deciding.Wait()
		close(over)
		watch.Wait()
		took := time.Since(start).Seconds()
		server, database = (s.processorTime(b)-serverBefore).Seconds()/took, (s.postgresTime(b)-databaseBefore).Seconds()/took
	}
	require.NoError(b, errors.Join(errs...))
	s.awaitProjections(b)
	slices.Sort(lags)
	b.ReportMetric(percentile(lags, 99), "p99-lag-ms")
	b.ReportMetric(lags[len(lags)-1].Seconds()*1000, "longest-lag-ms")
	b.ReportMetric(memory[len(memory)-1]/memory[len(memory)/6], "memory-ratio")
	b.ReportMetric(memory[len(memory)-1], "server-MB")
	b.ReportMetric(server, "server-cores")
	b.ReportMetric(database, "postgres-cores")
	b.ReportMetric(0, "ns/op")
	require.Positive(b, heard.Load())
	events := pgtest.One[int](b, s.database.Pool, `SELECT count(*) FROM core_moderation_report_events`)
	b.Logf("%d events, %d of them delivered to the webhook when the load ended", events, delivered.Load())
	for _, args := range [][]string{{"projections", "verify"}, {"audit", "verify"}} {
		start := time.Now()
		said := s.docket(b, args...)
		b.Logf("%v in %s: %s", args, time.Since(start), said)
	}
}

// listen opens the live feed and counts the lines that come.
func (s *benchServer) listen(b *testing.B, session string) *atomic.Int64 {
	b.Helper()
	r, err := nethttp.NewRequestWithContext(b.Context(), nethttp.MethodGet, s.url+http.Base+"/moderation/live", nil)
	require.NoError(b, err)
	r.Header.Set("Cookie", "docket_session="+session)
	answer, err := nethttp.DefaultClient.Do(r)
	require.NoError(b, err)
	require.Equal(b, nethttp.StatusOK, answer.StatusCode)
	var heard atomic.Int64
	go func() {
		defer answer.Body.Close()
		for lines := bufio.NewScanner(answer.Body); lines.Scan(); heard.Add(1) {
		}
	}()
	return &heard
}

// awaitProjections reports how long the projections need for the log as it is now.
func (s *benchServer) awaitProjections(b *testing.B) {
	start, ctx := time.Now(), context.Background()
	end, err := eventstore.LastPosition(ctx, s.database.Pool)
	require.NoError(b, err)
	b.Logf("when the load ended at position %d: %s", end, pgtest.One[string](b, s.database.Pool, `SELECT string_agg(name || ' ' || position, ', ' ORDER BY name) FROM core_projections WHERE state = 'live'`))
	s.projected(b)
	b.ReportMetric(time.Since(start).Seconds(), "catch-up-s")
}

// decideEach claims and resolves a report for each slot.
func (s *benchServer) decideEach(session string, slots <-chan struct{}, filed <-chan string) error {
	c, err := dialWire(s.url)
	if err != nil {
		return err
	}
	defer c.close()
	for range slots {
		id, ok := <-filed
		if !ok {
			return errors.New("no filed report is left to decide")
		}
		path := "/moderation/reports/" + id
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
