package served

import (
	"bytes"
	"fmt"
	"net/url"
	"regexp"
	"slices"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/docketmod/docket/scripts/fill/history"
)

// boardPause is how long each number of clients reads the board.
const boardPause = 5 * time.Second

// BenchmarkReads reads the board of DOCKET_BENCH_REPORTS reports over HTTP. With a million,
// the 99th percentile of a page at 8 clients may be 20 ms, and 32 clients must get no fewer
// pages a second than 8; figures of the tabs may take 5 ms, and the search for any word
// 50 ms. The first page, the thousandth by cursor, and the first of 1,000 reports may take
// 1.3 times as long as each other. The figures other than those of many clients are medians.
func BenchmarkReads(b *testing.B) {
	s := startBenchServer(b)
	c, err := dialWire(s.url)
	require.NoError(b, err)
	defer func() { c.close() }()
	session := s.moderators[0]
	median := func(path string) float64 {
		var took []time.Duration
		for range 41 {
			start := time.Now()
			_, err := c.get(session, path)
			require.NoError(b, err)
			took = append(took, time.Since(start))
		}
		slices.Sort(took)
		return took[len(took)/2].Seconds() * 1000
	}
	const first = "/moderation/reports?muted=false"
	s.fillForum(b, 1000)
	median(first) // the server's caches
	small := median(first)
	start := time.Now()
	events := s.fillForum(b, benchReports(b))
	b.Logf("%d events in %s", events, time.Since(start))
	c.close() // the server has closed the idle connection meanwhile
	c, err = dialWire(s.url)
	require.NoError(b, err)
	thousandth := first + "&cursor=" + url.QueryEscape(s.cursorOfPage(b, c, session, 999))
	for b.Loop() {
		for _, clients := range []int{8, 32} {
			took, perSecond := s.readFor(b, clients, first)
			b.ReportMetric(perSecond, fmt.Sprintf("pages/s-%d", clients))
			b.ReportMetric(p99(took), fmt.Sprintf("p99-ms-%d", clients))
		}
		page, again := median(first), median(thousandth)
		b.ReportMetric(page, "first-ms")
		b.ReportMetric(again, "thousandth-ms")
		b.ReportMetric(small, "first-of-1000-ms")
		b.ReportMetric(median("/moderation/reports/counts?muted=false"), "counts-ms")
		for name, words := range map[string]string{"common": "advertising", "prefix": "adv", "several": "happened number", "rare": "4711th"} {
			b.ReportMetric(median(first+"&search="+url.QueryEscape(words)), name+"-word-ms")
		}
	}
	b.ReportMetric(0, "ns/op")
}

// fillForum gives the server a history of so many reports, with what is projected of it.
func (s *benchServer) fillForum(b *testing.B, reports int) int64 {
	b.Helper()
	events, err := history.Forum(b.Context(), s.database.Pool, history.Size{Reports: reports}, nil, nil)
	require.NoError(b, err)
	s.vacuum(b)
	return events
}

var endCursor = regexp.MustCompile(`"endCursor":"([^"]+)"`)

// cursorOfPage returns the cursor at the end of the n-th page of 25 reports, of 40,000 at
// most: it reads pages of 100.
func (s *benchServer) cursorOfPage(b *testing.B, c *wire, session string, n int) (cursor string) {
	b.Helper()
	for range n / 4 {
		path := "/moderation/reports?muted=false&first=100"
		if cursor != "" {
			path += "&cursor=" + url.QueryEscape(cursor)
		}
		page, err := c.get(session, path)
		require.NoError(b, err)
		found := endCursor.FindSubmatch(page)
		if found == nil || !bytes.Contains(page, []byte(`"hasNextPage":true`)) {
			break // there are fewer
		}
		cursor = string(found[1])
	}
	return cursor
}

// readFor lets clients read a path again and again, and returns how long each took.
func (s *benchServer) readFor(b *testing.B, clients int, path string) (took []time.Duration, perSecond float64) {
	b.Helper()
	all := make([][]time.Duration, clients)
	var done atomic.Int64
	start := time.Now()
	errs := make(chan error, clients)
	for i := range clients {
		go func() {
			errs <- func() error {
				c, err := dialWire(s.url)
				if err != nil {
					return err
				}
				defer c.close()
				for time.Since(start) < boardPause {
					began := time.Now()
					if _, err := c.get(s.moderators[i], path); err != nil {
						return err
					}
					all[i] = append(all[i], time.Since(began))
					done.Add(1)
				}
				return nil
			}()
		}()
	}
	for range clients {
		require.NoError(b, <-errs)
	}
	return slices.Concat(all...), float64(done.Load()) / time.Since(start).Seconds()
}
