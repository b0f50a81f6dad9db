package counts

import (
	"context"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/docketmod/docket/eventstore/postgres"
	"github.com/docketmod/docket/projections/projector"
)

// Projection is the projection of counts. Since the kind of each report is stored with its count,
// an interrupted rebuild, when repeated, only reads the reports that it has counted. Counts are not
// read before they were complete once.
var Projection = projector.Derived[string]{Name: name, Batch: 2000, Apply: apply, Keys: listReports, Size: 2000,
	Rows: `SELECT count(*) FROM core_moderation_reports`, Store: store, Compare: compare, Mend: correct, Miscounted: miscounted,
	Describe: func(id string) string { return "report " + id + ": is counted as another kind" }}

const name = "counts"

// movedBatch is the number of moved targets in one transaction.
const movedBatch = 100

// apply recounts the reports of events and of moved targets.
func apply(ctx context.Context, tx pgx.Tx, after, upTo int64) (more bool, err error) {
	ids, err := collect(ctx, tx, `SELECT DISTINCT e.report_id::text FROM core_moderation_log l JOIN core_moderation_report_events e USING (event_id)
		WHERE l.position > $1 AND l.position <= $2`, after, upTo)
	if err != nil {
		return false, err
	}
	moved, err := collect(ctx, tx, `DELETE FROM core_moderation_moves WHERE id IN (SELECT id FROM core_moderation_moves ORDER BY id LIMIT $1)
		RETURNING json_build_array(plugin_id, target_type, target_id)::text`, movedBatch)
	if err != nil {
		return false, err
	}
	if len(moved) > 0 {
		// This must be a separate statement, which sees the present scope of the targets.
		reports, err := collect(ctx, tx, `SELECT r.id::text FROM (SELECT DISTINCT m::jsonb AS t FROM unnest($1::text[]) m) m
			JOIN core_moderation_reports r ON r.plugin_id = m.t ->> 0 AND r.target_type = m.t ->> 1 AND r.target_id = m.t ->> 2`, moved)
		if err != nil {
			return false, err
		}
		ids = append(ids, reports...)
	}
	return len(moved) == movedBatch, recount(ctx, tx, ids)
}

// nextReports selects reports after $1 that have a row or are counted, by the primary keys.
const nextReports = `SELECT id::text FROM ((SELECT id FROM core_moderation_reports WHERE id > $1 ORDER BY id LIMIT $2)
	UNION (SELECT report_id FROM core_moderation_counted WHERE report_id > $1 ORDER BY report_id LIMIT $2)) u ORDER BY u.id LIMIT $2`

func listReports(ctx context.Context, db postgres.Querier, after string, limit int) ([]string, error) {
	const first = "00000000-0000-0000-0000-000000000000"
	return collect(ctx, db, nextReports, max(after, first), limit)
}

// compare returns the reports that are not counted, are counted as another kind, or are counted without a row.
func compare(ctx context.Context, tx pgx.Tx, ids []string) ([]string, error) {
	return collect(ctx, tx, `WITH r AS MATERIALIZED (SELECT r.id, `+kindOf+` FROM `+reports+` WHERE r.id = ANY ($1::uuid[]))
		SELECT u.id::text FROM unnest($1::uuid[]) u (id) LEFT JOIN r USING (id) LEFT JOIN core_moderation_counts c USING (`+kindColumns+`)
		LEFT JOIN core_moderation_counted b ON b.report_id = u.id WHERE b.kind IS DISTINCT FROM c.id OR b.kind IS NULL AND r.id IS NOT NULL`, ids)
}

// wholeCounts selects the difference between each kind's number of reports and its count.
const wholeCounts = `SELECT coalesce(c.id, k.kind) AS kind, coalesce(k.n, 0) - coalesce(c.reports, 0) AS missing FROM core_moderation_counts c
	FULL JOIN (SELECT kind, count(*) AS n FROM core_moderation_counted GROUP BY kind) k ON k.kind = c.id WHERE coalesce(k.n, 0) <> coalesce(c.reports, 0)`

// miscounted returns by how many reports the counts are wrong.
func miscounted(ctx context.Context, pool *pgxpool.Pool) (wrong int64, err error) {
	err = pgx.BeginFunc(ctx, pool, func(tx pgx.Tx) error {
		if _, err := tx.Exec(ctx, `SET LOCAL statement_timeout = 0`); err != nil {
			return err
		}
		return tx.QueryRow(ctx, `SELECT coalesce(sum(abs(missing)), 0)::bigint FROM (`+wholeCounts+`) w`).Scan(&wrong)
	})
	return wrong, err
}

// correct sets each count to the number of reports that are counted under its kind. Servers change
// both by the same number, so the difference seen in one snapshot stays valid, and only adding it
// needs their lock. Another lock prevents two rebuilds from adding it twice.
func correct(ctx context.Context, pool *pgxpool.Pool) error {
	return pgx.BeginFunc(ctx, pool, func(tx pgx.Tx) error {
		if _, err := tx.Exec(ctx, `SET LOCAL statement_timeout = 0`); err != nil {
			return err
		}
		if err := projector.Lock(ctx, tx, name+" correct"); err != nil {
			return err
		}
		var kinds []int
		var missing []int64
		var kind int
		var n int64
		err := postgres.ForEach(ctx, tx, "compare counts", []any{&kind, &n}, func() error {
			kinds, missing = append(kinds, kind), append(missing, n)
			return nil
		}, wholeCounts)
		if err != nil || len(kinds) == 0 {
			return err
		}
		if err := projector.Lock(ctx, tx, name); err != nil {
			return err
		}
		_, err = tx.Exec(ctx, `UPDATE core_moderation_counts c SET reports = c.reports + m.n
			FROM unnest($1::int[], $2::bigint[]) m (kind, n) WHERE c.id = m.kind`, kinds, missing)
		return err
	})
}

func collect(ctx context.Context, db postgres.Querier, sql string, args ...any) ([]string, error) {
	return postgres.Collect(ctx, db, "read what has changed", pgx.RowTo[string], sql, args...)
}
