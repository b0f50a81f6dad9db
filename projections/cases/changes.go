package cases

import (
	"context"
	"maps"
	"slices"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/docketmod/docket/domain/priority"
	"github.com/docketmod/docket/domain/report"
	"github.com/docketmod/docket/eventstore/postgres"
)

// changes are the possible changes by a batch of events.
type changes struct {
	filed     map[Target][]filing  // of targets that have no other events
	read      map[Target]bool      // targets whose reports must be read
	until     map[Target]time.Time // for some of them: up to the last filing among the events
	reporters map[string]bool      // whose reports were decided, or who were removed from one
	authors   map[author]bool      // about whose content was decided
}

// filing is an open report that counts in priorities, as it was filed.
type filing struct {
	id                     string
	reason                 report.Reason
	at                     time.Time
	due                    *time.Time
	module, title, excerpt string
	trusted                bool // by a trusted flagger
	recorded               bool // reports by the reporter were decided
}

// selectChanges selects the reports of the events between two positions. For a decision it includes the reporter and
// the authors, and for the removal of an account that account, since its reports no longer name it. The order by
// created_at makes PostgreSQL look a reporter up in core_moderation_reports_reporter_status.
const selectChanges = `SELECT r.plugin_id, r.target_type, r.target_id, e.type, ` + InCase + `,
		r.id::text, r.reason, r.created_at, r.due_at, r.permission_module, r.title, r.excerpt, r.source = 'trusted_flagger', h.recorded IS NOT NULL, d.reporter_id, d.authors
	FROM core_moderation_log l JOIN core_moderation_report_events e USING (event_id) JOIN core_moderation_reports r ON r.id = e.report_id
	LEFT JOIN LATERAL (SELECT true AS recorded FROM core_moderation_reports b
		WHERE e.type = 'created' AND b.reporter_id = r.reporter_id AND b.status = 'done' ORDER BY b.created_at LIMIT 1) h ON true
	LEFT JOIN LATERAL (SELECT r.reporter_id::text, ARRAY(SELECT DISTINCT n ->> 'id'
			FROM json_array_elements(CASE json_typeof(` + Authors + `) WHEN 'array' THEN ` + Authors + ` ELSE '[]' END) n
			WHERE n ->> 'id' <> '') AS authors WHERE e.type IN ('resolved', 'reopened', 'appeal_decided')
		UNION ALL SELECT convert_from(e.payload, 'UTF8')::json ->> 'userId', '{}' WHERE e.type = 'account_removed') d ON true
	WHERE l.position > $1 AND l.position <= $2 AND CASE e.type WHEN 'rule_matched' THEN convert_from(e.payload, 'UTF8')::json ->> 'shadow' IS NULL ELSE true END`

// readChanges reads the possible changes by the events between two positions.
func readChanges(ctx context.Context, tx pgx.Tx, after, upTo int64) (changes, error) {
	c := changes{filed: map[Target][]filing{}, read: map[Target]bool{}, until: map[Target]time.Time{},
		reporters: map[string]bool{}, authors: map[author]bool{}}
	var t Target
	var event report.Type
	var weighs bool
	var f filing
	var reporter *string
	var authors []string
	err := postgres.ForEach(ctx, tx, "find what has changed", []any{&t.PluginID, &t.Type, &t.ID, &event, &weighs,
		&f.id, &f.reason, &f.at, &f.due, &f.module, &f.title, &f.excerpt, &f.trusted, &f.recorded, &reporter, &authors}, func() error {
		switch {
		case event != report.CreatedType:
			c.read[t] = true
		case weighs:
			c.filed[t] = append(c.filed[t], f)
		}
		if reporter != nil {
			c.reporters[*reporter] = true
		}
		for _, id := range authors {
			c.authors[author{PluginID: t.PluginID, ID: id}] = true
		}
		return nil
	}, selectChanges, after, upTo)
	for t := range c.read {
		delete(c.filed, t)
	}
	return c, err
}

// selectReported selects the targets on which reporters have an open report, by
// core_moderation_reports_reporter_status. OFFSET 0 makes PostgreSQL look each reporter up; otherwise it reads all open
// reports if it expects few.
const selectReported = `SELECT DISTINCT r.* FROM unnest($1::uuid[]) w (reporter) CROSS JOIN unnest('{new,in_progress}'::text[]) s (status)
	CROSS JOIN LATERAL (SELECT r.plugin_id, r.target_type, r.target_id FROM core_moderation_reports r
		WHERE r.reporter_id = w.reporter AND r.status = s.status AND NOT r.muted OFFSET 0) r`

// selectWritten selects the cases of authors whose stored points differ from those of the author's past, or that also
// have other authors.
const selectWritten = `SELECT DISTINCT c.plugin_id, c.target_type, c.target_id FROM unnest($1::text[], $2::text[], $3::int[]) w (plugin_id, author, points)
	JOIN core_moderation_cases c ON c.plugin_id = w.plugin_id AND c.authors @> ARRAY[w.author]
	WHERE cardinality(c.authors) > 1
	   OR w.points <> coalesce((SELECT (p ->> 'points')::int FROM jsonb_array_elements(c.parts) p WHERE p ->> 'name' = 'author'), 0)`

// selectRising selects the cases of authors with less than the maximum points for a past, by
// core_moderation_cases_rising.
const selectRising = `SELECT DISTINCT c.plugin_id, c.target_type, c.target_id FROM unnest($1::text[], $2::text[]) w (plugin_id, author)
	JOIN core_moderation_cases c ON c.plugin_id = w.plugin_id AND c.authors @> ARRAY[w.author] AND NOT c.parts @> '[{"name": "author", "points": 8}]'`

// others returns further targets whose points may have changed. It leaves out the cases of an author whose past gives
// the maximum points once the cases have these.
func (c changes) others(ctx context.Context, tx pgx.Tx) ([]Target, error) {
	if len(c.reporters) == 0 && len(c.authors) == 0 {
		return nil, nil
	}
	found, err := postgres.Collect(ctx, tx, "find what reporters have reported", pgx.RowToStructByPos[Target], selectReported, slices.Collect(maps.Keys(c.reporters)))
	if err != nil {
		return nil, err
	}
	authors := slices.Collect(maps.Keys(c.authors))
	pasts, err := upheld(ctx, tx, authors)
	if err != nil {
		return nil, err
	}
	var plugins, ids, fullPlugins, fullIDs []string
	var points []int
	for _, a := range authors {
		past := pasts[a]
		if len(past) == maxUpheld {
			fullPlugins, fullIDs = append(fullPlugins, a.PluginID), append(fullIDs, a.ID)
			continue
		}
		found = append(found, past...) // their own cases leave them out
		plugins, ids, points = append(plugins, a.PluginID), append(ids, a.ID), append(points, priority.AuthorPoints(len(past)))
	}
	written, err := postgres.Collect(ctx, tx, "find what authors have written", pgx.RowToStructByPos[Target], selectWritten, plugins, ids, points)
	if err != nil {
		return nil, err
	}
	rising, err := postgres.Collect(ctx, tx, "find what authors have written", pgx.RowToStructByPos[Target], selectRising, fullPlugins, fullIDs)
	if err != nil {
		return nil, err
	}
	var others []Target
	seen := map[Target]bool{}
	for _, t := range slices.Concat(found, written, rising) {
		if !c.read[t] && !seen[t] {
			seen[t], others = true, append(others, t)
		}
	}
	return others, nil
}
