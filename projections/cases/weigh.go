package cases

import (
	"context"
	"fmt"
	"reflect"
	"slices"

	"github.com/jackc/pgx/v5"

	"github.com/docketmod/docket/domain/measure"
	"github.com/docketmod/docket/domain/priority"
	"github.com/docketmod/docket/eventstore/postgres"
)

// InCase is the SQL condition for reports r that are part of cases. Reports by people who were muted at filing are not.
const InCase = "r.status <> 'done' AND NOT r.muted"

// readRecords reads how many earlier reports by the reporters of each target were upheld and rejected. Each reporter is
// read once. It reads the reporters from core_moderation_reports_open_case in order, and their decided reports from
// core_moderation_reports_reporter_status.
var readRecords = fmt.Sprintf(`WITH p AS MATERIALIZED (SELECT t.n, f.reporter_id
		FROM unnest($1::text[], $2::text[], $3::text[]) WITH ORDINALITY t (plugin_id, target_type, target_id, n)
		CROSS JOIN LATERAL (SELECT r.reporter_id FROM core_moderation_reports r WHERE %s AND r.reporter_id IS NOT NULL
			ORDER BY r.created_at, r.id LIMIT %d) f),
	records AS MATERIALIZED (SELECT p.reporter_id, d.upheld, d.rejected FROM (SELECT DISTINCT reporter_id FROM p) p
		CROSS JOIN LATERAL (SELECT count(*) FILTER (WHERE b.resolution = 'action_taken') AS upheld, count(*) FILTER (WHERE b.resolution = 'no_violation') AS rejected
			FROM (SELECT b.resolution FROM core_moderation_reports b WHERE b.reporter_id = p.reporter_id AND b.status = 'done'
				ORDER BY b.created_at DESC, b.id DESC LIMIT %d) b) d)
	SELECT p.n - 1, sum(upheld)::int, sum(rejected)::int FROM p JOIN records USING (reporter_id) GROUP BY p.n`, open, priority.RecordReporters, priority.RecordReports)

type author = measure.Author

// maxUpheld is how many upheld targets of an author are read: one more than counts, since a case does not count its own
// target.
const maxUpheld = priority.MostAuthor + 1

// readUpheld reads the first targets of each author on which action was taken. Each step seeks the next target in
// core_moderation_report_authors_upheld, whatever the number of its upheld reports.
var readUpheld = fmt.Sprintf(`WITH RECURSIVE u AS (
		SELECT a.plugin_id, a.author, f.target_type, f.target_id, 1 AS n FROM unnest($1::text[], $2::text[]) a (plugin_id, author)
		CROSS JOIN LATERAL (SELECT w.target_type, w.target_id FROM core_moderation_report_authors w
			WHERE w.author = a.author AND w.plugin_id = a.plugin_id AND w.resolution = 'action_taken'
			ORDER BY w.target_type, w.target_id LIMIT 1) f
	UNION ALL
		SELECT u.plugin_id, u.author, f.target_type, f.target_id, u.n + 1 FROM u
		CROSS JOIN LATERAL (SELECT w.target_type, w.target_id FROM core_moderation_report_authors w
			WHERE w.author = u.author AND w.plugin_id = u.plugin_id AND w.resolution = 'action_taken'
			  AND (w.target_type, w.target_id) > (u.target_type, u.target_id)
			ORDER BY w.target_type, w.target_id LIMIT 1) f WHERE u.n < %d)
	SELECT plugin_id, author, target_type, target_id FROM u`, maxUpheld)

// upheld returns at most maxUpheld targets of each author on which action was taken.
func upheld(ctx context.Context, tx pgx.Tx, authors []author) (map[author][]Target, error) {
	found := map[author][]Target{}
	plugins, ids := make([]string, len(authors)), make([]string, len(authors))
	for i, a := range authors {
		plugins[i], ids[i] = a.PluginID, a.ID
	}
	var a author
	var t Target
	err := postgres.ForEach(ctx, tx, "read the upheld targets of authors", []any{&a.PluginID, &a.ID, &t.Type, &t.ID}, func() error {
		t.PluginID = a.PluginID
		found[a] = append(found[a], t)
		return nil
	}, readUpheld, plugins, ids)
	return found, err
}

