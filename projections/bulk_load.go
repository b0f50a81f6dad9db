package projections

import (
	"context"
	"fmt"

	"github.com/jackc/pgx/v5"

	"github.com/docketmod/docket/domain/report"
	"github.com/docketmod/docket/eventstore/postgres"
)

// LoadTables are the tables that most of what Load writes goes into, for postgres.Load.
var LoadTables = []string{"core_moderation_reports", "core_moderation_report_notes", "core_moderation_report_authors"}

// LoadTargets stores the targets of new reports, before Load.
func LoadTargets(ctx context.Context, tx pgx.Tx, targets []report.Target) error {
	n := len(targets)
	if n == 0 {
		return nil
	}
	plugins, types, ids := make([]string, n), make([]string, n), make([]string, n)
	families, scopes := make([]*string, n), make([]*string, n)
	for i, t := range targets {
		plugins[i], types[i], ids[i] = t.PluginID, t.Type, t.ID
		families[i], scopes[i] = resourceColumns(t.Scope)
	}
	return postgres.Exec(ctx, tx, "load targets", `INSERT INTO core_moderation_targets (plugin_id, target_type, target_id, scope_family, scope_id, reported)
		SELECT t.*, true FROM unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::text[]) t ON CONFLICT DO NOTHING`,
		plugins, types, ids, families, scopes)
}

// Load stores everything that is projected inline of new reports, whose targets are there.
func Load(ctx context.Context, tx pgx.Tx, all []report.Contents) error {
	reports := make([]projected, len(all))
	for i, c := range all {
		reports[i] = project(c)
	}
	_, notes := owned(reports, notesOf)
	_, appeals := owned(reports, appealsOf)
	err := copyRows(ctx, tx, "core_moderation_reports", reportRow, reports)
	if err == nil {
		err = copyRows(ctx, tx, "core_moderation_report_notes", noteRow, notes)
	}
	if err == nil {
		err = copyRows(ctx, tx, "core_moderation_appeals", appealRow, appeals)
	}
	if err == nil {
		err = copyRows(ctx, tx, "core_moderation_report_authors", authorRow, authorsOf(reports))
	}
	if err != nil {
		return fmt.Errorf("load reports: %w", err)
	}
	return nil
}

// copyRows inserts new rows by COPY. The table must not come from input.
func copyRows[T any](ctx context.Context, tx pgx.Tx, table string, row []field[T], all []T) error {
	if len(all) == 0 {
		return nil
	}
	names := make([]string, len(row))
	for i, f := range row {
		names[i] = f.name
	}
	_, err := tx.CopyFrom(ctx, pgx.Identifier{table}, names, pgx.CopyFromSlice(len(all), func(i int) ([]any, error) {
		values := make([]any, len(row))
		for k, f := range row {
			values[k] = f.of.one(&all[i])
			if f.kind == "uuid" {
				values[k] = postgres.CopiedID(values[k])
			}
		}
		return values, nil
	}))
	return err
}
