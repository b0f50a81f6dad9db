// Package counts maintains the number of reports of each kind, which is a combination of what the board filters by:
// plugin, module, present scope, type, reason, status, assignee and muting. It follows the log and the moves of
// targets. It stores the kind under which each report is counted and reads the report's row to recount it, so a report
// may be recounted at any time. Other modules must not import it.
package counts

import (
	"context"
	"fmt"

	"github.com/jackc/pgx/v5"

	"github.com/docketmod/docket/eventstore/postgres"
)

// Nobody is the holder of reports that are done or unassigned.
const Nobody = "00000000-0000-0000-0000-000000000000"

// MoreThan returns an SQL expression that is true if there are more than n reports. It is false until every report was
// counted once.
func MoreThan(n int) string {
	return fmt.Sprintf(`(SELECT coalesce(sum(reports), 0) > %d FROM (SELECT reports FROM core_moderation_counts
		WHERE reports > 0 AND EXISTS (SELECT FROM core_projections WHERE name = '%s' AND build = 1) LIMIT %d) c)`, n, name, n+1)
}

// kindColumns are the columns of core_moderation_counts that make up a kind, and kindOf their values for a report r
// whose target is t.
const (
	kindColumns = `plugin_id, permission_module, scope_family, scope_id, target_type, reason, status, holder, muted`
	kindOf      = `r.plugin_id, r.permission_module, coalesce(t.scope_family, ' ') AS scope_family, coalesce(t.scope_id, ' ') AS scope_id,
		r.target_type, r.reason, r.status, CASE WHEN r.status <> 'done' AND r.assignee_id IS NOT NULL THEN r.assignee_id ELSE '` + Nobody + `' END AS holder, r.muted`
	reports = `core_moderation_reports r LEFT JOIN core_moderation_targets t
		ON t.plugin_id = r.plugin_id AND t.target_type = r.target_type AND t.target_id = r.target_id`
)

// insertKinds inserts the kinds of the reports $1 that no report had before.
const insertKinds = `INSERT INTO core_moderation_counts (` + kindColumns + `, reports)
	SELECT DISTINCT ` + kindOf + `, 0 FROM ` + reports + ` WHERE r.id = ANY ($1::uuid[]) ON CONFLICT DO NOTHING`

// recountReports counts each of the reports $1 under its present kind. It skips a report with a kind that insertKinds
// did not see: the event or move that changed the kind is applied later. Without MATERIALIZED, the planner joins kinds
// to reports before it knows the scope of their targets.
const recountReports = `WITH r AS MATERIALIZED (SELECT r.id, ` + kindOf + ` FROM ` + reports + ` WHERE r.id = ANY ($1::uuid[])),
		now AS (SELECT r.id, c.id AS kind FROM r JOIN core_moderation_counts c USING (` + kindColumns + `)),
		changed AS (SELECT n.id, n.kind, b.kind AS before FROM now n LEFT JOIN core_moderation_counted b ON b.report_id = n.id WHERE b.kind IS DISTINCT FROM n.kind),
		stored AS (INSERT INTO core_moderation_counted (report_id, kind) SELECT id, kind FROM changed
			ON CONFLICT (report_id) DO UPDATE SET kind = EXCLUDED.kind)
	UPDATE core_moderation_counts c SET reports = c.reports + d.n
		FROM (SELECT kind, sum(n) AS n FROM (SELECT kind, 1 AS n FROM changed UNION ALL SELECT before, -1 FROM changed WHERE before IS NOT NULL) o GROUP BY kind) d
		WHERE c.id = d.kind AND d.n <> 0`

// uncountLost uncounts those of the reports $1 that no longer have a row.
const uncountLost = `WITH lost AS (DELETE FROM core_moderation_counted b WHERE b.report_id = ANY ($1::uuid[])
		AND NOT EXISTS (SELECT FROM core_moderation_reports r WHERE r.id = b.report_id) RETURNING b.kind)
	UPDATE core_moderation_counts c SET reports = c.reports - l.n FROM (SELECT kind, count(*) AS n FROM lost GROUP BY kind) l WHERE c.id = l.kind`

// store counts reports again, and uncounts those without a row. The projection's lock must be held.
func store(ctx context.Context, tx pgx.Tx, ids []string) error {
	if err := recount(ctx, tx, ids); err != nil {
		return err
	}
	_, err := tx.Exec(ctx, uncountLost, ids)
	return err
}

// recount counts reports again. The projection's lock must be held.
func recount(ctx context.Context, tx pgx.Tx, ids []string) error {
	if len(ids) == 0 {
		return nil
	}
	b := &pgx.Batch{}
	b.Queue(insertKinds, ids)
	b.Queue(recountReports, ids)
	b.Queue(`DELETE FROM core_moderation_counts WHERE reports = 0`)
	return postgres.Send(ctx, tx, "count reports", b)
}
