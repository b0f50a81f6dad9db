package cases

import (
	"context"
	"maps"
	"reflect"
	"slices"

	"github.com/jackc/pgx/v5"

	"github.com/docketmod/docket/domain"
	"github.com/docketmod/docket/eventstore/postgres"
	"github.com/docketmod/docket/projections/projector"
)

// Projection is the projection of cases.
var Projection = projector.Derived[Target]{Name: name, Batch: 500, Apply: apply, Keys: listTargets, Size: 500,
	Rows:  `SELECT count(*) FROM (SELECT DISTINCT plugin_id, target_type, target_id FROM core_moderation_reports WHERE status <> 'done') t`,
	Store: func(ctx context.Context, tx pgx.Tx, targets []Target) error { return refresh(ctx, tx, targets, nil) }, Compare: compare,
	Describe: func(t Target) string {
		return "case of " + t.Type + " " + t.ID + ": is not what its reports make of it"
	}}

const name = "cases"

// apply updates the cases of the events' reports, and recomputes the priority of others that a
// decision affects: those reported by the same reporter or written by the same author.
func apply(ctx context.Context, tx pgx.Tx, after, upTo int64) (more bool, err error) {
	if upTo == after {
		return false, nil
	}
	c, err := readChanges(ctx, tx, after, upTo)
	if err != nil {
		return false, err
	}
	recorded, err := c.grow(ctx, tx)
	if err != nil {
		return false, err
	}
	if err := refresh(ctx, tx, slices.Collect(maps.Keys(c.read)), c.until); err != nil {
		return false, err
	}
	others, err := c.others(ctx, tx)
	if err != nil {
		return false, err
	}
	return false, reweigh(ctx, tx, append(others, recorded...))
}

// listTargets lists the targets that have a case or should have one.
func listTargets(ctx context.Context, db postgres.Querier, after Target, limit int) ([]Target, error) {
	const behind = `(plugin_id, target_type, target_id) > ($1, $2, $3) ORDER BY 1, 2, 3 LIMIT $4`
	return postgres.Collect(ctx, db, "list targets", pgx.RowToStructByPos[Target],
		`(SELECT plugin_id, target_type, target_id FROM core_moderation_cases WHERE `+behind+`)
		UNION (SELECT DISTINCT plugin_id, target_type, target_id FROM core_moderation_reports WHERE status <> 'done' AND `+behind+`)
		ORDER BY 1, 2, 3 LIMIT $4`, after.PluginID, after.Type, after.ID, limit)
}

// compare returns the targets whose stored case differs from their reports.
func compare(ctx context.Context, tx pgx.Tx, targets []Target) ([]Target, error) {
	want, err := read(ctx, tx, targets, nil)
	if err != nil {
		return nil, err
	}
	got, err := stored(ctx, tx, targets)
	if err != nil {
		return nil, err
	}
	expected := map[Target]row{}
	for _, r := range want {
		expected[r.Target] = r
	}
	return domain.Filter(targets, func(t Target) bool { return !reflect.DeepEqual(expected[t], got[t]) }), nil
}
