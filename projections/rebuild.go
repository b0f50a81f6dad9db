package projections

import (
	"context"
	"fmt"
	"slices"
	"sync"

	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/docketmod/docket/eventstore"
)

// Rebuilder compares the inline rows of all reports with the fold of their events, or makes
// them equal, while commands and reads continue. It only reads rows that are right, so an
// interrupted rebuild, run again, soon reaches the point where it stopped.
type Rebuilder struct {
	Pool    *pgxpool.Pool
	Workers int    // concurrent batches; at least 1
	Force   bool   // also rewrite rows that are right
	After   string // begin after this report's id; "" means from the start
	// Progress, if not nil, is called with the number of reports done and about how many
	// there are, from several goroutines.
	Progress func(done, total int64)
	// Found, if not nil, is called with each mismatch, one at a time.
	Found func(Mismatch)
}

// The numbers of reports that are read in one snapshot, and that are locked in one
// transaction, for which their commands wait.
const (
	readBatch  = 100
	writeBatch = 25
)

// Rebuilt counts what was done.
type Rebuilt struct {
	Reports    int64  // compared
	Mismatched int64  // differ from the fold of their events
	Rewritten  int64  // by Rebuild
	Through    string // every report up to this id is done; a later run can begin after it
}

// Rebuild rewrites the reports that differ from the fold of their events, each under its
// own lock. A report whose events cannot be folded is left as it is.
func (r *Rebuilder) Rebuild(ctx context.Context) (Rebuilt, error) { return r.run(ctx, true) }

func (r *Rebuilder) run(ctx context.Context, write bool) (Rebuilt, error) {
	run := &rebuildRun{Rebuilder: r, write: write}
	if err := r.Pool.QueryRow(ctx, `SELECT count(*) FROM core_moderation_reports WHERE $1 = '' OR id > nullif($1, '')::uuid`, r.After).Scan(&run.total); err != nil {
		return Rebuilt{}, fmt.Errorf("count reports: %w", err)
	}
	walk := eventstore.Walk{Pool: r.Pool, After: r.After, Batch: readBatch, Workers: r.Workers}
	err := walk.Each(ctx, func(ids []string) func(context.Context) error {
		b := run.begin(ids[len(ids)-1])
		return func(ctx context.Context) error {
			if err := run.batch(ctx, ids); err != nil {
				return err
			}
			run.finish(b, len(ids))
			return nil
		}
	})
	return run.done, err
}

// rebuildRun is one walk over all reports.
type rebuildRun struct {
	*Rebuilder
	write bool
	total int64

	mu   sync.Mutex
	done Rebuilt
	open []*openBatch // batches that began, oldest first, without the finished ones at the front
}

type openBatch struct {
	last     string // id
	finished bool
}

func (r *rebuildRun) begin(last string) *openBatch {
	r.mu.Lock()
	defer r.mu.Unlock()
	b := &openBatch{last: last}
	r.open = append(r.open, b)
	return b
}

func (r *rebuildRun) finish(b *openBatch, reports int) {
	r.mu.Lock()
	defer r.mu.Unlock()
	b.finished = true
	for len(r.open) > 0 && r.open[0].finished {
		r.done.Through, r.open = r.open[0].last, r.open[1:]
	}
	r.done.Reports += int64(reports)
	if r.Progress != nil {
		r.Progress(r.done.Reports, max(r.total, r.done.Reports))
	}
}

// batch compares reports and rewrites them where asked.
func (r *rebuildRun) batch(ctx context.Context, ids []string) error {
	folds, mismatches, err := compare(ctx, r.Pool, ids)
	if err != nil {
		return err
	}
	r.found(mismatches)
	if !r.write {
		return nil
	}
	if !r.Force {
		wrong := make(map[string]bool, len(mismatches))
		for _, m := range mismatches {
			wrong[m.ReportID] = true
		}
		folds = slices.DeleteFunc(folds, func(w projected) bool { return !wrong[w.state.ID] })
	}
	for some := range slices.Chunk(folds, writeBatch) {
		if err := rewrite(ctx, r.Pool, some); err != nil {
			return fmt.Errorf("rewrite reports from %s: %w", some[0].state.ID, err)
		}
		r.mu.Lock()
		r.done.Rewritten += int64(len(some))
		r.mu.Unlock()
	}
	return nil
}

func (r *rebuildRun) found(mismatches []Mismatch) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, m := range mismatches {
		r.done.Mismatched++
		if r.Found != nil {
			r.Found(m)
		}
	}
}
