package served

import (
	"errors"
	"fmt"
	nethttp "net/http"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/docketmod/docket/domain/report"
)

// liveFeeds is how many boards are open while reports are filed.
const liveFeeds = 2000

// BenchmarkLive files reports by turns without and with 2,000 open live feeds, on a
// server process of its own. With them, filing may slow by less than a tenth, what
// is new reaches all feeds within two seconds, and the server holds under 300 MB.
//
// "Full speed" is as many filings as eight clients get done; each is a frame to each
// feed, and the reading of all feeds takes its share of the same processors too,
// which in earnest is done elsewhere. Their ratio is of what was done, on a machine
// with nothing else to do; cpu-ratio is of the processor time of server, database and
// clients for one filing, which other work on the machine disturbs less. "Steady" is
// how long filings take at a moderate rate, counted from when they were due.
func BenchmarkLive(b *testing.B) {
	s := startBenchServer(b)
	watchers := s.staff("watcher", liveFeeds)
	const clients, rate = 8, 100
	b.Run("filing at full speed", func(b *testing.B) {
		var filed, spent [2]float64
		reach := s.byTurns(b, watchers, func(turn int) {
			before, start := s.treeTime(b), time.Now()
			rate := s.load(b, clients, s.file)
			filed[turn] += rate
			spent[turn] += (s.treeTime(b) - before).Seconds() / (rate * time.Since(start).Seconds())
		})
		b.ReportMetric(spent[watched]/spent[alone], "cpu-ratio")
		b.ReportMetric(filed[alone]/float64(b.N), "ops/s-without")
		b.ReportMetric(filed[watched]/float64(b.N), "ops/s-with")
		b.ReportMetric(filed[watched]/filed[alone], "ratio")
		reach.report(b)
	})
	b.Run("filing steadily", func(b *testing.B) {
		var took [2][]time.Duration
		reach := s.byTurns(b, watchers, func(turn int) {
			took[turn] = append(took[turn], s.fileSteadily(b, clients, rate)...)
		})
		for turn, name := range []string{"without", "with"} {
			b.ReportMetric(milliseconds(took[turn]), "ms-"+name)
			b.ReportMetric(percentile(took[turn], 99), "p99-ms-"+name)
		}
		b.ReportMetric(mean(took[watched]).Seconds()/mean(took[alone]).Seconds(), "ratio")
		reach.report(b)
	})
}

// The turns of a round.
const (
	alone = iota
	watched
)

// reach is how long what happens takes to come to every feed, each feed on its own:
// a new report while nothing else happens, and a claim in the midst of the filing.
type reach struct{ quiet, busy []time.Duration }

func (r reach) report(b *testing.B) {
	b.ReportMetric(percentile(r.quiet, 99), "quiet-p99-ms")
	b.ReportMetric(percentile(r.quiet, 100), "quiet-max-ms")
	b.ReportMetric(percentile(r.busy, 99), "busy-p99-ms")
	b.ReportMetric(percentile(r.busy, 100), "busy-max-ms")
	b.ReportMetric(0, "ns/op") // an iteration is two turns
}

// byTurns files without and with feeds, and with and without them in the next round.
func (s *benchServer) byTurns(b *testing.B, watchers []string, file func(turn int)) (r reach) {
	c, err := dialWire(s.url)
	require.NoError(b, err)
	defer c.close()
	f := &filer{benchServer: s, wire: c}
	for round := 0; b.Loop(); round++ {
		if round%2 == 0 {
			file(alone)
		}
		r.turn(b, f, watchers, func() { file(watched) })
		if round%2 == 1 {
			file(alone)
		}
	}
	b.ReportMetric(s.peakMemory(b), "server-MB")
	return r
}

// turn opens the feeds for the time of one turn.
func (r *reach) turn(b *testing.B, f *filer, watchers []string, file func()) {
	feeds := openFeeds(b, f.url, watchers)
	defer feeds.close(b)
	arrived := func(all <-chan []time.Duration) []time.Duration {
		select {
		case took := <-all:
			return took
		case <-time.After(30 * time.Second):
			b.Fatalf("%d of %d feeds did not bring what they should", len(feeds.missing), len(watchers))
			return nil
		}
	}
	for range 3 {
		created := feeds.expect("event: created")
		f.file(b, "forum.post", f.posts[f.left]) // each another one of its session
		r.quiet = append(r.quiet, arrived(created)...)
	}
	id := f.last
	var claimed <-chan []time.Duration
	var wg sync.WaitGroup
	wg.Go(func() {
		time.Sleep(roundTime / 2)
		claimed = feeds.expect(fmt.Sprintf(`"reportId":%q,"sequence":2,`, id))
		_, err := f.wire.post(f.moderators[0], "/moderation/reports/"+id+"/claim", nethttp.StatusOK, `{"expectedVersion":1}`)
		require.NoError(b, err)
	})
	file()
	wg.Wait()
	r.busy = append(r.busy, arrived(claimed)...)
}

// fileSteadily files that many reports in a second, evenly, for the time of a round.
func (s *benchServer) fileSteadily(b *testing.B, clients, rate int) []time.Duration {
	b.Helper()
	var wg sync.WaitGroup
	took, errs := make([][]time.Duration, clients), make([]error, clients)
	start, each := time.Now(), time.Second/time.Duration(rate)
	for i := range clients {
		wg.Go(func() {
			c, err := dialWire(s.url)
			if err != nil {
				errs[i] = err
				return
			}
			defer c.close()
			var session string
			for n := 0; ; n++ {
				due := start.Add(time.Duration(n*clients+i) * each)
				if due.Sub(start) > roundTime {
					return
				}
				if n%report.FilingsPerHour == 0 {
					session = <-s.reporters
				}
				time.Sleep(time.Until(due))
				if _, errs[i] = c.post(session, "/moderation/reports", nethttp.StatusCreated, fmt.Sprintf(
					`{"pluginId":"forum","targetType":"forum.post","targetId":%q,"reason":"spam"}`, s.posts[n])); errs[i] != nil {
					return
				}
				took[i] = append(took[i], time.Since(due))
			}
		})
	}
	wg.Wait()
	require.NoError(b, errors.Join(errs...))
	return slices.Concat(took...)
}

// percentile is in milliseconds.
func percentile(d []time.Duration, p int) float64 {
	slices.Sort(d)
	return d[(len(d)-1)*p/100].Seconds() * 1000
}

func mean(d []time.Duration) (m time.Duration) {
	for _, one := range d {
		m += one
	}
	return m / time.Duration(len(d))
}
