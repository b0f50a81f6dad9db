package served

import (
	"encoding/json"
	"errors"
	"fmt"
	nethttp "net/http"
	"net/url"
	"os"
	"strconv"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/docketmod/docket/domain/moderation"
	"github.com/docketmod/docket/eventstore/postgres/pgtest"
)

// brigadeClients file at once, as fast as the server answers.
const brigadeClients = 8

// BenchmarkBrigade reports one post by 50,000 accounts (DOCKET_BENCH_BRIGADE says how
// many), which makes one case. Meanwhile one more client files elsewhere (elsewhere-ms),
// and does so while as many clients report as many posts (usual-ms): the ratio may be
// 1.5. Then the case is read (read-ms) and 200 of its reports are decided with an action
// (decide-ms): both may take two seconds. The last filings may cost no more than the
// first (growth), nor may a report take more room (KB/report).
func BenchmarkBrigade(b *testing.B) {
	accounts := 50_000
	if given := os.Getenv("DOCKET_BENCH_BRIGADE"); given != "" {
		var err error
		accounts, err = strconv.Atoi(given)
		require.NoError(b, err)
	}
	s := startBenchServer(b)
	for b.Loop() {
		s.brigade(b, accounts)
	}
	b.ReportMetric(0, "ns/op") // an iteration is the whole brigade and its preparation
}

func (s *benchServer) brigade(b *testing.B, accounts int) {
	var sessions []string
	for _, session := range s.sessions(fmt.Sprint("brigade", time.Now().UnixNano(), "-"), accounts) {
		sessions = append(sessions, session.ID)
	}
	post := pgtest.One[string](b, s.database.Pool, insertPost, s.posts[0], "<p>Report me.</p>")
	bytesBefore := s.databaseSize(b)

	// By turns, so that both have the same machine: the brigade is the first turn of two.
	const turns = 10
	var brigade, elsewhere, usual []time.Duration
	for turn := range turns {
		part := sessions[turn*accounts/turns : (turn+1)*accounts/turns]
		took, probed := s.crowd(b, part, func(int) string { return post })
		brigade, elsewhere = append(brigade, took...), append(elsewhere, probed...)
		_, probed = s.crowd(b, part[:len(part)/5], func(i int) string { return s.posts[i%len(s.posts)] })
		usual = append(usual, probed...)
	}
	filed := accounts + accounts/5

	moderator := s.moderators[0]
	c, err := dialWire(s.url)
	require.NoError(b, err)
	defer c.close()
	of := "pluginId=forum&targetType=forum.post&targetId=" + post
	var list struct{ Edges []moderation.Case }
	pgtest.Eventually(b, func() bool {
		raw, err := c.get(moderator, "/moderation/cases?"+of)
		require.NoError(b, err)
		require.NoError(b, json.Unmarshal(raw, &list))
		return len(list.Edges) == 1 && list.Edges[0].OpenReports == accounts
	}, "one case has all %d reports", accounts)

	// The case as the panel opens it, and as many of its reports as one decision is about.
	var reports struct {
		Edges []struct {
			ID              string `json:"id"`
			ExpectedVersion int    `json:"expectedVersion"`
		}
		PageInfo struct{ EndCursor string }
	}
	start := time.Now()
	for cursor := ""; len(reports.Edges) < moderation.MaxCaseReports; cursor = "&cursor=" + url.QueryEscape(reports.PageInfo.EndCursor) {
		raw, err := c.get(moderator, "/moderation/reports?status=new,in_progress&order=asc&first=100&"+of+cursor)
		require.NoError(b, err)
		page := reports.Edges
		reports.Edges = nil
		require.NoError(b, json.Unmarshal(raw, &reports))
		reports.Edges = append(page, reports.Edges...)
	}
	_, err = c.get(moderator, "/moderation/reports/"+reports.Edges[0].ID)
	require.NoError(b, err)
	read := time.Since(start)
	for i := range reports.Edges {
		reports.Edges[i].ExpectedVersion = 1
	}
	decision, err := json.Marshal(map[string]any{"target": map[string]string{"pluginId": "forum", "type": "forum.post", "id": post},
		"reports": reports.Edges, "action": "hide", "resolve": map[string]string{"resolution": "action_taken"}})
	require.NoError(b, err)
	start = time.Now()
	_, err = c.post(moderator, "/moderation/cases/decide", nethttp.StatusOK, string(decision))
	require.NoError(b, err)
	decide := time.Since(start)

	first, last := brigade[:len(brigade)/10], brigade[len(brigade)-len(brigade)/10:]
	b.ReportMetric(milliseconds(last)/milliseconds(first), "growth")
	b.ReportMetric(milliseconds(elsewhere), "elsewhere-ms")
	b.ReportMetric(milliseconds(usual), "usual-ms")
	b.ReportMetric(milliseconds(elsewhere)/milliseconds(usual), "ratio")
	b.ReportMetric(read.Seconds()*1000, "read-ms")
	b.ReportMetric(decide.Seconds()*1000, "decide-ms")
	b.ReportMetric(float64(s.databaseSize(b)-bytesBefore)/float64(filed)/1024, "KB/report")
	b.ReportMetric(s.peakMemory(b), "server-MB")
}

// crowd files with each session once, and with one more client elsewhere until they are
// done. It returns how long the filings took of either.
func (s *benchServer) crowd(b *testing.B, sessions []string, post func(i int) string) (took, probed []time.Duration) {
	b.Helper()
	took = make([]time.Duration, len(sessions))
	errs := make([]error, brigadeClients)
	var next atomic.Int64
	var all sync.WaitGroup
	for client := range brigadeClients {
		all.Go(func() {
			c, err := dialWire(s.url)
			if err != nil {
				errs[client] = err
				return
			}
			defer c.close()
			for i := int(next.Add(1)) - 1; i < len(sessions) && errs[client] == nil; i = int(next.Add(1)) - 1 {
				start := time.Now()
				_, errs[client] = c.post(sessions[i], "/moderation/reports", nethttp.StatusCreated,
					fmt.Sprintf(`{"pluginId":"forum","targetType":"forum.post","targetId":%q,"reason":"abusive"}`, post(i)))
				took[i] = time.Since(start)
			}
		})
	}
	done := make(chan struct{})
	go func() { all.Wait(); close(done) }()
	c, err := dialWire(s.url)
	require.NoError(b, err)
	defer c.close()
	probe := &filer{benchServer: s, wire: c}
	for i := 0; ; i++ {
		select {
		case <-done:
			require.NoError(b, errors.Join(errs...))
			return took, probed
		default:
			probed = append(probed, probe.file(b, "forum.post", s.posts[i%len(s.posts)]))
		}
	}
}

// databaseSize is the size of all tables with their indexes, in bytes.
func (s *benchServer) databaseSize(b *testing.B) (n int64) {
	b.Helper()
	require.NoError(b, s.database.Pool.QueryRow(b.Context(), `SELECT pg_database_size(current_database())`).Scan(&n))
	return n
}
