package rules

import (
	"context"
	"maps"
	"slices"

	"github.com/docketmod/docket/domain/rule"
	"github.com/docketmod/docket/eventstore/postgres"
)

// Newest returns the last filings after one position and up to another, at most filings of them, with what was known at
// each: as the projection stored it, or else from the events of other reports by their reporters, on their targets and
// of their authors. If there are more than known reports of one of these kinds, whole is false, and only events after
// the position count as known.
func Newest(ctx context.Context, db postgres.Querier, filings, known int, after, through int64) (recent *rule.Recent, whole bool, err error) {
	strikes, err := Strikes(ctx, db)
	if err != nil {
		return nil, false, err
	}
	recent = &rule.Recent{History: rule.NewHistory(strikes), Max: filings}
	happened := map[string]bool{}
	err = Each(ctx, db, after, through, func(t *Told) error {
		happened[t.ReportID] = true // it may have been decided before, and be open since
		t.FoldInto(recent)
		return nil
	})
	if err != nil {
		return nil, false, err
	}
	if whole, err = recall(ctx, db, recent.Facts()); whole || err != nil {
		return recent, whole, err
	}
	reports, whole, err := concerning(ctx, db, recent.Concerned(), known)
	if err != nil || !whole {
		return recent, false, err
	}
	again := &rule.Recent{History: rule.NewHistory(strikes), Max: filings}
	err = eachOf(ctx, db, append(reports, slices.Collect(maps.Keys(happened))...), after, func(t *Told) error {
		if t.Facts != nil {
			again.History.Filed(&t.Event, t.Facts) // not among the last ones
		} else {
			again.Apply(&t.Event)
		}
		return nil
	})
	if err == nil {
		err = Each(ctx, db, after, through, func(t *Told) error {
			t.FoldInto(again)
			return nil
		})
	}
	return again, true, err
}

const selectConcerning = `(SELECT 1, e.report_id::text FROM (SELECT DISTINCT * FROM unnest($1::uuid[])) a (id) CROSS JOIN LATERAL (SELECT report_id
		FROM core_moderation_report_events WHERE actor_id = a.id AND type = 'created' ORDER BY occurred_at DESC LIMIT $7) e LIMIT $7)
	UNION ALL (SELECT 2, r.id::text FROM (SELECT DISTINCT * FROM unnest($2::text[], $3::text[], $4::text[])) t (plugin, kind, id)
		JOIN core_moderation_reports r ON (r.plugin_id, r.target_type, r.target_id) = (t.plugin, t.kind, t.id) LIMIT $7)
	UNION ALL (SELECT 3, a.report_id::text FROM (SELECT DISTINCT * FROM unnest($5::text[], $6::text[])) t (plugin, author)
		JOIN core_moderation_report_authors a ON (a.plugin_id, a.author) = (t.plugin, t.author) LIMIT $7)`

// concerning returns the reports on which facts depend: by the reporters, on the targets and, if they are decided, of
// the authors. whole is false if there are more than most of one kind. It relies on
// core_moderation_report_events_by_actor, also for deleted reporters, core_moderation_reports_target and
// core_moderation_report_authors_pkey.
func concerning(ctx context.Context, db postgres.Querier, c rule.Concerned, most int) (reports []string, whole bool, err error) {
	var id string
	kinds := map[int]int{}
	whole = true
	var kind int
	err = postgres.ForEach(ctx, db, "find the reports that facts depend on", []any{&kind, &id}, func() error {
		if kinds[kind]++; kinds[kind] > most {
			whole = false
		}
		reports = append(reports, id)
		return nil
	}, selectConcerning, c.Reporters, c.Plugins, c.Types, c.IDs, c.AuthorPlugins, c.Authors, most+1)
	return reports, whole, err
}

// recall sets what was known at the filing of reports. whole is false if the projection has not folded all of them yet.
func recall(ctx context.Context, db postgres.Querier, facts map[string]*rule.Facts) (whole bool, err error) {
	byKey, keys := map[string]*rule.Facts{}, []string{}
	for id, f := range facts {
		key := rule.KeyOfReport(id)
		byKey[key], keys = f, append(keys, key)
	}
	var key, value string
	recalled := 0
	err = postgres.ForEach(ctx, db, "read the records of rules", []any{&key, &value}, func() error {
		recalled++
		return byKey[key].Recall(value)
	}, `SELECT key, value FROM core_rule_records WHERE key = ANY ($1)`, keys)
	return recalled == len(facts), err
}
