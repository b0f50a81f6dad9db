package projections

import (
	"context"
	"fmt"

	"github.com/jackc/pgx/v5"

	"github.com/docketmod/docket/domain/report"
)

// LoadTables are the tables that most of what Load writes goes into, for postgres.Load.
var LoadTables = []string{"core_moderation_reports"}

// loadBatch is how many reports one statement of Load stores.
const loadBatch = 500

// LoadTargets stores the targets of new reports, before Load.
func LoadTargets(ctx context.Context, tx pgx.Tx, filings []*report.Created) error {
	if len(filings) == 0 {
		return nil
	}
	n := len(filings)
	plugins, types, ids := make([]string, n), make([]string, n), make([]string, n)
	families, scopes := make([]*string, n), make([]*string, n)
	for i, f := range filings {
		plugins[i], types[i], ids[i] = f.Target.PluginID, f.Target.Type, f.Target.ID
		families[i], scopes[i] = resourceColumns(f.Target.Scope)
	}
	_, err := tx.Exec(ctx, `INSERT INTO core_moderation_targets (plugin_id, target_type, target_id, scope_family, scope_id, reported)
		SELECT t.*, true FROM unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::text[]) t ON CONFLICT DO NOTHING`,
		plugins, types, ids, families, scopes)
	if err != nil {
		return fmt.Errorf("load targets: %w", err)
	}
	return nil
}

// Load stores everything that is projected inline of new reports, whose targets are there.
func Load(ctx context.Context, tx pgx.Tx, all []report.Contents) error {
	b := &pgx.Batch{}
	for start := 0; start < len(all); start += loadBatch {
		var some []projected
		for _, c := range all[start:min(start+loadBatch, len(all))] {
			some = append(some, project(c))
		}
		queueReports(b, some)
	}
	if err := tx.SendBatch(ctx, b).Close(); err != nil {
		return fmt.Errorf("load reports: %w", err)
	}
	return nil
}
