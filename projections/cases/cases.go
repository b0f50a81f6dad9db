// Package cases maintains the table of cases: one row for each target with open reports, with its priority. It follows
// the log: a case that an event may have changed is read again from the rows of its reports, or extended by new
// filings, so events may be applied twice.
//
// Cases leave out reports by people who were muted when they filed them. Other modules must not import it.
package cases

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/docketmod/docket/domain/moderation"
	"github.com/docketmod/docket/domain/priority"
	"github.com/docketmod/docket/domain/report"
	"github.com/docketmod/docket/eventstore/postgres"
	"github.com/docketmod/docket/projections/projector"
)

// Target identifies a case.
type Target = moderation.CaseTarget

// row is a case as it is stored.
type row struct {
	Target
	module, title, excerpt string
	reasons                map[report.Reason]int
	assignees, authors     []string
	tags                   []string // from live rules, sorted
	first, last            time.Time
	due                    *time.Time
	parts                  []priority.Part
}

// openReports returns how many reports the case has. Nobody has two open reports on one target, so it is also the
// number of reporters.
func (r row) openReports() int {
	n := 0
	for _, count := range r.reasons {
		n += count
	}
	return n
}

func (r row) gravest() (gravest report.Reason) {
	for reason := range r.reasons {
		if priority.Severity(reason) > priority.Severity(gravest) {
			gravest = reason
		}
	}
	return gravest
}

// Authors is the SQL for the authors of the content of a report r, even if its snapshot is erased.
const Authors = "coalesce(r.authors, r.snapshot -> 'authors')"

// maxAuthors bounds the authors of a case.
const maxAuthors = 10

// open is the SQL condition for the reports r of the case of t. The partial index core_moderation_reports_open_case has
// them by age.
const open = `r.plugin_id = t.plugin_id AND r.target_type = t.target_type AND r.target_id = t.target_id AND ` + InCase

// readCases reads cases from their own reports, optionally only those filed until a time. Its cost grows with the
// number of open reports of a target, because it counts them.
var readCases = fmt.Sprintf(`SELECT t.plugin_id, t.target_type, t.target_id, latest.permission_module, latest.title, latest.excerpt,
		o.spam, o.abusive, o.rule_violation, o.other, o.trusted, coalesce(o.assignees, '{}'), o.first, o.last, o.due, written.authors, past.upheld, ruled.points, tagged.tags
	FROM (SELECT plugin_id, target_type, target_id, coalesce(until, 'infinity') AS until
		FROM unnest($1::text[], $2::text[], $3::text[], $4::timestamptz[]) t (plugin_id, target_type, target_id, until)) t
	CROSS JOIN LATERAL (SELECT count(*) FILTER (WHERE r.reason = 'spam') AS spam, count(*) FILTER (WHERE r.reason = 'abusive') AS abusive,
			count(*) FILTER (WHERE r.reason = 'rule_violation') AS rule_violation, count(*) FILTER (WHERE r.reason = 'other') AS other,
			bool_or(r.source = 'trusted_flagger') AS trusted,
			array_agg(DISTINCT r.assignee_id::text) FILTER (WHERE r.status = 'in_progress' AND r.assignee_id IS NOT NULL) AS assignees,
			min(r.created_at) AS first, max(r.created_at) AS last, min(r.due_at) AS due
		FROM core_moderation_reports r WHERE %[1]s) o
	CROSS JOIN LATERAL (SELECT r.permission_module, r.title, r.excerpt FROM core_moderation_reports r
		WHERE %[1]s ORDER BY r.created_at DESC, r.id DESC LIMIT 1) latest
	CROSS JOIN LATERAL (SELECT count(*) AS upheld FROM (SELECT FROM core_moderation_reports r
		WHERE r.plugin_id = t.plugin_id AND r.target_type = t.target_type AND r.target_id = t.target_id AND r.resolution = 'action_taken' LIMIT %[2]d) u) past
	CROSS JOIN LATERAL (SELECT coalesce(array_agg(DISTINCT a.id ORDER BY a.id), '{}') AS authors FROM (SELECT n ->> 'id' AS id
		FROM (SELECT `+Authors+` AS authors FROM core_moderation_reports r WHERE %[1]s ORDER BY r.created_at, r.id LIMIT 1) f,
			json_array_elements(CASE json_typeof(f.authors) WHEN 'array' THEN f.authors ELSE '[]' END) n WHERE n ->> 'id' <> '' LIMIT %[3]d) a) written
	CROSS JOIN LATERAL (SELECT json_object_agg(m.key, m.points) AS points FROM (SELECT DISTINCT ON (m ->> 'rule') m ->> 'rule' AS key, (m -> 'then' ->> 'points')::int AS points
		FROM core_moderation_reports r, json_array_elements(r.rules) m WHERE %[1]s AND r.rules IS NOT NULL AND m ->> 'shadow' IS NULL
		ORDER BY m ->> 'rule', (m ->> 'version')::int DESC) m WHERE m.points IS NOT NULL) ruled
	CROSS JOIN LATERAL (SELECT coalesce(array_agg(DISTINCT g.tag COLLATE "C" ORDER BY g.tag COLLATE "C"), '{}') AS tags
		FROM core_moderation_reports r, jsonb_array_elements_text(r.tags) g (tag) WHERE %[1]s AND r.tags IS NOT NULL) tagged`,
	open+" AND r.created_at <= t.until", priority.MostTarget, maxAuthors)

