// Package rules evaluates the automatic rules that are shadow or live on new reports. It follows the log, stores the
// state of domain/rule as records, and enqueues a task for matches, so that it adds no cost to filing. Back-tests read
// the log in the same way. Other modules must not import it.
package rules

import (
	"context"
	"maps"
	"slices"

	"github.com/jackc/pgx/v5"

	"github.com/docketmod/docket/domain"
	"github.com/docketmod/docket/domain/report"
	"github.com/docketmod/docket/domain/rule"
	"github.com/docketmod/docket/eventstore/postgres"
	"github.com/docketmod/docket/projections/projector"
)

const (
	name    = "rules"
	records = "core_rule_records"
	// again is the temporary table into which a verification folds the log.
	again = "core_rule_verified"
	// judged is the key of the record with the position up to which rules were evaluated, which a rebuild keeps.
	judged = `["judged"]`
	piece  = 500 // events

	lastPosition = `SELECT coalesce(max(position), 0) AS last FROM core_moderation_log`
)

// New returns the projection. It calls matched, which may be nil, after it has enqueued tasks.
func New(matched func()) projector.Folded {
	c := &compiled{expressions: map[string]*rule.Expression{}}
	applied := func() {
		if c.enqueued.Swap(false) && matched != nil {
			matched()
		}
	}
	return projector.Folded{Name: name, Batch: piece, Wanted: wanted, Applied: applied,
		Apply: func(ctx context.Context, tx pgx.Tx, after, upTo int64) error {
			if after == upTo {
				return nil
			}
			return fold(ctx, tx, records, after, upTo, c)
		},
		Clear: func(ctx context.Context, tx pgx.Tx) error {
			b := &pgx.Batch{}
			b.Queue(`DELETE FROM core_rule_records WHERE key <> $1`, judged)
			b.Queue(`UPDATE core_rule_records SET value = l.last FROM (`+lastPosition+`) l WHERE key = $1 AND value::numeric > l.last`, judged)
			return postgres.Send(ctx, tx, "forget the records of rules", b)
		},
		Compare: compare}
}

// wanted reports whether there is a rule. A draft counts, since it is about to be tried.
func wanted(ctx context.Context, db postgres.Querier) (bool, error) {
	return postgres.CollectOne(ctx, db, "look for rules", pgx.RowTo[bool], `SELECT EXISTS (SELECT FROM core_rules WHERE retired_at IS NULL)`)
}

// fold folds a piece of the log into a table, and evaluates rules on the filings, unless c is nil.
func fold(ctx context.Context, tx pgx.Tx, table string, after, upTo int64, c *compiled) error {
	strikes, err := Strikes(ctx, tx)
	if err != nil {
		return err
	}
	h := rule.NewHistory(strikes)
	h.KeepFacts = true
	var events []Told
	earlier := map[string]bool{} // reports that were filed before
	err = Each(ctx, tx, after, upTo, func(t *Told) error {
		events = append(events, *t)
		switch f := t.Fact.(type) {
		case *report.Created:
			h.Expect(f, t.Facts.Authors)
			earlier[t.ReportID] = false
			return nil
		case *report.RuleMatched:
			h.ExpectMatch(rule.MatchOf(f))
		}
		if _, known := earlier[t.ReportID]; !known {
			earlier[t.ReportID] = true
		}
		return nil
	})
	if err != nil || len(events) == 0 {
		return err
	}
	maps.DeleteFunc(earlier, func(_ string, is bool) bool { return !is })
	before, err := load(ctx, tx, table, h, slices.Collect(maps.Keys(earlier)))
	if err != nil {
		return err
	}
	var j *judge
	if c != nil {
		if j, err = c.judge(ctx, tx, events); err != nil {
			return err
		}
	}
	for i := range events {
		t := &events[i]
		if t.Facts != nil {
			h.Filed(&t.Event, t.Facts)
		} else {
			h.Apply(&t.Event)
		}
		j.told(t)
	}
	if err := store(ctx, tx, table, before, h.Records()); err != nil || j == nil {
		return err
	}
	return j.end(ctx, tx, upTo)
}

// load reads the records that the events of a piece of the log need, and returns them.
func load(ctx context.Context, tx pgx.Tx, table string, h *rule.History, reports []string) (rule.Records, error) {
	all := rule.Records{}
	read := func(keys []string) error {
		var key, value string
		return postgres.ForEach(ctx, tx, "read the records of rules", []any{&key, &value}, func() error {
			all[key] = value
			return nil
		}, `SELECT key, value FROM `+table+` WHERE key = ANY ($1)`, keys)
	}
	keys := domain.Map(reports, rule.KeyOfReport)
	if err := read(keys); err != nil {
		return nil, err
	}
	for i, id := range reports {
		if text, ok := all[keys[i]]; ok {
			if err := h.LoadReport(id, text); err != nil {
				return nil, err
			}
		}
	}
	if err := read(h.Keys()); err != nil {
		return nil, err
	}
	return all, h.Load(all)
}

// store writes the records that have changed, and deletes those that became empty.
func store(ctx context.Context, tx pgx.Tx, table string, before, now rule.Records) error {
	var gone, changed, values []string
	for key := range before {
		if _, is := now[key]; !is {
			gone = append(gone, key)
		}
	}
	for key, value := range now {
		if before[key] != value {
			changed, values = append(changed, key), append(values, value)
		}
	}
	b := &pgx.Batch{}
	b.Queue(`DELETE FROM `+table+` WHERE key = ANY ($1)`, gone)
	b.Queue(`INSERT INTO `+table+` (key, value) SELECT * FROM unnest($1::text[], $2::text[]) ON CONFLICT (key) DO UPDATE SET value = EXCLUDED.value`, changed, values)
	return postgres.Send(ctx, tx, "store the records of rules", b)
}

// compare folds the log again into a temporary table, and finds the records that differ.
func compare(ctx context.Context, tx pgx.Tx, through int64, progress func(done int64), found func(string)) (compared, wrong int64, err error) {
	if err := postgres.Exec(ctx, tx, "make a table", `CREATE TEMPORARY TABLE `+again+` (key text COLLATE "C" PRIMARY KEY, value text NOT NULL) ON COMMIT DROP`); err != nil {
		return 0, 0, err
	}
	for after := int64(0); after < through; after += piece {
		if err := fold(ctx, tx, again, after, min(after+piece, through), nil); err != nil {
			return 0, 0, err
		}
		progress(after)
	}
	var key string
	err = postgres.ForEach(ctx, tx, "compare the records of rules", []any{&key}, func() error {
		wrong++
		found("record of rules " + key + ": is not what the log makes of it")
		return nil
	}, `SELECT coalesce(a.key, b.key) FROM (SELECT * FROM core_rule_records WHERE key <> $1) a FULL JOIN `+again+` b ON b.key = a.key
		WHERE a.value IS DISTINCT FROM b.value ORDER BY 1`, judged)
	if err != nil {
		return 0, 0, err
	}
	ahead, err := postgres.CollectOne(ctx, tx, "read what was judged", pgx.RowTo[bool], `SELECT EXISTS (SELECT FROM core_rule_records
		WHERE key = $1 AND value::numeric > (`+lastPosition+`))`, judged)
	if err != nil {
		return 0, 0, err
	}
	if ahead {
		wrong++
		found("record of rules " + judged + ": it is beyond the log's end, so the next filings would not be judged")
	}
	compared, err = postgres.CollectOne(ctx, tx, "count the records of rules", pgx.RowTo[int64], `SELECT count(*) FROM `+again)
	return compared, wrong, err
}
