package served

import (
	"fmt"
	nethttp "net/http"
	"testing"
	"time"

	"github.com/docketmod/docket/domain/report"
)

// roundTime is how long each side of a round runs. An iteration of a benchmark
// is a round: pgbench, then Docket, on one PostgreSQL that syncs. A steadier
// figure comes from more rounds: -benchtime 5x.
const roundTime = 3 * time.Second

// BenchmarkRepeats files with 32 clients, and by turns with one of them that files what it
// has filed already and is refused: the others must not wait for it.
func BenchmarkRepeats(b *testing.B) {
	s := startBenchServer(b)
	const clients = 32
	repeating := s.sessions("repeating", 2000)
	var rates [2]float64
	var took [2][]time.Duration
	for b.Loop() {
		rate, all := s.timed(b, clients, s.file)
		rates[0], took[0] = rates[0]+rate, append(took[0], all...)
		rate, all = s.timed(b, clients, func(client int, c *wire, until time.Time) (int, error) {
			if client > 0 {
				return s.file(client, c, until)
			}
			for n := 0; time.Now().Before(until); n++ {
				status := nethttp.StatusConflict
				if n%report.AttemptsPerHour == 0 {
					if len(repeating) < 2 {
						return 0, fmt.Errorf("no account is left that may be refused")
					}
					status, repeating = nethttp.StatusCreated, repeating[1:]
				}
				if _, err := c.post(repeating[0].ID, "/moderation/reports", status, fmt.Sprintf(benchFiling, s.posts[0])); err != nil {
					return 0, err
				}
			}
			return 0, nil
		})
		rates[1], took[1] = rates[1]+rate, append(took[1], all...)
	}
	b.ReportMetric(rates[0]/float64(b.N), "ops/s")
	b.ReportMetric(rates[1]/float64(b.N), "repeated-ops/s")
	b.ReportMetric(p99(took[0]), "p99-ms")
	b.ReportMetric(p99(took[1]), "repeated-p99-ms")
	b.ReportMetric(p99(took[1])/p99(took[0]), "p99-ratio")
}

// benchFiling is the body of a filing; the id of a post is missing.
const benchFiling = `{"pluginId":"forum","targetType":"forum.post","targetId":%q,"reason":"spam","description":"Advertising again."}`

// BenchmarkHTTP files reports and works them over HTTP with sessions, against a
// server process of its own, beside pgbench committing the three inserts of a
// filing at the same number of clients. The load shares the machine with the
// server, as pgbench's does.
func BenchmarkHTTP(b *testing.B) {
	s := startBenchServer(b)
	s.addWorkers()
	for _, clients := range []int{1, 8, 32} {
		b.Run(fmt.Sprintf("file/clients=%d", clients), func(b *testing.B) {
			s.round(b, clients, 1, s.file)
		})
		b.Run(fmt.Sprintf("claim-note-resolve/clients=%d", clients), func(b *testing.B) {
			s.round(b, clients, 3, s.work)
		})
	}
}

// round measures both sides by turns and reports how they compare: commands of Docket to
// transactions of pgbench, each a commit of three inserts or so. server-ms and postgres-ms
// are the processor time that one operation takes.
func (s *benchServer) round(b *testing.B, clients, commands int, load func(client int, c *wire, until time.Time) (int, error)) {
	var docket, equal, bare, server, database float64
	var latencies []time.Duration
	rounds := 0.0
	for b.Loop() {
		bare += s.pgbench.run(b, s.pgbench.bare, clients, roundTime)
		equal += s.pgbench.run(b, s.pgbench.equal, clients, roundTime)
		serverBefore, databaseBefore := s.processorTime(b), s.postgresTime(b)
		rate, took := s.timed(b, clients, load)
		docket += rate
		latencies = append(latencies, took...)
		n := rate * roundTime.Seconds()
		server += (s.processorTime(b) - serverBefore).Seconds() * 1000 / n
		database += (s.postgresTime(b) - databaseBefore).Seconds() * 1000 / n
		rounds++
	}
	b.ReportMetric(docket/rounds, "ops/s")
	b.ReportMetric(equal/rounds, "pgbench/s")
	b.ReportMetric(docket*float64(commands)/equal, "ratio")
	b.ReportMetric(bare/rounds, "bare/s")
	b.ReportMetric(docket*float64(commands)/bare, "bare-ratio")
	b.ReportMetric(server/rounds, "server-ms")
	b.ReportMetric(database/rounds, "postgres-ms")
	b.ReportMetric(p99(latencies), "p99-ms")
	b.ReportMetric(s.peakMemory(b), "server-MB")
}
