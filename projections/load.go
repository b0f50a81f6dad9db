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
	b := &pgx.Batch{}
	Inline{}.QueueTargets(b, filings)
	if err := tx.SendBatch(ctx, b).Close(); err != nil {
		return fmt.Errorf("load targets: %w", err)
	}
	return nil
}

// Load stores everything that is projected inline of new reports, whose targets are there.
func Load(ctx context.Context, tx pgx.Tx, all []report.Contents) error {
	b := &pgx.Batch{}
	for start := 0; start < len(all); start += loadBatch {
		var some []whole
		for _, c := range all[start:min(start+loadBatch, len(all))] {
			some = append(some, wholeOf(c))
		}
		queueReports(b, some)
	}
	if err := tx.SendBatch(ctx, b).Close(); err != nil {
		return fmt.Errorf("load reports: %w", err)
	}
	return nil
}