// weigh adds earlier decisions to the facts of each target: the records of its reporters and the past of its authors.
func weigh(ctx context.Context, tx pgx.Tx, targets []Target, authors [][]string, facts []priority.Facts) error {
	plugins, types, ids := columns(targets)
	var n, up, rejected int
	err := postgres.ForEach(ctx, tx, "read the records of reporters", []any{&n, &up, &rejected}, func() error {
		facts[n].Upheld, facts[n].Rejected = up, rejected
		return nil
	}, readRecords, plugins, types, ids)
	if err != nil {
		return err
	}
	var all []author
	seen := map[author]bool{}
	for i, t := range targets {
		for _, id := range authors[i] {
			if a := (author{PluginID: t.PluginID, ID: id}); !seen[a] {
				seen[a], all = true, append(all, a)
			}
		}
	}
	pasts, err := upheld(ctx, tx, all)
	if err != nil {
		return err
	}
	for i, t := range targets {
		others := map[Target]bool{}
		for _, id := range authors[i] {
			for _, other := range pasts[author{PluginID: t.PluginID, ID: id}] {
				others[other] = true
			}
		}
		delete(others, t)
		facts[i].Author = len(others)
	}
	return nil
}

// reweighed is how many priorities one statement recomputes.
const reweighed = 1000

// reweigh updates the points of earlier decisions in the cases of targets, whose reports have not changed. A target may
// have no case. The projection's lock must be held.
func reweigh(ctx context.Context, tx pgx.Tx, targets []Target) error {
	for some := range slices.Chunk(targets, reweighed) {
		cases, err := readWeights(ctx, tx, some)
		if err != nil {
			return err
		}
		some, authors := make([]Target, len(cases)), make([][]string, len(cases))
		for i, c := range cases {
			some[i], authors[i] = c.Target, c.authors
		}
		facts := make([]priority.Facts, len(cases))
		if err := weigh(ctx, tx, some, authors, facts); err != nil {
			return err
		}
		var changed []map[string]any
		for i, c := range cases {
			if parts := priority.Reweigh(c.parts, facts[i]); !reflect.DeepEqual(parts, c.parts) {
				changed = append(changed, map[string]any{"plugin_id": c.PluginID, "target_type": c.Type, "target_id": c.ID,
					"parts": parts, "rank": priority.Rank(parts, c.first)})
			}
		}
		if changed == nil {
			continue
		}
		if _, err := tx.Exec(ctx, storeWeights, changed); err != nil {
			return fmt.Errorf("reweigh cases: %w", err)
		}
	}
	return nil
}

const storeWeights = `UPDATE core_moderation_cases c SET parts = w.parts, rank = w.rank
	FROM jsonb_to_recordset($1::jsonb) w (plugin_id text, target_type text, target_id text, parts jsonb, rank bigint)
	WHERE (c.plugin_id, c.target_type, c.target_id) = (w.plugin_id, w.target_type, w.target_id)`

// readWeights reads the columns of cases that reweigh needs.
func readWeights(ctx context.Context, tx pgx.Tx, targets []Target) ([]row, error) {
	plugins, types, ids := columns(targets)
	return postgres.Collect(ctx, tx, "read the weights of cases", func(scan pgx.CollectableRow) (r row, err error) {
		err = scan.Scan(&r.PluginID, &r.Type, &r.ID, &r.authors, &r.first, &r.parts)
		return r, err
	}, `SELECT c.plugin_id, c.target_type, c.target_id, c.authors, c.first_at, c.parts
		FROM core_moderation_cases c JOIN unnest($1::text[], $2::text[], $3::text[]) t (plugin_id, target_type, target_id)
			USING (plugin_id, target_type, target_id)`, plugins, types, ids)
}
