package projections

import (
	"context"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/docketmod/docket/domain"
	"github.com/docketmod/docket/domain/moderation"
	"github.com/docketmod/docket/domain/report"
	"github.com/docketmod/docket/eventstore/postgres"
	"github.com/docketmod/docket/projections/cases"
	"github.com/docketmod/docket/projections/fingerprints"
)

// rewriteAttempts is how often a rewrite is run because of deadlocks.
const rewriteAttempts = 5

// rewrite replaces the rows of reports, which are sorted by id, by their folds. Since the folds were made without
// locks, it folds reports with new events again under their locks.
func rewrite(ctx context.Context, pool *pgxpool.Pool, folds []projected) error {
	for attempt := 1; ; attempt++ {
		err := pgx.BeginFunc(ctx, pool, func(tx pgx.Tx) error {
			if err := lockAndRefresh(ctx, tx, folds); err != nil {
				return err
			}
			b := &pgx.Batch{}
			queueRewrite(b, folds)
			return tx.SendBatch(ctx, b).Close()
		})
		if attempt < rewriteAttempts && postgres.Repeatable(err) {
			continue
		}
		return err
	}
}

// lockAndRefresh locks the reports and folds those with new events again.
func lockAndRefresh(ctx context.Context, tx pgx.Tx, folds []projected) error {
	ids, at := make([]string, len(folds)), make(map[string]int, len(folds))
	for i, w := range folds {
		ids[i], at[w.state.ID] = w.state.ID, i
	}
	var moved []string
	b := &pgx.Batch{}
	postgres.QueueGenericPlans(b) // by outdated statistics from before a rebuild, the tables may be empty
	b.Queue(`SELECT FROM core_moderation_reports WHERE id = ANY ($1::uuid[]) ORDER BY id FOR UPDATE`, ids)
	// This must be a separate statement: one statement would use the snapshot from before
	// the locks.
	b.Queue(`SELECT report_id::text, max(sequence) FROM core_moderation_report_events WHERE report_id = ANY ($1::uuid[]) GROUP BY report_id`, ids).
		Query(func(rows pgx.Rows) error {
			var id string
			var last int
			_, err := pgx.ForEachRow(rows, []any{&id, &last}, func() error {
				if folds[at[id]].state.Sequence != last {
					moved = append(moved, id)
				}
				return nil
			})
			return err
		})
	if err := tx.SendBatch(ctx, b).Close(); err != nil || len(moved) == 0 {
		return err
	}
	all, err := fold(ctx, tx, moved)
	if err != nil {
		return err
	}
	for _, id := range moved {
		if folds[at[id]], err = all[id].projected(); err != nil {
			return err
		}
	}
	return nil
}

// QueueErased implements eventstore.Inline. The report's lock must be held.
func (Inline) QueueErased(b *pgx.Batch, c report.Contents) {
	queueRewrite(b, []projected{project(c)})
	cases.QueueErased(b, moderation.CaseOf(c.State.Target))
	fingerprints.QueueErased(b, c.State.ID)
}

// queueRewrite inserts or replaces all rows of reports. The reports' locks must be held.
func queueRewrite(b *pgx.Batch, reports []projected) {
	queueReports(b, reports)
	b.Queue(insertLostTargets, valuesOf(targetRow, reports)...)
}

// queueReports inserts or replaces the rows of reports, and those in the tables besideReports.
func queueReports(b *pgx.Batch, reports []projected) {
	queueRows(b, "core_moderation_reports", reportRow, reports)
	ids := domain.Map(reports, func(w projected) string { return w.state.ID })
	queueOwned(b, "core_moderation_report_notes", noteRow, ids, reports, func(w projected) map[string]report.Note { return w.notes })
	queueOwned(b, "core_moderation_appeals", appealRow, ids, reports, func(w projected) map[string]report.Appeal { return w.appeals })
	queueOwned(b, "core_moderation_measures", measureRow, ids, reports, func(w projected) map[string]measureOf { return w.measures })
	b.Queue(`DELETE FROM core_moderation_ended_decisions WHERE report_id = ANY ($1::uuid[])`, ids) // including what rewriting the rows has kept
	var ended []endedDecision
	for _, w := range reports {
		ended = append(ended, w.ended...)
	}
	if len(ended) > 0 {
		b.Queue(insertRows("core_moderation_ended_decisions", endedRow), valuesOf(endedRow, ended)...)
	}
	b.Queue(`DELETE FROM core_moderation_report_authors WHERE report_id = ANY ($1::uuid[])`, ids)
	b.Queue(insertRows("core_moderation_report_authors", authorRow), valuesOf(authorRow, authorsOf(reports))...)
}
