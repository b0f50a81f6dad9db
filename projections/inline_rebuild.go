package projections

import (
	"context"
	"fmt"
	"slices"
	"sync"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/docketmod/docket/domain"
	"github.com/docketmod/docket/eventstore"
	"github.com/docketmod/docket/eventstore/postgres"
	"github.com/docketmod/docket/projections/projector"
)

// Batch sizes: reports that are read in one snapshot, and that are locked in one transaction, for which their commands
// wait.
const (
	readBatch  = 100
	writeBatch = 25
)

// ID implements projector.Projection.
func (Inline) ID() string { return "reports" }

// Verify compares every report with its events, in one snapshot per batch.
func (Inline) Verify(ctx context.Context, pool *pgxpool.Pool, o projector.Options) (projector.Result, error) {
	return (&inlineRun{pool: pool, o: o}).walk(ctx)
}

// Rebuild rewrites the reports that differ from the fold of their events, each under its own lock. It only reads
// correct reports, so an interrupted rebuild, when repeated, soon reaches the point where it stopped. It skips a report
// whose events cannot be folded; the error is then projector.ErrNotWhole.
func (Inline) Rebuild(ctx context.Context, pool *pgxpool.Pool, o projector.Options) (projector.Result, error) {
	done, err := (&inlineRun{pool: pool, o: o, write: true}).walk(ctx)
	wanted := done.Wrong
	if o.Force {
		wanted = done.Compared
	}
	if err == nil && done.Rewritten < wanted {
		err = projector.ErrNotWhole
	}
	return done, err
}

// inlineRun is one walk over all reports.
type inlineRun struct {
	pool  *pgxpool.Pool
	o     projector.Options
	write bool

	mu   sync.Mutex
	done projector.Result
}

func (r *inlineRun) walk(ctx context.Context) (projector.Result, error) {
	var total int64
	if err := r.pool.QueryRow(ctx, `SELECT count(*) FROM core_moderation_reports WHERE $1 = '' OR id > nullif($1, '')::uuid`, r.o.After).Scan(&total); err != nil {
		return r.done, fmt.Errorf("count reports: %w", err)
	}
	walk := eventstore.Walk{Pool: r.pool, After: r.o.After, Batch: readBatch, Workers: r.o.Workers}
	var err error
	r.done.Through, err = walk.Each(ctx, func(ctx context.Context, ids []string) error {
		err := r.batch(ctx, ids)
		if err == nil && r.o.Progress != nil {
			r.mu.Lock()
			defer r.mu.Unlock()
			r.o.Progress(r.done.Compared, max(total, r.done.Compared))
		}
		return err
	})
	if err == nil {
		err = r.strays(ctx)
	}
	return r.done, err
}

// besideReports are the other tables with rows of reports.
var besideReports = []string{"core_moderation_report_notes", "core_moderation_appeals", "core_moderation_measures", "core_moderation_ended_decisions", "core_moderation_report_authors"}

// strays finds rows in the tables besideReports whose report has neither a row nor events, as only SQL can create them,
// and deletes them if the run rewrites. They would count for an author, or be found by id.
func (r *inlineRun) strays(ctx context.Context) error {
	for _, table := range besideReports {
		var found []string
		stray := ` FROM ` + table + ` b WHERE NOT EXISTS (SELECT FROM core_moderation_reports r WHERE r.id = b.report_id)
			AND NOT EXISTS (SELECT FROM core_moderation_report_events e WHERE e.report_id = b.report_id)`
		err := postgres.Transact(ctx, r.pool, "look for rows of no report", func(tx pgx.Tx) (err error) {
			b := &pgx.Batch{}
			b.Queue(`SET LOCAL statement_timeout = 0`)
			sql := `SELECT DISTINCT b.report_id::text` + stray + ` ORDER BY 1`
			if r.write {
				sql = `DELETE` + stray + ` RETURNING b.report_id::text`
			}
			postgres.QueueCollect(b, &found, pgx.RowTo[string], sql)
			return tx.SendBatch(ctx, b).Close()
		})
		if err != nil {
			return err
		}
		slices.Sort(found)
		for _, id := range slices.Compact(found) {
			r.done.Wrong++
			if r.write {
				r.done.Rewritten++
			}
			if r.o.Found != nil {
				r.o.Found(fmt.Sprintf("report %s: %s has rows of it, and there is no such report", id, table))
			}
		}
	}
	return nil
}

// batch compares reports, and rewrites them if the run does.
func (r *inlineRun) batch(ctx context.Context, ids []string) error {
	folds, mismatches, err := compare(ctx, r.pool, ids)
	if err != nil {
		return err
	}
	switch {
	case !r.write:
		folds = nil
	case !r.o.Force:
		wrong := make(map[string]bool, len(mismatches))
		for _, m := range mismatches {
			wrong[m.reportID] = true
		}
		folds = domain.Filter(folds, func(w projected) bool { return wrong[w.state.ID] })
	}
	for some := range slices.Chunk(folds, writeBatch) {
		if err := rewrite(ctx, r.pool, some); err != nil {
			return fmt.Errorf("rewrite reports from %s: %w", some[0].state.ID, err)
		}
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	r.done.Compared += int64(len(ids))
	r.done.Wrong += int64(len(mismatches))
	r.done.Rewritten += int64(len(folds))
	for _, m := range mismatches {
		if r.o.Found != nil {
			r.o.Found(m.String())
		}
	}
	return nil
}