// read returns the cases of the targets as they should be stored, or until a time if one is given. A target without a
// case is left out.
func read(ctx context.Context, tx pgx.Tx, targets []Target, until map[Target]time.Time) ([]row, error) {
	plugins, types, ids := columns(targets)
	untils := make([]*time.Time, len(targets))
	for i, t := range targets {
		if at, bounded := until[t]; bounded {
			untils[i] = &at
		}
	}
	var facts []priority.Facts
	var found []Target
	var authors [][]string
	cases, err := postgres.Collect(ctx, tx, "read the reports of cases", func(scan pgx.CollectableRow) (row, error) {
		var r row
		var counts [4]int
		var f priority.Facts
		err := scan.Scan(&r.PluginID, &r.Type, &r.ID, &r.module, &r.title, &r.excerpt, &counts[0], &counts[1], &counts[2], &counts[3], &f.Trusted,
			&r.assignees, &r.first, &r.last, &r.due, &r.authors, &f.Target, &f.Rules, &r.tags)
		r.reasons = map[report.Reason]int{}
		for i, reason := range []report.Reason{report.Spam, report.Abusive, report.RuleViolation, report.Other} {
			if counts[i] > 0 {
				r.reasons[reason] = counts[i]
			}
		}
		f.Gravest, f.Reporters = r.gravest(), r.openReports()
		facts, found, authors = append(facts, f), append(found, r.Target), append(authors, r.authors)
		return r, err
	}, readCases, plugins, types, ids, untils)
	if err != nil {
		return nil, err
	}
	if err := weigh(ctx, tx, found, authors, facts); err != nil {
		return nil, err
	}
	for i := range cases {
		cases[i].parts = priority.Parts(facts[i])
	}
	return cases, nil
}

func columns(targets []Target) (plugins, types, ids []string) {
	plugins, types, ids = []string{}, []string{}, []string{} // nil would be sent as null
	for _, t := range targets {
		plugins, types, ids = append(plugins, t.PluginID), append(types, t.Type), append(ids, t.ID)
	}
	return plugins, types, ids
}

// stored returns the stored cases of targets, without those whose columns contradict each other.
func stored(ctx context.Context, tx pgx.Tx, targets []Target) (map[Target]row, error) {
	plugins, types, ids := columns(targets)
	found := map[Target]row{}
	_, err := postgres.Collect(ctx, tx, "read cases", func(scan pgx.CollectableRow) (r row, err error) {
		var rank int64
		var n int
		err = scan.Scan(&r.PluginID, &r.Type, &r.ID, &r.module, &r.title, &r.excerpt, &r.reasons, &r.assignees,
			&r.first, &r.last, &r.due, &r.parts, &rank, &n, &r.authors, &r.tags)
		if err == nil && rank == priority.Rank(r.parts, r.first) && n == r.openReports() {
			found[r.Target] = r
		}
		return r, err
	}, `SELECT c.plugin_id, c.target_type, c.target_id, c.permission_module, c.title, c.excerpt, c.reasons,
			c.assignees::text[], c.first_at, c.last_at, c.due_at, c.parts, c.rank, c.open_reports, c.authors, c.tags
		FROM core_moderation_cases c JOIN unnest($1::text[], $2::text[], $3::text[]) t (plugin_id, target_type, target_id)
			USING (plugin_id, target_type, target_id)`, plugins, types, ids)
	return found, err
}

