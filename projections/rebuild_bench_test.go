package projections_test

import (
	"context"
	"fmt"
	"sync"
	"testing"

	"github.com/google/uuid"
	"github.com/prometheus/client_golang/prometheus"
	"github.com/rs/zerolog"
	"github.com/stretchr/testify/require"

	"github.com/docketmod/docket/domain/report"
	"github.com/docketmod/docket/projections"
)

// benchmarkReports is how many reports a benchmark's log holds, of three events each.
const benchmarkReports = 3000

// newLongHistory fills a log through the store.
func newLongHistory(b *testing.B) *history {
	b.Helper()
	h := newHistoryOf(b)
	var users []string
	for i := range benchmarkReports / 10 {
		users = append(users, uuid.Must(uuid.NewV7()).String())
		_, err := h.pool.Exec(context.Background(), `INSERT INTO core_users (id, name, created_at) VALUES ($1, $2, now())`, users[i], fmt.Sprint("Reporter ", i))
		require.NoError(b, err)
	}
	h.users = append(h.users, users...)
	var writers sync.WaitGroup
	for w := range 8 {
		writers.Go(func() {
			for i := w; i < benchmarkReports; i += 8 {
				id := h.file(b, 4+i%len(users), fmt.Sprint(i))
				h.claim(b, id, i%4)
				h.resolve(b, id, i%4, report.ActionTaken)
			}
		})
	}
	writers.Wait()
	h.seal(b)
	return h
}

// BenchmarkRebuildReports rewrites every report from its events.
func BenchmarkRebuildReports(b *testing.B) {
	h := newLongHistory(b)
	r := &projections.Rebuilder{Pool: h.pool, Workers: 4, Force: true}
	for b.Loop() {
		done, err := r.Rebuild(context.Background())
		require.NoError(b, err)
		require.EqualValues(b, benchmarkReports, done.Rewritten)
	}
	b.ReportMetric(float64(benchmarkReports*b.N)/b.Elapsed().Seconds(), "reports/s")
}

// BenchmarkVerifyReports compares every report with its events.
func BenchmarkVerifyReports(b *testing.B) {
	h := newLongHistory(b)
	r := &projections.Rebuilder{Pool: h.pool, Workers: 4}
	for b.Loop() {
		done, err := r.Verify(context.Background())
		require.NoError(b, err)
		require.Zero(b, done.Mismatched)
	}
	b.ReportMetric(float64(benchmarkReports*b.N)/b.Elapsed().Seconds(), "reports/s")
}

// BenchmarkRebuildCounted counts each counted projection anew.
func BenchmarkRebuildCounted(b *testing.B) {
	for _, p := range projections.Projections {
		b.Run(p.Name, func(b *testing.B) {
			h := newLongHistory(b)
			projector := projections.NewProjector(h.pool, zerolog.Nop(), prometheus.NewRegistry(), p)
			for b.Loop() {
				require.NoError(b, projector.RebuildCounted(context.Background(), p, nil))
			}
			b.ReportMetric(float64(3*benchmarkReports*b.N)/b.Elapsed().Seconds(), "events/s")
		})
	}
}

// BenchmarkRebuildInSQL is the floor for BenchmarkRebuildReports: what plain SQL
// needs to fold the same events into rows of the same width, without decoding
// evidence, search terms or notes.
func BenchmarkRebuildInSQL(b *testing.B) {
	h := newLongHistory(b)
	for b.Loop() {
		tag, err := h.pool.Exec(context.Background(), `CREATE TEMPORARY TABLE folded ON COMMIT DROP AS
			SELECT e.report_id, max(e.sequence) AS sequence, max(e.version) AS version, min(e.occurred_at) AS created_at, max(e.occurred_at) AS updated_at,
				(array_agg(e.type ORDER BY e.sequence DESC))[1] AS last, (array_agg(convert_from(e.payload, 'UTF8')::json ORDER BY e.sequence))[1] AS created,
				(array_agg(convert_from(e.payload, 'UTF8')::json ORDER BY e.sequence DESC) FILTER (WHERE e.type = 'resolved'))[1] ->> 'resolution' AS resolution,
				(array_agg(convert_from(e.evidence, 'UTF8')::json ORDER BY e.sequence))[1] AS words
			FROM core_moderation_report_events e GROUP BY e.report_id`)
		require.NoError(b, err)
		require.EqualValues(b, benchmarkReports, tag.RowsAffected())
	}
	b.ReportMetric(float64(benchmarkReports*b.N)/b.Elapsed().Seconds(), "reports/s")
}
