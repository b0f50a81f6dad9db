package projections

import (
	"fmt"
	"slices"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/docketmod/docket/domain"
	"github.com/docketmod/docket/domain/report"
	"github.com/docketmod/docket/eventstore"
	"github.com/docketmod/docket/eventstore/postgres"
)

// QueueFilingLock implements eventstore.Inline.
func (Inline) QueueFilingLock(b *pgx.Batch, filings []*eventstore.Opening) {
	reporters, targets := make([]any, len(filings)), make([]int64, len(filings))
	for i, f := range filings {
		reporters[i] = postgres.CopiedID(f.State.ReporterID)
		targets[i] = signalLock(f.Created.Target.PluginID, f.Created.Target.Type, f.Created.Target.ID)
	}
	b.Queue(`SELECT pg_advisory_xact_lock(l.key) FROM (
		SELECT DISTINCT hashtextextended('docket:filing:' || id, 0) AS key FROM unnest($1::uuid[]) AS reporter (id) WHERE id IS NOT NULL ORDER BY key) l`, reporters)
	slices.Sort(targets)
	b.Queue(`SELECT pg_advisory_xact_lock_shared(l.key) FROM unnest($1::bigint[]) AS l (key)`, targets)
}

// insertFilings stores reports. It leaves out those whose reporter has reached the limit, which it counts by the
// partial index on (reporter_id, created_at) and with earlier filings of the same statement; those whose reporter has
// an open report on the target, by the unique index on open_key; and those that lack signals stored for their target.
var insertFilings = insertRows("core_moderation_reports", filedRow, "earlier int", "at_most int", "signalled_at timestamptz", "hasty boolean") + fmt.Sprintf(` WHERE n.earlier + (SELECT count(*) FROM core_moderation_reports r
		WHERE r.reporter_id = n.reporter_id AND r.created_at > n.created_at - $%d::interval) < n.at_most
	AND (n.hasty OR n.signalled_at IS NOT DISTINCT FROM `+latestKept+`)
	ON CONFLICT DO NOTHING RETURNING id::text`, len(filedRow)+5)

// QueueFilings implements eventstore.Inline.
func (Inline) QueueFilings(b *pgx.Batch, filings []*eventstore.Opening, window time.Duration) {
	reports, ids := make([]projected, len(filings)), make([]any, len(filings))
	earlier, atMost := make([]int, len(filings)), make([]int, len(filings))
	signalled, hasty := make([]*time.Time, len(filings)), make([]bool, len(filings))
	byReporter, byID := map[string]int{}, make(map[string]*eventstore.Opening, len(filings))
	for i, f := range filings {
		s := f.State
		reports[i] = projected{state: s, openKey: openKeyOf(s), search: searchTerms(s, report.AuthorsOf(s.Snapshot))}
		ids[i] = postgres.CopiedID(s.ID)
		if reporter := f.Created.ReporterID; reporter != "" {
			earlier[i] = byReporter[reporter]
			byReporter[reporter]++
		}
		atMost[i] = f.Created.Source.FilingsPerHour()
		signalled[i], hasty[i] = latest(f.Signals), f.Hasty
		byID[s.ID], f.Stored = f, false
	}
	b.Queue(insertFilings, append(valuesOf(filedRow, reports), earlier, atMost, signalled, hasty, window)...).Query(func(rows pgx.Rows) error {
		var id string
		_, err := pgx.ForEachRow(rows, []any{&id}, func() error {
			byID[id].Stored = true
			return nil
		})
		return err
	})
	b.Queue(insertTargets, append(valuesOf(targetRow, reports), ids)...)
}

// QueueFiled implements eventstore.Inline. The count reads the partial index
// on (reporter_id, created_at).
func (Inline) QueueFiled(b *pgx.Batch, c *report.Created, since time.Time, f *eventstore.Filed) {
	reporter := domain.OrNull(c.ReporterID)
	b.Queue(`SELECT coalesce((SELECT id::text FROM core_moderation_reports WHERE open_key = $1), ''), count(*), min(created_at)
		FROM core_moderation_reports WHERE reporter_id = $2 AND created_at > $3`,
		openKey(reporter, c.Target), reporter, since).
		QueryRow(func(row pgx.Row) error { return row.Scan(&f.OpenReportID, &f.Count, &f.Oldest) })
	postgres.QueueCollect(b, &f.Signals, scanKept, selectKept, c.PluginID, c.Type, c.ID)
}