// refresh stores the cases of the targets as read returns them, and ends the parking of targets without a case. The
// projection's lock must be held.
func refresh(ctx context.Context, tx pgx.Tx, targets []Target, until map[Target]time.Time) error {
	cases, err := read(ctx, tx, targets, until)
	if err != nil {
		return err
	}
	gone := map[Target]bool{}
	for _, t := range targets {
		gone[t] = true
	}
	for _, c := range cases {
		delete(gone, c.Target)
	}
	plugins, types, ids := columns(slices.Collect(maps.Keys(gone)))
	b := &pgx.Batch{}
	b.Queue(`WITH gone AS (SELECT * FROM unnest($1::text[], $2::text[], $3::text[]) t (plugin_id, target_type, target_id)),
			unparked AS (DELETE FROM core_moderation_parked k USING gone t WHERE k.case_id = md5(t.plugin_id || E'\x1f' || t.target_type || E'\x1f' || t.target_id)::uuid)
		DELETE FROM core_moderation_cases c USING gone t WHERE (c.plugin_id, c.target_type, c.target_id) = (t.plugin_id, t.target_type, t.target_id)`,
		plugins, types, ids)
	b.Queue(storeCases, columnsOf(cases))
	return postgres.Send(ctx, tx, "store cases", b)
}

// QueueErased stores the title and the excerpt of a case again, in the transaction that erased evidence of one of its
// reports. The projection's lock makes a concurrent update that has read the evidence commit first.
func QueueErased(b *pgx.Batch, t Target) {
	projector.QueueLock(b, name)
	b.Queue(`UPDATE core_moderation_cases t SET (title, excerpt) = (SELECT coalesce(max(l.title), ''), coalesce(max(l.excerpt), '')
			FROM (SELECT r.title, r.excerpt FROM core_moderation_reports r WHERE `+open+` ORDER BY r.created_at DESC, r.id DESC LIMIT 1) l)
		WHERE t.plugin_id = $1 AND t.target_type = $2 AND t.target_id = $3`, t.PluginID, t.Type, t.ID)
}

// columnsOf returns the cases in the form for storeCases.
func columnsOf(cases []row) []map[string]any {
	columns := make([]map[string]any, len(cases))
	for i, c := range cases {
		columns[i] = map[string]any{"plugin_id": c.PluginID, "target_type": c.Type, "target_id": c.ID, "permission_module": c.module,
			"title": c.title, "excerpt": c.excerpt, "open_reports": c.openReports(), "reasons": c.reasons, "assignees": c.assignees,
			"first_at": c.first, "last_at": c.last, "due_at": c.due, "parts": c.parts, "rank": priority.Rank(c.parts, c.first), "authors": c.authors, "tags": c.tags}
	}
	return columns
}

// storeCases stores all rows. Separate statements would spend most of their time on parameters.
const storeCases = `INSERT INTO core_moderation_cases AS c (plugin_id, target_type, target_id, permission_module, title, excerpt,
		open_reports, reasons, assignees, first_at, last_at, due_at, parts, rank, authors, tags)
	SELECT r.* FROM jsonb_to_recordset($1::jsonb) r (plugin_id text, target_type text, target_id text, permission_module text, title text, excerpt text,
		open_reports int, reasons jsonb, assignees uuid[], first_at timestamptz, last_at timestamptz, due_at timestamptz, parts jsonb, rank bigint, authors text[], tags text[])
	ON CONFLICT (plugin_id, target_type, target_id) DO UPDATE SET (permission_module, title, excerpt, open_reports, reasons, assignees,
		first_at, last_at, due_at, parts, rank, authors, tags) = (EXCLUDED.permission_module, EXCLUDED.title, EXCLUDED.excerpt, EXCLUDED.open_reports,
		EXCLUDED.reasons, EXCLUDED.assignees, EXCLUDED.first_at, EXCLUDED.last_at, EXCLUDED.due_at, EXCLUDED.parts, EXCLUDED.rank, EXCLUDED.authors, EXCLUDED.tags)`
